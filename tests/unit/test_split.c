/* Tests of split/: spellings of types, identifiers, the resolution of legal ops, and the few
 * messages that no spec can cause. All other messages are in tests/diag. A case is one line of
 * text, so spans can be asserted too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/checked.h"
#include "base/diag.h"
#include "split/dtype.h"
#include "split/names.h"
#include "split/nameset.h"
#include "split/op.h"
#include "split/resolve.h"

/* ---- cases as text -------------------------------------------------------------------------
 *
 *   KIND key=value ...   KIND: split onnx ovsplit ovvar concat onnxcat ovcat
 *     shape, lengths: numbers and '*', separated by commas; "shape=" is an empty list
 *         n=64? is an open dimension; 3*n=64? is one with 3 of n in an item
 *     axis: a number or {list}
 *     outputs: #count or names with commas, '_' unwanted, '?' unnamed; q/8 has a row stride,
 *         q! a mark, f32:2x3:q a tensor, whose dtype or dims may be missing
 *     inputs: the same */

typedef struct world {
    sg_arena arena;
    sg_diag diag;
    const sg_source *source;
} world;

static void world_init(world *w, const char *text)
{
    sg_arena_init(&w->arena);
    sg_diag_init(&w->diag, &w->arena);
    w->source = sg_source_new(&w->arena, "case", text, strlen(text));
}

static sg_span span_of(const world *w, const char *from, const char *to)
{
    return sg_span_make(w->source, (size_t)(from - w->source->text),
                        (size_t)(to - w->source->text));
}

static int64_t number(const char *from, const char *to)
{
    int64_t value = 0;
    assert_true(sg_parse_int64((sg_str){from, (size_t)(to - from)}, &value));
    return value;
}

static const char *until(const char *from, const char *to, char c)
{
    const char *p = memchr(from, c, (size_t)(to - from));
    return p == NULL ? to : p;
}

static int64_t count_items(const char *from, const char *to)
{
    int64_t count = from == to ? 0 : 1;
    for (const char *p = from; p < to; p++) {
        count += *p == ',';
    }
    return count;
}

/* A open dimension: "n=64?", "3*n=64?". */
static sg_op_num read_free(world *w, const char *from, const char *to)
{
    const char *star = until(from, to, '*');
    const char *name = star < to ? star + 1 : from;
    const char *eq = until(name, to, '=');
    sg_op_num dim =
        sg_op_open_dim(&w->arena, sg_arena_strndup(&w->arena, name, (size_t)(eq - name)),
                       number(eq + 1, to - 1), span_of(w, from, to));
    dim.value = star < to ? number(from, star) : 1;
    return dim;
}

static sg_op_list read_list(world *w, const char *from, const char *to)
{
    sg_op_list list = {.present = true, .span = span_of(w, from, to)};
    list.count = count_items(from, to);
    list.items = SG_NEW_ARRAY(&w->arena, sg_op_num, list.count);
    for (int64_t i = 0; i < list.count; i++) {
        const char *end = until(from, to, ',');
        if (end > from && end[-1] == '?') {
            list.items[i] = read_free(w, from, end);
        } else {
            bool rest = *from == '*';
            list.items[i] = (sg_op_num){.value = rest ? -1 : number(from, end),
                                        .rest = rest,
                                        .span = span_of(w, from, end)};
        }
        from = end + 1;
    }
    return list;
}

static sg_op_int read_int(world *w, const char *from, const char *to)
{
    return (sg_op_int){true, number(from, to), span_of(w, from, to)};
}

static sg_op_text read_text(world *w, const char *from, const char *to)
{
    const char *text = sg_arena_strndup(&w->arena, from, (size_t)(to - from));
    return (sg_op_text){true, text, span_of(w, from, to)};
}

/* Reads "f32:2x3:" before the name of an input; returns the rest. */
static const char *read_tensor(world *w, sg_op_output *item, const char *from, const char *to)
{
    const char *first = until(from, to, ':');
    const char *second = first < to ? until(first + 1, to, ':') : to;
    if (second == to) {
        return from;
    }
    if (first > from) {
        item->dtype = read_text(w, from, first);
    }
    char *dims = sg_arena_strndup(&w->arena, first + 1, (size_t)(second - first - 1));
    item->shape = (sg_op_list){.present = strcmp(dims, "none") != 0,
                               .items = SG_NEW_ARRAY(&w->arena, sg_op_num, 9),
                               .span = span_of(w, first + 1, second)};
    for (const char *at = first + 1; item->shape.present && at < second;) {
        const char *end = until(at, second, 'x');
        sg_op_num *dim = &item->shape.items[item->shape.count++];
        *dim = end[-1] == '?' ? read_free(w, at, end)
                              : (sg_op_num){.value = number(at, end), .span = span_of(w, at, end)};
        at = end + 1;
    }
    return second + 1;
}

/* Removes the mark and the stride from the end of a part. */
static const char *read_place(world *w, sg_op_output *item, const char *from, const char *to)
{
    const char *slash = until(from, to, '/');
    if (slash < to) {
        item->row_stride = read_int(w, slash + 1, to);
        to = slash;
    }
    if (to > from && to[-1] == '!') {
        item->view = (sg_op_int){true, 1, span_of(w, to - 1, to)};
        to--;
    }
    return to;
}

static sg_op_outputs read_outputs(world *w, const char *from, const char *to)
{
    sg_op_outputs out = {.present = true, .span = span_of(w, from, to)};
    if (*from == '#') {
        out.is_count = true;
        out.count = number(from + 1, to);
        return out;
    }
    out.count = count_items(from, to);
    out.items = SG_NEW_ARRAY(&w->arena, sg_op_output, out.count);
    for (int64_t i = 0; i < out.count; i++) {
        const char *end = until(from, to, ',');
        sg_op_output *item = &out.items[i];
        item->span = span_of(w, from, end);
        const char *name = read_tensor(w, item, from, end);
        const char *stop = read_place(w, item, name, end);
        item->wanted = !(stop - name == 1 && *name == '_');
        if (item->wanted && !(stop - name == 1 && *name == '?')) {
            item->name = sg_arena_strndup(&w->arena, name, (size_t)(stop - name));
        }
        from = end + 1;
    }
    return out;
}

static void read_axis(world *w, sg_op *op, const char *from, const char *to)
{
    if (*from != '{') {
        op->axis = read_int(w, from, to);
        return;
    }
    sg_op_list list = read_list(w, from + 1, to - 1);
    op->axis = (sg_op_int){true, list.count > 0 ? list.items[0].value : 0, span_of(w, from, to)};
    op->axis_rank = 1;
    op->axis_count = list.count;
}

static void read_field(world *w, sg_op *op, const char *from, const char *to)
{
    const char *eq = until(from, to, '=');
    const char *value = eq + 1;
    sg_str key = {from, (size_t)(eq - from)};
    if (sg_str_eqz(key, "name")) {
        op->name = read_text(w, value, to);
    } else if (sg_str_eqz(key, "dtype")) {
        op->dtype = read_text(w, value, to);
    } else if (sg_str_eqz(key, "packing")) {
        op->packing = read_text(w, value, to);
    } else if (sg_str_eqz(key, "shape")) {
        op->shape = read_list(w, value, to);
    } else if (sg_str_eqz(key, "lengths")) {
        op->lengths = read_list(w, value, to);
    } else if (sg_str_eqz(key, "axis")) {
        read_axis(w, op, value, to);
    } else if (sg_str_eqz(key, "parts")) {
        op->parts = read_int(w, value, to);
    } else if (sg_str_eqz(key, "opset")) {
        op->opset = read_int(w, value, to);
    } else if (sg_str_eqz(key, "align")) {
        op->align = read_int(w, value, to);
    } else if (sg_str_eqz(key, "stride")) {
        op->row_stride = read_int(w, value, to);
    } else if (sg_str_eqz(key, "outputs") || sg_str_eqz(key, "inputs")) {
        op->outputs = read_outputs(w, value, to);
    } else {
        fail_msg("unknown field in a case: %s", from);
    }
}

static sg_op *read_op(world *w)
{
    static const char *const kinds[] = {"split",    "onnx",   "ovsplit", "ovvar", "family",
                                        "ovfamily", "concat", "onnxcat", "ovcat"};
    const char *text = w->source->text;
    const char *stop = text + w->source->len;
    const char *end = until(text, stop, ' ');
    sg_op_array ops = {0};
    sg_op *op = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (sg_str_eqz((sg_str){text, (size_t)(end - text)}, kinds[i])) {
            op = sg_op_new(&w->arena, &ops, (sg_op_kind)i, span_of(w, text, end));
        }
    }
    assert_non_null(op);
    while (end < stop) {
        const char *from = end + 1;
        end = until(from, stop, ' ');
        read_field(w, op, from, end);
    }
    return op;
}

/* "error `place`: message
 * " for each entry; an exit code other than 1 follows "error". */
static void print_diag(const sg_diag *diag, sg_buf *out)
{
    static const char *const severities[] = {"error", "warning", "note"};
    for (const sg_diag_entry *e = diag->first; e != NULL; e = e->next) {
        sg_str place = sg_span_text(e->span);
        assert_non_null(e->span.source);
        assert_null(strchr(e->message, '\n'));
        sg_buf_addz(out, severities[e->severity]);
        if (e->severity == SG_ERROR && e->exit != SG_EXIT_INPUT) {
            sg_buf_printf(out, "(%d)", (int)e->exit);
        }
        sg_buf_printf(out, " `%.*s`: %s\n", (int)place.len, place.ptr, e->message);
    }
}

/* " every 16 in 112": elements from row to row and bytes in all, for padded rows. */
static void print_rows(int64_t stride, int64_t width, int64_t bytes, sg_buf *out)
{
    if (stride != width) {
        sg_buf_printf(out, " every %lld in %lld", (long long)stride, (long long)bytes);
    }
}

/* "axis 1: q 0+3, k 3+3, - 6+2"; unwanted parts are '-'. If a dimension is open, followed by ";
 * 64 n at 0, parameter n, items of 32 bytes", and for each further number "; 7 t at 2, ...". */
static void print_split(const sg_split *split, sg_buf *out)
{
    sg_buf_printf(out, "%saxis %d", split->joins ? "joined, " : "", split->axis);
    print_rows(split->row_stride, split->dims[split->axis] * split->inner.factor, split->bytes,
               out);
    assert_true(split->bytes >= sg_split_bytes(split, split->elements));
    sg_buf_addz(out, ":");
    for (int64_t i = 0; i < split->nparts; i++) {
        const sg_part *part = &split->parts[i];
        sg_buf_printf(out, "%s %s %lld+%lld", i == 0 ? "" : ",", part->wanted ? part->name : "-",
                      (long long)part->start, (long long)part->length);
        print_rows(part->row_stride, part->length * split->inner.factor, part->bytes, out);
    }
    for (int o = 0; o < split->nopen; o++) {
        const sg_open *open = &split->open[o];
        sg_buf_printf(out, "; %lld %s at", (long long)open->expected, open->name);
        for (int d = 0; d < split->rank; d++) {
            for (int i = 0; i < sg_split_power(split, d, o); i++) {
                sg_buf_printf(out, " %d", d);
            }
        }
        sg_buf_printf(out, ", parameter %s, items of %lld bytes", open->c_name,
                      (long long)split->bytes);
    }
    assert_int_equal(split->outer.open || split->inner.open, split->nopen > 0);
    assert_true(split->nopen > 0 || sg_split_items(split) == 1);
    sg_buf_addz(out, "\n");
}

typedef struct rule_case {
    const char *text;
    const char *expected; /* the split if it is legal, and all diagnostics */
} rule_case;

static void check_case(const rule_case *c)
{
    world w;
    world_init(&w, c->text);
    sg_op *op = read_op(&w);
    const sg_split *split = sg_resolve(&w.arena, &w.diag, op, &(sg_resolve_options){.prefix = ""});
    sg_buf out = {0};
    sg_buf_addz(&out, "");
    if (split != NULL) {
        print_split(split, &out);
        assert_int_equal(w.diag.errors, 0);
        assert_ptr_equal(split->op, op);
    } else {
        assert_true(w.diag.errors > 0);
    }
    print_diag(&w.diag, &out);
    if (strcmp(out.ptr, c->expected) != 0) {
        print_error("case: %s\n", c->text);
        assert_string_equal(out.ptr, c->expected);
    }
    sg_buf_free(&out);
    sg_arena_free(&w.arena);
}

#define CHECK_CASES(cases)                                                                         \
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases)[0]; i++) {                                \
        check_case(&(cases)[i]);                                                                   \
    }

/* ---- the rules ----------------------------------------------------------------------------- */

static void split_lengths(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"split dtype=f32 shape=1,1024,2304 axis=-1 lengths=768,768,768 outputs=q,k,v",
         "axis 2: q 0+768, k 768+768, v 1536+768\n"},
        {"split dtype=f32 shape=6 lengths=6", "axis 0: out0 0+6\n"},
        {"split dtype=f32 shape=6,2 lengths=1,*,2", "axis 0: out0 0+1, out1 1+3, out2 4+2\n"},
        {"split dtype=f32 shape=6,2 axis=-2 lengths=-1,6", "axis 0: out0 0+0, out1 0+6\n"},
        {"split dtype=f32 shape=0,2 lengths=0,0", "axis 0: out0 0+0, out1 0+0\n"},
        {"split dtype=f32 shape=0,4 axis=1 lengths=1,3", "axis 1: out0 0+1, out1 1+3\n"},
        {"split dtype=f32 shape=6,2 lengths=6,0 outputs=_,b", "axis 0: - 0+6, b 6+0\n"},
    };
    CHECK_CASES(cases);
}

static void split_parts(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"split dtype=u8 shape=1080,1920,3 axis=2 parts=3",
         "axis 2: out0 0+1, out1 1+1, out2 2+1\n"},
        {"split dtype=u8 shape=6 parts=1", "axis 0: out0 0+6\n"},
        {"split dtype=u8 shape=0 parts=2 outputs=#2", "axis 0: out0 0+0, out1 0+0\n"},
        {"split dtype=u8 shape=1000000000000 parts=1000000000000",
         "error(5) `1000000000000`: 1000000000000 parts are more than splitgen makes of one "
         "tensor: 1000000\n"},
    };
    CHECK_CASES(cases);
}

static void shapes_and_axes(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"split dtype=u8 shape=2,-3,-1,* axis=0 lengths=1,2",
         "error `-3`: dimension 1 is -3: it must be 0 or more\n"
         "error `-1`: dimension 2 is -1: every dimension must be known when the kernel is "
         "generated, or be open, which is written free(\"n\")\n"
         "error `*`: dimension 3 is '*': every dimension must be known when the kernel is "
         "generated, or be open, which is written free(\"n\")\n"
         "error `1,2`: lengths sum to 3, but axis 0 has 2\n"
         "note `2,-3,-1,*`: the shape is given here\n"},
        {"split dtype=u8 shape=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
         "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,7 axis=63 lengths=3,4",
         "axis 63: out0 0+3, out1 3+4\n"},
        /* 2^40 x 2^40 wraps to 0 */
        {"split dtype=u8 shape=9223372036854775807 lengths=1,*",
         "axis 0: out0 0+1, out1 1+9223372036854775806\n"},
        {"split dtype=u16 shape=4611686018427387903 lengths=-1,1",
         "axis 0: out0 0+4611686018427387902, out1 4611686018427387902+1\n"},
    };
    CHECK_CASES(cases);
}

static void free_dimensions(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"split dtype=f32 shape=n=64?,4,8 axis=2 lengths=3,5",
         "axis 2: out0 0+3, out1 3+5; 64 n at 0, parameter n, items of 128 bytes\n"},
        {"split dtype=f32 shape=1,1,197*n=64?,8 axis=-1 parts=2",
         "axis 3: out0 0+4, out1 4+4; 64 n at 2, parameter n, items of 6304 bytes\n"},
        {"split dtype=f32 shape=n=64?,0,8 axis=2 parts=2",
         "axis 2: out0 0+4, out1 4+4; 64 n at 0, parameter n, items of 0 bytes\n"},
        {"onnx opset=18 dtype=f32 shape=n=1?,7 axis=1 parts=2",
         "axis 1: out0 0+4, out1 4+3; 1 n at 0, parameter n, items of 28 bytes\n"},
        {"ovvar dtype=f32 shape=n=2?,8 axis={1} lengths=2,-1",
         "axis 1: out0 0+2, out1 2+6; 2 n at 0, parameter n, items of 32 bytes\n"},
        /* a parameter beside outputs, the input and keywords */
        {"split dtype=u8 shape=n=2?,2 axis=1 parts=2 outputs=n,n_2",
         "axis 1: n 0+1, n_2 1+1; 2 n at 0, parameter n_3, items of 2 bytes\n"},
        {"split dtype=u8 shape=data=2?,2 axis=1 parts=2 outputs=data,data_",
         "axis 1: data 0+1, data_ 1+1; 2 data at 0, parameter data_3, items of 2 bytes\n"},
        {"split dtype=u8 shape=data=2?,2 axis=1 parts=2",
         "axis 1: out0 0+1, out1 1+1; 2 data at 0, parameter data_2, items of 2 bytes\n"},
        {"split dtype=u8 shape=batch-size=2?,2 axis=1 parts=2 outputs=batch_size,b",
         "axis 1: batch_size 0+1, b 1+1; 2 batch-size at 0, parameter batch_size_2, items of 2 "
         "bytes\n"},
        {"split dtype=u8 shape=1=2?,2 axis=1 parts=2",
         "axis 1: out0 0+1, out1 1+1; 2 1 at 0, parameter x1, items of 2 bytes\n"},
        {"split dtype=u8 shape=int=2?,2 axis=1 parts=2",
         "axis 1: out0 0+1, out1 1+1; 2 int at 0, parameter int_, items of 2 bytes\n"},
        /* packed elements: an item has whole bytes of each tensor */
        {"split dtype=u4 shape=n=2?,6 axis=1 lengths=2,4",
         "axis 1: out0 0+2, out1 2+4; 2 n at 0, parameter n, items of 3 bytes\n"},
        {"split dtype=u4 shape=n=2?,2,4 axis=2 lengths=1,3",
         "axis 2: out0 0+1, out1 1+3; 2 n at 0, parameter n, items of 4 bytes\n"},
        {"split dtype=u4 shape=n=2?,8 axis=1 lengths=1,4,3 outputs=_,a,_",
         "axis 1: - 0+1, a 1+4, - 5+3; 2 n at 0, parameter n, items of 4 bytes\n"},
        {"split dtype=u3 packing=planes shape=n=2?,16 axis=1 lengths=8,8",
         "axis 1: out0 0+8, out1 8+8; 2 n at 0, parameter n, items of 6 bytes\n"},
        /* positions of an open dimension */
        {"split dtype=f32 shape=1,4,n=64? axis=1 lengths=2,2",
         "axis 1: out0 0+2, out1 2+2; 64 n at 2, parameter n, items of 16 bytes\n"},
        {"split dtype=f32 shape=1,4,n=64?,8 axis=3 lengths=4,4",
         "axis 3: out0 0+4, out1 4+4; 64 n at 2, parameter n, items of 128 bytes\n"},
        {"split dtype=f32 shape=0,n=2?,8 axis=2 lengths=4,4",
         "axis 2: out0 0+4, out1 4+4; 2 n at 1, parameter n, items of 0 bytes\n"},
        {"split dtype=f32 shape=n=2?,m=3?,8 axis=2 lengths=4,4",
         "axis 2: out0 0+4, out1 4+4; 2 n at 0, parameter n, items of 32 bytes; 3 m at 1, "
         "parameter m, items of 32 bytes\n"},
        {"split dtype=f32 shape=5*n=2?,8,n=2?,time=3? axis=1 lengths=4,4",
         "axis 1: out0 0+4, out1 4+4; 2 n at 0 2, parameter n, items of 160 bytes; 3 time at 3, "
         "parameter time, items of 160 bytes\n"},
        /* if it follows the axis, every part has whole bytes */
        {"split dtype=u4 shape=8,n=2? axis=0 lengths=2,6",
         "axis 0: out0 0+2, out1 2+6; 2 n at 1, parameter n, items of 4 bytes\n"},
        {"split dtype=u3 packing=planes shape=16,n=2? axis=0 lengths=8,8",
         "axis 0: out0 0+8, out1 8+8; 2 n at 1, parameter n, items of 6 bytes\n"},
        /* the expected number */
        {"split dtype=u8 shape=n=9223372036854775807?,1 axis=1 lengths=1",
         "axis 1: out0 0+1; 9223372036854775807 n at 0, parameter n, items of 1 bytes\n"},
    };
    CHECK_CASES(cases);
}

static void dims_as_text(void **state)
{
    (void)state;
    world w;
    world_init(&w, "split dtype=u8 shape=1,n=2?,2 axis=2 parts=2");
    const sg_split *split =
        sg_resolve(&w.arena, &w.diag, read_op(&w), &(sg_resolve_options){.prefix = ""});
    assert_non_null(split);
    assert_string_equal(sg_split_dim_text(&w.arena, split, 0, 1), "1");
    assert_string_equal(sg_split_dim_text(&w.arena, split, 1, 1), "n");
    assert_string_equal(sg_split_dim_text(&w.arena, split, 1, 197), "197*n");
    assert_string_equal(sg_split_dim_text(&w.arena, split, 2, 2), "2");
    sg_arena_free(&w.arena);
}

static void types_and_alignment(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"split dtype=a\nb shape=2 parts=2",
         "error `a\nb`: unknown dtype 'a?b'; 'splitgen --help=types' lists them all\n"},
        {"ovvar dtype=f8e4m3 shape=2 axis=0 lengths=2", "axis 0: out0 0+2\n"},
        {"split dtype=f32 shape=2 parts=2 align=4", "axis 0: out0 0+1, out1 1+1\n"},
        {"split dtype=f32 shape=2 parts=2 align=4096", "axis 0: out0 0+1, out1 1+1\n"},
    };
    CHECK_CASES(cases);
}

static void outputs(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"split dtype=u8 shape=6 parts=3 outputs=a,_,c", "axis 0: a 0+2, - 2+2, c 4+2\n"},
        {"split dtype=u8 shape=6 parts=3 outputs=a,?,out1",
         "axis 0: a 0+2, out1_2 2+2, out1 4+2\n"},
    };
    CHECK_CASES(cases);
}

static void prefix(void **state)
{
    (void)state;
    static const struct {
        const char *prefix, *name, *symbol, *problem;
    } cases[] = {
        {"net_", "qkv", "net_qkv", NULL},
        {"net_", "int", "net_int", NULL},
        {"k", "3d", "k3d", NULL},
        {"net_", NULL, "net_stem", NULL},
        {"", NULL, "stem", NULL},
        {"9", "qkv", NULL, "kernel name '9qkv' starts with a digit; 'x9qkv' would do"},
        {"splitgen", NULL, NULL,
         "kernel name 'splitgenstem' starts with 'splitgen', which is reserved for the runtime; "
         "'x_splitgenstem' would do"},
        {"mem", "cpy", NULL, "kernel name 'memcpy' is a name of the C library; 'memcpy_' would do"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world w;
        world_init(&w, "split dtype=u8 shape=6 parts=1");
        sg_op *op = read_op(&w);
        op->default_name = "stem";
        if (cases[i].name != NULL) {
            op->name = (sg_op_text){true, cases[i].name, op->dtype.span};
        }
        const sg_split *split =
            sg_resolve(&w.arena, &w.diag, op, &(sg_resolve_options){.prefix = cases[i].prefix});
        if (cases[i].symbol != NULL) {
            assert_non_null(split);
            assert_string_equal(split->name, cases[i].symbol);
        } else {
            assert_null(split);
            assert_string_equal(w.diag.first->message, cases[i].problem);
            sg_span span = cases[i].name == NULL ? op->span : op->name.span;
            assert_int_equal(w.diag.first->span.begin, span.begin);
        }
        sg_arena_free(&w.arena);
    }
}

static void joined_parts(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"concat dtype=u8 shape=1080,1920,3 axis=2 lengths=1,1,1 inputs=r,g,b",
         "joined, axis 2: r 0+1, g 1+1, b 2+1\n"},
        {"concat dtype=f32 shape=6,2 lengths=1,*,2 inputs=a,_,?",
         "joined, axis 0: a 0+1, - 1+3, in2 4+2\n"},
        {"concat dtype=u4 shape=6,3 axis=-1 parts=3 inputs=#3",
         "joined, axis 1: in0 0+1, in1 1+1, in2 2+1\n"},
        {"concat dtype=f32 shape=n=4?,8 axis=1 parts=2 inputs=data,?",
         "joined, axis 1: data 0+4, in1 4+4; 4 n at 0, parameter n, items of 32 bytes\n"},
        {"concat dtype=f32 shape=6 parts=2 inputs=a,_!",
         "error `!`: an input that is not wanted has no view either: give it a name, or leave the "
         "mark out\n"},
        {"concat dtype=u8 shape=4000000 parts=2000000",
         "error(5) `2000000`: 2000000 parts are more than splitgen joins to one tensor: "
         "1000000\n"},
        {"concat dtype=f32 shape=6 parts=2 inputs=a.b,c",
         "joined, axis 0: a.b 0+3, c 3+3\n"
         "warning `a.b`: input name 'a.b' holds a character other than letters, digits and '_'; in "
         "C it is 'a_b'\n"},
    };
    CHECK_CASES(cases);
}

static void onnx_concat(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"onnxcat opset=13 axis=1 inputs=f32:2x3:a,float:2x5:b", "joined, axis 1: a 0+3, b 3+5\n"},
        {"onnxcat opset=11 axis=-2 inputs=i64:2x3:a,i64:0x3:?,int64:4x3:b",
         "joined, axis 0: a 0+2, in1 2+0, b 2+4\n"},
        {"onnxcat opset=13 axis=0 inputs=f32:7:x", "joined, axis 0: x 0+7\n"},
        {"onnxcat opset=1 inputs=f32:2x3:a,f32:2x5:b", "joined, axis 1: a 0+3, b 3+5\n"},
        {"onnxcat opset=3 inputs=f32:2x3:a", "joined, axis 1: a 0+3\n"},
        {"onnxcat opset=4 axis=-1 inputs=f32:2x3:a", "joined, axis 1: a 0+3\n"},
        /* the element types */
        {"onnxcat opset=1 axis=0 inputs=f16:2:a", "joined, axis 0: a 0+2\n"},
        {"onnxcat opset=4 axis=0 inputs=string:2:a", "joined, axis 0: a 0+2\n"},
        {"onnxcat opset=13 axis=0 inputs=bf16:2:a", "joined, axis 0: a 0+2\n"},
    };
    CHECK_CASES(cases);
}

static void openvino_concat(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"ovcat axis=-1 inputs=u4:2x3:a,u4:2x5:b", "joined, axis 1: a 0+3, b 3+5\n"},
        {"ovcat axis=0 inputs=u1:8:a", "joined, axis 0: a 0+8\n"},
    };
    CHECK_CASES(cases);
}

/* Properties that the inputs of a standard's Concat must share. */
static void concat_inputs(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"ovcat axis=1 inputs=f32:n=4?x3:a,f32:n=4?x5:b",
         "joined, axis 1: a 0+3, b 3+5; 4 n at 0, parameter n, items of 32 bytes\n"},
        {"ovcat axis=1 inputs=f32:n=4?x3:a,f32:3*n=4?x5:b",
         "error `3*n=4?`: input 2 ('b') has 3*n in dimension 0, but input 1 ('a') has n: only "
         "along axis 1 may they differ\n"
         "note `n=4?`: input 1 ('a') is given here\n"},
    };
    CHECK_CASES(cases);
}

/* Padded rows: the minimum stride, and the bytes from first to last. */
static void row_strides(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"split dtype=f32 shape=2,12 axis=1 lengths=4,8 stride=16 outputs=a/4,b/9",
         "axis 1 every 16 in 112: a 0+4, b 4+8 every 9 in 68\n"},
        {"concat dtype=u8 shape=4,6,3 axis=1 lengths=1,3,2 stride=20 inputs=r,g/12,_",
         "joined, axis 1 every 20 in 78: r 0+1, g 1+3 every 12 in 45, - 4+2\n"},
        {"onnxcat opset=13 axis=0 stride=9 inputs=f32:7:x/8",
         "joined, axis 0 every 9 in 28: x 0+7 every 8 in 28\n"},
        {"split dtype=u4 shape=3,5 axis=1 lengths=2,3 stride=7",
         "axis 1 every 7 in 10: out0 0+2, out1 2+3\n"},
        {"split dtype=f32 shape=0,8 axis=1 parts=2 stride=9 outputs=a/5,b",
         "axis 1 every 9 in 0: a 0+4 every 5 in 0, b 4+4\n"},
        {"split dtype=f32 shape=3,8 axis=1 lengths=0,8 outputs=a/5,b",
         "axis 1: a 0+0 every 5 in 0, b 0+8\n"},
        {"split dtype=f32 shape=n=4?,2,8 axis=2 parts=2 stride=9 outputs=a/5,b",
         "axis 2 every 9 in 68: a 0+4 every 5 in 36, b 4+4; 4 n at 0, parameter n, items of 68 "
         "bytes\n"},
        {"split dtype=f32 shape=2,12 axis=1 parts=2 outputs=a,_/9",
         "error `9`: an output that is not wanted has no rows: give it a name, or leave the row "
         "stride out\n"},
        {"split dtype=f32 shape=2,12,3*n=4? axis=1 parts=2 stride=99",
         "error `99`: the row stride of the whole is a number, but '3*n' after the axis is open, "
         "so "
         "the length of a row depends on the call; give it a number, or leave the stride out\n"},
        {"split dtype=f32 shape=2,12 axis=1 parts=2 stride=1152921504606846975",
         "axis 1 every 1152921504606846975 in 4611686018427387948: out0 0+6, out1 6+6\n"},
        /* packed elements */
        {"split dtype=u4 shape=n=2?,3 axis=1 lengths=2,1 stride=4 outputs=a,b/2",
         "axis 1 every 4 in 2: a 0+2, b 2+1 every 2 in 1; 2 n at 0, parameter n, items of 2 "
         "bytes\n"},
        {"split dtype=u3 packing=planes shape=2,16 axis=1 parts=2 stride=24 outputs=a/16,b",
         "axis 1 every 24 in 15: a 0+8 every 16 in 9, b 8+8\n"},
    };
    CHECK_CASES(cases);
}

static void onnx_versions(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        /* the axis */
        {"onnx opset=1 dtype=float shape=2,6 axis=1 lengths=2,4", "axis 1: out0 0+2, out1 2+4\n"},
        {"onnx opset=2 dtype=float shape=6 lengths=2,4", "axis 0: out0 0+2, out1 2+4\n"},
        {"onnx opset=2 dtype=float shape=2,6 axis=-1 lengths=2,4", "axis 1: out0 0+2, out1 2+4\n"},
        /* the lengths */
        {"onnx opset=13 dtype=float shape=6 lengths=0,6 outputs=_,b", "axis 0: - 0+0, b 0+6\n"},
        {"onnx opset=18 dtype=float shape=0 lengths=0,0,0",
         "axis 0: out0 0+0, out1 0+0, out2 0+0\n"},
        /* neither, below 18 */
        {"onnx opset=1 dtype=float shape=6 axis=0 outputs=#3",
         "axis 0: out0 0+2, out1 2+2, out2 4+2\n"},
        {"onnx opset=2 dtype=float shape=6 outputs=a,b", "axis 0: a 0+3, b 3+3\n"},
        {"onnx opset=13 dtype=float shape=0 outputs=#2", "axis 0: out0 0+0, out1 0+0\n"},
        {"onnx opset=12 dtype=float shape=6 outputs=#2000000",
         "error(5) `#2000000`: 2000000 parts are more than splitgen makes of one tensor: "
         "1000000\n"},
        {"onnx opset=18 dtype=float shape=6 parts=1000001",
         "error(5) `1000001`: 1000001 parts are more than splitgen makes of one tensor: "
         "1000000\n"},
        {"onnx opset=9223372036854775807 dtype=float shape=6 parts=2",
         "axis 0: out0 0+3, out1 3+3\n"},
        /* omitted trailing outputs */
        {"onnx opset=18 dtype=float shape=6 parts=3 outputs=#2",
         "axis 0: out0 0+2, out1 2+2, - 4+2\n"
         "warning `#2`: 2 of 3 parts have an output: chunks are of 2, by 'num_outputs', and would "
         "be of 3 by the number of outputs; say what is meant by the lengths in 'split'\n"},
        {"onnx opset=18 dtype=float shape=3 parts=3 outputs=a",
         "axis 0: a 0+1, - 1+1, - 2+1\n"
         "warning `a`: 1 of 3 parts have an output: chunks are of 1, by 'num_outputs', and would "
         "be of 3 by the number of outputs; say what is meant by the lengths in 'split'\n"},
        {"onnx opset=18 dtype=float shape=2,1 axis=1 parts=2 outputs=a", "axis 1: a 0+1, - 1+0\n"},
    };
    CHECK_CASES(cases);
}

/* The public table: sizes as in the ONNX reference evaluator. */
static void onnx_uneven(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"onnx opset=18 dtype=float shape=7 parts=4",
         "axis 0: out0 0+2, out1 2+2, out2 4+2, out3 6+1\n"},
        {"onnx opset=18 dtype=float shape=8 parts=3", "axis 0: out0 0+3, out1 3+3, out2 6+2\n"},
        {"onnx opset=18 dtype=float shape=10 parts=4",
         "axis 0: out0 0+3, out1 3+3, out2 6+3, out3 9+1\n"},
        {"onnx opset=18 dtype=float shape=5 parts=4",
         "axis 0: out0 0+2, out1 2+2, out2 4+1, out3 5+0\n"
         "warning `4`: part 4 is empty: axis 0 has 5, and 3 chunks of 2 before the last part "
         "exceed "
         "it; give the lengths in 'split'\n"},
        {"onnx opset=18 dtype=float shape=9 parts=4",
         "axis 0: out0 0+3, out1 3+3, out2 6+3, out3 9+0\n"},
        {"onnx opset=18 dtype=float shape=3 parts=5",
         "axis 0: out0 0+1, out1 1+1, out2 2+1, out3 3+0, out4 3+0\n"
         "warning `5`: parts 4 to 5 are empty: axis 0 has 3, and 4 chunks of 1 before the last "
         "part exceed it; give the lengths in 'split'\n"},
        {"onnx opset=18 dtype=float shape=0 parts=3", "axis 0: out0 0+0, out1 0+0, out2 0+0\n"},
        {"onnx opset=18 dtype=uint8 shape=9223372036854775807 parts=3",
         "axis 0: out0 0+3074457345618258603, out1 3074457345618258603+3074457345618258603, out2 "
         "6148914691236517206+3074457345618258601\n"},
    };
    CHECK_CASES(cases);
}

static void openvino_split(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"ovsplit dtype=f32 shape=2,6 axis=1 parts=3", "axis 1: out0 0+2, out1 2+2, out2 4+2\n"},
        {"ovsplit dtype=FP16 shape=2,6 axis=-2 parts=2 outputs=_,b", "axis 0: - 0+1, b 1+1\n"},
        {"ovsplit dtype=f32 shape=0 axis=0 parts=2", "axis 0: out0 0+0, out1 0+0\n"},
        {"ovsplit dtype=f32 shape=6 axis=0 lengths=3,3 parts=2",
         "error `3,3`: openvino.Split makes equal parts: lengths need openvino.VariadicSplit\n"},
        {"ovsplit dtype=f32 shape=6 axis=0 parts=1000000000000",
         "error(5) `1000000000000`: 1000000000000 parts are more than splitgen makes of one "
         "tensor: 1000000\n"},
    };
    CHECK_CASES(cases);
}

static void openvino_variadic(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"ovvar dtype=f32 shape=2,6 axis=1 lengths=1,2,3",
         "axis 1: out0 0+1, out1 1+2, out2 3+3\n"},
        {"ovvar dtype=f32 shape=2,6 axis={-1} lengths=-1,2", "axis 1: out0 0+4, out1 4+2\n"},
        {"ovvar dtype=f32 shape=7 axis=0 lengths=3,4,-1", "axis 0: out0 0+3, out1 3+4, out2 7+0\n"},
        {"ovvar dtype=f32 shape=3 axis=0 lengths=1,-1,0,2",
         "axis 0: out0 0+1, out1 1+0, out2 1+0, out3 1+2\n"},
        {"ovvar dtype=f32 shape=0 axis=0 lengths=0", "axis 0: out0 0+0\n"},
        {"ovvar dtype=f32 shape=6 axis=0 parts=2 lengths=6",
         "error `2`: openvino.VariadicSplit takes 'split_lengths': 'num_splits' belongs to "
         "openvino.Split\n"},
    };
    CHECK_CASES(cases);
}

/* Every opset uses the latest schema up to it; shown by the types, which differ by schema. */
static void onnx_types(void **state)
{
    (void)state;
    static const struct {
        int opset, version;
    } opsets[] = {{1, 1},   {2, 2},   {3, 2},   {10, 2},  {11, 11}, {12, 11},
                  {13, 13}, {14, 13}, {17, 13}, {18, 18}, {19, 18}, {28, 18}};
    static const char *const always[] = {"f16", "f32", "f64"};
    static const char *const from2[] = {"u8",  "u16", "u32",  "u64",    "i8",  "i16",
                                        "i32", "i64", "bool", "string", "c64", "c128"};
    static const char *const from13[] = {"bf16"};
    for (size_t o = 0; o < sizeof opsets / sizeof opsets[0]; o++) {
        int accepted = 0;
        for (int d = 0; d < SG_DTYPE_COUNT; d++) {
            const char *name = sg_dtype_get((sg_dtype)d)->name;
            int since = 0;
            for (size_t i = 0; i < 3; i++) {
                since = strcmp(name, always[i]) == 0 ? 1 : since;
            }
            for (size_t i = 0; i < 12; i++) {
                since = strcmp(name, from2[i]) == 0 ? 2 : since;
            }
            since = strcmp(name, from13[0]) == 0 ? 13 : since;
            char text[200], expected[300];
            snprintf(text, sizeof text, "onnx opset=%d dtype=%s shape=4 axis=0 lengths=1,3",
                     opsets[o].opset, name);
            if (since == 0) {
                snprintf(expected, sizeof expected,
                         "error `%s`: no version of ONNX Split takes dtype '%s'\n", name, name);
            } else if (since > opsets[o].version) {
                snprintf(expected, sizeof expected,
                         "error `%s`: opset %d has Split-%d, which does not take dtype '%s'; "
                         "Split-%d does\n",
                         name, opsets[o].opset, opsets[o].version, name, since);
            } else {
                snprintf(expected, sizeof expected, "axis 0: out0 0+1, out1 1+3\n");
                accepted++;
            }
            check_case(&(rule_case){text, expected});
        }
        assert_int_equal(accepted, opsets[o].version == 1 ? 3 : opsets[o].version <= 11 ? 15 : 16);
    }
}

/* Sizes, alignment and products of every type. */
static void numbers_of_a_split(void **state)
{
    (void)state;
    for (int d = 0; d < SG_DTYPE_COUNT; d++) {
        const sg_dtype_info *info = sg_dtype_get((sg_dtype)d);
        char text[100];
        snprintf(text, sizeof text, "split dtype=%s shape=2,3,10,5 axis=2 lengths=1,0,7,2",
                 info->name);
        world w;
        world_init(&w, text);
        const sg_split *split =
            sg_resolve(&w.arena, &w.diag, read_op(&w), &(sg_resolve_options){.prefix = ""});
        assert_non_null(split);
        if (info->packed) {
            static const int64_t lengths[] = {1, 0, 7, 2};
            assert_int_equal(split->element_bits, info->bits);
            assert_int_equal(split->element_bytes, 1);
            assert_int_equal(split->align, 1);
            assert_int_equal(split->packing, SG_PACKING_LSB);
            assert_int_equal(split->elements, 300);
            assert_int_equal(split->bytes, (300 * info->bits + 7) / 8);
            for (int i = 0; i < 4; i++) {
                assert_int_equal(split->parts[i].elements, 30 * lengths[i]);
                assert_int_equal(split->parts[i].bytes, (30 * lengths[i] * info->bits + 7) / 8);
            }
        } else {
            int64_t size = info->bits / 8;
            assert_int_equal(split->packing, SG_PACKING_NONE);
            bool pair = strcmp(info->name, "c64") == 0 || strcmp(info->name, "c128") == 0;
            assert_int_equal(split->dtype, d);
            assert_int_equal(split->element_bytes, size);
            assert_int_equal(split->align, pair ? size / 2 : size);
            assert_int_equal(split->rank, 4);
            assert_int_equal(split->dims[2], 10);
            assert_int_equal(split->outer.factor, 6);
            assert_int_equal(split->inner.factor, 5);
            assert_int_equal(split->elements, 300);
            assert_int_equal(split->bytes, 300 * size);
            assert_int_equal(split->nparts, 4);
            static const int64_t lengths[] = {1, 0, 7, 2};
            for (int i = 0; i < 4; i++) {
                assert_int_equal(split->parts[i].length, lengths[i]);
                assert_int_equal(split->parts[i].elements, 30 * lengths[i]);
                assert_int_equal(split->parts[i].bytes, 30 * lengths[i] * size);
            }
        }
        sg_arena_free(&w.arena);
    }
}

/* The meaning of an op without and with `packing`. */
static void orders_of_packed_elements(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        sg_packing packing;
        int64_t bytes;
    } cases[] = {
        {"split dtype=u1 shape=4,3 lengths=4", SG_PACKING_LSB, 2},
        {"split dtype=u1 shape=4,3 lengths=4 packing=msb", SG_PACKING_MSB, 2},
        {"split dtype=u4 shape=3 lengths=1,2 packing=msb", SG_PACKING_MSB, 2},
        {"split dtype=i2 shape=5 lengths=1,4 packing=lsb", SG_PACKING_LSB, 2},
        {"split dtype=u6 shape=5 lengths=1,4", SG_PACKING_LSB, 4},
        {"split dtype=u6 shape=8 lengths=4,4 packing=planes", SG_PACKING_PLANES, 6},
        {"split dtype=u3 shape=2,16 axis=1 lengths=8,8 packing=planes", SG_PACKING_PLANES, 12},
        {"ovsplit dtype=BIN shape=2 axis=0 parts=2", SG_PACKING_MSB, 1},
        {"ovsplit dtype=u1 shape=2 axis=0 parts=2 packing=msb", SG_PACKING_MSB, 1},
        {"ovsplit dtype=u2 shape=2 axis=0 parts=2", SG_PACKING_LSB, 1},
        {"ovsplit dtype=u2 shape=2 axis=0 parts=2 packing=msb", SG_PACKING_MSB, 1},
        {"ovvar dtype=i4 shape=2 axis=0 lengths=2", SG_PACKING_LSB, 1},
        {"ovvar dtype=u3 shape=8 axis=0 lengths=8 packing=planes", SG_PACKING_PLANES, 3},
        {"split dtype=u3 shape=0,7 lengths=0 packing=planes", SG_PACKING_PLANES, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world w;
        world_init(&w, cases[i].op);
        const sg_split *split =
            sg_resolve(&w.arena, &w.diag, read_op(&w), &(sg_resolve_options){.prefix = ""});
        assert_non_null(split);
        assert_int_equal(split->packing, cases[i].packing);
        assert_int_equal(split->bytes, cases[i].bytes);
        sg_arena_free(&w.arena);
    }
}

static void promised_alignment(void **state)
{
    (void)state;
    world w;
    world_init(&w, "split dtype=f32 shape=2 parts=2 align=64");
    const sg_split *split =
        sg_resolve(&w.arena, &w.diag, read_op(&w), &(sg_resolve_options){.prefix = ""});
    assert_non_null(split);
    assert_int_equal(split->align, 64);
    sg_arena_free(&w.arena);
}

static void c_names_of_outputs(void **state)
{
    (void)state;
    static const struct {
        const char *outputs, *c_names;
    } cases[] = {
        {"q,k,v", "data:q,k,v"},
        {"?,?,?", "data:out0,out1,out2"},
        /* the one that is already an identifier keeps its name */
        {"a.b,a-b,a_b", "data:a_b_2,a_b_3,a_b"},
        {"int,class,memcpy", "data:int_,class_,memcpy_"},
        {"data,b,c", "data_:data,b,c"},
        {"data,data_,c", "data_2:data,data_,c"},
        {"data,data_,data_2", "data_3:data,data_,data_2"},
        {"data!,b,c", "data_:data,b,c"},
        {"3d,splitgen_x,__x", "data:x3d,x_splitgen_x,x"},
        {"int,int_,%", "data:int_2,int_,x"},
        {"_,_,q", "data:out0,out1,q"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world w;
        char text[200];
        snprintf(text, sizeof text, "split dtype=u8 shape=3 parts=3 outputs=%s", cases[i].outputs);
        world_init(&w, text);
        const sg_split *split =
            sg_resolve(&w.arena, &w.diag, read_op(&w), &(sg_resolve_options){.prefix = ""});
        assert_non_null(split);
        sg_buf out = {0};
        sg_buf_printf(&out, "%s:%s,%s,%s", split->data_name, split->parts[0].c_name,
                      split->parts[1].c_name, split->parts[2].c_name);
        assert_string_equal(out.ptr, cases[i].c_names);
        sg_buf_free(&out);
        sg_arena_free(&w.arena);
    }
}

/* A million parts are legal, and fast even if all names become the same identifier. */
static void the_most_parts(void **state)
{
    (void)state;
    world w;
    world_init(&w, "split dtype=u8 shape=1000000 parts=1000000");
    sg_op *op = read_op(&w);
    const sg_split *split = sg_resolve(&w.arena, &w.diag, op, &(sg_resolve_options){.prefix = ""});
    assert_non_null(split);
    assert_int_equal(split->nparts, 1000000);
    assert_string_equal(split->parts[999999].c_name, "out999999");
    sg_arena_free(&w.arena);

    /* one more is too many, also if every length is written */
    world_init(&w, "split dtype=u8 shape=0");
    op = read_op(&w);
    op->lengths = (sg_op_list){.present = true, .count = 1000001, .span = op->span};
    op->lengths.items = SG_NEW_ARRAY(&w.arena, sg_op_num, op->lengths.count);
    assert_null(sg_resolve(&w.arena, &w.diag, op, &(sg_resolve_options){.prefix = ""}));
    assert_int_equal(sg_diag_exit(&w.diag), SG_EXIT_BUDGET);
    sg_arena_free(&w.arena);

    enum { count = 20000 };
    char shape[100];
    snprintf(shape, sizeof shape, "split dtype=u8 shape=%d parts=%d", count, count);
    world_init(&w, shape);
    op = read_op(&w);
    op->outputs = (sg_op_outputs){.present = true, .count = count, .span = op->span};
    op->outputs.items = SG_NEW_ARRAY(&w.arena, sg_op_output, count);
    for (int i = 0; i < count; i++) {
        char *name = sg_arena_printf(&w.arena, "x%015d", 0);
        for (int bit = 0; bit < 15; bit++) {
            name[1 + bit] = (i >> bit & 1) != 0 ? '.' : '-';
        }
        op->outputs.items[i] = (sg_op_output){.name = name, .wanted = true, .span = op->span};
    }
    split = sg_resolve(&w.arena, &w.diag, op, &(sg_resolve_options){.prefix = ""});
    assert_non_null(split);
    assert_string_equal(split->parts[0].c_name, "x");
    assert_string_equal(split->parts[count - 1].c_name, "x_20000");
    sg_arena_free(&w.arena);
}

static void names_across_ops(void **state)
{
    (void)state;
    static const struct {
        const char *names[4];
        const char *expected;
    } cases[] = {
        {{"a", "b", "c"}, ""},
        {{"a", "a_kernel2", "kernel"}, ""},
        {{"a", "b", "a"},
         "error `2`: kernel name 'a' is used twice\nnote `0`: the first is here\n"},
        {{"a", "a", "a"},
         "error `1`: kernel name 'a' is used twice\nnote `0`: the first is here\n"
         "error `2`: kernel name 'a' is used twice\nnote `0`: the first is here\n"},
        {{"a", "a_kernel"},
         "error `1`: kernel name 'a_kernel' is also the descriptor of kernel 'a'\n"
         "note `0`: that kernel is here\n"},
        {{"a_kernel", "b", "a"},
         "error `0`: kernel name 'a_kernel' is also the descriptor of kernel 'a'\n"
         "note `2`: that kernel is here\n"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        world w;
        world_init(&w, "0123");
        sg_split splits[4];
        sg_op ops[4];
        sg_split *list[4];
        int64_t count = 0;
        for (; count < 4 && cases[c].names[count] != NULL; count++) {
            sg_span span = sg_span_make(w.source, (size_t)count, (size_t)count + 1);
            bool own = count % 2 == 0;
            ops[count] = (sg_op){.span = own ? sg_span_make(w.source, 0, 4) : span,
                                 .name = {own, cases[c].names[count], span}};
            splits[count] = (sg_split){.op = &ops[count], .name = cases[c].names[count]};
            list[count] = &splits[count];
        }
        bool ok = sg_resolve_names(&w.diag, list, count);
        sg_buf out = {0};
        sg_buf_addz(&out, "");
        print_diag(&w.diag, &out);
        assert_string_equal(out.ptr, cases[c].expected);
        assert_int_equal(ok, cases[c].expected[0] == '\0');
        sg_buf_free(&out);
        sg_arena_free(&w.arena);
    }
}

/* ---- compared with an independent implementation of the uneven rule
 * ------------------------------ */

static uint64_t next_random(uint64_t *seed)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *seed;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* As Python slices: size i = len(range(d)[i*c : (i+1)*c]), c the smallest chunk with n*c >= d. */
static void uneven_against_oracle(void **state)
{
    (void)state;
    uint64_t seed = 42;
    for (int run = 0; run < 3000; run++) {
        int d = (int)(next_random(&seed) % 60);
        int n = 1 + (int)(next_random(&seed) % 40);
        int c = 0;
        while (n * c < d) {
            c++;
        }
        char text[100];
        snprintf(text, sizeof text, "onnx opset=18 dtype=float shape=%d parts=%d", d, n);
        world w;
        world_init(&w, text);
        const sg_split *split =
            sg_resolve(&w.arena, &w.diag, read_op(&w), &(sg_resolve_options){.prefix = ""});
        assert_non_null(split);
        for (int i = 0; i < n; i++) {
            int size = 0;
            for (int at = i * c; at < (i + 1) * c && at < d; at++) {
                size++;
            }
            assert_int_equal(split->parts[i].length, size);
        }
        assert_int_equal(w.diag.warnings, (n - 1) * c > d); /* the last part is empty */
        sg_arena_free(&w.arena);
    }
}

/* ---- types, ops, names ---------------------------------------------------------------------- */

static void dtype_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *spelling, *name; /* NULL: unknown */
    } cases[] = {
        {"f32", "f32"},
        {"float", "f32"},
        {"tensor(float)", "f32"},
        {"FP32", "f32"},
        {"fp32", "f32"},
        {"F32", "f32"},
        {"FP16", "f16"},
        {"float16", "f16"},
        {"BF16", "bf16"},
        {"bfloat16", "bf16"},
        {"FP64", "f64"},
        {"tensor(double)", "f64"},
        {"I8", "i8"},
        {"int8", "i8"},
        {"U64", "u64"},
        {"tensor(uint64)", "u64"},
        {"BOOL", "bool"},
        {"bool", "bool"},
        {"boolean", "bool"},
        {"BOOLEAN", "bool"},
        {"BIN", "u1"},
        {"bin", "u1"},
        {"U1", "u1"},
        {"STRING", "string"},
        {"tensor(string)", "string"},
        {"complex64", "c64"},
        {"c128", "c128"},
        {"float8e4m3fn", "f8e4m3"},
        {"F8E4M3", "f8e4m3"},
        {"float8e5m2fnuz", "f8e5m2fnuz"},
        {"F8E8M0", "f8e8m0"},
        {"tensor(int4)", "i4"},
        {"NF4", "nf4"},
        {"F4E2M1", "f4e2m1"},
        {"uint2", "u2"},
        {"FLOAT6E2M3", "f6e2m3"},
        {"tensor(float6e3m2)", "f6e3m2"},
        {"ml_dtypes.float6_e2m3fn", "f6e2m3"},
        {"torch.uint7", "u7"},
        {"f8e4m3fn", "f8e4m3"},
        {"float8_e4m3fn", "f8e4m3"},
        {"ml_dtypes.float8_e4m3", "f8e4m3ieee"},
        {"float8_e3m4", "f8e3m4"},
        {"jnp.float8_e4m3b11fnuz", "f8e4m3b11fnuz"},
        {"torch.float8_e3m4", NULL},
        {"U6", "u6"},
        {"", NULL},
        {"Float", NULL},
        {"FLOAT", "f32"}, /* TensorProto.FLOAT */
        {"COMPLEX64", "c64"},
        {"TensorProto.INT64", "i64"},
        {"onnx.TensorProto.BFLOAT16", "bf16"},
        {"float32", "f32"},
        {"float64", "f64"},
        {"half", "f16"},
        {"single", "f32"},
        {"double", "f64"},
        {"short", "i16"},
        {"long", "i64"},
        {"ubyte", "u8"},
        {"str", "string"},
        {"bool_", "bool"},
        {"complex", "c128"},
        {"uint8_t", "u8"},
        {"float8_e4m3fn", "f8e4m3"},
        {"torch.float32", "f32"},
        {"torch.float", "f32"},
        {"torch.half", "f16"},
        {"torch.int", "i32"},
        {"torch.long", "i64"},
        {"torch.cfloat", "c64"},
        {"torch.uint3", "u3"},
        {"np.uint8", "u8"},
        {"np.byte", "i8"},
        {"np.int", "i64"},
        {"np.int_", "i64"},
        {"np.intc", "i32"},
        {"np.float", "f64"},
        {"np.float_", "f64"},
        {"np.cfloat", "c128"},
        {"numpy.int64", "i64"},
        {"jnp.bfloat16", "bf16"},
        {"jax.numpy.float16", "f16"},
        {"ml_dtypes.int4", "i4"},
        {"tf.float32", "f32"},
        {"tf.string", "string"},
        {"tensorflow.half", "f16"},
        {"ov.Type.f16", "f16"},
        {"<f4", "f32"},
        {"=f8", "f64"},
        {"|u1", "u8"},
        {">u1", "u8"}, /* a single byte has no order */
        {"<i4", "i32"},
        {"i4", "i4"}, /* i4 has 4 bits; NumPy's code counts bytes */
        {"<c16", "c128"},
        {"|b1", "bool"},
        {">f4", NULL},
        {"<f3", NULL},
        {"<", NULL},
        {"f4", NULL},
        {"int", NULL}, /* ambiguous */
        {"byte", NULL},
        {"uint", NULL},
        {"cfloat", NULL},
        {"np.f32", NULL},
        {"tf.f32", NULL},
        {"torch.", NULL},
        {"np.longdouble", NULL},
        {"LONG", NULL},
        {"Float32", NULL},
        {"Fp32", NULL},
        {"f3", NULL},
        {"f322", NULL},
        {"tensor(f32)", NULL},
        {"tensor(FP32)", NULL},
        {"tensor()", NULL},
        {"tensor(float", NULL},
        {"tensor", NULL},
        {"C64", NULL},
        {"F8E4M3FNUZ", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sg_dtype dtype = SG_DTYPE_COUNT;
        bool found = sg_dtype_find(sg_str_from(cases[i].spelling), &dtype);
        if (found != (cases[i].name != NULL)) {
            fail_msg("'%s' %s", cases[i].spelling, found ? "found" : "not found");
        }
        if (found) {
            assert_string_equal(sg_dtype_get(dtype)->name, cases[i].name);
        }
    }
}

/* Every type name in the table is found. */
static void dtype_table(void **state)
{
    (void)state;
    for (int d = 0; d < SG_DTYPE_COUNT; d++) {
        const sg_dtype_info *info = sg_dtype_get((sg_dtype)d);
        const char *spellings[] = {info->name, info->onnx, info->openvino};
        for (int i = 0; i < 3; i++) {
            sg_dtype found = SG_DTYPE_COUNT;
            if (spellings[i][0] != '\0') {
                assert_true(sg_dtype_find(sg_str_from(spellings[i]), &found));
                assert_int_equal(found, d);
            }
        }
        assert_int_equal(info->packed, info->bits % 8 != 0);
        assert_int_equal(info->onnx_enum == 0, info->onnx[0] == '\0');
    }
    assert_string_equal(sg_dtype_get(SG_DTYPE_C128)->c_type, "splitgen_c128");
    assert_string_equal(sg_dtype_get(SG_DTYPE_NF4)->id, "NF4");
    assert_int_equal(sg_dtype_get(SG_DTYPE_STRING)->kind, SG_DTYPE_KIND_PTR);
}

static void dtype_suggestions(void **state)
{
    (void)state;
    static const struct {
        const char *wrong;
        const char *near;
    } cases[] = {
        {"f23", "f32"},
        {"F32x", "f32"},
        {"bflaot16", "bfloat16"},
        {"bolean", "boolean"},
        {"float46", "float64"},
        {"Float32", "float32"},
        {"lonh", "long"},
        {"torch.flaot32", "torch.float32"},
        {"tf.flaot32", "tf.float32"},
        {"matrix", NULL},
        /* other digits mean another width */
        {"float63", NULL},
        {"float128", NULL},
        {"float3", NULL},
        {"uint24", NULL},
        {"int128", NULL},
        {"f33", NULL},
        {"np.float128", NULL},
        {"tf.f32", NULL},
        {"<f3", NULL},
    };
    sg_arena arena;
    sg_arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *near = sg_dtype_suggest(&arena, sg_str_from(cases[i].wrong));
        if (cases[i].near == NULL && near != NULL) {
            fail_msg("'%s' suggests '%s'", cases[i].wrong, near);
        }
        if (cases[i].near != NULL) {
            assert_non_null(near);
            assert_string_equal(near, cases[i].near);
        }
    }
    sg_arena_free(&arena);
}

/* Every spelling in a type's list is found, and no two types have the same one. */
static void dtype_lists(void **state)
{
    (void)state;
    for (int d = 0; d < SG_DTYPE_COUNT; d++) {
        sg_buf list = {0};
        sg_dtype_list((sg_dtype)d, &list);
        int64_t count = 0;
        for (const char *word = list.ptr; *word != '\0'; count++) {
            size_t len = strcspn(word, " ");
            sg_dtype found = SG_DTYPE_COUNT;
            if (!sg_dtype_find((sg_str){word, len}, &found) || (int)found != d) {
                fail_msg("'%.*s' is listed for '%s'", (int)len, word,
                         sg_dtype_get((sg_dtype)d)->name);
            }
            word += len;
            word += strspn(word, " ");
        }
        assert_true(count > 0);
        sg_buf_free(&list);
    }
    sg_buf unclear = {0};
    sg_dtype_list_unclear(&unclear);
    assert_string_equal(unclear.ptr, " byte int uint cfloat");
    sg_buf_free(&unclear);
}

static void ops(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    const sg_source *source = sg_source_new(&arena, "ops", "", 0);
    sg_op_array list = {0};
    for (int i = 0; i < 100; i++) {
        sg_span span = {source, (size_t)i, (size_t)i + 1};
        const sg_op *op = sg_op_new(&arena, &list, SG_OP_ONNX_SPLIT, span);
        assert_int_equal(list.count, i + 1);
        assert_ptr_equal(list.items[i], op);
    }
    for (int i = 0; i < 100; i++) {
        assert_int_equal(list.items[i]->span.begin, i);
        assert_int_equal(list.items[i]->kind, SG_OP_ONNX_SPLIT);
        assert_non_null(list.items[i]->default_name);
        assert_false(list.items[i]->dtype.present);
    }
    assert_string_equal(sg_op_kind_name(SG_OP_SPLIT), "split");
    assert_string_equal(sg_op_kind_name(SG_OP_ONNX_SPLIT), "onnx.Split");
    assert_string_equal(sg_op_kind_name(SG_OP_OPENVINO_SPLIT), "openvino.Split");
    assert_string_equal(sg_op_kind_name(SG_OP_OPENVINO_VARIADIC), "openvino.VariadicSplit");
    assert_string_equal(sg_op_kind_name(SG_OP_CONCAT), "concat");
    assert_string_equal(sg_op_kind_name(SG_OP_ONNX_CONCAT), "onnx.Concat");
    assert_string_equal(sg_op_kind_name(SG_OP_OPENVINO_CONCAT), "openvino.Concat");
    assert_string_equal(sg_op_part_word(SG_OP_CONCAT), "input");
    assert_string_equal(sg_op_part_word(SG_OP_SLICE_GROUP), "output");
    for (int kind = SG_OP_SPLIT; kind <= SG_OP_OPENVINO_CONCAT; kind++) {
        assert_int_equal(sg_op_joins((sg_op_kind)kind), kind >= SG_OP_CONCAT);
        assert_int_equal(sg_op_infers((sg_op_kind)kind), kind > SG_OP_CONCAT);
        assert_int_equal(sg_op_is_onnx((sg_op_kind)kind),
                         kind == SG_OP_ONNX_SPLIT || kind == SG_OP_ONNX_CONCAT);
        assert_int_equal(sg_op_is_openvino((sg_op_kind)kind),
                         kind == SG_OP_OPENVINO_SPLIT || kind == SG_OP_OPENVINO_VARIADIC ||
                             kind == SG_OP_OPENVINO_SLICE_GROUP || kind == SG_OP_OPENVINO_CONCAT);
    }
    assert_string_equal(sg_op_lengths_word(SG_OP_SPLIT), "lengths");
    assert_string_equal(sg_op_lengths_word(SG_OP_ONNX_SPLIT), "split");
    assert_string_equal(sg_op_lengths_word(SG_OP_OPENVINO_VARIADIC), "split_lengths");
    assert_string_equal(sg_op_parts_word(SG_OP_SPLIT), "parts");
    assert_string_equal(sg_op_parts_word(SG_OP_ONNX_SPLIT), "num_outputs");
    assert_string_equal(sg_op_parts_word(SG_OP_OPENVINO_SPLIT), "num_splits");
    sg_arena_free(&arena);
}

static void identifiers(void **state)
{
    (void)state;
    static const char *const fine[] = {"q",       "split_qkv", "Q9",     "total",  "top",
                                       "indices", "stream",    "a_",     "out0",   "Splitgen",
                                       "INT",     "int8",      "uints",  "mainly", "x_splitgen",
                                       "final",   "override",  "import", "data",   "strided"};
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        if (sg_name_problem(fine[i]) != NULL) {
            fail_msg("'%s' %s", fine[i], sg_name_problem(fine[i]));
        }
    }
    static const struct {
        const char *name, *why;
    } bad[] = {
        {"", "is empty"},
        {"0x", "starts with a digit"},
        {"a b", "holds a character other than letters, digits and '_'"},
        {"\303\244", "holds a character other than letters, digits and '_'"},
        {"auto", "is a keyword of C"},
        {"constexpr", "is a keyword of C"},
        {"typeof_unqual", "is a keyword of C"},
        {"restrict", "is a keyword of C"},
        {"bool", "is a keyword of C"},
        {"true", "is a keyword of C"},
        {"nullptr", "is a keyword of C"},
        {"co_await", "is a keyword of C++"},
        {"this", "is a keyword of C++"},
        {"char8_t", "is a keyword of C++"},
        {"asm", "is a keyword of C++"},
        {"main", "is the entry point of a program"},
        {"linux", "is a macro of some compilers"},
        {"memcpy", "is a name of the C library"},
        {"size_t", "is a name of the C library"},
        {"NULL", "is a name of the C library"},
        {"int64_t", "is a name of the C library"},
        {"uint_fast7_t", "is a name of the C library"},
        {"INT64_C", "is a name of the C library"},
        {"UINT8_MAX", "is a name of the C library"},
        {"INTPTR_MIN", "is a name of the C library"},
        {"INT16_WIDTH", "is a name of the C library"},
        {"sinf", "is a name of the C library"},
        {"log", "is a name of the C library"},
        {"_", "starts with '_', which is reserved"},
        {"_Exit", "starts with '_', which is reserved"},
        {"q__v", "contains '__', which is reserved in C++"},
        {"splitgen", "starts with 'splitgen', which is reserved for the runtime"},
        {"splitgenx", "starts with 'splitgen', which is reserved for the runtime"},
        {"SPLITGEN_OK", "starts with 'splitgen', which is reserved for the runtime"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *why = sg_name_problem(bad[i].name);
        if (why == NULL) {
            fail_msg("'%s' passes", bad[i].name);
        }
        assert_string_equal(why, bad[i].why);
    }
}

static void identifiers_from_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"qkv", "qkv"},
        {"/model/layer.0/attn", "model_layer_0_attn"},
        {"a  b", "a_b"},
        {"a..", "a"},
        {"a_", "a_"},
        {"a__b___c", "a_b_c"},
        {"", "x"},
        {"...", "x"},
        {"___", "x"},
        {"9lives", "x9lives"},
        {"_9", "x9"},
        {"int", "int_"},
        {"template", "template_"},
        {"memcpy", "memcpy_"},
        {"uint8_t", "uint8_t_"},
        {"INT8_MAX", "INT8_MAX_"},
        {"main", "main_"},
        {"splitgen", "x_splitgen"},
        {"SPLITGEN_OK", "x_SPLITGEN_OK"},
        {"_splitgen_", "x_splitgen_"},
        {"gr\303\266\303\237e", "gr_e"},
        {"\303\266", "x"},
    };
    sg_arena arena;
    sg_arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(sg_name_from(&arena, sg_str_from(cases[i].text)), cases[i].name);
    }
    assert_string_equal(sg_name_from_path(&arena, "dir/qkv.spec.lua"), "qkv_spec");
    assert_string_equal(sg_name_from_path(&arena, "qkv.lua"), "qkv");
    assert_string_equal(sg_name_from_path(&arena, "a.b/qkv"), "qkv");
    assert_string_equal(sg_name_from_path(&arena, "/x/.lua"), "lua");
    assert_string_equal(sg_name_from_path(&arena, "-"), "x");
    assert_string_equal(sg_name_from_path(&arena, "dir/"), "x");

    /* any bytes become a valid identifier */
    uint64_t seed = 7;
    static const char letters[] = "_ab9. splitgenintSPLITGEN_t\303\244";
    for (int run = 0; run < 20000; run++) {
        char text[24];
        size_t len = (size_t)(next_random(&seed) % sizeof text);
        for (size_t i = 0; i < len; i++) {
            text[i] = letters[next_random(&seed) % (sizeof letters - 1)];
        }
        const char *name = sg_name_from(&arena, (sg_str){text, len});
        if (sg_name_problem(name) != NULL) {
            fail_msg("'%.*s' became '%s', which %s", (int)len, text, name, sg_name_problem(name));
        }
    }
    sg_arena_free(&arena);
}

static void namesets(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    sg_nameset set;
    sg_nameset_init(&set, &arena);
    assert_null(sg_nameset_find(&set, "a"));
    for (int i = 0; i < 1000; i++) {
        sg_nameset_add(&set, sg_arena_printf(&arena, "n%d", i), i);
    }
    for (int i = 0; i < 1000; i++) {
        const sg_nameset_entry *entry = sg_nameset_find(&set, sg_arena_printf(&arena, "n%d", i));
        assert_non_null(entry);
        assert_int_equal(entry->value, i);
    }
    assert_null(sg_nameset_find(&set, "n1000"));
    sg_nameset_init(&set, &arena);
    assert_string_equal(sg_nameset_unique(&set, "a_2"), "a_2");
    assert_string_equal(sg_nameset_unique(&set, "a"), "a");
    assert_string_equal(sg_nameset_unique(&set, "a"), "a_3");
    assert_string_equal(sg_nameset_unique(&set, "b_"), "b_");
    assert_string_equal(sg_nameset_unique(&set, "b_"), "b_2");
    sg_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_lengths),
        cmocka_unit_test(split_parts),
        cmocka_unit_test(shapes_and_axes),
        cmocka_unit_test(free_dimensions),
        cmocka_unit_test(dims_as_text),
        cmocka_unit_test(types_and_alignment),
        cmocka_unit_test(outputs),
        cmocka_unit_test(prefix),
        cmocka_unit_test(joined_parts),
        cmocka_unit_test(onnx_concat),
        cmocka_unit_test(openvino_concat),
        cmocka_unit_test(concat_inputs),
        cmocka_unit_test(row_strides),
        cmocka_unit_test(onnx_versions),
        cmocka_unit_test(onnx_uneven),
        cmocka_unit_test(onnx_types),
        cmocka_unit_test(openvino_split),
        cmocka_unit_test(openvino_variadic),
        cmocka_unit_test(numbers_of_a_split),
        cmocka_unit_test(orders_of_packed_elements),
        cmocka_unit_test(promised_alignment),
        cmocka_unit_test(c_names_of_outputs),
        cmocka_unit_test(the_most_parts),
        cmocka_unit_test(names_across_ops),
        cmocka_unit_test(uneven_against_oracle),
        cmocka_unit_test(dtype_spellings),
        cmocka_unit_test(dtype_table),
        cmocka_unit_test(dtype_suggestions),
        cmocka_unit_test(dtype_lists),
        cmocka_unit_test(ops),
        cmocka_unit_test(identifiers),
        cmocka_unit_test(identifiers_from_text),
        cmocka_unit_test(namesets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
