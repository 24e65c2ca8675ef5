/* Shows the model to Lua: read-only objects with the fields of model.inc, every number an integer.
 * Reading a field that does not exist is an error that proposes the nearest one. Nothing is
 * copied: an object is a pointer into the model, which must outlive the Lua state. */
#ifndef SG_EMIT_PUSH_H
#define SG_EMIT_PUSH_H

#include <lua.h>
#include <stdint.h>

#include "emit/model.h"
#include "emit/watch.h"

/* Makes the metatables for objects of the model; may raise a Lua error (memory). current is set to
 * the index of the kernel last taken from the unit's list, -1 behind its end, for messages. watch
 * is told of fields that are read; NULL: nobody asks. */
void sg_push_open(lua_State *L, const sg_model *model, int64_t *current,
                  const sg_emit_watch *watch);

/* Pushes the unit. */
void sg_push_model(lua_State *L, const sg_model *model);

/* The numbers of a list of whole numbers at index; NULL: it is something else. */
const int64_t *sg_push_integers_of(lua_State *L, int index, int64_t *count);

/* Raises "<what> 'name' does not exist; did you mean 'other'?" for a name not among the string
 * keys of the table at index. */
int sg_push_unknown(lua_State *L, const char *what, const char *name, int table);

#endif
