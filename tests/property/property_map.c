/* Properties of plans for maps that no split has: concats, padded rows, gaps between parts; over
 * bytes and over bits. A simulator compares every plan with a naive copy and must find it right,
 * and the verifier must refuse every plan that the simulator finds wrong. The runner's split
 * cases are not used: a map is made from the seed. */
#include <inttypes.h>
#include <stdio.h>

#include "base/diag.h"
#include "mutate.h"
#include "mutate_bits.h"
#include "plan/plan.h"
#include "plan/verify/verify.h"
#include "runner.h"
#include "simulate.h"
#include "simulate_bits.h"

#define PARTS_MAX 40

/* Approximate bytes of a full tensor, small enough for a fast naive copy of thousands. */
#define WHOLE_BYTES 20000

typedef struct random_map {
    sg_map map;
    sg_map_part parts[PARTS_MAX];
} random_map;

/* By instruction set: versions that were found right for concats and for maps with strides. */
static int64_t bodies[2][SG_ISA_COUNT];

/* `narrow`: the maximum of elements; 0: some are wide. */
static int64_t random_width(rng *r, int64_t narrow)
{
    static const int64_t wide[] = {16, 24, 64, 100, 256, 700};
    return narrow > 0         ? rng_in(r, 1, narrow)
           : rng_one_in(r, 2) ? rng_in(r, 1, 8)
                              : RNG_PICK(r, wide);
}

/* Half of the maps have no padding, so that vector code copies several rows together. */
static void make_map(rng *r, bool joins, random_map *to)
{
    static const int64_t sizes[] = {1, 2, 4, 8};
    static const int64_t bits[] = {1, 2, 3, 4, 6};
    static const int64_t parts[] = {1, 2, 2, 3, 3, 4, 5, 8, 20, PARTS_MAX};
    static const int64_t rows[] = {1, 2, 7, 16, 64, 100, 257, 1000};
    sg_map *map = &to->map;
    const bool apart = !joins || rng_one_in(r, 2);
    static const int64_t most_elements[] = {0, 0, 0, 8, 8, 3, 1};
    const int64_t narrow = RNG_PICK(r, most_elements);
    *map = (sg_map){.joins = joins, .unit_bits = rng_one_in(r, 3) ? 1 : 8, .parts = to->parts};
    map->element = map->unit_bits == 1 ? RNG_PICK(r, bits) : RNG_PICK(r, sizes);
    map->nparts = RNG_PICK(r, parts);
    for (int64_t p = 0; p < map->nparts; p++) {
        const int64_t gap = apart && rng_one_in(r, 3) ? rng_in(r, 1, 9) : 0;
        const int64_t between = apart && rng_one_in(r, 2) ? rng_in(r, 1, 9) : 0;
        const int64_t width = random_width(r, narrow);
        to->parts[p] = (sg_map_part){.offset = (map->row_stride + gap) * map->element,
                                     .width = width * map->element,
                                     .row_stride = (width + between) * map->element,
                                     .tensor = p};
        map->row_stride += gap + width;
    }
    const int64_t after = apart && rng_one_in(r, 3) ? rng_in(r, 1, 9) : 0;
    map->row_stride = (map->row_stride + after) * map->element;
    map->gap = rng_one_in(r, 2) ? after * map->element : 0; /* or an unwanted part */
    const int64_t most = WHOLE_BYTES * 8 / (map->row_stride * map->unit_bits);
    map->rows = RNG_PICK(r, rows);
    map->rows = map->rows > most ? most > 1 ? most : 1 : map->rows;
}

static void print_map(const sg_map *map, sg_buf *out)
{
    sg_buf_printf(
        out, "%s of %s, element %" PRId64 " rows %" PRId64 " stride %" PRId64 " gap %" PRId64 "\n",
        map->joins ? "join" : "split", map->unit_bits == 1 ? "bits" : "bytes", map->element,
        map->rows, map->row_stride, map->gap);
    for (int64_t p = 0; p < map->nparts; p++) {
        sg_buf_printf(out, "  part at %" PRId64 " width %" PRId64, map->parts[p].offset,
                      map->parts[p].width);
        sg_buf_printf(out, " stride %" PRId64 "\n", map->parts[p].row_stride);
    }
}

/* NULL if there is no plan to check, because the requested straight-line code is too long; *ok:
 * no other failure. */
static const sg_plan *plan_of(const sg_map *map, rng *r, sg_arena *arena, sg_buf *why, bool *ok)
{
    const uint32_t all = (UINT32_C(1) << SG_ISA_COUNT) - 1;
    const sg_plan_options options = {
        .unroll = rng_one_in(r, 2) ? SG_UNROLL_AUTO
                                   : (sg_unroll)rng_in(r, SG_UNROLL_AUTO, SG_UNROLL_NONE),
        .isas = rng_one_in(r, 4) ? (uint32_t)rng_in(r, 0, all) : all,
        .tune = (sg_uarch)rng_in(r, SG_UARCH_GENERIC, SG_UARCH_COUNT - 1),
        .nt = (sg_nt_option)rng_in(r, SG_NT_OPTION_AUTO, SG_NT_OPTION_ALWAYS),
        .optimize = rng_one_in(r, 5) ? SG_OPTIMIZE_SIZE : SG_OPTIMIZE_SPEED,
        .no_memcpy = rng_one_in(r, 5),
    };
    sg_diag diag;
    sg_diag_init(&diag, arena);
    const sg_plan *plan = sg_plan_build_map(arena, &diag, map, &options);
    const bool too_long = sg_diag_exit(&diag) == SG_EXIT_BUDGET && options.unroll == SG_UNROLL_FULL;
    *ok = plan != NULL || too_long;
    if (!*ok) {
        print_map(map, why);
        property_fails(why, "no plan: %s", diag.last != NULL ? diag.last->message : "");
    }
    return plan;
}

static bool simulate(sg_arena *arena, const sg_plan *plan, const sg_map *map, sg_buf *why)
{
    return plan->bits != NULL ? simulate_bits(arena, plan, map, why)
                              : simulate_map(arena, plan, map, why);
}

static bool map_holds(bool joins, uint64_t seed, sg_buf *why)
{
    rng r = {seed ^ UINT64_C(0x6d6170)};
    sg_arena arena;
    sg_arena_init(&arena);
    random_map m;
    make_map(&r, joins, &m);
    bool ok = true;
    const sg_plan *plan = plan_of(&m.map, &r, &arena, why, &ok);
    if (plan != NULL && !simulate(&arena, plan, &m.map, why)) {
        print_map(&m.map, why);
        ok = false;
    }
    for (int64_t v = 0; plan != NULL && v < plan->nbodies; v++) {
        bodies[joins][plan->bodies[v].isa->isa]++;
    }
    sg_arena_free(&arena);
    return ok;
}

static bool mutants_hold(bool joins, uint64_t seed, sg_buf *why)
{
    rng r = {seed ^ UINT64_C(0x6d6170)};
    sg_arena arena;
    sg_arena_init(&arena);
    random_map m;
    make_map(&r, joins, &m);
    bool ok = true;
    const sg_plan *plan = plan_of(&m.map, &r, &arena, why, &ok);
    for (int i = 0; plan != NULL && ok && i < 12; i++) {
        const char *what = NULL;
        const sg_plan *mutant = plan->bits != NULL ? mutate_bits(&arena, &r, plan, &what)
                                                   : mutate_plan(&arena, &r, plan, &what);
        sg_buf flaw = {0};
        if (!simulate(&arena, mutant, &m.map, &flaw) &&
            sg_verify_map(&arena, mutant, &m.map) == NULL) {
            print_map(&m.map, why);
            ok = property_fails(why, "not caught: %s\n%s", what, flaw.ptr);
        }
        sg_buf_free(&flaw);
    }
    sg_arena_free(&arena);
    return ok;
}

static bool joins_hold(const split_case *c, uint64_t seed, sg_buf *why)
{
    (void)c;
    return map_holds(true, seed, why);
}

static bool strides_hold(const split_case *c, uint64_t seed, sg_buf *why)
{
    (void)c;
    return map_holds(false, seed, why);
}

static bool wrong_joins_hold(const split_case *c, uint64_t seed, sg_buf *why)
{
    (void)c;
    return mutants_hold(true, seed, why);
}

static bool wrong_strides_hold(const split_case *c, uint64_t seed, sg_buf *why)
{
    (void)c;
    return mutants_hold(false, seed, why);
}

int main(void)
{
    static const property properties[] = {
        {"joins do what a naive copy does", case_generate_narrow, joins_hold, 2000},
        {"splits with strides do what a naive copy does", case_generate_narrow, strides_hold, 2000},
        {"wrong joins do not verify", case_generate_narrow, wrong_joins_hold, 2000},
        {"wrong splits with strides do not verify", case_generate_narrow, wrong_strides_hold, 2000},
    };
    const int code = property_main(properties, 4);
    return code != 0 || every_isa_ran(bodies) ? code : 1;
}
