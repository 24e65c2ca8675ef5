/* What all kinds of programs assume about caches, and how far ahead they prefetch. */
#ifndef SG_PLAN_CACHES_H
#define SG_PLAN_CACHES_H

#include <stdint.h>

/* Maximum number of outputs written together before a kernel works in groups of outputs: the L1
 * cache has 8 to 12 ways, and outputs whose sizes are powers of two start in the same set
 * (MEASURED.md, Many outputs). */
#define SG_OUTPUTS_TOGETHER INT64_C(8)

/* Input size up to which input and outputs are assumed to fit the L1 cache, in bytes. */
#define SG_SMALL_BYTES INT64_C(40960)

/* Input size from which rows are copied one after the other, so that memory is read and written in
 * order (MEASURED.md, Many outputs). */
#define SG_IN_ORDER_BYTES (INT64_C(8) << 20)

/* How far ahead of its loads a vector body prefetches an input that does not fit the L1 cache.
 * Hardware prefetchers that follow single load instructions miss the stream if loads are unrolled
 * (MEASURED.md, Prefetching). */
#define SG_PREFETCH_BYTES INT64_C(1024)

/* Input size from which nothing is prefetched, in bytes: in the last-level cache prefetches cost
 * more than they gain at any distance (MEASURED.md, Prefetching). */
#define SG_PREFETCH_END (INT64_C(1) << 20)

#endif
