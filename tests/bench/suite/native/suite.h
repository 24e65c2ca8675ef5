/* The interface of the measuring library for Python (by ctypes). A kernel has a direction: a
 * split reads a full tensor and writes its parts, a join reads the parts and writes the full
 * tensor. A competitor is a function in one of three forms. The caller owns all memory; nothing
 * here keeps a pointer after it returns. Times are seconds. */
#ifndef SUITE_H
#define SUITE_H

#include <stddef.h>
#include <stdint.h>

/* As in a splitgen_kernel. */
typedef void suite_split_fn(const void *whole, void *const parts[]);
typedef void suite_join_fn(const void *const parts[], void *whole);
/* Either of them: the context, a suite_shape, has the direction. Inputs are not written. */
typedef void suite_context_fn(const void *context, void *whole, void *const parts[]);

/* The full tensor as a matrix: rows of row_bytes, of which every part has a column. Rows and
 * columns of packed elements (several to a byte) need not be whole bytes: then row_bytes,
 * offsets and widths are zeros, and only functions that support packed elements may be called. */
typedef struct suite_shape {
    int joins; /* the parts are read and the full tensor is written */
    size_t rows;
    size_t row_bytes;
    size_t nparts;
    const size_t *offsets;    /* of each column in its row, bytes */
    const size_t *widths;     /* of each column, bytes */
    size_t whole_bytes;       /* of the buffer */
    const size_t *part_bytes; /* of the buffer of each part */
    const size_t *lengths;    /* of each column, elements */
    size_t bits;              /* of a packed element: 1, 2 or 4; 0: elements of whole bytes */
    int msb;                  /* packed: the first element of a byte has its highest bits */
    /* For suite_parallel only: the splitgen_kernel of the same direction, and the thread. */
    const void *kernel;
    struct suite_thread *thread;
    /* For suite_free only: the same splitgen_kernel with a free batch, and how much that is. */
    const void *free_kernel;
    size_t items;
} suite_shape;

/* A full tensor and its parts. */
typedef struct suite_set {
    unsigned char *whole;
    void **parts;
} suite_set;

typedef struct suite_job {
    suite_split_fn *split;     /* called if not NULL */
    suite_join_fn *join;       /* otherwise this one */
    suite_context_fn *context; /* otherwise this one, with the shape */
    const suite_shape *shape;
    const suite_set *sets; /* used alternately, one per run */
    size_t nsets;
    size_t first; /* set of the first run */
    int pipeline; /* a producer writes the input before, a consumer reads the output afterwards */
} suite_job;

/* The time of one run, the mean of `runs` after `warm` untimed ones. drift: relative change of
 * the duration of a loop of known cycles between before and after. If it exceeds a few percent,
 * the clock changed and the batch is unreliable; the same holds if a thread of this process lost
 * its processor. */
typedef struct suite_sample {
    double seconds;
    double drift;
    long interruptions;
    double hertz;      /* cycles per second, by the same loop */
    double fastest;    /* seconds of a run in the fastest piece of the batch */
    double most_hertz; /* from the faster of the two loops, which was not disturbed */
} suite_sample;

void suite_batch(const suite_job *job, uint64_t warm, uint64_t runs, suite_sample *sample);

/* The loop of known cycles alone, for competitors that are timed elsewhere. Returns cycles per
 * second. */
double suite_calibrate(void);

/* How often threads of this process have lost their processor. */
long suite_interruptions(void);

/* Producer and consumer alone; return their seconds. */
double suite_produce(const suite_shape *shape, const suite_set *set);
double suite_consume(const suite_shape *shape, const suite_set *set);

/* Zero-filled pages; NULL if there is not enough memory. huge: ask for huge pages. */
void *suite_map(size_t bytes, int huge);
void suite_unmap(void *memory, size_t bytes);
/* Random bytes; the same for the same seed. */
void suite_fill(unsigned char *memory, size_t bytes, uint64_t seed);
/* Writes the expected contents of a set after a run, row by row and column by column. */
void suite_reference(const suite_shape *shape, const suite_set *set);
/* Index of the first part that differs from its column of the full tensor; -1 if none does. For
 * packed elements, the unused bits of the last byte of outputs must be 0; those of a full tensor
 * count as bits of the last part. */
int64_t suite_check(const suite_shape *shape, const suite_set *set);
/* The same check for the outputs alone, compared with their expected contents. If inputs have
 * changed, so that they match a wrong full tensor, the result is the first part. */
int64_t suite_compare(const suite_shape *shape, const suite_set *set, const suite_set *expected);

/* Empty functions: the cost of a call. */
suite_split_fn suite_null_split;
suite_join_fn suite_null_join;

/* Copies of the same number of bytes without a split or concat: between the full tensor and one
 * piece that begins at the first part, and between the full tensor and as many pieces as there
 * are parts. */
size_t suite_copy_count(void);
const char *suite_copy_name(size_t index); /* NULL if this processor cannot run it */
suite_context_fn *suite_copy_whole(size_t index);
suite_context_fn *suite_copy_pieces(size_t index);

/* memcpy of a run-time size per row and part; with parts in the outer loop as in ONNX Runtime
 * and OpenVINO, and with rows in the outer loop as in TensorFlow Lite. */
suite_context_fn suite_memcpy_parts;
suite_context_fn suite_memcpy_rows;

/* Packed elements one by one, each shifted out of its byte and into another. */
suite_context_fn suite_packed_elements;
/* suite_check for packed elements. */
int64_t suite_packed_check(const suite_shape *shape, const suite_set *set);

/* The function of a splitgen_kernel; NULL if it has the other direction. */
suite_split_fn *suite_kernel_split(const void *kernel);
suite_join_fn *suite_kernel_join(const void *kernel);

/* splitgen_run_parallel or splitgen_join_parallel with two threads: the caller and one that spins
 * while it waits, from start to stop. The shape has a kernel and a thread. */
suite_context_fn suite_parallel;
/* split_rows or join_rows of a kernel with an open batch, for all its rows. The shape has both. */
suite_context_fn suite_free;
struct suite_thread *suite_thread_start(void); /* NULL if none can be created */
void suite_thread_stop(struct suite_thread *thread);

#endif
