/* What programs of every kind take caches to be, and how they ask for memory. */
#ifndef SG_PLAN_CACHES_H
#define SG_PLAN_CACHES_H

#include <stdint.h>

/* Outputs written side by side before a kernel works in groups: the first-level cache has 8 to 12
 * ways, and outputs of a power of two bytes start in the same set (MEASURED.md, Many outputs). */
#define SG_STREAMS_MAX INT64_C(8)

/* Input bytes up to which input and outputs are taken to be in the first-level cache. */
#define SG_SMALL_BYTES INT64_C(40960)

/* Bytes ahead of its loads that a vector body asks for the input when it does not fit the
 * first-level cache: unrolled loads hide the stream from prefetchers that follow single
 * instructions (MEASURED.md, Prefetching). */
#define SG_PREFETCH_BYTES INT64_C(1024)

/* Input bytes from which nothing is asked for: in the last-level cache asking costs whatever the
 * distance (MEASURED.md, Prefetching). */
#define SG_PREFETCH_END (INT64_C(1) << 20)

#endif
