/* Loops over the rows of a kernel, in portable C. Included by generated code only.
 *
 * A call copies rows [first, last), counted from the first row of the tensors. Each loop here runs
 * its body for these rows, in order, each row once, and for no others. The generator executes these
 * very loops to prove its plans (generator/plan/verify/execute_rows.c). */
#ifndef SPLITGEN_ROWS_H
#define SPLITGEN_ROWS_H

#include <splitgen/splitgen.h>

#ifdef __cplusplus
extern "C" {
#endif

/* for each row from `first` up to `last` */
#define SPLITGEN_ROWS(row, first, last) for (size_t row = (first); row < (last); ++row)

/* the row behind the last whole iteration of `rows` rows */
#define SPLITGEN_REST(first, last, rows) ((last) - ((last) - (first)) % (rows))

/* for each whole iteration of `rows` rows; provers need not relate two variables */
#define SPLITGEN_ITERATIONS(row, first, last, rows)                                                \
    for (size_t row = (first); row < SPLITGEN_REST(first, last, rows); row += (rows))

/* for each block of up to `most` rows: the splitgen_least(last - row, most) rows from `row` on */
#define SPLITGEN_BLOCKS(row, first, last, most)                                                    \
    for (size_t row = (first); row < (last); row += splitgen_least((last)-row, most))

SPLITGEN_COPY size_t splitgen_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- groups of rows --------------------------------------------------------------------------- */

/* Rows in groups with padding behind each group. A level of groups: its rows, and the bytes from
 * one group to the next of each input and of each output. */
typedef struct splitgen_groups {
    size_t rows;
    const size_t *in;
    const size_t *out;
} splitgen_groups;

/* The rows of a body: [first, last), counted from the group in which they begin. `next` is the row
 * after them, counted like the rows of the call. */
typedef struct splitgen_range {
    size_t first;
    size_t last;
    size_t next;
} splitgen_range;

/* Where the innermost group of `row` begins in a tensor: an output if `out`, else an input. */
SPLITGEN_COPY size_t splitgen_group_at(const splitgen_groups groups[], size_t levels, bool out,
                                       size_t tensor, size_t row)
{
    size_t at = 0;

    for (size_t i = 0; i < levels; ++i) {
        const size_t inside = i + 1 < levels ? row % groups[i + 1].rows : row;

        at += inside / groups[i].rows * (out ? groups[i].out : groups[i].in)[tensor];
    }
    return at;
}

/* The rows from `row` on, before `last`, that one body copies: those of one group, or all whole
 * groups at equal distances if `together`. Writes the tensors from that group on to in_here and
 * out_here. Without rows it writes nothing, so that no pointer is made past the last row. */
SPLITGEN_COPY splitgen_range splitgen_range_from(const splitgen_groups groups[], size_t levels,
                                                 bool together, const void *const in[],
                                                 const void *in_here[], size_t ins,
                                                 void *const out[], void *out_here[], size_t outs,
                                                 size_t row, size_t last)
{
    const size_t group = groups[0].rows;
    splitgen_range here = {row % group, row % group, row};

    if (row < last) {
        size_t rows = splitgen_least(last - row, group - here.first);

        if (together && here.first == 0) {
            const size_t left = levels > 1 ? groups[1].rows - row % groups[1].rows : last - row;
            const size_t whole = splitgen_least(last - row, left) / group * group;

            rows = whole > 0 ? whole : rows;
        }
        here.last += rows;
        here.next += rows;
        for (size_t i = 0; i < ins; ++i) {
            in_here[i] = SPLITGEN_POINTER(const unsigned char, splitgen_input(in, i)) +
                         splitgen_group_at(groups, levels, false, i, row);
        }
        for (size_t i = 0; i < outs; ++i) {
            out_here[i] = SPLITGEN_POINTER(unsigned char, splitgen_output(out, i)) +
                          splitgen_group_at(groups, levels, true, i, row);
        }
    }
    return here;
}

/* The same for the rows after `here`. The next of several groups at equal distances costs less. */
SPLITGEN_COPY splitgen_range splitgen_range_after(splitgen_range here,
                                                  const splitgen_groups groups[], size_t levels,
                                                  bool together, const void *const in[],
                                                  const void *in_here[], size_t ins,
                                                  void *const out[], void *out_here[], size_t outs,
                                                  size_t last)
{
    if (levels > 1 || together || here.next >= last) {
        return splitgen_range_from(groups, levels, together, in, in_here, ins, out, out_here, outs,
                                   here.next, last);
    }
    for (size_t i = 0; i < ins; ++i) {
        in_here[i] = SPLITGEN_POINTER(const unsigned char, in_here[i]) + groups[0].in[i];
    }
    for (size_t i = 0; i < outs; ++i) {
        out_here[i] = SPLITGEN_POINTER(unsigned char, out_here[i]) + groups[0].out[i];
    }
    here.first = 0;
    here.last = splitgen_least(last - here.next, groups[0].rows);
    here.next += here.last;
    return here;
}

/* for all rows, group by group. A body that is called for several whole groups together does this
 * again, for their level alone. */
#define SPLITGEN_GROUPS(here, groups, levels, together, in, in_here, ins, out, out_here, outs,     \
                        begin, end)                                                                \
    for (splitgen_range here = splitgen_range_from(groups, levels, together, in, in_here, ins,     \
                                                   out, out_here, outs, begin, end);               \
         here.first < here.last;                                                                   \
         here = splitgen_range_after(here, groups, levels, together, in, in_here, ins, out,        \
                                     out_here, outs, end))

#ifdef __cplusplus
}
#endif

#endif
