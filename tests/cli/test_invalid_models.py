"""Wrong models, and models that tools interpret differently: the message for each."""
import re

import pytest
from listing import lists
from testing import regex, without, without_match

ONE = """<ir_version: 3, opset_import: ["" : 1]>
net (float[4,6] x) => (a, b) <float[2] l = {3.0, 3.0}> { a, b = Split <axis = 1, split = [2, 4]> (x, l) }
"""


def of(work, opset, code, node, message):
    """A model with the tensors x[4,6], l and flat (i64), and small (i32)."""
    work.write("m.onnxtxt", f"""<ir_version: 8, opset_import: ["" : {opset}]>
net (float[4,6] x) => (a, b)
<int64[2] l = {{2, 4}}, int64[1,2] flat = {{2, 4}}, int32[2] small = {{2, 4}}>
{{ {node} }}
""")
    work.splitgen("--list m.onnxtxt", code, out="" if code else regex("."), err=message)


def ir(work, version, data, shape):
    work.write("ir.xml", f"""<net name='n' version='{version}'><layers>
<layer id='0' name='x' type='Parameter' version='opset1'><data shape='4,6' element_type='f32'/><output><port id='0'/></output></layer>
<layer id='1' name='along' type='Const' version='opset1'><data element_type='i8' shape='{shape}' offset='0' size='1'/><output><port id='0'/></output></layer>
<layer id='2' name='s' type='Split' version='opset1'><data {data}/><input><port id='0'/><port id='1'/></input><output><port id='2'/><port id='3'/></output></layer>
</layers><edges><edge from-layer='0' from-port='0' to-layer='2' to-port='0'/>
<edge from-layer='1' from-port='0' to-layer='2' to-port='1'/></edges></net>
""")


def layer(work, type, data, message):
    """A layer of two inputs, a Convert or a MaxPool of one, between x and the Split."""
    ir(work, 11, "num_splits='3'", "")
    second = "" if type in ("Convert", "MaxPool") else "<port id='1'/>"
    edge = second and "<edge from-layer='1' from-port='0' to-layer='3' to-port='1'/>"
    text = work.read("ir.xml").replace("</layers>", f"<layer id='3' name='l' type='{type}' version='opset1'><data {data}/>"
                                       f"<input><port id='0'/>{second}</input><output><port id='2'/></output></layer>\n</layers>")
    work.write("ir.xml", text.replace("to-layer='2' to-port='0'/>", f"to-layer='3' to-port='0'/>{edge}"
                                      "<edge from-layer='3' from-port='2' to-layer='2' to-port='0'/>"))
    work.splitgen("--list ir.xml", 1, err=message)


def variadic(work, shape, port, edge):
    """Axis 1 in a list of one, lengths 2 and 4."""
    work.write("ir.xml", f"""<net name='n' version='11'><layers>
<layer id='0' name='x' type='Parameter' version='opset1'><data shape='4,6' element_type='f32'/><output><port id='0'/></output></layer>
<layer id='1' name='along' type='Const' version='opset1'><data element_type='i8' shape='1' offset='0' size='1'/><output><port id='0'/></output></layer>
<layer id='2' name='l' type='Const' version='opset1'><data element_type='u8' shape='{shape}' offset='1' size='2'/><output><port id='0'/></output></layer>
<layer id='3' name='v' type='VariadicSplit' version='opset1'><input><port id='0'/><port id='1'/>{port}</input><output><port id='3'/><port id='4'/></output></layer>
</layers><edges><edge from-layer='0' from-port='0' to-layer='3' to-port='0'/><edge from-layer='1' from-port='0' to-layer='3' to-port='1'/>{edge}</edges></net>
""")


def faulty(work, code, options, inputs, constants, nodes, *messages):
    work.write("m.onnxtxt", f"""<ir_version: 8, opset_import: ["" : 13]>
net ({inputs}) => (a, b)
<{constants}>
{{ {nodes} }}
""")
    if code:
        work.splitgen(f"--list {options} m.onnxtxt", code, out="", err=[*messages, without("give --shape")])
    else:
        work.splitgen(f"--list {options} m.onnxtxt", out=regex("."), err="")


def bounded(work, a, b):
    """A Concat along axis 1 of tensors of these dims 0, which may have bounds."""
    work.write("ir.xml", f"""<net name='n' version='11'><layers>
<layer id='0' name='a' type='Parameter' version='opset1'><data shape='{a},2' element_type='f32'/><output><port id='0'/></output></layer>
<layer id='1' name='b' type='Parameter' version='opset1'><data shape='{b},3' element_type='f32'/><output><port id='0'/></output></layer>
<layer id='2' name='c' type='Concat' version='opset1'><data axis='1'/><input><port id='0'/><port id='1'/></input><output><port id='2'/></output></layer>
</layers><edges><edge from-layer='0' from-port='0' to-layer='2' to-port='0'/><edge from-layer='1' from-port='0' to-layer='2' to-port='1'/></edges></net>
""")


@pytest.mark.parametrize("opset,code,node,message", [
    (13, 1, "a, b = Split <axis = 1.0> (x)",
     "m.onnxtxt:4:17: error: 'axis' of Split 'a' must be of type INT, but is of type FLOAT: 1.0\n"),
    (13, 1, 'a, b = Split <axis = "1"> (x)', 'must be of type INT, but is of type STRING: "1"\n'),
    (13, 1, "a, b = Split <axis = [1]> (x)", "must be of type INT, but is of type INTS: 1\n"),
    (11, 1, "a, b = Split <split = [2.0, 4.0]> (x)",
     "'split' of Split 'a' must be of type INTS, but is of type FLOATS: 2.0, 4.0\n"),
    (11, 1, "a, b = Split <split = 3> (x)", "'split' of Split 'a' must be of type INTS, but is of type INT: 3\n"),
    (18, 1, "a, b = Split <num_outputs = [2]> (x)",
     "'num_outputs' of Split 'a' must be of type INT, but is of type INTS: 2\n"),
    (13, 1, "a, b = Split <axes = 1> (x)", ["error: Split 'a' has an attribute 'axes', and no Split of ONNX has one",
                                            "did you mean 'axis'?"]),
    (13, 1, "a, b = Split <axis = 1, axis = 0> (x)", ["'axis' of Split 'a' is given twice: remove one of them",
                                                      "note: the other one"]),
    (13, 1, "a, b = Split <axis : int = @along> (x)", "refers to the attribute 'along' of a function, but is not in one")])
def test_attributes_of_a_split(work, opset, code, node, message):
    """Types, names, references. tests/unit/test_infer.c has all types of all attributes."""
    of(work, opset, code, node, message)


@pytest.mark.parametrize("opset,code,node,message", [
    (13, 1, "y = Transpose <perm = [1.0, 0.0]> (x) a, b = Split (y)",
     "m.onnxtxt:4:18: error: 'perm' of Transpose 'y' must be of type INTS, but is of type FLOATS: 1.0, 0.0\n"),
    (13, 1, "y = Transpose <perm = 1> (x) a, b = Split (y)", "must be of type INTS, but is of type INT: 1\n"),
    (13, 1, "y = Flatten <axis = [1]> (x) a, b = Split (y)",
     "'axis' of Flatten 'y' must be of type INT, but is of type INTS: 1\n"),
    (13, 1, 'y = Cast <to = "FLOAT"> (x) a, b = Split (y)',
     "'to' of Cast 'y' must be of type INT, but is of type STRING: \"FLOAT\"\n"),
    (5, 1, "y = Cast <to = 1> (x) a, b = Split (y)",
     "'to' of Cast 'y' must be of type STRING, but is of type INT: 1\n"),
    (5, 0, 'y = Cast <to = "FLOAT16"> (x) a, b = Split (y)', ""),
    (13, 1, "y = Einsum <equation = 1> (x) a, b = Split (y)",
     "'equation' of Einsum 'y' must be of type STRING, but is of type INT: 1\n"),
    (13, 1, "y = Constant <value = 1> () a, b = Split (x, y)",
     "'value' of Constant 'y' must be of type TENSOR, but is of type INT: 1\n"),
    (13, 1, "y = Constant <value_floats = [1]> () a, b = Split (x, y)",
     "must be of type FLOATS, but is of type INTS: 1\n"),
    (8, 1, "y = Upsample <scales = 2.0> (x) a, b = Split (y)",
     "'scales' of Upsample 'y' must be of type FLOATS, but is of type FLOAT: 2.0\n"),
    (6, 1, "y = Clip <max = 6> (x) a, b = Split (y)",
     "'max' of Clip 'y' must be of type FLOAT, but is of type INT: 6\n"),
    (13, 1, "y = Flatten <axis = 1, axis = 0> (x) a, b = Split (y)", [
            "'axis' of Flatten 'y' is given twice: remove one of them", "note: the other one"]),
    (13, 0, 'y = Elu <alpha = 1, alpha = "1"> (x) a, b = Split (y)', ""),
    (13, 0, "y = Transpose <prem = 1.0> (x) a, b = Split <axis = 1> (y)", "")])
def test_attributes_that_a_rule_reads(work, opset, code, node, message):
    """Of each type; no rule reads the others, so they may be anything."""
    of(work, opset, code, node, message)


@pytest.mark.parametrize("opset,code,node,message", [
    (13, 1, "a, b = Split <axis = 1> (x, small)",
     "the lengths of Split 'a' are a tensor of i64, but 'small' is i32: cast it"),
    (13, 1, "a, b = Split <axis = 1> (x, flat)",
     "the lengths of Split 'a' are a tensor of rank 1, but 'flat' has rank 2"),
    (13, 1, "a, b = Split <axis = 1> ()", "Split 'a' has no input"),
    (13, 1, 'a, b = Split <axis = 1> ("", l)', "Split 'a' has no input"),
    (18, 1, "a, b = Split <axis = 1, num_outputs = 2> (x, l)", "give 'split' or 'num_outputs', not both"),
    (18, 0, 'a, b = Split <axis = 1, num_outputs = 2> (x, "")', ""),
    (13, 1, "= Split <axis = 1> (x)", "'outputs' must be at least 1, but is 0"),
    (13, 1, "a, b = Split <axis = 1> (x, l, x)", "Split 'a' has 3 inputs, but no Split of ONNX has more"),
    (13, 1, "y = Cast <to = 1> (l) a, b = Split <axis = 1> (x, y)",
     "the lengths of Split 'a' are a tensor of i64, but 'y' is f32: cast it"),
    (11, 1, "y = Cast <to = 1> (l) a, b = Split <axis = 1> (x, y)",
     "Split 'a' takes its lengths as integers, but 'y' holds 2, a float: cast it"),
    (11, 0, "a, b = Split <axis = 1> (x, l)",
     "warning: Split has one input at opset 11, but 'a' has a second one, 'l': it is taken for the lengths"),
    (11, 0, "a, b = Split <axis = 1, split = [3, 3]> (x, l)", "'l': it is left alone, and the attribute 'split' has the lengths")])
def test_inputs_of_a_split(work, opset, code, node, message):
    of(work, opset, code, node, message)


def test_split1_has_its_lengths_as_an_attribute(work):
    """Or as a tensor of the first input's type: floats, which must be integers."""
    work.write("one.onnxtxt", ONE)
    work.splitgen("--list one.onnxtxt", out=lists(regex(r"a: f32\[4,6\] axis 1 -> a:2, b:4 ")))


@pytest.mark.parametrize("entries,wrong", [("2.0, 4.0", ""), ("2.5, 3.5", "2.5"), ("inf, 6.0", "inf"), (
        "18014398509481984.0, 6.0", "1.80143985e+16"), ("nan, 6.0", "nan")])
def test_split1_has_whole_numbers(work, entries, wrong):
    work.write("one.onnxtxt", f"""<ir_version: 3, opset_import: ["" : 1]>
net (float[4,6] x) => (a, b) <float[2] l = {{{entries}}}> {{ a, b = Split <axis = 1> (x, l) }}
""")
    if wrong:
        work.splitgen("--list one.onnxtxt", 1, err=regex(
                rf"one.onnxtxt:2:\d+: error: Split 'a' takes its lengths as whole numbers, but 'l' holds {re.escape(wrong)}\n"))
    else:
        work.splitgen("--list one.onnxtxt", out=lists(regex(r"a: f32\[4,6\] axis 1 -> a:2, b:4 ")), err="")


@pytest.mark.parametrize("opset,code,node,message", [
    (13, 1, "x, b = Split (x)", ["error: Split 'x' reads 'x' and makes it: call its output something else",
                                 "note: the other 'x'"]),
    (13, 1, "a, b = Split (x) b = Relu (x)", "error: Relu 'b' makes 'b', which there is already"),
    (13, 1, "a, l = Split (x)", "error: Split 'a' makes 'l', which there is already")])
def test_two_tensors_with_one_name(work, opset, code, node, message):
    of(work, opset, code, node, message)


def test_versions(work):
    of(work, 400, 0, "a, b = Split <num_outputs = 2> (x)",
       "m.onnxtxt:1:32: warning: the model has opset 400, but this splitgen knows ONNX up to opset 28")
    of(work, '13, "ai.onnx" : 18', 0, "a, b = Split <num_outputs = 2> (x)", regex(
            r"warning: ONNX's own domain is imported as opset 13 and as opset 18[^\n]*: the last counts"))
    work.write("ir.onnxtxt", """<ir_version: 99, opset_import: ["" : 13]>
net (float[4,6] x) => (float16[2,6] a, b) { a, b = Split (x) }
""")
    work.splitgen("--list ir.onnxtxt", err=["the model has IR version 99, but",
            "warning: the file says that 'a' is f16, but it comes out as f32, which is what counts"])


def test_the_arguments_of_a_function_call(work):
    called = """<ir_version: 8, opset_import: ["" : 13, "f" : 1]>
net (float[4,6] x) => (a, b) { a, b = f.cut <along = 1.5> (x) }
<domain: "f", opset_import: ["" : 13]>
cut <along> (x) => (a, b) { a, b = Split <axis = @along> (x) }
"""
    work.write("call.onnxtxt", called)
    work.splitgen("--list call.onnxtxt", 1, err=[
            "2:46: error: 'axis' of Split 'a' must be of type INT, but is of type FLOAT: 1.5",
            "4:43: note: where the function uses it"])
    work.write("rule.onnxtxt", called.replace("{ a, b = Split <axis = @along> (x)",
                                              "{ y = Flatten <axis = @along> (x) a, b = Split (y)"))
    work.splitgen("--list rule.onnxtxt", 1, err=[
            "2:46: error: 'axis' of Flatten 'y' must be of type INT, but is of type FLOAT: 1.5",
            "4:42: note: where the function uses it"])
    work.write("call.onnxtxt", called.replace("@along", "@alon"))
    work.splitgen("--list call.onnxtxt", 1,
                  err="refers to the attribute 'alon', which the function 'cut' does not have; did you mean 'along'?")


def test_two_models_with_equally_named_nodes(work):
    work.write("one.onnxtxt", ONE)
    for name in ["one", "two"]:
        work.write(f"{name}.onnxtxt", """<ir_version: 8, opset_import: ["" : 13]>
net (float[4,6] x) => (a, b) { ["/Split"] a, b = Split (x) }
""")
    work.splitgen("--list one.onnxtxt two.onnxtxt", out=regex(r"^Split: [^\n]*\ntwo_Split: "))


def test_outputs_that_no_node_body_or_graph_output_reads(work):
    work.write("unread.onnxtxt", """<ir_version: 8, opset_import: ["" : 18]>
net (float[8] x, bool c) => (a, r, i) {
  [s] a, b, d, e = Split <num_outputs = 4> (x)
  r = Relu (d)
  i = If (c) <then_branch = t () => (p) { p = Relu (e) }, else_branch = f () => (q) { q = Relu (x) }>
}
""")
    work.splitgen("--explain unread.onnxtxt", out=[regex(
            r"  b [^\n]*\n[^\n]*\n[^\n]*\n[^\n]*\n    unread: nothing in the model reads 'b'; --skip=unread leaves it out\n"),
                                                   without_match(r"reads '[^b]'")])
    work.splitgen("--list --skip=unread unread.onnxtxt", out=lists(regex(
            r"s: [^\n]* -> a:2, d:2, e:2 [^\n,]*")), err="")
    work.splitgen("--dump=split --skip=unread unread.onnxtxt")
    work.splitgen("--list --skip=unread -e 'f32[4] -> 2 2'", 2, err="'--skip' is about models, and no input is one")


def test_parts_of_openvino(work):
    """The number of parts."""
    work.write("ir.bin", b"\1")
    ir(work, 11, "num_splits='3'", "")
    work.splitgen("--list ir.xml", out=lists(regex(r"s: f32\[4,6\] axis 1 -> s_0:2, s_1:2 [^,]*")), err="")
    ir(work, 11, "num_splits='1'", "")
    work.splitgen("--list ir.xml", 1)
    ir(work, 11, "num_splits='2.0'", "")
    work.splitgen("--list ir.xml", 1, err="'num_splits' of Split 's' must be a whole number, but is: \"2.0\"")
    ir(work, 11, "num_splits='abc'", "")
    work.splitgen("--list ir.xml", 1, err="'num_splits' of Split 's' must be a whole number, but is: \"abc\"")


def test_attributes_of_openvino(work):
    work.write("ir.bin", b"\1")
    layer(work, "Convert", "destination_type='float'",
        "ir.xml:5:80: error: 'destination_type' of Convert 'l' must be the name of an element type, such as f32, but is: \"float\"")
    layer(work, "Reshape", "special_zero='yes'", "'special_zero' of Reshape 'l' must be true or false, but is: \"yes\"")
    layer(work, "MaxPool", "kernel='a' strides='1'",
          "'kernel' of MaxPool 'l' must be whole numbers with commas between them, but is: \"a\"")
    layer(work, "Concat", "axis='1.5'", "'axis' of Concat 'l' must be a whole number, but is: \"1.5\"")
    layer(work, "Broadcast", "mode='1'", "'mode' of Broadcast 'l' must be a word, but is: \"1\"")
    ir(work, 11, "num_splits='2'", "1,1")
    work.splitgen("--list ir.xml", 1, err="the axis of Split 's' is a scalar, but 'along' is [1, 1]")
    work.write("ir.bin", "<<")  # 1.0586 as f16
    ir(work, 11, "num_splits='2'", "")
    work.write("ir.xml", work.read("ir.xml").replace("'i8'", "'f16'").replace("size='1'", "size='2'"))
    work.splitgen("--list ir.xml", 1,
                  err="Split 's' takes its axis as integers, but 'along' holds 1.05859375, a float: cast it")
    ir(work, 12, "num_splits='2'", "")
    work.splitgen("--list ir.xml", 1,
                  err="this is version 12 of the IR, which is newer than the versions 10 and 11 that are read")
    ir(work, 7, "num_splits='2'", "")
    work.splitgen("--list ir.xml", 1, err="convert the model again")


def test_lengths_of_openvino(work):
    edge = "<edge from-layer='2' from-port='0' to-layer='3' to-port='2'/>"
    work.write("ir.bin", bytes([1, 2, 4]))
    variadic(work, "2", "<port id='2'/>", edge)
    work.splitgen("--list ir.xml", out=lists(regex(r"v: f32\[4,6\] axis 1 -> v_0:2, v_1:4 [^,]*")))
    variadic(work, "1,2", "<port id='2'/>", edge)
    work.splitgen("--list ir.xml", 1, err="the lengths of VariadicSplit 'v' are a tensor of rank 1, but 'l' has rank 2")
    variadic(work, "2", "", "")
    work.splitgen("--list ir.xml", 1, err="VariadicSplit 'v' has 2 inputs, not 3")


INDEX = "int64 zero = {0}, int64 one = {1}, int64 two = {2}, int64 five = {5}, int64 low = {-4}"
LISTS = "int64[1] z = {0}, int64[1] o = {1}, int64[1] t = {9}, int32[1] n = {1}, int64[2] both = {0, 0}, int64[2] ends = {1, 2}"


@pytest.mark.parametrize("ops", ["slice", "all"])
@pytest.mark.parametrize("code,inputs,constants,nodes,message", [
    (1, "float[3,4] x", INDEX, "a = Gather (x, zero) b = Gather (x, five)",
     "m.onnxtxt:4:24: error: Gather 'b' cannot run: index 5 is outside an axis of 3\n"),
    (1, "float[3,4] x", INDEX, "a = Gather (x, zero) b = Gather (x, low)", "index -4 is outside an axis of 3\n"),
    (1, "float[6,4] x", f"int64[2] l = {{2, 4}}, {INDEX}",
     "s = SplitToSequence (x, l) a = SequenceAt (s, zero) b = SequenceAt (s, two)",
     "SequenceAt 'b' cannot run: index 2 is outside a sequence of 2 tensors\n"),
    (1, "float[6,4] x", f"int64[2] l = {{2, 3}}, {INDEX}",
     "s = SplitToSequence (x, l) a = SequenceAt (s, zero) b = SequenceAt (s, one)",
     "SplitToSequence 's' cannot run: the lengths add up to 5, the axis has 6\n"),
    (1, "float[6,4] x", f"int64[2] l = {{7, -1}}, {INDEX}",
     "s = SplitToSequence (x, l) a = SequenceAt (s, zero) b = SequenceAt (s, one)", "'s' cannot run: a length is -1\n"),
    (1, "float[6,4] x", INDEX, "s = SplitToSequence (x, zero) a = SequenceAt (s, zero) b = SequenceAt (s, one)",
     "'s' cannot run: its parts have 0 each"),
    (1, "float[6,4] x", LISTS, "a = Slice (x, z, o, z, z) b = Slice (x, o, t)", "Slice 'a' cannot run: a step is 0\n"),
    (1, "float[6,4] x", LISTS, "a = Slice (x, z, o, t) b = Slice (x, o, t)",
     "Slice 'a' cannot run: axis 9 is outside rank 2\n"),
    (1, "float[6,4] x", LISTS, "a = Slice (x, both, ends, both) b = Slice (x, o, t)",
     "Slice 'a' cannot run: axis 0 is given twice\n"),
    (1, "float[6,4] x", LISTS, "a = Slice (x, both, o) b = Slice (x, o, t)",
     "'starts' has 2 entries, but 'ends' has 1\n"),
    (1, "float[6,4] x", LISTS, "a = Slice (x, z, n) b = Slice (x, o, t)", "'ends' is i32, and what is before it i64\n"),
    (1, "float[6,4] x", LISTS, "a = Slice (q, z, o) b = Slice (x, o, t)",
     "Slice 'a' cannot run: nothing gives 'q' before it is read\n"),
    (0, "float[6,4] x", f"{LISTS}, int64[1] far = {{-99}}", "a = Slice (x, far, o) b = Slice (x, o, t)", "")])
def test_an_invalid_node_is_an_error_if_a_selected_node_depends_on_it(work, ops, code, inputs, constants, nodes,
    message):
    """The first cause is reported."""
    faulty(work, code, f"--ops={ops}", inputs, constants, nodes, message)


def test_an_invalid_concat(work):
    faulty(work, 1, "--ops=concat", "float[6,4] x", "float[9,4] a", "a = Concat <axis = 0> (x, q) b = Relu (x)",
           "Concat 'a' cannot run: nothing gives 'q' before it is read\n")
    faulty(work, 1, "--ops=concat", "float[6,4] x, float[6,5] y", "int64 zero = {0}",
           "s = SequenceConstruct (x, y) a = ConcatFromSequence <axis = 0> (s) b = Relu (x)",
           "ConcatFromSequence 'a' cannot run: axis 1 is 4 on one side and 5 on the other\n")


def test_an_invalid_node_that_no_selected_node_depends_on_is_ignored(work):
    faulty(work, 0, "", "float[3,4] x", INDEX, "y = Gather (x, five) a, b = Split <axis = 1> (x)")
    faulty(work, 1, "", "float[3,4] x", INDEX, "y = Gather (x, five) a, b = Split (y)",
           "m.onnxtxt:4:3: error: Gather 'y' cannot run: index 5 is outside an axis of 3\n",
           "4:24: note: Split 'a' needs what it makes\n")
    for options in ["", "--only=a", "--ops=all", "--open"]:
        faulty(work, 1, options, "float[4,6] x", "int64[2] l = {2, 3}",
               "p, q = Split <axis = 1> (x, l) a, b = Split (p)",
               "m.onnxtxt:3:16: error: op 'p': lengths sum to 5, but axis 1 has 6\n",
               "note: Split 'a' needs what it makes\n")
        faulty(work, 1, options, "float[4,6] x", "int64[2] l = {2, 3}, float[4,2] r",
               "p, q = Split <axis = 1> (x, l) r = Relu (p) a, b = Split (r)", "lengths sum to 5, but axis 1 has 6\n")
        faulty(work, 1, options, "float[4,6] x, int32[4,6] y", "int64 zero = {0}",
               "p = Concat <axis = 1> (x, y) a, b = Split (p)",
            "op 'p': input 2 ('y') has dtype 'i32', but input 1 ('x') has 'f32': tensors that are concatenated have one element type\n")


def test_a_tensor_of_unknown_rank_is_reported_as_missing_although_the_length_could_be_computed(work):
    work.write("m.onnxtxt", """<ir_version: 8, opset_import: ["" : 13, "my" : 1]>
net (float[6,4] x) => (float[9,4] a) { q = my.Op (x) a = Concat <axis = 0> (x, q) }
""")
    work.fills["DIMS"] = "3,4"
    work.splitgen("--list --ops=concat m.onnxtxt", 1, err=[
            "Concat 'a' needs every dim of 'q' as a number, but it is of unknown rank", "give --shape 'q=TYPE[DIMS]'"])


def test_bounds_of_openvino(work):
    bounded(work, "1..3", "5..8")
    work.splitgen("--list --ops=concat --open ir.xml", 1,
        err="op 'c': input 2 ('b') has 5..8 in dimension 0, but input 1 ('a') has 1..3: only along axis 1 may they differ\n")
    bounded(work, "9..", "4")
    work.splitgen("--list --ops=concat --open ir.xml", 1,
                  err="input 2 ('b') has 4 in dimension 0, but input 1 ('a') has 9..:")
    for b in ["3..8", "?", "2", "..1"]:
        bounded(work, "1..3", b)
        work.splitgen("--list --ops=concat --open ir.xml")
