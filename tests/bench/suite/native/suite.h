/* What the measuring library offers to the Python side (by ctypes); declares, measures nothing.
 *
 * A competitor is a function in one of two shapes. All memory is the caller's; nothing here keeps a
 * pointer after it returns. Times are seconds. */
#ifndef SUITE_H
#define SUITE_H

#include <stddef.h>
#include <stdint.h>

typedef void suite_plain_fn(const void *input, void *const outputs[]);
typedef void suite_context_fn(const void *context, const void *input, void *const outputs[]);

/* The split as a matrix: rows of row_bytes, cut into columns. Packed elements (several to a byte)
 * need not come in whole bytes: then row_bytes, offsets and widths are zeros, and only what knows
 * packed elements may be called. */
typedef struct suite_shape {
    size_t rows;
    size_t row_bytes;
    size_t noutputs;
    const size_t *offsets;      /* of each column in its row, bytes */
    const size_t *widths;       /* of each column, bytes */
    size_t input_bytes;         /* of the whole input */
    const size_t *output_bytes; /* of each whole output */
    const size_t *lengths;      /* of each column, elements */
    size_t bits;                /* of a packed element: 1, 2 or 4; 0: elements of whole bytes */
    int msb;                    /* packed: the first element of a byte has its highest bits */
    /* For suite_parallel only: the splitgen_kernel of the same split, and the thread. */
    const void *kernel;
    struct suite_thread *thread;
    /* For suite_free only: the splitgen_kernel of the same split with a free batch, and how much
     * that is. */
    const void *free_kernel;
    size_t items;
} suite_shape;

/* One input with its outputs. */
typedef struct suite_set {
    unsigned char *input;
    void **outputs;
} suite_set;

typedef struct suite_job {
    suite_plain_fn *plain;     /* called when not NULL */
    suite_context_fn *context; /* else this one, with argument */
    const void *argument;
    const suite_shape *shape;
    const suite_set *sets; /* used in turn, one per run */
    size_t nsets;
    size_t first; /* set of the first run */
    int pipeline; /* a producer writes the input before, a consumer reads the outputs after */
} suite_job;

/* What one run takes, the mean of `runs` after `warm` untimed ones. drift: change of the length of
 * a loop of known cycles between before and after, as a fraction; above some percent the clock
 * moved and the batch means little; so it does when a thread of this process had to give up its
 * processor to somebody else. */
typedef struct suite_sample {
    double seconds;
    double drift;
    long interruptions;
    double hertz;      /* cycles a second, by the same loop */
    double fastest;    /* seconds of a run in the fastest piece of the batch */
    double most_hertz; /* the faster of the two loops, which nobody disturbed */
} suite_sample;

void suite_batch(const suite_job *job, uint64_t warm, uint64_t runs, suite_sample *sample);

/* The loop of known cycles alone, for competitors that are timed elsewhere. Cycles a second. */
double suite_calibrate(void);

/* How often threads of this process lost their processor so far. */
long suite_interruptions(void);

/* Producer and consumer alone, with the seconds they take. */
double suite_produce(unsigned char *input, size_t bytes);
double suite_consume(const suite_shape *shape, void *const outputs[]);

/* Zero-filled pages; NULL when there are not that many. huge: ask for huge pages. */
void *suite_map(size_t bytes, int huge);
void suite_unmap(void *memory, size_t bytes);
/* Random bytes; the same for the same seed. */
void suite_fill(unsigned char *memory, size_t bytes, uint64_t seed);
/* Writes the split of the input, row by row and column by column. */
void suite_reference(const suite_shape *shape, const unsigned char *input, void *const outputs[]);
/* Index of the first output that has other bytes than it should; -1 when none has. */
int64_t suite_compare(const suite_shape *shape, void *const outputs[], void *const expected[]);
/* Index of the first output that is not the split of the input; -1 when all are. Of packed
 * elements, the unused bits of the last byte must be 0. */
int64_t suite_check(const suite_shape *shape, const unsigned char *input, void *const outputs[]);

/* Does nothing: what a call costs. */
suite_plain_fn suite_null;

/* Copies that move the input's bytes without a split; argument is a suite_shape. Into one piece
 * that begins at the first output, and cut in as many pieces as there are outputs. */
size_t suite_copy_count(void);
const char *suite_copy_name(size_t index); /* NULL when this processor cannot run it */
suite_context_fn *suite_copy_whole(size_t index);
suite_context_fn *suite_copy_pieces(size_t index);

/* memcpy of a run-time size per row and output; outputs outside as ONNX Runtime and OpenVINO order
 * it, and rows outside as TensorFlow Lite does. Argument: a suite_shape. */
suite_context_fn suite_memcpy_outputs;
suite_context_fn suite_memcpy_rows;

/* Packed elements one by one, each shifted out of its byte and into another. */
suite_context_fn suite_packed_elements;
/* What suite_check does for packed elements. */
int64_t suite_packed_check(const suite_shape *shape, const unsigned char *input,
                           void *const outputs[]);

/* `run` of a splitgen_kernel. */
suite_plain_fn *suite_kernel_run(const void *kernel);

/* splitgen_run_parallel with two threads: the caller and one that spins while it waits, from start
 * to stop. Argument: a suite_shape with kernel and thread. */
suite_context_fn suite_parallel;
/* run_rows of a kernel with a free batch, for all its rows. Argument: a suite_shape with both. */
suite_context_fn suite_free;
struct suite_thread *suite_thread_start(void); /* NULL when there is none to be had */
void suite_thread_stop(struct suite_thread *thread);

#endif
