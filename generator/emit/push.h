/* Presents the model to Lua: read-only objects with the fields of model.inc; all numbers are
 * integers. Reading a field that does not exist is an error. Nothing
 * is copied: an object is a pointer into the model, which must outlive the Lua state. */
#ifndef SG_EMIT_PUSH_H
#define SG_EMIT_PUSH_H

#include <lua.h>
#include <stdint.h>

#include "emit/model.h"
#include "emit/watch.h"

/* Makes the metatables for objects of the model; may raise a Lua error (memory). *current is set to
 * the index of the kernel last read from the unit's list, for messages; -1 past its end. watch is
 * called for fields that are read; may be NULL. */
void sg_push_open(lua_State *L, const sg_model *model, int64_t *current,
                  const sg_emit_watch *watch);

/* Pushes the unit. */
void sg_push_model(lua_State *L, const sg_model *model);

/* The numbers of a list of integers at index; NULL if it is not one. */
const int64_t *sg_push_integers_of(lua_State *L, int index, int64_t *count);

#endif
