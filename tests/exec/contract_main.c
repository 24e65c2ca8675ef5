/* Calls generated functions by the documented signatures. Half of the test is that this file
 * compiles and links. */
#include <splitgen/splitgen.h>
#include <stdio.h>
#include <stdlib.h>

void split_qkv(const float *data, float *q, float *k, float *v);
extern const splitgen_kernel split_qkv_kernel;

void rgb(const uint8_t *data, uint8_t *out0, uint8_t *out1, uint8_t *out2);
void rest(const uint16_t *data, uint16_t *kv, uint16_t *tail);
extern const splitgen_kernel rest_kernel;

void many_33(const uint16_t *data, uint16_t *const outputs[]);
extern const splitgen_kernel many_33_kernel;
extern const splitgen_kernel many_32_kernel;

void first_halves(const int32_t *data, int32_t *out0, int32_t *out1);
void second_halves(const int32_t *data, int32_t *out0, int32_t *out1);
extern const splitgen_kernel first_halves_kernel;
extern const splitgen_kernel second_halves_kernel;

void free_rows(const int16_t *data, int16_t *first, int16_t *last, size_t rows);
void free_all(const uint8_t *data, uint8_t *input, uint8_t *outputs, uint8_t *n, size_t all);
void free_last(const int8_t *data, int8_t *const outputs[], size_t last);
extern const splitgen_kernel free_rows_kernel;
extern const splitgen_kernel free_all_kernel;
extern const splitgen_kernel free_last_kernel;

static void expect(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "contract: not so: %s\n", what);
        exit(1);
    }
}

static void test_qkv(void)
{
    static float data[2][4][36];
    static float q[2][4][12], k[2][4][12], v[2][4][12], again[3][2][4][12];
    void *const outputs[] = {again[0], again[1], again[2]};
    for (int i = 0; i < 2 * 4 * 36; ++i) {
        (&data[0][0][0])[i] = (float)i;
    }
    split_qkv(&data[0][0][0], &q[0][0][0], &k[0][0][0], &v[0][0][0]);
    for (int b = 0; b < 2; ++b) {
        for (int s = 0; s < 4; ++s) {
            for (int i = 0; i < 12; ++i) {
                expect(q[b][s][i] == data[b][s][i], "q is the first third");
                expect(k[b][s][i] == data[b][s][i + 12], "k is the second third");
                expect(v[b][s][i] == data[b][s][i + 24], "v is the last third");
            }
        }
    }
    expect(split_qkv_kernel.whole.dims[0] == 2, "-D batch=2 sets the parameter");
    expect(split_qkv_kernel.nparts == 3, "three outputs");
    expect(splitgen_run(&split_qkv_kernel, data, outputs) == SPLITGEN_OK, "splitgen_run is OK");
    expect(memcmp(again[0], q, sizeof q) == 0 && memcmp(again[1], k, sizeof k) == 0 &&
               memcmp(again[2], v, sizeof v) == 0,
           "splitgen_run does what the typed function does");
    expect(splitgen_run(&split_qkv_kernel, (const char *)data + 1, outputs) == SPLITGEN_MISALIGNED,
           "splitgen_run checks alignment");
    expect(splitgen_run(&split_qkv_kernel, again, outputs) == SPLITGEN_OVERLAP,
           "splitgen_run checks overlap");
    expect(splitgen_run(&split_qkv_kernel, NULL, outputs) == SPLITGEN_NULL_INPUT,
           "splitgen_run checks for NULL");
    expect(splitgen_run_rows(&split_qkv_kernel, data, outputs, 0, split_qkv_kernel.rows + 1) ==
               SPLITGEN_BAD_ROWS,
           "splitgen_run_rows checks the range");
}

static void test_notation(void)
{
    uint8_t pixels[4 * 5 * 3], planes[3][20];
    static uint16_t data[3 * 576], kv[3 * 512], tail[3 * 48];
    for (size_t i = 0; i < sizeof pixels; ++i) {
        pixels[i] = (uint8_t)i;
    }
    rgb(pixels, planes[0], planes[1], planes[2]);
    for (int i = 0; i < 20; ++i) {
        for (int c = 0; c < 3; ++c) {
            expect(planes[c][i] == pixels[3 * i + c], "planes are every third byte");
        }
    }
    for (int i = 0; i < 3 * 576; ++i) {
        data[i] = (uint16_t)i;
    }
    rest(data, kv, tail);
    for (int r = 0; r < 3; ++r) {
        expect(kv[r * 512 + 511] == r * 576 + 511, "kv is the first 512");
        expect(tail[r * 48] == r * 576 + 528, "an unwanted part keeps its offset");
        expect(tail[r * 48 + 47] == r * 576 + 575, "* is what remains");
    }
    expect(rest_kernel.nparts == 2, "unwanted outputs do not appear");
}

static void test_many(void)
{
    uint16_t data[66], out[33][2];
    uint16_t *outputs[33];
    for (int i = 0; i < 66; ++i) {
        data[i] = (uint16_t)(1000 + i);
    }
    for (int i = 0; i < 33; ++i) {
        outputs[i] = out[i];
    }
    many_33(data, outputs);
    for (int i = 0; i < 33; ++i) {
        expect(out[i][0] == 1000 + i && out[i][1] == 1033 + i, "33 outputs by array");
    }
    expect(many_33_kernel.nparts == 33 && many_32_kernel.nparts == 32, "all outputs counted");
}

static void test_clash(void)
{
    const int32_t data[12] = {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23};
    int32_t a[9], b[9];
    first_halves(data, a, b);
    expect(a[2] == 20 && b[0] == 1 && b[8] == 23, "first_halves is 1 and 3");
    second_halves(data, a, b);
    expect(a[8] == 22 && b[0] == 3 && b[2] == 23, "second_halves is 3 and 1");
    expect(first_halves_kernel.parts[0].dims[1] == 1, "descriptors have the prefix too");
    expect(second_halves_kernel.parts[0].dims[1] == 3, "descriptors have the prefix too");
}

/* Kernels for any number of items: typed functions, the checked call, and the calls that it
 * refuses. */
static void test_free(void)
{
    enum { MOST = 5000 };
    static uint8_t data[7 * MOST], input[MOST], outputs[2 * MOST], n[4 * MOST];
    static int8_t wide[3 * 80], tall[40][3 * 3];
    int16_t rows[14], first[4], last[10];
    int8_t *columns[40];
    void *const parts[] = {input, outputs, n};
    for (int i = 0; i < 14; ++i) {
        rows[i] = (int16_t)(100 + i);
    }
    free_rows(rows, first, last, 2);
    expect(first[1] == 101 && first[3] == 108 && last[0] == 102 && last[9] == 113,
           "two rows where five are expected");
    first[0] = 7;
    free_rows(rows, first, last, 0);
    expect(first[0] == 7, "no rows write nothing");
    for (size_t i = 0; i < sizeof data; ++i) {
        data[i] = (uint8_t)(i % 251);
    }
    for (size_t items = 1; items <= MOST; items += 833) {
        memset(input, 255, sizeof input);
        expect(splitgen_run_n(&free_all_kernel, data, parts, items) == SPLITGEN_OK, "any number");
        for (size_t i = 0; i < items; ++i) {
            expect(input[i] == 7 * i % 251 && outputs[2 * i + 1] == (7 * i + 2) % 251 &&
                       n[4 * i + 3] == (7 * i + 6) % 251,
                   "all rows of a free kernel");
        }
        expect(items == MOST || input[items] == 255, "not one row more");
    }
    expect(splitgen_run(&free_all_kernel, data, parts) == SPLITGEN_NEEDS_COUNT,
           "a free kernel has to be told how many");
    expect(splitgen_run_n(&rest_kernel, data, parts, 1) == SPLITGEN_FIXED_COUNT,
           "a fixed kernel takes no number");
    expect(splitgen_run_n(&free_all_kernel, data, parts, SIZE_MAX / 4) == SPLITGEN_TOO_MANY,
           "more bytes than a size_t counts");
    expect(free_all_kernel.free->numbers[0].expected == 3000 && free_all_kernel.whole.bytes == 7,
           "the descriptor is of one item");
    for (int i = 0; i < 3 * 80; ++i) {
        wide[i] = (int8_t)(i % 128);
    }
    for (int i = 0; i < 40; ++i) {
        columns[i] = tall[i];
    }
    expect(free_last_kernel.whole.bytes == 3 * 80, "40 outputs of 80 bytes a row");
    free_last(wide, columns, 1);
    expect(tall[0][0] == 0 && tall[0][2] == 80 && tall[39][0] == 78, "40 outputs by array");
}

int main(void)
{
    test_qkv();
    test_notation();
    test_many();
    test_clash();
    test_free();
    puts("the documented calls work");
    return 0;
}
