# The script of examples/emx, which puts kernels into another compiler's C, on functions in that compiler's form
# (1.4.0): what it replaces, what it leaves unchanged, and that the result is equivalent. example.emx runs the compiler
# itself.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
find_program(PYTHON NAMES python3)
if(NOT PYTHON)
    message("SKIPPED: put_kernels.py needs python3")
    return()
endif()
cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
set(script "'${PYTHON}' '${root}/examples/emx/put_kernels.py'")

write(net.onnxtxt [[
<ir_version: 9, opset_import: ["" : 18]>
net (float[2, 4, 3] x, float[N, 4] z) => (a, b, c, d, e, f)
{
  ["/rows"] a, b = Split <axis = 1, num_outputs = 2> (x)
  c, d = Split <axis = 0, num_outputs = 2> (a)
  ["/wide"] e, f = Split <axis = 1, num_outputs = 2> (z)
}
]])
# printed(<number> <function> <comment> <parameters> <outer> <axis> <inner> <length>) adds a Split to net.c.
function(printed number function comment parameters outer axis inner length)
    file(APPEND "${WORK}/net.c" "/*
 * Node ${number}:
 * OpType: Split
${comment}
 * Attrs:
 *   num_outputs: 2
 */
EMX_NODE_FN void ${function}(${parameters}) {
    const float *input_data = (const float *)input0;
    float *output_ptrs[] = { (float *)output_0, (float *)output_1 };
    for (idx_t outer_idx = 0; outer_idx < ${outer}; ++outer_idx) {
        for (idx_t output_idx = 0; output_idx < 2; ++output_idx) {
            idx_t copy_elems = ${length} * ${inner};
            memcpy(
            output_ptrs[output_idx] + outer_idx * copy_elems,
            input_data + outer_idx * ${axis} * ${inner} + output_idx * copy_elems,
            copy_elems * sizeof(float)
            );
        }
    }
}

")
endfunction()
write(net.c [[
#include <stdint.h>
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

]])
printed(0 node0__rows " * Name: /rows\n * Inputs: x\n * Outputs: a, b"
        "const float input0[restrict 2][4][3], float output_0[restrict 2][2][3], float output_1[restrict 2][2][3]" 2 4 3 2)
printed(1 node1_split " * Name: n/a\n * Inputs: a\n * Outputs: c, d"
        "const float input0[2][2][3], float output_0[1][2][3], float output_1[1][2][3]" 1 2 6 1)
printed(2 node2__wide " * Name: /wide\n * Inputs: z\n * Outputs: e, f"
        "idx_t N, const float input0[N][4], float output_0[N][2], float output_1[N][2]" N 4 1 2)
printed(3 node3__other " * Name: /rows\n * Inputs: x\n * Outputs: b, a"
        "const float input0[2][4][3], float output_0[2][2][3], float output_1[2][2][3]" 2 4 3 2)
file(APPEND "${WORK}/net.c" [[
void net(const float x[2][4][3], const float z[3][4], float a[2][2][3], float b[2][2][3], float c[1][2][3], float d[1][2][3], float e[3][2], float f[3][2], float o[1]) {
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
]])
run("cc -std=c99 -o printed net.c && ./printed" 0)

# made(<name> <output of the script> <option>...): the C with kernels, which passes the same checks.
function(made name said)
    list(JOIN ARGN " " options)
    run("splitgen ${options} --open --prefix=k_ --emit=c,h,json -o ${name}_kernels.c net.onnxtxt" 0)
    run("${script} ${name}_kernels.json ${name}_kernels.h net.c > ${name}.c" 0)
    expect_same("the message" "${ERR}" "${said}")
    run("cc -std=c99 '-I${root}/include' -o ${name} ${name}.c ${name}_kernels.c '${root}'/runtime/*.c && ./${name}" 0)
    file(READ "${WORK}/${name}.c" OUT)
    return(PROPAGATE OUT)
endfunction()

set(left "/wide: k_wide takes other arguments: left\nnode 3: no kernel\n")
made(all "/rows: k_rows\nk_c: k_c\n${left}")
expect_out("\n    k_rows[(][(]const float [*][)]x, [(]float [*][)]a, [(]float [*][)]b[)]\;\n"
           "\n    k_c[(][(]const float [*][)]a, [(]float [*][)]c, [(]float [*][)]d[)]\;\n"
           "#include <string[.]h>\n#include \"all_kernels[.]h\"\n" "\n    node2__wide[(]3, z, e, f[)]" "\n    node3__other[(]x, b, a[)]"
           "output.0. = input0.0. > 0")
if(OUT MATCHES "node0__rows")
    fail("a function that nothing calls is still there")
endif()
made(copies "/rows: k_rows\nk_c: c, d: left, this C has an array for each output\n${left}" --views=constants)
expect_out("k_rows[(]" "\n    node1_split[(]a, c, d[)]")
