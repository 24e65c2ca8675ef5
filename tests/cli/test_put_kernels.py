"""The script of examples/emx, which puts kernels into another compiler's C, on functions in that compiler's form (1.4.0):
what it replaces, what it leaves unchanged, and that the result is equivalent. example.emx runs the compiler itself."""
import sys

import pytest
from testing import exactly, without

NET = """<ir_version: 9, opset_import: ["" : 18]>
net (float[2, 4, 3] x, float[N, 4] z) => (a, b, c, d, e, f)
{
  ["/rows"] a, b = Split <axis = 1, num_outputs = 2> (x)
  c, d = Split <axis = 0, num_outputs = 2> (a)
  ["/wide"] e, f = Split <axis = 1, num_outputs = 2> (z)
}
"""

HEAD = """#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define idx_t int32_t
#define EMX_NODE_FN static inline

/*
 * Node 9:
 * OpType: Relu
 * Name: /relu
 * Inputs: x
 * Outputs: a, b
 * Attrs: n/a
 */
EMX_NODE_FN void node9__relu(const float input0[1], float output[1]) {
    output[0] = input0[0] > 0 ? input0[0] : 0;
}

"""

SPLIT = """/*
 * Node {number}:
 * OpType: Split
{comment}
 * Attrs:
 *   num_outputs: 2
 */
EMX_NODE_FN void {function}({parameters}) {{
    const float *input_data = (const float *)input0;
    float *output_ptrs[] = {{ (float *)output_0, (float *)output_1 }};
    for (idx_t outer_idx = 0; outer_idx < {outer}; ++outer_idx) {{
        for (idx_t output_idx = 0; output_idx < 2; ++output_idx) {{
            idx_t copy_elems = {length} * {inner};
            memcpy(
            output_ptrs[output_idx] + outer_idx * copy_elems,
            input_data + outer_idx * {axis} * {inner} + output_idx * copy_elems,
            copy_elems * sizeof(float)
            );
        }}
    }}
}}

"""

# function, comment, parameters, outer, axis, inner, length
SPLITS = [
    ("node0__rows", " * Name: /rows\n * Inputs: x\n * Outputs: a, b",
     "const float input0[restrict 2][4][3], float output_0[restrict 2][2][3], float output_1[restrict 2][2][3]", 2, 4, 3, 2),
    ("node1_split", " * Name: n/a\n * Inputs: a\n * Outputs: c, d",
     "const float input0[2][2][3], float output_0[1][2][3], float output_1[1][2][3]", 1, 2, 6, 1),
    ("node2__wide", " * Name: /wide\n * Inputs: z\n * Outputs: e, f",
     "idx_t N, const float input0[N][4], float output_0[N][2], float output_1[N][2]", "N", 4, 1, 2),
    ("node3__other", " * Name: /rows\n * Inputs: x\n * Outputs: b, a",
     "const float input0[2][4][3], float output_0[2][2][3], float output_1[2][2][3]", 2, 4, 3, 2)]

MAIN = """void net(const float x[2][4][3], const float z[3][4], float a[2][2][3], float b[2][2][3], float c[1][2][3], float d[1][2][3], float e[3][2], float f[3][2], float o[1]) {
    float (*tmp0_unread)[1] = malloc(sizeof(float[1]));
    if (tmp0_unread == NULL) {
            return;
        }
    node3__other(x, b, a);
    node0__rows(x, a, b);
    node1_split(a, c, d);
    node2__wide(3, z, e, f);
    node9__relu(&z[2][3], o);
    free(tmp0_unread);
}

float x[2][4][3], z[3][4], a[2][2][3], b[2][2][3], c[1][2][3], d[1][2][3], e[3][2], f[3][2], o[1];

int main(void)
{
    for (int i = 0; i < 24; ++i) {
        (&x[0][0][0])[i] = (float)(i + 1);
        (&z[0][0])[i % 12] = (float)(i - 7);
    }
    net((const float (*)[4][3])x, (const float (*)[4])z, a, b, c, d, e, f, o);
    return a[1][0][0] == 13 && b[0][1][2] == 12 && b[1][0][0] == 19 && c[0][1][2] == 6 && d[0][0][0] == 13 &&
           e[1][0] == z[1][0] && f[2][1] == z[2][3] && o[0] == 16 ? 0 : 1;
}
"""


@pytest.fixture
def work(work):
    work.write("net.onnxtxt", NET)
    names = "function", "comment", "parameters", "outer", "axis", "inner", "length"
    splits = [SPLIT.format(number=number, **dict(zip(names, split))) for number, split in enumerate(SPLITS)]
    work.write("net.c", HEAD + "".join(splits) + MAIN)
    return work


def test_the_c_as_it_is(work):
    work.compile("-o printed net.c", flags="-std=c99", runtime=False)
    work.run("./printed")


@pytest.mark.parametrize("options,said,expected", [
    ("", "/rows: k_rows\nk_c: k_c\n",
     ["\n    k_rows((const float *)x, (float *)a, (float *)b);\n", "\n    k_c((const float *)a, (float *)c, (float *)d);\n",
      '#include <string.h>\n#include "kernels.h"\n', "\n    node2__wide(3, z, e, f)", "\n    node3__other(x, b, a)",
      "output[0] = input0[0] > 0", without("node0__rows")]),
    ("--views=constants", "/rows: k_rows\nk_c: c, d: left, this C has an array for each output\n",
     ["k_rows(", "\n    node1_split(a, c, d)"])])
def test_the_c_with_kernels_passes_the_same_checks(work, options, said, expected):
    work.splitgen(f"{options} --open --prefix=k_ --emit=c,h,json -o kernels.c net.onnxtxt")
    changed = work.run(f"'{sys.executable}' \"$SOURCE/examples/emx/put_kernels.py\" kernels.json kernels.h net.c", out=expected,
                       err=exactly(said + "/wide: k_wide takes other arguments: left\nnode 3: no kernel\n"))
    work.write("changed.c", changed.out)
    work.compile("-o changed changed.c kernels.c", flags="-std=c99")
    work.run("./changed")
