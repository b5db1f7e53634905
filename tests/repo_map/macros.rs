//! C and C++ with macros that no grammar can read.

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
    namespace detail (unmarked, lines 4-26)
    function detail::count (unmarked, lines 6-9)
    class detail::buffer (unmarked, lines 11-19)
    constructor detail::buffer::buffer (unmarked, lines 13-13)
    method detail::buffer::clear (unmarked, lines 14-14)
    method detail::buffer::grow (unmarked, lines 15-15)
    field detail::buffer::size_ (unmarked, lines 18-18)
    function detail::buffer::grow@2 (unmarked, lines 21-24)
    region (module)@2 (unmarked, lines 27-27)
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
fn no_item_of_c_is_named_by_a_keyword() {
    let broken = "int f(void) {\n#define X }}\n  X\n  if (a) {\n  switch (b) {\n}\n";
    for path in ["a.c", "a.cpp"] {
        let items = items(path, &broken.repeat(3));
        assert!(!items.contains(" if ") && !items.contains(" switch "), "{items}");
    }
}
