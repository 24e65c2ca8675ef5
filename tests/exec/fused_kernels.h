/* Written by test_ops.py for a model and run by fused_main.c. */
#ifndef SPLITGEN_TEST_FUSED_KERNELS_H
#define SPLITGEN_TEST_FUSED_KERNELS_H

#include <splitgen/splitgen.h>

typedef struct fused_kernel {
    const splitgen_kernel *kernel;
    const char *input; /* the tensor of the model */
} fused_kernel;

/* A kernel for each Split, and the fused kernels, both in the order of the model. */
extern const fused_kernel apart[], fused[];
extern const size_t napart, nfused;

#endif
