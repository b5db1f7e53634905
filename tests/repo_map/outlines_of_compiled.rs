//! Items of compiled languages where they are easily missed or made up: generic, nested,
//! conditional, exported again, with bodies in other places.
//!
//! Long: a source and its items for each language.

use insta::assert_snapshot;
use test_support::repo;

use crate::map;
use crate::outlines_of_scripts::{items, tried};

#[test]
fn rust_modules_nest_and_exports_are_no_items() {
    let text = r#"
pub use self::inner::{Deep, deep as shallow};
extern crate alloc;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn works() {}
}

pub mod inner {
    pub mod deeper {
        pub(crate) struct Deep(pub u8, u16);
    }
    pub use deeper::Deep;
    pub const fn deep<const N: usize>() -> [u8; N] { [0; N] }
}
"#;
    assert_snapshot!(tried("a.rs", text), @"
    === outline
    mod tests
        fn works
    mod inner
        mod deeper
            struct Deep
        fn deep
    === interface
    #[cfg(test)]
    mod tests {
        #[test]
        fn works() {}
    }
    pub mod inner {
        pub mod deeper {
            pub(crate) struct Deep(pub u8, u16);
        }
        pub const fn deep<const N: usize>() -> [u8; N] { … }
    }
    === items
    imports (imports) (unmarked, lines 2-3)
    module tests (unmarked, lines 5-11)
    function tests::works (unmarked, lines 9-10)
    module inner (public, lines 13-19)
    module inner::deeper (public, lines 14-16)
    struct inner::deeper::Deep (private, lines 15-15)
    function inner::deep (public, lines 18-18)
    ");
}

#[test]
fn rust_implementations_are_told_apart_by_trait_and_type() {
    let text = r#"
impl<T: Clone> From<Vec<T>> for Stack<T> { fn from(all: Vec<T>) -> Self { Stack(all) } }
impl<T> Stack<T> where T: Ord { pub fn top(&self) -> Option<&T> { self.0.last() } }
impl<'a, T> IntoIterator for &'a Stack<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter { self.0.iter() }
}
unsafe impl Send for Stack<u8> {}
impl !Sync for Stack<u8> {}
impl<F> Visit for F where F: Fn(&str) {}
"#;
    assert_snapshot!(items("a.rs", text), @"
    impl Stack (unmarked, lines 2-2)
    method Stack::from (unmarked, lines 2-2)
    impl Stack@2 (unmarked, lines 3-3)
    method Stack::top (public, lines 3-3)
    impl &'a Stack<T> (unmarked, lines 4-8)
    type &'a Stack<T>::Item (unmarked, lines 5-5)
    type &'a Stack<T>::IntoIter (unmarked, lines 6-6)
    method &'a Stack<T>::into_iter (unmarked, lines 7-7)
    impl Stack@3 (unmarked, lines 9-9)
    impl Stack@4 (unmarked, lines 10-10)
    impl F (unmarked, lines 11-11)
    ");
}

#[test]
fn rust_functions_keep_their_qualifiers_and_bounds() {
    let text = r#"
pub async unsafe extern "C" fn raw(at: *const u8, _: ...) -> ! { loop {} }
const fn size<T>() -> usize where T: Sized { 0 }
pub(in crate::a) fn each(f: &mut dyn FnMut(&str) -> bool) -> impl Iterator<Item = u8> + '_ {
    fn inner() {}
    struct Local;
    [].into_iter()
}
macro_rules! make { ($name:ident) => { fn $name() {} }; }
make!(generated);
static mut COUNT: u32 = 0;
const _: () = { impl Clone for Each {} };
"#;
    assert_snapshot!(tried("a.rs", text), @r#"
    === outline
    fn raw
    fn size
    fn each
    macro make
    macro make!
    const COUNT
    const _
        impl Clone for Each
    === interface
    pub async unsafe extern "C" fn raw(at: *const u8, _: ...) -> ! { … }
    const fn size<T>() -> usize where T: Sized { … }
    pub(in crate::a) fn each(f: &mut dyn FnMut(&str) -> bool) -> impl Iterator<Item = u8> + '_ { … }
    macro_rules! make { … }
    make!(generated);
    static mut COUNT: u32 = 0;
    const _: () = { impl Clone for Each {} };
    === items
    function raw (public, lines 2-2)
    function size (unmarked, lines 3-3)
    function each (private, lines 4-8)
    macro make (unmarked, lines 9-9)
    macro make! (unmarked, lines 10-10)
    constant COUNT (unmarked, lines 11-11)
    constant _ (private, lines 12-12)
    impl _::Each (unmarked, lines 12-12)
    "#);
}

#[test]
fn declarations_in_a_group_of_go_stand_alone_with_its_keyword() {
    let repo = repo(
        "\
=== state.go
package state

// States.
const (
	// Alive is
	// the first const.
	Alive State = iota
	Dead
)

var (
	table = map[string]int{
		\"a\": 1,
	}
)

type (
	// State is what became of it.
	State struct {
		typed bool
	}
)

const One = 1
",
    );
    let plan = |lines: &str| {
        format!("context: {{line_numbers: {lines}}}\nrules: [{{path: '**', level: interface}}]\n")
    };
    assert_snapshot!(map(&repo, &plan("false")).text, @"
    # Repository map
    ## state.go
    ```go
    ⋮
    // Alive is
    // the first const.
    const Alive State = iota
    const Dead
    var table = map[string]int { … }
    ⋮
    // State is what became of it.
    type State struct {
    	typed bool
    }
    const One = 1
    ```
    ");
    assert_snapshot!(map(&repo, &plan("true")).text, @"
    # Repository map
    ## state.go
    ```go
    5: // Alive is
    6: // the first const.
    7: const Alive State = iota
    8: const Dead
    12: var table = map[string]int { … }
    18: // State is what became of it.
    19: type State struct {
    20: 	typed bool
    21: }
    24: const One = 1
    ```
    ");
}

#[test]
fn whole_declarations_in_a_group_of_go_stand_alone_too() {
    let repo = repo(
        "\
=== state.go
package state

type (
	// State is what became of it.
	State struct {
		typed bool
	}
	Other int
)

var text, next = `one
	two`, 3

var (
	long = `one
	two`
	short = \"`\"
)
",
    );
    let plan = "context: {line_numbers: false}\nrules: [{path: state.go, items: [{name: State, level: \
                full}, {name: long, level: full}, {name: short, level: full}]}]\n";
    assert_snapshot!(map(&repo, plan).text, @"
    # Repository map
    ## state.go
    ```go
    ⋮
    // State is what became of it.
    type State struct {
    	typed bool
    }
    	var long = `one
    	two`
    	var short = \"`\"
    … 2 more
    ```
    ");
}

#[test]
fn go_types_embed_and_methods_belong_to_their_receiver() {
    let text = r#"
package shop

type Number interface{ ~int | ~float64 }

type Cart struct {
	*Base
	sync.Mutex
	Lines, Extra []Line
	done chan<- struct{}
}

type Pair[A, B any] struct { First A; Second B }

func (p *Pair[A, B]) Swap() (second B, first A) { return p.Second, p.First }
func (Cart) String() string { return "" }
func Map[T, U any](in []T, f func(T) U) []U { return nil }
func init() {}
func init() {}

const (
	A, B = iota, "b"
	_, _
	C, D
)
var _ Stringer = (*Cart)(nil)
"#;
    assert_snapshot!(tried("a.go", text), @r#"
    === outline
    interface Number
    struct Cart
    struct Pair
    fn Pair.Swap
    fn Cart.String
    fn Map
    fn init
    fn init
    const A, B
    const _, _
    const C, D
    var _
    === interface
    type Number interface{ ~int | ~float64 }
    type Cart struct {
    	*Base
    	sync.Mutex
    	Lines, Extra []Line
    	done chan<- struct{}
    }
    type Pair[A, B any] struct { First A; Second B }
    func (p *Pair[A, B]) Swap() (second B, first A) { … }
    func (Cart) String() string { … }
    func Map[T, U any](in []T, f func(T) U) []U { … }
    func init() {}
    func init() {}
    const A, B = iota, "b"
    const _, _
    const C, D
    var _ Stringer = (*Cart)(nil)
    === items
    interface Number (public, lines 4-4)
    struct Cart (public, lines 6-11)
    struct Pair (public, lines 13-13)
    method Pair.Swap (public, lines 15-15)
    method Cart.String (public, lines 16-16)
    function Map (public, lines 17-17)
    function init (unmarked, lines 18-18)
    function init@2 (unmarked, lines 19-19)
    constant A, B (public, lines 22-22)
    constant _, _ (private, lines 23-23)
    constant C, D (public, lines 24-24)
    variable _ (private, lines 26-26)
    "#);
}

#[test]
fn c_declarations_of_every_shape_have_their_name() {
    let text = r#"
typedef struct node node;
struct node { struct { int x, y; } at; node *next[4]; int (*visit)(node *, void *); };
typedef enum { RED, GREEN = 2 } color;
typedef int (*compare)(const void *, const void *), number;
extern const char *const names[], **rows;
static int (*table[3])(void) = { 0 };
static void *run(void *of);
static int (*hook)(int);
int *find(node *from), count;
void (*handler(int signal, void (*action)(int)))(int);
_Noreturn static inline void die(const char *why, ...) { for (;;); }
int main(int argc, char *argv[]) { struct local { int a; }; return 0; }
"#;
    assert_snapshot!(tried("a.c", text), @"
    === outline
    type node
    struct node
    enum color
    type compare
    var names
    var table
    fn run
    var hook
    fn find
    fn handler
    fn die
    fn main
    === interface
    typedef struct node node;
    struct node { struct { int x, y; } at; node *next[4]; int (*visit)(node *, void *); }
    typedef enum { RED, GREEN = 2 } color;
    typedef int (*compare)(const void *, const void *), number;
    extern const char *const names[], **rows;
    static int (*table[3])(void) = { 0 };
    static void *run(void *of);
    static int (*hook)(int);
    int *find(node *from), count;
    void (*handler(int signal, void (*action)(int)))(int);
    _Noreturn static inline void die(const char *why, ...) { … }
    int main(int argc, char *argv[]) { … }
    === items
    type node (unmarked, lines 2-2)
    struct node@2 (unmarked, lines 3-3)
    enum color (unmarked, lines 4-4)
    type compare (unmarked, lines 5-5)
    variable names (unmarked, lines 6-6)
    variable table (private, lines 7-7)
    function run (private, lines 8-8)
    variable hook (private, lines 9-9)
    function find (unmarked, lines 10-10)
    function handler (unmarked, lines 11-11)
    function die (private, lines 12-12)
    function main (unmarked, lines 13-13)
    ");
}

#[test]
fn c_branches_of_the_preprocessor_are_all_there() {
    let text = r#"
#ifndef A_H
#define A_H
#if defined(X) && X > 1
int one(void);
#elif defined(Y)
int two(void);
#else
int three(void);
# define LIMIT 3
#endif
#ifdef __cplusplus
extern "C" {
#endif
int four(void);
#ifdef __cplusplus
}
#endif
#endif
"#;
    assert_snapshot!(items("a.h", text), @"
    function one (unmarked, lines 5-5)
    function two (unmarked, lines 7-7)
    function three (unmarked, lines 9-9)
    macro LIMIT (unmarked, lines 10-10)
    function four (unmarked, lines 15-15)
    ");
}

#[test]
fn a_cpp_type_with_fields_behind_it_is_an_item() {
    let text = r#"
class Iterator {
  struct Validity {
    bool is_valid() const { return rep & 1; }
  } validity_;
  enum Keep { kAll, kNone } keep;
  struct { int at; } position_;
  const std::vector<int>* list_ = nullptr;
  class Queue* queue_;
};
"#;
    assert_snapshot!(items("a.cpp", text), @"
    class Iterator (unmarked, lines 2-10)
    struct Iterator::Validity (private, lines 3-5)
    method Iterator::Validity::is_valid (unmarked, lines 4-4)
    enum Iterator::Keep (private, lines 6-6)
    field Iterator::position_ (private, lines 7-7)
    field Iterator::list_ (private, lines 8-8)
    field Iterator::queue_ (private, lines 9-9)
    ");
}

#[test]
fn cpp_templates_operators_and_definitions_outside_of_their_class_are_items() {
    let text = r#"
namespace a::b { inline namespace v1 { struct Deep { struct Deeper; }; } }
struct a::b::v1::Deep::Deeper { int at; };
template <typename... Ts> struct Tuple;
template <> struct Tuple<> {};
template <typename T, typename... Ts> struct Tuple<T, Ts...> : Tuple<Ts...> { T head; };
template <typename T> T Tuple<T>::first() const { return head; }
std::ostream &operator<<(std::ostream &out, const Tuple<> &) { return out; }
constexpr Length operator""_km(long double v) { return Length{v}; }
enum class [[nodiscard]] Code : int;
union Word { int i; float f; ~Word(); };
auto make(int a) -> decltype(a) { return a; }
static_assert(sizeof(int) == 4, "int");
using namespace std;
"#;
    assert_snapshot!(items("a.cpp", text), @r#"
    namespace a::b (unmarked, lines 2-2)
    namespace a::b::v1 (unmarked, lines 2-2)
    struct a::b::v1::Deep (unmarked, lines 2-2)
    struct a::b::v1::Deep::Deeper (unmarked, lines 3-3)
    field a::b::v1::Deep::Deeper::at (unmarked, lines 3-3)
    region (module) (unmarked, lines 4-4)
    struct Tuple<> (unmarked, lines 5-5)
    struct Tuple<T, Ts...> (unmarked, lines 6-6)
    field Tuple<T, Ts...>::head (unmarked, lines 6-6)
    function Tuple<T>::first (unmarked, lines 7-7)
    function operator<< (unmarked, lines 8-8)
    function operator""_km (unmarked, lines 9-9)
    region (module)@2 (unmarked, lines 10-10)
    union Word (unmarked, lines 11-11)
    field Word::i (unmarked, lines 11-11)
    field Word::f (unmarked, lines 11-11)
    method Word::~Word (unmarked, lines 11-11)
    function make (unmarked, lines 12-12)
    region (module)@3 (unmarked, lines 13-13)
    imports (imports) (unmarked, lines 14-14)
    "#);
}

#[test]
fn a_cpp_constructor_with_initialisers_has_no_empty_body() {
    let text = "struct FileMetaData {\n  FileMetaData() : refs(0), seeks(1 << 30) {}\n  \
                FileMetaData(int n) {}\n  int refs;\n};\n";
    let tried = tried("a.cpp", text);
    assert!(tried.contains("  FileMetaData() { … }\n  FileMetaData(int n) {}\n"), "{tried}");
}

#[test]
fn java_records_enums_and_types_without_a_name() {
    let text = r#"
package com.shop;

public sealed interface Shape permits Shape.Circle, Shape.Square {
    record Circle(double radius) implements Shape {
        static final double PI = 3;
        Circle { if (radius < 0) throw new IllegalArgumentException(); }
        double area() { return PI * radius * radius; }
    }
    record Square(double side) implements Shape {}
    enum Unit { METRE { @Override double in() { return 1; } }, FOOT; double in() { return 3; } }
    private static <T extends Shape & Cloneable> void check(T... shapes) throws Error {}
    Runnable LATER = new Runnable() { public void run() {} };
    String TEXT = """
        class NotOne { void norThis() {} }
        """;
}
@interface Tag { int[] value() default {}; }
module com.shop { requires java.base; }
"#;
    assert_snapshot!(tried("Shape.java", text), @"
    === outline
    interface Shape
        struct Circle
            fn Circle
            fn area
        struct Square
        enum Unit
            fn in
        fn check
    interface Tag
        fn value
    === interface
    public sealed interface Shape permits Shape.Circle, Shape.Square {
        record Circle(double radius) implements Shape {
            static final double PI = 3;
            Circle { … }
            double area() { … }
        }
        record Square(double side) implements Shape {}
        enum Unit {
            METRE { … }
            FOOT
            double in() { … }
        }
        private static <T extends Shape & Cloneable> void check(T... shapes) throws Error {}
        Runnable LATER = new Runnable() { public void run() {} };
        String TEXT = …
    }
    @interface Tag {
        int[] value() default {};
    }
    === items
    interface Shape (public, lines 4-17)
    struct Shape.Circle (unmarked, lines 5-9)
    field Shape.Circle.PI (unmarked, lines 6-6)
    constructor Shape.Circle.Circle (unmarked, lines 7-7)
    method Shape.Circle.area (unmarked, lines 8-8)
    struct Shape.Square (unmarked, lines 10-10)
    enum Shape.Unit (unmarked, lines 11-11)
    variant Shape.Unit.METRE (unmarked, lines 11-11)
    variant Shape.Unit.FOOT (unmarked, lines 11-11)
    method Shape.Unit.in (unmarked, lines 11-11)
    method Shape.check (private, lines 12-12)
    field Shape.LATER (unmarked, lines 13-13)
    field Shape.TEXT (unmarked, lines 14-16)
    interface Tag (unmarked, lines 18-18)
    method Tag.value (unmarked, lines 18-18)
    ");
}

#[test]
fn kotlin_members_of_companions_and_extensions() {
    let text = r#"
package shop

@JvmInline value class Money(val cents: Long) : Comparable<Money> {
    constructor(euros: Int) : this(euros * 100L)
    operator fun plus(other: Money) = Money(cents + other.cents)
    companion object Factory { @JvmStatic fun free(): Money = Money(0) }
}
sealed class Result<out T> {
    data class Ok<T>(val value: T) : Result<T>()
    data object Failed : Result<Nothing>()
}
val <T> List<T>.second: T get() = this[1]
suspend inline fun <reified T : Any> Flow<T>.first(crossinline test: (T) -> Boolean): T? = null
tailrec fun String?.orEmpty(): String = this ?: ""
val (a, b) = 1 to 2
fun `a name with blanks`() {}
"#;
    assert_snapshot!(tried("Money.kt", text), @r#"
    === outline
    class Money
        fn constructor
        fn plus
        object Factory
            fn free
    class Result
        class Ok
        object Failed
    property List<T>.second
    fn Flow<T>.first
    fn String?.orEmpty
    property (a, b)
    fn a name with blanks
    === interface
    @JvmInline value class Money(val cents: Long) : Comparable<Money> {
        constructor(euros: Int) : this(euros * 100L)
        operator fun plus(other: Money) = Money(cents + other.cents)
        companion object Factory {
            @JvmStatic fun free(): Money = Money(0)
        }
    }
    sealed class Result<out T> {
        data class Ok<T>(val value: T) : Result<T>()
        data object Failed : Result<Nothing>()
    }
    val <T> List<T>.second: T get() = this[1]
    suspend inline fun <reified T : Any> Flow<T>.first(crossinline test: (T) -> Boolean): T? = null
    tailrec fun String?.orEmpty(): String = this ?: ""
    val (a, b) = 1 to 2
    fun `a name with blanks`() {}
    === items
    class Money (unmarked, lines 4-8)
    constructor Money.constructor (unmarked, lines 5-5)
    method Money.plus (unmarked, lines 6-6)
    object Money.Factory (unmarked, lines 7-7)
    method Money.Factory.free (unmarked, lines 7-7)
    class Result (unmarked, lines 9-12)
    class Result.Ok (unmarked, lines 10-10)
    object Result.Failed (unmarked, lines 11-11)
    property List<T>.second (unmarked, lines 13-13)
    function Flow<T>.first (unmarked, lines 14-14)
    function String?.orEmpty (unmarked, lines 15-15)
    property (a, b) (unmarked, lines 16-16)
    function a name with blanks (unmarked, lines 17-17)
    "#);
}

#[test]
fn csharp_members_of_every_shape() {
    let text = r#"
namespace Shop.Carts;

public record struct Line(string Name, decimal Price = 0m) : ILine
{
    public required string Code { get; init; }
    public decimal this[int at, string by] => Price;
    public static bool operator ==(Line a, Line b) => true;
    public static explicit operator decimal(Line line) => line.Price;
    public static implicit operator Line(string name) => new(name);
    public event Action? Changed;
    public void Deconstruct(out string name) { string Local() => Name; name = Local(); }
}
internal static class Extensions { public static bool IsFree(this Line line) => line.Price == 0; }
public interface ILine { static abstract ILine Zero { get; } decimal Total() => 0m; }
public delegate Task<T> Load<T>(params T[] ids) where T : notnull;
"#;
    assert_snapshot!(tried("Line.cs", text), @"
    === outline
    namespace Shop.Carts
    class Line
        property Code
        property this
        fn operator ==
        fn operator decimal
        fn operator Line
        property Changed
        fn Deconstruct
    class Extensions
        fn IsFree
    interface ILine
        property Zero
        fn Total
    type Load
    === interface
    namespace Shop.Carts;
    public record struct Line(string Name, decimal Price = 0m) : ILine {
        public required string Code { get; init; }
        public decimal this[int at, string by] => …
        public static bool operator ==(Line a, Line b) => …
        public static explicit operator decimal(Line line) => …
        public static implicit operator Line(string name) => …
        public event Action? Changed;
        public void Deconstruct(out string name) { … }
    }
    internal static class Extensions {
        public static bool IsFree(this Line line) => …
    }
    public interface ILine {
        static abstract ILine Zero { get; }
        decimal Total() => …
    }
    public delegate Task<T> Load<T>(params T[] ids) where T : notnull;
    === items
    namespace Shop.Carts (unmarked, lines 2-2)
    class Line (public, lines 4-13)
    property Line.Code (public, lines 6-6)
    property Line.this (public, lines 7-7)
    method Line.operator == (unmarked, lines 8-8)
    method Line.operator decimal (unmarked, lines 9-9)
    method Line.operator Line (unmarked, lines 10-10)
    property Line.Changed (public, lines 11-11)
    method Line.Deconstruct (public, lines 12-12)
    class Extensions (private, lines 14-14)
    method Extensions.IsFree (public, lines 14-14)
    interface ILine (public, lines 15-15)
    property ILine.Zero (unmarked, lines 15-15)
    method ILine.Total (unmarked, lines 15-15)
    type Load (public, lines 16-16)
    ");
}

#[test]
fn csharp_members_for_subclasses_are_not_private() {
    let text = r#"
public class Context
{
    protected virtual void OnModelCreating() { }
    protected internal virtual void OnConfiguring() { }
    private protected void Check() { }
    internal void Open() { }
}
"#;
    assert_snapshot!(items("a.cs", text), @"
    class Context (public, lines 2-8)
    method Context.OnModelCreating (unmarked, lines 4-4)
    method Context.OnConfiguring (unmarked, lines 5-5)
    method Context.Check (private, lines 6-6)
    method Context.Open (private, lines 7-7)
    ");
}

#[test]
fn swift_extensions_protocols_and_operators() {
    let text = r#"
infix operator +++: AdditionPrecedence
public protocol Store<Key>: Sendable {
    associatedtype Key: Hashable
    func load(_ key: Key) async throws -> Data?
}
extension Store where Key == String { public func load(_ key: String) -> Data? { nil } }
@MainActor final class Cart: ObservableObject {
    @Published private(set) var lines: [Line] = []
    convenience init(_ lines: Line...) { self.init() }
    subscript(at: Int) -> Line { lines[at] }
    static func +++ (a: Cart, b: Cart) -> Cart { a }
    enum Kind: Int { case small = 1; struct Size { var width: Int } }
    class func make() -> Self { fatalError() }
}
func total<each T: Number>(of numbers: repeat each T) -> Int { func inner() {}; return 0 }
macro stringify<T>(_ value: T) -> String = #externalMacro(module: "M", type: "T")
let closure: (Int) -> Void = { number in print(number) }
"#;
    assert_snapshot!(items("Cart.swift", text), @"
    interface Store (public, lines 3-6)
    type Store.Key (unmarked, lines 4-4)
    method Store.load (unmarked, lines 5-5)
    impl Store@2 (unmarked, lines 7-7)
    method Store.load@2 (public, lines 7-7)
    class Cart (unmarked, lines 8-15)
    field Cart.lines (unmarked, lines 9-9)
    constructor Cart.init (unmarked, lines 10-10)
    method Cart.subscript (unmarked, lines 11-11)
    method Cart.+++ (unmarked, lines 12-12)
    enum Cart.Kind (unmarked, lines 13-13)
    variant Cart.Kind.small (unmarked, lines 13-13)
    struct Cart.Kind.Size (unmarked, lines 13-13)
    field Cart.Kind.Size.width (unmarked, lines 13-13)
    method Cart.make (unmarked, lines 14-14)
    function total (unmarked, lines 16-16)
    macro stringify (unmarked, lines 17-17)
    constant closure (unmarked, lines 18-18)
    ");
}

#[test]
fn scala_objects_made_by_long_functions_have_items() {
    let body = "      count = count + 1\n".repeat(400);
    let text = format!(
        "class Stage {{\n  def logic(a: Int): Logic = new Logic(a) with Handler {{\n    \
         override def onPush(): Unit = {{\n{body}    }}\n  }}\n  \
         def rules(): Rules = {{\n    def first(): Int = {{\n{body}    }}\n    \
         new Rules {{\n      def second(): Int = {{\n        2\n      }}\n    }}\n  }}\n  \
         def short = new Logic(1) {{ def onPull(): Unit = {{ 1 }} }}\n}}\n"
    );
    let tried = tried("Stage.scala", &text);
    let outline = tried.split("=== interface").next().unwrap();
    assert_snapshot!(outline, @"
    === outline
    class Stage
      fn logic
        fn onPush
      fn rules
        fn first
          fn second
      fn short
    ");
}

#[test]
fn scala_givens_extensions_and_blocks_by_indentation() {
    let text = r#"
package shop

object Cart:
  opaque type Id = Long
  case class Line(name: String, price: BigDecimal = 0)
  given Ordering[Line] with
    def compare(a: Line, b: Line) = 0
  extension (lines: List[Line])
    def total: BigDecimal = lines.map(_.price).sum
    def isFree = total == 0
  enum Kind[+T]:
    case Small extends Kind[Nothing]
    case Large(of: T)
  private[shop] lazy val empty: List[Line] = Nil
  inline def twice(inline n: Int): Int = n * 2
end Cart

trait Store[F[_]: Monad] { type Key <: AnyRef; def load(key: Key)(using Clock): F[Unit] }
implicit class Ops(val line: Cart.Line) extends AnyVal
@main def run(args: String*) = { def local = 1; println(local) }
"#;
    assert_snapshot!(tried("Cart.scala", text), @"
    === outline
    object Cart
      type Id
      class Line
      object Ordering[Line]
        fn compare
      impl List[Line]
        fn total
        fn isFree
      enum Kind
      fn twice
    trait Store
        type Key
        fn load
    class Ops
    fn run
    === interface
    object Cart
      opaque type Id = Long
      case class Line(name: String, price: BigDecimal = 0)
      given Ordering[Line] with
        def compare(a: Line, b: Line) = 0
      extension (lines: List[Line])
        def total: BigDecimal = lines.map(_.price).sum
        def isFree = total == 0
      enum Kind[+T]
        case Small extends Kind[Nothing]
        case Large(of: T)
      private[shop] lazy val empty: List[Line] = Nil
      inline def twice(inline n: Int): Int = n * 2
    trait Store[F[_]: Monad] {
        type Key <: AnyRef
        def load(key: Key)(using Clock): F[Unit]
    }
    implicit class Ops(val line: Cart.Line) extends AnyVal
    @main def run(args: String*) = { … }
    === items
    object Cart (unmarked, lines 4-17)
    type Cart.Id (unmarked, lines 5-5)
    class Cart.Line (unmarked, lines 6-6)
    object Cart.Ordering[Line] (unmarked, lines 7-8)
    method Cart.Ordering[Line].compare (unmarked, lines 8-8)
    impl Cart.List[Line] (unmarked, lines 9-11)
    method Cart.List[Line].total (unmarked, lines 10-10)
    method Cart.List[Line].isFree (unmarked, lines 11-11)
    enum Cart.Kind (unmarked, lines 12-14)
    variant Cart.Kind.Small (unmarked, lines 13-13)
    variant Cart.Kind.Large (unmarked, lines 14-14)
    field Cart.empty (private, lines 15-15)
    method Cart.twice (unmarked, lines 16-16)
    trait Store (unmarked, lines 19-19)
    type Store.Key (unmarked, lines 19-19)
    method Store.load (unmarked, lines 19-19)
    class Ops (unmarked, lines 20-20)
    function run (unmarked, lines 21-21)
    ");
}

#[test]
fn haskell_classes_instances_and_equations() {
    let text = r#"
{-# LANGUAGE GADTs #-}
module Shop.Cart (Cart, total, (|>)) where

import qualified Data.Map as M

data Cart = Empty | Cart { lines :: [Line], owner :: String } deriving (Show)
newtype Money a = Money { cents :: Int }
data Expr a where
  Lit :: Int -> Expr Int
  Add :: Expr Int -> Expr Int -> Expr Int
type Prices = M.Map String Int
type family Key a :: *
class Monad m => Store m where
  load :: Key a -> m a
  load = undefined
instance Store IO where
  load _ = undefined
-- | The sum of all lines.
total :: Cart -> Int
total Empty = 0
total (Cart ls _) = go ls where go = const 1
infixl 1 |>
(|>) :: a -> (a -> b) -> b
x |> f = f x
"#;
    assert_snapshot!(tried("Cart.hs", text), @"
    === outline
    mod Shop.Cart
    type Cart
    type Money
    type Expr
    type Prices
    type Key
    class Store
      fn load
    impl Store for IO
    fn total
    fn |>
    === interface
    module Shop.Cart (Cart, total, (|>)) where
    data Cart = Empty | Cart { lines :: [Line], owner :: String } deriving (Show)
    newtype Money a = Money { cents :: Int }
    data Expr a where
      Lit :: Int -> Expr Int
      Add :: Expr Int -> Expr Int -> Expr Int
    type Prices = M.Map String Int
    type family Key a :: *
    class Monad m => Store m where
      load :: Key a -> m a
    instance Store IO where …
    -- | The sum of all lines.
    total :: Cart -> Int …
    (|>) :: a -> (a -> b) -> b …
    === items
    module Shop.Cart (unmarked, lines 3-3)
    imports (imports) (unmarked, lines 5-5)
    type Cart (public, lines 7-7)
    type Money (private, lines 8-8)
    type Expr (private, lines 9-11)
    type Prices (private, lines 12-12)
    type Key (private, lines 13-13)
    class Store (private, lines 14-16)
    method Store.load (unmarked, lines 15-15)
    impl IO (unmarked, lines 17-18)
    function total (public, lines 19-22, documented)
    function |> (public, lines 24-25)
    ");
}

#[test]
fn ocaml_functors_classes_and_operators() {
    let text = r#"
module type S = sig type t val compare : t -> t -> int end
module Make (Key : S) = struct
  type t = Key.t list
  let rec insert key = function [] -> [ key ] | x :: rest -> x :: insert key rest
  and remove _ all = all
end
module Strings = Make (String)
type _ expr = Int : int -> int expr | Pair : 'a expr * 'b expr -> ('a * 'b) expr
let ( let* ) = Option.bind
let total ?(start = 0) ~by lines = List.fold_left by start lines
exception Empty of { at : int }
external size : 'a -> int = "shop_size"
class virtual cart = object method virtual total : int end
let make (type a) (key : a) = key
"#;
    assert_snapshot!(items("cart.ml", text), @"
    interface S (unmarked, lines 2-2)
    type S.t (unmarked, lines 2-2)
    function S.compare (unmarked, lines 2-2)
    module Make (unmarked, lines 3-7)
    type Make.t (unmarked, lines 4-4)
    function Make.insert (unmarked, lines 5-5)
    function Make.remove (unmarked, lines 6-6)
    module Strings (unmarked, lines 8-8)
    type expr (unmarked, lines 9-9)
    constant ( let* ) (unmarked, lines 10-10)
    function total (unmarked, lines 11-11)
    type Empty (unmarked, lines 12-12)
    function size (unmarked, lines 13-13)
    class cart (unmarked, lines 14-14)
    method cart.total (unmarked, lines 14-14)
    function make (unmarked, lines 15-15)
    ");
}

#[test]
fn zig_containers_are_values_with_items_in_them() {
    let text = r#"
const std = @import("std");
pub const Cart = struct {
    lines: []Line = &.{},
    pub const Line = struct { price: u32 };
    pub fn total(self: Cart) u32 { return 0; }
    const Error = error{ Empty, Full };
};
pub fn List(comptime T: type) type {
    return struct { items: []T, pub fn len(self: @This()) usize { return self.items.len; } };
}
export fn add(a: c_int, b: c_int) callconv(.C) c_int { return a + b; }
extern "c" fn puts([*:0]const u8) c_int;
threadlocal var count: u32 = 0;
test "a cart is empty" {}
comptime { _ = Cart; }
usingnamespace Cart;
"#;
    assert_snapshot!(items("cart.zig", text), @"
    struct Cart (public, lines 3-8)
    field Cart.lines (unmarked, lines 4-4)
    struct Cart.Line (public, lines 5-5)
    field Cart.Line.price (unmarked, lines 5-5)
    method Cart.total (public, lines 6-6)
    enum Cart.Error (unmarked, lines 7-7)
    struct List (public, lines 9-11)
    field List.items (unmarked, lines 10-10)
    method List.len (public, lines 10-10)
    function add (public, lines 12-12)
    function puts (unmarked, lines 13-13)
    variable count (unmarked, lines 14-14)
    test a cart is empty (unmarked, lines 15-15)
    ");
}
