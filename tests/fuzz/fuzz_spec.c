/* Fuzzes specs: any bytes through the Lua sandbox on a small budget, then the common pipeline. */
#include "fuzz_pipeline.h"

#include "frontend/lua/spec.h"

#define MAX_STEPS  INT64_C(1000000)
#define MAX_MEMORY ((size_t)32 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_arena arena;
    sg_diag diag;
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    const sg_source *line = sg_source_new(&arena, "<command line>", "-D batch=8", 10);
    sg_define defines[] = {{.name = "batch", .value = "8", .span = sg_span_make(line, 3, 10)}};
    const sg_spec_options options = {
        .defines = defines, .ndefines = 1, .max_steps = MAX_STEPS, .max_memory = MAX_MEMORY};
    const sg_source *spec = sg_source_new(&arena, FUZZ_FOLDER "fuzz.lua", (const char *)data, size);
    sg_file_list files = {0};
    sg_op_array ops = {0};
    bool loaded = sg_spec_load(&arena, &diag, spec, &options, &files, &ops);
    fuzz_pipeline(&arena, &diag, loaded, &ops);
    sg_arena_free(&arena);
    return 0;
}
