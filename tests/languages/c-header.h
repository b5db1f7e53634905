#ifndef RING_H
#define RING_H

/*! What users of rings include. */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RING_VERSION_MAJOR 2
#ifndef RING_API
#define RING_API __declspec(dllexport)
#endif
#define RING_QUIET

/** An opaque handle. */
typedef struct ring ring_t;

/// Called for every byte.
typedef void (*ring_each)(unsigned char byte, void *context);

/**
 * Opens a ring.
 *
 * @param capacity in bytes
 */
RING_API ring_t *ring_open(size_t capacity, int flags);
RING_PRINTF(2, 3)
int ring_printf(ring_t *ring, const char *format, ...);
extern const char *ring_version_text;
static inline int ring_is_empty(const ring_t *ring) { return ring == 0; }

#if defined(RING_STATS)
struct ring_stats { unsigned long pushed; unsigned long popped; };
#elif defined(RING_TRACE)
void ring_trace(ring_t *ring);
#endif

#ifdef __cplusplus
}
#endif

#endif /* RING_H */
