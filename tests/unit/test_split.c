/* Tests of split/: spellings of types, identifiers, and every rule of every operator with its
 * message, its place and its exit code. Cases are one line of text each, so spans can be asserted
 * too. */
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
 *     shape, lengths: numbers and '*' by commas; nothing behind '=' is an empty list; n=64? is a
 * open dimension, 3*n=64? one that an item has 3 of axis: a number or {list}; outputs: #count or
 * names by commas, '_' unwanted, '?' unnamed; q/8 has a row stride, q! a mark, f32:2x3:q a tensor,
 * of which dtype or dims may be missing; inputs: the same */

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

/* "f32:2x3:" in front of the name of an input; what is behind it. */
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

/* Takes the mark and the stride from the end of a part. */
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
    static const char *const kinds[] = {"split",  "onnx",   "ovsplit", "ovvar",
                                        "family", "concat", "onnxcat", "ovcat"};
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

/* "error `place`: message\n" for each entry; another exit than 1 stands behind "error". */
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

/* " every 16 in 112": elements from row to row and bytes in all, of rows that do not lie dense. */
static void print_rows(int64_t stride, int64_t width, int64_t span, sg_buf *out)
{
    if (stride != width) {
        sg_buf_printf(out, " every %lld in %lld", (long long)stride, (long long)span);
    }
}

/* "axis 1: q 0+3, k 3+3, - 6+2" ; unwanted parts are '-'. Behind it, where a dimension is open,
 * "; 64 n at 0, parameter n, items of 32 bytes", and for each further number "; 7 t at 2, ...". */
static void print_split(const sg_split *split, sg_buf *out)
{
    sg_buf_printf(out, "%saxis %d", split->joins ? "joined, " : "", split->axis);
    print_rows(split->row_stride, split->dims[split->axis] * split->inner.factor, split->span, out);
    assert_true(split->span >= split->bytes || split->nopen > 0);
    sg_buf_addz(out, ":");
    for (int64_t i = 0; i < split->nparts; i++) {
        const sg_part *part = &split->parts[i];
        sg_buf_printf(out, "%s %s %lld+%lld", i == 0 ? "" : ",", part->wanted ? part->name : "-",
                      (long long)part->start, (long long)part->length);
        print_rows(part->row_stride, part->length * split->inner.factor, part->span, out);
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
    const char *expected; /* the split when it is legal, and all diagnostics */
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
        {"split dtype=f32 shape=1,1024,2304 axis=2 lengths=768,768,764",
         "error `768,768,764`: lengths sum to 2300, but axis 2 has 2304\n"
         "note `1,1024,2304`: the shape is given here\n"},
        {"split dtype=f32 shape=6 lengths=4,-1,3",
         "error `4,-1,3`: lengths exceed the axis: they sum to 7 before what remains, but axis 0 "
         "has 6\n"
         "note `6`: the shape is given here\n"},
        {"split dtype=f32 shape=6 lengths=-1,3,-1",
         "error `-1`: only one length may be -1 (what remains), but lengths 0 and 2 are\n"
         "note `-1`: the first is here\n"},
        {"split dtype=f32 shape=6 lengths=3,*,*",
         "error `*`: only one length may be '*' (what remains), but lengths 1 and 2 are\n"
         "note `*`: the first is here\n"},
        {"split dtype=f32 shape=6 lengths=-2,8",
         "error `-2`: length 0 is -2: a length is 0 or more, or -1 for what remains\n"},
        {"split dtype=f32 shape=6 lengths=9223372036854775807,1,-9223372036854775808",
         "error `1`: the lengths sum to more than 2^63 - 1 up to length 1\n"
         "error `-9223372036854775808`: length 2 is -9223372036854775808: a length is 0 or more, "
         "or -1 for what remains\n"},
        {"split dtype=f32 shape=6 lengths=",
         "error ``: 'lengths' is empty: a split has at least one part\n"},
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
        {"split dtype=u8 shape=6,2 parts=4",
         "error `4`: axis 0 has 6, which 4 does not divide; give 'lengths' for unequal parts\n"
         "note `6,2`: the shape is given here\n"},
        {"split dtype=u8 shape=6 parts=0", "error `0`: 'parts' must be at least 1, but is 0\n"},
        {"split dtype=u8 shape=6 parts=-9223372036854775808",
         "error `-9223372036854775808`: 'parts' must be at least 1, but is "
         "-9223372036854775808\n"},
        {"split dtype=u8 shape=1000000000000 parts=1000000000000",
         "error(5) `1000000000000`: 1000000000000 parts are more than splitgen makes of one "
         "tensor: 1000000\n"},
        {"split dtype=u8 shape=6 parts=2 lengths=3,3",
         "error `2`: give 'lengths' or 'parts', not both\n"
         "note `3,3`: 'lengths' is given here\n"},
        {"split dtype=u8 shape=6", "error `split`: give 'lengths' or 'parts': neither is there\n"},
        {"split dtype=u8 shape=6 outputs=#2",
         "error `#2`: give 'lengths' or 'parts': 'outputs' alone does not say how long a part "
         "is\n"},
    };
    CHECK_CASES(cases);
}

static void shapes_and_axes(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"split dtype=u8 lengths=1", "error `split`: 'shape' is missing\n"},
        {"split dtype=u8 shape= lengths=1",
         "error ``: the shape has rank 0: a scalar has no axis to split\n"},
        {"split dtype=u8 shape=2,-3,-1,* axis=0 lengths=1,2",
         "error `-3`: dimension 1 is -3: it must be 0 or more\n"
         "error `-1`: dimension 2 is -1: every dimension must be known when the kernel is "
         "generated, or be open, which is written free(\"n\")\n"
         "error `*`: dimension 3 is '*': every dimension must be known when the kernel is "
         "generated, or be open, which is written free(\"n\")\n"
         "error `1,2`: lengths sum to 3, but axis 0 has 2\n"
         "note `2,-3,-1,*`: the shape is given here\n"},
        {"split dtype=u8 shape=2,-3 axis=1 parts=7 outputs=#6",
         "error `-3`: dimension 1 is -3: it must be 0 or more\n"
         "error `#6`: 6 outputs are given, but 'parts' is 7\n"
         "note `7`: 'parts' is given here\n"},
        {"split dtype=u8 shape=2,3 axis=2 lengths=2",
         "error `2`: axis 2 is out of range: a shape of 2 dimensions has axes -2 to 1\n"
         "note `2,3`: the shape is given here\n"},
        {"split dtype=u8 shape=3 axis=-2 lengths=2",
         "error `-2`: axis -2 is out of range: a shape of 1 dimension has axes -1 to 0\n"
         "note `3`: the shape is given here\n"},
        {"split dtype=u8 shape=3 axis=9223372036854775807 lengths=3",
         "error `9223372036854775807`: axis 9223372036854775807 is out of range: a shape of 1 "
         "dimension has axes -1 to 0\n"
         "note `3`: the shape is given here\n"},
        {"split dtype=u8 shape=3 axis={0} lengths=3",
         "error `{0}`: 'axis' must be an integer, not a list; write axis = 0\n"},
        {"split dtype=u8 shape=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
         "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,7 axis=63 lengths=3,4",
         "axis 63: out0 0+3, out1 3+4\n"},
        {"split dtype=u8 shape=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
         "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 lengths=1",
         "error `1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
         "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1`: the shape has 65 dimensions, but "
         "may have 64\n"},
        /* 2^40 x 2^40 wraps to 0 */
        {"split dtype=u8 shape=1099511627776,1099511627776 parts=2",
         "error `1099511627776,1099511627776`: the product 1099511627776 x 1099511627776 is "
         "beyond 2^63 - 1 elements\n"},
        {"split dtype=u8 shape=1099511627776,0,1099511627776 parts=2 axis=1",
         "error `1099511627776,0,1099511627776`: the product 1099511627776 x 0 x 1099511627776 is "
         "beyond 2^63 - 1 elements (an empty dimension counts as 1, as in strides)\n"},
        {"split dtype=u8 shape=9223372036854775807 lengths=1,*",
         "axis 0: out0 0+1, out1 1+9223372036854775806\n"},
        {"split dtype=u16 shape=4611686018427387904 parts=2",
         "error `4611686018427387904`: 4611686018427387904 elements of 2 bytes are beyond 2^63 - 1 "
         "bytes\n"},
        {"split dtype=u16 shape=4611686018427387904,0 parts=2",
         "error `4611686018427387904,0`: 4611686018427387904 x 0 elements of 2 bytes are beyond "
         "2^63 - 1 bytes (an empty dimension counts as 1, as in strides)\n"},
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
        /* packed elements: whole bytes of each tensor in an item */
        {"split dtype=u4 shape=n=2?,6 axis=1 lengths=2,4",
         "axis 1: out0 0+2, out1 2+4; 2 n at 0, parameter n, items of 3 bytes\n"},
        {"split dtype=u4 shape=n=2?,2,4 axis=2 lengths=1,3",
         "axis 2: out0 0+1, out1 1+3; 2 n at 0, parameter n, items of 4 bytes\n"},
        {"split dtype=u4 shape=n=2?,8 axis=1 lengths=1,4,3 outputs=_,a,_",
         "axis 1: - 0+1, a 1+4, - 5+3; 2 n at 0, parameter n, items of 4 bytes\n"},
        {"split dtype=u3 packing=planes shape=n=2?,16 axis=1 lengths=8,8",
         "axis 1: out0 0+8, out1 8+8; 2 n at 0, parameter n, items of 6 bytes\n"},
        {"split dtype=u4 shape=n=2?,3 axis=1 lengths=2,1 outputs=a,_",
         "error `n=2?`: 'n' is open, but one of it is 3 elements of 4 bits in 'data', which are no "
         "whole bytes; give it a number\n"},
        {"split dtype=u1 shape=n=2?,8 axis=1 lengths=1,7 outputs=a,_",
         "error `n=2?`: 'n' is open, but one of it is 1 element of 1 bit in 'a', which are no "
         "whole bytes; give it a number\n"},
        {"split dtype=u3 packing=planes shape=n=2?,12 axis=1 lengths=8,4 outputs=a,_",
         "error `planes`: packing 'planes' keeps 8 elements of 'u3' in 3 bytes, but from one "
         "row of the whole to the next there are 12, so that begins within such a group; store it "
         "as 'lsb'\n"},
        /* where it may lie */
        {"split dtype=f32 shape=n=64?,4 axis=0 lengths=1",
         "error `n=64?`: the tensor is split along dimension 0, so its length must be known, but "
         "'n' is open; every other dimension may be; give it a number\n"},
        {"onnx opset=18 dtype=f32 shape=n=64?,4 axis=0 parts=2",
         "error `n=64?`: the tensor is split along dimension 0, so its length must be known, but "
         "'n' is open; every other dimension may be; give it a number\n"},
        {"split dtype=f32 shape=1,4,n=64? axis=1 lengths=2,2",
         "axis 1: out0 0+2, out1 2+2; 64 n at 2, parameter n, items of 16 bytes\n"},
        {"split dtype=f32 shape=1,4,n=64?,8 axis=3 lengths=4,4",
         "axis 3: out0 0+4, out1 4+4; 64 n at 2, parameter n, items of 128 bytes\n"},
        {"split dtype=f32 shape=-3,n=2?,8 axis=2 lengths=4,4",
         "error `-3`: dimension 0 is -3: it must be 0 or more\n"},
        {"split dtype=f32 shape=0,n=2?,8 axis=2 lengths=4,4",
         "axis 2: out0 0+4, out1 4+4; 2 n at 1, parameter n, items of 0 bytes\n"},
        {"split dtype=f32 shape=n=2?,m=3?,8 axis=2 lengths=4,4",
         "axis 2: out0 0+4, out1 4+4; 2 n at 0, parameter n, items of 32 bytes; 3 m at 1, "
         "parameter m, items of 32 bytes\n"},
        {"split dtype=f32 shape=5*n=2?,8,n=2?,time=3? axis=1 lengths=4,4",
         "axis 1: out0 0+4, out1 4+4; 2 n at 0 2, parameter n, items of 160 bytes; 3 time at 3, "
         "parameter time, items of 160 bytes\n"},
        {"split dtype=f32 shape=n=2?,8,n=3? axis=1 lengths=4,4",
         "error `n=3?`: 3 of 'n' are expected here, but 2 in dimension 0\n"},
        {"split dtype=u8 shape=a=1?,b=1?,c=1?,d=1?,e=1?,f=1?,g=1?,h=1?,i=1?,j=1?,k=1?,l=1?,m=1?,"
         "n=1?,o=1?,p=1?,q=1?,2 axis=-1 parts=2",
         "error `q=1?`: 'q' is the 17th number that is open, but 16 may be: give it a number\n"},
        /* behind the axis every part is whole bytes */
        {"split dtype=u4 shape=8,n=2? axis=0 lengths=2,6",
         "axis 0: out0 0+2, out1 2+6; 2 n at 1, parameter n, items of 4 bytes\n"},
        {"split dtype=u4 shape=8,n=2? axis=0 lengths=3,5",
         "error `n=2?`: 'n' is open and lies behind the axis, but where it is 1, 'out0' begins or "
         "ends at bit 12 of a row, within a byte; give it a number\n"},
        {"split dtype=u3 packing=planes shape=16,n=2? axis=0 lengths=8,8",
         "axis 0: out0 0+8, out1 8+8; 2 n at 1, parameter n, items of 6 bytes\n"},
        {"split dtype=f32 shape==3?,8 axis=1 lengths=4,4",
         "error `=3?`: dimension 0 is open, but its name is empty; it is what the kernel's "
         "parameter is called after, as in 'batch'\n"},
        /* how many are expected */
        {"split dtype=f32 shape=n=0?,8 axis=1 lengths=4,4",
         "error `n=0?`: at least 1 of 'n' must be expected, but the number is 0\n"},
        {"split dtype=u8 shape=n=9223372036854775807?,1 axis=1 lengths=1",
         "axis 1: out0 0+1; 9223372036854775807 n at 0, parameter n, items of 1 bytes\n"},
        {"split dtype=u8 shape=n=4611686018427387904?,2 axis=1 lengths=1,1",
         "error `n=4611686018427387904?`: 4611686018427387904 of 'n' are expected, but so many are "
         "beyond 2^63 - 1 bytes; expect fewer\n"},
        {"split dtype=u4 shape=n=576460752303423489?,2 axis=1 parts=1",
         "error `n=576460752303423489?`: 576460752303423489 of 'n' are expected, but so many are "
         "beyond 2^62 bits; expect fewer\n"},
        {"split dtype=u16 shape=n=2?,4611686018427387904 axis=1 parts=2",
         "error `n=2?,4611686018427387904`: 1 x 4611686018427387904 elements of 2 bytes are beyond "
         "2^63 - 1 bytes\n"},
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
        {"split shape=2 parts=2",
         "error `split`: 'dtype' is missing: name the element type, as in \"f32\"\n"},
        {"split dtype=f23 shape=2 parts=2",
         "error `f23`: unknown dtype 'f23'; did you mean 'f32'?\n"},
        {"split dtype=flaot shape=2 parts=2",
         "error `flaot`: unknown dtype 'flaot'; did you mean 'float'?\n"},
        {"split dtype=quaternion shape=2 parts=2",
         "error `quaternion`: unknown dtype 'quaternion'; 'splitgen --help=types' lists them "
         "all\n"},
        {"split dtype=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\303\244\303\244"
         " shape=2 parts=2",
         "error `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\303\244\303\244`: "
         "unknown dtype 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'; "
         "'splitgen --help=types' lists them all\n"},
        {"split dtype=a\nb shape=2 parts=2",
         "error `a\nb`: unknown dtype 'a?b'; 'splitgen --help=types' lists them all\n"},
        {"split dtype=f32 shape=2 parts=2 packing=lsb",
         "error `lsb`: 'packing' applies to packed types only, and elements of 'f32' are whole "
         "bytes\n"},
        {"ovsplit dtype=c64 shape=2 axis=0 parts=2",
         "error `c64`: OpenVINO has no element type 'c64'\n"},
        {"ovvar dtype=f8e5m2fnuz shape=2 axis=0 lengths=2",
         "error `f8e5m2fnuz`: OpenVINO has no element type 'f8e5m2fnuz'\n"},
        {"ovvar dtype=f8e4m3 shape=2 axis=0 lengths=2", "axis 0: out0 0+2\n"},
        {"split dtype=f32 shape=2 parts=2 align=4", "axis 0: out0 0+1, out1 1+1\n"},
        {"split dtype=f32 shape=2 parts=2 align=4096", "axis 0: out0 0+1, out1 1+1\n"},
        {"split dtype=f32 shape=2 parts=2 align=48",
         "error `48`: 'align' must be a power of two, but is 48\n"},
        {"split dtype=f32 shape=2 parts=2 align=0",
         "error `0`: 'align' must be a power of two, but is 0\n"},
        {"split dtype=f32 shape=2 parts=2 align=-9223372036854775808",
         "error `-9223372036854775808`: 'align' must be a power of two, but is "
         "-9223372036854775808\n"},
        {"split dtype=f32 shape=2 parts=2 align=8192",
         "error `8192`: 'align' is 8192, but may be 4096 at most\n"},
        {"split dtype=f32 shape=2 parts=2 align=2",
         "error `2`: 'align' is 2, but elements of 'f32' are aligned to 4 already\n"},
        {"split dtype=c128 shape=2 parts=2 align=4",
         "error `4`: 'align' is 4, but elements of 'c128' are aligned to 8 already\n"},
        {"split dtype=nope shape=2 parts=2 align=3",
         "error `nope`: unknown dtype 'nope'; 'splitgen --help=types' lists them all\n"
         "error `3`: 'align' must be a power of two, but is 3\n"},
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
        {"split dtype=u8 shape=6 parts=3 outputs=a,b",
         "error `a,b`: 2 outputs are given, but 'parts' is 3\n"
         "note `3`: 'parts' is given here\n"},
        {"split dtype=u8 shape=6 lengths=3,3 outputs=a",
         "error `a`: 1 output is given, but 'lengths' has 2 lengths\n"
         "note `3,3`: the lengths are given here\n"},
        {"split dtype=u8 shape=6 lengths=6 outputs=a,b",
         "error `a,b`: 2 outputs are given, but 'lengths' has 1 length\n"
         "note `6`: the lengths are given here\n"},
        {"split dtype=u8 shape=6 parts=1 outputs=#2",
         "error `#2`: 2 outputs are given, but 'parts' is 1\n"
         "note `1`: 'parts' is given here\n"},
        {"split dtype=u8 shape=6 parts=3 outputs=",
         "error ``: 'outputs' must be at least 1, but is 0\n"},
        {"split dtype=u8 shape=6 parts=3 outputs=#-1",
         "error `#-1`: 'outputs' must be at least 1, but is -1\n"},
        {"split dtype=u8 shape=6 parts=2 outputs=_,_",
         "error `_,_`: no output is wanted: there is nothing to generate\n"},
        {"split dtype=u8 shape=6 parts=3 outputs=a,b,a",
         "error `a`: output name 'a' is used twice\n"
         "note `a`: the first is here\n"},
        {"split dtype=u8 shape=6 lengths=7 outputs=a,a",
         "error `7`: lengths sum to 7, but axis 0 has 6\n"
         "note `6`: the shape is given here\n"
         "error `a,a`: 2 outputs are given, but 'lengths' has 1 length\n"
         "note `7`: the lengths are given here\n"
         "error `a`: output name 'a' is used twice\n"
         "note `a`: the first is here\n"},
    };
    CHECK_CASES(cases);
}

static void kernel_names(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"split name=qkv dtype=u8 shape=6 parts=1", "axis 0: out0 0+6\n"},
        {"split name=3d dtype=u8 shape=6 parts=1",
         "error `3d`: kernel name '3d' starts with a digit; 'x3d' would do\n"},
        {"split name= dtype=u8 shape=6 parts=1",
         "error ``: kernel name '' is empty; 'x' would do\n"},
        {"split name=a-b dtype=u8 shape=6 parts=1",
         "error `a-b`: kernel name 'a-b' holds a character other than letters, digits and '_'; "
         "'a_b' would do\n"},
        {"split name=while dtype=u8 shape=6 parts=1",
         "error `while`: kernel name 'while' is a keyword of C; 'while_' would do\n"},
        {"split name=xor_eq dtype=u8 shape=6 parts=1",
         "error `xor_eq`: kernel name 'xor_eq' is a keyword of C++; 'xor_eq_' would do\n"},
        {"split name=memcpy dtype=u8 shape=6 parts=1",
         "error `memcpy`: kernel name 'memcpy' is a name of the C library; 'memcpy_' would do\n"},
        {"split name=splitgen_run dtype=u8 shape=6 parts=1",
         "error `splitgen_run`: kernel name 'splitgen_run' starts with 'splitgen', which is "
         "reserved for the runtime; 'x_splitgen_run' would do\n"},
        {"split name=_x dtype=u8 shape=6 parts=1",
         "error `_x`: kernel name '_x' starts with '_', which is reserved; 'x' would do\n"},
        {"split name=a__b dtype=u8 shape=6 parts=1",
         "error `a__b`: kernel name 'a__b' contains '__', which is reserved in C++; 'a_b' would "
         "do\n"},
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
        {"concat dtype=f32 shape=6 lengths=",
         "error ``: 'lengths' is empty: a concat has at least one part\n"},
        {"concat dtype=f32 shape= lengths=1",
         "error ``: the shape has rank 0: a scalar has no axis to join along\n"},
        {"concat dtype=f32 shape=6 parts=2 inputs=a",
         "error `a`: 1 input is given, but 'parts' is 2\n"
         "note `2`: 'parts' is given here\n"},
        {"concat dtype=f32 shape=6 lengths=2,4 inputs=a,b,c",
         "error `a,b,c`: 3 inputs are given, but 'lengths' has 2 lengths\n"
         "note `2,4`: the lengths are given here\n"},
        {"concat dtype=f32 shape=6 parts=2 inputs=#0",
         "error `#0`: 'inputs' must be at least 1, but is 0\n"},
        {"concat dtype=f32 shape=6 inputs=a,b",
         "error `a,b`: give 'lengths' or 'parts': 'inputs' alone does not say how long a part "
         "is\n"},
        {"concat dtype=f32 shape=6 parts=2 inputs=a,a", "error `a`: input name 'a' is used twice\n"
                                                        "note `a`: the first is here\n"},
        {"concat dtype=f32 shape=6 parts=2 inputs=_,_",
         "error `_,_`: no input is wanted: there is nothing to generate\n"},
        {"concat dtype=f32 shape=6 parts=2 inputs=a,_!",
         "error `!`: an input that is not wanted has no view either: give it a name, or leave the "
         "mark out\n"},
        {"concat dtype=u8 shape=4000000 parts=2000000",
         "error(5) `2000000`: 2000000 parts are more than splitgen joins to one tensor: "
         "1000000\n"},
        {"concat dtype=f32 shape=4,n=2? axis=1 lengths=2",
         "error `n=2?`: the tensors are joined along dimension 1, so its length must be known, but "
         "'n' is open; every other dimension may be; give it a number\n"},
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
        /* the versions */
        {"onnxcat axis=0 inputs=f32:7:x",
         "error `onnxcat`: 'opset' is missing: the rules of ONNX Concat depend on it\n"},
        {"onnxcat opset=0 inputs=f32:7:x", "error `0`: 'opset' must be at least 1, but is 0\n"},
        {"onnxcat opset=1 inputs=f32:2x3:a,f32:2x5:b", "joined, axis 1: a 0+3, b 3+5\n"},
        {"onnxcat opset=3 inputs=f32:2x3:a", "joined, axis 1: a 0+3\n"},
        {"onnxcat opset=1 inputs=f32:2:a",
         "error `onnxcat`: axis 1, the default of Concat-1, is out of range: a shape of 1 "
         "dimension has axes -1 to 0\n"
         "note `2`: the shape is given here\n"},
        {"onnxcat opset=4 inputs=f32:2x3:a",
         "error `onnxcat`: 'axis' is missing: Concat-4 (opset 4) has no default axis\n"},
        {"onnxcat opset=10 inputs=f32:2x3:a",
         "error `onnxcat`: 'axis' is missing: Concat-4 (opset 10) has no default axis\n"},
        {"onnxcat opset=25 inputs=f32:2x3:a",
         "error `onnxcat`: 'axis' is missing: Concat-13 (opset 25) has no default axis\n"},
        {"onnxcat opset=4 axis=-1 inputs=f32:2x3:a", "joined, axis 1: a 0+3\n"},
        {"onnxcat opset=13 axis=2 inputs=f32:2x3:a,f32:7x7:b",
         "error `2`: axis 2 is out of range: a shape of 2 dimensions has axes -2 to 1\n"
         "note `2x3`: the shape is given here\n"},
        {"onnxcat opset=13 axis={0} inputs=f32:2x3:a",
         "error `{0}`: 'axis' must be an integer, not a list; write axis = 0\n"},
        /* the element types */
        {"onnxcat opset=1 axis=0 inputs=f16:2:a", "joined, axis 0: a 0+2\n"},
        {"onnxcat opset=3 axis=0 inputs=i32:2:a",
         "error `i32`: opset 3 has Concat-1, which does not take dtype 'i32'; Concat-4 does\n"},
        {"onnxcat opset=4 axis=0 inputs=string:2:a", "joined, axis 0: a 0+2\n"},
        {"onnxcat opset=12 axis=0 inputs=bf16:2:a",
         "error `bf16`: opset 12 has Concat-11, which does not take dtype 'bf16'; Concat-13 "
         "does\n"},
        {"onnxcat opset=13 axis=0 inputs=bf16:2:a", "joined, axis 0: a 0+2\n"},
        {"onnxcat opset=25 axis=0 inputs=u4:2:a",
         "error `u4`: no version of ONNX Concat takes dtype 'u4'\n"},
    };
    CHECK_CASES(cases);
}

static void openvino_concat(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"ovcat axis=-1 inputs=u4:2x3:a,u4:2x5:b", "joined, axis 1: a 0+3, b 3+5\n"},
        {"ovcat axis=0 inputs=u1:8:a", "joined, axis 0: a 0+8\n"},
        {"ovcat axis=0 packing=lsb inputs=u1:8:a",
         "error `lsb`: 'packing' is 'lsb', but OpenVINO's 'u1' is stored as 'msb' only\n"},
        {"ovcat inputs=f32:8:a",
         "error `ovcat`: 'axis' is missing: it is an attribute of openvino.Concat and has no "
         "default\n"},
        {"ovcat axis={0} inputs=f32:8:a",
         "error `{0}`: 'axis' must be an integer, not a list; write axis = 0\n"},
        {"ovcat axis=-2 inputs=f32:8:a",
         "error `-2`: axis -2 is out of range: a shape of 1 dimension has axes -1 to 0\n"
         "note `8`: the shape is given here\n"},
        {"ovcat axis=0 inputs=c64:8:a", "error `c64`: OpenVINO has no element type 'c64'\n"},
    };
    CHECK_CASES(cases);
}

/* What the inputs of a standard's Concat have to have in common. */
static void concat_inputs(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"ovcat axis=0",
         "error `ovcat`: 'inputs' is missing: the tensors that are joined, each with its dtype and "
         "shape\n"},
        {"ovcat axis=0 inputs=#0", "error `#0`: 'inputs' is empty: a Concat has at least one "
                                   "input\n"},
        {"ovcat axis=0 inputs=:2:a,f31:2:b",
         "error `:2:a`: 'dtype' of input 0 ('a') is missing: name the element type, as in "
         "\"f32\"\n"
         "error `f31`: unknown dtype 'f31'; 'splitgen --help=types' lists them all\n"},
        {"ovcat axis=0 inputs=f32:2:a,i32:2:?,i64:2:b",
         "error `i32`: input 1 has dtype 'i32', but input 0 ('a') has 'f32': tensors that are "
         "joined have one element type\n"
         "note `f32`: input 0 ('a') is given here\n"
         "error `i64`: input 2 ('b') has dtype 'i64', but input 0 ('a') has 'f32': tensors that "
         "are joined have one element type\n"
         "note `f32`: input 0 ('a') is given here\n"},
        {"ovcat axis=0 inputs=f32:none:a", "error `f32:none:a`: 'shape' of input 0 ('a') is "
                                           "missing\n"},
        {"ovcat axis=0 inputs=f32::a",
         "error ``: input 0 ('a') has rank 0: a scalar has no axis to join along\n"},
        {"ovcat axis=0 inputs=f32:2x3:a,f32:2:b",
         "error `2`: input 1 ('b') has 1 dimension, but input 0 ('a') has 2: tensors that are "
         "joined have as many\n"
         "note `2x3`: input 0 ('a') is given here\n"},
        {"ovcat axis=1 inputs=f32:2x3:a,f32:4x3:b",
         "error `4`: input 1 ('b') has 4 in dimension 0, but input 0 ('a') has 2: only along axis "
         "1 may they differ\n"
         "note `2`: input 0 ('a') is given here\n"},
        {"ovcat axis=0 inputs=f32:2x3:a,f32:-1x3:b",
         "error `-1`: dimension 0 of input 1 ('b') is -1: every dimension must be known when the "
         "kernel is generated, or be open, which is written free(\"n\")\n"},
        {"ovcat axis=0 inputs=f32:2x-7:a",
         "error `-7`: dimension 1 of input 0 ('a') is -7: it must be 0 or more\n"},
        {"ovcat axis=0 inputs=f32:9223372036854775807:a,f32:1:b",
         "error `1`: the inputs have more than 2^63 - 1 along axis 0, up to input 1 ('b')\n"},
        {"ovcat axis=0 inputs=f32:4611686018427387904:a,f32:1:b",
         "error `4611686018427387904`: 4611686018427387905 elements of 4 bytes are beyond 2^63 - 1 "
         "bytes\n"},
        /* open dimensions */
        {"ovcat axis=1 inputs=f32:n=4?x3:a,f32:n=4?x5:b",
         "joined, axis 1: a 0+3, b 3+5; 4 n at 0, parameter n, items of 32 bytes\n"},
        {"ovcat axis=1 inputs=f32:n=4?x3:a,f32:4x5:b",
         "error `4`: input 1 ('b') has 4 in dimension 0, but input 0 ('a') has n: only along axis "
         "1 may they differ\n"
         "note `n=4?`: input 0 ('a') is given here\n"},
        {"ovcat axis=1 inputs=f32:n=4?x3:a,f32:3*n=4?x5:b",
         "error `3*n=4?`: input 1 ('b') has 3*n in dimension 0, but input 0 ('a') has n: only "
         "along axis 1 may they differ\n"
         "note `n=4?`: input 0 ('a') is given here\n"},
        {"ovcat axis=1 inputs=f32:n=4?x3:a,f32:m=4?x5:b",
         "error `m=4?`: input 1 ('b') has m in dimension 0, but input 0 ('a') has n: only along "
         "axis 1 may they differ\n"
         "note `n=4?`: input 0 ('a') is given here\n"},
        {"ovcat axis=1 inputs=f32:n=4?x3:a,f32:n=8?x5:b",
         "error `n=8?`: 8 of 'n' are expected in input 1 ('b'), but 4 in input 0 ('a')\n"
         "note `n=4?`: input 0 ('a') is given here\n"},
        {"ovcat axis=1 inputs=f32:2x3:a,f32:2xn=4?:b",
         "error `n=4?`: the tensors are joined along dimension 1, so its length must be known, but "
         "'n' of input 1 ('b') is open; every other dimension may be; give it a number\n"},
    };
    CHECK_CASES(cases);
}

/* Rows that do not lie dense: as much as they have at least, and bytes from first to last. */
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
         "axis 2 every 9 in 68: a 0+4 every 5 in 36, b 4+4; 4 n at 0, parameter n, items of 64 "
         "bytes\n"},
        {"split dtype=f32 shape=2,12 axis=1 parts=2 stride=11",
         "error `11`: the row stride of the whole is 11, but a row has 12 elements: the next would "
         "begin within it\n"},
        {"split dtype=f32 shape=2,12 axis=1 parts=2 stride=0 outputs=a/-1,b/5",
         "error `0`: the row stride of the whole must be at least 1, but is 0\n"
         "error `-1`: the row stride of output 'a' must be at least 1, but is -1\n"
         "error `5`: the row stride of output 'b' is 5, but a row has 6 elements: the next would "
         "begin within it\n"},
        {"concat dtype=f32 shape=2,1,2 axis=1 parts=1 inputs=?/1",
         "error `1`: the row stride of input 0 is 1, but a row has 2 elements: the next would "
         "begin within it\n"},
        {"split dtype=f32 shape=2,12 axis=1 parts=2 outputs=a,_/9",
         "error `9`: an output that is not wanted has no rows: give it a name, or leave the row "
         "stride out\n"},
        {"concat dtype=f32 shape=2,12 axis=1 parts=2 inputs=a,b!/9",
         "error `9`: input 'b' is only a view, whose rows lie as those of the whole do: leave its "
         "row stride out, or the mark\n"},
        {"split dtype=f32 shape=2,12,3*n=4? axis=1 parts=2 stride=99",
         "error `99`: the row stride of the whole is a number, but '3*n' behind the axis is open, "
         "so a row has as many elements as each call says; give it a number, or leave the stride "
         "out\n"},
        {"split dtype=f32 shape=2,12 axis=1 parts=2 stride=1152921504606846975",
         "axis 1 every 1152921504606846975 in 4611686018427387948: out0 0+6, out1 6+6\n"},
        {"split dtype=f32 shape=2,12 axis=1 parts=2 stride=1152921504606846976",
         "error `1152921504606846976`: rows of the whole that begin every 1152921504606846976 "
         "elements are beyond 2^63 - 1 bytes\n"},
        {"split dtype=u4 shape=2,12 axis=1 parts=2 stride=576460752303423489",
         "error `576460752303423489`: rows of the whole that begin every 576460752303423489 "
         "elements are beyond 2^62 bits\n"},
        {"split dtype=u8 shape=n=4?,12 axis=1 parts=2 outputs=a/2305843009213693952,b",
         "error `2305843009213693952`: rows of output 'a' that begin every 2305843009213693952 "
         "elements are beyond 2^63 - 1 bytes\n"},
        /* packed elements */
        {"split dtype=u4 shape=n=2?,3 axis=1 lengths=2,1 stride=4 outputs=a,b/2",
         "axis 1 every 4 in 2: a 0+2, b 2+1 every 2 in 1; 2 n at 0, parameter n, items of 2 "
         "bytes\n"},
        {"split dtype=u4 shape=n=2?,4 axis=1 parts=2 stride=5",
         "error `5`: with 'n' open, rows begin at whole bytes, but those of the whole begin every "
         "5 elements of 4 bits; make the row stride a multiple of 2\n"},
        {"concat dtype=u1 shape=n=2?,16 axis=1 parts=2 inputs=a,b/12",
         "error `12`: with 'n' open, rows begin at whole bytes, but those of input 'b' begin every "
         "12 elements of 1 bit; make the row stride a multiple of 8\n"},
        {"split dtype=u3 packing=planes shape=2,16 axis=1 parts=2 stride=24 outputs=a/16,b",
         "axis 1 every 24 in 15: a 0+8 every 16 in 9, b 8+8\n"},
        {"split dtype=u3 packing=planes shape=2,16 axis=1 parts=2 stride=20",
         "error `planes`: packing 'planes' keeps 8 elements of 'u3' in 3 bytes, but from one row "
         "of the whole to the next there are 20, so that begins within such a group; store it as "
         "'lsb'\n"},
        {"split dtype=u3 packing=planes shape=2,16 axis=1 parts=2 outputs=a,b/9",
         "error `planes`: packing 'planes' keeps 8 elements of 'u3' in 3 bytes, but from one row "
         "of b to the next there are 9, so that begins within such a group; store it as 'lsb'\n"},
        /* views */
        {"split dtype=u4 shape=2,6 axis=1 lengths=2,4 stride=7 outputs=a,b!",
         "error `!`: 'b' is to be a view without code, but no view of it exists: a row begins "
         "every "
         "28 bits, no whole number of bytes; without the mark it is copied\n"},
    };
    CHECK_CASES(cases);
}

static void onnx_versions(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"onnx dtype=float shape=6 lengths=6",
         "error `onnx`: 'opset' is missing: the rules of ONNX Split depend on it\n"},
        {"onnx opset=0 dtype=float shape=6 lengths=7",
         "error `0`: 'opset' must be at least 1, but is 0\n"
         "error `7`: lengths sum to 7, but axis 0 has 6\n"
         "note `6`: the shape is given here\n"},
        {"onnx opset=-3 dtype=bf16 shape=6 outputs=#2",
         "error `-3`: 'opset' must be at least 1, but is -3\n"},
        {"onnx opset=0 dtype=float shape=6 outputs=#0",
         "error `0`: 'opset' must be at least 1, but is 0\n"
         "error `#0`: 'outputs' must be at least 1, but is 0\n"},
        /* the axis */
        {"onnx opset=1 dtype=float shape=6 lengths=6",
         "error `onnx`: 'axis' is missing: Split-1 (opset 1) has no default axis\n"},
        {"onnx opset=1 dtype=float shape=2,6 axis=1 lengths=2,4", "axis 1: out0 0+2, out1 2+4\n"},
        {"onnx opset=2 dtype=float shape=6 lengths=2,4", "axis 0: out0 0+2, out1 2+4\n"},
        {"onnx opset=2 dtype=float shape=2,6 axis=-1 lengths=2,4", "axis 1: out0 0+2, out1 2+4\n"},
        {"onnx opset=18 dtype=float shape=6 axis={0} lengths=6",
         "error `{0}`: 'axis' must be an integer, not a list; write axis = 0\n"},
        {"onnx opset=13 dtype=float shape= lengths=6",
         "error ``: the shape has rank 0: a scalar has no axis to split\n"},
        /* the lengths */
        {"onnx opset=13 dtype=float shape=6 lengths=7,-1",
         "error `-1`: length 1 is -1: ONNX lengths are 0 or more\n"},
        {"onnx opset=18 dtype=float shape=6 lengths=-1,*",
         "error `-1`: length 0 is -1: ONNX lengths are 0 or more\n"
         "error `*`: length 1 is -1: ONNX lengths are 0 or more\n"},
        {"onnx opset=11 dtype=float shape=6 lengths=1,2",
         "error `1,2`: lengths sum to 3, but axis 0 has 6\n"
         "note `6`: the shape is given here\n"},
        {"onnx opset=11 dtype=float shape=6 lengths=",
         "error ``: 'split' is empty: a split has at least one part\n"},
        {"onnx opset=13 dtype=float shape=6 lengths=6,0 outputs=#3",
         "error `#3`: 3 outputs are given, but 'split' has 2 lengths\n"
         "note `6,0`: the lengths are given here\n"},
        {"onnx opset=13 dtype=float shape=6 lengths=6,0 outputs=a",
         "error `a`: 1 output is given, but 'split' has 2 lengths\n"
         "note `6,0`: the lengths are given here\n"},
        {"onnx opset=13 dtype=float shape=6 lengths=0,6 outputs=_,b", "axis 0: - 0+0, b 0+6\n"},
        {"onnx opset=18 dtype=float shape=0 lengths=0,0,0",
         "axis 0: out0 0+0, out1 0+0, out2 0+0\n"},
        /* neither, below 18 */
        {"onnx opset=1 dtype=float shape=6 axis=0 outputs=#3",
         "axis 0: out0 0+2, out1 2+2, out2 4+2\n"},
        {"onnx opset=2 dtype=float shape=6 outputs=a,b", "axis 0: a 0+3, b 3+3\n"},
        {"onnx opset=13 dtype=float shape=0 outputs=#2", "axis 0: out0 0+0, out1 0+0\n"},
        {"onnx opset=10 dtype=float shape=6 outputs=#4",
         "error `#4`: axis 0 has 6, which 4 does not divide; give 'split' for unequal parts\n"
         "note `6`: the shape is given here\n"},
        {"onnx opset=1 dtype=float shape=7 axis=0 outputs=#4",
         "error `#4`: axis 0 has 7, which 4 does not divide; give 'split' for unequal parts\n"
         "note `7`: the shape is given here\n"},
        {"onnx opset=17 dtype=float shape=6",
         "error `onnx`: give 'split' or 'outputs': without 'split', Split-13 makes as many equal "
         "parts as there are outputs\n"},
        {"onnx opset=12 dtype=float shape=6 outputs=#0",
         "error `#0`: 'outputs' must be at least 1, but is 0\n"},
        {"onnx opset=12 dtype=float shape=6 outputs=#2000000",
         "error(5) `#2000000`: 2000000 parts are more than splitgen makes of one tensor: "
         "1000000\n"},
        /* num_outputs below 18 */
        {"onnx opset=17 dtype=float shape=6 parts=2 outputs=#2",
         "error `2`: 'num_outputs' came with Split-18, but opset 17 has Split-13: it makes as many "
         "equal parts as there are outputs\n"},
        {"onnx opset=12 dtype=float shape=6 parts=2 lengths=5",
         "error `2`: 'num_outputs' came with Split-18, but opset 12 has Split-11: it makes as many "
         "equal parts as there are outputs\n"
         "error `5`: lengths sum to 5, but axis 0 has 6\n"
         "note `6`: the shape is given here\n"},
        /* 18 */
        {"onnx opset=18 dtype=float shape=6 outputs=#2",
         "error `onnx`: Split-18 (opset 18) needs 'split' or 'num_outputs': neither is there\n"},
        {"onnx opset=21 dtype=float shape=6",
         "error `onnx`: Split-18 (opset 21) needs 'split' or 'num_outputs': neither is there\n"},
        {"onnx opset=18 dtype=float shape=6 lengths=3,3 parts=2",
         "error `2`: give 'split' or 'num_outputs', not both\n"
         "note `3,3`: 'split' is given here\n"},
        {"onnx opset=18 dtype=float shape=6 parts=0",
         "error `0`: 'num_outputs' must be at least 1, but is 0\n"},
        {"onnx opset=18 dtype=float shape=6 parts=1000001",
         "error(5) `1000001`: 1000001 parts are more than splitgen makes of one tensor: "
         "1000000\n"},
        {"onnx opset=18 dtype=float shape=6 parts=2 outputs=#3",
         "error `#3`: 3 outputs are given, but 'num_outputs' is 2\n"
         "note `2`: 'num_outputs' is given here\n"},
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
        {"onnx opset=18 dtype=float shape=-3 parts=3 outputs=a",
         "error `-3`: dimension 0 is -3: it must be 0 or more\n"},
    };
    CHECK_CASES(cases);
}

/* The table of public behaviour: sizes as the ONNX reference evaluator has them. */
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
         "warning `4`: part 3 is empty: axis 0 has 5, and 3 chunks of 2 in front of the last part "
         "are more; say what is meant by the lengths in 'split'\n"},
        {"onnx opset=18 dtype=float shape=9 parts=4",
         "axis 0: out0 0+3, out1 3+3, out2 6+3, out3 9+0\n"},
        {"onnx opset=18 dtype=float shape=3 parts=5",
         "axis 0: out0 0+1, out1 1+1, out2 2+1, out3 3+0, out4 3+0\n"
         "warning `5`: parts 3 to 4 are empty: axis 0 has 3, and 4 chunks of 1 in front of the "
         "last part are more; say what is meant by the lengths in 'split'\n"},
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
        {"ovsplit dtype=f32 shape=6 parts=2",
         "error `ovsplit`: 'axis' is missing: it is an input of openvino.Split and has no "
         "default\n"},
        {"ovsplit dtype=f32 shape=6 axis={0} parts=2",
         "error `{0}`: 'axis' must be an integer, not a list; write axis = 0\n"},
        {"ovsplit dtype=f32 shape=2,6 axis=-5 parts=2",
         "error `-5`: axis -5 is out of range: a shape of 2 dimensions has axes -2 to 1\n"
         "note `2,6`: the shape is given here\n"},
        {"ovsplit dtype=f32 shape=6 axis=0 parts=0",
         "error `0`: 'num_splits' must be at least 1, but is 0\n"},
        {"ovsplit dtype=f32 shape=6 axis=0", "error `ovsplit`: 'num_splits' is missing\n"},
        {"ovsplit dtype=f32 shape=6 axis=0 parts=4",
         "error `4`: axis 0 has 6, which 4 does not divide; unequal parts need "
         "openvino.VariadicSplit\n"
         "note `6`: the shape is given here\n"},
        {"ovsplit dtype=f32 shape=6 axis=0 lengths=3,3 parts=2",
         "error `3,3`: openvino.Split makes equal parts: lengths need openvino.VariadicSplit\n"},
        {"ovsplit dtype=f32 shape=6 axis=0 parts=2 outputs=a",
         "error `a`: 1 output is given, but 'num_splits' is 2\n"
         "note `2`: 'num_splits' is given here\n"},
        {"ovsplit dtype=f32 shape=6 axis=0 parts=1000000000000",
         "error(5) `1000000000000`: 1000000000000 parts are more than splitgen makes of one "
         "tensor: 1000000\n"},
        {"ovsplit dtype=f32 shape= axis=0 parts=2",
         "error ``: the shape has rank 0: a scalar has no axis to split\n"},
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
        {"ovvar dtype=f32 shape=6 axis={0,1} lengths=6",
         "error `{0,1}`: 'axis' must be an integer or a list of one, but has 2 entries\n"},
        {"ovvar dtype=f32 shape=6 axis={} lengths=6",
         "error `{}`: 'axis' must be an integer or a list of one, but has 0 entries\n"},
        {"ovvar dtype=f32 shape=6 lengths=6",
         "error `ovvar`: 'axis' is missing: it is an input of openvino.VariadicSplit and has no "
         "default\n"},
        {"ovvar dtype=f32 shape=6 axis=0", "error `ovvar`: 'split_lengths' is missing\n"},
        {"ovvar dtype=f32 shape=0 axis=0 lengths=",
         "error ``: 'split_lengths' is empty: a split has at least one part\n"},
        {"ovvar dtype=f32 shape=6 axis=0 lengths=-1,-1",
         "error `-1`: only one length may be -1 (what remains), but lengths 0 and 1 are\n"
         "note `-1`: the first is here\n"},
        {"ovvar dtype=f32 shape=6 axis=0 lengths=-2,4",
         "error `-2`: length 0 is -2: a length is 0 or more, or -1 for what remains\n"},
        {"ovvar dtype=f32 shape=6 axis=0 lengths=7,-1",
         "error `7,-1`: lengths exceed the axis: they sum to 7 before what remains, but axis 0 has "
         "6\n"
         "note `6`: the shape is given here\n"},
        {"ovvar dtype=f32 shape=6 axis=0 lengths=3,4",
         "error `3,4`: lengths sum to 7, but axis 0 has 6\n"
         "note `6`: the shape is given here\n"},
        {"ovvar dtype=f32 shape=6 axis=0 parts=2 lengths=6",
         "error `2`: openvino.VariadicSplit takes 'split_lengths': 'num_splits' belongs to "
         "openvino.Split\n"},
        {"ovvar dtype=f32 shape=6 axis=0 lengths=3,3 outputs=a,b,c",
         "error `a,b,c`: 3 outputs are given, but 'split_lengths' has 2 lengths\n"
         "note `3,3`: the lengths are given here\n"},
    };
    CHECK_CASES(cases);
}

/* Everything wrong at once: nothing hides another error. */
static void all_errors_of_an_op(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"onnx name=int opset=17 dtype=u4 packing=x shape=4,-2 axis=0 align=3 parts=2 lengths=1,-4 "
         "outputs=_,_,_",
         "error `int`: kernel name 'int' is a keyword of C; 'int_' would do\n"
         "error `u4`: no version of ONNX Split takes dtype 'u4'\n"
         "error `3`: 'align' must be a power of two, but is 3\n"
         "error `-2`: dimension 1 is -2: it must be 0 or more\n"
         "error `2`: 'num_outputs' came with Split-18, but opset 17 has Split-13: it makes as many "
         "equal parts as there are outputs\n"
         "error `-4`: length 1 is -4: ONNX lengths are 0 or more\n"
         "error `_,_,_`: 3 outputs are given, but 'split' has 2 lengths\n"
         "note `1,-4`: the lengths are given here\n"
         "error `_,_,_`: no output is wanted: there is nothing to generate\n"},
        {"split", "error `split`: 'dtype' is missing: name the element type, as in \"f32\"\n"
                  "error `split`: 'shape' is missing\n"
                  "error `split`: give 'lengths' or 'parts': neither is there\n"},
    };
    CHECK_CASES(cases);
}

/* Every opset maps to the schema below it; shown through the types, which differ by schema. */
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

/* What an op without and with `packing` means. */
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

static void refused_packing(void **state)
{
    (void)state;
    static const rule_case cases[] = {
        {"split dtype=u4 shape=2 parts=2 packing=lbs",
         "error `lbs`: unknown packing 'lbs'; did you mean 'lsb'?\n"},
        {"split dtype=u4 shape=2 parts=2 packing=nibbles",
         "error `nibbles`: unknown packing 'nibbles': it is 'lsb' (first element in the least "
         "significant bits), 'msb' (in the most significant ones) or 'planes'\n"},
        {"split dtype=u4 shape=2 parts=2 packing=planes",
         "error `planes`: 'packing' is 'planes', but dtype 'u4' is stored as 'lsb' or 'msb' "
         "only\n"},
        {"split dtype=u3 shape=2 parts=2 packing=msb",
         "error `msb`: 'packing' is 'msb', but dtype 'u3' is stored as 'lsb' or 'planes' only\n"},
        {"ovsplit dtype=u1 shape=2 axis=0 parts=2 packing=lsb",
         "error `lsb`: 'packing' is 'lsb', but OpenVINO's 'u1' is stored as 'msb' only\n"},
        {"ovsplit dtype=i4 shape=2 axis=0 parts=2 packing=msb",
         "error `msb`: 'packing' is 'msb', but OpenVINO's 'i4' is stored as 'lsb' only\n"},
        {"split dtype=u3 shape=24 lengths=8,4,12 packing=planes",
         "error `planes`: packing 'planes' keeps 8 elements of 'u3' in 3 bytes, but 'out1' ends at "
         "element 12 of a row, within such a group; store it as 'lsb'\n"},
        {"split dtype=u6 shape=10,3 lengths=1,9 outputs=_,b packing=planes",
         "error `planes`: packing 'planes' keeps 4 elements of 'u6' in 3 bytes, but 'b' begins at "
         "element 3 of a row, within such a group; store it as 'lsb'\n"},
        {"split dtype=u6 shape=2,10 axis=1 lengths=4,6 outputs=a,_ packing=planes",
         "error `planes`: packing 'planes' keeps 4 elements of 'u6' in 3 bytes, but from one "
         "row of the whole to the next there are 10, so that begins within such a group; store it "
         "as 'lsb'\n"},
        {"split dtype=u4 shape=4611686018427387904 lengths=4611686018427387904",
         "error `4611686018427387904`: 4611686018427387904 elements of 4 bits are beyond 2^62 "
         "bits\n"},
    };
    CHECK_CASES(cases);
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
        {"a.b,a-b,a_b", "data:a_b_2,a_b_3,a_b"}, /* the one that needs no change keeps its name */
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

/* A million parts are legal, and quick even when every name becomes the same identifier. */
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

    /* one more is too many, also when every length is written */
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

/* ---- against an independent reading of the uneven rule --------------------------------------- */

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
        assert_int_equal(w.diag.warnings, (n - 1) * c > d); /* nothing is left to the last part */
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
        {">u1", "u8"}, /* one byte has no order */
        {"<i4", "i32"},
        {"i4", "i4"}, /* bits, where NumPy's code counts bytes */
        {"<c16", "c128"},
        {"|b1", "bool"},
        {">f4", NULL},
        {"<f3", NULL},
        {"<", NULL},
        {"f4", NULL},
        {"int", NULL}, /* not everyone means the same */
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

/* Whatever the table says a type is called finds that type. */
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
        /* other digits are another width */
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

/* Every spelling in a type's list finds the type, and no two types list the same. */
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
    assert_string_equal(sg_op_part_word(SG_OP_FAMILY), "output");
    for (int kind = SG_OP_SPLIT; kind <= SG_OP_OPENVINO_CONCAT; kind++) {
        assert_int_equal(sg_op_joins((sg_op_kind)kind), kind >= SG_OP_CONCAT);
        assert_int_equal(sg_op_infers((sg_op_kind)kind), kind > SG_OP_CONCAT);
        assert_int_equal(sg_op_is_onnx((sg_op_kind)kind),
                         kind == SG_OP_ONNX_SPLIT || kind == SG_OP_ONNX_CONCAT);
        assert_int_equal(sg_op_is_openvino((sg_op_kind)kind), kind == SG_OP_OPENVINO_SPLIT ||
                                                                  kind == SG_OP_OPENVINO_VARIADIC ||
                                                                  kind == SG_OP_OPENVINO_CONCAT);
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

    /* any bytes give a name nothing is wrong with */
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
        cmocka_unit_test(kernel_names),
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
        cmocka_unit_test(all_errors_of_an_op),
        cmocka_unit_test(numbers_of_a_split),
        cmocka_unit_test(orders_of_packed_elements),
        cmocka_unit_test(refused_packing),
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
