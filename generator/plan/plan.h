/* plan: which bytes move where, as data. Built from a split, proved by verify/, printed by report/;
 * the emitter only reads it. All memory belongs to the arena passed to sg_plan_build.
 *
 *   map       rows of the full tensor, and which units of each row belong to which part
 *   views     where each output lies in the full tensor if it is not copied
 *   code      straight-line instructions over the bytes of a tile of rows */
#ifndef SG_PLAN_PLAN_H
#define SG_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "split/resolve.h"
#include "plan/machine/machine.h"

/* One part of the full tensor: `width` units of each of its rows. */
typedef struct sg_map_part {
    int64_t offset;     /* within a row of the full tensor */
    int64_t width;      /* of a row of the part */
    int64_t row_stride; /* from one row of the part to the next: its width or more */
    int64_t *gaps;      /* padding after each group of rows, by group; NULL: none */
    int64_t tensor;     /* index into sg_plan.outputs */
} sg_map_part;

/* A level of grouping: after every `rows` rows there is extra padding, beyond that between rows. */
typedef struct sg_map_group {
    int64_t rows; /* a multiple of the previous group's rows */
    int64_t gap;  /* padding of the full tensor */
} sg_map_group;

/* What moves between the full tensor and its parts, row by row. Sizes are in units. With dynamic
 * dimensions after the axis, every offset, width and stride is multiplied by the product of these
 * dimensions, which is known only at run time. Row r begins at r * row_stride, plus r / rows times
 * the gap of every group (integer division). */
typedef struct sg_map {
    bool joins;      /* parts -> full tensor; false: full tensor -> parts */
    int unit_bits;   /* 8, or 1 where packed elements lie off byte boundaries */
    int64_t element; /* every offset, width and stride is a multiple of this */
    bool scales;     /* dimensions after the axis are dynamic; sizes here are for a product of 1 */
    int64_t rows;    /* of the full tensor and of every part */
    int64_t row_stride; /* from one row of the full tensor to the next */
    int64_t gap; /* padding at the end of a row, included in row_stride; never written, never read
                    unless rows are near each other (SG_NEAR_BYTES), and it may be missing after the
                    last row */
    int64_t ngroups;      /* 0: all rows have the same stride */
    sg_map_group *groups; /* innermost first */
    int64_t nparts;
    sg_map_part *parts; /* non-empty parts, by offset */
} sg_map;

typedef enum sg_view_kind {
    SG_VIEW_CONTIGUOUS, /* byte_offset into the input is enough */
    SG_VIEW_STRIDED,    /* byte_offset and strides */
    SG_VIEW_COPY        /* no view exists (packed elements off a byte boundary) */
} sg_view_kind;

typedef struct sg_output {
    const sg_part *part;
    int64_t column; /* index into map.parts, -1 if nothing moves */
    int64_t *dims;  /* sg_part_rank() entries, in room for split->rank; the last is 0 if unused */
    sg_view_kind view;
    int64_t byte_offset; /* of the view, in the full tensor */
    int64_t *strides;    /* of the view, in elements, entries as in dims; NULL for SG_VIEW_COPY */
    int64_t row_stride;  /* of the view: elements from one row to the next */
    int64_t view_align;  /* alignment of all its rows in bytes if the input has the alignment of the
                            split; 0 for SG_VIEW_COPY */
    const char *view_why;         /* one clause: why the view is (not) contiguous */
    const char *strategy;         /* one clause: how the kernel copies it */
    bool held;                    /* a constant that is stored in the kernel's own code */
    const struct sg_param *param; /* params.h: its parameter, or its source's; NULL: held */
} sg_output;

typedef enum sg_opcode {
#define OPCODE(id, ...) SG_INSN_##id,
#include "plan/opcodes.inc"
#undef OPCODE
    SG_OPCODES
} sg_opcode;

/* How a run is copied, by the functions of splitgen/runs.h and put.h. */
typedef enum sg_copy {
    SG_COPY_MEMCPY,  /* memcpy of a literal size, or splitgen_copy() */
    SG_COPY_PUT,     /* by ordered stores: splitgen_put() */
    SG_COPY_SHORT,   /* by vectors of 32 bytes, since it is shorter than the widest vectors */
    SG_COPY_VECTORS, /* splitgen_vectors_...: as few instructions as possible */
    SG_COPY_RUN,     /* splitgen_run_...: straight-line code */
    SG_COPY_CALL     /* by a call into the C library */
} sg_copy;

#define SG_WHOLE INT64_C(-1) /* used as a part number: the full tensor */

/* A place in the full tensor or in a part. */
typedef struct sg_ref {
    int64_t part; /* index into sg_map.parts, SG_WHOLE */
    int64_t at;   /* bytes from where this iteration begins */
} sg_ref;

typedef struct sg_insn {
    sg_opcode op;
    sg_ref to;   /* the destination of runs and stores */
    sg_ref from; /* the source of runs and loads; the address of a prefetch */
    int64_t bytes;
    int64_t overrun; /* copy: bytes copied beyond `bytes`; the next instruction overwrites them */
    int64_t step;    /* load, store: bytes from one piece to the next */
    int reg;         /* body: the virtual register written; each is written exactly once */
    int a;           /* registers read */
    int b;
    int64_t constant; /* index into sg_body.constants */
    bool combines;    /* may go through the write combiner of its output (sg_write_combining) */
    bool lines;       /* its stores fill whole cache lines, so they may be non-temporal */
    bool ragged;  /* except at its ends, which use ordinary stores because the run begins and ends
                     anywhere */
    sg_copy copy; /* how runs of a body are copied */
} sg_insn;

/* Instructions [first, first + count) are executed `times` times, each time `rows` rows further
 * down. The array holds all repetitions; the C text has a loop (fold.h). */
typedef struct sg_fold {
    int64_t first;
    int64_t count;
    int64_t times;
    int64_t rows;
} sg_fold;

/* Instructions that are printed as one function, since compilers take quadratic time over one basic
 * block. A block that equals an earlier one except for its columns and its place in the input calls
 * the function of that one. */
typedef struct sg_block {
    int64_t first; /* instruction index within the code */
    int64_t count;
    int64_t alias_of; /* the block whose function is called: often itself */
    int64_t part;     /* added to the part numbers of that function */
    int64_t at;       /* added to its offsets in the full tensor */
} sg_block;

/* Lanes of a permute (index of the lane read), of a blend (0 or 1) and so on: see opcodes.inc. */
#define SG_LANES_MAX 64

typedef enum sg_constant_kind {
    SG_CONSTANT_INDEX, /* one number for each lane */
    SG_CONSTANT_MASK,
    SG_CONSTANT_NONE /* for instructions without a constant */
} sg_constant_kind;

typedef struct sg_constant {
    sg_constant_kind kind;
    bool wide;    /* a mask that is kept in a vector because no mask register is left */
    sg_opcode op; /* while a body is built: the opcode of all instructions that use it */
    uint8_t lanes[SG_LANES_MAX];
} sg_constant;

typedef enum sg_port {
    SG_PORT_LOAD,
    SG_PORT_STORE,
    SG_PORT_ALU,
    SG_PORT_SHUFFLE,
    SG_PORT_ALL, /* no single port: the total number of instructions */
    SG_PORT_MASK,
    SG_PORT_COUNT
} sg_port;

/* Straight-line code over one tile of rows: portable code for all columns, or a body's code for
 * some adjacent columns. */
typedef struct sg_code {
    int64_t rows;    /* portable: rows of the tile; for bodies see sg_body */
    bool by_outputs; /* portable: output by output instead of row by row */
    int64_t ninsns;
    sg_insn *insns;
    int64_t nfolds;
    sg_fold *folds; /* in the order of the instructions; each lies within one block */
    int64_t nblocks;
    sg_block *blocks; /* portable: together they cover all instructions */
    int registers;
    int64_t nconstants;
    sg_constant *constants;
} sg_code;

/* A place in a row where a body runs one of its codes. `part` and `at` are added to the part
 * numbers and full-tensor offsets of its instructions. */
typedef struct sg_slice {
    int64_t code; /* index into sg_body.codes */
    int64_t part;
    int64_t at; /* bytes */
} sg_slice;

/* Whether the runs and stores of a body go through write combiners. What a body writes to one
 * output is contiguous, so bytes that do not fill a cache line are kept in a register until the
 * next store completes the line. Every store but the first and the last of an output then fills a
 * whole cache line, wherever rows and outputs begin. */
typedef enum sg_write_combining {
    SG_WRITE_COMBINING_NEVER,
    SG_WRITE_COMBINING_UNALIGNED, /* only if outputs are not aligned to cache lines: tiles are whole
                                     lines */
    SG_WRITE_COMBINING_ALWAYS,    /* always: rows end within cache lines */
    SG_WRITE_COMBINING_PAST       /* only with non-temporal stores */
} sg_write_combining;

/* How a body with non-temporal stores interleaves streams. It divides the rows into ranges and
 * copies STREAM_PIECE_BYTES (iterations.c) of one range after the other. */
typedef enum sg_interleaving {
    SG_INTERLEAVING_ITERATIONS, /* stream_iterations iterations of each range */
    SG_INTERLEAVING_RUNS,       /* a piece of the same run of each range, because rows are long */
    SG_INTERLEAVING_NONE /* rows in order; each run is so long that it is divided into streams
                            itself */
} sg_interleaving;

/* Predicted cost of an iteration on one microarchitecture, with all data in L1. */
typedef struct sg_prediction {
    double cycles; /* 0: the machine does not have the instructions */
    double all;    /* cycles of all rows, including those after the last whole iteration */
    sg_port bound; /* the port that limits throughput */
} sg_prediction;

/* The kernel's function variant for one instruction set, made of slices that copy a tile of rows at
 * a time. It copies any number of rows from rows_per_iteration up; if that is not a multiple, the
 * last tile overlaps the one before. An iteration copies one or more consecutive tiles. With
 * isa->tiles > 1 an instruction works on two tiles: the lower part of each register holds the first
 * tile_rows rows, the upper part the next tile_rows. */
typedef struct sg_body {
    const sg_isa_info *isa; /* with the costs that the program was optimised for */
    bool is_few; /* a variant with short iterations, for fewer rows than the previous body needs */
    int64_t planned_rows; /* number of rows for which costs are predicted */
    int64_t rows_per_iteration;
    int64_t tile_rows;
    int64_t tail_rows;  /* up to this many rows after the last whole iteration are cheaper by the
                           portable row program */
    int64_t block_rows; /* rows that a slice copies before the next slice copies the same rows */
    int64_t lane_bytes;
    int lanes;
    int64_t ncodes;
    sg_code *codes;
    int64_t nslices;
    sg_slice *slices;
    int64_t prefetch_block_bytes; /* bytes of the next block prefetched with each tile of a slice;
                                     0: none */
    int64_t prefetch_far; /* bytes that a non-temporal iteration prefetches far ahead; 0: none */
    int64_t prefetch_now; /* bytes of its own input that it prefetches instead, on machines with
                             PREFETCH_ALL; 0: none */
    int64_t vector_bytes; /* alignment in bytes to which outputs are brought first, if one row
                             aligns them all; 0: never */
    int64_t vector_rows;  /* only if at least this many rows remain after that row */
    bool allows_non_temporal; /* its stores may be non-temporal: they fill whole cache lines, or are
                                 runs that may be ragged */
    sg_write_combining write_combining;
    sg_trait combining_trait; /* trait of the machines on which write combining with ordinary stores
                                 is faster; none: all machines */
    int64_t prologue_rows;    /* rows copied without write combining before the loop; 0: no write
                                 combining */
    bool combines_non_temporal;   /* write combining with non-temporal stores, for outputs of any
                                     alignment */
    sg_interleaving interleaving; /* how non-temporal stores interleave streams */
    int64_t stream_iterations;    /* a power of two */
    sg_prediction on[SG_UARCH_COUNT]; /* for SG_UARCH_GENERIC: the slowest machine */
    /* the machine it was optimised for; generic if that machine lacks the instructions */
    sg_uarch tune;
    sg_uarch only;  /* the only machine it runs on, since another body follows for the others;
                       generic: all machines */
    sg_trait trait; /* trait that identifies the `only` machine; none if there is no such machine */
    double cycles;  /* on[tune] */
    sg_port bound;
} sg_body;

/* How a body's function stores. */
typedef enum sg_store_mode {
    SG_STORE_ORDINARY,
    SG_STORE_NON_TEMPORAL,
    SG_STORE_COMBINED,             /* write combining, ordinary stores */
    SG_STORE_COMBINED_NON_TEMPORAL /* write combining, non-temporal stores */
} sg_store_mode;

/* Total size of input and outputs, against the caches. */
typedef enum sg_footprint {
    SG_FOOTPRINT_ANY,
    SG_FOOTPRINT_ROWS, /* more than the cache share of a row loop: splitgen_stream_rows() */
    SG_FOOTPRINT_MANY  /* more than the cache share of many outputs: splitgen_stream_many() */
} sg_footprint;

/* A row of the dispatch table. Its body runs if all its conditions hold and no earlier row fits. */
typedef struct sg_choice {
    /* index into sg_plan.bodies or sg_bits.bodies; implies the body's instruction set */
    int64_t body;
    sg_store_mode store_mode;
    uint32_t traits; /* traits required of the machine, one bit per sg_trait */
    int64_t rows;    /* minimum number of rows */
    sg_footprint footprint;
    int64_t aligned; /* required alignment, in bytes, of outputs that are written by whole cache
                        lines */
    int64_t off;     /* taken only if one of these outputs is misaligned to this many bytes, or to
                        SG_OFF_UNIT; 0: no condition */
} sg_choice;

#define SG_CHOICE_PORTABLE INT64_C(-1) /* body: the portable program */
#define SG_OFF_UNIT        INT64_C(-1) /* off: the width of the machine's widest store */

/* Whether stores may bypass the caches. */
typedef enum sg_non_temporal {
    SG_NON_TEMPORAL_NEVER,
    SG_NON_TEMPORAL_LARGE, /* if the operation does not fit the cache */
    SG_NON_TEMPORAL_ALWAYS
} sg_non_temporal;

/* What a plan is optimised for. */
typedef enum sg_optimize { SG_OPTIMIZE_SPEED, SG_OPTIMIZE_SIZE } sg_optimize;

typedef enum sg_plan_kind {
    SG_PLAN_EMPTY,    /* nothing to move */
    SG_PLAN_STRAIGHT, /* the whole kernel is straight-line code */
    SG_PLAN_ROWS /* a loop around an unrolled loop body; its iteration count is constant unless the
                    number of rows is dynamic */
} sg_plan_kind;

/* With dynamic dimensions the plan is made for their expected values and is right for any. Numbers
 * of rows and bytes here are the expected ones. */
typedef struct sg_plan {
    const sg_split *split;
    const struct sg_bits *bits; /* packed elements off byte boundaries (bits.h); then the map is in
                                   bits, and iteration, row and bodies are empty */
    sg_map map;                 /* in bytes, also for other packed elements */
    int64_t noutputs;           /* wanted parts, empty ones included */
    sg_output *outputs;
    int64_t nparams;
    /* params.h: parameters of the C function, in the order of its prototype */
    struct sg_param *params;
    bool array_params; /* more than SG_PLAN_MAX_PARAMS outputs to copy, which are passed as one
                          array of pointers */
    bool gathers; /* params.h: the public functions build another array on the stack, from their
                     arguments and constants; kernels with pieces never do, since SG_FUSED_PARTS_MAX
                     is SG_PLAN_MAX_PARAMS */
    sg_plan_kind kind;
    const char *strategy; /* one word or clause for the banner and the JSON plan */
    const char *why;      /* one sentence: why this strategy */
    sg_code iteration; /* portable: all rows as straight-line code, or an iteration of the loop over
                          rows */
    sg_code row;       /* portable: one row */
    int64_t block_rows;  /* rows that a block of `row` copies before the next block copies the same
                            rows: several for an array of many outputs, otherwise one */
    int64_t block_bytes; /* with a dynamic row length: the most bytes of the full tensor that such a
                            block copies, unless it is one row; 0: rows one by one, or block_rows */
    uint32_t open_isas;  /* bit per sg_isa: processors that copy rows of such a block by vectors */
    int64_t nbodies;
    sg_body *bodies; /* fastest first within an architecture */
    sg_non_temporal non_temporal;
    int64_t few_rows; /* with a dynamic number of rows: fewer rows than this are copied inline by
                         the row program, without the dispatch table; 0: no such code */
    int64_t nchoices;
    /* the first match wins; the last is the portable program and always matches */
    sg_choice *choices;
    int64_t nfunctions;
    /* functions.h: the functions that the choices run, and those that these call */
    struct sg_function *functions;
    int64_t bytes_moved;
    int64_t copies; /* instructions executed by one call */
    int64_t insns;  /* instructions in the program */
    bool puts;      /* the portable program's copies use ordered stores (splitgen_put) */
    sg_optimize optimize;
    bool no_memcpy;   /* runs are copied element by element, without the C library */
    bool plain;       /* a Split of a model whose outputs are all contiguous views: they are rarely
                         copied, so the code is short, one memcpy each */
    int64_t shortest; /* bytes of the shortest and longest run; 0 when nothing moves */
    int64_t longest;
} sg_plan;

/* The bytes of a run from which on memcpy is as fast as any other code (MEASURED.md, Runs). */
#define SG_PLAN_LONG_RUN   INT64_C(4096)
#define SG_PLAN_MAX_PARAMS 32
/* Maximum bytes from one row of a split's full tensor to the next if the padding between them may
 * be read: elements at a stride. Vectors gain nothing with larger strides (MEASURED.md, When
 * vectors pay). */
#define SG_NEAR_BYTES INT64_C(8)
/* Maximum number of tensors on each side of a body's tile: SPLITGEN_TENSORS_MAX of loops.h. */
#define SG_TILE_TENSORS 32
/* Maximum number of parts of a kernel that gathers, since their array is on the stack. */
#define SG_PLAN_MAX_GATHERED 4096

typedef enum sg_unroll { SG_UNROLL_AUTO, SG_UNROLL_FULL, SG_UNROLL_NONE } sg_unroll;

/* Bodies shared by splits with the same rows and columns in one run (memo.c). Zero-initialise it;
 * use it with one set of options, and for plans in one arena. */
typedef struct sg_memo_entry sg_memo_entry;
typedef struct sg_memo {
    int64_t count;
    int64_t room;
    sg_memo_entry *entries;
} sg_memo;

/* When stores bypass the caches. */
typedef enum sg_nt_option {
    SG_NT_OPTION_AUTO,
    SG_NT_OPTION_NEVER,
    SG_NT_OPTION_ALWAYS
} sg_nt_option;

typedef struct sg_plan_options {
    sg_unroll unroll;
    uint32_t isas; /* bit per sg_isa: bodies to generate beside the portable one */
    sg_uarch tune; /* the machine to optimise for */
    sg_nt_option nt;
    sg_optimize optimize; /* SIZE: a loop over rows unless unrolling is requested, one memcpy per
                             run, one version of each body */
    bool no_memcpy;       /* copy element by element; for portable bodies */
    bool isas_asked; /* the user named the instruction sets, so bodies are also made for views */
    sg_memo *memo;   /* NULL: bodies are made anew for every split */
} sg_plan_options;

/* Builds and verifies a plan. NULL: reported (SG_EXIT_BUDGET when unrolling exceeds the hard cap,
 * SG_EXIT_BUG when the plan does not verify). */
sg_plan *sg_plan_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                       const sg_plan_options *options);

/* The same for a map that comes from no split: in either direction, with strides and padding. Part
 * p is tensor p of a plan that has no views and is not printed. Parts are sorted by offset and must
 * not overlap. */
sg_plan *sg_plan_build_map(sg_arena *arena, sg_diag *diag, const sg_map *map,
                           const sg_plan_options *options);

#endif
