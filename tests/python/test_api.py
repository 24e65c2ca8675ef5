"""The package's functions: compile(), generate(), list(), their options, exceptions and the cache of builds."""
import array, builtins, glob, json, os, pathlib, re, shlex, shutil, signal, subprocess, sys, tempfile, time, unittest, unittest.mock, warnings

import pytest
from staged import stage
from testing import SOURCE, given

np = pytest.importorskip("numpy")
SPLITGEN, SOURCE_DIR, SCRATCH, CC = given["tool"], str(SOURCE), given["work"], given["cc"]
shutil.rmtree(SCRATCH, ignore_errors=True)
PACKAGE = stage(SPLITGEN, SOURCE_DIR, SCRATCH)
CACHE = os.path.join(SCRATCH, "cache")
os.environ.update(XDG_CACHE_HOME=CACHE, CC=CC)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None) # so that bytecode in a build's folder would be seen
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
    """A tensor of another package with DLPack only."""
    def __init__(self, data):
        self.data = data

    def __dlpack__(self, **how):
        return self.data.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.data.__dlpack_device__()


class OldExporter(Exporter):
    """A tensor with DLPack before 1.0, which cannot say that it is writable, and the array protocol, as in PyTorch."""
    def __dlpack__(self, stream=None):
        return self.data.__dlpack__()

    def __array__(self, dtype=None, copy=None):
        return self.data


class Interface:
    """A tensor with __array_interface__ only."""
    def __init__(self, data):
        self.__array_interface__ = data.__array_interface__
        self.data = data


class Case(unittest.TestCase):
    def until(self, condition):
        """Waits until something is so; the limit only ends what hangs."""
        end = time.monotonic() + 1200
        while not condition():
            self.assertLess(time.monotonic(), end, "hangs")
            time.sleep(0.01)

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
        """Tensors, memoryviews and arrays of other modules are read and written in place."""
        expected = self.k.rgb(self.image)
        for given in (Exporter(self.image), OldExporter(self.image), Interface(self.image), memoryview(self.image)):
            for part, wanted in zip(self.k.rgb(given), expected):
                np.testing.assert_array_equal(part, wanted)
            self.assertTrue(np.shares_memory(self.k.rgb.views(given).g, self.image))
        # Before 2.2.5 NumPy treats every tensor as read-only.
        says = np.from_dlpack(np.zeros(1)).flags.writeable
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
        self.refuses(AttributeError, "there is no kernel 'xyz': rgb, join, def", lambda: self.k.xyz)
        self.refuses(AttributeError, "there is no kernel 'rgv'; did you mean 'rgb'?", lambda: self.k.rgv)
        error = self.refuses(KeyError, "there is no kernel 'jion'; did you mean 'join'?", lambda: self.k["jion"])
        self.assertEqual(str(error), "there is no kernel 'jion'; did you mean 'join'?")
        self.refuses(AttributeError, "a kernel has no 'vews'; did you mean 'views'?", lambda: self.k.rgb.vews)
        self.refuses(AttributeError, "a kernel has no 'new_input', but new_whole() and new_parts()", lambda: self.k.rgb.new_input)
        self.assertTrue(self.k._repr_svg_().startswith("<svg"))
        self.assertIn("data  uint8  (4, 5, 3)", self.k.rgb.__doc__)
        self.assertEqual(self.k.rgb.plan["lengths"], [1, 1, 1])

    def test_names_of_the_mapping(self):
        """Kernels named like a member of the mapping are items, or attributes with an underscore; calling the member
        says so."""
        names = ["get", "keys", "items", "values", "plan", "folder", "module"]
        k = splitgen.compile(["%s: u8[4] -> a:1 b:3" % name for name in names], **FAST)
        line = np.arange(4, dtype=np.uint8)
        self.assertEqual([*dict(k)], names)
        for name in names:
            self.assertIs(getattr(k, name + "_"), k[name])
            self.assertEqual(k[name](line).b.tolist(), [1, 2, 3])
            self.assertIn(name + "_", dir(k))
            words = "the kernel '%s' is k['%s'] or k.%s_" % (name, name, name)
            if name in ("plan", "folder", "module"):
                with self.assertWarnsRegex(splitgen.SplitgenWarning, words.replace("[", "\\[")):
                    getattr(k, name)
            else:
                self.refuses(TypeError, words, getattr(k, name), line)
        self.assertEqual((k.get("none", 3), len(k.items())), (3, 7))

    def test_names_in_texts(self):
        """Everything that docstrings and errors mention exists."""
        joined = self.k.join
        for text in (joined.__doc__, joined._inner._make_read, self.k._module.__doc__):
            for name in re.findall(r"new_\w+", text):
                self.assertTrue(callable(getattr(joined, name)))
        image = np.asfortranarray(self.image)
        self.refuses(ValueError, "rgb: data is not C-contiguous", self.k.rgb, image)
        rows = np.zeros((4, 7, 3), np.uint8)[:, :5]
        told = str(self.refuses(ValueError, "takes these rows", self.k.rgb, rows))
        self.assertIn("a kernel of 'u8[4/21,5/3,3] @2 -> r:1 g:1 b:1'", told)
        splitgen.compile(re.search("a kernel of '(.*)' takes", told)[1], **FAST).split(rows)
        joined = self.refuses(ValueError, "takes these rows", splitgen.compile("c: u8[4,5,2] @2 <- /2", **FAST).c,
                              *[np.zeros((4, 7, 1), np.uint8)[:, :5]] * 2)
        self.assertIn("/7/1' in its notation", str(joined))
        self.assertEqual(repr(self.k.rgb), "<rgb: u8[4, 5, 3] axis 2 -> r [4, 5, 1], g [4, 5, 1], b [4, 5, 1]>")
        pcm = splitgen.compile("pcm: i16[n?,2] @1 -> l:1 r:1", **FAST).pcm
        self.assertEqual(repr(pcm), "<pcm: i16[n, 2] axis 1 -> l [n, 1], r [n, 1]>")

    def test_the_package(self):
        with open(SOURCE_DIR + "/include/splitgen/splitgen.h") as file:
            self.assertEqual(re.findall(r'SPLITGEN_VERSION +"(.*)"', file.read()), [splitgen.__version__])
        self.assertFalse(set(splitgen.__all__) & set(dir(builtins)))
        self.assertTrue(all(hasattr(splitgen, name) for name in splitgen.__all__))
        with open(SOURCE_DIR + "/pyproject.toml") as file:
            self.assertRegex(file.read(), r'(?m)^dependencies = \["numpy')

    def test_what_is_no_source(self):
        for source in (b"a: u8[2] -> 1 1", bytearray(b"x"), memoryview(b"x")):
            self.refuses(TypeError, "a source is the notation as text or a path, but this is " + type(source).__name__,
                         splitgen.generate, source)
        self.refuses(TypeError, "rgb: data is a masked array", self.k.rgb, np.ma.array(self.image))

    def test_files_and_open_dims(self):
        with open(SCRATCH + "/qkv.lua", "w") as file:
            file.write('return split { name = "qkv", dtype = "f32", shape = { param("batch", 1), 6 }, axis = 1, parts = 3 }')
        k = splitgen.compile(pathlib.Path(SCRATCH, "qkv.lua"), defines={"batch": 2}, **FAST)
        self.assertEqual(k.qkv.new_whole().shape, (2, 6))
        shutil.copy(SCRATCH + "/qkv.lua", SCRATCH + "/320 n-1.2.lua") # not an identifier in C or Python
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
    CODE = "k = splitgen.compile(%r, isa='portable', cflags=['-O0'])\nprint(k.folder, k.rgb.new_whole().shape)" % RGB

    def cached(self, name, mode=0o700):
        """A new folder for caches, and the output of a process that uses it."""
        base = os.path.join(SCRATCH, name)
        os.makedirs(base)
        os.chmod(base, mode)
        return base

    def test_folders_that_others_can_write(self):
        """Nothing is read from or written to them; one warning says so, at the caller's line."""
        def planted(base, code=self.CODE):
            done = elsewhere(code + "\n" + code, XDG_CACHE_HOME=base)
            self.assertFalse(done.stdout.startswith(SCRATCH), done.stdout)
            self.assertEqual(done.stderr.count("SplitgenWarning"), 1)
            self.assertIn("<string>:2: SplitgenWarning: kernels are built in a temporary folder and not kept: the cache", done.stderr)
            return done.stderr
        base = self.cached("open")
        folder = pathlib.Path(elsewhere(self.CODE, XDG_CACHE_HOME=base).stdout.rpartition(" (")[0])
        self.assertTrue(folder.is_relative_to(base))
        os.chmod(base + "/splitgen", 0o777)
        self.assertIn("other users can write to '%s/splitgen'; chmod go-w" % base, planted(base))
        os.chmod(base + "/splitgen", 0o700)
        os.chmod(base, 0o775)
        self.assertIn("other users can write to '%s'" % base, planted(base))
        os.chmod(base, 0o700)
        self.assertEqual(elsewhere(self.CODE, XDG_CACHE_HOME=base).stdout.rpartition(" (")[0], str(folder))
        home = self.cached("home")
        os.makedirs(home + "/.cache/splitgen")
        os.chmod(home + "/.cache", 0o777)
        done = elsewhere(self.CODE, XDG_CACHE_HOME="", HOME=home)
        self.assertIn("other users can write to '%s/.cache'" % home, done.stderr)
        os.chmod(home + "/.cache", 0o755)
        os.symlink(home + "/.cache", base + "/link")
        done = elsewhere(self.CODE, XDG_CACHE_HOME=base + "/link", HOME=home)
        self.assertTrue(done.stdout.startswith(home + "/.cache/splitgen/"), done.stdout + done.stderr)
        if os.geteuid() == 0:
            os.chown(base + "/splitgen", 65534, -1)
            self.assertIn("'%s/splitgen' belongs to another user" % base, planted(base))
            os.chown(base + "/splitgen", 0, -1)
            os.chown(folder, 65534, -1) # planted while others could write the cache: built again
            self.assertEqual(elsewhere(self.CODE, XDG_CACHE_HOME=base).stdout.rpartition(" (")[0], str(folder))
            self.assertEqual(os.stat(folder).st_uid, 0)

    def test_damage_is_built_again(self):
        base = self.cached("damage")
        first = elsewhere(self.CODE, XDG_CACHE_HOME=base)
        folder = pathlib.Path(first.stdout.rpartition(" (")[0])
        kept = {path.name: path.read_bytes() for path in folder.iterdir()}
        self.assertEqual({*kept}, {"split.c", "split.py", "splitgen_arrays.py", "split.json", "split.svg", LIBRARY,
                                   "SHA256SUMS"})
        def again():
            done = elsewhere(self.CODE, XDG_CACHE_HOME=base)
            self.assertEqual((done.stdout, done.stderr), (first.stdout, ""))
            for name in ("split.c", "split.py", "split.json"):
                self.assertEqual((folder / name).read_bytes(), kept[name])
        both_ways = [name for name in kept if name.endswith((".py", ".json", ".so"))] # one is enough for the others
        for names, is_cut in [*(([name], True) for name in kept), *(([name], False) for name in both_ways), (kept, True), (kept, False)]:
            for name in names:
                (folder / name).unlink()
                if is_cut:
                    (folder / name).write_bytes(kept[name][:-100])
            again()
        shutil.rmtree(folder)
        folder.write_bytes(b"") # a file instead of a folder
        again()
        self.assertFalse([name for name in self.builds(base) if name.startswith(".")])

    def test_native_is_of_a_processor(self):
        from splitgen import compiler
        keys = []
        for text in ("model name: a\ncpu MHz: 1\n\n", "model name: a\ncpu MHz: 2\n\n", "model name: b\n\n"):
            with unittest.mock.patch.object(pathlib.Path, "read_text", lambda path, **how: text):
                keys.append([compiler._key(["x"], (flag,), (CC,)) for flag in ("-march=native", "-O2")])
        self.assertEqual(keys[0], keys[1])
        self.assertNotEqual(keys[0][0], keys[2][0])
        self.assertEqual(keys[0][1], keys[2][1])

    def test_forked_children(self):
        """A child process that ends keeps its parent's builds, and removes its own."""
        code = ("k = splitgen.compile(%r, isa='portable', cflags='-O0', cache=False)\nchild = os.fork()\nif not child:\n"
                "    print(splitgen.compile('a: u8[4] -> b:1 c:3', cflags='-O0', cache=False).folder)\n    sys.exit()\n"
                "os.waitpid(child, 0)\nprint(k.folder, k.folder.exists(), sep='\\n')" % RGB)
        own, kept, exists = elsewhere(code).stdout.splitlines()
        self.assertEqual(exists, "True")
        self.assertFalse(os.path.exists(own) or os.path.exists(kept))

    def nothing_is_left(self, *folders):
        """Eventually: the remover of folders continues for a while."""
        self.until(lambda: not [name for folder in folders if os.path.isdir(folder) for name in os.listdir(folder)])

    def test_signals(self):
        """SIGTERM leaves nothing behind, after a build and while the compiler runs, in temporary folders and in the
        cache."""
        slow, steps = os.path.join(SCRATCH, "slow-cc"), self.cached("steps")
        os.makedirs(steps, exist_ok=True)
        with open(slow, "w") as file: # it compiles after the process was ended
            file.write("#!/bin/sh\n[ \"$1\" = --version ] && exec '%s' \"$@\"\n: >'%s/started'\nuntil [ -e '%s/go' ]; do sleep 0.01; done\n"
                       "'%s' \"$@\"\n: >'%s/ended'\n" % (CC, steps, steps, CC, steps))
        os.chmod(slow, 0o755)
        for number, (cc, cache) in enumerate(((CC, "False"), (slow, "False"), (slow, "True"))):
            base, temporary = self.cached("signal%d" % number), self.cached("temporary%d" % number)
            code = "import splitgen, time\nsplitgen.compile(%r, cc=%r, cflags='-O0', cache=%s)\nprint('built', flush=True)\ntime.sleep(1200)"
            process = subprocess.Popen([sys.executable, "-c", code % (RGB, [cc], cache)], stdout=subprocess.PIPE, text=True,
                                       env=os.environ | {"PYTHONPATH": PACKAGE, "XDG_CACHE_HOME": base, "TMPDIR": temporary})
            if cc == CC:
                self.assertEqual(process.stdout.readline(), "built\n")
            else:
                self.until(lambda: os.path.exists(steps + "/started") or process.poll() is not None)
            process.terminate()
            self.assertEqual(process.wait(), -signal.SIGTERM)
            process.stdout.close()
            if cc == slow:
                open(steps + "/go", "w").close()
                self.until(lambda: os.path.exists(steps + "/ended"))
                for name in "started", "go", "ended":
                    os.remove(f"{steps}/{name}")
            self.nothing_is_left(temporary, base + "/splitgen")

    def test_signal_as_a_folder_is_made(self):
        """SIGTERM right after the folder of a build was created leaves nothing behind either."""
        base = self.cached("made")
        code = "import signal\nmkdir = os.mkdir\ndef last(path, *rest):\n    mkdir(path, *rest)\n    if '.build-' in str(path):\n" \
               "        os.kill(os.getpid(), signal.SIGTERM)\nos.mkdir = last\n" + self.CODE
        done = elsewhere(code, check=False, XDG_CACHE_HOME=base)
        self.assertEqual(done.returncode, -signal.SIGTERM)
        self.nothing_is_left(base + "/splitgen")

    def test_home(self):
        """An empty or relative HOME is ignored: nothing is written to the working folder."""
        work = self.cached("work")
        for home in ("", "relative"):
            code = "os.chdir(%r)\nfrom splitgen import folders\nprint(folders.default_cache())" % work
            self.assertTrue(os.path.isabs(elsewhere(code, XDG_CACHE_HOME="", HOME=home).stdout.strip()))
            code = "import pwd\ndef none(uid): raise KeyError\npwd.getpwuid = none\nos.chdir(%r)\n" % work + self.CODE
            done = elsewhere(code, XDG_CACHE_HOME="cache", HOME=home)
            self.assertIn("there is no cache folder, since HOME is not an absolute path; give cache=", done.stderr)
            self.assertEqual(os.listdir(work), [])
        self.refuses(ValueError, "cache is an empty path: give a folder, or False for none", splitgen.compile, RGB, cache="")

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
        os.remove(folder / LIBRARY) # as a cleaner of old files does
        self.assertEqual(splitgen.compile(RGB, **FAST).folder, folder)
        self.assertTrue((folder / LIBRARY).exists() and (folder / "split.c").exists())
        self.assertNotEqual(splitgen.compile(RGB, isa="portable", cflags=["-O0"], unroll="none", prefix="x_").folder, folder)

    def test_another_compiler_is_another_build(self):
        other = os.path.join(SCRATCH, "other-cc")
        with open(other, "w") as file:
            file.write('#!/bin/sh\n[ "$1" = --version ] && echo "other 1"\nexec \'%s\' "$@"\n' % CC)
        os.chmod(other, 0o755)
        self.assertNotEqual(splitgen.compile(RGB, cc=[other], **FAST).folder, splitgen.compile(RGB, **FAST).folder)

    def test_processes_at_once(self):
        """Four processes build the same into an empty cache; one build remains, and no leftovers."""
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
        """Builds go to a temporary folder, which is removed afterwards. A file in place of the cache stops root as
        well."""
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
        for cc in ("", [], " "):
            self.refuses(splitgen.CompilerError, "cc is empty (%r): give the command" % (cc,), splitgen.compile, RGB, cc=cc)
        self.refuses(splitgen.CompilerError, "cc is not split into words: no closing quotation", splitgen.compile, RGB, cc="cc 'x")
        self.refuses(splitgen.CompilerError, "cflags is not split into words: no closing", splitgen.compile, RGB, cflags='-DX="')
        self.assertEqual(splitgen.compile(RGB, cc="env " + CC, cflags="-O0 '-DX=a b'").folder,
                         splitgen.compile(RGB, cc=["env", CC], cflags=["-O0", "-DX=a b"]).folder)
        error = self.refuses(splitgen.CompilerError, " failed with cflags='-O1 --no-such-flag' (exit status ", splitgen.compile, RGB,
                             cflags="-O1 --no-such-flag")
        self.assertNotIn("-shared", str(error))
        self.assertIn("--no-such-flag", error.command)

    def test_compilers_that_make_nothing_usable(self):
        """A compiler that succeeds without a file, or with one that is damaged, is a CompilerError. Nothing is kept."""
        base = self.cached("unusable")
        script = os.path.join(SCRATCH, "unusable-cc")
        find = "for a; do test \"$last\" = -o && out=$a; last=$a; done\n"
        library = "case $out in *.o) exec '%s' \"$@\" ;; esac\n" % CC
        for text, words in (("", "did not write"), (library, "did not write " + LIBRARY),
                            (": >\"$out\"\n", LIBRARY + " cannot be used: "), (library + ": >\"$out\"\n", "cannot be used: "),
                            (library + "echo junk >\"$out\"\n", "cannot be used: "),
                            ("echo 'int x;' >in.c; exec '%s' -shared -fPIC in.c -o \"$out\"\n" % CC, "has no splitgen_run")):
            with open(script, "w") as file:
                file.write("#!/bin/sh\ncase $1 in --version) echo cc; exit ;; esac\ncd '%s'\n" % SCRATCH + find + text)
            os.chmod(script, 0o755)
            for _ in range(2):
                error = self.refuses(splitgen.CompilerError, words, splitgen.compile, RGB, cc=[script], cache=base)
                self.assertEqual((error.command[0], "-o" in error.command), (script, True))
                self.assertIn("it was run as: %s -O2 " % shlex.quote(script), str(error))
                self.assertEqual(os.listdir(base), [])


class Generate(Case):
    def test_files(self):
        files = splitgen.generate(RGB, emit=["c", "h"], prefix="my_")
        self.assertEqual([*files], ["split.c", "split.h"])
        self.assertIn("void my_rgb(", files["split.h"])
        self.assertEqual([*splitgen.generate(RGB)], ["split.c"])
        self.assertEqual([*splitgen.generate(RGB, emit=["py"])], ["split.py", "splitgen_arrays.py"])
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
        """Every option that affects kernels is a keyword, and the type hints have all of them."""
        arguments = options.arguments("f", {
            "defines": {"a": 1, "b": True}, "open": ["n", "m=2"], "shapes": {"x": ["f32", 1, 2]}, "isa": ["avx2", "neon"],
            "fuse": True, "only_read": False, "includes": [pathlib.Path("p")], "max_memory": 9, "except_": "z", "nt": None})
        self.assertEqual(arguments, ("-D", "a=1", "-D", "b=true", "--open=n", "--open=m=2", "--shape=x=f32,1,2", "--isa=avx2,neon",
                                     "--fuse", "-I", "p", "--max-memory=9", "--except=z"))
        self.assertEqual(options.arguments("f", {"open": True}), ("--open",))
        self.assertEqual(options.arguments("f", {"skip": "unread", "skip_unresolved": True, "free": {"n": 2}}),
                         ("--skip=unread", "--skip-unresolved", "--free=n=2"))
        self.refuses(TypeError, "generate() has no option 'unrol'; did you mean 'unroll'?", splitgen.generate, RGB, unrol=1)
        self.refuses(TypeError, "list() has no option 'defins'; did you mean 'defines'?", splitgen.list, RGB, defins={})
        self.refuses(TypeError, "compile() has no option 'emit'", splitgen.compile, RGB, emit="c")
        self.refuses(TypeError, "'isa' takes a value: LIST", splitgen.generate, RGB, isa=True)
        self.refuses(TypeError, "'fuse' is True or False, not 1", splitgen.generate, RGB, fuse=1)
        self.refuses(TypeError, "a source is the notation or a path, not a int", splitgen.generate, 3)
        with open(SOURCE_DIR + "/generator/python/options.py") as file:
            hints = file.read().partition("class Options")[2].partition("\n# Options that")[0]
        table = options.table()
        for name, words in re.findall(r"(\w+): Literal\[(.*)\]", hints):
            self.assertEqual([*json.loads("[%s]" % words)], table[name]["choices"], name)
        choosing = {name for name, info in table.items() if info["choices"] and not info["list"]} - {"tune"} # names of processors
        self.assertEqual(choosing, {name for name, _ in re.findall(r"(\w+): (Literal)", hints)})
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
        self.assertEqual((error.exit_code, error.file, error.excerpt, error.column), (2, "<arguments>", "isa=avx3", 5))
        error = self.refuses(splitgen.BudgetError, "straight line", splitgen.generate, "u8[1080,1920,3] @2 -> /3", unroll="full")
        self.assertEqual(error.exit_code, 5)
        for kind in (splitgen.InputError, splitgen.OptionError, splitgen.FileError, splitgen.BudgetError, splitgen.InternalError):
            self.assertTrue(issubclass(kind, splitgen.SplitgenError))

    def test_keywords_in_messages(self):
        """Messages name keyword arguments, not commands that were never typed."""
        model = SOURCE_DIR + "/examples/model/detector.onnxtxt"
        for words, excerpt, call, source, named in (
                ("as 'max_memory' needs", "max_memory=x", splitgen.generate, RGB, {"max_memory": "x"}),
                ("'neom' is not a value of 'isa'", "isa=avx2,neom", splitgen.compile, RGB, {"isa": ["avx2", "neom"]}),
                ("no op is called 'z'", "except_=z", splitgen.list, RGB, {"except_": "z"}),
                ("as 'export_macro' needs", "export_macro=9 9", splitgen.generate, RGB, {"export_macro": "9 9"}),
                ("as 'prefix' needs", "prefix=9", splitgen.compile, RGB, {"prefix": "9"}),
                ("'cc' is not a value of 'emit'", "emit=cc", splitgen.generate, RGB, {"emit": "cc"}),
                ("ops=split,slice,concat would generate", model, splitgen.list, model, {"ops": "slice", "open": True}),
                ("splitgen.compile(%r, open=True)" % model, None, splitgen.compile, model, {}),
                ("except_=['/model.2/Split', '/model.22/Split']", None, splitgen.compile, model, {}),
                ("give define={'batch': VALUE, 'height': VALUE, 'width': VALUE}", None, splitgen.list, model, {})):
            error = self.refuses(splitgen.SplitgenError, words, call, source, **named)
            said = str(error).replace(model, "MODEL") # which may be in the temporary folder itself
            self.assertNotRegex(said, r"--\w|diagnostics|%s" % tempfile.gettempdir())
            if excerpt:
                self.assertEqual(error.excerpt, excerpt)

    def test_warnings(self):
        spec = SCRATCH + "/param.lua"
        with open(spec, "w") as file:
            file.write("return split { dtype = 'u8', shape = { param('batch', 1), 4 }, axis = 1, parts = 2 }\n")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            splitgen.generate(spec, defines={"bacth": 1})
        self.assertEqual([(w.category, w.filename) for w in caught], [(splitgen.SplitgenWarning, __file__)])
        self.assertIn("no input has a parameter or dim 'bacth'", str(caught[0].message))
        self.refuses(splitgen.SplitgenError, "no input has a parameter or dim 'bacth'", splitgen.generate, spec, defines={"bacth": 1}, werror=True)


def outcome(call, *given, **named):
    """The result as a list of arrays, or the class and the text of the exception."""
    try:
        done = call(*given, **named)
    except Exception as error:
        return type(error), str(error)
    return done if isinstance(done, list) else [done]


class LikeNumPy(Case):
    """split() and concatenate() give what NumPy's functions give, but copies; the second call uses the kernel."""

    def same(self, own, theirs, *given, **named):
        wanted = outcome(theirs, *given, **named)
        for _ in range(2):
            got = outcome(own, *given, **named)
            if isinstance(wanted, tuple):
                self.assertEqual(got, wanted)
                continue
            self.assertEqual([(a.dtype, a.shape) for a in got], [(a.dtype, a.shape) for a in wanted])
            for one, other in zip(got, wanted):
                np.testing.assert_array_equal(one, other)
                self.assertFalse(np.shares_memory(one, other))

    def test_split(self):
        x = np.arange(4 * 6 * 10, dtype=np.float32).reshape(4, 6, 10)
        for array, places, axis in ((x, 3, 1), (x, [2, 5], -1), (x[:, :4], [1, 3], 1), (x[1:3, :, :8], 2, 2), (x, [5, 2], 1),
                                    (x[:, ::2], 3, 1), (x.T, 2, 0), (x, [3, 100], 0), (x, np.array([1, 3]), 0), (x, [-1], 1),
                                    (x.astype(">i4"), 2, 0), (x.astype("M8[s]"), 2, 2), (x.astype(object), 2, 0),
                                    (x, 4, 1), (x, 0, 1), (x, 2, 3), (x, 2.5, 0), (x, "ab", 0), ([1, 2, 3], [1], 0)):
            self.same(splitgen.split, np.split, array, places, axis)

    def test_concatenate(self):
        x = np.arange(4 * 6, dtype=np.int16).reshape(4, 6)
        for arrays, axis in (((x, x), 0), ([x[:, :2], x[:, 2:]], 1), ((x, x), -1), ((x, x), None), ((x, x), 2), ((), 0),
                             ((x, x.astype(float)), 1), ((x.T, x.T), 1), ((x, x[:2]), 1), (([1, 2], [3]), 0)):
            self.same(splitgen.concatenate, np.concatenate, arrays, axis)
        out = np.zeros((8, 6), np.int16)
        for _ in range(2):
            self.assertIs(splitgen.concatenate((x, x), out=out), out)
            np.testing.assert_array_equal(out[4:], x)
        self.same(splitgen.concatenate, np.concatenate, (x, x), 0, dtype=np.int8)

    def test_types_of_ml_dtypes(self):
        """Types with a byte for each element are moved as bytes; kernels of packed elements pack and unpack them."""
        try:
            import ml_dtypes
        except ImportError:
            self.skipTest("no ml_dtypes")
        x = (np.arange(24, dtype=np.uint8).reshape(4, 6) & 15).view(ml_dtypes.int4)
        for array in x, x.astype(ml_dtypes.bfloat16), x.astype(ml_dtypes.float8_e5m2):
            self.same(splitgen.split, np.split, array, 3, 1)
            self.same(splitgen.concatenate, np.concatenate, (array, array), 1)
        kernel = splitgen.compile("s: i4[4,6] @1 -> a:1 b:5", **FAST).s
        np.testing.assert_array_equal(kernel(x).b, x[:, 1:])

    def test_what_a_kernel_remembers_is_checked_again(self):
        """A known layout does not hide a read-only output, another type or another shape."""
        kernel = splitgen.compile("s: u8[4,6] @1 -> a:2 b:4", **FAST).s
        x, out = np.arange(24, dtype=np.uint8).reshape(4, 6), kernel.new_parts()
        for _ in range(2):
            kernel(x, out=out)
            np.testing.assert_array_equal(np.concatenate(out, 1), x)
            np.testing.assert_array_equal(np.concatenate(kernel(x), 1), x)
        self.refuses(ValueError, "C-contiguous", kernel, np.asfortranarray(x))
        self.refuses(TypeError, "dtype", kernel, x.astype(np.uint16), out=out)
        self.refuses(ValueError, "shape", kernel, x, out=out[::-1])
        out.b.flags.writeable = False
        self.refuses(ValueError, "b is read-only", kernel, x, out=out)


class Commands(Case):
    def run_module(self, *arguments, **environment):
        return subprocess.run([sys.executable, "-m", "splitgen", *arguments], text=True, capture_output=True, cwd=SCRATCH,
                              env=os.environ | {"PYTHONPATH": PACKAGE} | environment)

    def test_the_program(self):
        self.assertEqual(self.run_module("--list", "-e", RGB).returncode, 0)
        self.assertEqual(self.run_module("none.lua").returncode, 3)

    def test_list_and_generate(self):
        """The commands run the program with options, and accept the notation without -e."""
        direct = subprocess.run([SPLITGEN, "--list", "-e", RGB], text=True, capture_output=True, check=True)
        self.assertEqual(self.run_module("list", RGB).stdout, direct.stdout)
        direct = subprocess.run([SPLITGEN, "--isa=portable", "-e", RGB], text=True, capture_output=True, check=True)
        self.assertEqual(self.run_module("generate", "--isa=portable", RGB).stdout, direct.stdout)
        done = self.run_module("compile", "none.lua")
        self.assertEqual(done.returncode, 2)
        self.assertIn("write 'python -m splitgen generate FILE' for C", done.stderr)

    def test_help_lists_the_commands(self):
        done = self.run_module("--help")
        for command in ("generate", "list", "verify", "bench", "place"):
            self.assertRegex(done.stdout, r"(?m)^  %s +\w" % command)
        self.assertIn("--optimize", done.stdout)
        done = self.run_module("verfy", "x.onnx")
        self.assertEqual((done.returncode, done.stderr), (2, "splitgen: error: there is no command 'verfy'; did you mean 'verify'?\n"))

    def test_bench(self):
        """With NumPy alone: a line for every placement of buffers, and a picture that is valid XML."""
        done = self.run_module("bench", "--seconds=1", "--picture=b.svg", RGB + "; p: u4[4,6] @1 -> a:4 b:2; j: f32[64,8] @1 <- a:4 b:4",
                               "--isa=portable")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for kernel in ("rgb", "p", "j"):
            for place in ("aligned", "malloc"):
                self.assertRegex(done.stdout, r"(?m)^%s +%s +\d+ +[\d.]+ +[\d.]+ " % (kernel, place))
        from xml.dom import minidom
        bars = minidom.parse(SCRATCH + "/b.svg").getElementsByTagName("rect")
        self.assertGreaterEqual(len(bars), 1 + 2 + 10) # background, legend, five for each place
        self.assertEqual(self.run_module("bench", "a: f32[2] -> 1 2").returncode, 1)
        self.assertEqual(self.run_module("bench").returncode, 2)
        self.assertEqual(self.run_module("bench", "--help").returncode, 0)

    def test_warnings_and_commands_to_try(self):
        """Messages are the tool's, without Python tracebacks and without options that the package adds."""
        with open(SCRATCH + "/n.onnxtxt", "w") as file:
            file.write('<ir_version: 10, opset_import: ["" : 18]>\nnet (float[4, N] x, float[4, 6] y) => (a, b, c, d)\n'
                       "{\n  a, b = Split <axis = 1, num_outputs = 2> (x)\n  c, d = Split <axis = 1, num_outputs = 2> (y)\n}\n")
        done = self.run_module("bench", "--seconds=1", "--skip-unresolved", "--isa=portable", "n.onnxtxt")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stderr.startswith("n.onnxtxt:4:"), done.stderr)
        self.assertIn("try: splitgen --skip-unresolved --isa=portable -D N=VALUE n.onnxtxt\n", done.stderr)

    def test_place(self):
        model = """<ir_version: 10, opset_import: ["" : 18]>
        net (float[2,8,4] i) => (o) <int64[2] s = {4,4}> {
          x = Abs (i)
          a, b = Split <axis = 1> (x, s)
          c = Relu (b)
          y = Concat <axis = 1> (a, b, c)
          o = Abs (y)
        }"""
        pathlib.Path(SCRATCH, "net.onnxtxt").write_text(model)
        done = self.run_module("place", "net.onnxtxt", "--strided=Abs,Relu", "--strided-read=Relu,Abs")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        head, row, says = done.stdout.splitlines()
        self.assertEqual(row.split(), ["net.onnxtxt", "640", "640", "0", "640", "768", "768", "384", "384", "512", "512"])
        self.assertEqual(head.split()[0], "graph")
        self.assertEqual(says, "bytes; strided: written by Abs, Relu; in place: Abs, Relu")
        blank = self.run_module("place", "--strided", "Abs,Relu", "--strided-read", "Relu,Abs", "net.onnxtxt")
        self.assertEqual((blank.stdout, blank.stderr), (done.stdout, ""))
        for wrong, says in [(["net.onnxtxt", "--strided"], "'--strided' takes operators"), (["-o", "f", "net.onnxtxt"], "leave out '-o'"),
                            (["--emit=c", "net.onnxtxt"], "leave out '--emit'"), (["--fuse", "net.onnxtxt"], "leave out '--fuse'")]:
            done = self.run_module("place", *wrong)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(says, done.stderr)
            self.assertNotIn("--emit=placement", done.stderr)
        # Only Relu is in the given list.
        row = self.run_module("place", "net.onnxtxt").stdout.splitlines()[1]
        self.assertEqual(row.split()[1:4], ["640", "640", "512"])
        self.assertEqual(self.run_module("place", "none.onnx").returncode, 3)
        self.assertEqual(self.run_module("place").returncode, 2)
        files = splitgen.generate(os.path.join(SCRATCH, "net.onnxtxt"), emit=["placement", "placement-header"], strided="Abs,Relu",
                                  strided_read=["Abs", "Relu"])
        self.assertEqual([*files], ["net_placement.h", "net_placement.json"])
        self.assertEqual(json.loads(files["net_placement.json"])["graphs"][0]["bytes_copied"], 0)

    def test_escapes_names(self):
        """Neither the commands nor texts of errors have control characters of names."""
        from splitgen.progress import visible
        self.assertEqual(visible("a\x1b\x7f\x9b\u202e\u2066\udc9b\tb\n"), "a\\x1b\\x7f\\u{009b}\\u{202e}\\u{2066}\\x9b\tb\n")
        evil = "n\x9b\u202e.onnxtxt"
        pathlib.Path(SCRATCH, evil).write_text('<ir_version: 10, opset_import: ["" : 18]> g (float[4] x) => (y) { y = Abs (x) }')
        done = self.run_module("place", evil)
        self.assertEqual((done.returncode, done.stdout.splitlines()[1].split()[0]), (0, "n\\u{009b}\\u{202e}.onnxtxt"))
        self.assertIn("'none\\x1b\\u{202e}'", self.run_module("place", "none\x1b\u202e").stderr)
        with self.assertRaises(splitgen.FileError) as caught:
            splitgen.generate("none\x1b\u202e")
        self.assertIn("'none\\x1b\\u{202e}'", str(caught.exception))

    def test_verify_says_what_it_needs(self):
        hidden = "import sys, importlib.util\nfind = importlib.util.find_spec\n" \
                 "importlib.util.find_spec = lambda n: None if n.startswith('onnx') else find(n)\n" \
                 "from splitgen import verify\nsys.exit(verify.main(sys.argv[1:] or ['m.onnx']))"
        done = elsewhere(hidden, check=False)
        self.assertEqual((done.returncode, done.stderr), (2, "splitgen verify needs onnx, onnxruntime: pip install 'splitgen[verify]'\n"))
