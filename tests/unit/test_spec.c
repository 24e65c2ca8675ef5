/* Tests of the vocabulary of specs: fields, places, parameters, return values. The sandbox is
 * tested in test_sandbox.c, the meaning of values in test_split.c. */
#include "spec_run.h"

static void test_all_fields(void **state)
{
    (void)state;
    spec_run run = {0};
    run_spec(&run, "return split {\n"
                   "  name = 'qkv', dtype = 'f32',\n"
                   "  shape = { 1, 2 * 3, 768.0 },\n"
                   "  axis = -1,\n"
                   "  lengths = { 700, -1 },\n"
                   "  parts = 2,\n"
                   "  outputs = { 'q', false, '', '_' },\n"
                   "  align = 64, packing = 'onnx',\n"
                   "}\n");
    assert_true(run.ok);
    assert_int_equal(run.ops.count, 1);
    const sg_op *op = run.ops.items[0];
    assert_int_equal(op->kind, SG_OP_SPLIT);
    assert_string_equal(op->default_name, "spec");
    assert_span(op->span, "1:8-199");
    assert_string_equal(op->name.text, "qkv");
    assert_span(op->name.span, "2:10-15");
    assert_string_equal(op->dtype.text, "f32");
    assert_span(op->dtype.span, "2:25-30");
    assert_int_equal(op->shape.count, 3);
    assert_span(op->shape.span, "3:11-30");
    assert_int_equal(op->shape.items[1].value, 6);
    assert_span(op->shape.items[1].span, "3:16-21");
    assert_int_equal(op->shape.items[2].value, 768);
    assert_int_equal(op->axis.value, -1);
    assert_span(op->axis.span, "4:10-12");
    assert_int_equal(op->axis_rank, 0);
    assert_int_equal(op->axis_count, 1);
    assert_int_equal(op->lengths.items[1].value, -1);
    assert_false(op->lengths.items[1].rest);
    assert_span(op->lengths.items[1].span, "5:20-22");
    assert_true(op->parts.present);
    assert_span(op->parts.span, "6:11-12");
    assert_int_equal(op->outputs.count, 4);
    assert_false(op->outputs.is_count);
    assert_string_equal(op->outputs.items[0].name, "q");
    assert_true(op->outputs.items[0].wanted);
    for (int i = 1; i < 4; i++) {
        assert_false(op->outputs.items[i].wanted);
        assert_null(op->outputs.items[i].name);
    }
    assert_span(op->outputs.items[1].span, "7:20-25");
    assert_int_equal(op->align.value, 64);
    assert_span(op->align.span, "8:11-13");
    assert_string_equal(op->packing.text, "onnx");
    assert_false(op->opset.present);
    end_run(&run);
}

static void test_operators(void **state)
{
    (void)state;
    spec_run run = {0};
    run_spec(&run, "return {\n"
                   "onnx.Split { opset = 13, data = { dtype = 'float', shape = {2, 4} },\n"
                   "  axis = 1, split = {1, 3}, num_outputs = 2, outputs = 2 },\n"
                   "openvino.Split { data = {dtype='f32', shape={4}}, axis = 0, num_splits = 2 },\n"
                   "openvino.VariadicSplit { name = 'v', data = {}, axis = {0},\n"
                   "  split_lengths = {1, 2} },\n"
                   "}");
    assert_true(run.ok);
    assert_int_equal(run.ops.count, 3);
    const sg_op *onnx = run.ops.items[0];
    assert_int_equal(onnx->kind, SG_OP_ONNX_SPLIT);
    assert_string_equal(onnx->default_name, "spec_1");
    assert_int_equal(onnx->opset.value, 13);
    assert_string_equal(onnx->dtype.text, "float");
    assert_span(onnx->dtype.span, "2:43-50");
    assert_span(onnx->shape.items[1].span, "2:64-65");
    assert_span(onnx->lengths.items[1].span, "3:25-26");
    assert_int_equal(onnx->parts.value, 2);
    assert_true(onnx->outputs.is_count);
    assert_int_equal(onnx->outputs.count, 2);
    const sg_op *even = run.ops.items[1];
    assert_int_equal(even->kind, SG_OP_OPENVINO_SPLIT);
    assert_int_equal(even->parts.value, 2);
    const sg_op *variadic = run.ops.items[2];
    assert_int_equal(variadic->kind, SG_OP_OPENVINO_VARIADIC);
    assert_string_equal(variadic->default_name, "spec_3");
    assert_string_equal(variadic->name.text, "v");
    assert_int_equal(variadic->axis_rank, 1);
    assert_int_equal(variadic->axis_count, 1);
    assert_int_equal(variadic->axis.value, 0);
    assert_span(variadic->axis.span, "5:57-58");
    assert_int_equal(variadic->lengths.count, 2);
    assert_false(variadic->shape.present);
    end_run(&run);
}

static void test_axis_lists(void **state)
{
    (void)state;
    spec_run run = {0};
    run_spec(&run, "return {openvino.VariadicSplit { axis = {} },\n"
                   "openvino.Split { axis = {3, 4} }}");
    assert_true(run.ok);
    assert_int_equal(run.ops.items[0]->axis_rank, 1);
    assert_int_equal(run.ops.items[0]->axis_count, 0);
    assert_int_equal(run.ops.items[1]->axis_count, 2);
    assert_int_equal(run.ops.items[1]->axis.value, 3);
    assert_span(run.ops.items[1]->axis.span, "2:25-31");
    end_run(&run);
}

static void test_wrong_types(void **state)
{
    (void)state;
    static const struct {
        const char *field, *place, *message;
    } cases[] = {
        {"axis = 1.5", "2:8-11", "'axis' must be an integer, not 1.5"},
        {"axis = '1'", "2:8-11", "'axis' must be an integer, not the string '1'"},
        {"axis = true", "2:8-12", "'axis' must be an integer, not true"},
        {"axis = 2^63", "2:8-12", "'axis' is 9.2233720368548e+18, which does not fit 64 bits"},
        {"axis = 0/0", "2:8-11", "'axis' must be an integer, not nan"},
        {"axis = 1/0", "2:8-11", "'axis' must be an integer, not inf"},
        {"axis = { 'x' }", "2:10-13", "entry 1 of 'axis' must be an integer"},
        {"shape = 5", "2:9-10", "'shape' must be a list of integers, not 5"},
        {"shape = {1, 2.5, 3}", "2:13-16", "entry 2 of 'shape' must be an integer, not 2.5"},
        {"shape = {1, nil, 3}", "2:13-16", "'shape' has a hole: entry 2 is nil"},
        {"shape = {1, n = 3}", "2:9-19", "'shape' has an entry 'n'"},
        {"shape = {[0] = 3}", "2:9-18", "'shape' has an entry that is not numbered from 1"},
        {"lengths = {1, true}", "2:15-19", "entry 2 of 'lengths' must be an integer, not true"},
        {"lengths = {{}}", "2:12-14", "entry 1 of 'lengths' must be an integer, not a table"},
        {"parts = '3'", "2:9-12", "'parts' must be an integer, not the string '3'"},
        {"outputs = 'a'", "2:11-14", "'outputs' must be a list of names or a number"},
        {"outputs = 2.5", "2:11-14", "'outputs' must be an integer, not 2.5"},
        {"outputs = {'a', true}", "2:17-21", "entry 2 of 'outputs' must be a name, or false"},
        {"outputs = {'a', 7}", "2:17-18", "entry 2 of 'outputs' must be a name, or false"},
        {"name = 7", "2:8-9", "'name' must be a string, not 7"},
        {"name = 'a\\0b'", "2:8-14", "'name' contains a zero byte"},
        {"dtype = {}", "2:9-11", "'dtype' must be a string, not a table"},
        {"align = '64'", "2:9-13", "'align' must be an integer"},
        {"packing = 1", "2:11-12", "'packing' must be a string, not 1"},
        {"dytpe = 'f32'", "2:1-6", "unknown field 'dytpe' in split; did you mean 'dtype'?"},
        {"[\"shap\"] = 1", "2:1-9", "unknown field 'shap' in split; did you mean 'shape'?"},
        {"zzz = 1", "2:1-4", "its fields are name, dtype, shape, axis, lengths, parts"},
        {"5", "2:1-2", "split has 5 without a name"},
        {"[{}] = 1", "1:8-3:2", "split has a key that is no name"},
        {"axis = 1, axis = 2", "2:11-15", "'axis' is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        char place[32];
        spec_run run = {0};
        snprintf(text, sizeof text, "return split {\n%s\n}", cases[i].field);
        snprintf(place, sizeof place, "%s", cases[i].place);
        if (strcmp(place, "1:8-3:2") == 0) {
            snprintf(place, sizeof place, "1:8-%zu", 7 + strlen(cases[i].field) + 11);
        }
        run_spec(&run, text);
        expect_at(&run, place, cases[i].message);
        if (strstr(cases[i].message, "twice") != NULL) {
            expect_at(&run, "2:1-5", "it is given here already");
        }
        assert_false(run.ok);
        assert_int_equal(run.ops.count, 0);
        end_run(&run);
    }
}

static void test_data_fields(void **state)
{
    (void)state;
    expect_error("return onnx.Split { data = 5 }", "1:28-29", "'data' must be a table { dtype =");
    expect_error("return onnx.Split { data = { shpe = {} } }", "1:30-34",
                 "unknown field 'shpe' in data; did you mean 'shape'?");
    expect_error("return onnx.Split { data = { dtype = 1 } }", "1:38-39",
                 "'dtype' must be a string, not 1");
    expect_error("return onnx.Split { shape = {} }", "1:21-26", "write data = { dtype = ...");
    expect_error("return openvino.Split { split = {} }", "1:25-30", "unknown field 'split'");
    expect_error("return openvino.Split { opset = 1 }", "1:25-30", "unknown field 'opset'");
}

static void test_errors_are_independent(void **state)
{
    (void)state;
    spec_run run = {0};
    run_spec(&run, "return {\n"
                   "  split { axis = 'a', align = {}, foo = 1 },\n"
                   "  split { dtype = 'f32' },\n"
                   "  split { name = 1 } }");
    expect_at(&run, "2:35-38", "unknown field 'foo'");
    expect_at(&run, "2:18-21", "'axis'");
    expect_at(&run, "2:31-33", "'align'");
    expect_at(&run, "4:18-19", "'name'");
    assert_false(run.ok);
    assert_int_equal(run.ops.count, 1);
    assert_string_equal(run.ops.items[0]->default_name, "spec_2");
    end_run(&run);
}

static void test_places_of_what_is_not_literal(void **state)
{
    (void)state;
    /* A table built elsewhere: the place is the call. */
    expect_error("local t = { axis = 'x' }\nreturn split(t)", "2:8-16", "'axis' must be");
    /* A value built elsewhere: the place is the expression. */
    expect_error("local s = {1, 'x'}\nreturn split { shape = s }", "2:24-25", "entry 2 of 'shape'");
    /* Values of a last item that expands to several. */
    expect_error("local s = {1, 'x'}\nreturn split { shape = { 4, table.unpack(s) } }", "2:29-44",
                 "entry 3 of 'shape'");
    /* The function under another name. */
    expect_error("local s = split\nreturn s { axis = 'x' }", "2:19-22", "'axis' must be");
    /* Through pcall, the literal is not an argument of split. */
    expect_error("local _, op = pcall(split, { axis = 'x' })\nreturn op", "1:15-43",
                 "'axis' must be");
    /* Two on a line are distinguished by their values. */
    expect_error("return { split { axis = 1 }, split { axis = 'x' } }", "1:45-48", "'axis'");
    expect_error(
        "local f, n = nil, 7 f = f and split { axis = 1, name = n } return split { axis = -2, "
        "name = n }",
        "1:93-94", "'name'");
    /* Braces in strings and comments do not count. */
    expect_error("return split { name = '}{', --[[ } ]] axis = [==[ ]] } ]==] } -- }", "1:46-60",
                 "'axis'");
    /* In a function. */
    expect_error("local function f(n)\n  return split { shape = { n, 2 } }\nend\nreturn f('x')",
                 "2:28-29", "entry 1 of 'shape'");
    /* With parentheses. */
    expect_error("return split({ axis = {} , parts = 'x' })", "1:36-39", "'parts'");
    /* A literal that was changed before the call is not used as a place. */
    expect_error("local function f(t) t.axis = 'x' return split(t) end\nreturn f { axis = 1 }",
                 "1:41-49", "'axis'");
    /* A call of the name and a literal under another name on one line: only the line is certain. */
    expect_error("local s, t = split, {} local op = s { axis = 'x' }, split(t) return op", "1:1-71",
                 "'axis'");
    /* A function in the table, with its own commas and ends. */
    expect_error("return split { axis = (function(a, b) if a then return a, b end end)('x', 1) }",
                 "1:23-77", "'axis'");
}

static void test_equal_literals_on_a_line(void **state)
{
    (void)state;
    spec_run run = {0};
    run_spec(&run, "return { split { axis = 'x' }, split { axis = 'x' } }");
    expect_at(&run, "1:25-28", "'axis'");
    expect_at(&run, "1:47-50", "'axis'");
    end_run(&run);
}

static void test_notation(void **state)
{
    (void)state;
    spec_run run = {0};
    run_spec(&run, "return split 'qkv: f32[6] -> q:2 k:4'");
    assert_true(run.ok);
    assert_string_equal(run.ops.items[0]->name.text, "qkv");
    assert_span(run.ops.items[0]->shape.items[0].span, "1:24-25");
    end_run(&run);

    run_spec(&run, "return split [[\n  f32[6] -> 2,4; f32[9] -> /3 ]]");
    assert_true(run.ok);
    assert_int_equal(run.ops.count, 2);
    assert_string_equal(run.ops.items[0]->default_name, "spec_1");
    assert_string_equal(run.ops.items[1]->default_name, "spec_2");
    assert_span(run.ops.items[1]->shape.items[0].span, "2:22-23");
    end_run(&run);

    /* In a list Lua reports the last line of the string. */
    run_spec(&run, "return {\nsplit [[\n\nf32[6] -> 2,4\n]] }");
    assert_true(run.ok);
    assert_span(run.ops.items[0]->shape.items[0].span, "4:5-6");
    end_run(&run);

    run_spec(&run, "return split(('f32[%d] -> & 1'):format(2))");
    assert_false(run.ok);
    assert_string_equal(run.next->span.source->name, "notation in spec.lua:1");
    expect_at(&run, "1:11-12", "unexpected '&'");
    expect_at(&run, "nowhere", "an op is written as in 'qkv: f32[");
    expect_at(&run, "1:8-43", "the notation is made here");
    end_run(&run);

    /* An escape shifts the columns. */
    run_spec(&run, "return split 'f32[2]\\x20-> & 1'");
    assert_string_equal(run.next->span.source->name, "notation in spec.lua:1");
    expect_at(&run, "1:11-12", "unexpected '&'");
    expect_at(&run, "nowhere", "an op is written as in 'qkv: f32[");
    expect_at(&run, "1:8-32", "the notation is made here");
    end_run(&run);
}

static void test_arguments(void **state)
{
    (void)state;
    expect_error("return split()", "1:8-15", "split takes one table { ... }, not 0 arguments");
    expect_error("return split(5)", "1:8-16", "split takes a table { ... } or a notation, not 5");
    expect_error("return split({}, {})", "1:8-21", "split takes one table { ... }, not 2 arg");
    expect_error("return onnx.Split 'x'", "1:8-22", "onnx.Split takes a table { ... }, not the");
    expect_error("return onnx:Split { }", "1:8-22", "onnx.Split is called with a dot");
    expect_error("return onnx.Splt { }", "1:13-17",
                 "there is no onnx.Splt; did you mean onnx.Split?");
    expect_error("return openvino.Relu { }", "1:17-21", "there is no openvino.Relu, only");
    expect_error("return onnx.load()", "1:8-19", "onnx.load takes the path of a model and a table");
    expect_error("return openvino.load('m.xml', 3)", "1:8-33", "openvino.load takes the path of");
}

static void test_fields_of_ops(void **state)
{
    (void)state;
    spec_run run = {0};
    run_spec(&run, "local o = split 'a: f32[4, 6] @1 -> x:2 _:*'\n"
                   "assert(o.name == 'a' and o.dtype == 'f32' and o.axis == 1)\n"
                   "assert(#o.shape == 2 and o.shape[2] == 6 and o.lengths[2] == -1)\n"
                   "assert(o.outputs[1] == 'x' and o.outputs[2] == false)\n"
                   "assert(o.node == nil and o.path == nil and o.input == nil and o.parts == nil)\n"
                   "local p = split { shape = { 4, 5, 6 }, axis = 2, strides = { 40, 6, 1 } }\n"
                   "assert(p.strides[1] == 40 and #p.strides == 3 and o.strides == nil)\n"
                   "o.shape[1] = 9\n"
                   "local n = o.name\n"
                   "o.name = 'b' .. n\n"
                   "return o");
    assert_true(run.ok);
    assert_string_equal(run.ops.items[0]->name.text, "ba");
    assert_string_equal(run.ops.items[0]->subject->name, "ba");
    assert_span(run.ops.items[0]->name.span, "10:3-7");
    assert_int_equal(run.ops.items[0]->shape.items[0].value, 4);
    end_run(&run);
#define OP "local o = split 'f32[4] @0 -> a:1 b:*'\n"
    expect_error(OP "o.axis = 1 return o", "2:3-7",
                 "only the name of an op can be set, not the string 'axis'");
    expect_error(OP "o.name = 1 return o", "2:3-7", "'name' must be a string, not 1");
    expect_error(OP "return o.shap", "2:10-14", "an op has no field 'shap'; did you mean 'shape'?");
    expect_error(OP "return o[1]", "2:1-12", "1 is none of them");
    expect_error(OP "return next(o)", "2:8-12", "(table expected, got op)");
#undef OP
}

static void test_returns(void **state)
{
    (void)state;
    expect_error("local x = 1", "1:1-12", "the spec returns nothing");
    expect_error("", "1:1-1", "the spec returns nothing");
    expect_error("return nil", "1:1-11", "the spec returns nothing");
    expect_error("return 5", "1:1-9", "the spec returns 5, not an op or a list of ops");
    expect_error("return 'f32[2]->1,1'", "1:1-21", "; a notation is written split \"...\"");
    expect_error("return split", "1:1-13", "the spec returns a function, not an op");
    expect_error("return {}", "1:1-10", "the returned list is empty; return one op or more");
    expect_error("return { axis = 1 }", "1:1-20", "was split { ... } meant");
    expect_error("return split {}, split {}", "1:1-26", "the spec returns 2 values");
    expect_error("return { split {}, 7 }", "1:20-21", "entry 2 of the returned list is 7, not an");
    expect_error("return { split {}, nil, split {} }", "1:20-23", "the returned list has a hole");
    expect_error("return { { split {} } }", "1:10-22", "is a list itself");
    expect_error("return { { axis = 1 } }", "1:10-22", "not an op; write split { ... }");
    expect_error("local t = { 1 }\nif t then\n  return t\nend\nreturn split {}", "3:3-11",
                 "entry 1 of the returned list is 1");
    expect_error("local f = function() return 1 end\nreturn {\n  f(),\n}", "3:3-6", "entry 1");
}

static void test_default_names(void **state)
{
    (void)state;
    spec_run run = {0};
    run_spec_as(&run, "dir/my-split.v2.lua", "return split {}");
    assert_string_equal(run.ops.items[0]->default_name, "my_split_v2");
    end_run(&run);
    run_spec_as(&run, "a.lua", "local s = split {}\nreturn { s, split { name = 'x' }, s }");
    assert_int_equal(run.ops.count, 3);
    assert_string_equal(run.ops.items[0]->default_name, "a_1");
    assert_string_equal(run.ops.items[1]->default_name, "a_2");
    assert_string_equal(run.ops.items[2]->default_name, "a_3");
    end_run(&run);
    run_spec_as(&run, "a.lua", "return { split {} }");
    assert_string_equal(run.ops.items[0]->default_name, "a");
    end_run(&run);
}

static sg_define define_of(const char *name, const char *value)
{
    return (sg_define){.name = name, .value = value, .span = sg_span_none()};
}

static void test_params(void **state)
{
    (void)state;
    sg_define defines[] = {define_of("batch", "8"),   define_of("who", "7"),
                           define_of("flag", "true"), define_of("free", "12"),
                           define_of("shap", "1"),    define_of("other", "1")};
    spec_run run = {.options = {.defines = defines, .ndefines = 6}};
    run_spec(&run,
             "assert(param('batch', 1.0) == 8 and math.type(param('batch', 1)) == 'integer')\n"
             "assert(param('who', 'x') == '7')\n"
             "assert(param('flag', false) == true)\n"
             "assert(param('free') == 12)\n"
             "assert(param('shape', 3) == 3 and math.type(param('f', 2.0)) == 'integer')\n"
             "return split { shape = { param('batch', 1), 4 } }");
    assert_true(run.ok);
    assert_int_equal(run.ops.items[0]->shape.items[0].value, 8);
    assert_span(run.ops.items[0]->shape.items[0].span, "6:26-43");
    assert_true(defines[0].used && defines[1].used && defines[2].used && defines[3].used);
    sg_spec_warn_unused(&run.diag, &run.options);
    run.next = run.diag.first;
    expect_at(&run, "nowhere", "no input has a parameter or dim 'shap'; did you mean 'shape'?");
    assert_int_equal(run.diag.warnings, 1); /* 'other' looks like none of them */
    end_run(&run);
}

static void test_wrong_params(void **state)
{
    (void)state;
    expect_error("return split { axis = param('n') }", "1:23-33",
                 "'n' has no value; give it one with -D n=...");
    expect_error("return split { axis = param('n', 1.5) }", "1:23-38",
                 "the default of 'n' must be an integer, a string, true or false");
    expect_error("return split { axis = param('n', {}) }", "1:23-37", "the default of 'n'");
    expect_error("return split { axis = param(1) }", "1:23-31", "param takes a name and a default");

    sg_define defines[] = {define_of("n", "1.5"), define_of("b", "1")};
    spec_run run = {.options = {.defines = defines, .ndefines = 2}};
    run_spec(&run, "return split { axis = param('n', 1), parts = param('b', true) }");
    expect_at(&run, "nowhere", "'n' must be an integer, not '1.5'");
    expect_at(&run, "1:23-36", "its default is given here");
    expect_at(&run, "nowhere", "'b' must be true or false, not '1'");
    expect_at(&run, "1:46-62", "its default is given here");
    end_run(&run);

    /* Consequences of a missing value are not reported; other errors are. */
    run = (spec_run){0};
    run_spec(&run, "local n = param 'n'\n"
                   "local m = (n * 2 + 1) // param('m')\n"
                   "return split { shape = { m, n ^ 'x', #n, 2.5 }, axis = n, outputs = { n },\n"
                   "  name = n, data = 1 }, n.x.y(3)");
    expect_at(&run, "1:11-20", "'n' has no value");
    expect_at(&run, "2:26-36", "'m' has no value");
    expect_at(&run, "4:13-17", "unknown field 'data'");
    expect_at(&run, "3:42-45", "entry 4 of 'shape'");
    expect_at(&run, "3:1-108", "the spec returns 2 values");
    end_run(&run);
    run_spec(&run, "for i = 1, param 'n' do end");
    expect_at(&run, "1:12-21", "'n' has no value");
    end_run(&run);
    run_spec(&run, "local s = param('n') .. 'x'"); /* the end: no table or value has __concat */
    expect_at(&run, "1:11-21", "'n' has no value");
    end_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_fields),
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_axis_lists),
        cmocka_unit_test(test_wrong_types),
        cmocka_unit_test(test_data_fields),
        cmocka_unit_test(test_errors_are_independent),
        cmocka_unit_test(test_places_of_what_is_not_literal),
        cmocka_unit_test(test_equal_literals_on_a_line),
        cmocka_unit_test(test_notation),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_fields_of_ops),
        cmocka_unit_test(test_returns),
        cmocka_unit_test(test_default_names),
        cmocka_unit_test(test_params),
        cmocka_unit_test(test_wrong_params),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
