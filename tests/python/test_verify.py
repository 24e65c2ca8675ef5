"""verify and bench with the packages that they compare with, and the package's hints by mypy --strict."""
import importlib.util, os, pathlib, re, shutil, subprocess, sys, unittest

import numpy as np
from staged import stage
from testing import SOURCE, given

SPLITGEN, SOURCE_DIR, SCRATCH, CC = given["tool"], str(SOURCE), given["work"], given["cc"]
shutil.rmtree(SCRATCH, ignore_errors=True)
PACKAGE = stage(SPLITGEN, SOURCE_DIR, SCRATCH)
os.environ.update(XDG_CACHE_HOME=os.path.join(SCRATCH, "cache"), CC=CC, PYTHONPATH=PACKAGE)

MODEL = """<ir_version: 10, opset_import: ["" : 18]>
net (float[batch, 16, 12] x, uint8[4, 6] y, float16[2, 6] z, double[3, 4] w) => (q, k, v, s0, s1, g0, g1, joined, y0, y1, z0, z1, w0, w1)
<int64[3] lengths = {2, 4, 6}, int64[1] at0 = {0}, int64[1] at1 = {1}, int64[1] at3 = {3}, int64[1] at6 = {6}, int64 first = {0}, int64 second = {1}>
{
  ["/attn/Split"] q, k, v = Split <axis = 2> (x, lengths)
  s0 = Slice (y, at0, at3, at1)
  s1 = Slice (y, at3, at6, at1)
  g0 = Gather <axis = 0> (z, first)
  g1 = Gather <axis = 0> (z, second)
  ["/Concat"] joined = Concat <axis = -1> (v, q)
  y0, y1 = Split <axis = 0, num_outputs = 2> (y)
  z0, z1 = Split <axis = 1, num_outputs = 2> (z)
  w0, w1 = Split <axis = 1, num_outputs = 2> (w)
}
"""
# A Concat with a constant and swapped halves, which --fuse makes one kernel, and a Split in a body.
INSIDE = """<ir_version: 10, opset_import: ["" : 18]>
inside (float[batch, 8] x, bool b) => (with_fixed, swapped, taken)
<float[1, 8] fixed = {1, 2, 3, 4, 5, 6, 7, 8}>
{
  r = Relu (x)
  ["/Fixed"] with_fixed = Concat <axis = 0> (r, fixed)
  left, right = Split <axis = 1, num_outputs = 2> (r)
  ["/Swap"] swapped = Concat <axis = 1> (right, left)
  ["/If"] taken = If (b) <then_branch = yes () => (float[batch, 4] y0) { y0, y1 = Split <axis = 1, num_outputs = 2> (r) },
                          else_branch = no () => (float[batch, 8] z) { z = Neg (r) }>
}
"""
# Every part is one run of its full tensor, and neither an input nor an output of the model.
PLACED = """<ir_version: 10, opset_import: ["" : 18]>
placed (float[4, 6] x) => (joined)
<int64[2] lengths = {1, 3}>
{
  ["/Cut"] a, b = Split <axis = 0> (x, lengths)
  c = Neg (a)
  d = Neg (b)
  ["/Join"] joined = Concat <axis = 0> (d, c)
}
"""
# It requires at least eight rows and columns.
POOLED = """<ir_version: 10, opset_import: ["" : 18]>
pooled (float[1, 4, height, width] x) => (a, b)
<int64[3] flat = {1, 4, -1}>
{
  pooled = MaxPool <kernel_shape = [8, 8], strides = [2, 2]> (x)
  rows = Reshape (pooled, flat)
  ["/Cut"] a, b = Split <axis = 1, num_outputs = 2> (rows)
}
"""
# A compiler whose memcpy forgets the last byte.
BROKEN = """#include <string.h>
static void *forgetful(void *to, const void *from, size_t size) { return memcpy(to, from, size ? size - 1 : 0); }
#define memcpy forgetful
"""


def run(*arguments, **environment):
    return subprocess.run([sys.executable, "-m", "splitgen", *arguments], text=True, capture_output=True, cwd=SCRATCH,
                          env=os.environ | environment)


class Verify(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        pathlib.Path(SCRATCH, "net.onnxtxt").write_text(MODEL)
        pathlib.Path(SCRATCH, "inside.onnxtxt").write_text(INSIDE)
        pathlib.Path(SCRATCH, "broken.h").write_text(BROKEN)
        pathlib.Path(SCRATCH, "broken-cc").write_text('#!/bin/sh\n[ "$1" = --version ] && exec %s "$@"\nexec %s -include %s/broken.h "$@"\n'
                                                      % (CC, CC, SCRATCH))
        os.chmod(SCRATCH + "/broken-cc", 0o755)

    def test_a_model(self):
        """Every kernel of all operators, with its dimensions open; without a terminal there is no bar."""
        done = run("verify", "net.onnxtxt", "--ops=all", "--open")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name, kind in ("attn_Split", "Split"), ("y", "Slice"), ("z", "Gather"), ("Concat", "Concat"):
            self.assertRegex(done.stdout, r"(?m)^%s +%s .* equal, \d+ bytes and \d+ bytes in the model$" % (name, kind))
        self.assertIn("f32[batch,16,12]", done.stdout)
        self.assertIn("\n7 of 7 kernels compared with ONNX Runtime, 7 in a run of the model, 0 different (seed 1)\n", done.stdout)

    def test_in_a_model(self):
        """Only a run of the model shows these: its constants, and pieces of tensors that other nodes split."""
        done = run("verify", "inside.onnxtxt", "--ops=all", "--fuse", "-D", "batch=2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^Fixed +Concat .* equal, 96 bytes in the model$")
        self.assertRegex(done.stdout, r"(?m)^Swap +Concat .* equal, 64 bytes in the model$")
        self.assertIn("\n3 of 3 kernels compared with ONNX Runtime, 2 in a run of the model, 0 different (seed 1)\n"
                      "1 not seen in the run: it is in a body or a function\n", done.stdout)
        done = run("verify", "inside.onnxtxt", "--ops=all", "--fuse", "-D", "batch=2", "--isa=portable", "--unroll=none",
                   CC=SCRATCH + "/broken-cc")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^Swap +Concat .* DIFFERENT: swapped differs at byte \d+ and \d+ more in the model$")

    def test_a_model_that_does_not_run(self):
        """Kernels are still compared, and the reason is printed."""
        pathlib.Path(SCRATCH, "net2.onnxtxt").write_text(MODEL.replace("s0 = Slice", "never = NoSuchOperator (y)\n  s0 = Slice"))
        done = run("verify", "net2.onnxtxt", "--ops=all", "-D", "batch=2")
        self.assertEqual(done.returncode, 0)
        self.assertIn("7 of 7 kernels compared with ONNX Runtime, 0 in a run of the model, 0 different (seed 1)\n"
                      "The model could not be run: ", done.stdout)

    def test_views(self):
        """Parts without code: those of a Split are compared in place, those of a Concat are written there first."""
        pathlib.Path(SCRATCH, "placed.onnxtxt").write_text(PLACED)
        done = run("verify", "placed.onnxtxt", "--ops=all", "--views=omit")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^Cut +Split .* equal, 192 bytes and 96 bytes in the model$")
        self.assertRegex(done.stdout, r"(?m)^Join +Concat .* equal, 192 bytes and 96 bytes in the model$")
        self.assertIn("\n2 of 2 kernels compared with ONNX Runtime, 2 in a run of the model, 0 different", done.stdout)

    def test_open_expressions(self):
        """A model may use expressions as names of its dims, and refuse small sizes."""
        import onnx
        model = onnx.parser.parse_model(POOLED)
        rows = "(height/2 - 3)*(width/2 - 3)"
        model.graph.value_info.append(onnx.helper.make_tensor_value_info("rows", onnx.TensorProto.FLOAT, [1, 4, rows]))
        onnx.save(model, SCRATCH + "/pooled.onnx")
        done = run("verify", "pooled.onnx", "--ops=all", "--open")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^Cut +Split +" + re.escape("f32[1,4,%s]" % rows) + r" .* equal, \d+ bytes and \d+ bytes in the model$")
        self.assertIn("1 of 1 kernels compared with ONNX Runtime, 1 in a run of the model, 0 different (seed 1)\n"
                      "The model could not be run, open dimensions being 1: ", done.stdout)

    def test_nothing(self):
        """If nothing was compared, the command fails."""
        done = run("verify", "names: string[4] -> a:1 b:3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\n0 of 1 kernels compared", done.stdout)
        self.assertIn("Nothing was compared, so nothing is known of these kernels", done.stdout)

    def test_every_element_size(self):
        done = run("verify", "a: u8[5,6] @1 -> a:2 b:4; b: bf16[5,6] @1 -> a:2 b:4; c: c128[5,6] @1 <- a:2 b:4; d: i64[2,3,2] @1 -> a:1 _:1 b:1; "
                   "e: u4[3,6] @1 -> a:1 b:5; f: i2[2,8] @1 -> a:3 b:5; g: bool[4] <- a:1 b:3; h: f32[2,3,8]/16 @2 -> a:3/5 b:5; i: f64[4] -> /4")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count(" equal, "), 9)

    def test_a_difference(self):
        """Kernels that lose a byte are found; those that do not call memcpy are not affected."""
        done = run("verify", "net.onnxtxt", "--ops=all", "-D", "batch=2", "--isa=portable", "--unroll=none", CC=SCRATCH + "/broken-cc")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertRegex(done.stdout, r"(?m)^attn_Split +Split .* DIFFERENT: q differs at byte \d+ and \d+ more$")
        self.assertRegex(done.stdout, r"(?m)^Concat +Concat .* DIFFERENT: data differs at byte ")
        self.assertIn("7 of 7 kernels compared with ONNX Runtime, 7 in a run of the model, 7 different", done.stdout)

    def test_what_is_wrong(self):
        done = run("verify", "none.onnx")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("cannot read 'none.onnx'", done.stderr)
        done = run("verify", "names: string[4] -> a:1 b:3; u: u8[4] -> a:1 b:3")
        self.assertEqual(done.returncode, 0)
        self.assertIn("not compared: strings have no arrays in NumPy", done.stdout)
        self.assertIn("1 of 2 kernels compared", done.stdout)

    def test_bar(self):
        """On a terminal a bar is shown and erased."""
        import pty
        master, slave = pty.openpty()
        done = subprocess.run([sys.executable, "-m", "splitgen", "verify", "u: u8[4] -> a:1 b:3"], stdout=subprocess.PIPE, stderr=slave, text=True)
        os.close(slave)
        shown = os.read(master, 10000).decode()
        os.close(master)
        self.assertEqual(done.returncode, 0)
        self.assertIn("] 0/1 u", shown)
        self.assertTrue(shown.endswith("\r\x1b[K"))

    def test_bench(self):
        done = run("bench", "net.onnxtxt", "--ops=all", "-D", "batch=2", "--seconds=1", "--kernels=3")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"kernel +buffers +bytes +us +splitgen +NumPy +ONNX Runtime\n")
        self.assertRegex(done.stdout, r"(?m)^attn_Split +aligned +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+$")
        self.assertIn("3 of 7 kernels", done.stdout)
        self.assertIn("ONNX Runtime", pathlib.Path(SCRATCH, "splitgen-bench.svg").read_text())

    @unittest.skipUnless(importlib.util.find_spec("openvino"), "no openvino")
    def test_openvino(self):
        import openvino
        from openvino import opset13 as ops
        x, y = ops.parameter([2, 6], np.float32), ops.parameter([2, 3], np.float32)
        parts = ops.variadic_split(x, ops.constant(np.array(1)), ops.constant(np.array([2, 4])))
        joined = ops.concat([parts.output(0), y], 1)
        openvino.save_model(openvino.Model([joined.output(0), parts.output(1)], [x, y]), SCRATCH + "/net.xml", compress_to_fp16=False)
        done = run("verify", "net.xml", "--ops=all")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 of 2 kernels compared with OpenVINO, 2 in a run of the model, 0 different", done.stdout)


class Hints(unittest.TestCase):
    def check(self, *arguments):
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", *arguments], text=True, capture_output=True, cwd=PACKAGE)

    def test_package(self):
        done = self.check("-p", "splitgen")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_modules_of_kernels(self):
        """A printed module inside a package and outside: mypy passes, and callers see its types."""
        for folder, name in (os.path.join(PACKAGE, "hinted"), "hinted.both"), (PACKAGE, "both"):
            os.makedirs(folder, exist_ok=True)
            subprocess.run([SPLITGEN, "-e", "cut: u8[4] -> a:1 b:3; glue: u8[4] <- a:1 b:3", "--emit=py", "-o", folder + "/both.py"], check=True)
            pathlib.Path(PACKAGE, "calls.py").write_text(f"import numpy as np\nfrom {name} import cut, glue, kernels, load\nload()\n"
                                                         "a, b = cut(glue.new_whole())\nx = cut.views(a).b\ny = glue(a, None, out=x)\n"
                                                         "reveal_type(x)\nreveal_type(y)\nreveal_type(kernels['cut'].new_parts())\nglue(a, 5)\ncut(a).c\n")
            done = self.check("calls.py")
            self.assertEqual(re.findall("^calls.py:(\\d+): (?:error: (.*?)  |note: Revealed type is \"(\\w+[.]?\\w*))", done.stdout, re.M),
                             [("7", "", "numpy.ndarray"), ("8", "", "numpy.ndarray"), ("9", "", "Any"),
                              ("10", 'Argument 2 to "__call__" of "_Join" has incompatible type "int"; expected "ndarray[tuple[Any, ...], dtype[Any]] | None"', ""),
                              ("11", "\"_cut_outputs\" has no attribute \"c\"", "")], done.stdout)
            self.assertIn("Found 2 errors in 1 file", done.stdout)

    def test_callers(self):
        """Calls are checked: unknown options, and values of the wrong type."""
        pathlib.Path(PACKAGE, "right.py").write_text('import splitgen\nk = splitgen.compile("n", defines={"b": 8}, isa=["avx2"], open=True, views="omit",\n'
                                                     '                     cc="cc -m64", cflags="-O3 -g")\n'
                                                     'files: dict[str, str] = splitgen.generate("q.lua", emit=["c"], fuse=True)\n'
                                                     'print(k.rgb(b""), splitgen.list("m.onnx", shapes={"x": (1, 2)})[0]["name"])\n')
        done = self.check("right.py")
        self.assertEqual(done.returncode, 0, done.stdout)
        pathlib.Path(PACKAGE, "wrong.py").write_text('import splitgen\nsplitgen.compile("n", unrol="full")\nsplitgen.compile("n", fuse="yes")\n'
                                                     'splitgen.compile("n", unroll="ful")\n')
        done = self.check("wrong.py")
        self.assertIn('wrong.py:2: error: Unexpected keyword argument "unrol"', done.stdout)
        self.assertIn('wrong.py:3: error: Argument "fuse"', done.stdout)
        self.assertIn('wrong.py:4: error: Argument "unroll"', done.stdout)
