/* Proves the loops around windows: for every way of storing in the table of choices, and for
 * numbers of rows that take every path, windows and rows cover all rows, in order, and nothing
 * outside. What is executed here is what templates print of the same fields; the windows themselves
 * are proved in verify_vector.c.
 *
 * note [why these are all numbers of rows]
 * Every loop here takes windows of t rows one behind the other until fewer are left, and then one
 * that overlaps, or single rows. So with t more rows it takes one more window first, and all that
 * follows is the same, t rows on: what holds for some number of rows, not less than a choice asks
 * for, holds for that number and any multiple of t, and all residues of t are executed from the
 * least number on. Blocks take several such windows at once, which is the same with a block for t.
 * Parts by turns cover rows 0 to f * p * t, where p grows by the turns of one part whenever f parts
 * have so many trips more, and the last rows go through the cache, which is proved for every number
 * of them; the cases that differ are no part at all, the first turns and the turns after them, and
 * all are executed. A kernel whose rows are free needs no other proof than one of fixed rows; that
 * it is called for none, or for fewer than any choice asks for, is the portable loops' matter
 * (verify_bytes.c). */
#include "plan/verify/verify_loops.h"

#include <inttypes.h>

/* Rows [from, rows) are to be covered; all before `next` are. */
typedef struct cover {
    int64_t rows;
    int64_t next;
    bool fails;
} cover;

/* `count` rows from `first` on are copied, some of them perhaps once more. */
static void take(cover *c, int64_t first, int64_t count)
{
    c->fails = c->fails || count < 1 || first < 0 || first > c->next || first + count > c->rows;
    c->next = first + count > c->next ? first + count : c->next;
}

/* Windows behind each other through the cache, the last one overlapping, or the rows left by the
 * row program; `rows` of them from `first` on. */
static void take_windows(cover *c, const sg_variant *v, int64_t first, int64_t rows)
{
    const int64_t trip = v->rows_per_trip;
    int64_t left = rows;
    int64_t at = first;
    for (;;) {
        take(c, at, trip);
        left -= trip;
        if (left >= trip) {
            at += trip;
        } else if (left > v->tail_rows) {
            at += left;
            left = trip;
        } else {
            break;
        }
    }
    for (int64_t row = 0; row < left; ++row) {
        take(c, at + trip + row, 1);
    }
}

/* Blocks of windows of strips, whose last window overlaps. */
static void take_blocks(cover *c, const sg_variant *v, int64_t rows)
{
    const int64_t trip = v->rows_per_trip;
    for (int64_t row = 0; row < rows;) {
        const int64_t left = rows - row;
        if (left < trip) {
            take(c, rows - trip, trip);
            break;
        }
        const int64_t windows = (left < v->block_rows ? left : v->block_rows) / trip;
        if (windows < 1) {
            c->fails = true;
            break;
        }
        take(c, row, windows * trip);
        row += windows * trip;
    }
}

static void take_cache(cover *c, const sg_plan *plan, const sg_variant *v, int64_t first,
                       int64_t rows)
{
    if (plan->array_params) {
        take_blocks(c, v, rows);
    } else {
        take_windows(c, v, first, rows);
    }
}

/* Rows one by one, or by feeds: the first ones through the cache, the last window overlapping. */
static void take_feed(cover *c, const sg_plan *plan, const sg_variant *v, int64_t rows)
{
    const int64_t trip = v->rows_per_trip;
    int64_t at = v->head_rows;
    take_cache(c, plan, v, 0, v->head_rows);
    for (int64_t left = rows - v->head_rows; left >= trip; left -= trip) {
        take(c, at, trip);
        at += trip;
    }
    if (rows % trip != 0) {
        take(c, rows - trip, trip);
    }
}

/* Parts of the rows by turns of `turn` trips, with `head` trips of each through the cache first,
 * and what is behind them through the cache. */
static void take_parts(cover *c, const sg_plan *plan, const sg_variant *v, int64_t rows,
                       int64_t fronts, int64_t turn, int64_t head)
{
    const int64_t trip = v->rows_per_trip;
    const int64_t unit = head > 0 ? 1 : turn;
    int64_t part = rows / trip / (fronts * unit) * unit;
    if (head > 0) {
        part = part < head ? 0 : part - (part - head) % turn;
    }
    for (int64_t front = 0; front < fronts; ++front) {
        const int64_t first = front * part * trip;
        if (head > 0 && part > 0) {
            take_cache(c, plan, v, first, v->head_rows);
        }
        for (int64_t done = head; done < part; done += turn) {
            take(c, first + done * trip, turn * trip);
        }
        c->fails = c->fails || c->next != first + part * trip;
    }
    const int64_t behind = rows - fronts * part * trip;
    if (behind > 0) {
        const int64_t left = behind < trip ? trip : behind;
        take_cache(c, plan, v, rows - left, left);
    }
}

static bool covers_all(const sg_plan *plan, const sg_choice *choice, int64_t rows, int64_t fronts)
{
    const sg_variant *v = &plan->variants[choice->variant];
    const int64_t turn = v->fronts == SG_FRONTS_TRIPS ? v->front_trips : 1;
    cover c = {.rows = rows};
    switch (choice->way) {
    case SG_WAY_CACHE:
        take_cache(&c, plan, v, 0, rows);
        break;
    case SG_WAY_PAST:
        if (plan->array_params) {
            take_blocks(&c, v, rows);
        } else if (v->fronts == SG_FRONTS_NONE) {
            take(&c, 0, rows);
        } else {
            take_parts(&c, plan, v, rows, fronts, turn, 0);
        }
        break;
    case SG_WAY_FEED:
        take_feed(&c, plan, v, rows);
        break;
    case SG_WAY_FEED_PAST:
        if (plan->array_params) {
            take_feed(&c, plan, v, rows);
        } else {
            take_parts(&c, plan, v, rows, fronts, turn, v->head_rows / v->rows_per_trip);
        }
        break;
    case SG_WAY_IN_ORDER:
        take(&c, 0, rows);
        break;
    }
    return !c.fails && c.next == rows;
}

/* Parts that may take turns: as many as processors want, splitgen_fronts() in splitgen/runs.h. */
static const int64_t parts[] = {1, 2, 4};

const char *sg_verify_loops(sg_arena *arena, const sg_plan *plan)
{
    for (int64_t i = 0; i < plan->nchoices && plan->choices[i].variant >= 0; ++i) {
        const sg_choice *choice = &plan->choices[i];
        const sg_variant *v = &plan->variants[choice->variant];
        const int64_t trip = v->rows_per_trip;
        const bool feeds = choice->way == SG_WAY_FEED || choice->way == SG_WAY_FEED_PAST;
        if (trip < 1 || v->front_trips < 1 || v->block_rows < 1 || v->tail_rows < 0 ||
            (feeds && (v->head_rows < trip || v->head_rows % trip != 0))) {
            return sg_arena_printf(arena, "the loops of row %" PRId64 " have no numbers", i);
        }
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; ++p) {
            /* the least number of rows and those behind it, with every residue of a window; then
             * those around the first turns of all parts */
            const int64_t turns = parts[p] * v->front_trips * trip;
            const int64_t starts[] = {choice->rows, v->head_rows * parts[p] + turns, 3 * turns,
                                      v->block_rows};
            for (size_t s = 0; s < sizeof starts / sizeof starts[0]; ++s) {
                const int64_t step = s == 0 || trip < 16 ? 1 : trip / 16;
                const int64_t begin = starts[s] < choice->rows ? choice->rows : starts[s];
                for (int64_t rows = begin; rows <= begin + trip + 1; rows += step) {
                    if (!covers_all(plan, choice, rows, parts[p])) {
                        return sg_arena_printf(arena,
                                               "row %" PRId64
                                               " of the choices leaves some of %" PRId64
                                               " rows out, or copies others",
                                               i, rows);
                    }
                }
            }
        }
    }
    return NULL;
}
