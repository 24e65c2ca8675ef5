"""The kernels of all examples on boards without an operating system, which qemu emulates: compiled without a warning,
tested by their own self-tests."""
import re
import shutil

import pytest
from kernels import Kernels, selftest_memory, spoil
from testing import SOURCE

# The processor, qemu's name of an MPS2 with 4 MiB for code at 0 and 16 MiB at 0x21000000, flags, options.
BOARDS = {"cortex_m3": ("cortex-m3", "mps2-an385", "-Os", "--isa=portable"),
          "cortex_m4": ("cortex-m4", "mps2-an386", "-O2", "")}
# The C library that talks to the emulator.
LIBRARY = "--specs=picolibc.specs"
LINK = ("--crt0=semihost --oslib=semihost -Wl,--defsym=__flash=0,--defsym=__flash_size=0x400000 "
        "-Wl,--defsym=__ram=0x21000000 -Wl,--defsym=__ram_size=").split()
EXAMPLES = {  # with sizes for a board
    "planes": "planes/planes.lua -D width=120 -D height=16", "qkv": "qkv/qkv.lua", "detect": "detect/detect.lua",
    "model": "model/detector.onnxtxt --shape images=1,3,32,64", "cell": "model/cell.onnxtxt",
    "c2f": "c2f/c2f.onnxtxt --ops=all --fuse --shape block=2,64,8,8", "net": "emx/net.onnxtxt",
    "forms": "shapes/forms.lua", "onnx": "shapes/onnx.lua", "openvino": "shapes/openvino.lua",
    "placement": "placement/block.onnxtxt --ops=all -D images=1",
    "threads": "threads/splits.lua -D tokens=16 -D height=2 -D weights=16384"}


class Board:
    def __init__(self, work, cpu, board, flags, options):
        self.work, self.board = work, board
        self.kernels = Kernels(work, "arm-none-eabi-gcc", machine=f"-mcpu={cpu} -mthumb", flags=flags, options=options)
        work.write("probe.c", '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n')
        tools = shutil.which(self.kernels.cc) and shutil.which("qemu-system-arm")
        if not tools or self.link("probe", 0x1000000, "probe.c", exit=None).code:
            pytest.skip("sudo apt-get install gcc-arm-none-eabi picolibc-arm-none-eabi qemu-system-arm")
        self.kernels.flags.append("-ffreestanding")  # the runtime can be compiled without a C library
        self.runtime = self.kernels.runtime()
        self.kernels.flags[-1] = LIBRARY

    def link(self, program, ram, *objects, **more):
        return self.work.run([self.kernels.cc, *self.kernels.flags, LIBRARY, *LINK[:-1], f"{LINK[-1]}{ram:#x}", *objects,
                              "-o", program], **more)

    def run(self, stem, ram, *objects, **expected):
        """Runs a self-test in so many bytes of RAM."""
        parts = [self.kernels.kernels(f"{stem}{part}.c") for part in ("", "_test")]
        self.link(stem, ram, *parts, *self.runtime, *objects)
        return self.work.run(["qemu-system-arm", "-M", self.board, "-nographic", "-monitor", "none", "-serial", "none",
                              "-semihosting-config", "enable=on,target=native", "-kernel", stem], **expected)

    def firmware(self, stem, exit):
        """Runs the self-test as a function, on a board with 64 KiB; it prints nothing."""
        self.kernels.flags.append("-DSPLITGEN_SELFTEST_FUNCTION")
        memory = selftest_memory(self.work, f"{stem}_test.c")
        main = self.kernels.object(SOURCE / "tests/support/selftest_main.c", "-std=c99", *self.kernels.flags,
                                   f"-DSELFTEST={stem}_selftest", f"-DMEMORY={memory}")
        self.run(stem, 0x10000, main, exit=exit, out="", err="")


@pytest.mark.parametrize("name", BOARDS)
def test_board(work, name):
    board = Board(work, *BOARDS[name])
    assert len(list(SOURCE.glob("examples/*/CMakeLists.txt"))) == 9  # the folders of EXAMPLES
    for stem, arguments in EXAMPLES.items():
        file, *options = arguments.split()
        work.splitgen([*board.kernels.options, "--emit=c,h,test", "-o", f"{stem}.c", *options, SOURCE / "examples" / file])
        # A kernel for any number of items prints it several times.
        passed = set(re.findall("ok [^:\n]+:", board.run(stem, 0x1000000).out))
        kernels = re.findall("^SPLITGEN_EXTERN const splitgen_kernel ", work.read(f"{stem}.c"), re.M)
        assert len(passed) == len(kernels) > 0, stem
    # Tensors that leave no room for another copy of them.
    work.splitgen([*board.kernels.options, "--emit=c,h,test", "-o", "fits.c",
                   "-e", "prefill: f32[17,408] @1 -> q:192 k:192 v:24", "-e", "decode: f32[1,408] @1 -> q:192 k:192 v:24"])
    board.firmware("fits", 0)
    # The self-test finds a wrong offset on the board too.
    work.splitgen(["--isa=portable", "--emit=c,h,test", "-o", "early.c", "-e", "early: u8[1,8] @1 -> 3 5"])
    spoil(work, "early.c", "data + 3", "data + 2")
    board.firmware("early", 1)
