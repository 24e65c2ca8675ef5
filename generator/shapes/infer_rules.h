/* infer_rules: the rules of operators, functions in Lua that get what is known of a node's inputs
 * and return what is known of its outputs. They run within budgets and reach nothing outside. */
#ifndef SG_FRONTEND_GRAPH_INFER_RULES_H
#define SG_FRONTEND_GRAPH_INFER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "shapes/fact.h"
#include "lua/lua_meter.h"

#define SG_RULES_FILES 32

/* What the last run came to. */
typedef enum sg_rules_outcome {
    SG_RULES_FINE,
    SG_RULES_MISTYPED, /* the rule read an attribute of another type, or one that is given twice */
    SG_RULES_REFUSED,  /* the rule called error: the outputs are unknown, and why */
    SG_RULES_BROKEN,   /* the rule itself is wrong */
    SG_RULES_NONE      /* there is no rule */
} sg_rules_outcome;

typedef struct sg_rules_job sg_rules_job;

typedef struct sg_rules {
    sg_meter meter;
    sg_arena *arena;
    sg_diag *diag;
    const sg_source *user;                    /* NULL: only built-in rules */
    const sg_source *sources[SG_RULES_FILES]; /* made when a place in them is wanted */
    int nbuiltin;
    int64_t total_steps;
    const char *raised_by; /* the option that raises them; NULL */
    int64_t call_steps;
    int64_t entries; /* dims and values made so far */
    int64_t max_entries;

    sg_rules_job *job;
    sg_rules_outcome outcome;
    const sg_graph_attribute *wrong; /* what was mistyped, */
    const char *wanted;              /* and the type that the rule asked for */
    const char *refused;             /* the Lua string `error` was called with */
    const char *message;             /* of the last failure */
    int file;                        /* where it was; -1: not known */
    size_t line;
} sg_rules;

/* Loads the built-in rules and the user's. False: reported. `rules` may not move afterwards; close
 * it in any case. */
bool sg_rules_open(sg_rules *rules, sg_arena *arena, sg_diag *diag, const sg_source *user,
                   int64_t total_steps, const char *raised_by, int64_t call_steps,
                   int64_t max_entries) SG_CHECK;
void sg_rules_close(sg_rules *rules);

/* Runs the rule of a node. inputs[i] is NULL where the input is not given. Fills outputs with new
 * facts without causes. *reason receives NULL or why the rule knows nothing. False: reported (a
 * budget, or an error in the user's rules). SG_RULES_MISTYPED is left to report. */
bool sg_rules_run(sg_rules *rules, const sg_graph_node *node, const sg_fact *const *inputs,
                  sg_fact **outputs, const char **reason) SG_CHECK;

#endif
