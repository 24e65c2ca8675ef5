/* What the measuring library offers to the Python side (by ctypes); declares, measures nothing.
 *
 * A kernel has a direction: a split reads a whole and writes its parts, a join reads the parts and
 * writes the whole. A competitor is a function in one of three shapes. All memory is the caller's;
 * nothing here keeps a pointer after it returns. Times are seconds. */
#ifndef SUITE_H
#define SUITE_H

#include <stddef.h>
#include <stdint.h>

/* As in a splitgen_kernel. */
typedef void suite_split_fn(const void *whole, void *const parts[]);
typedef void suite_join_fn(const void *const parts[], void *whole);
/* Either of them: the context, a suite_shape, says the direction. What is read is not written. */
typedef void suite_context_fn(const void *context, void *whole, void *const parts[]);

/* The whole as a matrix: rows of row_bytes, of which every part has a column. Packed elements
 * (several to a byte) need not come in whole bytes: then row_bytes, offsets and widths are zeros,
 * and only what knows packed elements may be called. */
typedef struct suite_shape {
    int joins; /* the parts are read and the whole is written */
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

/* A whole and its parts. */
typedef struct suite_set {
    unsigned char *whole;
    void **parts;
} suite_set;

typedef struct suite_job {
    suite_split_fn *split;     /* called when not NULL */
    suite_join_fn *join;       /* else this one */
    suite_context_fn *context; /* else this one, with the shape */
    const suite_shape *shape;
    const suite_set *sets; /* used in turn, one per run */
    size_t nsets;
    size_t first; /* set of the first run */
    int pipeline; /* a producer writes what is read before, a consumer reads what is written after
                   */
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
double suite_produce(const suite_shape *shape, const suite_set *set);
double suite_consume(const suite_shape *shape, const suite_set *set);

/* Zero-filled pages; NULL when there are not that many. huge: ask for huge pages. */
void *suite_map(size_t bytes, int huge);
void suite_unmap(void *memory, size_t bytes);
/* Random bytes; the same for the same seed. */
void suite_fill(unsigned char *memory, size_t bytes, uint64_t seed);
/* Writes what a set should hold after a run, row by row and column by column. */
void suite_reference(const suite_shape *shape, const suite_set *set);
/* Index of the first part that has other bytes than its column of the whole; -1 when none has. Of
 * packed elements, the unused bits of the last byte of what is written must be 0; those of a whole
 * count as bits of the last part. */
int64_t suite_check(const suite_shape *shape, const suite_set *set);
/* The same question of what was written alone, which is compared with what should have been. Where
 * parts that are read have changed, so that they do fit a wrong whole, it is the first. */
int64_t suite_compare(const suite_shape *shape, const suite_set *set, const suite_set *expected);

/* Do nothing: what a call costs. */
suite_split_fn suite_null_split;
suite_join_fn suite_null_join;

/* Copies that move as many bytes without a split or join. Between the whole and one piece that
 * begins at the first part, and between the whole and as many pieces as there are parts. */
size_t suite_copy_count(void);
const char *suite_copy_name(size_t index); /* NULL when this processor cannot run it */
suite_context_fn *suite_copy_whole(size_t index);
suite_context_fn *suite_copy_pieces(size_t index);

/* memcpy of a run-time size per row and part; parts outside as ONNX Runtime and OpenVINO order it,
 * and rows outside as TensorFlow Lite does. */
suite_context_fn suite_memcpy_parts;
suite_context_fn suite_memcpy_rows;

/* Packed elements one by one, each shifted out of its byte and into another. */
suite_context_fn suite_packed_elements;
/* What suite_check does for packed elements. */
int64_t suite_packed_check(const suite_shape *shape, const suite_set *set);

/* The function of a splitgen_kernel; NULL where it has the other direction. */
suite_split_fn *suite_kernel_split(const void *kernel);
suite_join_fn *suite_kernel_join(const void *kernel);

/* splitgen_run_parallel or splitgen_join_parallel with two threads: the caller and one that spins
 * while it waits, from start to stop. The shape has a kernel and a thread. */
suite_context_fn suite_parallel;
/* split_rows or join_rows of a kernel with a free batch, for all its rows. The shape has both. */
suite_context_fn suite_free;
struct suite_thread *suite_thread_start(void); /* NULL when there is none to be had */
void suite_thread_stop(struct suite_thread *thread);

#endif
