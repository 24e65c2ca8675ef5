"""Many outputs and many kernels: the output grows linearly, and no budget is exceeded."""
from kinds import KINDS
from testing import regex


def test_many_outputs(work):
    work.splitgen(f"-e 'k: f32[4,6000] @1 -> /6000' --emit={','.join(KINDS)} -o out/", err="")
    assert len(work.files("out")) >= len(KINDS)


def test_many_kernels(work):
    work.write("many.lua", """local list = {}
for i = 1, 2000 do list[i] = split('k' .. i .. ': f32[2,' .. 3 + i % 50 .. '] @1 -> 1 *') end
return list
""")
    work.splitgen(f"many.lua --emit={','.join(KINDS)} -o out/", err="")
    assert len(work.files("out")) >= len(KINDS)


def test_split_of_a_model_with_many_outputs(work):
    outputs = ",".join(f"a{i}" for i in range(20001))
    work.write("wide.onnxtxt", f"""<ir_version: 10, opset_import: ["" : 18]>
net (float[4,20001] x) => (a0)
{{
  ["wide"] {outputs} = Split <axis = 1, num_outputs = 20001> (x)
}}
""")
    work.splitgen("wide.onnxtxt --dump=op", out=regex("."), err="")


def test_cap_of_straight_line_code(work):
    work.splitgen("-e 'k: f32[4,16384] @1 -> /16384' --emit=h", out=regex("."), err="")
    # One output more: the message explains the limit in the user's words.
    work.splitgen("-e 'k: f32[4,16385] @1 -> /16385' --emit=h", 5,
                  err="'k' needs 16385 copies in straight line, more than the cap of 16384")
