/* What run_fused.cmake writes about a model and fused_main.c runs. */
#ifndef SPLITGEN_TEST_FUSED_KERNELS_H
#define SPLITGEN_TEST_FUSED_KERNELS_H

#include <splitgen/splitgen.h>

typedef struct fused_kernel {
    const splitgen_kernel *kernel;
    const char *input; /* the tensor of the model */
} fused_kernel;

/* A kernel for each Split, and those --fuse makes of them, both in the order of the model. */
extern const fused_kernel apart[], fused[];
extern const size_t napart, nfused;

#endif
