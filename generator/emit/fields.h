/* How Lua sees the structures of model.h: a table of fields for each, made from model.inc. */
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
    SG_FIELD_CALL  /* a structure that a function returns */
} sg_field_kind;

typedef struct sg_field {
    const char *name;
    sg_field_kind kind;
    size_t offset;
    size_t count;      /* offset of the int64_t with the length of a list */
    const sg_type *of; /* the type of the structures it points to */
    const void *(*get)(const void *at, const sg_type **of); /* returns a structure for another */
    /* If set, the field is a count that calls may exceed in some structures, so that it must not
     * become a bound there. Reading it is an error with this text unless the bool at `only_if` is
     * true. */
    const char *unless;
    size_t only_if;
} sg_field;

struct sg_type {
    const char *name; /* in model.inc */
    size_t size;
    const sg_field *fields;
    size_t nfields;
};

/* All types. Templates start from that of the unit. */
enum {
#define OBJECT(type, meaning) SG_TYPE_##type,
#include "emit/model.inc"
    SG_TYPE_COUNT
};
extern const sg_type sg_types[SG_TYPE_COUNT];

#endif
