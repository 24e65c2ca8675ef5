/* Values of sizes, and sizes in bytes. */
#include "placement/placement.h"

#include <string.h>

/* The numbers of open dimensions. */
typedef struct numbering {
    const sg_place_open *open;
    int64_t nopen;
    int numbers;
} numbering;

static bool number_of(const void *context, const char *name, int64_t *number)
{
    static const int64_t others[SG_PLACE_NUMBERS][6] = {[SG_PLACE_PLANNED] = {2, 5, 3, 11, 7, 13},
                                                        {17, 7, 13, 5, 11, 3},
                                                        [SG_PLACE_PROVED] = {1, 1, 1, 1, 1, 1},
                                                        {3, 19, 2, 7, 5, 23}};
    const numbering *by = context;
    int64_t i = 0;
    while (i < by->nopen && strcmp(by->open[i].name, name) != 0) {
        i++;
    }
    const sg_place_open *open = i < by->nopen ? &by->open[i] : NULL;
    if (open != NULL && open->follows != NULL && by->numbers != SG_PLACE_EXPECTED) {
        return sg_sum_followed(open->follows, number_of, by, number);
    }
    *number = open == NULL ? 1
              : by->numbers == SG_PLACE_EXPECTED
                  ? open->expected
                  : others[by->numbers][i % 6] + i / 6 + (open->least > 1 ? open->least - 1 : 0);
    if (open != NULL && open->most > 0 && by->numbers != SG_PLACE_EXPECTED) {
        /* half full and full for the plan, empty and full for the proof */
        const int64_t half = open->most / 2 > open->least ? open->most / 2 : open->least;
        *number = by->numbers == SG_PLACE_PLANNED  ? half
                  : by->numbers == SG_PLACE_PROVED ? open->least
                                                   : open->most;
    }
    return true;
}

void sg_place_expect(sg_place_open *open, int64_t nopen)
{
    const numbering by = {open, nopen, SG_PLACE_EXPECTED};
    for (int64_t i = 0; i < nopen; i++) {
        if (open[i].follows == NULL) {
            open[i].expected = open[i].expected > open[i].least ? open[i].expected : open[i].least;
        } else if (!sg_sum_followed(open[i].follows, number_of, &by, &open[i].expected)) {
            open[i].expected = 1; /* its tensors overflow */
        }
    }
}

bool sg_place_value(const sg_sum *sum, const sg_place_open *open, int64_t nopen, int numbers,
                    int64_t *value)
{
    return sg_sum_value(sum, number_of, &(numbering){open, nopen, numbers}, value);
}

const char *sg_place_bytes_text(sg_arena *arena, const sg_sum *bits)
{
    sg_sum_term *terms = SG_NEW_ARRAY(arena, sg_sum_term, bits->count);
    for (int64_t i = 0; i < bits->count; i++) {
        terms[i] = bits->terms[i];
        if (terms[i].number % 8 != 0) {
            return sg_arena_printf(arena, "(%s+7)/8", sg_sum_text(arena, bits, SG_SUM_NUMBERED));
        }
        terms[i].number /= 8;
    }
    return sg_sum_text(arena, &(sg_sum){terms, bits->count, bits->over}, SG_SUM_NUMBERED);
}
