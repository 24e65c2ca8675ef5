#include <stdio.h>

#include "qkv.h"

int main(void)
{
    float data[SPLIT_QKV_DATA_ELEMENTS], q[SPLIT_QKV_Q_ELEMENTS], k[SPLIT_QKV_K_ELEMENTS], v[SPLIT_QKV_V_ELEMENTS];
    void *const outputs[] = {q, k, v};
    for (int i = 0; i < SPLIT_QKV_DATA_ELEMENTS; ++i) {
        data[i] = (float)i;
    }
    if (splitgen_run(&split_qkv_kernel, data, outputs) != SPLITGEN_OK) {
        return 1;
    }
    printf("q has %d elements, k begins with %g\n", SPLIT_QKV_Q_ELEMENTS, (double)k[0]);
    return 0;
}
