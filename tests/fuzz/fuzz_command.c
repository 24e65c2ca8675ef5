/* Fuzzes the command line: any bytes as arguments separated by NUL bytes, through the parser of
 * options and the parsers of their values. Nothing is read or written. */
#include "fuzz_pipeline.h"

#include <string.h>

#include "driver/models.h"
#include "driver/options.h"

#define MAX_WORDS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_arena arena;
    sg_diag diag;
    sg_options options;
    sg_models models;
    sg_file_list files = {0};
    const char *argv[MAX_WORDS + 1] = {"splitgen"};
    int argc = 1;
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    const char *words = sg_arena_strndup(&arena, (const char *)data, size);
    for (size_t at = 0; at < size && argc < MAX_WORDS; at += strlen(words + at) + 1) {
        argv[argc++] = words + at;
    }
    bool ok = sg_options_parse(&arena, &diag, argc, argv, &options);
    if (ok && !sg_options_has(&options, SG_OPT_SHAPE_RULES)) {
        ok = sg_models_options(&arena, &diag, &options, &files, &models);
    }
    /* Checks the diagnostics and their renderings; there are no ops. */
    const sg_op_array none = {0};
    fuzz_pipeline(&arena, &diag, ok, &none);
    sg_arena_free(&arena);
    return 0;
}
