"""The Python module that --emit=py prints, with the kernels compiled by cc: what it returns, what it refuses and how."""
import ast, builtins, glob, importlib.util, json, keyword, os, pydoc, re, shutil, subprocess, sys, typing, unittest

import pytest
from testing import SOURCE, given

np = pytest.importorskip("numpy")
SPLITGEN, SOURCE_DIR, SCRATCH, CC = given["tool"], str(SOURCE), given["work"], given["cc"]
FIXED = "splitgen_arrays.py"
OPS = """qkv: f32[1,2,12] @2 -> q:4 k:4 v:*; rows: i64[6,3] -> top:2 _:1 bottom:*; packed: u4[4,6] @1 -> a:4 b:2;
lines: u4[4,6] -> a:1 b:3; names: string[4] -> a:1 b:3; lambda_: u8[4] -> count:1 index:3; none: f32[0,4] @1 -> a:1 b:3;
many: u16[3,80] @1 -> /40; brain: bf16[2,4] @1 -> a:1 b:3; tiny: f8e4m3[2,4] @1 -> a:1 b:3"""
SINGLE = "; ".join([f"{t}: {t}[4,7] @1 -> a:3 b:*" for t in
                    "u1 i2 u2 i4 u4 f4e2m1 f6e2m3 f6e3m2".split()] + [
    "lines: u4[4,6] -> a:1 b:3", "deep: i4[4,5,2] @1 -> a:3 b:*", "one: u2[1,16] @1 -> a:8 b:8",
    "pad: u4[4,7]/10 @1 -> a:3/8 b:4", "open_: u4[n=3?,2,4] @2 -> a:1 b:3", "open_pad: u4[n?,2,4]/6 @2 -> a:2/4 b:2", "join: i4[4,7] @1 <- a:3 b:4",
    "join_pad: f4e2m1[4,7]/9 @1 <- a:3 b:4/6", "join_open: u4[n?,8] @1 <- a:4 b:4"])
TYPES = {"f16": np.float16, "f64": np.float64, "bool": np.bool_, "c64": np.complex64, "c128": np.complex128, "i8": np.int8,
         "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32, "u64": np.uint64,
         "f32": np.float32, "i64": np.int64}
NAMED = """return {
  split { name = "cut", dtype = "f32", shape = { 2, 6 }, axis = 1, parts = 2, outputs = { "lambda", "None" }, align = 64 },
  split { name = "def", dtype = "f32", shape = { 4 }, parts = 2 }, split { name = "load", dtype = "f32", shape = { 4 }, parts = 2 },
}"""


def generate(stem, *arguments, runtime=True):
    """Generates and compiles STEM.py and libSTEM.so into a separate folder; returns the folder."""
    folder = os.path.join(SCRATCH, stem)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run([SPLITGEN, "--emit=c,json,py", "-o", f"{folder}/{stem}.c", *arguments], check=True)
    sources = glob.glob(f"{SOURCE_DIR}/runtime/*{'' if runtime else '_cpu'}.c")
    subprocess.run([CC, "-O1", "-w", "-shared", "-fPIC", f"-I{SOURCE_DIR}/include", f"{folder}/{stem}.c", *sources,
                    "-o", f"{folder}/lib{stem}.so"], check=True)
    return folder


def allowed(notation):
    """Whether C accepts these names of kernels and outputs."""
    return subprocess.run([SPLITGEN, "--list", "-e", notation], capture_output=True).returncode == 0


def imported(folder, stem):
    spec = importlib.util.spec_from_file_location(stem, f"{folder}/{stem}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(folder, code):
    """The output of Python, without cached bytecode, which identifies files by seconds."""
    return subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=True, cwd=folder).stdout


def failure(folder, code):
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, cwd=folder)
    return done.stderr if done.returncode != 0 else ""


def change(path, old, new):
    with open(path) as file:
        text = file.read()
    assert text.count(old) == 1, (path, old)
    with open(path, "w") as file:
        file.write(text.replace(old, new))


def random(shape, dtype):
    made = np.frombuffer(np.random.default_rng(1).bytes(int(np.prod(shape)) * np.dtype(dtype).itemsize), np.uint8)
    return (made & 1 if dtype == np.bool_ else made).view(dtype).reshape(shape)


def bits(array, rows, width):
    """Rows of elements of 4 bits, the first one in the low bits."""
    return np.stack([array & 15, array >> 4], 1).reshape(-1)[:rows * width].reshape(rows, width)


FREE = """free_f: f32[batch=5?,2,6] @2 -> q:1 k:2 v:*; free_b: u8[1,tokens?,3] @2 -> r:1 g:1 b:1; free_p: u4[n=3?,2,4] @2 -> a:1 b:3;
free_w: u4[n?,6] @1 -> all:6; free_l: i16[n=2?,40] @1 -> /40"""


class Free(unittest.TestCase):
    """Kernels with an open dimension, for several lengths of it."""
    @classmethod
    def setUpClass(cls):
        cls.ops = imported(generate("items", "-e", FREE), "items")

    def test_copies_and_views(self):
        for n in (0, 1, 3, 64):
            data = random((n, 2, 6), np.float32)
            for made in (self.ops.free_f(data), self.ops.free_f.views(data)):
                for part, (start, stop) in zip(made, ((0, 1), (1, 3), (3, 6))):
                    np.testing.assert_array_equal(part, data[:, :, start:stop])
            pixels = random((1, n, 3), np.uint8)
            for i, part in enumerate(self.ops.free_b(pixels)):
                np.testing.assert_array_equal(part, pixels[:, :, i:i + 1])
            lanes = random((n, 40), np.int16)
            for i, part in enumerate(self.ops.free_l(lanes)):
                np.testing.assert_array_equal(part, lanes[:, i:i + 1])

    def test_packed(self):
        for n in (0, 1, 3, 50):
            data = random((4 * n,), np.uint8)
            a, b = self.ops.free_p(data)
            self.assertEqual((a.shape, b.shape), ((n,), (3 * n,)))
            rows = bits(data, 2 * n, 4)
            np.testing.assert_array_equal(bits(a, 2 * n, 1), rows[:, :1])
            np.testing.assert_array_equal(bits(b, 2 * n, 3), rows[:, 1:])
            whole = random((3 * n,), np.uint8)
            np.testing.assert_array_equal(self.ops.free_w(whole)[0], whole)
            np.testing.assert_array_equal(self.ops.free_w.views(whole)[0], whole)

    def test_made_and_refused(self):
        kernel = self.ops.free_f
        self.assertIn("    k     float32  (batch, 2, 2)\n", kernel.__doc__)
        self.assertEqual(repr(kernel), "<free_f: f32[batch, 2, 6] axis 2 -> q [batch, 2, 1], k [batch, 2, 2], v [batch, 2, 3]>")
        self.assertEqual(repr(self.ops.free_p), "<free_p: u4[n, 2, 4] axis 2 -> a [n, 2, 1], b [n, 2, 3]>")
        self.assertIn("-> out0 [n, 1], out1 [n, 1], out2 [n, 1], ... (40 in all)>", repr(self.ops.free_l))
        data = kernel.new_whole(items=4)
        data[...] = random((4, 2, 6), np.float32)
        out = kernel.new_parts(items=4)
        self.assertIs(kernel(data, out=out).q, out.q)
        np.testing.assert_array_equal(out.v, data[:, :, 3:])
        for words, error, call in (
                ("(batch, 2, 6)", ValueError, lambda: kernel(random((4, 2, 5), np.float32))),
                ("(batch, 2, 6)", ValueError, lambda: kernel(random((4, 12), np.float32))),
                ("the shape of q is (3, 2, 1), but that of data, (4, 2, 6), makes it (4, 2, 1)", ValueError, lambda: kernel(data, out=kernel.new_parts(items=3)))):
            with self.assertRaises(error) as raised:
                call()
            self.assertIn(words, str(raised.exception))


JOINS = """rgb: u8[5,4,3] @2 <- r:1 g:1 b:1; rows: i64[6,3] <- top:2 bottom:4; hole: f32[3,6] @1 <- a:2 _:1 b:3; one: f64[3,2] <- all:3;
free_f: f32[batch=5?,2,6] @2 <- q:1 k:2 v:*; free_b: i16[1,tokens?,3] @2 <- r:1 g:2; none: f32[0,4] @1 <- a:1 b:3;
packed: u4[4,6] @1 <- a:4 b:2; lines: u4[4,6] <- a:1 b:3; many: u16[3,80] @1 <- /40; part: f32[4,3] <- a:view:1 b:3; names: string[4] <- a:1 b:3"""
APART = """cut: f32[2,3,8]/16 @2 -> a:3/5 b:5; glue: f32[2,3,8]/16 @2 <- a:3/5 b:5; free_i: i32[n?,8]/9 @1 -> a:3/4 b:5;
bits: u4[3,6]/16 @1 -> a:2/4 b:4; open_bits: u4[n?,6]/16 @1 -> a:2/4 b:4; mid: u8[3,4,2]/12 @1 -> a:1/3 b:3"""


PIECES = """<ir_version: 8, opset_import: ["" : 18]>
g (float[4,8] x, float[4,2] e) => (float[4,11] y) <float[4,1] c = {1, 2, 3, 4}> {
  a, b = Split <axis=1, num_outputs=2> (x)
  y = Concat <axis=1> (b, a, e, c)
}
"""


class Join(unittest.TestCase):
    """Kernels that concatenate arrays."""
    @classmethod
    def setUpClass(cls):
        cls.ops = imported(generate("joins", "-e", JOINS), "joins")

    def refuses(self, error, words, call, *arguments, **named):
        with self.assertRaises(error) as raised:
            call(*arguments, **named)
        self.assertIn(words, str(raised.exception))

    def joined(self, kernel, parts, axis):
        expected = np.concatenate(parts, axis)
        whole = kernel(*parts)
        self.assertEqual((whole.dtype, whole.shape, whole.tobytes()), (expected.dtype, expected.shape, expected.tobytes()))
        out = kernel.new_whole(**dict(zip(kernel._numbers, kernel._find(0, expected))))
        self.assertIs(kernel(*parts, out=out), out)
        np.testing.assert_array_equal(out, expected)
        out[...] = 0
        for view, part in zip(kernel.views(out), parts): # if it is written in place, nothing remains to be copied
            self.assertTrue(np.shares_memory(view, out) or out.size == 0)
            view[...] = part
        np.testing.assert_array_equal(out, expected)

    def test_joins(self):
        self.joined(self.ops.rgb, [random((5, 4, 1), np.uint8) + i for i in range(3)], 2)
        self.joined(self.ops.rows, [random((2, 3), np.int64), random((4, 3), np.int64)], 0)
        self.joined(self.ops.one, [np.ones((3, 2))], 0)
        self.joined(self.ops.none, [np.empty((0, 1), np.float32), np.empty((0, 3), np.float32)], 1)
        self.joined(self.ops.many, [np.ascontiguousarray(part) for part in np.split(random((3, 80), np.uint16), 40, 1)], 1)
        for n in (0, 1, 3, 64):
            self.joined(self.ops.free_f, [np.full((n, 2, width), width, np.float32) for width in (1, 2, 3)], 2)
            self.joined(self.ops.free_b, [random((1, n, width), np.int16) for width in (1, 2)], 2)
        self.assertEqual(self.ops.rgb.new_parts()._fields, ("r", "g", "b"))
        self.assertEqual(repr(self.ops.rgb), "<rgb: r [5, 4, 1], g [5, 4, 1], b [5, 4, 1] -> u8[5, 4, 3] axis 2>")
        self.assertIn("rgb(r, g, b, *, out=None) -> out\n\nJoins these arrays along axis 2: to a new one", self.ops.rgb.__doc__)
        self.assertEqual(self.ops.__annotations__["rgb"], "_Join[_rgb_inputs]")

    def test_what_no_part_fills(self):
        a, b = np.ones((3, 2), np.float32), np.full((3, 3), 2, np.float32)
        np.testing.assert_array_equal(self.ops.hole(a, b), np.concatenate([a, np.zeros((3, 1)), b], 1))
        out = np.full((3, 6), 9, np.float32)
        np.testing.assert_array_equal(self.ops.hole(a, b, out=out), np.concatenate([a, np.full((3, 1), 9), b], 1))

    def test_what_is_only_a_view(self):
        a, b, out = random((1, 3), np.float32), random((3, 3), np.float32), np.empty((4, 3), np.float32)
        self.ops.part.views(out).a[...] = a
        self.assertEqual(self.ops.part(None, b, out=out).tobytes(), np.concatenate([a, b]).tobytes())
        self.refuses(TypeError, "part: a is not copied, but written in its view of out: give out=", self.ops.part, None, b)
        self.refuses(TypeError, "part: a is not copied: there is None or its view in its place", self.ops.part, a, b, out=out)

    def test_packed_elements(self):
        a, b = random(8, np.uint8), random(4, np.uint8)
        elements = np.concatenate([bits(a, 4, 4), bits(b, 4, 2)], 1)
        np.testing.assert_array_equal(bits(self.ops.packed(a, b), 4, 6), elements)
        out = self.ops.lines.new_whole()
        parts = self.ops.lines.views(out)
        self.assertEqual([part.shape for part in parts], [(3,), (9,)])
        self.assertEqual(self.ops.packed.views(out), (None, None))

    def test_pieces_and_constants(self):
        with open(os.path.join(SCRATCH, "pieces.onnxtxt"), "w") as file:
            file.write(PIECES)
        module = imported(generate("pieces", "--ops=all", "--fuse", os.path.join(SCRATCH, "pieces.onnxtxt")), "pieces")
        x, e, c = random((4, 8), np.float32), random((4, 2), np.float32), np.arange(1, 5, dtype=np.float32).reshape(4, 1)
        self.assertEqual(module.y(x, e).tobytes(), np.concatenate([x[:, 4:], x[:, :4], e, c], 1).tobytes())
        views = module.y.views(np.zeros((4, 11), np.float32))
        self.assertEqual((views._fields, views.x, views.e.shape), (("x", "e"), None, (4, 2)))

    def test_constants_among_many_inputs(self):
        names = ["x%d" % i for i in range(36)]
        with open(os.path.join(SCRATCH, "array.onnxtxt"), "w") as file:
            file.write("""<ir_version: 10, opset_import: ["" : 18]>
net (%s) => (y) <float[2,1] k = {1.5, -2.0}> { y = Concat <axis = 1> (k, %s, k) }
""" % (", ".join("float[2,3] " + name for name in names), ", ".join(names)))
        module = imported(generate("array", "--ops=concat", os.path.join(SCRATCH, "array.onnxtxt")), "array")
        k, given = np.array([[1.5], [-2]], np.float32), [random((2, 3), np.float32) for _ in names]
        self.assertEqual(module.y(*given).tobytes(), np.concatenate([k, *given, k], 1).tobytes())

    def test_refused(self):
        r, g, b = (random((5, 4, 1), np.uint8) for _ in range(3))
        rgb, refuses = self.ops.rgb, self.refuses
        refuses(TypeError, "rgb: 2 arrays are given, but there are 3 inputs: r, g, b", rgb, r, g)
        refuses(TypeError, "rgb: r is a list, but it takes a numpy.ndarray", rgb, r.tolist(), g, b)
        refuses(ValueError, "rgb: the shape of g is (5, 4), but it takes (5, 4, 1)", rgb, r, g[:, :, 0], b)
        refuses(TypeError, "rgb: the dtype of b is float64, but it takes uint8", rgb, r, g, b.astype(float))
        refuses(ValueError, "rgb: b is not C-contiguous: its shape is (5, 4, 1), its strides are (12, 3, 1); "
                "numpy.ascontiguousarray() makes a copy that is", rgb, r, g, random((5, 4, 3), np.uint8)[:, :, 2:])
        refuses(ValueError, "rgb: out is read-only; an output is written", rgb, r, g, b, out=random((5, 4, 3), np.uint8))
        refuses(ValueError, "rgb: out is not C-contiguous: its shape is (5, 4, 3), its strides are (16, 4, 1); new_whole() makes",
                rgb, r, g, b, out=np.empty((5, 4, 4), np.uint8)[:, :, :3])
        refuses(ValueError, "free_f: the shape of k is (3, 2, 2), but that of q, (4, 2, 1), makes it (4, 2, 2)", self.ops.free_f,
                *(np.empty((n, 2, w), np.float32) for n, w in ((4, 1), (3, 2), (4, 3))))
        out = rgb.new_whole()
        before = out.tobytes()
        refuses(ValueError, "rgb: two buffers overlap (aligned to 1; out: 60 bytes at 0x", rgb,
                out.reshape(-1)[:20].reshape(5, 4, 1), g, b, out=out)
        self.assertEqual(out.tobytes(), before)
        refuses(TypeError, "no arrays of C's strings", self.ops.names, np.array(["a"]), np.array(["b", "c", "d"]))


class Apart(unittest.TestCase):
    """Padded tensors: NumPy's views with such strides are used without a copy."""
    @classmethod
    def setUpClass(cls):
        cls.ops = imported(generate("apart", "-e", APART), "apart")

    def test_rows_apart(self):
        base = random((2, 3, 16), np.float32).copy()
        data = base[:, :, :8]
        held = np.full((2, 3, 5), 7, np.float32)
        dense = np.empty((2, 3, 5), np.float32)
        result = self.ops.cut(data, out=(held[:, :, :3], dense))
        self.assertTrue(np.shares_memory(result.a, held))
        self.assertEqual((held[:, :, :3].tobytes(), dense.tobytes()), (data[:, :, :3].tobytes(), data[:, :, 3:].tobytes()))
        self.assertTrue((held[:, :, 3:] == 7).all())
        whole = np.full((2, 3, 16), 5, np.float32)
        self.assertTrue(np.shares_memory(self.ops.glue(held[:, :, :3], dense, out=whole[:, :, :8]), whole))
        self.assertEqual(whole[:, :, :8].tobytes(), data.tobytes())
        self.assertTrue((whole[:, :, 8:] == 5).all())
        made = self.ops.cut(data)
        self.assertEqual((made.a.strides, made.b.strides), ((60, 20, 4), (60, 20, 4)))
        self.assertEqual(self.ops.glue(*made).strides, (192, 64, 4))
        self.assertEqual([v.tobytes() for v in self.ops.cut.views(data)], [held[:, :, :3].tobytes(), dense.tobytes()])
        middle = np.lib.stride_tricks.as_strided(np.arange(36, dtype=np.uint8), (3, 4, 2), (12, 2, 1))
        self.assertEqual([p.tobytes() for p in self.ops.mid(middle)], [middle[:, :1].tobytes(), middle[:, 1:].tobytes()])

    def test_open_and_packed(self):
        for n in (0, 1, 3, 50):
            data = np.arange(9 * n, dtype=np.int32).reshape(n, 9)[:, :8]
            a, b = self.ops.free_i(data)
            self.assertEqual((a.tobytes(), b.tobytes()), (data[:, :3].tobytes(), data[:, 3:].tobytes()))
        data = random(19, np.uint8) # rows of 3 bytes, 8 apart
        a, b = self.ops.bits(data)
        self.assertEqual((a.shape, b.shape), ((5,), (6,)))
        self.assertEqual((a[::2].tobytes(), b.tobytes()), (data[::8].tobytes(), b"".join(data[i + 1:i + 3].tobytes() for i in (0, 8, 16))))
        for n in (0, 1, 4): # n rows of 3 bytes, 8 apart: nothing lies behind the last
            data = random(max(8 * n - 5, 0), np.uint8)
            a, b = self.ops.open_bits(data)
            self.assertEqual((a.shape, b.shape), ((max(2 * n - 1, 0),), (2 * n,)))
            self.assertEqual((a[::2].tobytes(), b.tobytes()), (data[::8].tobytes(), b"".join(data[i + 1:i + 3].tobytes() for i in range(0, 8 * n, 8))))
        with self.assertRaisesRegex(ValueError, r"the shape of data is \(32,\), but it takes \(8\*n-5\)"):
            self.ops.open_bits(np.zeros(32, np.uint8))

    def test_refused(self):
        data = random((2, 3, 16), np.float32)[:, :, :8]
        for array, words in ((data.copy(), "cut: the rows of data do not begin every 16 elements: its shape is (2, 3, 8), its strides are "
                              "(96, 32, 4), but have to be (192, 64, 4); new_whole() makes an array that is, to be copied to before"),):
            with self.assertRaisesRegex(ValueError, words.replace("(", "\\(").replace(")", "\\)")):
                self.ops.cut(array)
        with self.assertRaisesRegex(ValueError, "the rows of a do not begin every 5 elements: .*new_parts"):
            self.ops.cut(data, out=(np.empty((2, 3, 3), np.float32), np.empty((2, 3, 5), np.float32)))
        self.assertIn("    data  float32  (2, 3, 8), rows 16 elements apart\n", self.ops.cut.__doc__)
        self.assertEqual(repr(self.ops.glue), "<glue: a [2, 3, 3]/5, b [2, 3, 5] -> f32[2, 3, 8]/16 axis 2>")


class Module(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = generate("ops", "-e", OPS)
        cls.ops = imported(cls.folder, "ops")
        with open(cls.folder + "/ops.json") as file:
            cls.plan = {k["name"]: k for k in json.load(file)["kernels"]}

    def refuses(self, error, words, call, *arguments, **named):
        with self.assertRaises(error) as raised:
            call(*arguments, **named)
        self.assertIn(words, str(raised.exception))

    def same(self, arrays, expected):
        self.assertEqual(len(arrays), len(expected))
        for array, wanted in zip(arrays, expected):
            self.assertEqual((array.dtype, array.shape, array.tobytes()), (wanted.dtype, wanted.shape, wanted.tobytes()))

    def test_copies(self):
        data = random((1, 2, 12), np.float32)
        result = self.ops.qkv(data)
        self.same(result, np.split(data, [4, 8], 2))
        self.assertEqual(result._fields, ("q", "k", "v"))
        self.assertFalse(any(np.shares_memory(data, a) for a in result))
        rows = random((6, 3), np.int64)
        self.same(self.ops.rows(rows), [rows[:2], rows[3:]])
        self.same(self.ops.none(np.empty((0, 4), np.float32)), np.split(np.empty((0, 4), np.float32), [1], 1))
        many = random((3, 80), np.uint16)
        self.same(self.ops.many(many), np.split(many, 40, 1))

    def test_every_type(self):
        """All types of NumPy, each with three columns; other types are passed as integers."""
        spec = "; ".join(f"of_{t}: {t}[5,7] @1 -> a:1 b:4 c:2" for t in TYPES)
        kernels = imported(generate("types", "-e", spec), "types").kernels
        for name, dtype in TYPES.items():
            data = random((5, 7), dtype)
            self.same(kernels["of_" + name](data), np.split(data, [1, 5], 1))
        for kernel, dtype in (self.ops.brain, np.uint16), (self.ops.tiny, np.uint8):
            data = random((2, 4), dtype)
            self.same(kernel(data), np.split(data, [1], 1))

    def test_types_of_ml_dtypes(self):
        try:
            import ml_dtypes
        except ImportError:
            self.skipTest("no ml_dtypes")
        for kernel, dtype in (self.ops.brain, ml_dtypes.bfloat16), (self.ops.tiny, ml_dtypes.float8_e4m3fn):
            data = random((2, 4), dtype)
            self.same(kernel(data), np.split(data, [1], 1))
            self.same(kernel.views(data), np.split(data, [1], 1))

    def test_single_elements_of_packed_types(self):
        """Arrays with a byte for each packed element, by int8 in the place of the types of ml_dtypes, and by these types."""
        folder = generate("single", "--views=omit", "-e", SINGLE)
        kernels = imported(folder, "single").kernels
        words = {name: kernel._types[1] for name, kernel in kernels.items()}
        self.assertEqual(words["i4"], "int4")
        with open(f"{folder}/single.py") as file:
            text = file.read()
        with open(f"{folder}/single.py", "w") as file:
            file.write(re.sub(r'\("uint8", "\w+"\)', '("uint8", "int8")', text))
        self.elements({name: (kernel, np.int8) for name, kernel in imported(folder, "single").kernels.items()})
        try:
            import ml_dtypes
        except ImportError:
            return
        self.elements({name: (kernel, getattr(ml_dtypes, words[name])) for name, kernel in kernels.items()
                       if hasattr(ml_dtypes, words[name])})

    def elements(self, kernels):
        for name, (kernel, dtype) in kernels.items():
            width = int(re.sub("^[a-z]+", "", kernel._dtype)[0])

            def single(shape):
                return (random(shape, np.uint8) & (1 << width) - 1).view(dtype)
            rows = 2
            if name.startswith("join"):
                parts = kernel.new_parts(dtype, **dict.fromkeys(kernel._numbers, rows))
                for part in parts:
                    part[...] = single(part.shape)
                whole = np.concatenate([part.view(np.uint8) for part in parts], 1)
                out = kernel.new_whole(dtype, **dict.fromkeys(kernel._numbers, rows))
                self.assertIs(kernel(*parts, out=out), out)
                for made in out, kernel(*parts):
                    self.assertEqual(made.dtype, dtype)
                    np.testing.assert_array_equal(made.view(np.uint8), whole)
                continue
            data = kernel.new_whole(dtype, **dict.fromkeys(kernel._numbers, rows))
            data[...] = single(data.shape)
            ends = np.cumsum([dims[kernel._axis] for dims, _ in kernel._dims[1:]])[:-1]
            wanted = np.split(data, ends, kernel._axis)
            out = kernel.new_parts(dtype, **dict.fromkeys(kernel._numbers, rows))
            for made in kernel(data), kernel(data, out=out):
                for part, should in zip(made, wanted):
                    self.assertEqual(part.dtype, dtype)
                    np.testing.assert_array_equal(part.view(np.uint8), should.view(np.uint8), name)
            for view, should in zip(kernel.views(data), wanted):
                if view is not None:
                    np.testing.assert_array_equal(view.view(np.uint8), should.view(np.uint8), name)
        kernel, dtype = kernels["i4"]
        data, out = np.zeros((4, 7), dtype), np.zeros((4, 9), dtype)
        self.refuses(ValueError, "the shape of data is (7, 4), but it takes (4, 7)", kernel, data.T.copy())
        self.refuses(ValueError, "data is not C-contiguous", kernel, np.zeros((4, 9), dtype)[:, :7])
        self.refuses(ValueError, "a and b share memory, but a kernel writes one of them", kernel, data,
                     out=(out.reshape(-1)[:12].reshape(4, 3), out.reshape(-1)[8:24].reshape(4, 4)))
        self.refuses(TypeError, "the dtype of a is uint8, but it takes", kernel, data,
                     out=(np.zeros((4, 3), np.uint8), np.zeros((4, 4), dtype)))
        self.assertIn("uint8  (14,), or %s (4, 7)" % np.dtype(dtype).name, kernel.__doc__)

    def test_packed_elements(self):
        data = random(12, np.uint8)
        elements = bits(data, 4, 6)
        a, b = self.ops.packed(data)
        np.testing.assert_array_equal(bits(a, 4, 4), elements[:, :4])
        np.testing.assert_array_equal(bits(b, 4, 2), elements[:, 4:])
        self.assertEqual(self.ops.packed.views(data), (None, None))
        self.same(self.ops.lines.views(data), [data[:3], data[3:]])
        self.refuses(ValueError, "the shape of data is (4, 6), but it takes (12,)", self.ops.packed, np.zeros((4, 6), np.uint8))

    def test_views(self):
        for name in "qkv", "rows", "many", "none":
            plan = self.plan[name]
            data = random(plan["input"]["shape"], TYPES[plan["dtype"]])
            for view, output in zip(self.ops.kernels[name].views(data), plan["outputs"]):
                self.assertTrue(np.shares_memory(view, data) or view.size == 0)
                self.assertEqual(list(view.shape), output["shape"])
                if view.size > 0: # is where the plan says
                    self.assertEqual(view.ctypes.data - data.ctypes.data, output["byte_offset"])
                    self.assertEqual([s // data.itemsize for s in view.strides], output["strides"])
            self.assertFalse(any(v.flags.writeable for v in self.ops.kernels[name].views(data)))
        data = self.ops.qkv.new_whole()
        self.ops.qkv.views(data).k[:] = 7
        self.assertTrue((data[:, :, 4:8] == 7).all())
        wide = random((1, 2, 24), np.float32)[:, :, ::2] # does not need a contiguous array
        self.same(self.ops.qkv.views(wide), np.split(wide, [4, 8], 2))

    def test_out(self):
        data, out = random((1, 2, 12), np.float32), self.ops.qkv.new_parts()
        result = self.ops.qkv(data, out=out)
        self.assertTrue(all(a is b for a, b in zip(result, out)))
        self.same(out, np.split(data, [4, 8], 2))
        refuses = self.refuses
        refuses(ValueError, "out holds 2 arrays, but there are 3 outputs: q, k, v", self.ops.qkv, data, out=out[:2])
        refuses(ValueError, "the shape of k is (1, 2, 3), but it takes (1, 2, 4)", self.ops.qkv, data,
                out=(out.q, np.zeros((1, 2, 3), np.float32), out.v))
        refuses(TypeError, "the dtype of v is float64, but it takes float32", self.ops.qkv, data,
                out=(out.q, out.k, np.zeros((1, 2, 4))))
        refuses(ValueError, "v is not C-contiguous: its shape is (1, 2, 4), its strides are (96, 48, 4); new_parts() makes "
                "arrays that are", self.ops.qkv, data, out=(out.q, out.k, np.zeros((1, 2, 12), np.float32)[:, :, :4]))
        out.k.flags.writeable = False
        refuses(ValueError, "k is read-only", self.ops.qkv, data, out=out)

    def test_masked_arrays(self):
        """A kernel does not copy a mask, so masked arrays are refused, as input and as output."""
        data = np.ma.masked_less(random((1, 2, 12), np.float32), 0)
        for call in (self.ops.qkv, self.ops.qkv.views):
            self.refuses(TypeError, "qkv: data is a masked array, but a kernel copies no mask", call, data)
        out = self.ops.qkv.new_parts()
        self.refuses(TypeError, "qkv: k is a masked array", self.ops.qkv, data.data, out=(out.q, np.ma.array(out.k, copy=False), out.v))

    def test_refused_inputs(self):
        data = random((1, 2, 12), np.float32)
        for call in self.ops.qkv, self.ops.qkv.views:
            self.refuses(TypeError, "qkv: data is a list, but it takes a numpy.ndarray", call, data.tolist())
            self.refuses(ValueError, "qkv: the shape of data is (2, 12), but it takes (1, 2, 12)", call, data[0])
            self.refuses(TypeError, "qkv: the dtype of data is float64, but it takes float32", call, data.astype(float))
            self.refuses(TypeError, "the dtype of data is >f4, but it takes float32", call, data.astype(">f4"))
        self.refuses(ValueError, "data is not C-contiguous: its shape is (1, 2, 12), its strides are (192, 96, 8); "
                     "numpy.ascontiguousarray() makes a copy that is", self.ops.qkv, random((1, 2, 24), np.float32)[:, :, ::2])
        self.refuses(TypeError, "the dtype of data is float16, but it takes uint16 or bfloat16", self.ops.brain,
                     np.zeros((2, 4), np.float16))
        for call in self.ops.names, self.ops.names.views:
            self.refuses(TypeError, "no arrays of C's strings", call, np.array(["a", "b", "c", "d"]))
        self.refuses(TypeError, "no arrays of C's strings", self.ops.names.new_whole)

    def test_the_runtime_checks(self):
        data, out = self.ops.qkv.new_whole(), self.ops.qkv.new_parts()
        data[:] = 1
        before = out.q.tobytes()
        self.refuses(ValueError, "qkv: two buffers overlap (aligned to 4; data: 96 bytes at 0x", self.ops.qkv, data,
                     out=(out.q, out.q, out.v))
        self.assertEqual(out.q.tobytes(), before)
        odd = np.empty(97, np.uint8)[1:].view(np.float32).reshape(1, 2, 12)
        self.refuses(ValueError, "a pointer is not a multiple of kernel->align (aligned to 4", self.ops.qkv, odd)

    def test_names_and_alignment(self):
        with open(os.path.join(SCRATCH, "named.lua"), "w") as file:
            file.write(NAMED)
        module = imported(generate("named", os.path.join(SCRATCH, "named.lua")), "named")
        for _ in range(20):
            data = module.cut.new_whole()
            data[:] = random((2, 6), np.float32)
            result = module.cut(data)
            self.assertTrue(all(a.ctypes.data % 64 == 0 for a in (data, *result)))
        self.assertEqual(result._fields, ("lambda_", "None_"))
        self.same([result.lambda_, result.None_], np.split(data, 2, 1))
        line = random(4, np.float32)
        self.same(module.def_(line), np.split(line, 2))
        self.same(module.load_(line), np.split(line, 2))
        self.assertIs(module.kernels["def"], module.def_)
        self.assertEqual(self.ops.lambda_(random(4, np.uint8)).count.shape, (1,))
        self.assertEqual(repr(module.cut), "<cut: f32[2, 6] axis 1 -> lambda_ [2, 3], None_ [2, 3]>")

    def test_help_and_hints(self):
        """help() describes inputs and outputs; results have their names and types for checkers."""
        for text, kernel in (("qkv(data, *, out=None) -> (q, k, v)", self.ops.qkv), ("along axis 2", self.ops.qkv),
                             ("    data  float32  (1, 2, 12)\n", self.ops.qkv), ("    v     float32  (1, 2, 4)\n", self.ops.qkv),
                             ("uint8  (12,)", self.ops.packed), ("packed elements: rows of bytes", self.ops.packed),
                             ("uint16 or bfloat16  (2, 1)", self.ops.brain), ("no arrays in NumPy  (3,)", self.ops.names)):
            self.assertIn(text, kernel.__doc__)
            self.assertIn(kernel.__doc__.splitlines()[0], pydoc.plain(pydoc.render_doc(kernel)))
        for name, kernel in self.ops.kernels.items():
            result = getattr(self.ops, f"_{kernel.__name__}_outputs")
            self.assertEqual(set(typing.get_type_hints(result, vars(self.ops)).values()), {np.ndarray}, name)
            self.assertEqual(self.ops.__annotations__[kernel.__name__], f"_Split[{result.__name__}]")
        for method in (type(self.ops.qkv).__call__, type(self.ops.qkv).views, type(self.ops.qkv).new_parts, self.ops.load):
            self.assertIn("return", method.__annotations__)

    def test_no_name_breaks_the_module(self):
        """Kernels and outputs named like every keyword, every built-in, and the module's own names."""
        taken = set(keyword.kwlist) | set(dir(builtins))
        names = sorted(taken | {"kernels", "load", "count", "index", "self", "out", "items"})
        names = [name for name in names if allowed(f"{name}: u8[4] -> {name}:1 b:3")]
        module = imported(generate("words", "-e", "; ".join(f"{name}: u8[4] -> {name}:1 b:3" for name in names)), "words")
        self.assertGreater(len(names), 150)
        self.assertEqual(sorted(module.kernels), names)
        for name, kernel in module.kernels.items():
            data = random(4, np.uint8)
            self.same(kernel(data, out=kernel.new_parts()), [data[:1], data[1:]])
            self.same(kernel.views(data), [data[:1], data[1:]])
            self.assertIs(getattr(module, name + "_" * (name in taken or name in ("kernels", "load"))), kernel)
            self.refuses(TypeError, f"{name}: data is a list", kernel, [1, 2, 3, 4])
            self.refuses(ValueError, f"{name}: the shape of data is (3,)", kernel, data[:3])

    def test_where_the_library_is(self):
        data = random((1, 2, 12), np.float32)
        folder = os.path.join(SCRATCH, "elsewhere")
        os.makedirs(folder, exist_ok=True)
        for name in "ops.py", FIXED:
            shutil.copy(f"{self.folder}/{name}", folder)
        self.refuses(OSError, f"there is no {folder}/libops.so", imported(folder, "ops").qkv, data)
        module = imported(folder, "ops")
        module.load(self.folder + "/libops.so")
        self.same(module.qkv(data), np.split(data, [4, 8], 2))
        os.environ["OPS_LIBRARY"] = self.folder + "/libops.so"
        self.same(imported(folder, "ops").qkv(data), np.split(data, [4, 8], 2))
        os.environ["OPS_LIBRARY"] = folder + "/none.so"
        self.refuses(OSError, "none.so", imported(folder, "ops").qkv, data)
        del os.environ["OPS_LIBRARY"]

    def test_another_library(self):
        data = random((1, 2, 12), np.float32)
        stale = generate("stale", "-e", "qkv: f32[1,2,12] @2 -> q:4 k:3 v:*")
        other = generate("other", "-e", "split: f32[1,2,12] @2 -> q:4 k:4 v:*")
        bare = generate("bare", "-e", "qkv: f32[1,2,12] @2 -> q:4 k:4 v:*", runtime=False)
        module = imported(self.folder, "ops")
        self.same(module.qkv(data), np.split(data, [4, 8], 2))
        module.load(stale + "/libstale.so")
        self.refuses(OSError, "is f32[1, 2, 12] -> [1, 2, 4] [1, 2, 3] [1, 2, 5], aligned to 4, but this module is for "
                     "f32[1, 2, 12] -> [1, 2, 4] [1, 2, 4] [1, 2, 4], aligned to 4: generate both again", module.qkv, data)
        module.load(other + "/libother.so")
        self.refuses(OSError, "libother.so has no kernel qkv", module.qkv, data)
        self.refuses(OSError, "libbare.so has no splitgen_run: link", module.load, bare + "/libbare.so")
        shutil.copy(self.folder + "/ops.py", other + "/ops.py")
        change(other + "/ops.py", '_LIBRARY", ', '_LIBRARY", 1')
        shutil.copy(f"{self.folder}/{FIXED}", other)
        change(f"{other}/{FIXED}", "\nABI = ", "\nABI = 1")
        self.assertIn("has kernels of ABI 6, but this module is for 16: generate both again", failure(
            other, f"import numpy, ops; ops.load('{self.folder}/libops.so'); ops.qkv(numpy.zeros((1, 2, 12), numpy.float32))"))


class Fixed(unittest.TestCase):
    """splitgen_arrays.py, which is the same for all modules."""
    CALL = "import numpy as np; print([a.tolist() for a in %s.%s(np.arange(4, dtype=np.uint8))])"

    @classmethod
    def setUpClass(cls):
        cls.folder = generate("one", "-e", "one: u8[4] -> a:1 b:3")
        other = generate("two", "-e", "two: u8[4] -> a:2 b:2")
        for name in "two.py", "libtwo.so":
            shutil.copy(f"{other}/{name}", cls.folder)
        with open(f"{SOURCE_DIR}/runtime/{FIXED}") as file:
            cls.text = file.read()

    def copy(self, name, *files):
        """A new folder with copies of these files."""
        folder = os.path.join(SCRATCH, "fixed", name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for file in files:
            shutil.copy(f"{self.folder}/{file}", folder)
        return folder

    def read(self, path):
        with open(path) as file:
            return file.read()

    def test_it_is_written_beside_modules(self):
        self.assertEqual(self.read(f"{self.folder}/{FIXED}"), self.text)
        folder = self.copy("written")
        tool = [SPLITGEN, "-e", "one: u8[4] -> a:1 b:3"]
        subprocess.run([*tool, "--emit=py", "-o", folder + "/a.py"], check=True)
        self.assertEqual(sorted(os.listdir(folder)), ["a.py", FIXED])
        os.utime(f"{folder}/{FIXED}", (1, 1))
        subprocess.run([*tool, "-o", folder + "/b.py"], check=True) # the file's extension selects the kind
        self.assertEqual((os.stat(f"{folder}/{FIXED}").st_mtime, sorted(os.listdir(folder))), (1, ["a.py", "b.py", FIXED]))
        subprocess.run([*tool, "--emit=c,h,json", "-o", folder + "/new/"], check=True)
        self.assertNotIn(FIXED, os.listdir(folder + "/new"))

    def test_it_is_checked_like_other_files(self):
        folder = self.copy("checked", FIXED)
        tool = [SPLITGEN, "-e", "one: u8[4] -> a:1 b:3"]
        subprocess.run([*tool, "-o", "a.py"], check=True, cwd=folder)
        check = [*tool, "--check", "a.py"]
        self.assertEqual(subprocess.run(check, cwd=folder).returncode, 0)
        change(f"{folder}/{FIXED}", "TABLES = ", "TABLES = 1")
        done = subprocess.run(check, cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn(f"'{FIXED}' is stale from line ", done.stderr)
        os.remove(f"{folder}/{FIXED}")
        done = subprocess.run(check, cwd=folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, f"'{FIXED}' does not exist" in done.stderr), (4, True))

    def test_standard_output_has_the_module_alone(self):
        tool = [SPLITGEN, "-e", "one: u8[4] -> a:1 b:3", "--emit=py"]
        folder = self.copy("standard")
        shown = subprocess.run(tool, check=True, capture_output=True, text=True, cwd=folder).stdout
        self.assertIn("splitgen_arrays.py, which splitgen -o writes", shown)
        self.assertNotIn("class Library", shown)
        subprocess.run([*tool, "-o", "/dev/stdout"], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        self.assertEqual((os.listdir(folder), os.path.exists("/dev/" + FIXED)), ([], False))

    def test_types_for_checkers_are_its_own(self):
        """A module repeats these hints, because a checker finds splitgen_arrays.py either in packages or outside,
        not both."""
        def methods(tree):
            return {(node.name.lstrip("_"), f.name): [[a.arg for a in (*f.args.posonlyargs, *f.args.args, f.args.vararg, *f.args.kwonlyargs, f.args.kwarg) if a],
                                                      len(f.args.defaults), len(f.args.kw_defaults)]
                    for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for f in node.body
                    if isinstance(f, ast.FunctionDef) and f.name in ("__call__", "views", "new_whole", "new_parts")}
        shown = subprocess.run([SPLITGEN, "-e", "cut: u8[4] -> a:1 b:3; glue: u8[4] <- a:1 b:3", "--emit=py"], check=True,
                               capture_output=True, text=True).stdout
        self.assertEqual(methods(ast.parse(shown)), methods(ast.parse(self.text)))

    def test_no_module_takes_its_name(self):
        done = subprocess.run([SPLITGEN, "-e", "one: u8[4] -> a:1 b:3", "-o", FIXED], capture_output=True, text=True,
                              cwd=self.copy("name"))
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"two outputs would be written to '{FIXED}'", done.stderr)

    def test_dependency_files_leave_it_out(self):
        """Two rules of a build that each write a module to the same folder must not both write one file."""
        folder = self.copy("depfile")
        subprocess.run([SPLITGEN, "-e", "one: u8[4] -> a:1 b:3", "-o", "a.py", "--depfile", "a.d"], check=True, cwd=folder)
        self.assertEqual(self.read(folder + "/a.d"), "a.py:\n")

    def test_modules_have_libraries_of_their_own(self):
        for how in "one, two", "from package import one, two":
            folder = self.copy("several/package", "one.py", "two.py", "libone.so", "libtwo.so", FIXED)
            code = how if how.startswith("from") else "import " + how
            self.assertEqual(run(os.path.dirname(folder) if how.startswith("from") else folder, "; ".join((
                code, self.CALL % ("one", "one"), self.CALL % ("two", "two"), f"two.load('{self.folder}/libtwo.so')",
                self.CALL % ("one", "one"), "print(one._arrays is two._arrays, one._arrays.__name__)"))).split("\n")[:-1],
                ["[[0], [1, 2, 3]]", "[[0, 1], [2, 3]]", "[[0], [1, 2, 3]]",
                 "True " + ("package." * how.startswith("from")) + FIXED[:-3]])

    def test_the_file_beside_comes_first(self):
        """It is found before one on Python's path, and before that of an installed package, which is used if there
        is none."""
        folder = self.copy("beside", "one.py", "libone.so", FIXED)
        path = self.copy("beside/path", FIXED)
        change(f"{path}/{FIXED}", "TABLES = ", "TABLES = 7")
        call = self.CALL % ("one", "one")
        by_path = ("import importlib.util as u; s = u.spec_from_file_location('one', '%s/one.py'); one = u.module_from_spec(s); "
                   "s.loader.exec_module(one); " % folder)
        for cwd, code in (folder, "import one; "), (path, by_path):
            self.assertEqual(run(cwd, f"import sys; sys.path.append('{path}'); before = [*sys.path]; {code}{call}; "
                                 "print(sys.path == before)"), "[[0], [1, 2, 3]]\nTrue\n")
        os.remove(f"{folder}/{FIXED}")
        os.makedirs(path + "/splitgen")
        shutil.move(f"{path}/{FIXED}", path + "/splitgen")
        self.assertIn("are of different versions", failure(folder, f"import sys; sys.path.append('{path}'); import one"))
        shutil.copy(f"{self.folder}/{FIXED}", path + "/splitgen")
        self.assertEqual(run(folder, f"import sys; sys.path.append('{path}'); import one; {call}"), "[[0], [1, 2, 3]]\n")

    def test_without_it_and_of_another_version(self):
        folder = self.copy("without", "one.py", "libone.so")
        self.assertIn(f"ImportError: {folder}/one.py needs {FIXED} beside it, which 'splitgen --emit=py -o' writes\n",
                      failure(folder, "import one"))
        shutil.copy(f"{self.folder}/{FIXED}", folder)
        change(f"{folder}/{FIXED}", "TABLES = ", "TABLES = 1")
        self.assertIn(f"ImportError: {folder}/one.py and {folder}/{FIXED} are of different versions of splitgen: make both again by "
                      "'splitgen --emit=py'\n", failure(folder, "import one"))
        shutil.copy(f"{self.folder}/{FIXED}", folder)
        change(f"{folder}/{FIXED}", "\nABI = ", "\nABI = 1")
        self.assertIn(f"ImportError: {folder}/one.py is for kernels of ABI 6, but {folder}/{FIXED} for 16: make both again",
                      failure(folder, "import one"))


FRESH = """import resource
import frame
def faults(kernel):
    image = kernel.new_whole()
    image[...] = 0
    call = lambda: kernel(image)
    call(), call()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        call()
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    return faults / 20 / (image.nbytes / resource.getpagesize())
print(faults(frame.rgb), faults(frame.large))
"""


@unittest.skipUnless(sys.platform == "linux" and os.confstr("CS_GNU_LIBC_VERSION"), "of glibc")
class Fresh(unittest.TestCase):
    def test_new_parts_reuse_memory(self):
        """For a frame of 1080p: three parts of 2 MB, which the C library would return to the system after every
        call. Then six of 8 MiB, together more than the largest block that it learns from."""
        folder = generate("frame", "-e", "rgb: u8[1080,1920,3] @2 -> r:1 g:1 b:1",
                          "-e", "large: u8[1024,49152] @1 -> a b c d e f /6")
        done = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True, check=True, cwd=folder)
        for share in done.stdout.split():
            self.assertLess(float(share), 0.5) # of the pages of the parts, each of which is new otherwise
