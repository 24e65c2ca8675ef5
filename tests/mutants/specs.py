"""The kernels that are broken: every class of kernel and every kind of function version, small enough for quick
tests."""
import threading

# Name, op, options. A file has one kernel, so that a mutant compiles quickly.
NOTATION = [
    ("planes", "u8[275,3] @1 -> 1 1 1", ["avx512", "avx2", "neon", "wasm", "portable"], []),
    ("planes_past", "u8[275,3] @1 -> 1 1 1", ["avx512", "avx2"], ["--non-temporal=always"]),
    ("feeds", "u64[1800,3] @1 -> 1 1 1", ["avx512"], []),
    ("pairs", "f16[139,2] @1 -> 1 1", ["avx512", "avx2", "neon", "wasm"], []),
    ("columns", "f32[37,5] @1 -> 3 1 1", ["avx512", "avx2", "neon", "wasm", "portable"], []),
    ("runs", "u8[3,768] @1 -> 255 256 257", ["avx512", "avx2", "portable"], []),
    ("runs_past", "u8[3,768] @1 -> 192 256 320", ["avx512", "avx2"], ["--non-temporal=always"]),
    ("wide", "f32[3,250] @1 -> 99 151", ["avx512", "avx2", "neon"], []),
    ("one", "u8[900] @0 -> 1 299 600", ["portable"], []),
    ("beside", "f32[19,85] @1 -> 2 2 1 80", ["avx512", "avx2"], []),
    ("beside_past", "f32[19,85] @1 -> 2 2 1 80", ["avx512", "avx2"], ["--non-temporal=always"]),
    ("strips", "u8[67,40] @1 -> /40", ["avx512", "avx2", "neon", "wasm", "portable"], []),
    ("strips_past", "f32[35,64] @1 -> /64", ["avx512", "avx2"], ["--non-temporal=always"]),
    ("groups", "u8[2,1650] @1 -> /33", ["avx512", "avx2"], []),
    ("turns", "u8[27,320] @1 -> 64 256", ["avx512", "avx2"], ["--non-temporal=always"]),
    ("many_past", "f32[27,288] @1 -> /9", ["avx512", "avx2"], ["--non-temporal=always"]),
    ("nibbles", "i4[149,7] @1 -> 1 4 2", ["avx512", "avx2", "neon", "portable"], []),
    ("whole_nibbles", "u4[9,70] @1 -> 30 40", ["avx2", "portable"], []),
    ("open", "u8[n=70?,3] @1 -> 1 1 1", ["avx512", "avx2", "neon", "portable"], []),
    ("open_bits", "u3[n=40?,24] @1 -> 8 16", ["avx2", "portable"], []),
    ("joined", "u8[275,3] @1 <- 1 1 1", ["avx512", "avx2", "neon", "portable"], []),
    ("joined_apart", "f32[37,5]/7 @1 <- 3/4 1 1", ["avx2", "portable"], []),
    ("joined_nibbles", "i4[149,7] @1 <- 1 4 2", ["avx2", "portable"], []),
]
TUNED = [
    ("planes", "u8[275,3] @1 -> 1 1 1"),
    ("columns", "f32[37,5] @1 -> 3 1 1"),
    ("open", "f32[n=40?,5] @1 -> 3 1 1"),
    ("strips", "u8[67,40] @1 -> /40"),
    ("many", "f32[27,288] @1 -> /9"),
]
MSB = """return split {
  name = "msb", dtype = "u1", packing = "msb", shape = { 77, 20 }, axis = 1, lengths = { 7, 12, 1 },
}
"""


class Spec:
    def __init__(self, name, op, options, isa):
        self.name, self.op, self.options, self.isa = name, op, options, isa
        self.arguments = [*op, *options]
        self.lock, self.is_compiled = threading.Lock(), False # its self-test


def together(made):
    """Groups of specs that one command can print: [(its arguments, the specs)]."""
    found = {}
    for spec in made:
        found.setdefault(tuple(spec.options), []).append(spec)
    return [([word for spec in some for word in spec.op] + list(options), some) for options, some in found.items()]


def specs():
    """Each for its instruction set; a few for all sets, because of their dispatch tables."""
    made = []
    for name, op, isas, options in NOTATION:
        for isa in isas:
            stem = f"{name}_{isa}"
            unroll = "auto" if isa == "portable" else "none" # less to compile beside the tested version
            made.append(Spec(stem, ["-e", f"{stem}: {op}"], [f"--isa={isa}", f"--unroll={unroll}", *options], isa))
    for isa in ("avx512", "avx2", "neon", "portable"):
        made.append(Spec(f"msb_{isa}", ["msb.lua"], [f"--isa={isa}"], isa))
    for machine in ("generic", "zen5", "goldencove", "zen4"):
        for name, op in TUNED:
            stem = f"{name}_{machine}"
            made.append(Spec(stem, ["-e", f"{stem}: {op}"], [f"--tune={machine}", "--isa=avx512,avx2", "--unroll=none",
                             "--non-temporal=always" if machine == "zen5" else "--non-temporal=auto"], "x86"))
    return made
