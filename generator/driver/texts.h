/* Text files embedded at build time (see CMakeLists.txt), with a NUL after the last byte. */
#ifndef SG_DRIVER_TEXTS_H
#define SG_DRIVER_TEXTS_H

#include <stddef.h>

extern const char sg_text_help_head[];
extern const size_t sg_text_help_head_len;
extern const char sg_text_help_tail[];
extern const size_t sg_text_help_tail_len;
extern const char sg_text_help_types[];
extern const size_t sg_text_help_types_len;
extern const char sg_text_man[];
extern const size_t sg_text_man_len;
extern const char sg_text_man_runtime[];
extern const size_t sg_text_man_runtime_len;
extern const char sg_text_completion_bash[];
extern const size_t sg_text_completion_bash_len;
extern const char sg_text_arrays[];
extern const size_t sg_text_arrays_len;
extern const char sg_text_lua_api[];
extern const size_t sg_text_lua_api_len;

#endif
