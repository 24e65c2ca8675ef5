/* The table of options, made from options.inc, and the values given on a command line. */
#ifndef SG_DRIVER_OPTION_VALUES_H
#define SG_DRIVER_OPTION_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"
#include "driver/choices.inc"
#include "driver/command_line.h"
#include "emit/emit.h"

typedef enum sg_option_kind {
    SG_OPTION_FLAG,    /* no argument */
    SG_OPTION_TEXT,    /* any text */
    SG_OPTION_NAME,    /* any non-empty text */
    SG_OPTION_FILE,    /* the same, as the path of a file or folder */
    SG_OPTION_IDENT,   /* the start of a C identifier, or empty */
    SG_OPTION_SECTION, /* a name that is valid in a section attribute */
    SG_OPTION_DEFINE,  /* NAME=VALUE with a non-empty name; each name once */
    SG_OPTION_NUMBER,  /* from 1 to SG_OPTION_NUMBER_MAX */
    SG_OPTION_CHOICE,  /* one of the choices */
    SG_OPTION_TOPIC,   /* the same, optional; without a value the first choice: --help, --help=types
                        */
    SG_OPTION_MAYBE,   /* any non-empty text, optional: --open, --open=N */
    SG_OPTION_CHOICES  /* several of them, separated by commas */
} sg_option_kind;

/* How an option affects the generated text. The command in each generated file contains only
 * this. */
typedef enum sg_option_shapes {
    SG_SHAPES_NOTHING, /* not at all */
    SG_SHAPES_TEXT,    /* by its value */
    SG_SHAPES_FILE, /* by the contents of the file it names; in that command the file is beside the
                       input */
    SG_SHAPES_FOLDER, /* by the contents of files in the folder it names, which are there too */
    SG_SHAPES_INPUT   /* it is an input, and is listed with them */
} sg_option_shapes;

#define SG_OPTION_NUMBER_MAX INT64_C(1000000000000)

typedef enum sg_option_group {
#define GROUP(id, title) SG_GROUP_##id,
#include "driver/options.inc"
    SG_GROUP_COUNT
} sg_option_group;

typedef enum sg_option_id {
#define OPTION(id, long_, short_, argument, kind, choices, repeats, shapes, group, help, man)      \
    SG_OPT_##id,
#include "driver/options.inc"
    SG_OPT_COUNT
} sg_option_id;

typedef enum sg_kind {
#define KIND(id, ...) SG_KIND_##id,
#include "driver/kinds.inc"
    SG_KIND_COUNT,
    SG_EMIT_RUNTIME = SG_KIND_COUNT /* a word of --emit for files that are not made of kernels */
} sg_kind;

#define SG_CHOICE_ENUM(id, word, what) id,
typedef enum sg_choice_optimize { SG_CHOICES_OPTIMIZE(SG_CHOICE_ENUM) } sg_choice_optimize;
typedef enum sg_choice_views { SG_CHOICES_VIEWS(SG_CHOICE_ENUM) } sg_choice_views;
typedef enum sg_skip { SG_CHOICES_SKIP(SG_CHOICE_ENUM) } sg_skip;
typedef enum sg_choice_unroll { SG_CHOICES_UNROLL(SG_CHOICE_ENUM) } sg_choice_unroll;
typedef enum sg_isa_name { SG_CHOICES_ISA(SG_CHOICE_ENUM) SG_ISA_NAMES } sg_isa_name;
typedef enum sg_choice_dispatch { SG_CHOICES_DISPATCH(SG_CHOICE_ENUM) } sg_choice_dispatch;
typedef enum sg_choice_nt { SG_CHOICES_NT(SG_CHOICE_ENUM) } sg_choice_nt;
typedef enum sg_stage { SG_CHOICES_DUMP(SG_CHOICE_ENUM) SG_STAGE_COUNT } sg_stage;
typedef enum sg_format { SG_CHOICES_FORMAT(SG_CHOICE_ENUM) } sg_format;
typedef enum sg_when { SG_CHOICES_COLOR(SG_CHOICE_ENUM) } sg_when;
typedef enum sg_standalone_with { SG_CHOICES_STANDALONE(SG_CHOICE_ENUM) } sg_standalone_with;
typedef enum sg_topic { SG_CHOICES_TOPIC(SG_CHOICE_ENUM) } sg_topic;
typedef enum sg_print { SG_CHOICES_PRINT(SG_CHOICE_ENUM) } sg_print;
#undef SG_CHOICE_ENUM

typedef struct sg_option_info {
    const char *long_name;  /* "" if there is none */
    const char *short_name; /* "" if there is none; may be longer than a letter */
    const char *argument;   /* "" for a flag */
    sg_option_kind kind;
    const char *const *choices; /* ends with NULL; empty without choices */
    const char *const *whats;   /* what each choice means, in a few words */
    bool repeats;
    sg_option_shapes shapes;
    sg_option_group group;
    const char *help;
    const char *man;
} sg_option_info;

const sg_option_info *sg_option_get(sg_option_id id);
/* An older long name of an option, which stays valid: a row of older.inc. */
typedef struct sg_older_option {
    const char *name;
    sg_option_id id;
    const char *value; /* what it stands for without '='; "": it takes a value */
} sg_older_option;

/* The row i of older.inc; NULL: there are fewer. */
const sg_older_option *sg_option_older(size_t i);
/* The option with this long name; SG_OPT_COUNT: none. older: the row if the name is an older one,
 * otherwise NULL. */
sg_option_id sg_option_find(sg_str name, const sg_older_option **older);
/* The index of a choice, which may have an older name; -1: it is not one. */
int sg_option_choice(sg_option_id id, sg_str word);
const char *sg_option_group_title(sg_option_group group);
/* "--emit" or "-o": the name for messages, the long one if there is one; in the arena. */
const char *sg_option_name(sg_arena *arena, sg_option_id id);

/* One value with its position on the command line. */
typedef struct sg_option_item {
    const char *text;
    sg_span span;
} sg_option_item;

typedef struct sg_option_value {
    sg_option_item *items; /* in the order given; a flag has its own name as text, and an
                              option without its optional value an empty one */
    int64_t count;
    int64_t number; /* NUMBER: the value or 0; CHOICE: the index; CHOICES: a bit for each index */
} sg_option_value;

/* A file, "-", or a notation text. */
typedef struct sg_input {
    const char *text;
    bool notation;
    sg_span span;
} sg_input;

typedef struct sg_options {
    sg_command_line line;
    sg_input *inputs; /* in the order given */
    int64_t ninputs;
    sg_option_value values[SG_OPT_COUNT];
    sg_emit_watch watch; /* watches rendering; not set by any option */
} sg_options;

bool sg_options_has(const sg_options *options, sg_option_id id);
/* The value of an option that can be given once, or NULL. */
const char *sg_options_text(const sg_options *options, sg_option_id id);
/* Whether --skip names this. */
bool sg_options_skips(const sg_options *options, sg_skip what);
/* Whether model operators with missing sizes are skipped. */
bool sg_options_skip(const sg_options *options);
/* Whether the value is optional and must follow a '='. */
bool sg_option_is_optional(const sg_option_info *info);
/* The position of the option's first value, or the end of the command line. */
sg_span sg_options_span(const sg_options *options, sg_option_id id);

#endif
