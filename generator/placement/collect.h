/* What is collected of a graph while inference runs it. */
#ifndef SG_PLACEMENT_COLLECT_H
#define SG_PLACEMENT_COLLECT_H

#include "placement/placement.h"
#include "split/nameset.h"

typedef struct sg_place_seen_node {
    const sg_graph_node *node;
    const sg_fact **facts; /* of its inputs, followed by its outputs */
    bool encloses;         /* it ran other graphs */
} sg_place_seen_node;

typedef struct sg_collector sg_collector;

/* A graph that inference has run. */
typedef struct sg_place_seen {
    struct sg_place_seen *outer; /* the graph that was running when this one began */
    const void *key;             /* sg_op_origin.graph of its ops; NULL: it has no ops */
    sg_infer *infer;             /* while it runs */
    sg_fact_fault *missing;      /* a tensor that it reads or returns, but nothing gives; NULL */
    sg_span missing_at;
    const char *missing_for; /* who reads or returns it */
    sg_collector *collector; /* after it has finished */
    const char *model;
    const char **path;
    int64_t npath;
    const sg_graph *graph;
    const sg_graph_function *function; /* the function whose body it is, or NULL */
    sg_place_seen_node *nodes;
    int64_t count, capacity;
    const sg_graph_node *inner; /* the last node that ran another graph */
} sg_place_seen;

struct sg_collector {
    sg_arena *arena;
    const sg_place_seen *seen;
    sg_placement *graph;
    sg_nameset names;  /* tensor -> index in graph->tensors */
    sg_nameset own;    /* name that the graph itself defines -> sg_place_kind */
    sg_nameset open;   /* open dimension -> index in graph->open */
    sg_nameset movers; /* tensor that a kernel writes -> index in splits */
    sg_split *const *splits;
    bool *placed; /* for each split: its node has been added */
    int64_t tensor_capacity, node_capacity, open_capacity;
};

/* collect_tensors.c: the names that the graph itself defines. */
void sg_collect_names(sg_collector *c);
/* Adds all tensors of the graph. Runs at its end, while inference is still available. */
void sg_collect_tensors(sg_collector *c);
/* The index of a tensor, which is added if it is new. fact: what is known of it; may be NULL. */
int64_t sg_collect_tensor(sg_collector *c, const char *name, const sg_fact *fact);
/* Raises the least number of each open dimension in the sum to this one, up to a limit. */
void sg_collect_least(sg_collector *c, const sg_sum *sum, int64_t least);

#endif
