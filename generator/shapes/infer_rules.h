/* infer_rules: the rules of operators. A rule is a Lua function that receives what is known about a
 * node's inputs and returns what is known about its outputs. Rules run within budgets and have no
 * access to anything outside. */
#ifndef SG_FRONTEND_GRAPH_INFER_RULES_H
#define SG_FRONTEND_GRAPH_INFER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "shapes/fact.h"
#include "shapes/sum_lua.h"
#include "lua/lua_meter.h"

#define SG_RULES_FILES 32

/* The result of the last run. */
typedef enum sg_rules_outcome {
    SG_RULES_FINE,
    SG_RULES_MISTYPED, /* the rule read an attribute that has another type or is given twice */
    SG_RULES_REFUSED,  /* the rule called error: the outputs are unknown, for that reason */
    SG_RULES_BROKEN,   /* the rule itself has an error */
    SG_RULES_NONE      /* there is no rule */
} sg_rules_outcome;

typedef struct sg_rules_job sg_rules_job;

typedef struct sg_rules {
    sg_meter meter;
    sg_arena *arena;
    sg_diag *diag;
    const sg_source *user;                    /* NULL: only built-in rules */
    const sg_source *sources[SG_RULES_FILES]; /* created when a position in them is needed */
    int nbuiltin;
    int64_t entries; /* dims and values created so far */
    int64_t max_entries;
    sg_sum_lua sums;

    sg_rules_job *job;
    bool quiet; /* the run is a trial: rules do not warn */
    sg_rules_outcome outcome;
    const sg_graph_attribute *wrong; /* the attribute with the wrong type */
    const char *wanted;              /* the type that the rule asked for */
    const char *refused;             /* the Lua string that `error` was called with */
    const char *message;             /* of the last failure */
    int file;                        /* where it happened; -1: unknown */
    size_t line;
} sg_rules;

/* Loads the built-in rules and the user's. False: reported. `rules` may not be moved afterwards;
 * close it even after a failure. */
bool sg_rules_open(sg_rules *rules, sg_arena *arena, sg_diag *diag, const sg_source *user,
                   int64_t max_entries) SG_CHECK;
void sg_rules_close(sg_rules *rules);

/* Runs the rule of a node. inputs[i] is NULL if the input is not given. Sets outputs to new facts
 * without causes. *reason receives why the rule could not infer them, or NULL. False: reported (a
 * budget, or an error in the user's rules). The caller reports SG_RULES_MISTYPED. */
bool sg_rules_run(sg_rules *rules, const sg_graph_node *node, const sg_fact *const *inputs,
                  sg_fact **outputs, const char **reason) SG_CHECK;

#endif
