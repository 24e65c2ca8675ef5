/* Every legal op has a plan, and the planner makes no mistake on the way: nothing that it makes is
 * refused by the proof. Ops are drawn where unwanted parts meet padding: unwanted parts at any
 * place and of any length, padded rows and parts, elements at a stride, pitches, open dimensions
 * and packed elements, in both directions. Each op is drawn as notation, so that a failure can be
 * repeated by `splitgen -e`. The runner's split cases are not used. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "frontend/notation/notation.h"
#include "plan/bits/bit_program.h"
#include "plan/plan.h"
#include "runner.h"
#include "split/resolve.h"

#define PARTS_MAX 40

/* By direction and instruction set: bodies of all plans. */
static int64_t bodies[2][SG_ISA_COUNT];

/* Ops that were drawn, and those of them that are legal. */
static int64_t drawn;
static int64_t legal;

typedef struct random_parts {
    int64_t count;
    int64_t lengths[PARTS_MAX];
    bool wanted[PARTS_MAX];
} random_parts;

/* The lengths that vectors are made of, and their neighbours. */
static int64_t random_length(rng *r, int64_t narrow)
{
    static const int64_t round[] = {8, 16, 24, 32, 48, 64, 96, 128};
    return narrow > 0         ? rng_in(r, 1, narrow)
           : rng_one_in(r, 3) ? rng_in(r, 1, 12)
           : rng_one_in(r, 8) ? rng_in(r, 1, 700)
                              : RNG_PICK(r, round) + (rng_one_in(r, 4) ? rng_in(r, -1, 1) : 0);
}

/* Lengths are multiples of `grain`, except that an unwanted part at the end may be shorter: vectors
 * then move elements of that size. Returns their sum. */
static int64_t make_parts(rng *r, int64_t grain, random_parts *to)
{
    static const int64_t counts[] = {1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 9, PARTS_MAX};
    static const int64_t most_elements[] = {0, 0, 0, 1, 4, 16};
    const int64_t narrow = RNG_PICK(r, most_elements);
    const int rarely = (int)rng_in(r, 2, 4);
    const int64_t most = rng_in(r, 1, 6);
    int64_t sum = 0;
    to->count = RNG_PICK(r, counts);
    for (int64_t p = 0; p < to->count; p++) {
        to->lengths[p] = grain == 1 ? random_length(r, narrow) : grain * rng_in(r, 1, most);
        to->wanted[p] = !rng_one_in(r, rarely);
        sum += to->lengths[p];
    }
    to->wanted[rng_in(r, 0, to->count - 1)] = true;
    if (!to->wanted[to->count - 1]) {
        const int64_t less = rng_in(r, 0, grain - 1);
        to->lengths[to->count - 1] -= less;
        sum -= less;
    }
    return sum;
}

static int64_t random_padding(rng *r)
{
    return rng_one_in(r, 3) ? rng_in(r, 1, 70) : rng_in(r, 1, 3);
}

/* A dimension that is a number, or one in `often` times a parameter of the kernel. */
static void add_dim(rng *r, sg_buf *out, const char *name, int64_t value, int often)
{
    if (rng_one_in(r, often)) {
        sg_buf_printf(out, "%s=%" PRId64 "?", name, value);
    } else {
        sg_buf_printf(out, "%" PRId64, value);
    }
}

static void make_op(rng *r, bool joins, sg_buf *out)
{
    static const char *const types[] = {"u8",   "u8",  "u8", "u8",  "u8",  "u16",   "f16", "f32",
                                        "f32",  "f64", "u4", "u4",  "u2",  "u1",    "u3",  "i4",
                                        "c128", "i8",  "u6", "f64", "c64", "string"};
    static const int64_t heights[] = {1, 1, 1, 2, 3, 40};
    static const int64_t widths[] = {1, 5, 16, 64, 100, 200, 200, 257, 640, 640, 1000};
    static const int64_t grains[] = {1, 1, 1, 2, 4, 8, 8, 8, 16};
    random_parts parts;
    const int64_t grain = RNG_PICK(r, grains);
    const int64_t axis = make_parts(r, grain, &parts);
    const int64_t height = RNG_PICK(r, heights);
    const int64_t width = RNG_PICK(r, widths);
    const int64_t inner = rng_one_in(r, 6) ? rng_in(r, 1, 9) : 1;
    const bool is_padded = rng_one_in(r, 2);
    const bool has_pitch = rng_one_in(r, 4);
    const bool pads_parts = rng_one_in(r, 8);
    const int open = rng_one_in(r, 5) ? 2 : 1000;
    int64_t stride = axis * inner;
    sg_buf_printf(out, "k: %s[", RNG_PICK(r, types));
    add_dim(r, out, "n", height, open);
    if (is_padded) {
        stride += grain == 1 ? random_padding(r) : 1;
        stride += (grain - stride % grain) % grain;
    }
    if (has_pitch) {
        sg_buf_printf(out, "/%" PRId64,
                      width * stride + (rng_one_in(r, 3) ? 0 : rng_in(r, 1, 200)));
    }
    sg_buf_addc(out, ',');
    add_dim(r, out, "m", width, open);
    if (is_padded && has_pitch) {
        sg_buf_printf(out, "/%" PRId64, stride);
    }
    sg_buf_printf(out, ",%" PRId64, axis);
    if (inner > 1 || open == 2) {
        sg_buf_addc(out, ',');
        add_dim(r, out, "t", inner, 2 * open);
    }
    sg_buf_addc(out, ']');
    if (is_padded && !has_pitch) {
        sg_buf_printf(out, "/%" PRId64, stride);
    }
    sg_buf_printf(out, " @2 %s", joins ? "<-" : "->");
    for (int64_t p = 0; p < parts.count; p++) {
        if (parts.wanted[p]) {
            sg_buf_printf(out, " p%" PRId64 ":%" PRId64, p, parts.lengths[p]);
            if (pads_parts && rng_one_in(r, 2)) {
                sg_buf_printf(out, "/%" PRId64, parts.lengths[p] * inner + random_padding(r));
            }
        } else {
            sg_buf_printf(out, " _:%" PRId64, parts.lengths[p]);
        }
    }
}

static sg_plan_options random_options(rng *r)
{
    const uint32_t all = (UINT32_C(1) << SG_ISA_COUNT) - 1;
    return (sg_plan_options){
        .unroll = rng_one_in(r, 6) ? SG_UNROLL_NONE : SG_UNROLL_AUTO,
        .isas = rng_one_in(r, 4) ? (uint32_t)rng_in(r, 0, all) : all,
        .tune = rng_one_in(r, 2) ? SG_UARCH_GENERIC
                                 : (sg_uarch)rng_in(r, SG_UARCH_GENERIC, SG_UARCH_COUNT - 1),
        .nt = (sg_nt_option)rng_in(r, SG_NT_OPTION_AUTO, SG_NT_OPTION_ALWAYS),
        .optimize = rng_one_in(r, 8) ? SG_OPTIMIZE_SIZE : SG_OPTIMIZE_SPEED,
        .no_memcpy = rng_one_in(r, 8),
    };
}

static void count_bodies(const sg_plan *plan)
{
    for (int64_t v = 0; v < plan->nbodies; v++) {
        bodies[plan->map.joins][plan->bodies[v].isa->isa]++;
    }
}

/* Whether a legal op has a plan without a mistake. */
static bool has_plan(const char *op, const sg_plan_options *options, sg_buf *why)
{
    sg_arena arena;
    sg_arena_init(&arena);
    sg_diag diag;
    sg_diag_init(&diag, &arena);
    sg_op_array ops = {0};
    const sg_source *source = sg_source_new(&arena, "-e", op, strlen(op));
    const sg_split *split = NULL;
    if (sg_notation_parse(&arena, &diag, source, 0, strlen(op), "k", &ops)) {
        split = sg_resolve(&arena, &diag, ops.items[0], &(sg_resolve_options){.prefix = ""});
    }
    const bool is_legal = split != NULL;   /* some strides exclude open dimensions */
    const size_t warnings = diag.warnings; /* about the notation */
    drawn++;
    legal += is_legal;
    const sg_plan *plan = is_legal ? sg_plan_build(&arena, &diag, split, options) : NULL;
    bool ok = !is_legal || (plan != NULL && diag.warnings == warnings);
    if (!ok) {
        sg_buf_printf(why, "-e '%s'\n", op);
        ok = property_fails(why, "isas %#x, tuned for %d: %s", (unsigned)options->isas,
                            (int)options->tune, diag.last != NULL ? diag.last->message : "no plan");
    } else if (plan != NULL) {
        count_bodies(plan);
    }
    sg_arena_free(&arena);
    return ok;
}

static bool random_op_has_plan(bool joins, uint64_t seed, sg_buf *why)
{
    rng r = {seed ^ UINT64_C(0x756e77)};
    sg_buf text = {0};
    make_op(&r, joins, &text);
    const sg_plan_options options = random_options(&r);
    const bool ok = has_plan(text.ptr, &options, why);
    sg_buf_free(&text);
    return ok;
}

/* Ops that had no plan in version 0.3.0, for each instruction set. */
static bool known_ops_have_plans(void)
{
    static const char *const known[] = {
        "u8[200,63]/64 @1 -> _:32 p:16 q:8 _:7",
        "f32[200,21]/22 @1 -> _:8 p:10 _:3",
        "u8[100,40] @1 <- p:32 _:8",
        "u4[66,160] @1 <- p:64 _:32 _:64",
        "u8[100,3]/536870912 @1 <- /3",
        "c64[1,200,6,1] @2 <- p0:4 _:2",
    };
    bool all = true;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (uint32_t isas = 1; isas < UINT32_C(1) << SG_ISA_COUNT; isas++) {
            sg_buf why = {0};
            const int64_t before = legal;
            if (!has_plan(known[i], &(sg_plan_options){.isas = isas}, &why) || legal == before) {
                fprintf(stderr, "'%s': %s", known[i], why.len > 0 ? why.ptr : "not legal\n");
                all = false;
            }
            sg_buf_free(&why);
        }
    }
    return all;
}

static bool splits_hold(const split_case *c, uint64_t seed, sg_buf *why)
{
    (void)c;
    return random_op_has_plan(false, seed, why);
}

static bool concats_hold(const split_case *c, uint64_t seed, sg_buf *why)
{
    (void)c;
    return random_op_has_plan(true, seed, why);
}

int main(void)
{
    static const property properties[] = {
        {"splits with unwanted parts have plans", case_generate_narrow, splits_hold, 16000},
        {"concats with inputs left out have plans", case_generate_narrow, concats_hold, 16000},
    };
    const int code = known_ops_have_plans() ? property_main(properties, 2) : 1;
    printf("%" PRId64 " of %" PRId64 " ops are legal\n", legal, drawn);
    return code != 0 || (every_isa_ran(bodies) && legal > drawn / 10 * 8) ? code : 1;
}
