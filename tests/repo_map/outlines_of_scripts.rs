//! Items of scripting languages where they are easily missed or made up: nested, decorated,
//! exported in other words, defined by a call, or written in a string.
//!
//! Long: a source and its items for each language.

use insta::assert_snapshot;
use test_support::repo;

use crate::run;

/// What `languages --test` says of a file: its outline, its interface, its items.
pub(crate) fn tried(path: &str, text: &str) -> String {
    let repo = repo("");
    repo.write(path, text.as_bytes());
    let ran = run(&repo, &["languages", "--test", path]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    ran.stdout
}

/// The part of it that names items with kind, visibility and lines.
pub(crate) fn items(path: &str, text: &str) -> String {
    tried(path, text).split_once("=== items\n").unwrap().1.to_owned()
}

#[test]
fn python_classes_nest_and_functions_keep_what_is_inside() {
    let text = r#"
class Outer:
    class Inner:
        class Deepest:
            def reach(self): ...

    def make(self):
        class Local:
            def lost(self): ...

        def helper():
            return Local

        return helper
"#;
    assert_snapshot!(tried("a.py", text), @"
    === outline
    class Outer
        class Inner
            class Deepest
                fn reach
        fn make
    === interface
    class Outer:
        class Inner:
            class Deepest:
                def reach(self): …
        def make(self): …
    === items
    class Outer (unmarked, lines 2-14)
    class Outer.Inner (unmarked, lines 3-5)
    class Outer.Inner.Deepest (unmarked, lines 4-5)
    method Outer.Inner.Deepest.reach (unmarked, lines 5-5)
    method Outer.make (unmarked, lines 7-14)
    ");
}

#[test]
fn python_decorators_stand_with_what_they_decorate() {
    let text = r#"
@app.route("/users/<int:id>", methods=["GET"])
@requires(
    "admin",
    level=3,
)
async def show(id: int, *, verbose=False) -> Response:
    """Shows a user."""
    return await load(id)


class Point:
    @property
    def x(self): return self._x

    @x.setter
    def x(self, value): self._x = value

    @staticmethod
    def zero(): return Point()
"#;
    assert_snapshot!(tried("a.py", text), @r#"
    === outline
    fn show
    class Point
        property x
        fn x
        fn zero
    === interface
    @app.route("/users/<int:id>", methods=["GET"])
    @requires(
        "admin",
        level=3,
    )
    async def show(id: int, *, verbose=False) -> Response:
        """Shows a user.""" …
    class Point:
        @property
        def x(self): …
        @x.setter
        def x(self, value): …
        @staticmethod
        def zero(): …
    === items
    function show (unmarked, lines 2-9, documented)
    class Point (unmarked, lines 12-20)
    property Point.x (unmarked, lines 13-14)
    method Point.x@2 (unmarked, lines 16-17)
    method Point.zero (unmarked, lines 19-20)
    "#);
}

#[test]
fn python_names_bound_at_the_top_are_items_and_those_in_a_loop_are_not() {
    let text = r#"
Point = NamedTuple("Point", [("x", int), ("y", int)])
square = lambda n: n * n
LIMITS: Final[dict[str, int]] = {
    "a": 1,
}
a = b = 1
x, (y, z) = 1, (2, 3)
counts["a"] = 1
settings.debug = True
total += 1
for name in names:
    last = name
with open("f") as f:
    text = f.read()
if __name__ == "__main__":
    main()
"#;
    assert_snapshot!(items("a.py", text), @"
    constant Point (unmarked, lines 2-2)
    variable square (unmarked, lines 3-3)
    constant LIMITS (unmarked, lines 4-6)
    variable a (unmarked, lines 7-7)
    variable x, (y, z) (unmarked, lines 8-8)
    region (module) (unmarked, lines 9-17)
    ");
}

#[test]
fn python_stubs_show_each_overload() {
    let text = r#"
from typing import overload

class Buffer:
    size: int
    @overload
    def __getitem__(self, at: int) -> bytes: ...
    @overload
    def __getitem__(self, at: slice) -> Buffer: ...

def open(path: str | PathLike[str], mode: Literal["r", "w"] = ...) -> Buffer: ...
"#;
    assert_snapshot!(tried("buffer.pyi", text), @r#"
    === outline
    class Buffer
        fn __getitem__
        fn __getitem__
    fn open
    === interface
    class Buffer:
        size: int
        @overload
        def __getitem__(self, at: int) -> bytes: …
        @overload
        def __getitem__(self, at: slice) -> Buffer: …
    def open(path: str | PathLike[str], mode: Literal["r", "w"] = ...) -> Buffer: …
    === items
    imports (imports) (unmarked, lines 2-2)
    class Buffer (unmarked, lines 4-9)
    field Buffer.size (unmarked, lines 5-5)
    method Buffer.__getitem__ (unmarked, lines 6-7)
    method Buffer.__getitem__@2 (unmarked, lines 8-9)
    function open (unmarked, lines 11-11)
    "#);
}

#[test]
fn a_definition_in_a_string_or_a_comment_is_none() {
    let python = "TEXT = '''\ndef not_one():\n    pass\n'''\n# def nor_this(): pass\ndef one(): \
        \"class No: pass\"\n";
    let ruby = "TEXT = <<~RUBY\n  def not_one\n  end\nRUBY\n=begin\nclass NorThis; end\n=end\ndef \
        one; end\n__END__\ndef nor_that; end\n";
    let javascript = "const text = `\nfunction notOne() {}\n`;\n/* class NorThis {} */\nfunction \
        one() { return /function norThat() {}/; }\n";
    let shell =
        "cat <<'END'\nnot_one() {\n}\nEND\n# nor_this() { :; }\none() { echo 'nor_that() { }'; }\n";
    let lua = "local text = [[\nfunction not_one() end\n]]\n--[[ function nor_this() end \
        ]]\nfunction one() end\n";
    let php = "<?php\n$text = <<<'END'\nfunction notOne() {}\nEND;\n# function norThis() \
        {}\nfunction one() {}\n?>\nfunction norThat() {}\n";
    assert_snapshot!(items("a.py", python), @"
    constant TEXT (unmarked, lines 1-4)
    function one (unmarked, lines 5-6, documented)
    ");
    assert_snapshot!(items("a.rb", ruby), @"
    constant TEXT (unmarked, lines 1-1)
    region (module) (unmarked, lines 2-4)
    function one (unmarked, lines 5-8, documented)
    region (module)@2 (unmarked, lines 9-10)
    ");
    assert_snapshot!(items("a.js", javascript), @"
    constant text (unmarked, lines 1-3)
    function one (unmarked, lines 4-5, documented)
    ");
    assert_snapshot!(items("a.sh", shell), @"function one (unmarked, lines 5-6, documented)");
    assert_snapshot!(items("a.lua", lua), @"
    variable text (private, lines 1-3)
    function one (unmarked, lines 4-5, documented)
    ");
    assert_snapshot!(items("a.php", php), @"
    variable $text (unmarked, lines 2-4)
    function one (unmarked, lines 6-6)
    region (module) (unmarked, lines 8-8)
    ");
}

#[test]
fn javascript_exports_are_items_under_the_names_they_have_here() {
    let text = r#"
export * from './all';
export * as tools from './tools';
export { one, two as deux } from './some';
import def, { named } from './other';
export { named };
export const a = 1, b = () => 2, { c, d: [e] } = obj;
export let later;
export default class extends Base { run() {} }
"#;
    assert_snapshot!(tried("a.js", text), @"
    === outline
    var a
    fn b
    var later
    class default
        fn run
    === interface
    a = 1
    b = () => 2
    export let later;
    export default class extends Base {
        run() {}
    }
    === items
    imports (imports) (unmarked, lines 5-5)
    region (module) (unmarked, lines 7-7)
    variable a (unmarked, lines 7-7)
    function b (unmarked, lines 7-7)
    variable later (public, lines 8-8)
    class default (public, lines 9-9)
    method default.run (unmarked, lines 9-9)
    ");
}

#[test]
fn functions_in_a_long_function_that_consists_of_them_are_items() {
    let body = "    total = total + 1;\n".repeat(120);
    let source = |own: &str| {
        format!(
            "function build(options) {{\n  let total = 0;\n{own}  return {{ route, close }};\n\
             \u{20} function route(path) {{\n{body}    function late() {{ return 1; }}\n  }}\n\
             \u{20} function close() {{\n{body}{body}  }}\n}}\n"
        )
    };
    let functions = |own: &str| {
        let items = items("a.js", &source(own));
        let functions = items.lines().filter(|line| line.starts_with("function"));
        functions.collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(functions(""), @"
    function build (unmarked, lines 1-369)
    function build.route (unmarked, lines 4-126)
    function build.close (unmarked, lines 127-368)
    ");
    let most = body.repeat(8);
    assert_snapshot!(functions(&most), @"function build (unmarked, lines 1-1329)");
}

#[test]
fn javascript_methods_of_objects_and_prototypes_are_items() {
    let text = r#"
const api = {
  users: {
    list() { return []; },
    get: async (id) => id,
  },
  get size() { return 1; },
  *walk() {},
  'quoted-name'() {},
  [computed]() {},
};
function Shape() {}
Shape.prototype.area = function () { return 0; };
Shape.from = (other) => new Shape(other);
Object.assign(Shape.prototype, { scale(by) {} });
module.exports.make = () => new Shape();
module.exports = { Shape };
"#;
    assert_snapshot!(items("a.cjs", text), @"
    constant api (unmarked, lines 2-11)
    property api.size (unmarked, lines 7-7)
    method api.walk (unmarked, lines 8-8)
    method api.quoted-name (unmarked, lines 9-9)
    method api.[computed] (unmarked, lines 10-10)
    function Shape (unmarked, lines 12-12)
    function Shape.prototype.area (unmarked, lines 13-13)
    function Shape.from (unmarked, lines 14-14)
    region (module) (unmarked, lines 15-15)
    function make (public, lines 16-16)
    object module.exports (unmarked, lines 17-17)
    ");
}

#[test]
fn a_comment_for_jsdoc_describes_what_stands_below_a_blank_line() {
    let text = "'use strict'

/**
 * Module dependencies.
 */

var vary = require('vary')

/** @typedef {string} Name */

// A note.

/**
 * Sends it.
 */

function send() {}

/*** A line of stars. ***/

function wait() {}

/** Two lines further. */


function stop() {}
";
    assert_snapshot!(items("response.js", text), @"
    imports (imports) (unmarked, lines 7-7)
    function send (unmarked, lines 13-17, documented)
    function wait (unmarked, lines 21-21)
    function stop (unmarked, lines 26-26)
    ");
    // The first comment is that of the file.
    let text = "/** What the file is. */\n\nfunction send() {}\n";
    assert_snapshot!(items("response.js", text), @"function send (unmarked, lines 3-3)");
}

#[test]
fn javascript_prototypes_that_are_exported_keep_their_members_and_classes_their_name() {
    let text = r#"
const proto = module.exports = {
  throw (...args) { return args },
  get cookies () { return this[COOKIES] },
  set cookies (all) { this[COOKIES] = all },
  assert
}
module.exports = exports = { encode: function (a) { return a }, limit: 3 }
module.exports = class Application extends Emitter {
  listen () {}
}
exports.Request = class Incoming {}
"#;
    assert_snapshot!(items("context.js", text), @"
    constant proto (unmarked, lines 2-7)
    method proto.throw (unmarked, lines 3-3)
    property proto.cookies (unmarked, lines 4-4)
    property proto.cookies@2 (unmarked, lines 5-5)
    object module.exports (unmarked, lines 8-8)
    method module.exports.encode (unmarked, lines 8-8)
    class Application (public, lines 9-11)
    method Application.listen (unmarked, lines 10-10)
    class Request (public, lines 12-12)
    ");
}

#[test]
fn typescript_overloads_and_abstract_members_are_shown_one_by_one() {
    let text = r#"
export function pick(a: string): string;
export function pick(a: number, b?: number): number;
export function pick(a: any) { return a; }

export abstract class Shape<out T extends object = {}> implements Area {
  static readonly #secret = 1;
  declare kind: 'round' | 'flat';
  constructor(protected readonly size: number) {}
  abstract area(): number;
  is(other: unknown): other is this { return true; }
  private async *parts(): AsyncGenerator<T> {}
  accessor level = 1;
}
"#;
    assert_snapshot!(tried("a.ts", text), @"
    === outline
    fn pick
    fn pick
    fn pick
    class Shape
      fn constructor
      fn area
      fn is
      fn parts
    === interface
    export function pick(a: string): string;
    export function pick(a: number, b?: number): number;
    export function pick(a: any) { … }
    export abstract class Shape<out T extends object = {}> implements Area {
      static readonly #secret = 1
      declare kind: 'round' | 'flat'
      constructor(protected readonly size: number) {}
      abstract area(): number
      is(other: unknown): other is this { … }
      private async *parts(): AsyncGenerator<T> {}
      accessor level = 1
    }
    === items
    function pick (public, lines 2-2)
    function pick@2 (public, lines 3-3)
    function pick@3 (public, lines 4-4)
    class Shape (public, lines 6-14)
    field Shape.#secret (private, lines 7-7)
    field Shape.kind (unmarked, lines 8-8)
    constructor Shape.constructor (unmarked, lines 9-9)
    method Shape.area (unmarked, lines 10-10)
    method Shape.is (unmarked, lines 11-11)
    method Shape.parts (private, lines 12-12)
    field Shape.level (unmarked, lines 13-13)
    ");
}

#[test]
fn typescript_fields_that_hold_functions_are_methods() {
    let text = r#"
export class Till<T> {
  open!: OpenHandler<T, 'open'>;
  close: (sum: number) => void;
  private count?: CountFn;
  readonly coins: Coin[];
  handler: Handlers = {};
  onSale: SaleListener = noSale;
}
"#;
    assert_snapshot!(tried("a.ts", text), @"
    === outline
    class Till
      fn open
      fn close
      fn count
      fn onSale
    === interface
    export class Till<T> {
      open!: OpenHandler<T, 'open'>
      close: (sum: number) => void
      private count?: CountFn
      readonly coins: Coin[]
      handler: Handlers = {}
      onSale: SaleListener = noSale
    }
    === items
    class Till (public, lines 2-9)
    method Till.open (unmarked, lines 3-3)
    method Till.close (unmarked, lines 4-4)
    method Till.count (private, lines 5-5)
    field Till.coins (unmarked, lines 6-6)
    field Till.handler (unmarked, lines 7-7)
    method Till.onSale (unmarked, lines 8-8)
    ");
}

#[test]
fn typescript_types_and_declarations_are_items() {
    let text = r#"
export type { User } from './user';
export type Getters<T> = { [K in keyof T as `get${Capitalize<K & string>}`]: () => T[K] };
type Handler = (event: Event) => void;
interface Callable { (a: number): string; new (a: string): Callable; readonly size?: number }
declare module '*.css' { const classes: Record<string, string>; export default classes; }
declare namespace App.Models { interface User { id: number } }
export as namespace Shop;
export = Shop;
"#;
    assert_snapshot!(items("types.d.ts", text), @"
    region (module) (unmarked, lines 2-2)
    type Getters (public, lines 3-3)
    type Handler (unmarked, lines 4-4)
    interface Callable (unmarked, lines 5-5)
    module *.css (unmarked, lines 6-6)
    constant *.css.default (public, lines 6-6)
    namespace App.Models (unmarked, lines 7-7)
    interface App.Models.User (unmarked, lines 7-7)
    region (module)@2 (unmarked, lines 8-9)
    ");
}

#[test]
fn components_wrapped_in_calls_are_items() {
    let text = r#"
export const Field = forwardRef<HTMLInputElement, Props>(function Field(props, ref) {
  return <input ref={ref} {...props} />;
});
export const List = memo(({ rows }: Props) => <ul>{rows.map(row => <li />)}</ul>);
const useCart = () => { const [cart] = useState<Cart>(); return cart; };
export default function Page(): JSX.Element { return <List rows={[]} />; }
"#;
    assert_snapshot!(tried("page.tsx", text), @"
    === outline
    fn Field
    fn List
    fn useCart
    fn Page
    === interface
    export const Field = forwardRef<HTMLInputElement, Props>(function Field(props, ref) { … }
    export const List = memo(({ rows }: Props) => <ul>{rows.map(row => <li />)}</ul>);
    const useCart = () => { … }
    export default function Page(): JSX.Element { … }
    === items
    function Field (public, lines 2-4)
    function List (public, lines 5-5)
    function useCart (unmarked, lines 6-6)
    function Page (public, lines 7-7)
    ");
}

#[test]
fn ruby_modules_nest_by_colons_and_by_blocks() {
    let text = r#"
module A
  module B; class C::D < E; def f; end; end; end
  module_function
  def helper(a, b = {}, *c, d:, **e, &f) = nil
  class << self
    attr_writer :level
    def call = new.call
  end
  Point = Data.define(:x, :y) do
    def length = Math.hypot(x, y)
  end
  private_constant :Point
  concern :Nameable do
    def name; end
  end
end
"#;
    assert_snapshot!(tried("a.rb", text), @"
    === outline
    mod A
      mod B
          class C::D
              fn f
      fn helper
      class self
        property :level
        fn call
      class Point
        fn length
        fn name
    === interface
    module A
      module B
          class C::D < E
              def f …
      def helper(a, b = {}, *c, d:, **e, &f) …
      class << self
        attr_writer :level
        def call …
      Point = Data.define(:x, :y) do
        def length …
        def name …
    === items
    module A (unmarked, lines 2-17)
    module A.B (unmarked, lines 3-3)
    class A.B.C::D (unmarked, lines 3-3)
    method A.B.C::D.f (unmarked, lines 3-3)
    method A.helper (unmarked, lines 5-5)
    class A.self (unmarked, lines 6-9)
    property A.self.:level (unmarked, lines 7-7)
    method A.self.call (unmarked, lines 8-8)
    class A.Point (unmarked, lines 10-12)
    method A.Point.length (unmarked, lines 11-11)
    region A.(module) (unmarked, lines 14-14)
    method A.name (unmarked, lines 15-15)
    ");
}

#[test]
fn ruby_signatures_of_sorbet_stand_with_their_method() {
    let text = r#"
class Cask
  # The version that is outdated.
  sig { params(greedy: T::Boolean).returns(T.nilable(String)) }
  def outdated(greedy: false)
    1
  end

  sig(:final) do
    void
  end
  attr_reader :name
end
"#;
    assert_snapshot!(tried("a.rb", text), @"
    === outline
    class Cask
      fn outdated
      property :name
    === interface
    class Cask
      # The version that is outdated.
      sig { params(greedy: T::Boolean).returns(T.nilable(String)) }
      def outdated(greedy: false) …
      sig(:final) do
        void
      end
      attr_reader :name
    === items
    class Cask (unmarked, lines 2-13)
    method Cask.outdated (unmarked, lines 3-7, documented)
    property Cask.:name (unmarked, lines 9-12)
    ");
}

#[test]
fn php_classes_without_a_name_are_no_items_and_their_hosts_are() {
    let text = r#"<?php
namespace A { function first() { return new class extends Base { public function lost() {} }; } }
namespace B {
    #[Attribute(Attribute::TARGET_CLASS)]
    final readonly class Money
    {
        public function __construct(public int $amount, private string $currency = 'EUR') {}
        public static function of(int|float $amount): static { return new static($amount); }
    }
    enum Suit { case Hearts; case Spades; const Wild = self::Spades; }
    $double = fn(int $x): int => $x * 2;
}
"#;
    assert_snapshot!(tried("a.php", text), @"
    === outline
    namespace A
        fn first
    namespace B
        class Money
            fn __construct
            fn of
        enum Suit
            const Wild
    === interface
    namespace A {
        function first() { … }
    }
    namespace B {
        #[Attribute(Attribute::TARGET_CLASS)]
        final readonly class Money {
            public function __construct(public int $amount, private string $currency = 'EUR') {}
            public static function of(int|float $amount): static { … }
        }
        enum Suit {
            case Hearts;
            case Spades;
            const Wild = self::Spades;
        }
    }
    === items
    namespace A (unmarked, lines 2-2)
    function A::first (unmarked, lines 2-2)
    namespace B (unmarked, lines 3-12)
    class B::Money (unmarked, lines 4-9)
    constructor B::Money::__construct (public, lines 7-7)
    method B::Money::of (public, lines 8-8)
    enum B::Suit (unmarked, lines 10-10)
    variant B::Suit::Hearts (unmarked, lines 10-10)
    variant B::Suit::Spades (unmarked, lines 10-10)
    constant B::Suit::Wild (unmarked, lines 10-10)
    ");
}

#[test]
fn lua_functions_belong_to_the_table_they_are_put_in() {
    let text = r#"
local M = {}
local function private(a, ...) return a end
function M.open(path) end
function M:close() end
function M.inner.deep:call() end
M.alias = function(x) return x end
M["quoted"] = function() end
local handlers = { click = function(e) end, limit = 3 }
return M
"#;
    assert_snapshot!(items("a.lua", text), @r#"
    variable M (private, lines 2-2)
    function private (private, lines 3-3)
    function M.open (unmarked, lines 4-4)
    method M:close (unmarked, lines 5-5)
    method M.inner.deep:call (unmarked, lines 6-6)
    function M.alias (unmarked, lines 7-7)
    function M["quoted"] (unmarked, lines 8-8)
    variable handlers (private, lines 9-9)
    method handlers.click (unmarked, lines 9-9)
    region (module) (unmarked, lines 10-10)
    "#);
}

#[test]
fn attributes_and_slots_of_a_phoenix_component_belong_to_it() {
    let text = r#"
defmodule Shop.Components do
  use Phoenix.Component

  @doc """
  Renders a button.
  """
  attr :kind, :string, default: nil
  attr :rest, :global

  slot :inner, required: true do
    attr :icon, :string
  end

  def button(assigns) do
    ~H"<button>{@kind}</button>"
  end

  def other(assigns), do: assigns
end
"#;
    assert_snapshot!(tried("a.ex", text), @r#"
    === outline
    mod Shop.Components
      fn button
      fn other
    === interface
    defmodule Shop.Components
      use Phoenix.Component
      @doc """
      Renders a button.
      """
      attr :kind, :string, default: nil
      attr :rest, :global

      slot :inner, required: true do
        attr :icon, :string
      end

      def button(assigns) …
      def other(assigns), do: …
    === items
    module Shop.Components (unmarked, lines 2-20)
    field Shop.Components.Phoenix.Component (unmarked, lines 3-3)
    function Shop.Components.button (public, lines 5-17, documented)
    function Shop.Components.other (public, lines 19-19)
    "#);
}

#[test]
fn elixir_clauses_of_one_function_are_shown_each() {
    let text = r#"
defmodule Shop.Cart do
  defstruct [:lines, total: 0]
  @spec add(t, integer) :: t
  @doc "Adds a line."
  def add(cart, amount) when amount > 0, do: cart
  def add(cart, _), do: cart
  defp total([]), do: 0
  defmacro with_cart(do: block) do
    quote do: unquote(block)
  end
  defguard is_small(n) when n < 10
  defmodule Line do
    def price(%{price: p}), do: p
  end
end
defprotocol Shop.Priced do
  def price(thing)
end
defimpl Shop.Priced, for: Shop.Cart.Line do
  def price(line), do: line.price
end
"#;
    assert_snapshot!(tried("a.ex", text), @r#"
    === outline
    mod Shop.Cart
      defstruct
      fn add
      fn add
      fn total
      macro with_cart
      macro is_small
      mod Line
        fn price
    interface Shop.Priced
      fn price
    impl Shop.Priced for Shop.Cart.Line
      fn price
    === interface
    defmodule Shop.Cart
      defstruct [:lines, total: 0]
      @spec add(t, integer) :: t
      @doc "Adds a line."
      def add(cart, amount) when amount > 0, do: …
      def add(cart, _), do: …
      defp total([]), do: …
      defmacro with_cart(do: block) …
      defguard is_small(n) when n < 10
      defmodule Line
        def price(%{price: p}), do: …
    defprotocol Shop.Priced
      def price(thing)
    defimpl Shop.Priced, for: Shop.Cart.Line
      def price(line), do: …
    === items
    module Shop.Cart (unmarked, lines 2-16)
    struct Shop.Cart.defstruct (unmarked, lines 3-3)
    function Shop.Cart.add (public, lines 4-6, documented)
    function Shop.Cart.add@2 (public, lines 7-7)
    function Shop.Cart.total (private, lines 8-8)
    macro Shop.Cart.with_cart (public, lines 9-11)
    macro Shop.Cart.is_small (public, lines 12-12)
    module Shop.Cart.Line (unmarked, lines 13-15)
    function Shop.Cart.Line.price (public, lines 14-14)
    interface Shop.Priced (unmarked, lines 17-19)
    function Shop.Priced.price (public, lines 18-18)
    impl Shop.Cart.Line@2 (unmarked, lines 20-22)
    function Shop.Cart.Line.price@2 (public, lines 21-21)
    "#);
}

#[test]
fn shell_functions_have_many_spellings() {
    let text = r#"
one() { :; }
function two { :; }
function three() ( cd /tmp )
four-five() if true; then :; fi
six::seven() {
  eight() { :; }
}
if command -v nine; then
  ten() { :; }
fi
readonly ELEVEN=11 TWELVE=12
alias thirteen='ls'
"#;
    assert_snapshot!(tried("a.sh", text), @"
    === outline
    fn one
    fn two
    fn three
    fn four-five
    fn six::seven
    fn ten
    const ELEVEN
    === interface
    one() { … }
    function two { … }
    function three() ( … )
    four-five() …
    six::seven() { … }
      ten() { … }
    readonly ELEVEN=11 TWELVE=12
    === items
    function one (unmarked, lines 2-2)
    function two (unmarked, lines 3-3)
    function three (unmarked, lines 4-4)
    function four-five (unmarked, lines 5-5)
    function six::seven (unmarked, lines 6-8)
    function ten (unmarked, lines 10-10)
    constant ELEVEN (unmarked, lines 12-12)
    ");
}
