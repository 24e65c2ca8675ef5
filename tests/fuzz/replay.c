/* Runs a fuzzer's entry point over a corpus in ordinary builds: replay FOLDER... Every file is
 * run complete, truncated after every byte, and with every single byte removed. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "fuzz_pipeline.h"

/* Longer seeds are only run complete, so that the test stays short. */
#define MAX_VARIED 1024

/* Bytes from one truncation to the next; more if a run takes long. */
#ifndef VARIED_STEP
#define VARIED_STEP 1
#endif

/* The bytes are in a block of exactly their size, so a sanitizer sees every read beyond them. */
static void run(const char *bytes, size_t size)
{
    uint8_t *copy = sg_xrealloc(NULL, size);
    if (size) {
        memcpy(copy, bytes, size);
    }
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run_varied(const char *bytes, size_t size)
{
    run(bytes, size);
    if (size > MAX_VARIED) {
        return;
    }
    char less[MAX_VARIED];
    for (size_t i = 0; i < size; i += VARIED_STEP) {
        run(bytes, i);
        memcpy(less, bytes, i);
        memcpy(less + i, bytes + i + 1, size - i - 1);
        run(less, size - 1);
    }
}

static int is_seed(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Number of seeds run, or -1. */
static int run_folder(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_seed, alphasort);
    if (count < 0) {
        perror(folder);
        return -1;
    }
    bool ok = true;
    for (int i = 0; i < count; i++) {
        sg_arena arena;
        sg_arena_init(&arena);
        sg_buf seed = {0};
        const char *path = sg_arena_printf(&arena, "%s/%s", folder, entries[i]->d_name);
        if (sg_file_read(path, &seed)) {
            printf("%s\n", entries[i]->d_name);
            fflush(stdout);
            run_varied(seed.ptr, seed.len);
        } else {
            perror(path);
            ok = false;
        }
        sg_buf_free(&seed);
        sg_arena_free(&arena);
        free(entries[i]);
    }
    free(entries);
    return ok ? count : -1;
}

int main(int argc, char **argv)
{
    int seeds = 0;
    for (int i = 1; i < argc; i++) {
        int count = run_folder(argv[i]);
        if (count < 0) {
            return 1;
        }
        seeds += count;
    }
    printf("%d seeds\n", seeds);
    return seeds > 0 ? 0 : 1;
}
