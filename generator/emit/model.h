/* What the templates see: the plans with names that do not collide, offsets on typed pointers in
 * elements, and the programs cut into functions. Every number is decided by the plan; this adds
 * spelling, not decisions. push.c shows these structures to Lua under the names of their fields.
 *
 * A model borrows from the unit and its plans; everything else belongs to the arena. */
#ifndef SG_EMIT_MODEL_H
#define SG_EMIT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "emit/emit.h"

typedef struct sg_model_kernel sg_model_kernel;

typedef struct sg_model_output {
    const sg_model_kernel *kernel;
    const char *name;   /* as the user knows it, any bytes */
    const char *tensor; /* in the model it comes from; "" */
    const char *symbol; /* C parameter */
    const char *python; /* the same as a name in Python */
    const char *macro;  /* prefix of its constants, "QKV_Q" */
    int64_t index;      /* among the kernel's outputs, from 0 */
    int64_t *dims;
    int64_t start; /* on the axis */
    int64_t length;
    int64_t elements;
    int64_t bytes;
    bool moves;             /* the kernel copies something into it */
    int64_t row_offset;     /* units from the start of a row of the input; 0 if !moves. Over bits
                               they are elements, as are row_elements */
    int64_t row_elements;   /* units of one row; 0 if !moves */
    const char *view;       /* "contiguous", "strided", "copy" */
    const char *view_macro; /* SPLITGEN_VIEW_... */
    const char *view_why;
    bool has_view;  /* offset and strides mean something */
    int64_t offset; /* of the view, elements */
    int64_t byte_offset;
    const int64_t *strides; /* elements; NULL if !has_view */
    int64_t row_stride;     /* of the view, elements */
    int64_t view_align;     /* of its rows, bytes */
    const char *strategy;
    int64_t units;       /* of the C type in the buffer: elements, or bytes of packed ones */
    int64_t group_bytes; /* of one group of a kernel over bits */
    int64_t dims_row;    /* row of the kernel's table of dims */
    int64_t strides_row; /* row of the kernel's table of strides; 0 if !has_view */
} sg_model_output;

/* A text in a list. */
typedef struct sg_model_text {
    const char *text;
} sg_model_text;

/* One row of a table of shapes or strides shared by the tensors of a kernel. */
typedef struct sg_model_row {
    const int64_t *values; /* rank entries */
} sg_model_row;

/* A stretch of instructions that is printed in one place: in line, or as a function. */
typedef struct sg_model_part {
    const char *symbol; /* of the function; "" in line */
    bool in_loop;       /* offsets are relative to a row given at run time */
    bool is_inline;     /* the only body of a loop; other functions must stay apart */
    const sg_model_kernel *kernel;
    int64_t base_row; /* added to the instructions' rows; 0 in a loop */
    int64_t rows;     /* rows covered by the segment it belongs to */
    bool by_outputs;  /* one output after the other */
    bool is_shared;   /* other parts have the same function, which is told where it works */
    int64_t index;    /* then: of the outputs, added to those of the first of these parts */
    int64_t offset;   /* and elements of the input */
    const sg_insn *insns;
    int64_t ninsns;
    const sg_model_output **outputs; /* those written, in order */
    int64_t noutputs;
} sg_model_part;

/* What the kernel does, in order: a part in line, calls of parts, or a loop around calls. */
typedef struct sg_model_step {
    const char *kind;  /* "inline", "calls", "loop" */
    bool is_fixed;     /* first_row and end_row are those of every call */
    int64_t first_row; /* loop: for (row = first_row; row < end_row; row += step_rows) */
    int64_t end_row;
    int64_t step_rows;
    sg_model_part **parts;
    int64_t nparts;
} sg_model_step;

/* A constant of a vector body. Small masks are literals in the instruction, everything else is an
 * array that is loaded once. */
typedef struct sg_model_constant {
    const char *symbol; /* "index0", "mask2" */
    bool is_array;
    bool is_literal;     /* stands in the instruction itself, which can take nothing else */
    const char *element; /* of the array: "uint8_t"; of a mask: "__mmask64" */
    int64_t *values;
    int64_t nvalues;
    const char *literal; /* of a mask that is no array: "0x924" */
    int64_t lanes;       /* of a mask */
    bool kept;           /* over bits: has a variable, which the symbol is */
    int64_t row;         /* over bits: of an array, its number among them */
} sg_model_constant;

/* One instruction of a vector body. Registers are "v0", "v1" ...; offsets in bytes. */
typedef struct sg_model_vector_insn {
    /* "load", "permute", "blend", "store", "lines", "call" and so on. "select" is a blend by a mask
     * in a vector where others have mask registers, "blend_words" one by a literal for elements of
     * 2 bytes, "unpack" a permute of two sources that interleaves their halves, "store_all" a store
     * of all units of a register behind each other; "put" and "short" copy runs of less than a
     * vector, by moves and by vectors of 32 bytes. Over bits "merge" and "merge_pick" are a permute
     * or a pick of b, blended into a. */
    const char *op;
    bool is_run;        /* lines, call, copy: memory to memory */
    bool once;          /* a load that is wanted several times: not to be made anew each time */
    bool streams;       /* of whole lines: its stores may bypass the cache */
    bool fed;           /* a run that feeds append */
    const char *string; /* a run for the string instruction: "any" or "aligned"; "" */
    const char *result; /* "" for store, lines, copy */
    const char *a;
    const char *b;
    const char *constant;       /* its symbol, or its literal; "" without one */
    const char *index_constant; /* merge, merge_pick: of what is blended; else "" */
    const char *output;         /* symbol of the output written, "" without one */
    int64_t dst;
    int64_t src;
    int64_t bytes;
    int64_t step; /* load: from one piece of `bytes` to the next; 0: the whole register at once */
    int64_t dst_next; /* where the second unit of a register works; the first one's if none */
    int64_t src_next;
} sg_model_vector_insn;

/* An output that a body writes. */
typedef struct sg_model_target {
    const char *symbol; /* "out0" */
    int64_t index;      /* of the output; where outputs come as an array, from the slice's on */
    int64_t row_bytes;
} sg_model_target;

/* Straight-line vector code over a window of rows. */
typedef struct sg_model_body {
    const char *symbol; /* of its function; "" in line */
    const char *stream_symbol;
    const char *ways_symbol; /* of the one that both of these call, "" without it */
    sg_model_constant *constants;
    int64_t nconstants;
    sg_model_vector_insn *insns;
    int64_t ninsns;
    sg_model_target *targets;
    int64_t ntargets;
    bool by_offset;         /* outputs are written at an offset they have in common */
    bool has_fed;           /* any instruction is fed */
    bool has_streamed_runs; /* any run may bypass the cache */
} sg_model_body;

/* A body at `count` places, regular steps apart. */
typedef struct sg_model_slice {
    const char *symbol; /* of the body */
    const char *stream_symbol;
    int64_t count;
    int64_t output; /* index of the first place's first output */
    int64_t output_step;
    int64_t src; /* bytes of a row before the first place */
    int64_t src_step;
} sg_model_slice;

/* One step of moving the bits of a mask together at the low end: those at `mask` go down. */
typedef struct sg_model_bit_step {
    const char *mask;
    int64_t distance;
} sg_model_bit_step;

/* Bits of one word of the input on their way into one word of an output, shifted to the low end,
 * masked and shifted up; or, with is_pick, masked, moved together in steps and shifted up. */
typedef struct sg_model_bit_piece {
    int64_t src;   /* bytes from the input's base */
    int64_t bytes; /* loaded */
    bool is_pick;
    int64_t right;
    const char *mask; /* "0x3f"; "" where nothing has to be masked */
    int64_t left;
    sg_model_bit_step *steps;
    int64_t nsteps;
} sg_model_bit_piece;

/* One operation of a kernel over bits. Offsets in bytes. */
typedef struct sg_model_bit_op {
    const char *op; /* "word" or "run" */
    int64_t index;  /* of the output written */
    int64_t dst;
    int64_t bytes;
    int64_t src;   /* run: first byte of the input */
    int64_t shift; /* run: bits of it that are skipped */
    sg_model_bit_piece *pieces;
    int64_t npieces;
} sg_model_bit_op;

/* Operations that are printed as one function. */
typedef struct sg_model_bit_block {
    const char *symbol;              /* of the function, without the body's suffix */
    const sg_model_output **outputs; /* those written, in order */
    int64_t noutputs;
    sg_model_bit_op *ops;
    int64_t nops;
    bool has_words;
    bool has_picks;
} sg_model_bit_block;

/* What a trip of a body takes on one microarchitecture. */
typedef struct sg_model_prediction {
    const char *uarch;         /* a word of --tune */
    const char *title;         /* as people call it */
    const char *cycles;        /* "3.00" */
    const char *kernel_cycles; /* of all rows */
    const char *bound;
    const char *bytes_per_cycle;
} sg_model_prediction;

/* A kernel over bits for one kind of machine. */
typedef struct sg_model_bit_body {
    const char *suffix;        /* of functions for what is done by words; "": the portable one's */
    const char *symbol;        /* of its function */
    const char *stream_symbol; /* of the one that bypasses the cache, "" without it */
    const char *isa;           /* "" for the portable one; else the suffix of SPLITGEN_TARGET_ */
    bool has_pext;             /* picks bits by one instruction */
    const char *run;           /* suffix of splitgen_run_lsb */
    const char *cpu;           /* the bits of splitgen_cpu() it needs: "SPLITGEN_BITS_AVX2" */
    bool has_vectors;          /* does groups by vectors, as follows */
    const char *vector_isa;    /* "AVX512VBMI" */
    int64_t trip_groups;       /* groups by vectors at a time */
    int64_t rows;              /* of those */
    const char *cycles;        /* predicted for them, "3.00" */
    const char *kernel_cycles; /* for all groups */
    const char *bound;
    sg_model_prediction *predictions;
    int64_t npredictions;
    int64_t front_trips; /* trips of a turn where stores bypass the cache; 0: they never do */
    sg_model_constant *constants;
    int64_t nconstants;
    int64_t lanes; /* constants that are vectors */
    sg_model_vector_insn *insns;
    int64_t ninsns;
} sg_model_bit_body;

/* A kernel over bits: groups of rows that begin and end at whole bytes, and what is left. */
typedef struct sg_model_bits {
    const char *order; /* "lsb", "msb" */
    int64_t rows;      /* of an item of the split, or 1 where the output is the whole input */
    int64_t group_rows;
    bool has_groups;
    bool has_tail;      /* rows are left behind the last group, as no open dimension leaves any */
    int64_t tail_group; /* the number that these count as: the groups there are */
    int64_t tail_rows;
    int64_t group_bytes; /* of the input */
    sg_model_bit_block *group;
    int64_t ngroup;
    sg_model_bit_block *tail;
    int64_t ntail;
    sg_model_bit_body *bodies; /* best first, the portable one last */
    int64_t nbodies;
} sg_model_bits;

/* The kernel for one instruction set. */
typedef struct sg_model_variant {
    const sg_model_kernel *kernel;
    const char *isa;    /* "AVX512VBMI": also the suffix of its macros in splitgen/vector.h */
    const char *family; /* "X86": what compilers call it, SPLITGEN_X86 */
    const char *form;   /* how instructions are spelt: by spell_FORM.c.tmpl */
    const char *symbol; /* of its function */
    const char *stream_symbol;      /* of the function that bypasses the cache, "" without one */
    const char *feed_symbol;        /* of the function that appends to feeds, "" without one */
    const char *feed_stream_symbol; /* of the one that does both */
    bool feeds_always;              /* not only where outputs do not begin with a line */
    bool feeds_instead;             /* on all machines, so that the plain function is for heads */
    bool has_window;                /* several of them run one function for a window */
    bool window_feeds;              /* which may store by feeds */
    int64_t window_lead;            /* instructions of the body in front of what it does */
    const sg_model_output **window_outputs; /* those it writes */
    int64_t nwindow_outputs;
    const char *vector; /* how its registers are stored: "avx512", "avx2" */
    bool in_order;      /* runs past the cache alone, and nothing is predicted of it */
    bool is_few;        /* takes the rows that are too few for the one before it */
    int64_t head_rows;  /* written before feeds begin */
    const char *turn;   /* how vectors are turned for feeds: by "bytes" or "words" */
    const char *cpu;    /* suffix of the bit in splitgen_cpu(); "": there is none to ask for */
    int64_t lane_bits;
    bool wide_lanes;      /* of several bytes */
    int64_t index_bits;   /* of one entry of an index */
    int64_t vector_bytes; /* of one store */
    int64_t rows;         /* of one trip */
    int64_t block_ahead;  /* bytes that a window of a slice asks for of the next block */
    int64_t stream_ahead; /* bytes a streaming trip asks for far ahead */
    int64_t stream_now;   /* or, with ASKS_ALL, of what it reads itself */
    const char *fronts;   /* what streaming bodies take turns at: "trips", "runs", "none" */
    int64_t front_trips;
    int64_t tail_rows;         /* so many rows left over are left to the row's portable code */
    int64_t block_rows;        /* taken by a slice before the next one's turn */
    const char *cycles;        /* predicted for a trip where it is made for, "3.00" */
    const char *kernel_cycles; /* for all rows */
    const char *bound;         /* by what: "stores" */
    const char *bytes_per_cycle;
    const char *most_per_cycle; /* on the fastest microarchitecture */
    const char *tune;           /* the microarchitecture it is made for, or "generic" */
    const char *only;           /* the one it runs on alone, or "" */
    const char *only_title;     /* as people call it */
    sg_model_prediction *predictions;
    int64_t npredictions;
    sg_model_body *bodies;
    int64_t nbodies;
    sg_model_slice *slices;
    int64_t nslices;
} sg_model_variant;

/* A row of the plan's table of choices: what it asks beyond its group, and the function. */
typedef struct sg_model_choice {
    const char *symbol;
    int64_t rows;      /* at least; 0: no more than the group */
    bool is_past;      /* past the share of the cache */
    int64_t aligned;   /* of the outputs' addresses; 0: nothing */
    const char *off;   /* "64", what one of them is no multiple of; "" */
    const char *trait; /* suffix of a bit of splitgen_cpu(), or "" */
} sg_model_choice;

/* Rows behind each other for the same body: what they all ask. */
typedef struct sg_model_group {
    const sg_model_variant *variant; /* NULL in a kernel over bits */
    const sg_model_bit_body *body;   /* NULL in a kernel over bytes */
    const char *isa;                 /* "AVX512VBMI" */
    const char *trait;               /* suffix of a bit of splitgen_cpu(), or "" */
    int64_t rows;                    /* at least; 1: any */
    bool asks_footprint;
    const char *share;             /* of the cache: "rows", "many" */
    bool asks_alignment;           /* of these: */
    const sg_model_output **lines; /* outputs written by whole lines */
    int64_t nlines;
    sg_model_choice *choices;
    int64_t nchoices;
} sg_model_group;

/* A Split of a model whose input is never made, as it is part of the kernel of the one in front. */
typedef struct sg_model_fused {
    const char *node;
    const char *op_type;
    const char *domain;
    const char *tensor; /* its input */
    int64_t axis;
    int64_t bytes; /* of the input */
} sg_model_fused;

struct sg_model_kernel {
    const sg_plan *plan;
    const char *name;   /* C symbol */
    bool has_origin;    /* comes from a model, as follows; else all of it is "" */
    const char *model;  /* its file's name without folders */
    const char *sha256; /* "" where it is not known */
    const char *node;
    const char *op_type;
    const char *domain;
    const char *tensor; /* of the input */
    sg_model_text *path;
    int64_t npath;
    const char
        *model_symbol;     /* of the model it comes from, that the first of its kernels defines */
    bool has_model;        /* it is that kernel */
    sg_model_fused *fused; /* the Splits that are part of it */
    int64_t nfused;
    const char *helper;          /* prefix of its static symbols */
    const sg_model_kernel *like; /* an earlier one whose code it runs; NULL: it has its own */
    bool is_like;
    bool like_shape;    /* the shapes are that one's too, so its tables of dims and strides serve */
    bool like_tensors;  /* and the element type and the names of the outputs */
    bool casts;         /* that one's elements have another type in C, of the same size */
    const char *python; /* its name in Python */
    const char *numpy;  /* type of its arrays in NumPy; "" where there is none. Of packed elements
                           the arrays are bytes */
    const char *numpy_of_package; /* the type's own, of a package beside NumPy, or "" */
    const char *dtype;
    const char *dtype_macro;  /* SPLITGEN_F32 */
    const char *element_type; /* "float" */
    const char *input_type;   /* "const float *" */
    const char *output_type;  /* "float *" */
    bool pointer_elements;    /* their size is the target's: bytes are counted for 8 */
    const char *data;         /* C parameter of the input */
    const char *data_macro;   /* "QKV_DATA" */
    const char *kind;         /* "empty", "straight", "rows" */
    const char *rows_form;    /* of NAME_rows: "empty", "once", "loop" */
    bool one_run;             /* instructions do not follow rows */
    bool puts;                /* copies are splitgen_put(), not memcpy */
    const char *word;         /* --no-memcpy: suffix of the splitgen_words_ that copies; else "" */
    bool shares_rows;         /* all entrances run one loop over rows */
    bool copies_past; /* pieces of rows too, for threads, where the kernel bypasses caches */
    int64_t rank;
    int64_t axis;
    int64_t align;
    int64_t element_bytes; /* of the C type: 1 for packed elements */
    int64_t element_bits;
    bool is_packed;
    const char *packing; /* "lsb", "msb", "planes"; "" for whole bytes */
    bool is_bits;        /* then bits is what it does; steps, row_parts and variants are empty */
    const sg_model_bits *bits;
    bool is_free;          /* one dimension is: counts of bytes here are of one item */
    bool is_fixed;         /* none is */
    const char *items;     /* C parameter for their number; "" of a fixed kernel */
    const char *free_name; /* what the user calls it */
    int64_t free_axis;
    const char *free_dim; /* its length: "batch", "197*batch" */
    int64_t expected;     /* number of items; 1 of a fixed kernel */
    int64_t touched;      /* bytes of a row, of the input and of the outputs together */
    int64_t units;        /* of the C type in the input */
    int64_t rows;      /* of the descriptor, of every call of a fixed kernel: groups, over bits */
    int64_t item_rows; /* the same of one item, which a fixed kernel has one of */
    int64_t row_bytes;
    int64_t outer; /* products of the dimensions before and behind the axis; 0 in an empty tensor */
    int64_t inner;
    int64_t item_bytes; /* of one index of the axis: inner elements; 0 if is_packed */
    int64_t item_bits;  /* the same of packed elements, 0 of others */
    int64_t elements;
    int64_t bytes;
    int64_t nparts; /* unwanted ones too */
    int64_t row_elements;
    const sg_model_output **moved; /* the outputs with something to copy */
    int64_t nmoved;
    const sg_model_output **unmoved;
    int64_t nunmoved;
    sg_model_output *outputs;
    int64_t noutputs;
    sg_model_part **functions; /* every part that is a function, in order of definition */
    int64_t nfunctions;
    sg_model_step *steps;
    int64_t nsteps;
    sg_model_part **row_parts; /* one row, for NAME_rows */
    int64_t nrow_parts;
    sg_model_variant *variants;
    int64_t nvariants;
    const char *past;       /* stores bypass the cache: "never", "large", "always" */
    sg_model_group *groups; /* the table of choices, without the portable code it ends with */
    int64_t ngroups;
    bool has_asked; /* variants for processors that are asked what they have, and for others */
    bool has_known;
    sg_model_row *dims_table; /* the input's first */
    int64_t ndims_table;
    sg_model_row *strides_table;
    int64_t nstrides_table;
    const sg_model_kernel **pictured; /* those that its picture shows: itself, then equal ones; none
                                         where it is shown by that of another */
    int64_t npictured;
};

/* A kernel by the name a program looks it up by. */
typedef struct sg_model_entry {
    const char *name;
    const char *symbol; /* of the kernel */
    int64_t index;      /* in the unit, for names that are the same */
} sg_model_entry;

/* A C type whose size the generated code relies on. */
typedef struct sg_model_type {
    const char *name;
    int64_t bytes;
} sg_model_type;

typedef struct sg_model {
    sg_arena *arena; /* of all of it */
    const sg_unit *unit;
    const char *version;
    sg_model_text *command; /* that makes the text again, quoted for a shell */
    int64_t ncommand;
    const sg_file_entry *files; /* that were read */
    int64_t nfiles;
    const char *stem;
    const char *stem_macro; /* with the prefix of the symbols, in upper case */
    const char *guard;      /* the macro by which the header is read once */
    const char *registry;   /* the symbol of the table of kernels */
    const char *selftest;   /* of the function that tests them */
    const char *header;
    int64_t abi;
    int64_t largest_bytes; /* of any tensor */
    bool needs_range;      /* more than C promises that a tensor may have */
    sg_model_kernel *kernels;
    int64_t nkernels;
    sg_model_type *types;
    int64_t ntypes;
    sg_model_entry *entries; /* kernels by name, sorted */
    int64_t nentries;
    bool has_variants;     /* of any kernel */
    bool has_bits;         /* any kernel is over bits */
    bool has_puts;         /* any kernel has splitgen_put() or splitgen_put_byte() */
    bool no_memcpy;        /* nothing of the C library is called */
    bool has_packed;       /* any kernel has packed elements */
    const char *cpu;       /* what tells the instruction sets: "splitgen_known_cpu()" or a macro */
    const char *asked_cpu; /* the same where it was asked before; 0 where it was not */
    bool asks_cpu;         /* whether the machine is asked at all, when the program runs */
    int64_t insns;         /* printed for all kernels, for budgets */
    const sg_model_kernel **pictures; /* the kernels that have a picture of their own */
    int64_t npictures;
    int64_t picture_columns; /* of pictures on a page */
    int64_t picture_rows;    /* of the input that a picture has at most */
    int64_t picture_parts;   /* that its legend names at most; 0: it has no legend */
} sg_model;

/* What is told of a trip of so many bytes of the input, by microarchitecture: all that are known,
 * or the one it is made for. Returns how many; model_vector.c. */
int64_t sg_model_predictions(sg_arena *arena, const sg_prediction *on, sg_uarch tune, int64_t bytes,
                             sg_model_prediction **list);

/* Fills the variants of a kernel whose outputs are built; model_vector.c. */
void sg_model_variants(sg_arena *arena, sg_model_kernel *kernel);

/* The instructions of a variant's body, whose column 0 is `column` of the plan. Its constants are
 * in `to` already. */
void sg_model_insns(sg_arena *arena, const sg_plan *plan, const sg_variant *v, int64_t column,
                    const sg_body *from, sg_model_body *to);

/* Spells the rows of the plan's table from one on that are of the same body, by the symbols of its
 * functions, one for each sg_way. Returns how many there are. Memory of the arena. */
int64_t sg_model_choices(sg_arena *arena, const sg_choice *rows, const char *const *symbols,
                         sg_model_group *to);

/* What printing a variant costs, in instructions of a portable program. */
int64_t sg_model_variant_insns(const sg_model_variant *variant);

/* Fills the parts of a kernel over bits; model_bits.c. */
void sg_model_bits_build(sg_arena *arena, sg_model_kernel *kernel);

/* Fills the fields about pictures of a model and its kernels; model_picture.c. */
void sg_model_pictures(sg_arena *arena, sg_model *model);

const sg_model *sg_model_build(sg_arena *arena, const sg_unit *unit);

/* --- what --emit=vectors proves --------------------------------------------------------------- */

/* Rows [first, last) of a tensor of `count`; over bits, groups of rows. */
typedef struct sg_model_range {
    int64_t count;
    int64_t first;
    int64_t last;
} sg_model_range;

/* A function that rows of a kernel's table of choices name, or the portable one over bits. */
typedef struct sg_model_function_proof {
    const char *symbol;
    const sg_model_group *group; /* of such a row; NULL for portable code */
    const char *family;          /* as in a variant; "" for portable code */
    const char *cpu;             /* bits of splitgen_cpu() that it needs, "SPLITGEN_CPU_AVX2"; "" */
    int64_t least;               /* rows or groups that it may be called for */
    int64_t aligned;             /* these outputs lie at multiples of it; 1: anywhere */
    const sg_model_output **lines;
    int64_t nlines;
    bool is_past;     /* bypasses the cache, by parts that take turns as the processor wants it */
    bool has_strings; /* copies long runs as the processor wants it */
    bool asks_place;  /* does what suits the place of the outputs within 64 bytes */
    sg_model_range *ranges;
    int64_t nranges; /* 0: it takes so many rows at least that evaluating them is beyond reason */
} sg_model_function_proof;

typedef struct sg_model_kernel_proof {
    const sg_model_kernel *kernel;
    sg_model_function_proof *functions; /* of its table */
    int64_t nfunctions;
    bool is_whole; /* its own functions are called for all rows, of which there are few */
    sg_model_range *entrances; /* the ranges for which these are called */
    int64_t nentrances;
    int64_t *answers; /* of the proof's, from 1: those that its table tells from each other */
    int64_t nanswers;
} sg_model_kernel_proof;

/* What a processor may answer when it is asked: a machine with a set of instructions. */
typedef struct sg_model_answer {
    const char *title; /* a machine's and a set's, as people call them */
    const char *bits;  /* of splitgen_cpu(): "0x8000000f" */
    bool is_turn;      /* the first of those where parts of the rows take turns alike */
    bool is_string;    /* the first of those where long runs are copied alike */
} sg_model_answer;

typedef struct sg_model_proof {
    sg_model_kernel_proof *kernels; /* that have code of their own, of elements of a known size */
    int64_t nkernels;
    sg_model_answer *answers; /* the first is one that has no instructions for vectors */
    int64_t nanswers;
} sg_model_proof;

/* Memory of the model's arena; only templates that ask for it pay for it. model_proof.c. */
const sg_model_proof *sg_model_proof_build(const sg_model *model);

#endif
