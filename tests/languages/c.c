/* Released into the public domain. */

/**
 * @file
 * Ring buffers of bytes, and what the tests of the outline need.
 */
#include <stddef.h>
#include <stdint.h>

#define _GNU_SOURCE
/* How many bytes a ring holds when nobody says. */
#define RING_DEFAULT 4096
#define RING_MAGIC \
  "a very long value that goes on and on and on, and then goes on a little longer, until no reader wants it"
#define RING_CLAMP(value, low, high) \
  ((value) < (low) ? (low) : (value) > (high) ? (high) : (value))
#define RING_SWAP(a, b) do { \
    /* a comment in a macro breaks its parser */ \
    int swap_temporary = (a); (a) = (b); (b) = swap_temporary; \
  } while (0)

/* A position in the buffer;
   wraps around. */
typedef uint32_t ring_index;
typedef int (*ring_visitor)(const uint8_t *bytes, size_t count, void *context);

typedef struct ring {
  uint8_t *bytes; /* owned */
  ring_index head, tail;
#define RING_FULL 1
  unsigned flags : 3;
} ring_t, *ring_ref;

enum ring_state { RING_OPEN, RING_CLOSED = 4 };
enum { RING_NO_ERROR, RING_OVERFLOW };
union word { uint32_t whole; uint8_t parts[4]; };
struct PACKED header {
  uint16_t length;
  uint16_t checksum;
};

static const char *const state_names[] = { "open", "closed" };
static const uint8_t crc_table[] = {
  0x00, 0x07, 0x0e, 0x09,
  0x1c, 0x1b, 0x12, 0x15,
};
int ring_count, *ring_counts = 0;
extern int (*ring_allocator)(size_t);

int ring_push(ring_t *ring,
              const uint8_t *bytes, /* copied */
              size_t count);

/* Takes bytes out of the ring.
 * Returns how many. */
size_t
ring_pop(ring_t *ring, uint8_t *into, size_t room)
{
  size_t taken = 0;
  int (*unused)(void) = 0;
  return taken + (size_t)unused;
}

// Only for this file.
static inline const uint8_t **ring_rows(ring_t *ring) { return 0; }

__attribute__((noreturn)) void ring_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
RING_API ring_t *ring_open(size_t capacity) { return 0; }
void ring_log(const char *format, ...) PRINTF_LIKE(1, 2);
int (*ring_chooser(int kind))(int) { return 0; }

/* In the old style. */
int old_style(a, b)
  int a;
  char *b;
{
  return a;
}

#ifdef _WIN32
/* Only there. */
int ring_windows(void) { return 1; }
#else
int ring_elsewhere(void) { return 0; }
#endif

/* Two macros in a row. */
FORCE_INLINE_TEMPLATE
ALLOW_POINTER_OVERFLOW_ATTR
size_t ring_best_match(
    ring_t *ring, match_store *store, u32 repeated[REPEATED],
    const u32 least /* template */)
{
  return least;
}
ring_t *ring_shared;
ring_handle ring_default;

TEST(ring, pushes) {
  int local = 1;
}

int ring_broken(int a, {
  int lost =
