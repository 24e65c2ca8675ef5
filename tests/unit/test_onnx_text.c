/* Tests of ONNX text: every construct by a dump of the model, the place of every value, every
 * message with its exact place, what begins like ONNX text, truncated and deeply nested texts. A
 * comparison with the onnx package's own parser showed that it accepts and refuses the same
 * texts (README of frontend/onnx). */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "frontend/onnx/onnx_text.h"
#include "frontend/onnx/onnx_text_lex.h"

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    const sg_source *source;
    sg_graph_model *model;
} fixture;

static fixture *read_bytes(const char *text, size_t len)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    f->source = sg_source_new(&f->arena, "m.onnxtxt", text, len);
    f->model = sg_onnx_read_text(&f->arena, &f->diag, f->source, "", NULL);
    assert_int_equal(f->model == NULL, f->diag.errors > 0);
    return f;
}

static void done(fixture *f)
{
    sg_arena_free(&f->arena);
    free(f);
}

/* "line:col: message" of the first error, or "ok". Warnings and notes also have their severity. */
static const char *outcome(fixture *f)
{
    sg_buf out = {0};
    for (const sg_diag_entry *e = f->diag.first; e != NULL; e = e->next) {
        size_t line;
        size_t column;
        sg_source_locate(f->source, e->span.begin, &line, &column);
        sg_buf_printf(&out, "%s%zu:%zu: %s%s", out.len > 0 ? " | " : "", line, column,
                      e->severity == SG_ERROR     ? ""
                      : e->severity == SG_WARNING ? "warning: "
                                                  : "note: ",
                      e->message);
    }
    const char *copy = out.len > 0 ? sg_arena_strdup(&f->arena, out.ptr) : "ok";
    sg_buf_free(&out);
    return copy;
}

static void expect_outcome(const char *text, const char *expected)
{
    fixture *f = read_bytes(text, strlen(text));
    const char *got = outcome(f);
    if (strcmp(got, expected) != 0) {
        print_error("text:     %s\nexpected: %s\ngot:      %s\n", text, expected, got);
        fail();
    }
    done(f);
}

/* A model as one line of text. */

static void dump_type(sg_buf *out, const sg_graph_type *type)
{
    if (!type->is_tensor) {
        sg_buf_addz(out, "?");
        return;
    }
    sg_buf_addz(out, type->dtype == SG_GRAPH_DTYPE_UNKNOWN
                         ? "unknown"
                         : sg_dtype_get((sg_dtype)type->dtype)->name);
    if (!type->shape.has_rank) {
        sg_buf_addz(out, "[...]");
        return;
    }
    sg_buf_addz(out, "[");
    for (int64_t i = 0; i < type->shape.rank; i++) {
        const sg_graph_dim *dim = &type->shape.dims[i];
        assert_non_null(dim->span.source);
        sg_buf_addz(out, i > 0 ? "," : "");
        if (dim->name != NULL) {
            assert_int_equal(dim->size, -1);
            sg_buf_addz(out, dim->name);
        } else {
            sg_buf_printf(out, "%" PRId64, dim->size);
        }
    }
    sg_buf_addz(out, "]");
}

static void dump_tensor(sg_buf *out, const sg_graph_tensor *tensor)
{
    sg_buf_printf(out, "%s:", tensor->name);
    dump_type(out, &tensor->type);
    if (tensor->kind == SG_GRAPH_VALUES_NONE) {
        assert_int_equal(tensor->count, 0);
        return;
    }
    sg_buf_addz(out, "{");
    for (int64_t i = 0; i < tensor->count; i++) {
        /* a value from another file has no place in this one */
        assert_true(tensor->spans == NULL || tensor->spans[i].source != NULL);
        sg_buf_addz(out, i > 0 ? "," : "");
        switch (tensor->kind) {
        case SG_GRAPH_VALUES_INTS:
            sg_buf_printf(out, "%" PRId64, tensor->ints[i]);
            break;
        case SG_GRAPH_VALUES_FLOATS:
            sg_buf_printf(out, "%.9gf", tensor->floats[i]);
            break;
        default:
            sg_buf_printf(out, "'%s'", tensor->texts[i]);
            break;
        }
    }
    sg_buf_addz(out, "}");
}

static void dump_names(sg_buf *out, const char *const *names, int64_t count)
{
    sg_buf_addz(out, "(");
    for (int64_t i = 0; i < count; i++) {
        sg_buf_printf(out, "%s%s", i > 0 ? "," : "", names[i][0] != '\0' ? names[i] : "''");
    }
    sg_buf_addz(out, ")");
}

static void dump_graph(sg_buf *out, const sg_graph *graph);

static void dump_attribute(sg_buf *out, const sg_graph_attribute *attribute)
{
    sg_buf_printf(out, " %s=", attribute->name);
    switch (attribute->kind) {
    case SG_GRAPH_ATTRIBUTE_NONE:
        sg_buf_addz(out, "none");
        return;
    case SG_GRAPH_ATTRIBUTE_TENSOR:
        dump_tensor(out, attribute->tensor);
        return;
    case SG_GRAPH_ATTRIBUTE_GRAPH:
        dump_graph(out, attribute->graphs[0]);
        return;
    case SG_GRAPH_ATTRIBUTE_INTS:
    case SG_GRAPH_ATTRIBUTE_FLOATS:
    case SG_GRAPH_ATTRIBUTE_TEXTS:
    case SG_GRAPH_ATTRIBUTE_GRAPHS:
        sg_buf_addz(out, attribute->kind == SG_GRAPH_ATTRIBUTE_INTS     ? "ints"
                         : attribute->kind == SG_GRAPH_ATTRIBUTE_FLOATS ? "floats"
                         : attribute->kind == SG_GRAPH_ATTRIBUTE_TEXTS  ? "texts"
                                                                        : "graphs");
        break;
    case SG_GRAPH_ATTRIBUTE_REFERENCE:
        sg_buf_addz(out, "@");
        break;
    default:
        break;
    }
    for (int64_t i = 0; i < attribute->count; i++) {
        assert_non_null(attribute->spans[i].source);
        if (attribute->ints != NULL) {
            sg_buf_printf(out, "<%" PRId64 ">", attribute->ints[i]);
        } else if (attribute->floats != NULL) {
            sg_buf_printf(out, "<%.9gf>", attribute->floats[i]);
        } else {
            sg_buf_printf(out, "<'%s'>", attribute->texts[i]);
        }
    }
}

static void dump_infos(sg_buf *out, const char *title, const sg_graph_info *infos, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        sg_buf_printf(out, " %s %s:", title, infos[i].name);
        dump_type(out, &infos[i].type);
    }
}

static void dump_graph(sg_buf *out, const sg_graph *graph)
{
    sg_buf_printf(out, "%s[", graph->name);
    dump_infos(out, "in", graph->inputs, graph->ninputs);
    dump_infos(out, "out", graph->outputs, graph->noutputs);
    dump_infos(out, "info", graph->infos, graph->ninfos);
    for (int64_t i = 0; i < graph->ninitializers; i++) {
        sg_buf_addz(out, " init ");
        dump_tensor(out, &graph->initializers[i]);
    }
    for (int64_t i = 0; i < graph->nnodes; i++) {
        const sg_graph_node *node = &graph->nodes[i];
        sg_buf_printf(out, " node%s%s ", node->name[0] != '\0' ? ":" : "", node->name);
        dump_names(out, node->outputs, node->noutputs);
        sg_buf_printf(out, "=%s%s%s%s%s/%" PRId64, node->domain, node->domain[0] ? "." : "",
                      node->op_type, node->overload[0] ? ":" : "", node->overload, node->opset);
        dump_names(out, node->inputs, node->ninputs);
        for (int64_t a = 0; a < node->nattributes; a++) {
            dump_attribute(out, &node->attributes[a]);
        }
    }
    sg_buf_addz(out, " ]");
}

static void dump_model(sg_buf *out, const sg_graph_model *model)
{
    assert_int_equal(model->format, SG_MODEL_ONNXTXT);
    if (model->version != 0 || model->nopsets > 0) {
        sg_buf_printf(out, "ir%" PRId64, model->version);
    }
    for (int64_t i = 0; i < model->nopsets; i++) {
        sg_buf_printf(out, " '%s':%" PRId64, model->opsets[i].domain, model->opsets[i].version);
    }
    sg_buf_addz(out, out->len > 0 ? " " : "");
    dump_graph(out, &model->graph);
    for (int64_t i = 0; i < model->nfunctions; i++) {
        const sg_graph_function *function = &model->functions[i];
        sg_buf_printf(out, " function %s.%s:%s", function->domain, function->name,
                      function->overload);
        dump_names(out, function->inputs, function->ninputs);
        dump_names(out, function->outputs, function->noutputs);
        dump_names(out, function->attributes, function->nattributes);
        for (int64_t a = 0; a < function->ndefaults; a++) {
            dump_attribute(out, &function->defaults[a]);
        }
        for (int64_t o = 0; o < function->nopsets; o++) {
            sg_buf_printf(out, " '%s':%" PRId64, function->opsets[o].domain,
                          function->opsets[o].version);
        }
        sg_buf_addz(out, " ");
        dump_graph(out, &function->body);
    }
}

static void expect_dump(const char *text, const char *expected)
{
    fixture *f = read_bytes(text, strlen(text));
    if (f->model == NULL || f->diag.warnings > 0) {
        print_error("text: %s\ngot:  %s\n", text, outcome(f));
        fail();
    }
    sg_buf out = {0};
    dump_model(&out, f->model);
    if (strcmp(out.ptr, expected) != 0) {
        print_error("text:     %s\nexpected: %s\ngot:      %s\n", text, expected, out.ptr);
        fail();
    }
    sg_buf_free(&out);
    done(f);
}

/* The attributes of one node, or the locals of a graph. */
static void expect_attributes(const char *attributes, const char *expected)
{
    char text[1024];
    char dump[1024];
    snprintf(text, sizeof text, "g () => () { = Op <%s> () }", attributes);
    snprintf(dump, sizeof dump, "g[ node ()=Op/0()%s ]", expected);
    expect_dump(text, dump);
}

static void expect_locals(const char *locals, const char *expected)
{
    char text[1024];
    char dump[1024];
    snprintf(text, sizeof text, "g () => () <%s> {}", locals);
    snprintf(dump, sizeof dump, "g[%s ]", expected);
    expect_dump(text, dump);
}

/* The same for wrong text; the column is relative to the attribute's or local's own text. */
static void expect_wrong(const char *before, const char *middle, const char *behind, int column,
                         const char *message)
{
    char text[1024];
    char expected[1024];
    snprintf(text, sizeof text, "%s%s%s", before, middle, behind);
    snprintf(expected, sizeof expected, "1:%d: %s", (int)strlen(before) + column, message);
    expect_outcome(text, expected);
}

static void wrong_attribute(const char *attribute, int column, const char *message)
{
    expect_wrong("g () => () { = Op <", attribute, "> () }", column, message);
}

static void wrong_local(const char *local, int column, const char *message)
{
    expect_wrong("g () => () <", local, "> {}", column, message);
}

static void test_model(void **state)
{
    (void)state;
    expect_dump("g () => () {}", "g[ ]");
    expect_dump("g => (y) {}", "g[ out y:? ]");
    expect_dump("\"a graph\" (x) => (y) <> {}", "a graph[ in x:? out y:? ]");
    expect_dump("float () => () {} seq () => () {}", "float[ ] function .seq:()()() seq[ ]");
    expect_dump("<ir_version: 10, opset_import: [\"\" : 18, \"com.microsoft\" : 1],"
                " producer_name: \"p\", producer_version: \"v\", domain: \"d\", model_version: -3,"
                " doc_string: \"a \\\" b\nc\", metadata_props: [\"k\" : \"v\", \"l\" : \"\"]>"
                " g () => () { a = Op() b = com.microsoft.Op() c = other.Op() }",
                "ir10 '':18 'com.microsoft':1 g[ node (a)=Op/18() node (b)=com.microsoft.Op/1()"
                " node (c)=other.Op/0() ]");
    /* Scalars overwrite, lists accumulate; the later import of a domain counts; both names of
     * ONNX's. */
    expect_dump("<ir_version: 1, ir_version: 2, opset_import: [\"\" : 1], opset_import: [],"
                " opset_import: [\"ai.onnx\" : 7], metadata_props: []>"
                " g () => () { = Op() = ai.onnx.Op() }",
                "ir2 '':1 '':7 g[ node ()=Op/7() node ()=Op/7() ]");
    expect_dump("# comment\n g # more\r still more\n#\n () =>\v\f() {}#", "g[ ]");
}

static void test_types(void **state)
{
    (void)state;
    expect_dump("g (float a, float[] b, float[N, 2, ?, \"x y\", -1, float, \"\"] c) => () {}",
                "g[ in a:f32[] in b:f32[...] in c:f32[N,2,-1,x y,-1,float,-1] ]");
    expect_dump("g (seq(float[2]) a, map(int64, seq(string)) b, optional(float) c,"
                " sparse_tensor(float[3]) d, opaque() e, opaque(a) f, opaque(a . b, c) h,"
                " sparse_tensor(int8[]) i) => () {}",
                "g[ in a:? in b:? in c:? in d:? in e:? in f:? in h:? in i:? ]");
    expect_dump(
        "g (uint8 a, int8 b, uint16 c, int16 d, int32 e, int64 f, string g, bool h) => () {}",
        "g[ in a:u8[] in b:i8[] in c:u16[] in d:i16[] in e:i32[] in f:i64[] in g:string[]"
        " in h:bool[] ]");
    expect_dump("g (float16 a, double b, uint32 c, uint64 d, complex64 e, complex128 f,"
                " bfloat16 h, float8e4m3fn i, float8e4m3fnuz j, float8e5m2 k) => () {}",
                "g[ in a:f16[] in b:f64[] in c:u32[] in d:u64[] in e:c64[] in f:c128[]"
                " in h:bf16[] in i:f8e4m3[] in j:f8e4m3fnuz[] in k:f8e5m2[] ]");
    expect_dump("g (float8e5m2fnuz a, float8e8m0 b, uint4 c, int4 d, float4e2m1 e, uint2 f,"
                " int2 h, float6e2m3 i, float6e3m2 j) => () {}",
                "g[ in a:f8e5m2fnuz[] in b:f8e8m0[] in c:u4[] in d:i4[] in e:f4e2m1[] in f:u2[]"
                " in h:i2[] in i:f6e2m3[] in j:f6e3m2[] ]");
    /* No word is reserved where no type can start. */
    expect_dump(
        "g (float float, inf, float seq, opset_import, \"map\") => (nan) { map = seq(int64) }",
        "g[ in float:f32[] in inf:? in seq:f32[] in opset_import:? in map:?"
        " out nan:? node (map)=seq/0(int64) ]");
}

static void test_constants(void **state)
{
    (void)state;
    expect_locals("int64[2] a = {1, -9223372036854775808}, float b",
                  " info b:f32[]"
                  " init a:i64[2]{1,-9223372036854775808}");
    expect_dump("g (x, int64[1] y = {007}) => () <bool[2] z = {1, 0}> {}",
                "g[ in x:? in y:i64[1] init y:i64[1]{7} init z:bool[2]{1,0} ]");
    expect_locals("float[6] a = {1, -2.5, 1., 1e-3, 1E+2, 1e-50}",
                  " init a:f32[6]{1f,-2.5f,1f,0.00100000005f,100f,0f}");
    expect_locals("double[4] a = {inf, -Infinity, nAn, 1e300}",
                  " init a:f64[4]{inff,-inff,nanf,1e+300f}");
    expect_locals("float16[3] a = {15360, 1, 64512}, bfloat16[1] b = {16256}",
                  " init a:f16[3]{1f,5.96046448e-08f,-inff} init b:bf16[1]{1f}");
    expect_locals("string[3] a = {\"\", \"a\\\"b\\\\\\n\", \"two\nlines\"}",
                  " init a:string[3]{'','a\"b\\n','two\nlines'}");
    expect_locals("uint64[2] a = {9223372036854775807, 0}, uint64[1] b = {18446744073709551615}",
                  " init a:u64[2]{9223372036854775807,0} init b:u64[1]");
    expect_locals("uint32[1] a = {4294967295}, int8[2] b = {-128, 127}",
                  " init a:u32[1]{4294967295} init b:i8[2]{-128,127}");
    expect_locals("complex64[1] a = {1, 2}, float8e5m2[1] b = {1}, int4[2] c = {1},"
                  " float6e3m2[1] d = {1}",
                  " init a:c64[1] init b:f8e5m2[1] init c:i4[2] init d:f6e3m2[1]");
    expect_locals("int64[0] b = {}, int64 c = {5}", " init b:i64[0]{} init c:i64[]{5}");
    /* Weights in other files are not read. */
    expect_locals("float[65] a = [\"location\" : \"w\"]", " init a:f32[65]");
    /* No data at all; '=' and '>' may be adjacent. */
    expect_locals("int64[2] a =, int64 b =", " init a:i64[2] init b:i64[]");
    expect_locals("int64[5000] a =", " init a:i64[5000]");
}

/* Small constants in other files are read as for binaries. */
static void test_external_data(void **state)
{
    (void)state;
    static const char name[] = "test_onnx_text.bin";
    static const unsigned char bytes[] = {9, 9, 2, 0, 0xFF, 0xFF, 0, 0, 0xC0, 0x3F};
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
    assert_int_equal(fclose(file), 0);
    expect_locals("int16[2] a = [\"location\" : \"test_onnx_text.bin\", \"offset\" : \"2\"],"
                  " float b = [\"offset\" : \"6\", \"location\" : \"test_onnx_text.bin\","
                  " \"length\" : \"4\"]",
                  " init a:i16[2]{2,-1} init b:f32[]{1.5f}");
    wrong_local("int64[2] a = [\"location\" : \"test_onnx_text.bin\"]", 1,
                "the values of constant 'a' are bytes 0 to 16 of 'test_onnx_text.bin', which has "
                "10; is it of another export?");
    assert_int_equal(remove(name), 0);
    wrong_local("int64 a = [\"location\" : \"../w\"]", 1,
                "the file of the values of constant 'a' is '../w'; external data must be in the "
                "folder of the model, by a relative path without '..'");
    wrong_local("int64 a = [\"location\" : \"w\", \"offset\" : \"x\"]", 41,
                "the offset of external data is 'x', but it is a number of bytes, 0 or more");
    expect_outcome(
        "g () => () <int64 a = [\"location\" : \"w\"]> {}",
        "1:13: warning: the values of constant 'a' are in the file 'w' and stay unknown: "
        "No such file or directory; put the file itself beside the model if shapes "
        "depend on them");
}

static void test_large_constants_have_no_values(void **state)
{
    (void)state;
    for (int64_t count = SG_GRAPH_VALUES_MAX; count <= SG_GRAPH_VALUES_MAX + 1; count++) {
        sg_buf text = {0};
        sg_buf_printf(&text, "g () => () <int64[%" PRId64 "] a = {0", count);
        for (int64_t i = 1; i < count; i++) {
            sg_buf_printf(&text, ",%" PRId64, i);
        }
        sg_buf_addz(&text, "}> {}");
        fixture *f = read_bytes(text.ptr, text.len);
        assert_string_equal(outcome(f), "ok");
        const sg_graph_tensor *tensor = &f->model->graph.initializers[0];
        bool kept = count <= SG_GRAPH_VALUES_MAX;
        assert_int_equal(tensor->kind, kept ? SG_GRAPH_VALUES_INTS : SG_GRAPH_VALUES_NONE);
        assert_int_equal(tensor->count, kept ? count : 0);
        assert_int_equal(tensor->ints != NULL, kept);
        if (kept) {
            assert_int_equal(tensor->ints[count - 1], count - 1);
        }
        done(f);
        sg_buf_free(&text);
    }
}

static void test_nodes(void **state)
{
    (void)state;
    expect_dump("g () => () { [one] a, b = Op (x, y) [] c = a . b.Op:over <k = 1> (x)"
                " [\"two three\"] d = .Op(x) <k = 2> = Op() e = (x) f = :over (x) h = <k = 3> () }",
                "g[ node:one (a,b)=Op/0(x,y) node (c)=a.b.Op:over/0(x) k=<1>"
                " node:two three (d)=Op/0(x) k=<2> node ()=Op/0() node (e)=/0(x)"
                " node (f)=:over/0(x) node (h)=/0() k=<3> ]");
}

static void test_lists_of_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "()"},        {"x", "(x)"},
        {",x", "('',x)"},  {",", "('')"},
        {"x,", "(x)"},     {"x,,", "(x,'')"},
        {"\"\"", "('')"},  {",,", "('','')"},
        {"\"\",", "('')"}, {"a,,\"b c\"", "(a,'',b c)"},
        {"x,y,", "(x,y)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        char dump[256];
        snprintf(text, sizeof text, "g () => () { %s = Op(%s) }", cases[i][0], cases[i][0]);
        snprintf(dump, sizeof dump, "g[ node %s=Op/0%s ]", cases[i][1], cases[i][1]);
        expect_dump(text, dump);
    }
}

static void test_attributes(void **state)
{
    (void)state;
    expect_attributes("a = 1, b = -2.5, c = \"t\", d = inf, e = -NAN, f = @r, h : int = @\"r s\"",
                      " a=<1> b=<-2.5f> c=<'t'> d=<inff> e=<-nanf> f=@<'r'> h=@<'r s'>");
    expect_attributes("a : int = 1, b : float = 2, c : string = \"\", d : float = 0.1",
                      " a=<1> b=<2f> c=<''> d=<0.100000001f>");
    expect_attributes("a = [1, 2], b = [1.5, 2], c = [\"x\", \"y\"], d : floats = [1, 2.5],"
                      " e : int = [1, 2], f : ints = @r",
                      " a=ints<1><2> b=floats<1.5f><2f> c=texts<'x'><'y'> d=floats<1f><2.5f>"
                      " e=ints<1><2> f=@<'r'>");
    expect_attributes("a : ints = [], b : floats = [], c : strings = [], d : graphs = [],"
                      " e : tensors = []",
                      " a=ints b=floats c=texts d=graphs e=none");
    expect_attributes("a = int64[2] {1, 2}, b = int64[1] n = {3}, c = int64[1] n {4},"
                      " d = int64[1] = {5}, e : tensor = int64[1] {6}",
                      " a=:i64[2]{1,2} b=n:i64[1]{3} c=n:i64[1]{4} d=:i64[1]{5} e=:i64[1]{6}");
    expect_attributes(
        "a = float[65] n [\"location\" : \"w\"], b = float[65] = [\"location\" : \"w\"],"
        " c = int64[1] n, d = int64[1] =",
        " a=n:f32[65] b=:f32[65] c=n:i64[1] d=:i64[1]");
    expect_attributes("a = float, b = float[], c : type_proto = seq(float), d = opaque()",
                      " a=none b=none c=none d=none");
    expect_attributes("float = 1, seq : ints = [1], inf = 2", " float=<1> seq=ints<1> inf=<2>");
    expect_attributes(
        "a = h () => (y) { y = Op <k = i => (z) <float w> {}> (x) }, b : graph = j => () {}",
        " a=h[ out y:? node (y)=Op/0(x) k=i[ out z:? info w:f32[] ] ] b=j[ ]");
}

static void test_functions(void **state)
{
    (void)state;
    expect_dump(
        "<opset_import: [\"\" : 18, \"local\" : 1]> g (x) => (y) { y = local.f:v (x) }"
        "<domain: \"local\", overload: \"v\", doc_string: \"d\", opset_import: [\"\" : 13]>"
        " f <a, \"b c\", d = 1, \"e\" : ints = []> (float[N] x, z) => (float y) <int64 i, j>"
        " { y = Op <k = @a> (x) y = local.h () }"
        " \"h\" () => () {}",
        "ir0 '':18 'local':1 g[ in x:? out y:? node (y)=local.f:v/1(x) ]"
        " function local.f:v(x,z)(y)(a,b c) d=<1> e=ints '':13"
        " f[ info x:f32[N] info y:f32[] info i:i64[] info j:?"
        " node (y)=Op/13(x) k=@<'a'> node (y)=local.h/0() ]"
        " function .h:()()() h[ ]");
}

static void assert_text(sg_span span, const char *text)
{
    assert_non_null(span.source);
    assert_int_equal(span.end - span.begin, strlen(text));
    assert_memory_equal(span.source->text + span.begin, text, strlen(text));
}

static void test_places(void **state)
{
    (void)state;
    const char *text = "g (float[N, 6] x) => (y) <int64[2] w = {2, -4}> { [n] a, , b = d.Split:o"
                       " <axis = 1, l : ints = [7, 8], t = int8[1] {9}, r = @q,"
                       " h = i => () {}> (x, w) }\nf (p) => (q) {}";
    fixture *f = read_bytes(text, strlen(text));
    assert_non_null(f->model);
    const sg_graph *graph = &f->model->graph;
    assert_ptr_equal(f->model->source, f->source);
    assert_int_equal(graph->span.begin, 0);
    assert_int_equal(graph->span.end, strchr(text, '\n') - text);
    assert_text(graph->inputs[0].span, "float[N, 6] x");
    assert_text(graph->inputs[0].type.shape.dims[0].span, "N");
    assert_text(graph->inputs[0].type.shape.dims[1].span, "6");
    assert_text(graph->outputs[0].span, "y");
    assert_text(graph->initializers[0].span, "int64[2] w = {2, -4}");
    assert_text(graph->initializers[0].spans[1], "-4");
    const sg_graph_node *node = &graph->nodes[0];
    assert_int_equal(text[node->span.begin], '[');
    assert_memory_equal(text + node->span.end - 6, "(x, w)", 6);
    assert_text(node->output_spans[0], "a");
    assert_text(node->output_spans[1], ",");
    assert_text(node->output_spans[2], "b");
    assert_text(node->input_spans[1], "w");
    assert_text(node->attributes[0].span, "axis = 1");
    assert_text(node->attributes[0].spans[0], "1");
    assert_text(node->attributes[1].span, "l : ints = [7, 8]");
    assert_text(node->attributes[1].spans[1], "8");
    assert_text(node->attributes[2].span, "t = int8[1] {9}");
    assert_text(node->attributes[2].tensor->span, "int8[1] {9}");
    assert_text(node->attributes[2].tensor->spans[0], "9");
    assert_text(node->attributes[3].spans[0], "@q");
    assert_text(node->attributes[4].graphs[0]->span, "i => () {}");
    assert_text(f->model->functions[0].span, "f (p) => (q) {}");
    done(f);
}

static void test_what_may_follow(void **state)
{
    (void)state;
    expect_outcome("", "1:1: unexpected end of the text, expected a name or '<'");
    expect_outcome("# nothing\n", "1:1: unexpected end of the text, expected a name or '<'");
    expect_outcome("5", "1:1: unexpected '5', expected a name or '<'");
    expect_outcome("<>", "1:2: unexpected '>', expected a name without quotes");
    expect_outcome("<ir_version 3>", "1:13: unexpected '3', expected ':'");
    expect_outcome("<ir_version: x>", "1:14: unexpected 'x', expected a number, a string or '['");
    expect_outcome("<ir_version: 3,>", "1:16: unexpected '>', expected a name without quotes");
    expect_outcome("<opset_import: [\"\" : 1,]>", "1:24: unexpected ']', expected a string");
    expect_outcome("g", "1:2: unexpected end of the text, expected '=>' or '('");
    expect_outcome("g (x", "1:5: unexpected end of the text, expected '=', ',' or ')'");
    expect_outcome("g (x,)", "1:6: unexpected ')', expected a type or a name");
    expect_outcome("g (float[2) => () {}", "1:11: unexpected ')', expected ',' or ']'");
    expect_outcome("g (float[2,] x) => () {}",
                   "1:12: unexpected ']', expected a name, an integer or '?'");
    expect_outcome("g (float[1.5] x) => () {}",
                   "1:10: unexpected '1.5', expected a name, an integer, '?' or ']'");
    expect_outcome("g (seq(x) y) => () {}", "1:8: unexpected 'x', expected a type");
    expect_outcome("g (map(x, float) y) => () {}", "1:8: unexpected 'x', expected an element type");
    expect_outcome("g () = > () {}",
                   "1:6: unexpected '=', expected '=>' | 1:6: note: '=>' is one token, without a "
                   "blank inside");
    expect_outcome("g () => (x = {1}) {}", "1:12: unexpected '=', expected ',' or ')'");
    expect_outcome("g () => () { a Op() }", "1:16: unexpected 'Op', expected '=' or ','");
    expect_outcome("g () => () { a = Op x }",
                   "1:21: unexpected 'x', expected '.', ':', '(' or '<'");
    expect_outcome(
        "g () => () { a = \"Op\"() }",
        "1:18: unexpected '\"Op\"', expected a name without quotes, '.', ':', '(' or '<'");
    expect_outcome("g () => () { a = Op(); }",
                   "1:22: unexpected ';', expected a name, '=', ',', '[', '}' or '<'");
    expect_outcome("g () => () { a = Op <k = 1> () <k = 2> }",
                   "1:32: unexpected '<', expected a name, '=', ',', '[' or '}'");
    expect_outcome("g () => () {} f", "1:16: unexpected end of the text, expected '(' or '<'");
    expect_outcome("g () => () {} 5",
                   "1:15: unexpected '5', expected a name, '<' or the end of the text");
    expect_outcome("g () => () {} f () => () <float x = {1}> {}",
                   "1:35: unexpected '=', expected ',' or '>'");
    char longest[400];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    char text[512];
    snprintf(text, sizeof text, "g %s", longest);
    expect_outcome(text, "1:3: unexpected 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...', expected "
                         "'=>' or '('");
}

static void test_hints(void **state)
{
    (void)state;
    wrong_attribute("a = 'x'", 5,
                    "unexpected ''', expected a value or '[' | 1:24: note: strings have double "
                    "quotes");
    wrong_attribute("a = .5", 5,
                    "unexpected '.', expected a value or '[' | 1:24: note: a number begins with a "
                    "digit: 0.5");
    wrong_attribute("a = +5", 5,
                    "unexpected '+', expected a value or '[' | 1:24: note: a number has no '+' in "
                    "front");
    wrong_attribute("a = \"h\" () => () {}", 9,
                    "unexpected '(', expected ',' or '>' | 1:28: note: the name of a graph in an "
                    "attribute has no quotes");
    wrong_attribute(
        "a = inf () => () {}", 9,
        "unexpected '(', expected ',' or '>' | 1:28: note: the word before is read as a "
        "number here; a graph needs another name");
    wrong_attribute("a = int8[1] \"n\" {1}", 13,
                    "unexpected '\"n\"', expected a name without quotes, '=', ',', '{' or '>' | "
                    "1:32: note: the name of a tensor in an attribute has no quotes");
    wrong_attribute("a = int8[1] [\"location\" : \"w\"]", 13,
                    "unexpected '[', expected a name without quotes, '=', ',', '{' or '>' | 1:32: "
                    "note: external data of a tensor in an attribute needs a '=' in front");
    wrong_local(
        "bool[1] a = {true}", 14,
        "unexpected 'true', expected a number, a string or '}' | 1:26: note: values of bool "
        "are 1 and 0");
    expect_outcome(
        "g () => () {} f <a : int> () => () {}",
        "1:25: unexpected '>', expected '=' | 1:25: note: an attribute with a type has a "
        "value too; a function's attribute without a default is a name alone");
    /* The onnx package accepts this one. */
    expect_outcome("g () => () {} f <d = > () => () {}",
                   "1:22: unexpected '>', expected a value or '['");
    expect_outcome("g (,x) => () {}", "1:4: unexpected ',', expected a type, a name or ')'");
    expect_outcome("g (x,,y) => () {}",
                   "1:6: unexpected ',', expected a type or a name | 1:6: note: only a node's "
                   "inputs and outputs may be left out");
}

static void test_bytes(void **state)
{
    (void)state;
    wrong_attribute("a = \"x", 5,
                    "this string has no end, expected '\"' before the end of the text");
    wrong_attribute("a = -", 5, "'-' without a number, expected digits, inf or nan after it");
    wrong_attribute("a = -x", 5, "'-' without a number, expected digits, inf or nan after it");
    wrong_attribute("a = -inf1", 5, "'-' without a number, expected digits, inf or nan after it");
    wrong_attribute("a = - 5", 5, "a blank follows '-', expected its number without one");
    wrong_attribute("a = 1e", 5, "this number has no exponent, expected digits after its 'e'");
    wrong_attribute("a = 1.5E+", 5, "this number has no exponent, expected digits after its 'E'");
    wrong_attribute("a = 0x10", 6, "unexpected 'x10', expected ',' or '>'");
    wrong_attribute("a = 1.2.3", 8, "unexpected '.', expected ',' or '>'");
    expect_outcome("g\x01", "1:2: unexpected control character 0x01");
    expect_outcome("\xEF\xBB\xBFg",
                   "1:1: unexpected byte order mark; ONNX text begins with its first token");
    expect_outcome("g (\xC3\xA9)", "1:4: unexpected character U+00E9; names of other than ASCII "
                                   "letters are written in double quotes");
    expect_outcome("g (\xFF)", "1:4: unexpected byte 0xff, which is not UTF-8");
    fixture *f = read_bytes("g (\0)", 5);
    assert_string_equal(outcome(f), "1:4: unexpected NUL byte");
    done(f);
    f = read_bytes("g (\"a\0b\")", 9);
    assert_string_equal(outcome(f),
                        "1:6: unexpected NUL byte in a string; names and texts end with one");
    done(f);
    expect_dump("g (\"\xC3\xA9\") => () {}", "g[ in \xC3\xA9:? ]");
}

static void test_wrong_keys(void **state)
{
    (void)state;
    expect_outcome("<ir_versoin: 3> g",
                   "1:2: unknown key 'ir_versoin', expected ir_version, opset_import, "
                   "producer_name, domain, producer_version, model_version, doc_string or "
                   "metadata_props; did you mean 'ir_version'?");
    expect_outcome("g () => () {} <ir_version: 3> f",
                   "1:16: unknown key 'ir_version', expected opset_import, domain, doc_string or "
                   "overload");
    expect_outcome("<ir_version: 1.5> g",
                   "1:14: unexpected '1.5', expected an integer after ir_version");
    expect_outcome("<domain: 3> g", "1:10: unexpected '3', expected a string after domain");
    expect_outcome("<opset_import: 3> g", "1:16: unexpected '3', expected a list [\"domain\" : "
                                          "version, ...] after opset_import");
    expect_outcome("<metadata_props: \"\"> g",
                   "1:18: unexpected '\"\"', expected a list [\"key\" : "
                   "\"value\", ...] after metadata_props");
    expect_outcome("<ir_version: []> g",
                   "1:14: unexpected '[]', expected an integer after ir_version");
    expect_outcome("<opset_import: [\"\" : \"1\"]> g",
                   "1:22: unexpected '\"1\"', expected an integer in opset_import");
    expect_outcome("<metadata_props: [\"\" : 1]> g",
                   "1:24: unexpected '1', expected a string in metadata_props");
    expect_outcome("<ir_version: 9223372036854775808> g () => () {}",
                   "1:14: this integer does not fit into 64 bits, expected -9223372036854775808 to "
                   "9223372036854775807");
}

static void test_wrong_constants(void **state)
{
    (void)state;
    wrong_local("x = {1}", 1,
                "a constant needs a type, expected one in front of the name: int64[2]");
    wrong_local("seq(float) x = {1}", 1,
                "a constant is a tensor, expected an element type with or without dims");
    wrong_local("int64[] x = {1}", 1,
                "a constant has a known shape, expected dims between the brackets, or no brackets "
                "for one element");
    wrong_local("int64[2, N] x = {1}", 10, "a constant has dims that are numbers, got 'N'");
    wrong_local("int64[?] x = {1}", 7, "a constant has dims that are numbers, got '?'");
    wrong_local("int64[1] x = {1.5}", 15,
                "unexpected '1.5', expected an integer in a tensor of int64");
    wrong_local("int64[1] x = {inf}", 15,
                "unexpected 'inf', expected an integer in a tensor of int64");
    wrong_local("uint8[1] x = {\"a\"}", 15,
                "unexpected '\"a\"', expected an integer in a tensor of uint8");
    wrong_local("float16[1] x = {1.5}", 17,
                "unexpected '1.5', expected an integer (the bits of the value) in a tensor of "
                "float16");
    wrong_local("float6e2m3[1] x = {1.5}", 20,
                "unexpected '1.5', expected an integer (the bits of the value) in a tensor of "
                "float6e2m3");
    wrong_local("float[1] x = {\"a\"}", 15,
                "unexpected '\"a\"', expected a number in a tensor of float");
    wrong_local("string[1] x = {1}", 16, "unexpected '1', expected a string in a tensor of string");
    wrong_local("int64[1] x = {9223372036854775808}", 15,
                "this integer does not fit into 64 bits, expected -9223372036854775808 to "
                "9223372036854775807");
    wrong_local("uint64[1] x = {18446744073709551616}", 16,
                "this integer does not fit into 64 bits, expected 0 to 18446744073709551615");
    wrong_local("int32[1] x = {2147483648}", 15,
                "2147483648 does not fit into int32, expected at most 32 bits");
    wrong_local("float[1] x = {1e39}", 15,
                "this number is too large for float, expected at most 3.4028235e38");
    wrong_local("double[1] x = {1e309}", 16,
                "this number is too large for double, expected at most 1.7976931348623157e308");
}

/* The onnx package accepts these; their values are checked later. */
static void test_doubtful_constants(void **state)
{
    (void)state;
    wrong_local("int64[3] x = {1, 2}", 1,
                "warning: the dims make 3 elements, but 2 values are given; the values of this "
                "constant are not used");
    wrong_local("int64[1] x = {1, 2}", 1,
                "warning: the dims make 1 elements, but 2 values are given; the values of this "
                "constant are not used");
    wrong_local("int64[-1] x = {1}", 1,
                "warning: the dims make no number of elements, but 1 values are given; the values "
                "of this constant are not used");
    wrong_local("uint8[1] x = {300}", 15,
                "warning: 300 does not fit into uint8; the values of this constant are not used");
    wrong_local("bool[1] x = {2}", 14,
                "warning: 2 does not fit into bool; the values of this constant are not used");
    wrong_local("uint64[1] x = {-1}", 16,
                "warning: -1 does not fit into uint64; the values of this constant are not used");
    wrong_local("float8e4m3fn[1] x = {256}", 22,
                "warning: 256 does not fit into float8e4m3fn; the values of this constant are not "
                "used");
    wrong_local("int8[2] x = {-129, 128}", 14,
                "warning: -129 does not fit into int8; the values of this constant are not used");
    const char *text = "g () => () <uint8[2] x = {1, 300}, int8[3] y = {1}> {}";
    fixture *f = read_bytes(text, strlen(text));
    assert_non_null(f->model);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(f->model->graph.initializers[i].kind, SG_GRAPH_VALUES_NONE);
        assert_int_equal(f->model->graph.initializers[i].count, 0);
        assert_null(f->model->graph.initializers[i].ints);
    }
    done(f);
}

static void test_wrong_attributes(void **state)
{
    (void)state;
    wrong_attribute("\"a\" = 1", 1,
                    "the name of a node's attribute has no quotes, expected a bare name");
    wrong_attribute("a : intz = 1", 5,
                    "'intz' is not an attribute type, expected float, int, string, tensor, graph, "
                    "sparse_tensor, type_proto or a plural of them; did you mean 'int'?");
    wrong_attribute("a : bfloat16 = 1", 5,
                    "'bfloat16' is not an attribute type, expected float, int, string, tensor, "
                    "graph, sparse_tensor, type_proto or a plural of them");
    wrong_attribute("a : int = 1.5", 11, "attribute 'a' is of type int, got float");
    wrong_attribute("a : ints = 5", 12, "attribute 'a' is of type ints, got int");
    wrong_attribute("a : tensor = float", 14, "attribute 'a' is of type tensor, got type_proto");
    wrong_attribute("a = [1, 2.5]", 9, "attribute 'a' is a list of values of type int, got float");
    wrong_attribute("a : ints = [@r]", 13,
                    "attribute 'a' is a list of values of type int, got a reference");
    wrong_attribute("a = []", 5,
                    "an empty list has no type of its own, expected one: a : ints = []");
    wrong_attribute("a : int = []", 11,
                    "an empty list is not a single value, expected a : ints = []");
    wrong_attribute("a = [1, 2,]", 11, "unexpected ']', expected a value");
    wrong_attribute("a = 9223372036854775808", 5,
                    "this integer does not fit into 64 bits, expected -9223372036854775808 to "
                    "9223372036854775807");
    wrong_attribute("a = 1e39", 5,
                    "this number is too large for float, expected at most 3.4028235e38");
    wrong_attribute("a = inf_x () => () {}", 5,
                    "a graph in an attribute cannot be called 'inf_x': its name is read as the "
                    "number inf, expected another name");
    wrong_attribute("a = nan1 () => () {}, b = []", 27,
                    "an empty list has no type of its own, expected one: b : ints = []");
    wrong_attribute("a = [h => () {}, i => () {}]", 6,
                    "warning: entries of a list that are graphs are dropped, as the onnx package's "
                    "parser does; write numbers or strings, or one attribute for each");
    wrong_attribute("a = [@r]", 6,
                    "warning: entries of a list that are references are dropped, as the onnx "
                    "package's parser does; write numbers or strings, or one attribute for each");
}

static void test_begins_like_onnx_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_text;
    } cases[] = {
        {"<ir_version: 10>", true},
        {" # comment\n < # another\n ir_version # :\n : 10", true},
        {"\xEF\xBB\xBF<ir_version: 10>", true},
        {"g (float[N] x, y = {1}) => (z) {}", true},
        {"\"a graph\" (a, \")\" # )\n) => ()", true},
        {"g => () {}", true},
        {"", false},
        {"g", false},
        {"g (", false},
        {"g ()", false},
        {"g () =", false},
        {"g () = >", false},
        {"<", false},
        {"<\"a\" : 1>", false},
        {"<?xml version=\"1.0\"?>", false},
        {"<net name=\"a\" version=\"11\">", false},
        {"<!-- a : b --><net>", false},
        {"return { split { shape = { 1, 2 } } }", false},
        {"local x = require(\"a\") -- => \n", false},
        {"print(\"a\") return { f = \"=>\" }", false},
        {"qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*", false},
        {"f32[8,6144] @-1 -> 4096, 1024, 1024", false},
        {"\x08\x0a\x12", false},
        {"\"open", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (sg_onnx_is_text(cases[i].text, strlen(cases[i].text)) != cases[i].is_text) {
            fail_msg("'%s'", cases[i].text);
        }
    }
}

/* Reads `depth` graphs, each in an attribute of the one around it. */
static void read_nested(int depth, bool right)
{
    sg_buf text = {0};
    sg_buf_addz(&text, "g => () {");
    for (int i = 0; i < depth; i++) {
        sg_buf_addz(&text, " [n] a, b = d.Op:o <k = 1, l : graph = h => () {");
    }
    for (int i = 0; i < depth; i++) {
        sg_buf_addz(&text, "}> (x)");
    }
    sg_buf_addz(&text, "}");
    fixture *f = read_bytes(text.ptr, text.len);
    assert_string_equal(outcome(f), right
                                        ? "ok"
                                        : "1:4614: brackets are nested 193 deep, expected at most "
                                          "192; move inner graphs into functions of the model");
    done(f);
    sg_buf_free(&text);
}

static void test_nesting_is_bounded(void **state)
{
    (void)state;
    read_nested(95, true);
    read_nested(96, false);
    read_nested(20000, false);
    static const char *const parts[][2] = {
        {"g (", "seq("},
        {"g => () {", "a = b < c : graph = [h (x = {1}) => () {"},
        {"g (float[", "["},
        {"", "<"},
    };
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        sg_buf text = {0};
        sg_buf_addz(&text, parts[p][0]);
        for (int i = 0; i < 100000; i++) {
            sg_buf_addz(&text, parts[p][1]);
        }
        fixture *f = read_bytes(text.ptr, text.len);
        assert_null(f->model);
        done(f);
        sg_buf_free(&text);
    }
}

static const char *const samples[] = {
    "<ir_version: 10, opset_import: [\"\" : 18]> g (float[N, 6] x) => (float[N, 2] a, float b)"
    " <int64[2] l = {2, 4}, float[1] w = [\"location\" : \"f\"]>"
    " { [s] a, b = Split <axis = -1, k = [1.5, 2]> (x, l) }",
    "g => (y) { y = If <t = h () => (float q) { q = C <value = float {1.5}> () }, e = \"\\\"\","
    " r = @r, o : type_proto = map(int8, seq(opaque(a.b, c)))> (c,, \"d e\") }"
    "<domain: \"d\", opset_import: [\"\" : 18]> f <a, b : ints = [], c = inf> (float x) => (y) <> "
    "{ = d.O:v (x) # end\n}",
};

/* Every prefix of a model, in memory of its own size, is either a model or an error with a place
 * inside. */
static void test_cut_off(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        size_t len = strlen(samples[s]);
        size_t models = 0;
        for (size_t cut = 0; cut <= len; cut++) {
            fixture *f = read_bytes(samples[s], cut);
            models += f->model != NULL;
            for (const sg_diag_entry *e = f->diag.first; e != NULL; e = e->next) {
                assert_ptr_equal(e->span.source, f->source);
                assert_true(e->span.begin <= e->span.end && e->span.end <= cut);
            }
            (void)sg_onnx_is_text(f->source->text, cut);
            done(f);
        }
        assert_in_range(models, 1, 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_external_data),
        cmocka_unit_test(test_large_constants_have_no_values),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_lists_of_names),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_what_may_follow),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_wrong_keys),
        cmocka_unit_test(test_wrong_constants),
        cmocka_unit_test(test_doubtful_constants),
        cmocka_unit_test(test_wrong_attributes),
        cmocka_unit_test(test_begins_like_onnx_text),
        cmocka_unit_test(test_nesting_is_bounded),
        cmocka_unit_test(test_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
