/* Executes the loops of splitgen/rows.h with bodies that record the rows that they are run for.
 *
 * note [why these are all numbers of rows]
 * A loop runs whole iterations, then single rows; with one iteration more it does the same, an
 * iteration later. So what holds for all numbers of rows up to two iterations and two rows holds
 * for all. Where a group begins is a sum of distances times quotients of the row's number, so it is
 * right for every row if it is right around the first multiples of the rows of every level, and of
 * their sums. */
#include "plan/verify/execute_rows.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/layout.h"
#include "plan/plan.h"
#include "splitgen/rows.h"

/* --- portable code ---------------------------------------------------------------------------- */

/* Whether iterations of `iteration` rows and then single rows, or blocks of `most` rows, are run
 * for exactly the rows [first, last), in order. */
static bool runs_rows(size_t first, size_t last, size_t iteration, size_t most)
{
    size_t next = first;
    bool in_order = true;
    SPLITGEN_ITERATIONS(row, first, last, iteration)
    {
        in_order = in_order && row == next && iteration <= last - row;
        next += iteration;
    }
    if (most > 1) {
        SPLITGEN_BLOCKS(row, SPLITGEN_REST(first, last, iteration), last, most)
        {
            const size_t rows = splitgen_least(last - row, most);
            in_order = in_order && row == next && rows > 0 && rows <= most && rows <= last - row;
            next += rows;
        }
    } else {
        SPLITGEN_ROWS(row, SPLITGEN_REST(first, last, iteration), last)
        {
            in_order = in_order && row == next;
            ++next;
        }
    }
    return in_order && next == last;
}

/* Up to this number of rows all numbers are tried; with longer iterations or blocks, only those
 * around multiples. */
#define EVERY_ROW 64

static const char *check_portable(sg_arena *arena, const sg_plan *plan)
{
    const bool by_rows = sg_plan_goes_by_rows(plan);
    const size_t iteration = by_rows ? (size_t)plan->iteration.rows : 1;
    /* with a dynamic row length, the rows of a block depend on it */
    const size_t most = !by_rows ? 1 : plan->block_bytes > 0 ? 8 : (size_t)plan->block_rows;
    const size_t step = iteration > most ? iteration : most;
    for (size_t first = 0; first < 2; ++first) {
        for (size_t rows = 0; rows <= 2 * iteration + 2 * most + 2; ++rows) {
            if (rows > EVERY_ROW && step > EVERY_ROW && (rows + 2) % step > 4) {
                continue;
            }
            if (!runs_rows(first, first + rows, iteration, most)) {
                return sg_arena_printf(arena, "portable loops over rows %zu to %zu are wrong",
                                       first, first + rows);
            }
        }
    }
    return NULL;
}

/* --- groups ----------------------------------------------------------------------------------- */

/* The tensors of a plan, as places without memory, and the table of its groups. */
typedef struct apart {
    const sg_plan *plan;
    size_t ins;
    size_t outs;
    const void **in;
    void **out;
    const void **in_all; /* what the outer loop writes, and the inner one */
    void **out_all;
    const void **in_one;
    void **out_one;
    splitgen_groups *groups;
    size_t levels;
    int64_t next; /* the next row to be copied */
    bool wrong;
} apart;

/* The part that is tensor `i` of one side: SG_WHOLE if that side is the full tensor. */
static int64_t part_of(const apart *a, bool out, size_t i)
{
    return out == a->plan->map.joins ? SG_WHOLE : (int64_t)i;
}

/* Where a row of a tensor begins, by the definition of the map. */
static int64_t place_of(const sg_map *map, int64_t part, int64_t row)
{
    int64_t at = row * sg_map_stride(map, part);
    for (int64_t g = 0; g < map->ngroups; ++g) {
        at += row / map->groups[g].rows * sg_map_gap(map, part, g);
    }
    return at;
}

/* Records rows [first, last) behind these pointers. */
static void record(apart *a, const void *const in[], void *const out[], size_t first, size_t last)
{
    const sg_map *map = &a->plan->map;
    for (size_t i = 0; i < a->ins + a->outs; ++i) {
        const bool is_out = i >= a->ins;
        const size_t t = is_out ? i - a->ins : i;
        const int64_t part = part_of(a, is_out, t);
        const int64_t at = is_out ? (const char *)out[t] - (const char *)a->out[t]
                                  : (const char *)in[t] - (const char *)a->in[t];
        a->wrong = a->wrong ||
                   at + (int64_t)first * sg_map_stride(map, part) != place_of(map, part, a->next);
    }
    a->next += (int64_t)(last - first);
    a->wrong = a->wrong || last <= first || (int64_t)last > map->groups[0].rows;
}

/* Executes a call for rows [first, last): each whole group is a call, or all that are at equal
 * distances are. */
static bool runs_groups(apart *a, int64_t first, int64_t last, bool together)
{
    const size_t begin = (size_t)first;
    const size_t end = (size_t)last;
    a->next = first;
    a->wrong = false;
    SPLITGEN_GROUPS(some, a->groups, a->levels, together, a->in, a->in_all, a->ins, a->out,
                    a->out_all, a->outs, begin, end)
    {
        SPLITGEN_GROUPS(one, a->groups, 1, false, a->in_all, a->in_one, a->ins, a->out_all,
                        a->out_one, a->outs, some.first, some.last)
        {
            record(a, a->in_one, a->out_one, one.first, one.last);
        }
    }
    return !a->wrong && a->next == last;
}

/* A number of rows whose offsets cannot overflow. */
static int64_t last_row(const sg_plan *plan)
{
    const sg_split *split = plan->split;
    int64_t most = 1;
    for (int d = 0; d < split->axis; ++d) {
        for (int64_t i = -1; i < split->nparts; ++i) {
            const int64_t *strides = i < 0 ? split->strides : split->parts[i].strides;
            most = strides != NULL && strides[d] > most ? strides[d] : most;
        }
    }
    return INT64_MAX / 2 / plan->map.element / most;
}

static apart apart_of(sg_arena *arena, const sg_plan *plan)
{
    const sg_map *map = &plan->map;
    apart a = {.plan = plan,
               .ins = map->joins ? (size_t)map->nparts : 1,
               .outs = map->joins ? 1 : (size_t)map->nparts,
               .levels = (size_t)map->ngroups};
    const int64_t ins = (int64_t)a.ins;
    const uintptr_t somewhere = 4096; /* not NULL; nothing is read there */
    const int64_t outs = (int64_t)a.outs;
    a.in = SG_NEW_ARRAY(arena, const void *, 3 * ins);
    a.out = SG_NEW_ARRAY(arena, void *, 3 * outs);
    a.in_all = a.in + ins;
    a.in_one = a.in_all + ins;
    a.out_all = a.out + outs;
    a.out_one = a.out_all + outs;
    for (size_t i = 0; i < a.ins; ++i) {
        a.in[i] = (const void *)somewhere;
    }
    for (size_t i = 0; i < a.outs; ++i) {
        a.out[i] = (void *)somewhere;
    }
    a.groups = SG_NEW_ARRAY(arena, splitgen_groups, map->ngroups);
    for (int64_t g = 0; g < map->ngroups; ++g) {
        size_t *in = SG_NEW_ARRAY(arena, size_t, ins);
        size_t *out = SG_NEW_ARRAY(arena, size_t, outs);
        for (size_t i = 0; i < a.ins; ++i) {
            in[i] = (size_t)sg_map_group_step(map, part_of(&a, false, i), g);
        }
        for (size_t i = 0; i < a.outs; ++i) {
            out[i] = (size_t)sg_map_group_step(map, part_of(&a, true, i), g);
        }
        a.groups[g] = (splitgen_groups){(size_t)map->groups[g].rows, in, out};
    }
    return a;
}

static const char *check_groups(sg_arena *arena, const sg_plan *plan)
{
    const sg_map *map = &plan->map;
    apart a = apart_of(arena, plan);
    const int64_t group = map->groups[0].rows;
    const int64_t limit = plan->split->nopen > 0 ? last_row(plan) : map->rows;
    for (int64_t outer = 0; outer <= map->ngroups; ++outer) {
        for (int64_t times = 1; times <= 3; ++times) {
            int64_t around = times * (outer < map->ngroups ? map->groups[outer].rows : 0);
            for (int64_t g = 0; outer == map->ngroups && g < map->ngroups; ++g) {
                around += times * map->groups[g].rows; /* their sum */
            }
            const int64_t firsts[] = {0, around - group, around - 1, around, around + 1};
            const int64_t counts[] = {0, 1, group - 1, group, group + 1, 3 * group + 1};
            for (size_t i = 0; i < 2 * 5 * sizeof counts / sizeof counts[0]; ++i) {
                const int64_t first = firsts[i / 2 % 5];
                const int64_t last = first + counts[i / 2 / 5];
                if (last <= limit && !runs_groups(&a, first, last, i % 2 == 1)) {
                    return sg_arena_printf(
                        arena, "loops over rows %" PRId64 " to %" PRId64 " in groups are wrong",
                        first, last);
                }
            }
        }
    }
    return NULL;
}

const char *sg_execute_rows(sg_arena *arena, const sg_plan *plan)
{
    const char *flaw = check_portable(arena, plan);
    const bool has_groups = sg_plan_goes_by_rows(plan) && plan->map.ngroups > 0;
    return flaw == NULL && has_groups ? check_groups(arena, plan) : flaw;
}
