/* What fusing saves, over all kernels of a run: every node and every byte counts once. */
#ifndef SG_PLAN_TELL_FUSION_H
#define SG_PLAN_TELL_FUSION_H

#include "plan/plan.h"

typedef struct sg_fusion {
    int64_t splits;  /* Split nodes that the kernels are made of */
    int64_t concats; /* Concat nodes that the kernels are made of */
    bool any;        /* any kernel is made of several nodes */
    int64_t bytes;   /* bytes of intermediate tensors that are neither written nor read; INT64_MAX:
                        more */
} sg_fusion;

/* A Split counts as one node, even if several Concats read its parts or it still writes some of
 * them. */
sg_fusion sg_fusion_count(const sg_plan *const *plans, int64_t count);

#endif
