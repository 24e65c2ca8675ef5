/* The template engine, the sandbox, names, the model, and the output of the kernel template for
 * small plans. The golden tests check complete files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "make_split.h"
#include "template_fixture.h"
#include "base/diag_render.h"
#include "emit/builtin.h"
#include "emit/model.h"
#include "emit/symbols.h"
#include "split/names.h"
#include "split/nameset.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Adds a kernel that splits axis 1 of a matrix into lengths, which end with -1; parts are called
 * a, b, c, ... */
static const sg_plan *add_kernel(fixture *f, const char *name, sg_dtype dtype, int64_t rows,
                                 const int64_t *lengths, const sg_plan_options *options)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    sg_split *s = make_matrix_split(&f->arena, dtype, rows, lengths);
    s->name = name;
    for (int64_t i = 0; i < s->nparts; ++i) {
        const char *part = i < 6 ? names[i] : sg_arena_printf(&f->arena, "p%d", (int)i);
        s->parts[i].name = s->parts[i].c_name = part;
    }
    const sg_plan_options defaults = {0};
    sg_plan *plan = sg_plan_build(&f->arena, &f->diag, s, options != NULL ? options : &defaults);
    assert_non_null(plan);
    assert_true(f->unit.count < MAX_KERNELS);
    f->plans[f->unit.count++] = plan;
    return plan;
}

static bool render_named(fixture *f, const char *name)
{
    f->out.len = 0;
    return sg_emit(&f->arena, &f->diag, &f->watch, name, &f->unit, &f->out);
}

static const char *render(fixture *f, const char *template)
{
    set_template(f, "t.tmpl", template);
    if (!render_named(f, "t.tmpl")) {
        sg_buf text = {0};
        sg_diag_render_text(&f->diag, SG_COLOR_NEVER, &text);
        print_error("%s", text.ptr);
        sg_buf_free(&text);
        fail();
    }
    return f->out.len > 0 ? f->out.ptr : "";
}

/* Expects one error with that message at that line of the template. */
static void refuse(fixture *f, const char *template, size_t line, const char *message)
{
    sg_diag_init(&f->diag, &f->arena);
    set_template(f, "t.tmpl", template);
    assert_false(render_named(f, "t.tmpl"));
    assert_refused(f, message, "t.tmpl", line);
}

/* --- the language ----------------------------------------------------------------------------- */

static void copies_text(void **state)
{
    fixture *f = *state;
    assert_string_equal(render(f, ""), "");
    assert_string_equal(render(f, "a\n\n  \\n \"b\"\t'\n"), "a\n\n  \\n \"b\"\t'\n");
    assert_string_equal(render(f, "no newline"), "no newline");
    assert_string_equal(render(f, "a\r\nb\r\n"), "a\nb\n");
    assert_string_equal(render(f, "$$ $$$$ $x {} } $$$ $"), "$ $$ $x {} } $$ $");
    assert_string_equal(render(f, "]] --[[ \\0 %d\n"), "]] --[[ \\0 %d\n");
}

static void interpolates(void **state)
{
    fixture *f = *state;
    assert_string_equal(render(f, "a${1}${'b'}c${2 + 3}\n"), "a1bc5\n");
    assert_string_equal(render(f, "${math.mininteger} ${9007199254740993}"),
                        "-9223372036854775808 9007199254740993");
    assert_string_equal(render(f, "${({7, 8})[2]}${'}'}${\"}\\\"}\"}"), "8}}\"}");
    assert_string_equal(render(f, "$${1} $$${1}"), "${1} $1");
}

static void runs_lua_lines(void **state)
{
    fixture *f = *state;
    assert_string_equal(render(f, "$ for i = 1, 3 do\n<${i}>\n   $ end\n$\n$ -- end"),
                        "<1>\n<2>\n<3>\n");
    assert_string_equal(render(f, "$ local function item(x)\n- ${x}\n$ end\n"
                                  "$ item('a')\n$ item(2)\n"),
                        "- a\n- 2\n");
    assert_string_equal(render(f, "$x is no Lua\n"), "$x is no Lua\n");
}

static void refuses_values(void **state)
{
    fixture *f = *state;
    refuse(f, "a\n${1} ${10 / 2}\n", 2,
           "the value is a float; only strings and integers become text");
    refuse(f, "  ${nil}\n", 1, "the value is a nil; only strings and integers become text");
    refuse(f, "${true}", 1, "the value is a boolean; only strings and integers become text");
    refuse(f, "${ {} }", 1, "the value is a table; only strings and integers become text");
}

static void refuses_syntax(void **state)
{
    fixture *f = *state;
    refuse(f, "x\n  ${1\n", 2, "'${' is not closed on this line");
    refuse(f, "${1} ${1 +}", 1, "unexpected symbol near ')'");
    refuse(f, "a\n  $ local x = = 1\nb\n", 2, "unexpected symbol near '='");
}

static void names_the_kernel(void **state)
{
    fixture *f = *state;
    add_kernel(f, "first", SG_DTYPE_U8, 2, (int64_t[]){1, 2, -1}, NULL);
    add_kernel(f, "second", SG_DTYPE_U8, 2, (int64_t[]){1, 2, -1}, NULL);
    refuse(f,
           "$ for i, k in ipairs(unit.kernels) do\n$   if i == 2 then\n${k.nbytes}\n$   end\n"
           "$ end\n",
           3, "'nbytes' of this kernel does not exist");
    assert_non_null(f->diag.first->next);
    assert_string_equal(f->diag.first->next->message, "while emitting kernel 'second'");

    refuse(f, "$ for _, k in ipairs(unit.kernels) do\n$ end\n${nothing}\n", 3,
           "variable 'nothing' does not exist");
    assert_null(f->diag.first->next);
}

static void follows_calls_into_the_prelude(void **state)
{
    fixture *f = *state;
    set_template(f, "t.tmpl", "\n${shape(nil)}\n");
    assert_false(render_named(f, "t.tmpl"));
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUG);
    assert_string_equal(f->diag.first->message, "attempt to index a nil value");
    assert_string_equal(f->diag.first->span.source->name, "templates/prelude.lua");
    assert_place(f, f->diag.first->next, "called from here", "t.tmpl", 2);
}

static void needs_its_texts(void **state)
{
    fixture *f = *state;
    assert_false(render_named(f, "absent.tmpl"));
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUG);

    sg_diag_init(&f->diag, &f->arena);
    set_template(f, "prelude.lua", "x = 1 +\n");
    assert_false(render_named(f, "kernel.c.tmpl"));
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUG);
    assert_string_equal(f->diag.first->span.source->name, "templates/prelude.lua");
}

/* --- the sandbox ------------------------------------------------------------------------------ */

static void has_no_dangerous_globals(void **state)
{
    fixture *f = *state;
    static const char *const absent[] = {
        "pairs",   "next",      "io",           "os",           "debug",          "package",
        "require", "dofile",    "load",         "loadfile",     "collectgarbage", "print",
        "rawget",  "rawset",    "setmetatable", "getmetatable", "pcall",          "xpcall",
        "_G",      "coroutine", "utf8",         "warn"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; ++i) {
        sg_diag_init(&f->diag, &f->arena);
        set_template(f, "t.tmpl", sg_arena_printf(&f->arena, "$ local x = %s\n", absent[i]));
        assert_false(render_named(f, "t.tmpl"));
        assert_non_null(
            strstr(f->diag.first->message,
                   sg_arena_printf(&f->arena, "variable '%s' does not exist", absent[i])));
    }
    assert_string_equal(render(f, "${type(math.random or 1)}"), "number");
    assert_string_equal(render(f, "${type(string.dump or table.sort or 1)}"), "number");
    assert_string_equal(render(f, "${type(('').dump or 1)}"), "number");
}

static void keeps_addresses_and_floats_out(void **state)
{
    fixture *f = *state;
    refuse(f, "${tostring({})}", 1, "a table has no text");
    refuse(f, "${string.format('%s', {})}", 1, "argument 2 of string.format is a table");
    refuse(f, "${string.format('%d', 4 / 2)}", 1, "argument 2 of string.format is a float");
    assert_string_equal(render(f, "${string.format('%%p %03o|%-3s|', 8, 'a')}"), "%p 010|a  |");
}

static void walks_tables_in_order(void **state)
{
    fixture *f = *state;
    assert_string_equal(render(f, "$ for k, v in sorted({b = 1, [10] = 2, a = 3, [-1] = 4}) do\n"
                                  "${k}=${v}\n$ end\n"),
                        "-1=4\n10=2\na=3\nb=1\n");
}

static void freezes_globals(void **state)
{
    fixture *f = *state;
    refuse(f, "$ x = 1\n", 1, "variable 'x' is not local");
    refuse(f, "${unit.stemm}\n", 1, "'stemm' of this unit does not exist");
    assert_string_equal(render(f, "${#unit.kernels} ${tostring(unit.kernels[1])}"), "0 nil");
}

/* join and wrap, which are written in C: lists of the unit and of Lua, empty lists, and
 * refusals. */
static void joins_and_wraps(void **state)
{
    fixture *f = *state;
    const char *text = "${join({1, 'b', true, nil, 5})}|${join({}, '-')}|${join({'a', 2}, '')}|"
                       "${join({'a'}, ' + ')}|${join(unit.kernels)}";
    assert_string_equal(render(f, text), "1, b, true||a2|a|");
    assert_string_equal(render(f, "${join(wrap(' aa  bb\tcc d ', 5), '|')}"), "aa bb|cc d");
    assert_string_equal(render(f, "${join(wrap('', 5), '|')}${#wrap('', 5)}"), "1");
    assert_string_equal(render(f, "${join(wrap('longer than', 3), '|')}"), "longer|than");
    refuse(f, "${join({{}})}\n", 1, "a table has no text");
}

/* Long columns are laid out without a loop over the blanks. */
static void wide_columns_are_laid_out(void **state)
{
    fixture *f = *state;
    set_template(
        f, "t.tmpl",
        "$ local long = ('x'):rep(1e6)\n"
        "$ local lines = columns({{'a', '', ''}, {long, long, ''}, {'', 'b', ' '}}, 'lll')\n"
        "${lines[1]}|${#lines[2]}|${#lines[3]}|${lines[3]:sub(-2)}|\n");
    assert_true(sg_emit(&f->arena, &f->diag, &f->watch, "t.tmpl", &f->unit, &f->out));
    assert_string_equal(f->out.ptr, "a|2000002|1000003| b|\n");
}

/* --- names ------------------------------------------------------------------------------------ */

/* The search for a free name ends with one that is legal in C and not in the set: for every
 * reserved word, and for a name that no suffix makes free, when the first candidates are taken
 * too. */
static void names_give_way(void **state)
{
    static const char *const words[] = {
#define X(word, why)  word,
#define XS(word, why) word,
#include "split/names.inc"
#undef X
        "a_",     "a__b",     "splitgen_run", "SPLITGEN_", "_",      "__",      "_a",
        "int7_t", "INT7_MAX", "row",          "first",     "input",  "outputs", "x",
        "x_",     "load",     "kernels",      "pass",      "x__y__", "pthread_"};
    fixture *f = *state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        for (int python = 0; python < 2; ++python) {
            sg_nameset set;
            sg_nameset_init(&set, &f->arena);
            const char *names[6];
            sg_nameset_add(&set, sg_arena_printf(&f->arena, "%s_", words[i]), 0);
            for (int n = 0; n < 6; ++n) {
                names[n] = python ? sg_symbols_python_kernel(&set, words[i])
                                  : sg_symbols_param(&set, words[i]);
                assert_null(sg_name_param_problem(names[n]));
                for (int k = 0; k < n; ++k) {
                    assert_string_not_equal(names[n], names[k]);
                }
            }
        }
    }
}

static void helpers_keep_clear_of_symbols(void **state)
{
    fixture *f = *state;
    const char *const symbols[] = {"a", "a_run", "b", "b_rowspan", "c", "c_block12", "c_1", "d"};
    const char **prefixes = sg_symbols_prefixes(&f->arena, symbols, 8);
    assert_string_equal(prefixes[0], "a_1");
    assert_string_equal(prefixes[1], "a_run");
    assert_string_equal(prefixes[2], "b");
    assert_string_equal(prefixes[4], "c_2");
    assert_string_equal(prefixes[6], "c_1");
    assert_string_equal(prefixes[7], "d");
    assert_true(sg_symbols_is_helper("run"));
    assert_true(sg_symbols_is_helper("row12"));
    assert_true(sg_symbols_is_helper("vector"));
    for (int isa = 0; isa < SG_ISA_COUNT; ++isa) {
        assert_true(sg_symbols_is_helper(sg_isa_get((sg_isa)isa)->name));
    }
    assert_true(sg_symbols_is_helper("first"));
    assert_true(sg_symbols_is_helper("copy"));
    assert_true(sg_symbols_is_helper("avx512_feed_stream"));
    assert_true(sg_symbols_is_helper("avx512_own_stream"));
    assert_true(sg_symbols_is_helper("avx2_feed_stream"));
    assert_true(sg_symbols_is_helper("group1_vbmi"));
    assert_true(sg_symbols_is_helper("bits"));
    assert_false(sg_symbols_is_helper("runs"));
    assert_false(sg_symbols_is_helper("run_time"));
    assert_false(sg_symbols_is_helper("row_"));
    assert_false(sg_symbols_is_helper(""));
}

static void parameters_give_way(void **state)
{
    fixture *f = *state;
    sg_nameset set;
    sg_nameset_init(&set, &f->arena);
    assert_string_equal(sg_symbols_param(&set, "q"), "q");
    assert_string_equal(sg_symbols_param(&set, "q"), "q_");
    assert_string_equal(sg_symbols_param(&set, "row"), "row_");
    assert_string_equal(sg_symbols_param(&set, "memcpy"), "memcpy_");
    assert_string_equal(sg_symbols_param(&set, "outputs"), "outputs_");
}

static void python_names_are_no_keywords(void **state)
{
    fixture *f = *state;
    sg_nameset set;
    sg_nameset_init(&set, &f->arena);
    assert_string_equal(sg_symbols_python_kernel(&set, "q"), "q");
    assert_string_equal(sg_symbols_python_kernel(&set, "lambda"), "lambda_");
    assert_string_equal(sg_symbols_python_kernel(&set, "lambda_"), "lambda_2");
    assert_string_equal(sg_symbols_python_kernel(&set, "load"), "load_");
    assert_string_equal(sg_symbols_python_kernel(&set, "slice"), "slice_");
    assert_string_equal(sg_symbols_python_output(&set, "slice"), "slice");
    assert_string_equal(sg_symbols_python_output(&set, "yield"), "yield_");
}

static void macros_do_not_repeat(void **state)
{
    fixture *f = *state;
    sg_nameset set;
    sg_nameset_init(&set, &f->arena);
    assert_string_equal(sg_symbols_macro(&set, "a", "b_c"), "A_B_C");
    assert_string_equal(sg_symbols_macro(&set, "a_b", "c"), "A_B_C_2");
    assert_string_equal(sg_symbols_macro(&set, "a", "Q"), "A_Q");
    assert_string_equal(sg_symbols_macro(&set, "a", "q"), "A_Q_2");
    /* A_X_BYTE_OFFSET would be x's byte offset and x_byte's offset. */
    assert_string_equal(sg_symbols_macro(&set, "a", "x"), "A_X");
    assert_string_equal(sg_symbols_macro(&set, "a", "x_byte"), "A_X_BYTE_2");
    assert_string_equal(sg_symbols_macro(&set, "a", "y_byte"), "A_Y_BYTE");
    assert_string_equal(sg_symbols_macro(&set, "a", "y"), "A_Y_2");
}

/* --- the model -------------------------------------------------------------------------------- */

static void cuts_programs_into_functions(void **state)
{
    fixture *f = *state;
    const sg_plan_options rolled = {.unroll = SG_UNROLL_NONE};
    const sg_plan_options full = {.unroll = SG_UNROLL_FULL};
    add_kernel(f, "rolled", SG_DTYPE_U8, 500, (int64_t[]){1, 2, -1}, &rolled);
    add_kernel(f, "loop", SG_DTYPE_U8, 501, (int64_t[]){1, 2, -1}, NULL);
    add_kernel(f, "full", SG_DTYPE_U8, 100, (int64_t[]){1, 2, -1}, &full);
    add_kernel(f, "once", SG_DTYPE_U8, 1, (int64_t[]){1, 2, -1}, NULL);
    const sg_model *model = sg_model_build(&f->arena, &f->unit);

    /* One row in an iteration: the loop and run_rows share the function. */
    const sg_model_kernel *k = &model->kernels[0];
    assert_string_equal(k->rows_form, "loop");
    assert_int_equal(k->nfunctions, 1);
    assert_string_equal(k->functions[0]->symbol, "rolled_row");
    assert_true(k->functions[0]->is_inline);
    assert_ptr_equal(k->iteration_parts[0], k->functions[0]);

    /* Several rows in an iteration, and the remaining ones one by one. */
    k = &model->kernels[1];
    assert_true(k->plan->iteration.rows > 1);
    assert_int_equal(k->nfunctions, 2);
    assert_string_equal(k->iteration_parts[0]->symbol, "loop_iteration");
    assert_int_equal(k->iteration_parts[0]->rows, k->plan->iteration.rows);
    assert_string_equal(k->row_parts[0]->symbol, "loop_row");

    /* Straight-line code in separate functions. */
    k = &model->kernels[2];
    assert_true(k->niteration_parts > 1);
    assert_int_equal(k->niteration_parts, k->plan->iteration.nblocks);
    assert_string_equal(k->iteration_parts[1]->symbol, "full_block1");
    assert_false(k->iteration_parts[1]->is_inline);
    assert_int_equal(k->iteration_parts[1]->noutputs, 2);
    assert_string_equal(k->iteration_parts[1]->outputs[0]->symbol, "a");
    assert_string_equal(k->iteration_parts[1]->outputs[1]->symbol, "b");

    k = &model->kernels[3];
    assert_string_equal(k->rows_form, "once");
    assert_int_equal(k->nfunctions, 0);
}

/* Changes the printed form of one constant: one character of a literal, one value of an array. */
static void misspell(fixture *f, sg_model_constant *c)
{
    if (c->is_array) {
        int64_t *values = SG_NEW_ARRAY(&f->arena, int64_t, c->nvalues);
        memcpy(values, c->values, (size_t)c->nvalues * sizeof *values);
        values[c->nvalues - 1] = values[c->nvalues - 1] == 0;
        c->values = values;
        return;
    }
    const bool half = strcmp(c->literal, "lo") == 0 || strcmp(c->literal, "hi") == 0;
    char *literal = sg_arena_printf(&f->arena, "%s", c->literal);
    char *last = literal + strlen(literal) - 1;
    while (*last == 'L' || *last == 'U') {
        --last;
    }
    *last = *last == '0' ? '1' : '0';
    c->literal = !half ? literal : c->literal[0] == 'l' ? "hi" : "lo";
}

/* Constants of every instruction set and of elements of every size, as they are printed. */
static void what_constants_say_is_checked(void **state)
{
    fixture *f = *state;
    static const sg_dtype dtypes[] = {SG_DTYPE_U8, SG_DTYPE_U16, SG_DTYPE_F32, SG_DTYPE_F64};
    const sg_plan_options all = {.isas = (UINT32_C(1) << SG_ISA_COUNT) - 1};
    int sizes = 0;
    for (int d = 0; d < 4; ++d) {
        add_kernel(f, "k", dtypes[d], 1000, (int64_t[]){1, 1, 1, -1}, &all);
        add_kernel(f, "l", dtypes[d], 1000, (int64_t[]){1, 1, 1, 1, -1}, &all);
        const sg_model *model = sg_model_build(&f->arena, &f->unit);
        f->unit.count = 0;
        for (int64_t b = 0; b < model->kernels[0].nbodies + model->kernels[1].nbodies; ++b) {
            const int64_t first = model->kernels[0].nbodies;
            const sg_model_body *body =
                b < first ? &model->kernels[0].bodies[b] : &model->kernels[1].bodies[b - first];
            const sg_code *from = &body->from->codes[0];
            const sg_model_code *code = &body->codes[0];
            for (int64_t i = 0; i < code->ninsns; ++i) {
                const sg_model_vector_insn *insn = &code->insns[i];
                assert_true(sg_model_moves_as(body->from, from, insn, code->constants));
                if (insn->proved->constant >= 0) {
                    sg_model_constant *c = &code->constants[insn->proved->constant];
                    const sg_model_constant good = *c;
                    misspell(f, c);
                    assert_false(sg_model_moves_as(body->from, from, insn, code->constants));
                    *c = good;
                    sizes |= (int)body->from->lane_bytes;
                }
            }
        }
        assert_false(model->kernels[0].is_misspelled || model->kernels[1].is_misspelled);
    }
    assert_int_equal(sizes, 1 | 2 | 4 | 8);
}

static void shares_shapes(void **state)
{
    fixture *f = *state;
    add_kernel(f, "k", SG_DTYPE_U8, 4, (int64_t[]){2, 2, 3, 2, -1}, NULL);
    const sg_model_kernel *k = &sg_model_build(&f->arena, &f->unit)->kernels[0];
    assert_int_equal(k->ndims_table, 4); /* the strides of all views share one row of it */
    assert_int_equal(k->outputs[0].dims_row, 1);
    assert_int_equal(k->outputs[1].dims_row, 1);
    assert_int_equal(k->outputs[2].dims_row, 3);
    assert_int_equal(k->outputs[3].dims_row, 1);
    assert_int_equal(k->outputs[0].strides_row, 2);
    assert_int_equal(k->outputs[3].strides_row, 2);
}

/* --- the built-in templates ------------------------------------------------------------------- */

static const char *kernel_text(fixture *f)
{
    assert_true(render_named(f, "kernel.c.tmpl"));
    return f->out.ptr;
}

static void prints_offsets_in_elements(void **state)
{
    fixture *f = *state;
    add_kernel(f, "k", SG_DTYPE_F32, 2, (int64_t[]){2, 4, -1}, NULL);
    const char *text = kernel_text(f);
    assert_non_null(strstr(
        text, "static void k_all(const float *SPLITGEN_RESTRICT data, float *SPLITGEN_RESTRICT a,\n"
              "                  float *SPLITGEN_RESTRICT b)\n"
              "{\n"
              "    /* a: data[:, 0:2] */\n"
              "    splitgen_put(a + 0, data + 0,  8);\n"
              "    splitgen_put(a + 2, data + 6,  8);\n"
              "    /* b: data[:, 2:6] */\n"
              "    splitgen_put(b + 0, data + 2, 16);\n"
              "    splitgen_put(b + 4, data + 8, 16);\n"
              "}\n"));
    assert_non_null(strstr(text, "void k(const float *SPLITGEN_RESTRICT data, "
                                 "float *SPLITGEN_RESTRICT a, float *SPLITGEN_RESTRICT b)\n"
                                 "{\n"
                                 "    k_all(data, a, b);\n"
                                 "}\n"));
    assert_non_null(strstr(text, "    k_all((const float *)input, (float *)outputs[0], "
                                 "(float *)outputs[1]);\n"));
    assert_non_null(
        strstr(text, "    PART(\"b\", F32, 2, k_dims[3], 32, 4, STRIDED, 8, k_dims[2], false)\n"));
}

static void prints_moves_and_calls(void **state)
{
    fixture *f = *state;
    add_kernel(f, "k", SG_DTYPE_I16, 2, (int64_t[]){1, 9000, -1}, NULL);
    const char *text = kernel_text(f);
    assert_non_null(strstr(text, "    a[1] = data[9001];\n"));
    assert_non_null(strstr(text, "    splitgen_copy(b + 9000, data + 9002, 18000);\n"));
    assert_null(strstr(text, "PTRDIFF_MAX"));
}

static void continues_behind_a_loop(void **state)
{
    fixture *f = *state;
    add_kernel(f, "k", SG_DTYPE_U8, 501, (int64_t[]){1, 2, -1}, NULL);
    const char *text = kernel_text(f);
    assert_non_null(strstr(text, "k_iteration(data + row * 3, a + row, b + row * 2);"));
    assert_non_null(strstr(text, "    SPLITGEN_ROWS(row, SPLITGEN_REST(first, last, 8), last) {\n"
                                 "        splitgen_put_byte(a + row, data + row * 3);\n"));
}

static void counts_pointers_for_the_target(void **state)
{
    fixture *f = *state;
    add_kernel(f, "k", SG_DTYPE_STRING, 2, (int64_t[]){1, 3, -1}, NULL);
    const char *text = kernel_text(f);
    assert_non_null(strstr(text, "const char *const *SPLITGEN_RESTRICT data"));
    assert_non_null(strstr(text, "const char **SPLITGEN_RESTRICT b"));
    assert_non_null(strstr(text, ", 3 * sizeof(const char *));\n"));
    assert_non_null(strstr(text, "k_dims[0], 8 * sizeof(const char *), 4),"));
    assert_null(strstr(text, "_has_"));
}

static void survives_hostile_names(void **state)
{
    fixture *f = *state;
    const sg_plan *plan = add_kernel(f, "k", SG_DTYPE_U8, 2, (int64_t[]){1, 2, -1}, NULL);
    plan->split->parts[0].name = "*/ /* \"\\\n\xff?"
                                 "?/";
    const char *text = kernel_text(f);
    assert_non_null(strstr(text, "a  is '* / / * \"\\? ? ? ?/'"));
    assert_non_null(strstr(text, "(\"*/ /* \\\"\\\\\\012\\377\\?\\?/\", U8,"));
    assert_true(render_named(f, "plan.json.tmpl"));
    assert_non_null(strstr(f->out.ptr, "\"name\": \"*/ /* \\\"\\\\\\n"));
}

static void places_and_exports(void **state)
{
    fixture *f = *state;
    add_kernel(f, "k", SG_DTYPE_U8, 1, (int64_t[]){1, 2, -1}, NULL);
    set_text(f, "export_macro", "API");
    set_text(f, "section", ".fast");
    const char *text = kernel_text(f);
    assert_non_null(strstr(text, "#define KERNELS_SECTION __attribute__((section(\".fast\")))"));
    assert_non_null(strstr(text, "\nSPLITGEN_EXTERN API KERNELS_SECTION void k("));
    assert_non_null(strstr(text, "\nSPLITGEN_EXTERN API const splitgen_kernel k_kernel;"));
    assert_non_null(strstr(text, "static KERNELS_SECTION void k_run("));
    assert_true(render_named(f, "header.h.tmpl"));
    assert_non_null(strstr(f->out.ptr, "\nAPI void k("));
}

static bool is_imported(const char *name)
{
    static const char *const names[] = {"functions.c.tmpl",   "steps.c.tmpl",     "stores.c.tmpl",
                                        "statements.c.tmpl",  "frame.c.tmpl",     "bits.c.tmpl",
                                        "choices.c.tmpl",     "loops.c.tmpl",     "json.tmpl",
                                        "json_document.tmpl", "kernel.json.tmpl", "svg.tmpl",
                                        "told.txt.tmpl"};
    bool imported = strncmp(name, "spell_", strlen("spell_")) == 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        imported = imported || strcmp(name, names[i]) == 0;
    }
    return imported;
}

static void renders_every_built_in(void **state)
{
    fixture *f = *state;
    add_kernel(f, "k", SG_DTYPE_U8, 3, (int64_t[]){1, 0, 2, -1}, NULL);
    add_kernel(f, "empty", SG_DTYPE_F64, 0, (int64_t[]){1, 2, -1}, NULL);
    assert_true(sg_builtin_count > 0);
    for (size_t i = 0; i < sg_builtin_count; ++i) {
        const char *name = sg_builtins[i].name;
        assert_true(sg_builtins[i].len > 0);
        if (strstr(name, ".tmpl") != NULL) {
            assert_true(render_named(f, name));
            if (is_imported(name)) {
                assert_int_equal(f->out.len,
                                 0); /* only functions and descriptions of other kernels */
                continue;
            }
            assert_null(strstr(f->out.ptr, "${"));
            assert_null(strstr(f->out.ptr, " \n"));
            assert_int_equal(f->out.ptr[f->out.len - 1], '\n');
        }
    }
}

/* If a dimension is open, no template may print the expected number of rows as a bound: a call
 * says how many it has. (A loop over groups of bits once ended at the expected number.) */
static void counts_of_calls_are_no_bounds(void **state)
{
    static const char message[] = "'%s' of this %s is not known: a call says how many rows there "
                                  "are, which may be more or fewer";
    fixture *f = *state;
    sg_split *s = make_matrix_split(&f->arena, SG_DTYPE_U8, 1, (int64_t[]){1, 2, -1});
    s->name = "open";
    open_split(&f->arena, s, 0, 300);
    const sg_plan_options options = {0};
    sg_plan *plan = sg_plan_build(&f->arena, &f->diag, s, &options);
    assert_non_null(plan);
    f->plans[f->unit.count++] = plan;

    refuse(f, "${unit.kernels[1].rows}", 1, sg_arena_printf(&f->arena, message, "rows", "kernel"));
    assert_string_equal(render(f, "${unit.kernels[1].item_rows}"), "1");

    add_kernel(f, "fixed", SG_DTYPE_U8, 300, (int64_t[]){1, 2, -1}, NULL);
    assert_string_equal(render(f, "${unit.kernels[2].rows}"), "300");
}

static void prints_a_thousand_kernels(void **state)
{
    fixture *f = *state;
    const sg_plan *plan = add_kernel(f, "k", SG_DTYPE_F32, 2, (int64_t[]){2, 4, -1}, NULL);
    const int64_t count = 1000;
    const sg_plan **plans = SG_NEW_ARRAY(&f->arena, const sg_plan *, count);
    for (int64_t i = 0; i < count; ++i) {
        sg_plan *copy = SG_NEW(&f->arena, sg_plan);
        sg_split *split = SG_NEW(&f->arena, sg_split);
        *copy = *plan;
        *split = *plan->split;
        split->name = sg_arena_printf(&f->arena, "kernel%d", (int)i);
        copy->split = split;
        plans[i] = copy;
    }
    f->unit.plans = plans;
    f->unit.count = count;
    const char *text = kernel_text(f);
    assert_non_null(strstr(text, "void kernel999("));
    assert_string_equal(text + f->out.len - strlen(" */);\n"), " */);\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(copies_text),
        TEST(interpolates),
        TEST(runs_lua_lines),
        TEST(refuses_values),
        TEST(refuses_syntax),
        TEST(names_the_kernel),
        TEST(follows_calls_into_the_prelude),
        TEST(needs_its_texts),
        TEST(has_no_dangerous_globals),
        TEST(keeps_addresses_and_floats_out),
        TEST(walks_tables_in_order),
        TEST(freezes_globals),
        TEST(joins_and_wraps),
        TEST(wide_columns_are_laid_out),
        TEST(names_give_way),
        TEST(helpers_keep_clear_of_symbols),
        TEST(parameters_give_way),
        TEST(python_names_are_no_keywords),
        TEST(macros_do_not_repeat),
        TEST(cuts_programs_into_functions),
        TEST(what_constants_say_is_checked),
        TEST(shares_shapes),
        TEST(prints_offsets_in_elements),
        TEST(prints_moves_and_calls),
        TEST(continues_behind_a_loop),
        TEST(counts_pointers_for_the_target),
        TEST(survives_hostile_names),
        TEST(places_and_exports),
        TEST(renders_every_built_in),
        TEST(counts_of_calls_are_no_bounds),
        TEST(prints_a_thousand_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#undef TEST
}
