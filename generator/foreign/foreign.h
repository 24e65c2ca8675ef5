/* foreign: words and files of other tools that people give to splitgen, and what to do instead. All
 * of them are rows of foreign.inc. Reports nothing; callers add the text to their messages. */
#ifndef SG_FOREIGN_FOREIGN_H
#define SG_FOREIGN_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

typedef enum sg_foreign_place {
    SG_FOREIGN_OPTION,
    SG_FOREIGN_FIELD,
    SG_FOREIGN_NAME,
    SG_FOREIGN_SYNTAX,
    SG_FOREIGN_DTYPE
} sg_foreign_place;

/* The sentence of the table for a word in this place, or NULL. */
const char *sg_foreign_word(sg_foreign_place place, sg_str word);

/* What a file is that no reader recognises as a model, and what to do, as a clause that follows its
 * name. head: its first bytes, a few thousand or all. NULL: it is text that may be a spec. */
const char *sg_foreign_file(const char *path, const char *head, size_t n);

/* Whether a path ends with `ending`, ignoring case. */
bool sg_foreign_is_named(const char *path, const char *ending);

#endif
