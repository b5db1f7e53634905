//! Text that no grammar can read: macros of C and C++, directives of C#, lines of other languages.
//!
//! Long: each text beside its outline.

use insta::assert_snapshot;

use crate::outlines_of_scripts::{items, tried};

#[test]
fn cpp_macros_around_declarations_hide_no_item() {
    let text = r#"
#define FMT_INLINE inline
FMT_BEGIN_NAMESPACE
namespace detail {

template <typename T, FMT_ENABLE_IF(std::is_integral<T>::value)>
FMT_CONSTEXPR20 auto count(T value) -> int {
  return value;
}

class FMT_API buffer : public base {
 public:
  really_inline buffer(int size) noexcept : size_(size) {}
  FMT_DEPRECATED("too old") void clear() FMT_NOEXCEPT { if (size_) { size_ = 0; } }
  warn_unused force_inline error_code grow(int by LIFETIME) const noexcept;
  MOCK_METHOD(void, shrink, (int));
 private:
  int size_ GUARDED_BY(lock_);
  int counts_[2][kLevels] GUARDED_BY(lock_);
};

force_inline error_code buffer::grow(int by) const noexcept {
  FMT_TRY { return by; }
  FMT_CATCH(...) {}
}

}  // namespace detail
FMT_END_NAMESPACE
"#;
    assert_snapshot!(items("a.hpp", text), @"
    macro FMT_INLINE (unmarked, lines 2-2)
    region (module) (unmarked, lines 3-3)
    namespace detail (unmarked, lines 4-27)
    function detail::count (unmarked, lines 6-9)
    class detail::buffer (unmarked, lines 11-20)
    constructor detail::buffer::buffer (unmarked, lines 13-13)
    method detail::buffer::clear (unmarked, lines 14-14)
    method detail::buffer::grow (unmarked, lines 15-15)
    field detail::buffer::size_ (private, lines 18-18)
    field detail::buffer::counts_ (private, lines 19-19)
    function detail::buffer::grow@2 (unmarked, lines 22-25)
    region (module)@2 (unmarked, lines 28-28)
    ");
}

#[test]
fn cpp_macros_behind_parameters_hide_no_body() {
    let text = "class Lock {\n public:\n  explicit Lock(Mutex* mu) EXCLUSIVE_LOCK(mu) : mu_(mu) {\n    \
                mu_->lock();\n  }\n  ~Lock() UNLOCK() { mu_->unlock(); }\n};\n\n\
                Error::~Error() API_NOEXCEPT = default;\n";
    assert_snapshot!(items("a.hpp", text), @"
    class Lock (unmarked, lines 1-7)
    constructor Lock::Lock (unmarked, lines 3-5)
    method Lock::~Lock (unmarked, lines 6-6)
    function Error::~Error (unmarked, lines 9-9)
    ");
}

#[test]
fn c_macros_around_declarations_hide_no_item() {
    let text = r#"
#ifdef __cplusplus
extern "C" {
#endif

XXH_PUBLIC_API XXH_PUREF XXH32_hash_t XXH32 (const void* input, size_t length);

ZEXTERN int ZEXPORT deflate OF((z_streamp strm, int flush));

#if WIDE
static int
scale(long value) {
#else
static int
scale(int value) {
#endif
  if (value > 9) { return 9; }
  return value;
}

static int first(
#ifdef SAFE
    int length,
#endif
    const char *text)
{
  return text[0];
}

#ifdef __cplusplus
}
#endif
"#;
    assert_snapshot!(items("a.c", text), @"
    function XXH32 (unmarked, lines 6-6)
    function deflate (unmarked, lines 8-8)
    region (module) (unmarked, lines 11-12)
    function scale (private, lines 14-19)
    function first (private, lines 21-28)
    ");
}

/// With the macro the parser takes all of the class for the function `clear`.
#[test]
fn macros_that_are_calls_belong_to_no_other_declaration() {
    let text = r"
MAKE_SORT(fast, 4)
MAKE_SORT(slow, 4)

int sort(int kind) {
  return kind;
}

static DECLARE_THREAD(run);

// The last tick.
static uint64_t last;
static ATOMIC(uint32_t) gauge;
typedef __attribute__((aligned(1))) U16 unaligned;
EXPORT(int)
add(int a) {
  return a;
}
";
    assert_snapshot!(items("a.c", text), @"
    region (module) (unmarked, lines 2-3)
    function sort (unmarked, lines 5-7)
    region (module)@2 (unmarked, lines 9-9)
    variable last (private, lines 11-12, documented)
    variable gauge (private, lines 13-13)
    type unaligned (unmarked, lines 14-14)
    function add (unmarked, lines 15-18)
    ");
}

#[test]
fn branches_within_the_head_of_a_member_hide_no_class() {
    let text = r"
class Value {
public:
  template <typename T>
  Result get(T &out)
#if CONCEPTS
    noexcept(nothrow<T>)
#else
    noexcept
#endif
  {
    return read(out);
  }
#if CONCEPTS
  template <typename F>
    requires callable<F, Value>
#else
  template <typename F>
#endif
  void each(F &&f) noexcept;
  bool is_null();
};
";
    assert_snapshot!(items("a.hpp", text), @"
    class Value (unmarked, lines 2-22)
    method Value::get (unmarked, lines 4-13)
    method Value::each (unmarked, lines 14-20)
    method Value::is_null (unmarked, lines 21-21)
    ");
}

#[test]
fn a_macro_behind_if_hides_no_class() {
    let text = r#"
template <typename Context> class store {
  template <typename T> struct need_copy {
    enum { value = !is_wrapper<T>::value };
  };

 public:
  template <typename T> void push(const T& arg) {
    if FMT_CONSTEXPR20 (need_copy<T>::value) {
      emplace(args_.push<stored_t<T>>(arg));
    } else {
      emplace(arg);
    }
  }
  void clear() {
    data_.clear();
    args_ = {};
  }
};
"#;
    assert_snapshot!(items("a.hpp", text), @"
    class store (unmarked, lines 2-19)
    struct store::need_copy (private, lines 3-5)
    enum store::need_copy::value (unmarked, lines 4-4)
    method store::push (unmarked, lines 8-14)
    method store::clear (unmarked, lines 15-18)
    ");
}

#[test]
fn a_macro_before_const_hides_no_function() {
    let text = r#"
extern LIBRARY_API void open(db_t* db);
extern LIBRARY_API const engine_info_t*
get_info(db_t* db);
HANDLE const *first(void);
VALUE const kept;
"#;
    assert_snapshot!(items("a.c", text), @"
    function open (unmarked, lines 2-2)
    function get_info (unmarked, lines 3-4)
    function first (unmarked, lines 5-5)
    variable kept (unmarked, lines 6-6)
    ");
}

#[test]
fn a_body_that_cannot_be_read_ends_where_its_brackets_say() {
    let text = "\
TEST(HashTest, Values) {
  for (int i = 0; i < int{8 * sizeof(T)}; ++i) {
    {
      unsigned in_mask = (unsigned{1} << in_bits) - 1U;
    }
  }
}
static int next(int at) { return at; }
int main(int argc, char** argv) {
}
";
    assert_snapshot!(items("a.cc", text), @"
    test TEST(HashTest, Values) (unmarked, lines 1-7)
    function next (private, lines 8-8)
    function main (unmarked, lines 9-10)
    ");
}

/// The brackets of half a block in each branch of an `#if` say nothing.
#[test]
fn a_body_without_a_certain_end_is_left_as_it_is() {
    let long = "  step();\n".repeat(500);
    let text = format!(
        "int one(int n) {{\n#if A\n  if (n) {{\n{long}#else\n  {{\n#endif\n  }}\n  x y z;\n}}\n\
         int two(int n) {{\n  return n;\n}}\n"
    );
    let items = items("a.c", &text);
    assert!(items.contains("function one") && items.contains("function two"), "{items}");
}

/// The text itself is shown, with its macros.
#[test]
fn macros_that_the_parser_does_not_see_are_shown() {
    let text =
        "namespace a {\nREALLY_INLINE error_code b::next(int n ATTR) NOTHROW {\n  go();\n}\n}\n";
    assert_snapshot!(tried("a.cpp", text), @"
    === outline
    namespace a
    fn b::next
    === interface
    namespace a {
    REALLY_INLINE error_code b::next(int n ATTR) NOTHROW { … }
    }
    === items
    namespace a (unmarked, lines 1-5)
    function a::b::next (unmarked, lines 2-4)
    ");
}

#[test]
fn a_type_in_capitals_is_no_macro() {
    let text = "typedef union VALUE VALUE;\nstruct NODE first;\nDWORD size(void) { return 4; }\n";
    let names = items("a.c", text);
    assert!(
        ["type VALUE", "variable first", "function size"].iter().all(|one| names.contains(one))
    );
}

#[test]
fn a_pointer_to_a_function_is_named_behind_its_calling_convention() {
    let text = "typedef DWORD (WINAPI *PQuery)\n\t(HANDLE, ULONG);\n\
                typedef int (__stdcall *Callback)(int code);\n";
    for path in ["a.c", "a.cpp"] {
        let names = items(path, text);
        assert!(names.contains("type PQuery") && names.contains("type Callback"), "{names}");
    }
}

#[test]
fn no_item_of_c_is_named_by_a_keyword() {
    let broken = "int f(void) {\n#define X }}\n  X\n  if (a) {\n  switch (b) {\n}\n";
    for path in ["a.c", "a.cpp"] {
        let items = items(path, &broken.repeat(3));
        assert!(!items.contains(" if ") && !items.contains(" switch "), "{items}");
    }
}

#[test]
fn directives_among_the_initialisers_of_a_constructor_hide_no_item() {
    let text = r#"
namespace env {
class Limiter {
 public:
#if SLOW
  Limiter();
#endif
  Limiter(int most)
      :
#if !defined(NDEBUG)
        most_(most),
#endif
        allowed_(most) {
    check(most >= 0);
  }
  Limiter(long most) noexcept
      : most_(most)
#if WIDE
      , allowed_(most)
#endif
  {
  }

  bool Acquire() { return allowed_ > 0; }

 private:
  int allowed_;
};
}  // namespace env
"#;
    assert_snapshot!(items("a.cc", text), @"
    namespace env (unmarked, lines 2-29)
    class env::Limiter (unmarked, lines 3-28)
    function env::Limiter::Limiter (unmarked, lines 6-6)
    constructor env::Limiter::Limiter@2 (unmarked, lines 8-15)
    constructor env::Limiter::Limiter@3 (unmarked, lines 16-22)
    method env::Limiter::Acquire (unmarked, lines 24-24)
    field env::Limiter::allowed_ (private, lines 27-27)
    ");
}

#[test]
fn directives_of_csharp_within_declarations_hide_no_item() {
    let text = r##"
namespace Logs;
public interface ILogger
{
#if DEFAULTS
    private static readonly object[] None = { };
#endif
    /// <summary>Adds what an enricher knows.</summary>
#if DEFAULTS
    [Custom]
#endif
    ILogger With(IEnricher enricher)
#if DEFAULTS
        => new Other(@"C:\").With(enricher)
#endif
    ;

    ILogger With(IEnricher[] enrichers)
#if DEFAULTS
    {
        if (enrichers == null) return this;
        return With(new Both(enrichers));
    }
#else
    ;
#endif
#if DEFAULTS
    public
#else
    internal
#endif
    void Close();
#if OLD
    void Open();
#endif
}
"##;
    assert_snapshot!(items("a.cs", text), @"
    namespace Logs (unmarked, lines 2-2)
    interface ILogger (public, lines 3-36)
    field ILogger.None (private, lines 6-6)
    method ILogger.With (unmarked, lines 8-16, documented)
    method ILogger.With@2 (unmarked, lines 18-23)
    method ILogger.Close (public, lines 27-32)
    method ILogger.Open (unmarked, lines 34-34)
    ");
}

#[test]
fn csharp_branches_that_go_on_a_statement_end_no_type() {
    let text = r#"
class Reader
{
    void Read(int kind)
    {
        switch (kind)
        {
            default:
                if (kind > 0)
                {
                    int wanted;
                    if (kind == 1)
                    {
                        wanted = 1;
                    }
#if DATES
                    else if (kind == 2)
                    {
                        wanted = 2;
                    }
#endif
                    else
                    {
                        wanted = 3;
                    }

                    if (wanted == 1)
                    {
                        return;
                    }
#if DATES
                    else
                    {
                        Close();
                    }
#endif
                }

                Close();
                break;
        }
    }

    void Close() { }
}
"#;
    assert_snapshot!(items("a.cs", text), @"
    class Reader (unmarked, lines 2-45)
    method Reader.Read (unmarked, lines 4-42)
    method Reader.Close (unmarked, lines 44-44)
    ");
}

#[test]
fn csharp_that_is_cut_keeps_the_types_around_the_cut() {
    let method = "    public void Run() { if (a) { b(); } }\n".repeat(7_000);
    let text = format!("namespace A {{\npublic class Long {{\n{method}}}\n}}\n");
    let ran = items("a.cs", &text);
    let first: Vec<&str> = ran.lines().take(3).collect();
    assert_snapshot!(first.join("\n"), @"
    namespace A (unmarked, lines 1-6242)
    class A.Long (public, lines 2-6242)
    method A.Long.Run (public, lines 3-3)
    ");
}

#[test]
fn elixir_that_is_cut_keeps_the_modules_around_the_cut() {
    let function =
        "  def run(a) do\n    if a do\n      Enum.map(a, fn b -> b end)\n    end\n  end\n";
    let doc = "  @doc \"\"\"\n  Runs if you do\n".to_owned() + &"  over lines\n".repeat(12_000);
    let module = "defmodule A.Short do\n  def stop, do: :ok\nend\n\ndefmodule A.Long do\n";
    for rest in [function.repeat(3_000), function.to_owned() + &doc] {
        let ran = items("a.ex", &format!("{module}{rest}end\n"));
        let first: Vec<&str> = ran.lines().take(4).collect();
        let names = first.iter().map(|line| line.split(", lines").next().unwrap());
        let names: Vec<&str> = names.collect();
        assert_eq!(
            names,
            [
                "module A.Short (unmarked",
                "function A.Short.stop (public",
                "module A.Long (unmarked",
                "function A.Long.run (public",
            ]
        );
    }
}

#[test]
fn kotlin_constructors_below_their_class_and_annotated_accessors_are_read() {
    let text = r#"
actual open class Text<T>
// Trusted: does not copy.
internal actual constructor(
  internal actual val data: ByteArray,
) : Comparable<Text> {
  actual val size
    @JvmName("size")
    get() = data.size

  fun first() = data[0]
}

class Plain

fun constructorOf(text: Text) = 1

class Repo
@Inject internal constructor(val text: Text) {
  fun load() = text
}

class Server<
  E : Engine<E>,
  O : Options
  >
@Published
actual constructor(options: O) {
  fun start() = 1
}
"#;
    assert_snapshot!(items("a.kt", text), @"
    class Text (unmarked, lines 2-12)
    field Text.size (unmarked, lines 7-9)
    method Text.first (unmarked, lines 11-11)
    class Plain (unmarked, lines 14-14)
    function constructorOf (unmarked, lines 16-16)
    class Repo (unmarked, lines 18-21)
    method Repo.load (unmarked, lines 20-20)
    class Server (unmarked, lines 23-30)
    method Server.start (unmarked, lines 29-29)
    ");
}

#[test]
fn kotlin_that_cannot_be_read_in_a_function_costs_no_other() {
    let text = r#"
internal fun Application.serve() {
  route("/sse") {
    sse("/hello") {
      call.respond(
        flow {
        }
      )
    }
    var count = 0
    get("stream") {
      try {
        count += 1
      }
    }
  }
}

private suspend fun Call.answer(events: Flow<Event>) = write {
  if (event.id != null) {
    for (line in event.lines()) {
    }
  }
}

private data class Event(val id: Int)
"#;
    assert_snapshot!(items("a.kt", text), @"
    function Application.serve (private, lines 2-17)
    function Call.answer (private, lines 19-24)
    class Event (private, lines 26-26)
    ");
}

#[test]
fn kotlin_guards_and_strings_with_several_dollars_hide_no_item() {
    let text = r#"
class Shelf(val books: List<Book>) {
  @Value($$"${shelf.name} for $1 of $${owner}")
  lateinit var name: String

  fun size(of: Any): Int = when (val one = of) {
    is String if one.length > 2 && (one != "->") -> if (one == "a") 1 else 2
    is Book if one.isLong -> one.size { it -> it.pages }
    !is Int if one in listOf(1) ||
        one == 2 -> {
      when { books.any { it -> it == one } -> return 3 }
    }
    else if one > 3 -> 4
    else ->
      if (one == 5) 5 else 6
  }

  fun last() = books.last()
}

fun top() = $$"""{ "$id": 1 }"""
"#;
    assert_snapshot!(items("a.kt", text), @"
    class Shelf (unmarked, lines 2-19)
    field Shelf.name (unmarked, lines 3-4)
    method Shelf.size (unmarked, lines 6-16)
    method Shelf.last (unmarked, lines 18-18)
    function top (unmarked, lines 21-21)
    ");
}

#[test]
fn kotlin_modifiers_of_platforms_context_parameters_and_calls_of_get_are_read() {
    let text = r#"
@OptIn(X::class)
actual class Crc {
  actual fun update() {}
}

@Foo("x")
annotation class Mark

@A @B
public actual class Both

context(log: Log)
fun shout(x: Int): Int {
  return 1
}

class Bytes {
  fun copy() {
    val copy = make()
    get(copy)
  }
  val size: Int
    get() = 1
  fun make() {}
}
"#;
    assert_snapshot!(items("a.kt", text), @"
    class Crc (unmarked, lines 2-5)
    method Crc.update (unmarked, lines 4-4)
    class Mark (unmarked, lines 7-8)
    class Both (public, lines 10-11)
    function shout (unmarked, lines 13-16)
    class Bytes (unmarked, lines 18-26)
    method Bytes.copy (unmarked, lines 19-22)
    field Bytes.size (unmarked, lines 23-24)
    method Bytes.make (unmarked, lines 25-25)
    ");
}

#[test]
fn plain_kotlin_types_with_several_annotations_are_read() {
    let text = r#"
@RestController
@RequestMapping("/shop", produces = [JSON])
@SpringBootApplication
class Shop {
  @GetMapping
  fun open() = true
}

@A @b.C
internal interface Desk {
  fun take()
}

@A
@B(value = [Shop::class])
private class Plain

internal suspend fun main(args: Array<String>) {
  run<Shop>(*args)
}
"#;
    assert_snapshot!(items("a.kt", text), @"
    class Shop (unmarked, lines 2-8)
    method Shop.open (unmarked, lines 6-7)
    interface Desk (private, lines 10-13)
    method Desk.take (unmarked, lines 12-12)
    class Plain (private, lines 15-17)
    function main (private, lines 19-21)
    ");
}

#[test]
fn kotlin_names_that_are_also_keywords_hide_no_item() {
    let text = r#"
class Shop(private val open: Boolean, var where: Op?) {
  var size: Int = 0
    private set
  var id = rows.insert { it.name = "a" } get Rows.id
    get() = field + 1
  fun find() {
    each(this) { (a, b) -> add(a, b) }

    where?.let { add(it) }
    val id = rows get Rows.id
    open.use { }
    internal = 1
    open()
    close()
    in2.close()
  }
  fun open(): Int = 3
  fun last() = 1
}

fun top() = 1
"#;
    assert_snapshot!(items("a.kt", text), @"
    class Shop (unmarked, lines 2-20)
    field Shop.size (unmarked, lines 3-4)
    field Shop.id (unmarked, lines 5-6)
    method Shop.find (unmarked, lines 7-17)
    method Shop.open (unmarked, lines 18-18)
    method Shop.last (unmarked, lines 19-19)
    function top (unmarked, lines 22-22)
    ");
}

#[test]
fn conditionals_within_a_switch_of_swift_hide_no_type() {
    let text = r#"
@_silgen_name("CGSMainConnectionID")
func CGSMainConnectionID() -> Int

@_silgen_name("CGSCopySpaces")
func CGSCopySpaces(
    _ id: Int
) -> Array?

final class Channel: Base<Socket>, @unchecked Sendable {
    override func option(_ option: Option) throws -> Value {
        switch option {
        case _ as Local:
            #if os(Windows) || os(OpenBSD)
            fallthrough
            #else
            return try self.local() as! Value
            #endif
        default:
            return 1
        }
    }
    func close() {}
}

final class Datagram: Base<Socket> {
    func send() {}
}
"#;
    assert_snapshot!(items("a.swift", text), @"
    class Channel (unmarked, lines 10-24)
    method Channel.option (unmarked, lines 11-22)
    method Channel.close (unmarked, lines 23-23)
    class Datagram (unmarked, lines 26-28)
    method Datagram.send (unmarked, lines 27-27)
    ");
}

#[test]
fn ruby_that_looks_like_a_here_document_is_read() {
    let text = r##"
module Rack
  class Lint
    def check(io)
      raise Error, "it must respond to #<<"
      MANY LINES
    end

    def each
      io <<"head
tail"
      text = <<~"END OF TEXT"
        def inside; end
      END OF TEXT
    end
  end
end
"##;
    let text = text.replace("MANY LINES", &"# a comment of many words\n".repeat(20));
    assert_snapshot!(items("a.rb", &text), @"
    module Rack (unmarked, lines 2-37)
    class Rack.Lint (unmarked, lines 3-36)
    method Rack.Lint.check (unmarked, lines 4-27)
    method Rack.Lint.each (unmarked, lines 29-35)
    ");
}

#[test]
fn conditionals_of_automake_are_no_variables() {
    let text = "if ENABLE_STATIC\nFLAGS = -static\nelse !ENABLE_STATIC\nFLAGS =\nendif\n\
                jq.1: jq.in\n\tif X; then make; fi\n";
    assert_snapshot!(items("Makefile.am", text), @"
    variable FLAGS (unmarked, lines 2-2)
    variable FLAGS@2 (unmarked, lines 4-4)
    target jq.1 (unmarked, lines 6-7)
    ");
}

#[test]
fn kotlin_types_with_bodies_on_one_line_are_read() {
    let text = r#"
class A(val x: Int) { fun a() {} }

class B(val x: Int) { fun b() {} }
interface C { val y: Int }
object D { init {} }
sealed interface S { class One : S { val z = 1 }
  class Two : S { fun two() = B(1) } }
enum class E { F, G }
val kind = A::class
fun make() = object : C { override val y = 1 }
fun last() {}
"#;
    assert_snapshot!(items("a.kt", text), @"
    class A (unmarked, lines 2-2)
    method A.a (unmarked, lines 2-2)
    class B (unmarked, lines 4-4)
    method B.b (unmarked, lines 4-4)
    interface C (unmarked, lines 5-5)
    field C.y (unmarked, lines 5-5)
    object D (unmarked, lines 6-6)
    interface S (unmarked, lines 7-8)
    class S.One (unmarked, lines 7-7)
    field S.One.z (unmarked, lines 7-7)
    class S.Two (unmarked, lines 8-8)
    method S.Two.two (unmarked, lines 8-8)
    enum E (unmarked, lines 9-9)
    variant E.F (unmarked, lines 9-9)
    variant E.G (unmarked, lines 9-9)
    property kind (unmarked, lines 10-10)
    function make (unmarked, lines 11-11)
    function last (unmarked, lines 12-12)
    ");
}

#[test]
fn a_statement_of_swift_that_is_a_tuple_hides_no_type() {
    let text = r#"
extension Files {
    func copy() {
        stream { folder in
            do {
                try make()
            } catch let error as Failure where error.code == .unsupported {
                // Nothing to do.
                ()
            }
            continuation.append(.end)
        }
    }
    func remove() {}
}
"#;
    assert_snapshot!(items("a.swift", text), @"
    impl Files (unmarked, lines 2-15)
    method Files.copy (unmarked, lines 3-13)
    method Files.remove (unmarked, lines 14-14)
    ");
}

#[test]
fn c_structs_of_macros_alone_are_read() {
    let text = "struct Bits {\n  BIT(close); /* close it */\n  BIT(reuse);\n};\n\
                struct More {\n  BIT(one);\n  int two;\n};\nint f(void);\n";
    assert_snapshot!(items("a.c", text), @"
    struct Bits (unmarked, lines 1-4)
    struct More (unmarked, lines 5-8)
    function f (unmarked, lines 9-9)
    ");
}

#[test]
fn cpp_attributes_with_alignments_and_modules_are_read() {
    let text = r#"
module;
#include <vector>
export module shop.cart;
import std;
import :parts;
export import <vector>;

struct [[nodiscard]] alignas(16) Quad { int a; };

/// A cart.
export struct Cart { int n; };
export template <typename T> class List {};
export namespace inner { int f(); }
export {
class Last {};
}
export int total();
int import_all(int module);
"#;
    assert_snapshot!(items("a.cppm", text), @"
    region (module) (unmarked, lines 2-7)
    struct Quad (unmarked, lines 9-9)
    field Quad::a (unmarked, lines 9-9)
    struct Cart (unmarked, lines 11-12, documented)
    field Cart::n (unmarked, lines 12-12)
    class List (unmarked, lines 13-13)
    namespace inner (unmarked, lines 14-14)
    function inner::f (unmarked, lines 14-14)
    region (module)@2 (unmarked, lines 15-15)
    class Last (unmarked, lines 16-16)
    function total (unmarked, lines 18-18)
    function import_all (unmarked, lines 19-19)
    ");
}

#[test]
fn csharp_extension_blocks_and_assigning_operators_are_read() {
    let text = r#"
public static class Extensions {
  public static int Old(this string s) => 1;
  extension(string text) {
    public bool IsBlank => text == "";
    public int Twice() => 2;
  }
  extension<T>(IEnumerable<T> source) where T : class {
    public T First2() { return source.First(); }
  }
}
public class Sum {
  public void operator +=(int x) { y += x; }
  public void operator <<=(int x) { y <<= x; }
  public static bool operator ==(Sum a, Sum b) => true;
  public static bool operator <=(Sum a, Sum b) => true;
  public static Sum operator +(Sum a, Sum b) => a;
  public void extension(string s) { }
}
"#;
    assert_snapshot!(items("a.cs", text), @"
    class Extensions (public, lines 2-11)
    method Extensions.Old (public, lines 3-3)
    impl Extensions.string text (unmarked, lines 4-7)
    property Extensions.string text.IsBlank (public, lines 5-5)
    method Extensions.string text.Twice (public, lines 6-6)
    impl Extensions.IEnumerable<T> source (unmarked, lines 8-10)
    method Extensions.IEnumerable<T> source.First2 (public, lines 9-9)
    class Sum (public, lines 12-19)
    method Sum.operator += (unmarked, lines 13-13)
    method Sum.operator <<= (unmarked, lines 14-14)
    method Sum.operator == (unmarked, lines 15-15)
    method Sum.operator <= (unmarked, lines 16-16)
    method Sum.operator + (unmarked, lines 17-17)
    method Sum.extension (public, lines 18-18)
    ");
}

#[test]
fn comments_within_a_macro_of_several_lines_hide_no_item() {
    let text = r#"
#define CHECK_X(cond)  \
  log(cond);  /* no "lint \
    here */ \
  if (cond)

bool Foo(int a) {
  bool local = false;
  return a;
}
#define REPORT(cond) /* short */ \
  report("//", cond)
#define LAST 3 /* of all */
int after() { return 1; }
"#;
    assert_snapshot!(items("a.cc", text), @"
    macro CHECK_X (unmarked, lines 2-5)
    function Foo (unmarked, lines 7-10)
    macro REPORT (unmarked, lines 11-12)
    macro LAST (unmarked, lines 13-13)
    function after (unmarked, lines 14-14)
    ");
}
