/* How the structures of model.h look to Lua: tables of fields, and what is computed on reading. */
#ifndef SG_EMIT_FIELDS_H
#define SG_EMIT_FIELDS_H

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_type sg_type;

typedef enum sg_field_kind {
    SG_FIELD_TEXT,     /* const char * */
    SG_FIELD_INT,      /* int64_t */
    SG_FIELD_FLAG,     /* bool */
    SG_FIELD_LIST,     /* array of structures at a pointer */
    SG_FIELD_POINTERS, /* array of pointers to structures */
    SG_FIELD_INTS,     /* array of int64_t; a NULL pointer is nil */
    SG_FIELD_CALL      /* computed by a function */
} sg_field_kind;

/* Pushes one value computed from a structure and the structure it was reached through. */
typedef void sg_getter(lua_State *L, const void *at, const void *owner);

typedef struct sg_field {
    const char *name;
    sg_field_kind kind;
    size_t offset;
    size_t count; /* offset of the int64_t that counts a list */
    const sg_type *of;
    sg_getter *get;
    /* Set: a count that a call may exceed in some structures, which must not become a bound there.
     * Reading it is an error with this text unless the bool at `only_if` is true. */
    const char *unless;
    size_t only_if;
} sg_field;

struct sg_type {
    const char *name; /* in messages */
    size_t size;
    const sg_field *fields;
    size_t nfields;
};

/* Every type there is; the unit's is what a template starts from. */
extern const sg_type *const sg_types[];
extern const size_t sg_types_count;
extern const sg_type sg_type_unit;
extern const sg_type sg_type_kernel;
extern const sg_type sg_type_bits;

/* Pushes a structure, for getters; push.c's. */
void sg_push_object(lua_State *L, const sg_type *of, const void *at);

/* Pushes a list of integers, for getters; push.c's. */
void sg_push_ints(lua_State *L, const int64_t *values, int64_t count);

#endif
