/* How the structures of model.h look to Lua: a table of fields for each, made of model.inc. */
#ifndef SG_EMIT_FIELDS_H
#define SG_EMIT_FIELDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct sg_type sg_type;

typedef enum sg_field_kind {
    SG_FIELD_TEXT, /* const char * */
    SG_FIELD_INT,  /* int64_t */
    SG_FIELD_FLAG, /* bool */
    SG_FIELD_LIST, /* array of structures at a pointer */
    SG_FIELD_REFS, /* array of pointers to structures */
    SG_FIELD_INTS, /* array of int64_t */
    SG_FIELD_ONE,  /* pointer to a structure */
    SG_FIELD_CALL  /* a structure that a function finds */
} sg_field_kind;

typedef struct sg_field {
    const char *name;
    sg_field_kind kind;
    size_t offset;
    size_t count;      /* offset of the int64_t that counts a list */
    const sg_type *of; /* of what it leads to */
    const void *(*get)(const void *at, const sg_type **of); /* finds a structure from another */
    /* Set: a count that a call may exceed in some structures, which must not become a bound there.
     * Reading it is an error with this text unless the bool at `only_if` is true. */
    const char *unless;
    size_t only_if;
} sg_field;

struct sg_type {
    const char *name; /* in model.inc */
    size_t size;
    const sg_field *fields;
    size_t nfields;
};

/* The types; the unit's is what a template starts from. */
enum {
#define OBJECT(type, meaning) SG_TYPE_##type,
#include "emit/model.inc"
    SG_TYPE_COUNT
};
extern const sg_type sg_types[SG_TYPE_COUNT];

#endif
