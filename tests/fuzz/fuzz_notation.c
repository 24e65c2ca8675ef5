/* Fuzzes the notation: any bytes through the parser, then the common pipeline. */
#include "fuzz_pipeline.h"

#include "frontend/notation/notation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_arena arena;
    sg_diag diag;
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    const sg_source *source = sg_source_new(&arena, "<command line>", (const char *)data, size);
    sg_op_array ops = {0};
    bool loaded = sg_notation_parse(&arena, &diag, source, 0, size, "split", &ops);
    fuzz_pipeline(&arena, &diag, loaded, &ops);
    sg_arena_free(&arena);
    return 0;
}
