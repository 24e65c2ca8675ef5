/* plan: which bytes move where, as data. Built from a split, proved by verify/, printed by
 * tell/; the emitter only reads it. All memory belongs to the arena passed to sg_plan_build.
 *
 *   map       rows of a whole and which units of each are which part's
 *   views     what each output is without copying
 *   code      straight-line instructions over the bytes of a tile of rows
 */
#ifndef SG_PLAN_PLAN_H
#define SG_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "split/resolve.h"
#include "plan/machine/machine.h"

/* One part of a whole: `width` units of every row of it. */
typedef struct sg_map_part {
    int64_t offset;     /* within a row of the whole */
    int64_t width;      /* of a row of the part */
    int64_t row_stride; /* from one row of the part to the next: its width or more */
    int64_t *gaps;      /* behind every group of rows: as many as the map has groups; NULL: none */
    int64_t tensor;     /* index into sg_plan.outputs */
} sg_map_part;

/* Rows that lie together: behind every so many of them is a gap, beyond those between rows. */
typedef struct sg_map_group {
    int64_t rows; /* a multiple of those of the group in front of it */
    int64_t gap;  /* of the whole */
} sg_map_group;

/* What moves: between a whole and its parts, row by row. Sizes are in units. With open dimensions
 * behind the axis every offset, width and stride is multiplied by one number, the product of these,
 * which is known only when the kernel runs. Row r begins at r * row_stride and, for every group, at
 * r / rows times its gap behind that. */
typedef struct sg_map {
    bool joins;         /* parts -> whole; false: whole -> parts */
    int unit_bits;      /* 8, or 1 where packed elements lie off byte boundaries */
    int64_t element;    /* every offset, width and stride is a multiple of it */
    bool scales;        /* there is such a number; sizes here are those where it is 1 */
    int64_t rows;       /* of the whole and of every part */
    int64_t row_stride; /* from one row of the whole to the next */
    int64_t gap; /* the last so many units of that are no part of the row: nothing reads or writes
                    them, and behind the last row they need not be there */
    int64_t ngroups;      /* 0: all rows lie at one stride */
    sg_map_group *groups; /* from within to without */
    int64_t nparts;
    sg_map_part *parts; /* those with something in them, in the order of their offsets */
} sg_map;

typedef enum sg_view_kind {
    SG_VIEW_CONTIGUOUS, /* byte_offset into the input is the whole answer */
    SG_VIEW_STRIDED,    /* byte_offset and strides */
    SG_VIEW_COPY        /* no view exists (packed elements off a byte boundary) */
} sg_view_kind;

typedef struct sg_output {
    const sg_part *part;
    int64_t column; /* index into map.parts, -1 when nothing is to move */
    int64_t *dims;  /* sg_part_rank() entries, in room for split->rank; the last is 0 if unused */
    sg_view_kind view;
    int64_t byte_offset;  /* of the view in the input */
    int64_t *strides;     /* of the view, in elements, entries as in dims; NULL for SG_VIEW_COPY */
    int64_t row_stride;   /* of the view: elements from one row to the next */
    int64_t view_align;   /* bytes that all its rows begin at multiples of, where the input does at
                             those of its alignment; 0 for SG_VIEW_COPY */
    const char *view_why; /* one clause: why it is (not) contiguous */
    const char *strategy; /* one clause: how the copy kernel moves it */
    bool held;            /* a constant that the kernel's function holds itself */
    const struct sg_param *param; /* params.h: what it is given as, or is a piece of; NULL: held */
} sg_output;

typedef enum sg_opcode {
#define OPCODE(id, ...) SG_INSN_##id,
#include "plan/opcodes.inc"
#undef OPCODE
    SG_OPCODES
} sg_opcode;

/* How a run is copied: the functions of splitgen/runs.h and put.h. */
typedef enum sg_copy {
    SG_COPY_MEMCPY,  /* memcpy of a literal size, or splitgen_copy() */
    SG_COPY_PUT,     /* by moves that keep their order: splitgen_put() */
    SG_COPY_SHORT,   /* by vectors of 32 bytes, as it is shorter than the widest ones */
    SG_COPY_VECTORS, /* splitgen_vectors_...: as few instructions as possible */
    SG_COPY_RUN,     /* splitgen_run_...: in straight line */
    SG_COPY_CALL     /* by the C library */
} sg_copy;

#define SG_WHOLE INT64_C(-1) /* in place of the number of a part */

/* A place in the whole or in a part of it. */
typedef struct sg_ref {
    int64_t part; /* index into sg_map.parts, SG_WHOLE */
    int64_t at;   /* bytes from its base of this iteration */
} sg_ref;

typedef struct sg_insn {
    sg_opcode op;
    sg_ref to;   /* what runs and stores write */
    sg_ref from; /* what runs and loads read, and hints are about */
    int64_t bytes;
    int64_t
        overrun;  /* copy: bytes it copies beyond `bytes`; the next instruction overwrites them */
    int64_t step; /* load: bytes from one piece to the next */
    int reg;      /* bodies: virtual register written, each exactly once */
    int a;        /* registers read */
    int b;
    int64_t constant; /* index into sg_body.constants */
    bool combines;    /* the run or store may go through the write combiner of its output
                         (sg_write_combining) */
    bool lines;       /* its stores are for whole cache lines, so they may be non-temporal */
    bool ragged;  /* but for its ends, which are stored by ordinary stores, as it begins and ends
                     anywhere */
    sg_copy copy; /* of runs in bodies */
} sg_insn;

/* Instructions [first, first + count) are executed `times` times, each time so many rows further
 * down: the instructions behind them are these again, and C says them once (fold.h). */
typedef struct sg_fold {
    int64_t first;
    int64_t count;
    int64_t times;
    int64_t rows;
} sg_fold;

/* Instructions that are printed as one function, since compilers take quadratic time over one
 * block. A block that equals an earlier one except for its columns and its place in the input calls
 * the function of that one. */
typedef struct sg_block {
    int64_t first; /* instruction index within the code */
    int64_t count;
    int64_t alias_of; /* the block whose function does it: often itself */
    int64_t part;     /* added to the parts of that one */
    int64_t at;       /* and to its places in the whole */
} sg_block;

/* Lanes of a permute (index of the lane read), of a blend (0 or 1) and so on: see opcodes.inc. */
#define SG_LANES_MAX 64

typedef enum sg_constant_kind {
    SG_CONSTANT_INDEX, /* whatever a vector has in its lanes */
    SG_CONSTANT_MASK,
    SG_CONSTANT_NONE /* of instructions that have none */
} sg_constant_kind;

typedef struct sg_constant {
    sg_constant_kind kind;
    bool wide;    /* a mask for which no mask register is left: a vector */
    bool kept;    /* over bits: a vector with a register of its own; others are read at every use */
    sg_opcode op; /* of all instructions that have it, while a body is built */
    uint8_t lanes[SG_LANES_MAX];
} sg_constant;

typedef enum sg_port {
    SG_PORT_LOAD,
    SG_PORT_STORE,
    SG_PORT_ALU,
    SG_PORT_SHUFFLE,
    SG_PORT_ALL, /* none by itself: all instructions together */
    SG_PORT_MASK,
    SG_PORT_COUNT
} sg_port;

/* Straight-line code over one tile of rows: portable code, for all columns, or that of a body, for
 * some neighbouring ones. */
typedef struct sg_code {
    int64_t rows;    /* portable: of the tile; a body says it for all of its code */
    bool by_outputs; /* portable: one output after the other, not row by row */
    bool by_offset;  /* bodies: outputs are written at an offset they have in common, not by a
                        pointer each */
    int64_t ninsns;
    sg_insn *insns;
    int64_t nfolds;
    sg_fold *folds; /* of the instructions, in their order; each within a block */
    int64_t nblocks;
    sg_block *blocks; /* portable: tile the instructions */
    int registers;
    int64_t nconstants;
    sg_constant *constants;
} sg_code;

/* One place of a row where a body works: `part` and `at` are added to the parts and the places in
 * the whole of its instructions. */
typedef struct sg_slice {
    int64_t code; /* index into sg_body.codes */
    int64_t part;
    int64_t at; /* bytes */
} sg_slice;

/* Whether the runs and stores of a body go through write combiners. What a body writes of one
 * output is contiguous, so bytes that do not fill a cache line are kept in a register until the
 * next store completes the line. Every store but the first and the last of an output is then for a
 * whole cache line, wherever rows and outputs begin. */
typedef enum sg_write_combining {
    SG_WRITE_COMBINING_NEVER,
    SG_WRITE_COMBINING_UNALIGNED, /* only where outputs do not begin at a cache line: tiles are
                                     whole lines */
    SG_WRITE_COMBINING_ALWAYS     /* everywhere: rows end within cache lines */
} sg_write_combining;

/* How a body with non-temporal stores interleaves streams: it cuts the rows into parts and takes
 * STREAM_PIECE_BYTES (iterations.c) of one part after the other. */
typedef enum sg_interleaving {
    SG_INTERLEAVING_ITERATIONS, /* stream_iterations of each */
    SG_INTERLEAVING_RUNS,       /* a piece of the same run of each, as rows are long */
    SG_INTERLEAVING_NONE /* it takes rows in order, as each run is so long that it is cut into parts
                            itself */
} sg_interleaving;

/* What an iteration costs on one microarchitecture, all data in L1. */
typedef struct sg_prediction {
    double cycles; /* 0: the machine does not have the instructions */
    double last;   /* cycles of the last iteration, which overlaps the one before and so does not
                      begin   at a cache line */
    double all;    /* cycles of all rows, those behind the last whole iteration included */
    sg_port bound; /* the port that sets them */
} sg_prediction;

/* A body: the kernel for one instruction set, made of slices that take a tile of rows at a time. It
 * copies any number of rows from rows_per_iteration on; where that is no multiple, the last tile
 * overlaps the one before. An iteration is a number of such tiles, one behind the other. With
 * isa->ways > 1 an instruction works on two tiles: the lower part of its registers holds the first
 * tile_rows rows, the upper part the next tile_rows. */
typedef struct sg_body {
    const sg_isa_info *isa; /* with the costs that the program was made by */
    bool is_few;            /* a short body, for fewer rows than the body before it takes */
    int64_t planned_rows;   /* rows for which costs are predicted */
    int64_t rows_per_iteration;
    int64_t tile_rows;
    int64_t tail_rows;  /* up to so many rows behind the last whole iteration are cheaper by the
                           portable  row program */
    int64_t block_rows; /* rows that a slice copies before the next slice copies the same rows */
    int64_t lane_bytes;
    int lanes;
    int64_t ncodes;
    sg_code *codes;
    int64_t nslices;
    sg_slice *slices;
    int64_t prefetch_block_bytes; /* bytes of the next block that a slice prefetches with each tile;
                                     0: none */
    int64_t prefetch_far;     /* bytes that a non-temporal iteration prefetches far ahead; or 0 */
    int64_t prefetch_now;     /* bytes of its own input that it prefetches instead on machines with
                                 PREFETCH_ALL; 0: none */
    int64_t vector_bytes;     /* outputs that begin elsewhere are brought to a multiple of so many
                                 bytes first, where all come to one at the same row; 0: never */
    int64_t vector_rows;      /* not in calls for fewer rows than these behind that row */
    bool allows_non_temporal; /* its stores may be non-temporal: they are for whole cache lines, or
                                 runs that may be ragged */
    sg_write_combining write_combining;
    sg_trait combining_trait; /* trait of the machines on which write combining is faster with
                                 ordinary stores; none: all machines */
    int64_t prologue_rows;    /* prologue rows: written without write combining, which begins behind
                                 them; 0: no write combining */
    bool combines_non_temporal; /* write combining with non-temporal stores, for outputs that begin
                                   anywhere */
    sg_interleaving interleaving;     /* how non-temporal stores interleave streams */
    int64_t stream_iterations;        /* a power of two */
    sg_prediction on[SG_UARCH_COUNT]; /* generic: where an iteration takes longest */
    sg_uarch tune;  /* what it was chosen for; generic where that lacks the instructions */
    sg_uarch only;  /* the only machine it runs on, as another body follows for the others; generic:
                       all machines */
    sg_trait trait; /* trait by which that machine is recognized; none then */
    double cycles;  /* on[tune] */
    sg_port bound;
} sg_body;

/* How the function of a body stores. */
typedef enum sg_store_mode {
    SG_STORE_ORDINARY,             /* ordinary stores */
    SG_STORE_NON_TEMPORAL,         /* non-temporal stores */
    SG_STORE_COMBINED,             /* ordinary write-combining stores */
    SG_STORE_COMBINED_NON_TEMPORAL /* non-temporal write-combining stores */
} sg_store_mode;

/* What the operation has to touch, input and outputs together. */
typedef enum sg_footprint {
    SG_FOOTPRINT_ANY,
    SG_FOOTPRINT_ROWS, /* more than rows get of the cache: splitgen_stream_rows() */
    SG_FOOTPRINT_MANY  /* more than many outputs get of it: splitgen_stream_many() */
} sg_footprint;

/* A row of the table of choices. The body runs if all conditions of the row hold and no row before
 * it fits. */
typedef struct sg_choice {
    int64_t body; /* index into sg_plan.bodies, or sg_bits.bodies, which needs its machine */
    sg_store_mode store_mode; /* how the body stores */
    uint32_t traits;          /* of the machine, a bit for each sg_trait */
    int64_t rows;             /* at least so many */
    sg_footprint footprint;
    int64_t aligned; /* outputs that are written by whole cache lines begin at multiples of so many
                        bytes */
    int64_t off;     /* and at least one of these begins at no multiple of so many bytes, or of
                        SG_OFF_UNIT; 0: no condition */
} sg_choice;

#define SG_CHOICE_PORTABLE INT64_C(-1) /* body: the portable program */
#define SG_OFF_UNIT        INT64_C(-1) /* off: the widest store of the machine */

/* Whether stores may bypass the cache. */
typedef enum sg_non_temporal {
    SG_NON_TEMPORAL_NEVER,
    SG_NON_TEMPORAL_LARGE, /* where the operation does not fit the cache */
    SG_NON_TEMPORAL_ALWAYS
} sg_non_temporal;

/* What a plan is to be good at. */
typedef enum sg_optimize { SG_OPTIMIZE_SPEED, SG_OPTIMIZE_SIZE } sg_optimize;

typedef enum sg_plan_kind {
    SG_PLAN_EMPTY,    /* nothing to move */
    SG_PLAN_STRAIGHT, /* the whole kernel is straight-line code */
    SG_PLAN_ROWS      /* a loop around an unrolled body: of constant trip count, unless the
                         number of items is open */
} sg_plan_kind;

/* With open dimensions the plan is made for the expected numbers and is right for any. Rows here
 * are as many as expected, and so are the bytes that are moved. */
typedef struct sg_plan {
    const sg_split *split;
    const struct sg_bits *bits; /* bits.h: packed elements off byte boundaries. Then the map is in
                                   bits, and iteration, row and bodies are empty */
    sg_map map;                 /* of other packed elements: in bytes */
    int64_t noutputs;           /* wanted parts, empty ones included */
    sg_output *outputs;
    int64_t nparams;
    struct sg_param *params; /* params.h: of the C function, in the order of its prototype */
    bool array_params; /* more outputs to copy than SG_PLAN_MAX_PARAMS: T *const outputs[] of all */
    bool gathers; /* params.h: functions that users call make another array of what they are given,
                     with constants, on the stack. Kernels with pieces have parameters, as
                     SG_FUSED_PARTS_MAX is SG_PLAN_MAX_PARAMS */
    sg_plan_kind kind;
    const char *strategy; /* one word or clause for the banner and the JSON plan */
    const char *why;      /* one sentence: why this strategy */
    sg_code
        iteration; /* portable: all rows in straight line, or an iteration of the loop over rows */
    sg_code row;   /* portable: one row */
    int64_t block_rows;  /* rows that a block of `row` copies before the next block copies the same
                            rows: of an array of many outputs several, else one */
    int64_t block_bytes; /* of the whole, that such a block copies at most where the length of rows
                           is open,  unless it is one row; 0: rows one by one, or block_rows */
    bool open_vectors;   /* rows of such a block are copied by vectors where processors have them */
    const sg_machine *measured; /* as its options say */
    int64_t nbodies;
    sg_body *bodies; /* fastest first within an architecture */
    sg_non_temporal non_temporal;
    int64_t few_rows; /* kernels with an open number of rows copy fewer rows than these by the row
                         program, in line, without looking at the table of choices; 0: they have no
                         such code */
    int64_t nchoices;
    sg_choice *choices; /* first match wins; the last matches all and is the portable program */
    int64_t nfunctions;
    struct sg_function *functions; /* function.h: what the choices run, and what these call */
    /* statistics */
    int64_t bytes_moved;
    int64_t copies; /* instructions executed by one whole run */
    int64_t insns;  /* instructions printed for the whole program */
    bool puts;      /* copies of the portable program keep their order (splitgen_put) */
    sg_optimize optimize;
    bool no_memcpy;   /* runs are copied element by element, without the C library */
    bool plain;       /* a Split of a model whose outputs are all contiguous views: who runs models
                         reads these, so its code is short: one memcpy each */
    int64_t shortest; /* bytes of the shortest and longest run; 0 when nothing moves */
    int64_t longest;
} sg_plan;

/* The bytes of a run from which on memcpy is as fast as any other code (MEASURED.md, Runs). */
#define SG_PLAN_LONG_RUN INT64_C(4096)
#define SG_PLAN_MAX_PARAMS 32
/* The most tensors of each side that the tile of a body has: SPLITGEN_TENSORS_MAX of loops.h. */
#define SG_TILE_TENSORS 32
/* The most parts of a kernel that gathers, since their array is on the stack. */
#define SG_PLAN_MAX_GATHERED 4096

typedef enum sg_unroll { SG_UNROLL_AUTO, SG_UNROLL_FULL, SG_UNROLL_NONE } sg_unroll;

/* The bodies of a run's plans, for later splits of the same rows and columns (memo.c). Begins
 * zeroed; for one set of options and for plans in one arena, which it shares bodies between. */
typedef struct sg_memo_entry sg_memo_entry;
typedef struct sg_memo {
    int64_t count;
    int64_t room;
    sg_memo_entry *entries;
} sg_memo;

/* When stores bypass the cache. */
typedef enum sg_nt_option {
    SG_NT_OPTION_AUTO,
    SG_NT_OPTION_NEVER,
    SG_NT_OPTION_ALWAYS
} sg_nt_option;

typedef struct sg_plan_options {
    sg_unroll unroll;
    int64_t unroll_budget;      /* moves as SG_UNROLL_BUDGET counts them; 0: the measured default */
    uint32_t isas;              /* bit per sg_isa: bodies wanted beside the portable one */
    sg_uarch tune;              /* where they are to be fast */
    const sg_machine *measured; /* the costs of SG_UARCH_MEASURED; or NULL */
    sg_nt_option nt;
    sg_optimize optimize; /* SIZE: rows in a loop unless unrolling is asked for, each run by one
                             memcpy, no body in two forms */
    bool no_memcpy;       /* element moves only; for portable bodies */
    bool isas_asked;      /* somebody has named the isas, also for what nobody need copy */
    sg_memo *memo;        /* NULL: bodies are searched for every split anew */
} sg_plan_options;

/* Builds and verifies. NULL: reported (SG_EXIT_BUDGET when unrolling hits the hard cap,
 * SG_EXIT_BUG when the plan does not verify). */
sg_plan *sg_plan_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                       const sg_plan_options *options);

/* The same for a map that is no split's: in either direction, with strides and gaps. Part p is
 * tensor p, of a plan that has no views and is not printed. Parts are in the order of their offsets
 * and have no unit of the whole in common. */
sg_plan *sg_plan_build_map(sg_arena *arena, sg_diag *diag, const sg_map *map,
                           const sg_plan_options *options);

#endif
