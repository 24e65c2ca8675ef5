/* Reads the output of a YOLO head, splits it with the generated kernel, decodes the boxes (as
 * YOLOv5 does), keeps the best of those that overlap, prints them and draws them on the picture.
 * Fails unless the four parts hold every value of the head. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detect.h"

enum { ANCHORS = 3, GRID = 20, VALUES = 85, CLASSES = 80, CELLS = ANCHORS * GRID * GRID };
enum { STRIDE = 32, SCALE = 3 }; /* network pixels per cell; how much larger the picture is drawn */

typedef struct detection {
    float left, top, right, bottom, score;
    int class_id;
} detection;

typedef struct picture {
    int width, height;
    unsigned char *rgb;
} picture;

static void fail(const char *what)
{
    fprintf(stderr, "detect: %s\n", what);
    exit(1);
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);

    if (file == NULL) {
        perror(path);
        exit(1);
    }
    return file;
}

/* Fills the head with background noise, then with the cells listed in the file. */
static void read_head(const char *path, float *head)
{
    FILE *file = open_file(path, "r");
    char line[256];
    uint32_t random = 1;
    size_t i;

    for (i = 0; i < (size_t)CELLS * VALUES; i++) {
        random = random * 1664525u + 1013904223u;
        head[i] = (i % VALUES < 4 ? 0.0f : -6.0f) + (float)(random >> 8) * (1.0f / (1 << 24));
    }
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned a, row, column, id;
        float v[6];

        if (line[0] == '#') {
            continue;
        }
        if (sscanf(line, "%u %u %u %f %f %f %f %f %u %f", &a, &row, &column, &v[0], &v[1], &v[2],
                   &v[3], &v[4], &id, &v[5]) != 10 ||
            a >= ANCHORS || row >= GRID || column >= GRID || id >= CLASSES) {
            fail("a line of the head is wrong");
        }
        i = ((a * GRID + row) * GRID + column) * VALUES;
        memcpy(head + i, v, 5 * sizeof *v);
        head[i + 5 + id] = v[5];
    }
    fclose(file);
}

static void read_classes(const char *path, char names[CLASSES][32])
{
    FILE *file = open_file(path, "r");
    int i;

    for (i = 0; i < CLASSES; i++) {
        if (fscanf(file, " %31[^\n]", names[i]) != 1) {
            fail("there are fewer than 80 classes");
        }
    }
    fclose(file);
}

static void read_picture(const char *path, picture *p)
{
    FILE *file = open_file(path, "rb");
    size_t bytes;

    if (fscanf(file, "P6 %d %d 255", &p->width, &p->height) != 2 || getc(file) == EOF ||
        p->width < 1 || p->width > 4096 || p->height < 1 || p->height > 4096) {
        fail("the picture is no binary PPM");
    }
    bytes = (size_t)p->width * (size_t)p->height * 3;
    p->rgb = malloc(bytes);
    if (p->rgb == NULL || fread(p->rgb, 1, bytes, file) != bytes) {
        fail("the picture is cut short");
    }
    fclose(file);
}

static float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

/* Finds all cells above the threshold. Boxes are in pixels of the picture, which was scaled to
 * the network's square input with bars above and below. */
static size_t decode(const float *xy, const float *wh, const float *objectness,
                     const float *classes, const picture *p, detection *out)
{
    static const float anchors[ANCHORS][2] = {{116, 90}, {156, 198}, {373, 326}};
    const float side = GRID * STRIDE;
    const float scale = side / (float)(p->width > p->height ? p->width : p->height);
    const float bar_x = (side - (float)p->width * scale) / 2;
    const float bar_y = (side - (float)p->height * scale) / 2;
    size_t n = 0, cell;
    int c;

    for (cell = 0; cell < CELLS; cell++) {
        const float *scores = classes + cell * CLASSES;
        detection d = {0};
        float x, y, w, h;

        for (c = 1; c < CLASSES; c++) {
            d.class_id = scores[c] > scores[d.class_id] ? c : d.class_id;
        }
        d.score = sigmoid(objectness[cell]) * sigmoid(scores[d.class_id]);
        if (d.score < 0.25f) {
            continue;
        }
        x = (2 * sigmoid(xy[2 * cell]) - 0.5f + (float)(cell % GRID)) * STRIDE;
        y = (2 * sigmoid(xy[2 * cell + 1]) - 0.5f + (float)(cell / GRID % GRID)) * STRIDE;
        w = powf(2 * sigmoid(wh[2 * cell]), 2) * anchors[cell / (GRID * GRID)][0];
        h = powf(2 * sigmoid(wh[2 * cell + 1]), 2) * anchors[cell / (GRID * GRID)][1];
        d.left = (x - w / 2 - bar_x) / scale;
        d.right = (x + w / 2 - bar_x) / scale;
        d.top = (y - h / 2 - bar_y) / scale;
        d.bottom = (y + h / 2 - bar_y) / scale;
        out[n++] = d;
    }
    return n;
}

static float overlap(const detection *a, const detection *b)
{
    float w = fminf(a->right, b->right) - fmaxf(a->left, b->left);
    float h = fminf(a->bottom, b->bottom) - fmaxf(a->top, b->top);
    float both = w > 0 && h > 0 ? w * h : 0;
    float all = (a->right - a->left) * (a->bottom - a->top) +
                (b->right - b->left) * (b->bottom - b->top) - both;

    return both / all;
}

static int by_score(const void *a, const void *b)
{
    float x = ((const detection *)a)->score, y = ((const detection *)b)->score;

    return (x < y) - (x > y);
}

/* Non-maximum suppression: keeps each box that does not overlap a better one; returns how many. */
static size_t keep_best(detection *d, size_t n)
{
    size_t kept = 0, i, j;

    qsort(d, n, sizeof *d, by_score);
    for (i = 0; i < n; i++) {
        for (j = 0; j < kept && overlap(&d[i], &d[j]) < 0.45f; j++) {
        }
        if (j == kept) {
            d[kept++] = d[i];
        }
    }
    return kept;
}

/* Returns whether a point of the enlarged picture is on the frame of a box, two points wide. */
static int on_frame(const detection *d, int x, int y)
{
    int left = (int)(d->left * SCALE), right = (int)(d->right * SCALE);
    int top = (int)(d->top * SCALE), bottom = (int)(d->bottom * SCALE);

    return x >= left && x <= right && y >= top && y <= bottom &&
           (x < left + 2 || x > right - 2 || y < top + 2 || y > bottom - 2);
}

static void draw(const char *path, const picture *p, const detection *d, size_t n)
{
    FILE *file = open_file(path, "wb");
    int x, y;
    size_t i;

    fprintf(file, "P6\n%d %d\n255\n", p->width * SCALE, p->height * SCALE);
    for (y = 0; y < p->height * SCALE; y++) {
        for (x = 0; x < p->width * SCALE; x++) {
            for (i = 0; i < n && !on_frame(&d[i], x, y); i++) {
            }
            fwrite(i < n ? (const unsigned char *)"\xff\xf0\x40"
                         : p->rgb + 3 * (y / SCALE * p->width + x / SCALE),
                   1, 3, file);
        }
    }
    if (fclose(file) != 0) {
        fail("the drawing could not be written");
    }
}

/* Compares the four parts with the head, value by value. */
static void check(const float *head, const float *xy, const float *wh, const float *objectness,
                  const float *classes)
{
    size_t cell;

    for (cell = 0; cell < CELLS; cell++) {
        const float *h = head + cell * VALUES;

        if (memcmp(xy + 2 * cell, h, 2 * sizeof *h) != 0 ||
            memcmp(wh + 2 * cell, h + 2, 2 * sizeof *h) != 0 ||
            memcmp(objectness + cell, h + 4, sizeof *h) != 0 ||
            memcmp(classes + CLASSES * cell, h + 5, CLASSES * sizeof *h) != 0) {
            fail("the split is wrong");
        }
    }
}

int main(int argc, char **argv)
{
    static float head[CELLS * VALUES], xy[CELLS * 2], wh[CELLS * 2], objectness[CELLS];
    static float classes[CELLS * CLASSES];
    static detection found[CELLS];
    static char names[CLASSES][32];
    void *outputs[] = {xy, wh, objectness, classes};
    splitgen_status status;
    picture p = {0, 0, NULL};
    size_t n, kept, i;

    if (argc != 4) {
        fail("usage: detect HEAD CLASSES PICTURE");
    }
    read_head(argv[1], head);
    read_classes(argv[2], names);
    read_picture(argv[3], &p);

    status = splitgen_run(&yolo_head_kernel, head, outputs);
    if (status != SPLITGEN_OK) {
        fail(splitgen_status_text(status));
    }
    check(head, xy, wh, objectness, classes);
    n = decode(xy, wh, objectness, classes, &p, found);
    kept = keep_best(found, n);
    draw("detect.ppm", &p, found, kept);

    printf("\ndetect: a YOLO head of %d x %d x %d cells, %d values into 2, 2, 1 and %d\n\n",
           ANCHORS, GRID, GRID, VALUES, CLASSES);
    printf("  %s moved %zu bytes; every value checked\n", yolo_head_kernel.name,
           yolo_head_kernel.whole.bytes);
    printf("  %zu cells fire, %zu boxes are left after suppression:\n\n", n, kept);
    for (i = 0; i < kept; i++) {
        printf("    %-12s %3.0f %%  x %3.0f to %3.0f  y %3.0f to %3.0f\n", names[found[i].class_id],
               (double)found[i].score * 100, (double)found[i].left, (double)found[i].right,
               (double)found[i].top, (double)found[i].bottom);
    }
    printf("\n  written: detect.ppm\n");
    free(p.rgb);
    return 0;
}
