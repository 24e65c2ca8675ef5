"""The splits and concats that are measured, and in which sizes; suite.lua describes each."""

from dataclasses import dataclass, replace
from math import prod

REGIMES = {
    "l1": "rows chosen so that whole and parts stay in the first-level cache",
    "l2": "the same in the second-level cache",
    "llc": "the same in the last-level cache",
    "dram": "buffer sets used in turn, together at least 8 times the last-level cache",
    "natural": "the shape as it is, the same buffers again and again",
    "pipeline": "natural shape: a producer writes what the kernel reads, the kernel runs, a "
                "consumer sums what it wrote; timed together",
}


@dataclass(frozen=True)
class Case:
    number: str
    name: str
    source: str
    placement: str = "aligned"  # of the buffers: aligned, congruent, odd or malloc
    slow: bool = False          # gigabytes: fewer competitors, natural size only
    notation: str = None        # the op if it is not in suite.lua, with {rows} to fill in
    rows: int = 0               # for its natural size
    joins: bool = False         # a concat: the parts are read and the full tensor is written

    def mirrored(self):
        """The concat that reverses this split."""
        return replace(self, joins=True,
                       notation=self.notation and self.notation.replace("->", "<-"))


def _real():
    rows = """
 1  gpt2_qkv_decode     GPT-2 c_attn
 2  gpt2_qkv_prefill    GPT-2 c_attn
 3  vitb16_qkv_b8       ViT-B/16
 4  llama3_qkv          Llama-3-8B, fused
 5  llama3_gate_up      SwiGLU
 6  phi3_gate_up_decode Phi-3-mini
 7  qkv_bs3hd           packed [B,S,3,H,D]
 8  rope_halves_prefill rotate_half
 9  rope_halves_decode  rotate_half
10  mla_q               DeepSeek-V3 nope, rope
11  mla_kv_a            DeepSeek-V2 and V3
12  qwen_decode_4       onnxruntime#32706
13  qwen_tail           onnxruntime#32706
14  mamba_in_proj       Mamba-130m
15  mamba_x_proj        Mamba-130m dt, B, C
16  mamba2_zxbcdt       Mamba2-130m z, xBC, dt
17  mamba2_xbc          Mamba2-130m
18  lstm_gates          LSTM, 256 hidden
19  lstm_gates_tiny     keyword spotting
20  conformer_glu       Conformer
21  yolov5_head         YOLOv5 export
22  yolo_head_4         YOLOv3 and v4 decode
23  yolov8_head         YOLOv8 boxes, classes
24  yolov8_c2f_b8       YOLOv8n C2f
25  yolo_i8_nhwc        int8 TFLite YOLO
26  shufflenet_nhwc     ShuffleNetV2
27  rgb_1080p           image planes
28  rgb_224             classifier input
29a rgba_512            image planes
29b nv12_uv             video
30a stft_reim           audio
30b pcm16               audio, stereo
31  boxes               NMS, DETR
32  lidar               nuScenes points
33  ov_24288            openvino#24288
34a dlrm                DLRM
34b unstack             feature unstack
35  fsdp_llama3         FSDP all-gather
36a int4_qkv_weight     fused int4 weight
36b int4_qkv_bytes      the same as bytes
37  shape_tensor        ONNX shape subgraphs
"""
    for row in rows.strip().splitlines():
        number, name, source = row.split(None, 2)
        yield Case(number, name, source)


_ADVERSARIAL = [
    ("adv_u8_7", "1, 2 and 4 bytes", "aligned", False),
    ("adv_u16_13", "5, 1 and 7 words", "aligned", False),
    ("adv_congruent_4", "4 parts at equal page offsets", "congruent", False),
    ("adv_congruent_16", "16 parts at equal page offsets", "congruent", False),
    ("adv_63_65", "one byte beside a line", "aligned", False),
    ("adv_odd_pointers", "every pointer one byte off", "odd", False),
    ("adv_257_columns", "257 parts of one byte", "aligned", False),
    ("adv_zero_lengths", "one part and five empty ones", "aligned", False),
    ("adv_one_part", "a single part", "aligned", False),
    ("adv_one_byte", "one byte", "aligned", False),
    ("adv_one_element", "one element", "aligned", False),
    ("adv_c128", "elements of 16 bytes", "aligned", False),
    ("adv_u4_drift", "4-bit rows of 12 bits", "aligned", False),
    ("adv_u2", "2-bit elements", "aligned", False),
    ("adv_u1", "1-bit elements", "aligned", False),
    ("adv_row_2g", "a row of more than 2^31 bytes", "aligned", True),
    ("adv_500_columns", "500 parts, a million rows", "aligned", True),
    ("adv_1_1000000", "lengths 1 and 1000000", "aligned", False),
]

CASES = list(_real()) + [Case(f"A{i}", *row) for i, row in enumerate(_ADVERSARIAL, 1)]


class Op:
    """A split or a concat as the tool resolved it (one entry of kernels[] in its JSON): the full tensor as rows, in
    which every part has a column.

    joins is the direction: a concat reads the parts and writes the full tensor. Shape and bytes are those of the
    full tensor. Offsets and widths are bytes, lengths are along the axis. If rows or columns of packed elements
    (bits > 0) are not whole bytes, in_bytes is False and row_bytes, widths and offsets are zeros. Packed elements in
    whole bytes are treated as a matrix of bytes."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.joins = kernel["op"] == "concat"
        self.direction = "join" if self.joins else "split"  # the name in the functions of native/
        whole = kernel["output" if self.joins else "input"]
        parts = kernel["inputs" if self.joins else "outputs"]
        self.name = kernel["name"]
        self.dtype = kernel["dtype"]
        self.shape = whole["shape"]
        self.bytes = whole["bytes"]
        self.axis = kernel["axis"]
        self.align = kernel["align"]
        self.lengths = [part["length"] for part in parts]
        self.views = [part["view"] for part in parts]
        self.rows = prod(self.shape[:self.axis])
        element_bits = kernel["element_bits"]
        self.packing = kernel["packing"]  # lsb, msb or planes; None: elements of whole bytes
        self.bits = element_bits if self.packing else 0
        inner = prod(self.shape[self.axis + 1:])
        row_elements = self.shape[self.axis] * inner
        self.row_bits = row_elements * element_bits
        self.columns = [length * inner for length in self.lengths]  # elements
        bits = [elements * element_bits for elements in self.columns]
        self.part_bytes = [-(-self.rows * b // 8) for b in bits]
        self.in_bytes = all(b % 8 == 0 for b in [self.row_bits, *bits])
        self.row_bytes = self.row_bits // 8 if self.in_bytes else 0
        self.widths = [b // 8 if self.in_bytes else 0 for b in bits]
        self.offsets = [sum(self.widths[:i]) for i in range(len(self.widths))]
        self.element_bytes = element_bits // 8 or 1
        if self.bits and self.in_bytes:
            self.shape, self.axis, self.lengths = [self.rows, self.row_bytes], 1, self.widths

    def known_packing(self):
        """Whether the loop over packed elements, which checks the others, supports them."""
        return 8 % self.bits == 0 and self.packing in ("lsb", "msb")

    def read_and_written(self, whole, parts):
        """The two in the order in which they are used."""
        return (parts, whole) if self.joins else (whole, parts)

    def part_shape(self, index):
        return [*self.shape[:self.axis], self.lengths[index], *self.shape[self.axis + 1:]]

    def equal_columns(self):
        """Bytes of each column if all are equally wide, else 0."""
        width = self.widths[0]
        same = all(w == width for w in self.widths)
        return width if same and width in (1, 2, 4, 8) and len(self.widths) > 1 else 0

    def prediction(self, isas, uarch="generic"):
        """The planner's prediction for the function version that runs with these instruction sets: the bytes of the
        full tensor per cycle that its busiest port allows with all data in L1, including rows after the last whole
        iteration, and the port. It uses the costs of the microarchitecture if the model knows it, else of the
        slowest one. None if the portable version runs."""
        for body in self.kernel["vector_bodies"]:
            if body.get("only") not in (None, uarch) or body.get("except") == uarch:
                continue
            if body["isa"] in isas and body["rows"] <= self.kernel["rows"]:
                found = {"uarch": "generic", **body}
                for one in body.get("predictions", []):
                    found = one if one["uarch"] == uarch else found
                return {"isa": body["isa"], "uarch": found["uarch"], "bound": found["bound"],
                        "bytes_per_cycle": self.bytes / found["kernel_cycles"]}
        return None


# Bytes of the full tensor: no program keeps a large share of a cache of hundreds of megabytes for long.
LLC_MOST = 32 << 20

# Bytes of the full tensor in memory: the buffer sets, used alternately, are larger than any cache together.
DRAM_MOST = 48 << 20


def rows_for(regime, op, machine):
    """The number of rows that puts a case into a regime; 0 for its own size, None if it is impossible."""
    if regime in ("natural", "pipeline"):
        return 0
    target = {
        "l1": machine["l1"] // 3,
        "l2": machine["l2"] // 4,
        "llc": min(machine["l3"] // 4, LLC_MOST),
        "dram": min(machine["l3"], DRAM_MOST),
    }[regime]
    if op.rows < 2 or 2 * op.row_bits > 8 * target:
        return None
    return 8 * target // op.row_bits


# For some kernels the placement of buffers matters as much as the code.
PLACES = 5


def sets_for(regime, op, machine):
    """The number of buffer sets. In memory they are used alternately, enough that none stays in a cache; elsewhere
    each round has one, and all together fill at most half of the last-level cache."""
    footprint = 2 * op.bytes
    if regime == "dram":
        return max(2, -(-8 * machine["l3"] // footprint))
    return max(1, min(PLACES, machine["l3"] // 2 // max(footprint, 1)))
