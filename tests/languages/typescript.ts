/* Copyright: nobody in particular. */

/** Sessions and their tokens.
 * @packageDocumentation
 */

import { Base } from './base';

/** Who a session belongs to. */
export type Owner<K extends string = string> = {
  [key in K]?: string;
};

/** How tokens are made. */
export interface Issuer<T> extends Base {
  readonly size: number;
  /** Issues one. */
  issue(forWhom: Owner): Promise<T>;
}

export enum State { Alive = 'alive', Dead = 'dead' }
const enum Flag { A = 1 << 0 }

/** How long a session lives, in seconds. */
export const LIFETIME: number = 3_600;
export const TABLE: Record<string, number> = {
  alpha: 1,
  beta: 2,
};
let counter: number | undefined;

export function refresh(session: number): number;
export function refresh(session: string): string;
/** Refreshes a session. */
export function refresh<T extends number | string>(
  session: T, // an id or a name
  { deep = false }: { deep?: boolean } = {},
): asserts session is T {
  function local() {}
  const inner = () => local();
}

export const load = async <T,>(path: string): Promise<T> => {
  return read(path);
};

/** A session. */
@Injectable({ scope: 'request' })
export abstract class Session<T = unknown>
  extends Base<T>
  implements Issuer<T>
{
  private static count = 0;
  /** Whose it is. */
  @Input() owner?: Owner;
  protected readonly table = {
    key: 1,
  };
  [key: string]: unknown;
  onClick = (event: Event): void => { this.owner = undefined; };

  constructor(
    private readonly id: string,
    public name = 'x',
  ) { super(); }

  get token(): T { return this.make(); }
  protected abstract make(): T;
  find(id: number): this;
  find(id: string): this;
  find(id: unknown): this { return this; }

  /** Listens. */
  @HostListener('click', ['$event'])
  public async listen(this: Session, ...rest: T[]): Promise<void> {}
  #hide(): void {}
}

export namespace Tokens.Inner {
  /** Inside. */
  export const size = 16;
  export function make(): string { return ''; }
}

declare module 'store' {
  export function open(path: string): void;
}
declare global {
  interface Window { session: Session }
}
declare const VERSION: string;
export declare function external(a: number): void;

Session.prototype.expire = function (): void {};

export default { name: 'store', open(path: string) { return path; } };

// Documented by a plain comment.
function survivor(a: string): void {}

function broken(x: { return x;
