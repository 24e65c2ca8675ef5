/* Runs a C2f block twice, once with fused kernels for its Split and its Concat and once with
 * plain loops, and compares the results bit by bit. With the kernels, the half that only the
 * Concat reads is never written: the Concat's kernel reads it from the Split's input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c2f.h"

/* A tensor [images, channels, pixels] while the block runs. */
typedef struct maps {
    size_t images, channels, pixels;
    float *data;
} maps;

/* The bytes that a run needs. */
typedef struct cost {
    size_t copied; /* written by Split and Concat */
    size_t memory; /* of tensors, without the block's own input */
} cost;

static maps make(const maps *like, size_t channels, cost *c)
{
    maps made = {like->images, channels, like->pixels, NULL};
    size_t bytes = made.images * channels * made.pixels * sizeof(float);

    made.data = malloc(bytes);
    if (made.data == NULL) {
        fprintf(stderr, "c2f: out of memory\n");
        exit(1);
    }
    c->memory += bytes;
    return made;
}

static void check(splitgen_status status)
{
    if (status != SPLITGEN_OK) {
        fprintf(stderr, "c2f: %s\n", splitgen_status_text(status));
        exit(1);
    }
}

/* The block's input, of the shape that the kernel of the Split was made for. */
static maps make_block(void)
{
    const splitgen_tensor *whole = &model_4_Split_kernel.whole;
    maps shape = {(size_t)whole->dims[0], 0, (size_t)(whole->dims[2] * whole->dims[3]), NULL};
    cost unused = {0, 0};
    maps block = make(&shape, (size_t)whole->dims[1], &unused);
    unsigned seed = 1;
    size_t i;

    for (i = 0; i < whole->bytes / sizeof(float); i++) {
        seed = seed * 1664525U + 1013904223U;
        block.data[i] = (float)(int)(seed >> 16 & 0xffffU) / 8192.0F - 4.0F;
    }
    return block;
}

/* x + HardSwish(x), in place of a bottleneck. */
static maps bottleneck(const maps *in, cost *c)
{
    maps out = make(in, in->channels, c);
    size_t count = in->images * in->channels * in->pixels, i;

    for (i = 0; i < count; i++) {
        const float x = in->data[i], line = x / 6.0F + 0.5F;

        out.data[i] = x + x * (line < 0 ? 0 : line > 1 ? 1 : line);
    }
    return out;
}

/* Copies `count` channels of every image, from channel `from` of one tensor to channel `to` of
 * another. */
static void copy_channels(const maps *out, size_t to, const maps *in, size_t from, size_t count,
                          cost *c)
{
    size_t image, channel, pixel;

    for (image = 0; image < in->images; image++) {
        for (channel = 0; channel < count; channel++) {
            float *write = out->data + (image * out->channels + to + channel) * out->pixels;
            const float *read = in->data + (image * in->channels + from + channel) * in->pixels;

            for (pixel = 0; pixel < in->pixels; pixel++) {
                write[pixel] = read[pixel];
            }
        }
    }
    c->copied += in->images * count * in->pixels * sizeof(float);
}

static maps run_loops(const maps *block, cost *c)
{
    const size_t half = block->channels / 2;
    maps kept = make(block, half, c), worked = make(block, half, c);
    maps first, second, joined = make(block, 4 * half, c);

    copy_channels(&kept, 0, block, 0, half, c);
    copy_channels(&worked, 0, block, half, half, c);
    first = bottleneck(&worked, c);
    second = bottleneck(&first, c);
    copy_channels(&joined, 0, &kept, 0, half, c);
    copy_channels(&joined, half, &worked, 0, half, c);
    copy_channels(&joined, 2 * half, &first, 0, half, c);
    copy_channels(&joined, 3 * half, &second, 0, half, c);
    free(kept.data);
    free(worked.data);
    free(first.data);
    free(second.data);
    return joined;
}

static maps run_kernels(const maps *block, cost *c)
{
    const splitgen_kernel *split = &model_4_Split_kernel, *concat = &model_4_Concat_kernel;
    const size_t half = block->channels / 2;
    maps worked = make(block, half, c), first, second, joined = make(block, 4 * half, c);

    check(splitgen_run(split, block->data, (void *[]){worked.data}));
    first = bottleneck(&worked, c);
    second = bottleneck(&first, c);
    /* The first input is the complete block. The kernel reads only the half `kept`. */
    check(splitgen_join(concat, (const void *[]){block->data, worked.data, first.data, second.data},
                        joined.data));
    c->copied += split->parts[0].bytes + concat->whole.bytes;
    free(worked.data);
    free(first.data);
    free(second.data);
    return joined;
}

int main(void)
{
    const splitgen_kernel *concat = &model_4_Concat_kernel;
    maps block = make_block(), by_loops, by_kernels;
    cost loops = {0, 0}, kernels = {0, 0};
    bool same;
    size_t i;

    by_loops = run_loops(&block, &loops);
    by_kernels = run_kernels(&block, &kernels);
    same = memcmp(by_loops.data, by_kernels.data, concat->whole.bytes) == 0;

    printf("\nc2f: a Split whose halves meet again in a Concat, for %zu images\n\n  %s reads",
           block.images, concat->name);
    for (i = 0; i < concat->nparts; i++) {
        printf(" %s", concat->parts[i].name);
    }
    printf("\n  by plain loops %8zu bytes written by Split and Concat, %8zu bytes of tensors\n"
           "  by kernels     %8zu bytes written by Split and Concat, %8zu bytes of tensors\n"
           "  the results %s\n",
           loops.copied, loops.memory, kernels.copied, kernels.memory,
           same ? "are the same to the bit" : "DIFFER");
    free(block.data);
    free(by_loops.data);
    free(by_kernels.data);
    return same ? 0 : 1;
}
