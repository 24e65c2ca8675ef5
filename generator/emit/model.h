/* The model that templates see: plans with names that do not collide, offsets of typed pointers in
 * elements, and programs divided into functions. The plan decides every number; the model only
 * spells it. push.c presents these structures to Lua under the names of their members; model.inc
 * documents each member.
 *
 * A model borrows from the unit and its plans; everything else belongs to the arena. */
#ifndef SG_EMIT_MODEL_H
#define SG_EMIT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "emit/unit.h"

/* clang-format off */
#define OBJECT(type, meaning) typedef struct sg_model_##type sg_model_##type;
#include "emit/model.inc"

#define OBJECT(type, meaning)               struct sg_model_##type {
#define END(type)                           };
#define TEXT(type, name, meaning)           const char *name;
#define INT(type, name, meaning)            int64_t name;
#define FLAG(type, name, meaning)           bool name;
#define COUNT(type, name, flag, unless, meaning) int64_t name;
#define INTS(type, name, meaning)           const int64_t *name; int64_t n##name;
#define LIST(type, name, element, meaning)  sg_model_##element *name; int64_t n##name;
#define REFS(type, name, element, meaning)  sg_model_##element **name; int64_t n##name;
#define ONE(type, name, element, meaning)   const sg_model_##element *name;
#define OWN(type, declaration, meaning)     declaration;
#include "emit/model.inc"
/* clang-format on */

typedef sg_model_unit sg_model;

/* The elements of a constant part as integers in C, separated by commas, and their type;
 * model_constant.c. */
const char *sg_model_values(sg_arena *arena, const sg_split *split, const sg_part *part);
const char *sg_model_values_type(sg_arena *arena, const sg_split *split);

/* Whether an instruction and its constant, as spelled, move the same bytes as in the program that
 * was proved; model_check.c. */
bool sg_model_moves_as(const sg_body *v, const sg_code *from, const sg_model_vector_insn *insn,
                       const sg_model_constant *constants);

/* Fills the variants of a kernel whose outputs are filled; model_vector.c. */
void sg_model_bodies(sg_arena *arena, sg_model_kernel *kernel);

/* Fills `list` with the functions of a variant with this name and these codes. Returns their
 * number; model_functions.c. */
int64_t sg_model_functions(sg_arena *arena, const sg_plan *plan, const char *helper, int64_t body,
                           const char *symbol, const sg_model_code *codes,
                           sg_model_function **list);

/* The same with the groups of columns of a variant. */
int64_t sg_model_list_columns(sg_arena *arena, const sg_plan *plan, const sg_body *v,
                              sg_model_columns **list);

/* The name of the function that the dispatch table calls for a store mode. */
const char *sg_model_chosen(sg_arena *arena, const sg_plan *plan, const char *symbol,
                            sg_store_mode store_mode);

/* Fills a group with the adjacent rows of the plan's table, from `rows` on, for the same variant,
 * which has this name. Returns their number. The memory belongs to the arena. */
int64_t sg_model_choices(sg_arena *arena, const sg_plan *plan, const sg_choice *rows,
                         const char *symbol, sg_model_group *to);

/* Fills the fields of a kernel over bits; model_bits.c. */
void sg_model_bits_build(sg_arena *arena, sg_model_kernel *kernel);

/* Fills the fields about placements; model_placement.c. macros: the names that are taken. */
void sg_model_placements(sg_arena *arena, sg_nameset *macros, sg_model *model);

/* Fills the fields about pictures of a model and its kernels; model_picture.c. */
void sg_model_pictures(sg_arena *arena, sg_model *model);

const sg_model *sg_model_build(sg_arena *arena, const sg_unit *unit);

/* The contents of --emit=proof-cpp, in the model's arena. Built only for templates that read it;
 * model_proof.c. */
const sg_model_proof *sg_model_proof_build(const sg_model *model);

#endif
