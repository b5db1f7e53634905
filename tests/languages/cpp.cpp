// Part of the fixtures; in the public domain.

/**
 * @file
 * Shapes, boxes and what holds them.
 */
#include <vector>
#ifndef SHAPES_HPP
#define SHAPES_HPP

#define SHAPES_VERSION 3
#define SHAPES_CHECK(condition, message) \
  do { if (!(condition)) fail(message); } while (0)

namespace shapes::core {

using std::vector;
template <typename T> using List = std::vector<T, std::allocator<T>>;
typedef void (*Callback)(int code, void *data);

/// What can be hashed.
template <typename T>
concept Hashable = requires(T a) {
  { std::hash<T>{}(a) } -> std::convertible_to<std::size_t>;
};

enum class Color : unsigned char { red, green = 4, blue };

// Two numbers.
struct Point {
  double x = 0; ///< across
  double y = 0;
  enum { dimensions = 2 };
};

/**
 * Holds things of one kind.
 */
template <typename T, int Capacity = 16>
  requires Hashable<T>
class Box final : public Base<T>, private Hidden {
public:
  using value_type = T;
  static constexpr int kLimit = 10;

  /// Opens an empty box.
  explicit Box(int size) noexcept : size_(size), items_{} { items_.reserve(size); }
  Box(const Box &) = delete;
  virtual ~Box();
  Box &operator=(Box &&other) noexcept;
  [[nodiscard]] virtual auto weigh(const std::vector<T> &extra,
                                   double factor = 1.0) const
      -> double = 0;
  explicit operator bool() const { return size_ > 0; }
  bool operator==(const Box &) const = default;
  template <class U>
  void add(U &&item) { int local = 1; items_.push_back(item); }
  friend std::ostream &operator<<(std::ostream &out, const Box &box);
  class Iterator {
    T *at_ = nullptr;
  public:
    T &operator*() const;
  };

private:
  void (*on_change_)(int) = nullptr;
  std::vector<T> items_;
  int size_ : 8, spare_ = 2;
};

class SHAPES_EXPORT Exported : public Point {
public:
  Exported(int);
  int count;
  void grow();
};

template <typename T, int C>
Box<T, C> &Box<T, C>::operator=(Box &&other) noexcept { return *this; }
Exported::Exported(int count) : count(count) {}
const int Exported::limit = 7;

namespace {
static int counter = 0;
static const char *const names[] = {
    "a name that is long enough", "and another name", "to be left out at level interface",
};
} // namespace

constexpr auto twice = [](int value) {
  int result = value * 2;
  return result;
};
template <> struct hasher<Point> { std::size_t operator()(const Point &p) const { return 0; } };
extern "C" int shapes_c(void);
void shapes_log(const char *format, ...) SHAPES_PRINTF(1, 2);
static inline const std::vector<Point> &points(int kind) { return all[kind]; }

} // namespace shapes::core

TEST(Box, holds) { int box = 1; }
TEST_CASE("boxes weigh something") { int box = 2; }

#endif

class Broken {
  int survives;
  void half(int a, { 
