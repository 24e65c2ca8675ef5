/* What fusing saves, over all kernels of a run: every node and every byte counts once. */
#ifndef SG_PLAN_TELL_FUSION_H
#define SG_PLAN_TELL_FUSION_H

#include "plan/plan.h"

typedef struct sg_fusion {
    int64_t splits;  /* nodes of which the kernels are made */
    int64_t concats; /* likewise */
    bool any;        /* any kernel is made of several */
    int64_t bytes;   /* written, and read again, of tensors that are never made; INT64_MAX: more */
} sg_fusion;

/* A Split whose parts several Concats read, or that still makes some of them, is one node. */
sg_fusion sg_fusion_count(const sg_plan *const *plans, int64_t count);

#endif
