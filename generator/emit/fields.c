/* The fields of all structures that templates see, from model.inc. No text, no decisions. */
#include "emit/fields.h"

#include <stdbool.h>

#include "emit/model.h"

static const void *get_unit_proof(const void *at, const sg_type **of)
{
    *of = &sg_types[SG_TYPE_proof];
    return sg_model_proof_build(at);
}

static const void *get_group_body(const void *at, const sg_type **of)
{
    const sg_model_group *group = at;
    *of = &sg_types[group->bit_body != NULL ? SG_TYPE_bit_body : SG_TYPE_body];
    return group->bit_body != NULL ? (const void *)group->bit_body : group->body;
}

/* clang-format off */
#define PLACE(type, name)           .offset = offsetof(sg_model_##type, name)
#define COUNTED(type, name)         PLACE(type, name), .count = offsetof(sg_model_##type, n##name)

#define OBJECT(type, meaning)       static const sg_field type##_fields[] = {
#define END(type)                   };
#define TEXT(type, name, meaning)   {#name, SG_FIELD_TEXT, PLACE(type, name)},
#define INT(type, name, meaning)    {#name, SG_FIELD_INT, PLACE(type, name)},
#define FLAG(type, name, meaning)   {#name, SG_FIELD_FLAG, PLACE(type, name)},
#define COUNT(type, name, flag, unless_, meaning) \
    {#name, SG_FIELD_INT, PLACE(type, name), .unless = unless_, .only_if = offsetof(sg_model_##type, flag)},
#define INTS(type, name, meaning)   {#name, SG_FIELD_INTS, COUNTED(type, name)},
#define LIST(type, name, element, meaning) \
    {#name, SG_FIELD_LIST, COUNTED(type, name), .of = &sg_types[SG_TYPE_##element]},
#define REFS(type, name, element, meaning) \
    {#name, SG_FIELD_REFS, COUNTED(type, name), .of = &sg_types[SG_TYPE_##element]},
#define ONE(type, name, element, meaning) \
    {#name, SG_FIELD_ONE, PLACE(type, name), .of = &sg_types[SG_TYPE_##element]},
#define CALL(type, name, element, meaning) {#name, SG_FIELD_CALL, .get = get_##type##_##name},
#include "emit/model.inc"

const sg_type sg_types[SG_TYPE_COUNT] = {
#define OBJECT(type, meaning) \
    {#type, sizeof(sg_model_##type), type##_fields, sizeof type##_fields / sizeof type##_fields[0]},
#include "emit/model.inc"
};
