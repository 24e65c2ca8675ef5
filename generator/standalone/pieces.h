/* Pieces of the headers: a function, a macro, a type or a variable each, with the comment before it
 * and the conditions around it. */
#ifndef SG_STANDALONE_PIECES_H
#define SG_STANDALONE_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "split/nameset.h"

/* What a compiler targets: bits. Code for one of the first three is under its macro. */
enum { SG_ON_X86 = 1, SG_ON_NEON = 2, SG_ON_WASM = 4, SG_ON_OTHER = 8, SG_ON_ANY = 15 };
enum { SG_C_TARGETS = 3 };

typedef struct sg_c_target {
    const char *macro;
    unsigned on;
} sg_c_target;

extern const sg_c_target sg_c_targets[SG_C_TARGETS];

/* A condition: the targets for which it can hold, and those for which it is certain to. */
typedef struct sg_c_condition {
    unsigned can;
    unsigned must;
} sg_c_condition;

/* #if ... #elif ... #else ... #endif */
typedef struct sg_group {
    sg_str comment;             /* before the #if, or empty */
    sg_str *directives;         /* "#if A", "#else" */
    sg_c_condition *conditions; /* of each */
    int64_t count;
    int64_t capacity;
    unsigned needed; /* the targets that need pieces of it with its directives */
} sg_group;

/* A branch of a group, inside of another branch. */
typedef struct sg_branch {
    const struct sg_branch *up; /* NULL: none */
    sg_group *group;
    int64_t index;
    unsigned on;   /* the targets that may compile it */
    unsigned own;  /* the same by the conditions of its group alone */
    unsigned left; /* those that may compile a later branch, by these */
} sg_branch;

typedef struct sg_piece {
    sg_str text; /* complete lines */
    sg_str comment;
    const sg_branch *branch; /* NULL: none */
    int file;
    int include;    /* the number of the #include of the printed text that leads to it */
    bool is_source; /* of the runtime; only names that begin with "splitgen_" are known elsewhere */
    bool is_common; /* needed by all others of its file */
    bool is_system; /* #include of a header of the system, with its conditions */
    int64_t until;  /* the last #undef of this macro; -1: none */
    unsigned needed; /* the targets that need it */
} sg_piece;

/* A name, or the start of names that macros put together, and the piece that defines it. */
typedef struct sg_definition {
    sg_str name;
    int64_t piece;
    int64_t next; /* the definition before it of the same name; -1: none */
} sg_definition;

typedef struct sg_pieces {
    sg_arena *arena;
    sg_piece *items;
    int64_t count;
    int64_t capacity;
    sg_definition *definitions;
    int64_t ndefinitions;
    int64_t definitions_capacity;
    sg_nameset names;    /* of definitions: the last one of each name */
    sg_nameset given;    /* macros that the printed text defines */
    sg_nameset included; /* files that were cut */
    int include;
} sg_pieces;

/* Cuts a file of sg_headers and those that it includes, once. What a source of the runtime defines
 * becomes static. */
void sg_pieces_cut(sg_pieces *pieces, const char *name);

/* The last definition of a name; -1: none. */
int64_t sg_pieces_find(const sg_pieces *pieces, sg_str name);

/* --- words of C text; words.c ------------------------------------------------------------------
 */

/* The position after the comment, string or character at `at`, which ends before len; `at` if there
 * is none. */
size_t sg_c_skip(sg_str text, size_t at);

/* The position after a directive that begins at `at`, with its continuation lines. */
size_t sg_c_line_end(sg_str text, size_t at);

/* A word: an identifier. */
typedef struct sg_c_word {
    sg_str name;
    unsigned on;    /* the targets that compile it */
    bool is_pasted; /* ## follows: only the start of a name */
} sg_c_word;

/* Calls `each` for every identifier, except those in comments and strings. `on` are the targets
 * that compile the text, given the macros that are defined. */
typedef void sg_c_each(void *user, const sg_c_word *word);
void sg_c_words(sg_str text, unsigned on, const sg_nameset *given, sg_c_each *each, void *user);

/* Reads an #if, #elif or #else. given: the macros that are defined. */
sg_c_condition sg_c_condition_of(sg_str directive, const sg_nameset *given);

/* Adds a directive as "if", "elif" or "else", without what is certain for these targets. */
void sg_c_add_directive(sg_buf *out, const char *word, sg_str directive, unsigned on,
                        const sg_nameset *given);

/* The name of a directive: "if", "define"; empty if the line is none. */
sg_str sg_c_directive(sg_str line);
bool sg_c_opens(sg_str directive); /* whether it is "if", "ifdef" or "ifndef" */

/* The header in a line that includes one: "<string.h>"; empty: another line. */
sg_str sg_c_included(sg_str line);
sg_str sg_c_included_own(sg_str line); /* the same for splitgen's: "rows.h" */

/* The first identifier at or after *at, which moves behind it; empty: none. */
sg_str sg_c_next_name(sg_str text, size_t *at);

#endif
