/* One attention head over the bytes of a text. Its weights are made by hand so that the result
 * can be checked: the query has the last SLOTS bytes, the key of a token the bytes before it,
 * its value the token itself. The head therefore looks for an earlier place with the same bytes
 * and predicts what followed there (an "induction head"). Nothing is trained. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qkv.h"

enum {
    CODE = 24, /* numbers that stand for one byte */
    SLOTS = 8, /* bytes compared */
    MODEL = (SLOTS + 1) * CODE,
    QK = SLOTS * CODE,
    FUSED = QK + QK + CODE,
    GENERATED = 160 /* maximum number of bytes */
};

typedef struct head {
    float code[256][CODE];
    float weights[MODEL][FUSED];
} head;

static void head_init(head *h)
{
    uint32_t random = 1;
    size_t i, j;

    for (i = 0; i < 256; i++) {
        for (j = 0; j < CODE; j++) {
            random = random * 1664525u + 1013904223u;
            h->code[i][j] = (random >> 31) != 0 ? 1.0f : -1.0f;
        }
    }
    memset(h->weights, 0, sizeof h->weights);
    for (i = 0; i < QK; i++) {
        h->weights[i][i] = 1.0f;             /* query: this byte and those before it */
        h->weights[i + CODE][QK + i] = 1.0f; /* key: the bytes before this one */
    }
    for (i = 0; i < CODE; i++) {
        h->weights[i][2 * QK + i] = 1.0f; /* value: this byte */
    }
}

/* Embeds text[t] with the bytes before it and projects it: fused = x * weights. */
static void project(const head *h, const unsigned char *text, size_t t, float *fused)
{
    float x[MODEL];
    size_t i, j;

    for (i = 0; i <= SLOTS; i++) {
        memcpy(x + i * CODE, h->code[t >= i ? text[t - i] : 0], sizeof h->code[0]);
    }
    memset(fused, 0, FUSED * sizeof *fused);
    for (i = 0; i < MODEL; i++) {
        for (j = 0; j < FUSED; j++) {
            fused[j] += x[i] * h->weights[i][j];
        }
    }
}

/* softmax(q k^T / sqrt(CODE)) v over the first n tokens, then the byte whose code is nearest. */
static unsigned char attend(const head *h, const float *q, const float *k, const float *v, size_t n)
{
    float mixed[CODE] = {0}, best = -INFINITY;
    unsigned char byte = 0;
    size_t t, i;

    for (t = 0; t < n; t++) {
        float score = 0;

        for (i = 0; i < QK; i++) {
            score += q[i] * k[t * QK + i];
        }
        score = expf((score - QK) / sqrtf(CODE)); /* QK is the largest possible score */
        for (i = 0; i < CODE; i++) {
            mixed[i] += score * v[t * CODE + i];
        }
    }
    for (t = 0; t < 256; t++) {
        float likeness = 0;

        for (i = 0; i < CODE; i++) {
            likeness += mixed[i] * h->code[t][i];
        }
        if (likeness > best) {
            best = likeness;
            byte = (unsigned char)t;
        }
    }
    return byte;
}

/* An output of the decode kernel, found by its view without a call. */
static const float *part(const float *fused, const splitgen_view *view)
{
    return fused + view->byte_offset / sizeof *fused;
}

/* Number of bytes of a file, which are its tokens; 0 if it cannot be read. */
static size_t length_of(FILE *file)
{
    long length = -1;

    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        length = ftell(file);
        rewind(file);
    }
    return length > 0 ? (size_t)length : 0;
}

int main(int argc, char **argv)
{
    static const char prompt[] = "The vorpal";
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    const size_t tokens = length_of(file);
    const size_t room = tokens + sizeof prompt + GENERATED;
    unsigned char *text = malloc(room);
    float *fused = malloc(tokens * FUSED * sizeof *fused);
    float *q = malloc(tokens * QK * sizeof *q);
    float *k = malloc(room * QK * sizeof *k); /* the cache: grows by a row for each new token */
    float *v = malloc(room * CODE * sizeof *v);
    void *outputs[] = {q, k, v};
    const splitgen_view *view = qkv_decode_kernel.views;
    head *h = malloc(sizeof *h);
    splitgen_status status;
    size_t t, end, right = 0;

    if (tokens == 0 || !text || !fused || !q || !k || !v || !h ||
        fread(text, 1, tokens, file) != tokens) {
        fprintf(stderr, "usage: qkv TEXT\n");
        return 1;
    }
    fclose(file);
    head_init(h);

    /* The complete text at once: rows of the fused matrix are split, so the three parts are
     * copied. */
    for (t = 0; t < tokens; t++) {
        project(h, text, t, fused + t * FUSED);
    }
    status = splitgen_run_n(&qkv_prefill_kernel, fused, outputs, tokens);
    if (status != SPLITGEN_OK) {
        fprintf(stderr, "qkv: %s\n", splitgen_status_text(status));
        return 1;
    }
    for (t = 0; t < tokens; t++) {
        const float *row = fused + t * FUSED;

        if (memcmp(q + t * QK, row, QK * sizeof *q) != 0 ||
            memcmp(k + t * QK, row + QK, QK * sizeof *k) != 0 ||
            memcmp(v + t * CODE, row + 2 * QK, CODE * sizeof *v) != 0) {
            fprintf(stderr, "qkv: row %zu is wrong\n", t);
            return 1;
        }
        right += t + 1 < tokens && attend(h, q + t * QK, k, v, t + 1) == text[t + 1];
    }
    printf("\nqkv: an attention head over %zu bytes of text, %d columns into q %d, k %d, v %d\n\n",
           tokens, FUSED, QK, QK, CODE);
    printf("  prefill  %zu x %d floats, %zu bytes moved; next byte foreseen at %zu of %zu places\n",
           tokens, FUSED, tokens * qkv_prefill_kernel.whole.bytes, right, tokens - 1);

    /* Token by token: a single row is contiguous, so its parts are views. */
    printf("  decode   1 x %d floats, 0 bytes moved: q, k, v are views at bytes %zu, %zu, %zu\n\n",
           FUSED, view[0].byte_offset, view[1].byte_offset, view[2].byte_offset);
    memcpy(text + tokens, prompt, sizeof prompt - 1);
    end = tokens + sizeof prompt - 1;
    for (t = tokens; end < room && memcmp(text + end - 2, "\n\n", 2) != 0; t++) {
        project(h, text, t, fused);
        memcpy(k + t * QK, part(fused, &view[1]), QK * sizeof *k); /* a new row of the cache */
        memcpy(v + t * CODE, part(fused, &view[2]), CODE * sizeof *v);
        if (t + 1 == end) {
            text[end++] = attend(h, part(fused, &view[0]), k, v, t + 1);
        }
    }
    printf("  prompt   %s ...\n  recites  ", prompt);
    for (t = tokens; t + 1 < end; t++) {
        putchar(text[t]);
        printf("%s", text[t] == '\n' && t + 2 < end ? "           " : "");
    }
    for (t = 0; t < tokens && memcmp(text + t, text + tokens, end - tokens) != 0; t++) {
    }
    if (t == tokens) {
        fprintf(stderr, "qkv: the text does not go on like this\n");
        return 1;
    }
    free(text);
    free(fused);
    free(q);
    free(k);
    free(v);
    free(h);
    return 0;
}
