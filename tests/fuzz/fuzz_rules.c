/* Fuzzes inference: any bytes as a file of shape rules, a NUL byte and the model they are for in
 * ONNX's textual syntax, or a small model if there is none; on a small budget. The ops go
 * through the common pipeline. */
#include "fuzz_pipeline.h"

#include <string.h>

#include "frontend/graph/ops.h"
#include "frontend/onnx/onnx_text.h"
#include "require.h"

static const char small_model[] = "<opset_import: [\"\" : 18]>\n"
                                  "g (float[N, 8] x, bool c) => (y, z)\n"
                                  "{\n"
                                  "    s = Constant <value = int64[2] {2, 6}> ()\n"
                                  "    t = Relu (x)\n"
                                  "    u = If <then_branch = h () => (v) { v = Exp (t) },\n"
                                  "            else_branch = h () => (v) { v = Relu (t) }> (c)\n"
                                  "    y, z = Split <axis = 1> (u, s)\n"
                                  "}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *nul = size ? memchr(text, '\0', size) : NULL;
    const size_t len = nul ? (size_t)(nul - text) : size;
    sg_arena arena;
    sg_diag diag;
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    const sg_source *source =
        nul ? sg_source_new(&arena, "m.onnxtxt", nul + 1, size - len - 1)
            : sg_source_new(&arena, "m.onnxtxt", small_model, strlen(small_model));
    const sg_graph_options options = {
        .said = {.rules = nul && len == 0 ? NULL : sg_source_new(&arena, "rules.lua", text, len)},
        .ops = UINT32_C(1) << SG_GRAPH_OPS_ALL,
        .skip_unresolved = true};
    const sg_graph_model *model = sg_onnx_read_text(&arena, &diag, source, NULL, NULL);
    sg_op_array ops = {0};
    const bool loaded = model && sg_graph_ops(&arena, &diag, model, &options, &ops);
    fuzz_pipeline(&arena, &diag, loaded, &ops);
    sg_arena_free(&arena);
    return 0;
}
