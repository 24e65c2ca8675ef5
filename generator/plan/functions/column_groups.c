/* The functions of kernels with an array of outputs: blocks of rows, one column group after the
 * other. */
#include "plan/functions/column_groups.h"

#include "plan/choose/choices.h"
#include "plan/functions/writer.h"
#include "plan/insn.h"
#include "plan/plan.h"

#define NUMBER(id) sg_of(w, SG_NUMBER_##id)

/* The kernel and the body whose functions are written. */
typedef struct column_groups {
    sg_arena *arena;
    sg_plan *plan;
    int64_t body;
    const sg_body *v;
} column_groups;

static int64_t *new_functions(const column_groups *s)
{
    return SG_NEW_ARRAY(s->arena, int64_t, s->v->ncodes);
}

static int64_t end(const column_groups *s, sg_writer *w, sg_function_role role,
                   sg_store_mode store_mode, int64_t code)
{
    sg_function *f = sg_writer_end(w, s->plan, role, store_mode);
    f->code = code;
    return f - s->plan->functions;
}

static bool is_run_by_lines(const sg_insn *insn)
{
    return sg_insn_is_run(insn) && insn->lines;
}

static bool is_combined_store(const sg_insn *insn)
{
    return insn->combines;
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Copies `tiles` tiles of a column group from row `row` on. */
static int64_t write_column_group(const column_groups *s, int64_t code, sg_function_role role,
                                  sg_store_mode store_mode, sg_storing storing)
{
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->body);
    sg_writer *w = &begun;
    const sg_code *b = &s->v->codes[code];
    if (storing == SG_STORING_NON_TEMPORAL && sg_code_has(b, is_run_by_lines)) {
        sg_do(w, SG_STEP_COUNT_STREAMS);
    }
    sg_pointers(w, SG_POINTS_OUTPUTS, NUMBER(ROW));
    sg_do(w, SG_STEP_BLANK);
    (void)sg_add_step(
        w, (sg_step){.kind = SG_STEP_LOOP, .number = SG_NUMBER_LEFT, .value = NUMBER(TILES)});
    if (s->v->prefetch_block_bytes > 0) {
        (void)sg_add_step(
            w, (sg_step){.kind = SG_STEP_PREFETCH_BLOCK, .bytes = s->v->prefetch_block_bytes});
    }
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_RUN, .storing = storing});
    sg_if(w, sg_compare(w, SG_EXPR_EQ, sg_decrement(w, SG_NUMBER_LEFT), sg_literal(w, 0)),
          "no row follows the last tile of a column group");
    sg_do(w, SG_STEP_BREAK);
    sg_end(w);
    sg_advance(w, SG_POINTS_ALL, sg_literal(w, s->v->rows_per_iteration));
    sg_end(w);
    const int64_t number = end(s, w, role, store_mode, code);
    s->plan->functions[number].by_offset = b->by_offset;
    return number;
}

/* The same, by a call of the function that both ways of storing share, with the way as an argument.
 * */
static int64_t write_either(const column_groups *s, int64_t code, sg_store_mode store_mode,
                            int64_t either)
{
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->body);
    sg_writer *w = &begun;
    sg_call(w, either, NUMBER(ROW), NUMBER(TILES));
    w->steps[0].storing =
        store_mode == SG_STORE_NON_TEMPORAL ? SG_STORING_NON_TEMPORAL : SG_STORING_ORDINARY;
    return end(s, w, SG_ROLE_COLUMN_GROUP, store_mode, code);
}

/* Copies all column groups of a block of rows. */
static int64_t write_block(const column_groups *s, sg_store_mode store_mode, int64_t *functions)
{
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->body);
    sg_writer *w = &begun;
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_COLUMN_GROUPS,
                                   .functions = functions,
                                   .value = NUMBER(ROW),
                                   .count = NUMBER(TILES),
                                   .bytes = s->v->rows_per_iteration * s->plan->map.row_stride,
                                   .ahead = s->v->prefetch_block_bytes});
    return end(s, w, SG_ROLE_BLOCK, store_mode, 0);
}

static void call_block(sg_writer *w, int64_t block, const sg_expr *row, const sg_expr *tiles)
{
    sg_call(w, block, row, tiles);
    w->steps[w->count - 1].points = SG_POINTS_INPUT;
}

/* Copies block after block of rows. If fewer rows than a tile remain, the last tile overlaps the
 * one before. */
static void write_blocks(const column_groups *s, sg_store_mode store_mode, int64_t block,
                         int64_t last_block)
{
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->body);
    sg_writer *w = &begun;
    const int64_t iteration = s->v->rows_per_iteration;
    const sg_expr *most = sg_literal(w, s->v->block_rows);
    sg_pointers(w, SG_POINTS_INPUT, sg_literal(w, 0));
    sg_do(w, SG_STEP_BLANK);
    sg_loop_up(w, SG_NUMBER_ROW, NUMBER(FIRST), NUMBER(LAST), 0);
    sg_let(w, SG_NUMBER_LEFT, sg_minus(w, NUMBER(LAST), NUMBER(ROW)));
    sg_do(w, SG_STEP_BLANK);
    if (iteration > 1) {
        sg_if(w, sg_compare(w, SG_EXPR_LT, NUMBER(LEFT), sg_literal(w, iteration)),
              "the last tile overlaps the one before");
        call_block(w, last_block, sg_minus(w, NUMBER(LAST), sg_literal(w, iteration)),
                   sg_literal(w, 1));
        sg_do(w, SG_STEP_BREAK);
        sg_end(w);
    }
    sg_let(w, SG_NUMBER_TILES,
           sg_divide(
               w, sg_select(w, sg_compare(w, SG_EXPR_LT, NUMBER(LEFT), most), NUMBER(LEFT), most),
               iteration));
    sg_do(w, SG_STEP_BLANK);
    call_block(w, block, NUMBER(ROW), NUMBER(TILES));
    sg_set(w, SG_STEP_ADD, SG_NUMBER_ROW, sg_times(w, NUMBER(TILES), iteration));
    sg_end(w);
    if (store_mode == SG_STORE_NON_TEMPORAL) {
        sg_do(w, SG_STEP_FENCE);
    }
    (void)end(s, w, SG_ROLE_ROWS, store_mode, 0);
}

/* Blocks with ordinary stores, and with non-temporal ones if the dispatch table has them. Returns
 * the functions of column groups with ordinary stores. */
static int64_t *write_ways(const column_groups *s)
{
    int64_t *ordinary = new_functions(s);
    int64_t *either = new_functions(s);
    for (int64_t b = 0; b < s->v->ncodes; ++b) {
        either[b] = -1;
        if (sg_choices_share_column_group(s->plan, s->body, b)) {
            either[b] = write_column_group(s, b, SG_ROLE_COLUMN_GROUP_EITHER, SG_STORE_ORDINARY,
                                           SG_STORING_GIVEN);
            ordinary[b] = write_either(s, b, SG_STORE_ORDINARY, either[b]);
        } else {
            ordinary[b] = write_column_group(s, b, SG_ROLE_COLUMN_GROUP, SG_STORE_ORDINARY,
                                             SG_STORING_ORDINARY);
        }
    }
    const int64_t block = write_block(s, SG_STORE_ORDINARY, ordinary);
    write_blocks(s, SG_STORE_ORDINARY, block, block);
    if (sg_choices_find(s->plan, s->body, SG_STORE_NON_TEMPORAL) != NULL) {
        int64_t *non_temporal = new_functions(s);
        for (int64_t b = 0; b < s->v->ncodes; ++b) {
            non_temporal[b] =
                either[b] >= 0 ? write_either(s, b, SG_STORE_NON_TEMPORAL, either[b])
                               : write_column_group(s, b, SG_ROLE_COLUMN_GROUP,
                                                    SG_STORE_NON_TEMPORAL, SG_STORING_NON_TEMPORAL);
        }
        write_blocks(s, SG_STORE_NON_TEMPORAL, write_block(s, SG_STORE_NON_TEMPORAL, non_temporal),
                     block);
    }
    return ordinary;
}

/* --- write combining -------------------------------------------------------------------------- */

/* Copies all rows of a column group. The prologue rows, which fill the first cache line of every
 * output, are copied by ordinary stores. */
static int64_t write_combined_column_group(const column_groups *s, int64_t code,
                                           sg_store_mode store_mode, int64_t ordinary)
{
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->body);
    sg_writer *w = &begun;
    const bool non_temporal = store_mode == SG_STORE_COMBINED_NON_TEMPORAL;
    const int64_t head = s->v->prologue_rows;
    if (non_temporal && sg_code_has(&s->v->codes[code], is_combined_store)) {
        sg_do(w, SG_STEP_COUNT_STREAMS);
    }
    sg_pointers(w, SG_POINTS_OUTPUTS, sg_plus(w, NUMBER(FIRST), sg_literal(w, head)));
    sg_do(w, SG_STEP_DECLARE_COMBINERS);
    sg_do(w, SG_STEP_BLANK);
    sg_call(w, ordinary, NUMBER(FIRST), sg_literal(w, head));
    sg_advance(w, SG_POINTS_INPUT, sg_literal(w, head));
    sg_do(w, SG_STEP_LOAD_COMBINERS);
    (void)sg_add_step(
        w, (sg_step){.kind = SG_STEP_LOOP,
                     .number = SG_NUMBER_LEFT,
                     .value = sg_minus(w, NUMBER(ROWS), sg_literal(w, head)),
                     .condition = sg_compare(w, SG_EXPR_GT, NUMBER(LEFT), sg_literal(w, 0))});
    sg_run(w, non_temporal ? SG_STORING_COMBINED_NON_TEMPORAL : SG_STORING_COMBINED);
    sg_if(w, sg_compare(w, SG_EXPR_GT, sg_decrement(w, SG_NUMBER_LEFT), sg_literal(w, 0)),
          "no row follows the last row of a column group");
    sg_advance(w, SG_POINTS_INPUT | SG_POINTS_PLAIN, sg_literal(w, 1));
    sg_end(w);
    sg_end(w);
    sg_do(w, SG_STEP_FLUSH_COMBINERS);
    return end(s, w, SG_ROLE_COLUMN_GROUP_ROWS, store_mode, code);
}

/* Copies all rows, one column group after the other. */
static void write_combined(const column_groups *s, sg_store_mode store_mode,
                           const int64_t *ordinary)
{
    int64_t *functions = new_functions(s);
    for (int64_t b = 0; b < s->v->ncodes; ++b) {
        functions[b] = write_combined_column_group(s, b, store_mode, ordinary[b]);
    }
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->body);
    sg_writer *w = &begun;
    sg_pointers(w, SG_POINTS_INPUT, NUMBER(FIRST));
    sg_do(w, SG_STEP_BLANK);
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_COLUMN_GROUPS,
                                   .functions = functions,
                                   .value = NUMBER(FIRST),
                                   .count = sg_minus(w, NUMBER(LAST), NUMBER(FIRST))});
    if (store_mode == SG_STORE_COMBINED_NON_TEMPORAL) {
        sg_do(w, SG_STEP_FENCE);
    }
    (void)end(s, w, SG_ROLE_ROWS, store_mode, 0);
}

void sg_column_groups_build(sg_arena *arena, sg_plan *plan, int64_t body)
{
    const column_groups s = {arena, plan, body, &plan->bodies[body]};
    const int64_t *ordinary = write_ways(&s);
    static const sg_store_mode combined[] = {SG_STORE_COMBINED, SG_STORE_COMBINED_NON_TEMPORAL};
    for (size_t i = 0; i < sizeof combined / sizeof combined[0]; ++i) {
        if (sg_choices_find(plan, body, combined[i]) != NULL) {
            write_combined(&s, combined[i], ordinary);
        }
    }
}
