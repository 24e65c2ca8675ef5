/* What all kinds of programs assume of caches, and how far ahead they prefetch. */
#ifndef SG_PLAN_CACHES_H
#define SG_PLAN_CACHES_H

#include <stdint.h>

/* Outputs written side by side before a kernel works in groups: the first-level cache has 8 to 12
 * ways, and outputs of a power of two bytes start in the same set (MEASURED.md, Many outputs). */
#define SG_OUTPUTS_TOGETHER INT64_C(8)

/* Input bytes up to which input and outputs are taken to be in the first-level cache. */
#define SG_SMALL_BYTES INT64_C(40960)

/* How far ahead of its loads a vector body prefetches an input that does not fit the first-level
 * cache. Hardware prefetchers that follow single load instructions do not see the stream when loads
 * are unrolled (MEASURED.md, Prefetching). */
#define SG_PREFETCH_BYTES INT64_C(1024)

/* Input bytes from which nothing is prefetched: in the last-level cache prefetches cost more than
 * they gain, however far ahead (MEASURED.md, Prefetching). */
#define SG_PREFETCH_END (INT64_C(1) << 20)

#endif
