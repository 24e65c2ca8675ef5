/* Reads a binary PPM, splits its pixels into three planes with a generated kernel, concatenates
 * the planes to pixels again with another, and writes each plane and the final image as
 * pictures. Fails unless the planes hold every byte of the image and the final image is the
 * same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "planes.h"

enum { CELLS_X = 24, CELLS_Y = 9 }; /* of the preview of one plane in the terminal */

static void write_image(const char *path, const char *magic, size_t width, size_t height,
                        const unsigned char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL || fprintf(file, "%s\n%zu %zu\n255\n", magic, width, height) < 0 ||
        fwrite(bytes, 1, count, file) != count || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

/* The three planes side by side, each in its own colour. */
static void write_contact_sheet(size_t width, size_t height, unsigned char *const planes[3])
{
    unsigned char *sheet = calloc(height * width * 3, 3);
    size_t plane, y, x;

    if (sheet == NULL) {
        exit(1);
    }
    for (plane = 0; plane < 3; plane++) {
        for (y = 0; y < height; y++) {
            for (x = 0; x < width; x++) {
                sheet[((y * 3 + plane) * width + x) * 3 + plane] = planes[plane][y * width + x];
            }
        }
    }
    write_image("planes.ppm", "P6", 3 * width, height, sheet, width * height * 9);
    free(sheet);
}

static void print_preview(size_t width, size_t height, unsigned char *const planes[3])
{
    static const char ramp[] = " .:-=+*#%@";
    size_t row, plane, column, y, x;

    for (row = 0; row < CELLS_Y; row++) {
        for (plane = 0; plane < 3; plane++) {
            printf("  ");
            for (column = 0; column < CELLS_X; column++) {
                size_t sum = 0, count = 0, mean;

                for (y = row * height / CELLS_Y; y < (row + 1) * height / CELLS_Y; y++) {
                    for (x = column * width / CELLS_X; x < (column + 1) * width / CELLS_X; x++) {
                        sum += planes[plane][y * width + x];
                        count++;
                    }
                }
                mean = count == 0 ? 0 : sum / count;
                putchar(ramp[mean < 40 ? 0 : mean >= 220 ? 9 : (mean - 40) / 18]);
            }
        }
        putchar('\n');
    }
}

static double microseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* Runs the kernel of either direction a hundred times; returns the time of the fastest run. */
static double run(const splitgen_kernel *kernel, unsigned char *pixels,
                  unsigned char *const planes[3])
{
    void *const outputs[3] = {planes[0], planes[1], planes[2]};
    const void *const inputs[3] = {planes[0], planes[1], planes[2]};
    double best = 1e9;
    int i;

    for (i = 0; i < 100; i++) {
        double start = microseconds();
        splitgen_status status = kernel->joins ? splitgen_join(kernel, inputs, pixels)
                                               : splitgen_run(kernel, pixels, outputs);

        if (status != SPLITGEN_OK) {
            fprintf(stderr, "planes: %s: %s\n", kernel->name, splitgen_status_text(status));
            exit(1);
        }
        start = microseconds() - start;
        best = start < best ? start : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    static const char *const names[3] = {"red.pgm", "green.pgm", "blue.pgm"};
    const splitgen_kernel *split = &rgb_to_planes_kernel, *join = &planes_to_rgb_kernel;
    size_t height = (size_t)split->whole.dims[0];
    size_t width = (size_t)split->whole.dims[1];
    size_t pixels = width * height;
    size_t file_width = 0, file_height = 0, i;
    unsigned char *image = malloc(3 * pixels), *memory = malloc(3 * pixels);
    unsigned char *joined = calloc(pixels, 3), *planes[3];
    double split_time, join_time;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;

    if (file == NULL || fscanf(file, "P6 %zu %zu 255", &file_width, &file_height) != 2 ||
        getc(file) == EOF || file_width != width || file_height != height || image == NULL ||
        memory == NULL || joined == NULL || fread(image, 3, pixels, file) != pixels) {
        fprintf(stderr, "usage: planes IMAGE.ppm    (a P6 image of %zu x %zu)\n", width, height);
        return 1;
    }
    fclose(file);

    for (i = 0; i < 3; i++) {
        planes[i] = memory + i * pixels;
    }
    split_time = run(split, image, planes);
    join_time = run(join, joined, planes);

    for (i = 0; i < 3 * pixels; i++) {
        if (planes[i % 3][i / 3] != image[i]) {
            fprintf(stderr, "planes: byte %zu is wrong\n", i);
            return 1;
        }
    }
    if (memcmp(joined, image, 3 * pixels) != 0) {
        fprintf(stderr, "planes: the joined image is another\n");
        return 1;
    }
    for (i = 0; i < 3; i++) {
        write_image(names[i], "P5", width, height, planes[i], pixels);
    }
    write_contact_sheet(width, height, planes);
    write_image("joined.ppm", "P6", width, height, joined, 3 * pixels);

    printf("\nplanes: an image of %zu x %zu pixels, RGB bytes to three planes and back\n\n", width,
           height);
    printf("  %-*s  %-*s  blue\n", CELLS_X, "red", CELLS_X, "green");
    print_preview(width, height, planes);
    printf("\n  %s moved %zu bytes in %.0f us, %s in %.0f us; every byte checked\n"
           "  written: red.pgm green.pgm blue.pgm planes.ppm joined.ppm\n",
           split->name, split->whole.bytes, split_time, join->name, join_time);
    free(image);
    free(memory);
    free(joined);
    return 0;
}
