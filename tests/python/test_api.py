"""The package's functions: compile(), generate(), list(), their options, exceptions and the cache of builds.

usage: test_api.py SPLITGEN SOURCE_DIR SCRATCH CC
"""
import array, json, os, pathlib, shutil, stat, subprocess, sys, unittest, warnings

import numpy as np

from staged import stage

SPLITGEN, SOURCE_DIR, SCRATCH, CC = sys.argv[1:5]
shutil.rmtree(SCRATCH, ignore_errors=True)
PACKAGE = stage(SPLITGEN, SOURCE_DIR, SCRATCH)
CACHE = os.path.join(SCRATCH, "cache")
os.environ.update(XDG_CACHE_HOME=CACHE, CC=CC)
sys.path.insert(0, PACKAGE)
import splitgen
from splitgen import options
from splitgen.compiler import LIBRARY

RGB = "rgb: u8[4,5,3] @2 -> r:1 g:1 b:1"
FAST = {"isa": "portable", "cflags": ["-O0"]}


def elsewhere(code, check=True, **environment):
    """Runs Python with the package in another process."""
    return subprocess.run([sys.executable, "-c", "import splitgen, sys, os\n" + code], check=check, text=True, capture_output=True,
                          env=os.environ | {"PYTHONPATH": PACKAGE} | environment)


class Exporter:
    """A tensor of another package: nothing but DLPack."""
    def __init__(self, data):
        self.data = data

    def __dlpack__(self, **how):
        return self.data.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.data.__dlpack_device__()


class OldExporter(Exporter):
    """One of DLPack before 1.0, which cannot say that it may be written, with the array protocol, as PyTorch's."""
    def __dlpack__(self, stream=None):
        return self.data.__dlpack__()

    def __array__(self, dtype=None, copy=None):
        return self.data


class Interface:
    """One of __array_interface__ alone."""
    def __init__(self, data):
        self.__array_interface__ = data.__array_interface__
        self.data = data


class Case(unittest.TestCase):
    def refuses(self, error, words, call, *given, **named):
        with self.assertRaises(error) as raised:
            call(*given, **named)
        self.assertIn(words, str(raised.exception))
        return raised.exception


class Compile(Case):
    @classmethod
    def setUpClass(cls):
        cls.k = splitgen.compile([RGB, "join: f32[2,6] @1 <- a:1 b:5", "def: u8[4] -> a:1 b:3"], **FAST)
        cls.image = np.random.default_rng(1).integers(0, 255, (4, 5, 3), np.uint8)

    def test_split(self):
        r, g, b = self.k.rgb(self.image)
        for i, part in enumerate((r, g, b)):
            np.testing.assert_array_equal(part, self.image[:, :, i:i + 1])
        views = self.k.rgb.views(self.image)
        self.assertTrue(all(np.shares_memory(view, self.image) for view in views))
        np.testing.assert_array_equal(views.g, g)
        out = self.k.rgb.new_parts()
        self.assertIs(self.k.rgb(self.image, out=out).r, out.r)

    def test_join(self):
        a, b = np.ones((2, 1), np.float32), np.full((2, 5), 2, np.float32)
        whole = self.k.join(a, b)
        np.testing.assert_array_equal(whole, np.concatenate([a, b], 1))
        out = self.k.join.new_whole()
        self.assertIs(self.k.join(a, b, out=out), out)
        self.assertTrue(self.k.join.joins and not self.k.rgb.joins)
        self.refuses(TypeError, "join takes 2 arrays (a, b), but 1 are given", self.k.join, a)

    def test_arrays_of_others(self):
        """Tensors, memoryviews and arrays of other modules are read and written where they lie."""
        expected = self.k.rgb(self.image)
        for given in (Exporter(self.image), OldExporter(self.image), Interface(self.image), memoryview(self.image)):
            for part, wanted in zip(self.k.rgb(given), expected):
                np.testing.assert_array_equal(part, wanted)
            self.assertTrue(np.shares_memory(self.k.rgb.views(given).g, self.image))
        # Before 2.1 NumPy asks nobody whether a tensor may be written, and takes it for one that may not.
        says = np.lib.NumpyVersion(np.__version__) >= "2.1.0"
        for kind in (*([Exporter] if says else []), OldExporter, Interface, memoryview):
            out = self.k.rgb.new_parts()
            for part in out:
                part[...] = 0
            self.k.rgb(self.image, out=[kind(part) for part in out])
            for part, wanted in zip(out, expected):
                np.testing.assert_array_equal(part, wanted)
        line = array.array("B", [1, 2, 3, 4])
        self.assertEqual(self.k["def"](line).b.tolist(), [2, 3, 4])
        self.assertNotIn("torch", sys.modules)
        self.refuses(TypeError, "rgb: data is a list, but has to be an array", self.k.rgb, [1])
        self.refuses(ValueError, "rgb: the shape of data is (4, 5)", self.k.rgb, self.image[:, :, 0])

    def test_kernels_by_name(self):
        self.assertEqual([*self.k], ["rgb", "join", "def"])
        self.assertIs(self.k.def_, self.k["def"])
        self.assertIn("rgb", dir(self.k))
        self.refuses(AttributeError, "there is no kernel 'bgr': rgb, join, def", lambda: self.k.bgr)
        self.assertIn("data  uint8  (4, 5, 3)", self.k.rgb.__doc__)
        self.assertEqual(self.k.rgb.plan["lengths"], [1, 1, 1])

    def test_files_and_open_dims(self):
        with open(SCRATCH + "/qkv.lua", "w") as file:
            file.write('return split { name = "qkv", dtype = "f32", shape = { param("batch", 1), 6 }, axis = 1, parts = 3 }')
        k = splitgen.compile(pathlib.Path(SCRATCH, "qkv.lua"), defines={"batch": 2}, **FAST)
        self.assertEqual(k.qkv.new_whole().shape, (2, 6))
        shutil.copy(SCRATCH + "/qkv.lua", SCRATCH + "/320 n-1.2.lua") # no name for C or Python
        os.environ["QKV_LIBRARY"] = "none.so"
        self.addCleanup(os.environ.pop, "QKV_LIBRARY")
        for name in ("320 n-1.2.lua", "qkv.lua"):
            k = splitgen.compile(os.path.join(SCRATCH, name), defines={"batch": 3}, **FAST)
            self.assertEqual(k.qkv(k.qkv.new_whole())[0].shape, (3, 2))
        k = splitgen.compile("opened: i64[n=4?,4] @1 -> a:1 b:3", **FAST)
        data = np.arange(20).reshape(5, 4)
        np.testing.assert_array_equal(k.opened(data).b, data[:, 1:])
        self.assertEqual(k.opened.new_whole(n=7).shape, (7, 4))


class Cache(Case):
    def builds(self, folder):
        return sorted(name for name in os.listdir(folder + "/splitgen"))

    def test_builds_are_found_again(self):
        folder = splitgen.compile(RGB, **FAST).folder
        before = self.builds(CACHE)
        made = os.stat(folder).st_mtime_ns
        self.assertEqual(splitgen.compile(RGB, **FAST).folder, folder)
        self.assertEqual((self.builds(CACHE), os.stat(folder).st_mtime_ns), (before, made))
        self.assertNotEqual(splitgen.compile(RGB, isa="portable", cflags=["-O1"]).folder, folder)
        os.remove(folder / "split.c")
        os.remove(folder / LIBRARY) # as what cleans folders of old files does
        self.assertEqual(splitgen.compile(RGB, **FAST).folder, folder)
        self.assertTrue((folder / LIBRARY).exists() and (folder / "split.c").exists())
        self.assertNotEqual(splitgen.compile(RGB, isa="portable", cflags=["-O0"], unroll="none", prefix="x_").folder, folder)

    def test_another_compiler_is_another_build(self):
        other = os.path.join(SCRATCH, "other-cc")
        with open(other, "w") as file:
            file.write('#!/bin/sh\n[ "$1" = --version ] && echo "other 1"\nexec %s "$@"\n' % CC)
        os.chmod(other, 0o755)
        self.assertNotEqual(splitgen.compile(RGB, cc=other, **FAST).folder, splitgen.compile(RGB, **FAST).folder)

    def test_processes_at_once(self):
        """Four build the same into an empty cache; one build and no rest of the others is left."""
        cache = os.path.join(SCRATCH, "race")
        code = "k = splitgen.compile(%r, isa='portable', cflags=['-O0'])\nprint(k.folder, k.rgb.new_whole().shape)" % RGB
        running = [subprocess.Popen([sys.executable, "-c", "import splitgen\n" + code], stdout=subprocess.PIPE, text=True,
                                    env=os.environ | {"PYTHONPATH": PACKAGE, "XDG_CACHE_HOME": cache}) for _ in range(4)]
        said = {process.communicate()[0] for process in running}
        self.assertEqual([process.returncode for process in running], [0] * 4)
        self.assertEqual(len(said), 1)
        self.assertEqual(len(self.builds(cache)), 2) # the runtime's objects and the kernels
        self.assertFalse([name for name in self.builds(cache) if name.startswith(".")])

    def test_home_that_cannot_be_written(self):
        """Builds go to a temporary folder, which is gone afterwards. A file in the way stops root as well."""
        blocked = os.path.join(SCRATCH, "blocked")
        with open(blocked, "w"):
            pass
        code = "print(splitgen.compile(%r, isa='portable', cflags=['-O0']).folder)" % RGB
        folder = elsewhere(code, XDG_CACHE_HOME=blocked).stdout.strip()
        self.assertFalse(folder.startswith(SCRATCH))
        self.assertFalse(os.path.exists(folder))
        folder = elsewhere(code, XDG_CACHE_HOME="", HOME=blocked).stdout.strip()
        self.assertFalse(os.path.exists(folder))
        folder = elsewhere(code.replace(").folder", ", cache=False).folder")).stdout.strip()
        self.assertFalse(folder.startswith(CACHE))

    def test_compilers(self):
        empty = os.path.join(SCRATCH, "empty")
        os.makedirs(empty, exist_ok=True)
        code = "try: splitgen.compile(%r, cache=False)\nexcept splitgen.CompilerError as e: print(e)" % RGB
        self.assertIn("there is no C compiler", elsewhere("import importlib.util\nimportlib.util.find_spec = lambda n: None\n" + code,
                                                          PATH=empty, CC="").stdout)
        self.assertIn("cannot run the C compiler 'no-such-cc'", elsewhere(code, CC="no-such-cc -m64").stdout)
        error = self.refuses(splitgen.CompilerError, "no-such-flag", splitgen.compile, RGB, cflags=["--no-such-flag"])
        self.assertIn("--no-such-flag", error.command)


class Generate(Case):
    def test_files(self):
        files = splitgen.generate(RGB, emit=["c", "h"], prefix="my_")
        self.assertEqual([*files], ["split.c", "split.h"])
        self.assertIn("void my_rgb(", files["split.h"])
        self.assertEqual([*splitgen.generate(RGB)], ["split.c"])
        self.assertEqual(len(splitgen.generate(RGB, emit="c,h", shards=2)), 3)
        shown = subprocess.run([SPLITGEN, "-e", RGB], capture_output=True, text=True, check=True).stdout
        self.assertEqual(splitgen.generate(RGB)["split.c"], shown)

    def test_list(self):
        ops = splitgen.list("a: f32[n?,6] @1 -> q:2 k:4; b: u8[8] -> x:3 y:5")
        self.assertEqual([(op["name"], op["shape"], op["axis"], op["lengths"], op["views"]) for op in ops],
                         [("a", ["n", 6], 1, [2, 4], []), ("b", [8], 0, [3, 5], ops[1]["views"])])
        self.assertEqual(len(ops[1]["views"]), 2)
        self.assertEqual(ops.summary["splits"], 2)
        model = SOURCE_DIR + "/examples/model/detector.onnxtxt"
        self.assertIn("batch", splitgen.list(model, open=True)[0]["shape"])
        sizes = {"batch": 2, "height": 32, "width": 32}
        self.assertEqual(splitgen.list(model, dims=sizes)[0]["shape"][0], 2)
        self.assertEqual(splitgen.list(model, shapes={"images": (4, 3, 32, 32)})[0]["shape"][0], 4)
        self.assertEqual(len(splitgen.list(model, dims=sizes, ops=["split", "concat"])), 3)
        self.assertEqual(len(splitgen.list(model, dims=sizes, only="*22*")), 1)

    def test_options(self):
        """Every option of the tool that shapes kernels is a keyword, and the hints for checkers know them all."""
        arguments = options.arguments("f", {
            "defines": {"a": 1, "b": True}, "open": ["n", "m=2"], "shapes": {"x": ["f32", 1, 2]}, "isa": ["avx2", "neon"],
            "fuse": True, "only_read": False, "includes": [pathlib.Path("p")], "unroll_budget": 9, "except_": "z", "nt": None})
        self.assertEqual(arguments, ("-D", "a=1", "-D", "b=true", "--open=n", "--open=m=2", "--shape=x=f32,1,2", "--isa=avx2,neon",
                                     "--fuse", "-I", "p", "--unroll-budget=9", "--except=z"))
        self.assertEqual(options.arguments("f", {"open": True}), ("--open",))
        self.refuses(TypeError, "generate() has no option 'unrol'; did you mean 'unroll'?", splitgen.generate, RGB, unrol=1)
        self.refuses(TypeError, "list() has no option 'defins'; did you mean 'defines'?", splitgen.list, RGB, defins={})
        self.refuses(TypeError, "compile() has no option 'emit'", splitgen.compile, RGB, emit="c")
        self.refuses(TypeError, "'isa' takes a value: LIST", splitgen.generate, RGB, isa=True)
        self.refuses(TypeError, "'fuse' is True or False, not 1", splitgen.generate, RGB, fuse=1)
        self.refuses(TypeError, "a source is the notation or a path, not a int", splitgen.generate, 3)
        with open(SOURCE_DIR + "/generator/python/options.py") as file:
            hints = file.read().partition("class Options")[2].partition("\n# Options that")[0]
        hinted = {line.split(":")[0].strip() for line in hints.splitlines() if line.startswith("        ") and ": " in line and
                  line.strip()[0] not in '"#'}
        self.assertEqual(hinted, set(options.names()) - {"except"})


class Errors(Case):
    def test_fields(self):
        error = self.refuses(splitgen.InputError, "lengths sum to 4, but axis 2 has 3", splitgen.generate, "rgb: u8[8,8,3] @2 -> r:1 g:1 b:2")
        self.assertIsInstance(error, ValueError)
        self.assertEqual((error.file, error.line, error.column, error.end_column, error.exit_code, error.rule, error.ops),
                         ("<command line>", 1, 22, 33, 1, "lengths", ("rgb",)))
        self.assertEqual(error.excerpt, "rgb: u8[8,8,3] @2 -> r:1 g:1 b:2")
        self.assertEqual([(note.message, note.column) for note in error.notes], [("the shape is given here", 8)])
        self.assertEqual(len(error.diagnostics), 1)
        shown = subprocess.run([SPLITGEN, "-e", "rgb: u8[8,8,3] @2 -> r:1 g:1 b:2"], capture_output=True, text=True).stderr
        self.assertEqual(str(error) + "\n", shown)

    def test_files(self):
        path = os.path.join(SCRATCH, "wrong.lua")
        with open(path, "w") as file:
            file.write("return split {\n  name = \"ä\",\n\tdtype = \"f33\", shape = { 2 }, parts = 2 }\n")
        error = self.refuses(splitgen.InputError, "f33", splitgen.compile, path)
        places = {(d.file, d.line, d.excerpt) for d in error.diagnostics}
        self.assertIn((path, 3, "\tdtype = \"f33\", shape = { 2 }, parts = 2 }"), places)
        shown = subprocess.run([SPLITGEN, path], capture_output=True, text=True).stderr
        self.assertEqual(error.message in shown, True)
        error = self.refuses(splitgen.FileError, "cannot read 'none.lua'", splitgen.list, "none.lua")
        self.assertIsInstance(error, OSError)
        with open(SCRATCH + "/cut.onnx", "wb") as file:
            file.write(b"\x08\x08\x3a\x7f")
        error = self.refuses(splitgen.InputError, "cut.onnx", splitgen.list, SCRATCH + "/cut.onnx")
        self.assertIsNone(error.line)
        self.assertIsInstance(error.byte, int)

    def test_exit_codes(self):
        error = self.refuses(splitgen.OptionError, "did you mean 'avx2'?", splitgen.generate, RGB, isa="avx3")
        self.assertEqual((error.exit_code, error.file, error.excerpt.startswith("splitgen --isa=avx3 -e 'rgb:")), (2, "<command line>", True))
        error = self.refuses(splitgen.BudgetError, "bytes read", splitgen.generate, RGB, fail_if="read>1")
        self.assertEqual(error.exit_code, 5)
        for kind in (splitgen.InputError, splitgen.OptionError, splitgen.FileError, splitgen.BudgetError, splitgen.InternalError):
            self.assertTrue(issubclass(kind, splitgen.SplitgenError))

    def test_warnings(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            splitgen.generate(RGB, defines={"x": 1})
        self.assertEqual([(w.category, w.filename) for w in caught], [(splitgen.SplitgenWarning, __file__)])
        self.assertIn("no input has a parameter or dim 'x'", str(caught[0].message))
        self.refuses(splitgen.SplitgenError, "no input has a parameter or dim 'x'", splitgen.generate, RGB, defines={"x": 1}, werror=True)


class Commands(Case):
    def run_module(self, *arguments, **environment):
        return subprocess.run([sys.executable, "-m", "splitgen", *arguments], text=True, capture_output=True, cwd=SCRATCH,
                              env=os.environ | {"PYTHONPATH": PACKAGE} | environment)

    def test_the_program(self):
        self.assertEqual(self.run_module("--list", "-e", RGB).returncode, 0)
        self.assertEqual(self.run_module("none.lua").returncode, 3)

    def test_bench(self):
        """With NumPy alone: a line for every way that buffers lie, and a picture that is XML."""
        done = self.run_module("bench", "--seconds=1", "--picture=b.svg", RGB + "; p: u4[4,6] @1 -> a:4 b:2; j: f32[64,8] @1 <- a:4 b:4",
                               "--isa=portable")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for kernel in ("rgb", "p", "j"):
            for place in ("aligned", "malloc"):
                self.assertRegex(done.stdout, r"(?m)^%s +%s +\d+ +[\d.]+ +[\d.]+ " % (kernel, place))
        from xml.dom import minidom
        bars = minidom.parse(SCRATCH + "/b.svg").getElementsByTagName("rect")
        self.assertGreaterEqual(len(bars), 1 + 2 + 10) # ground, legend, five for each place
        self.assertEqual(self.run_module("bench", "a: f32[2] -> 1 2").returncode, 1)
        self.assertEqual(self.run_module("bench").returncode, 2)
        self.assertEqual(self.run_module("bench", "--help").returncode, 0)

    def test_verify_says_what_it_needs(self):
        hidden = "import sys, importlib.util\nfind = importlib.util.find_spec\n" \
                 "importlib.util.find_spec = lambda n: None if n.startswith('onnx') else find(n)\n" \
                 "from splitgen import verify\nsys.exit(verify.main(sys.argv[1:] or ['m.onnx']))"
        done = elsewhere(hidden, check=False)
        self.assertEqual((done.returncode, done.stderr), (2, "splitgen verify needs onnx, onnxruntime: pip install 'splitgen[verify]'\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
