/* Writes a spec of many ops and the table with the required effect of each kernel.
 *
 *   gen_ops random SEED COUNT COPIES SPEC TABLE    COUNT ops of up to about COPIES copies
 *   gen_ops CLASS SEED COUNT SPEC TABLE            COUNT ops of many, wide, l2, llc, far or bits
 *   gen_ops special COPIES SPEC TABLE              the fixed ops of gen_special.c
 *
 * Prints the number of ops. The same arguments give the same files. Environment variables are
 * percentages of random ops: SPLITGEN_FREE, with an open dimension, of those that can have one
 * (30); SPLITGEN_JOINS, concats (50); SPLITGEN_STRIDES, with row strides (25). */
#include <stdlib.h>
#include <string.h>

#include "gen.h"

#define MAX_BYTES 60000
#define FREE      30
#define JOINS     50
#define STRIDES   25

typedef struct source {
    bool random;
    gen_class kind; /* GEN_CLASSES: no particular class */
    test_prng prng;
    int count; /* for random ops */
    gen_limits limits;
} source;

static bool next_op(source *from, int index, gen_op *op)
{
    if (from->random) {
        if (index == from->count) {
            return false;
        }
        if (from->kind < GEN_CLASSES) {
            gen_of_class(&from->prng, &from->limits, from->kind, index, op);
        } else {
            gen_random(&from->prng, &from->limits, index, op);
        }
        return true;
    }
    return gen_special(index, op);
}

static FILE *must_open(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    return file;
}

static void must_close(FILE *file, const char *path)
{
    if (ferror(file) || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

/* A number from the environment. */
static int setting(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : otherwise;
}

int main(int argc, char **argv)
{
    source from = {.kind = argc == 6 ? gen_class_find(argv[1]) : GEN_CLASSES};
    unsigned long long seed = 0;
    if (from.kind < GEN_CLASSES || (argc == 7 && strcmp(argv[1], "random") == 0)) {
        from.random = true;
        seed = strtoull(argv[2], NULL, 10);
        from.count = atoi(argv[3]);
    } else if (argc != 5 || strcmp(argv[1], "special") != 0) {
        fputs("usage: gen_ops random SEED COUNT COPIES SPEC TABLE\n"
              "       gen_ops CLASS SEED COUNT SPEC TABLE\n"
              "       gen_ops special COPIES SPEC TABLE\n",
              stderr);
        return 2;
    }
    test_prng_seed(&from.prng, seed);
    from.limits.copies = from.kind < GEN_CLASSES ? INT64_MAX : atoll(argv[argc - 3]);
    from.limits.bytes = MAX_BYTES;
    from.limits.free = setting("SPLITGEN_FREE", FREE);
    from.limits.joins = setting("SPLITGEN_JOINS", JOINS);
    from.limits.strides = setting("SPLITGEN_STRIDES", STRIDES);

    FILE *spec = must_open(argv[argc - 2]);
    FILE *table = must_open(argv[argc - 1]);
    char *entries = NULL;
    size_t entries_size = 0;
    FILE *entry = open_memstream(&entries, &entries_size);
    gen_op *op = malloc(sizeof *op);
    if (entry == NULL || op == NULL) {
        perror("gen_ops");
        return 2;
    }
    int written = 0;
    fprintf(spec, "return {\n");
    fprintf(table, "#include \"check.h\"\n");
    for (int index = 0; next_op(&from, index, op); ++index) {
        if (!from.random && gen_copies(op) > from.limits.copies) {
            continue;
        }
        fputs("  ", spec);
        gen_print_spec(op, spec);
        fputs(",\n", spec);
        gen_print_arrays(op, index, table);
        gen_print_entry(op, index, entry);
        ++written;
    }
    fprintf(spec, "}\n");
    fclose(entry);
    fprintf(table,
            "const check_op check_ops[] = {\n%s};\nconst size_t check_nops = %d;\n"
            "const unsigned long long check_seed = %llu;\n",
            entries, written, seed);
    must_close(spec, argv[argc - 2]);
    must_close(table, argv[argc - 1]);
    free(entries);
    free(op);
    printf("%d\n", written);
    return 0;
}
