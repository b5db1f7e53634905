import * as React from 'react';

/** What a badge is told. */
type Props<T> = {
  session: T;
  children?: React.ReactNode;
};

/** Shows a session. */
export const Badge: React.FC<Props<string>> = ({ session, children }) => (
  <b title={session}>{children}</b>
);

export function List<T extends { id: string }>({
  items,
}: {
  items: T[];
}): JSX.Element {
  const row = (item: T) => <li key={item.id} />;
  return <ul>{items.map(row)}</ul>;
}

const Fancy = React.forwardRef<HTMLDivElement, Props<number>>(
  ({ session }, ref) => {
    return <div ref={ref}>{session}</div>;
  },
);
export const Memoised = React.memo(Badge);
const identity = <T,>(value: T): T => value;

export default class Board extends React.Component<Props<string>> {
  state = { open: false };
  private toggle = () => this.setState({ open: true });

  /** Draws it. */
  override render(): React.ReactNode {
    return <>{this.props.children}</>;
  }
}

Board.displayName = 'Board';

function survivor() { return <i />; }

const broken = <div><span></div>;
