/* Runs one property over many random cases; a failure is shrunk and printed with its seed.
 *
 * SPLITGEN_SEED is the seed of the first run (1 by default; run i uses seed + i), SPLITGEN_RUNS the
 * number of runs. */
#ifndef PROPERTY_RUNNER_H
#define PROPERTY_RUNNER_H

#include <stdint.h>

#include "base/text.h"
#include "plan/machine/machine.h"
#include "random.h"
#include "split_case.h"

typedef struct property {
    const char *name;
    void (*generate)(rng *r, split_case *out);
    /* Returns false, with the reason in why, if the property does not hold. Random choices come
     * from the seed alone, so that the shrunk case sees those of the original. */
    bool (*holds)(const split_case *c, uint64_t seed, sg_buf *why);
    int64_t runs; /* default of SPLITGEN_RUNS */
} property;

/* Exit code of the test program: 0 if every property held in every run. */
int property_main(const property *properties, int count);

/* Whether every instruction set has bodies, by direction, unless few runs were requested; prints
 * those that have none. */
bool every_isa_ran(int64_t bodies[2][SG_ISA_COUNT]);

/* Appends a line to why and returns false. */
bool property_fails(sg_buf *why, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
