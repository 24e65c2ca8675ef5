/* When each tensor is needed. */
#include "placement/placement.h"

void sg_place_set_lives(sg_placement *graph)
{
    for (int64_t t = 0; t < graph->ntensors; t++) {
        graph->tensors[t].first = graph->tensors[t].last = -1;
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        for (int64_t i = 0; i < node->nreads; i++) {
            graph->tensors[node->reads[i]].last = n;
        }
        for (int64_t i = 0; i < node->nwrites; i++) {
            sg_place_tensor *t = &graph->tensors[node->writes[i]];
            t->first = n;
            t->last = t->last > n ? t->last : n;
        }
    }
    for (int64_t t = 0; t < graph->ntensors; t++) {
        sg_place_tensor *tensor = &graph->tensors[t];
        if (tensor->kind == SG_PLACE_OUTPUT) {
            tensor->last = graph->nnodes;
        }
        /* A tensor that no node writes has no place: its node makes only constants, or nothing
         * needs it. */
        tensor->known = tensor->known && (tensor->kind == SG_PLACE_INPUT || tensor->first >= 0 ||
                                          tensor->kind == SG_PLACE_CONSTANT);
    }
}
