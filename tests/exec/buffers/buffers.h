/* The calls of the test of documented sizes. tests/exec/buffers/selftest.c.tmpl prints them. */
#ifndef SPLITGEN_TEST_BUFFERS_H
#define SPLITGEN_TEST_BUFFERS_H

#include <splitgen/splitgen.h>

typedef struct buffers_case {
    const splitgen_kernel *kernel;
    const size_t *bytes; /* of the buffers, by the header: of the full tensor, then of each part */
    const size_t *elements; /* the same of one item */
    const size_t *numbers;  /* the open numbers */
    size_t bits;            /* of an element */
    bool planes;            /* packed in planes of bits */
    /* the same kernel of a standalone file; NULL: it has no function */
    void (*alone)(void *whole, void *const parts[], const size_t numbers[]);
} buffers_case;

extern const buffers_case buffers_cases[];
extern const size_t buffers_count;

#endif
