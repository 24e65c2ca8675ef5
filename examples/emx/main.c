/* Runs the model on one input and writes its outputs as bytes to standard output; with an argument
 * runs it COUNT times and writes the seconds that took. It is linked with the C that
 * emx-onnx-cgen has printed, once as it is and once with kernels in it. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void net(const float x[2][64][96], float y[2][32][16], float second[1][32][48],
         float rest[1][16][48]);

static float x[2][64][96], y[2][32][16], second[1][32][48], rest[1][16][48];

static void fill(float *values, size_t count)
{
    unsigned seed = 1;
    size_t i;

    for (i = 0; i < count; i++) {
        seed = seed * 1664525U + 1013904223U;
        values[i] = (float)(int)(seed >> 16 & 0xffffU) / 8192.0F - 4.0F;
    }
}

int main(int argc, char **argv)
{
    const long times = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
    struct timespec begin, end;
    long i;

    fill(&x[0][0][0], sizeof x / sizeof(float));
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (i = 0; i < times; i++) {
        net((const float(*)[64][96])x, y, second, rest);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (argc > 1) {
        printf("%.6f s\n",
               (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
        return 0;
    }
    return fwrite(y, sizeof y, 1, stdout) == 1 && fwrite(second, sizeof second, 1, stdout) == 1 &&
                   fwrite(rest, sizeof rest, 1, stdout) == 1
               ? 0
               : 1;
}
