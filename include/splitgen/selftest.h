/* The self-test of kernels. `splitgen --emit=test` prints a table for it.
 *
 * Checks each byte that a kernel must write against the definition of the operator, and that no
 * other byte changes, not even in the padding between rows. In pass n, byte p of the full tensor,
 * without padding, is byte n of the number p; a separate pass has its complement. Together the
 * passes distinguish every byte that is read from every other byte, and from combinations of
 * several bytes; for packed elements, every bit. They run every variant that this machine supports,
 * with ordinary and non-temporal stores, at every alignment within a cache line of 64 bytes.
 *
 * The program prints a line for each kernel. It exits with 0 if all kernels are correct, otherwise
 * with 1. For large tensors it tries only some alignments; with the argument --all, every one.
 *
 * The function STEM_selftest(memory, bytes, all) does the same in your program, for example on a
 * board. It allocates nothing and works in `memory`; the printed file has the size for all tensors.
 * With three times as much memory it is faster. With less it tests a window of rows after the
 * other, as many as fit, by the kernel's function for rows; the file has the size for one row. It
 * returns 0, or the number of the first case that fails, counted from 1. No kernel may run at the
 * same time. With -DSPLITGEN_SELFTEST_FUNCTION the printed file has no main, prints nothing, and
 * needs only <string.h> of the C library.
 *
 * A kernel must not depend on the bytes it copies. With -DSPLITGEN_SELFTEST_UNDEFINED its inputs
 * are undefined: a branch or an address that depends on them is reported, and afterwards every bit
 * of every written element must be undefined. Valgrind tracks undefined bits, and so does
 * MemorySanitizer if the runtime is compiled with it as well:
 *
 *   cc -O1 -DSPLITGEN_SELFTEST_UNDEFINED TEST.c KERNELS.c -lsplitgen_runtime
 *   valgrind -q --error-exitcode=2 ./a.out
 *
 *   clang -O1 -fsanitize=memory -DSPLITGEN_SELFTEST_UNDEFINED TEST.c KERNELS.c RUNTIME/splitgen_*.c
 *   ./a.out
 *
 * Neither supports all of AVX-512: valgrind's processor does not have it, and for MemorySanitizer
 * on a processor with AVX-512 add
 * "-DSPLITGEN_CPU_IGNORE=SPLITGEN_CPU_AVX512|SPLITGEN_CPU_AVX512VBMI".
 *
 * Included by generated code only, once in a program's file. That file first defines
 * SPLITGEN_SELFTEST_BODIES if its kernels select variants at run time. */
#ifndef SPLITGEN_SELFTEST_H
#define SPLITGEN_SELFTEST_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if !defined(SPLITGEN_SELFTEST_FUNCTION)
#include <stdio.h>
#include <stdlib.h>
#endif

#include <splitgen/descriptor.h>
#if defined(SPLITGEN_SELFTEST_BODIES)
#include <splitgen/vector.h>
#endif

#if defined(SPLITGEN_SELFTEST_UNDEFINED)
enum { SPLITGEN_TEST_UNDEFINED = 1 };
#define SPLITGEN_TEST_WRONG "is not undefined where it has to be,"
#if defined(SPLITGEN_NO_ASM)
#include <sanitizer/msan_interface.h>
#else
#include <valgrind/memcheck.h>
#endif
#else
enum { SPLITGEN_TEST_UNDEFINED = 0 };
#define SPLITGEN_TEST_WRONG "is wrong"
#endif

#if defined(SPLITGEN_SELFTEST_FUNCTION)
static void splitgen_test_say(const char *format, ...)
{
    (void)format;
}
#else
#define splitgen_test_say (void)printf
#endif

/* A part of the axis. A unit is a byte, or a bit if elements are packed. */
typedef struct splitgen_test_part {
    size_t start;        /* its first index on the axis */
    size_t length;       /* its length on the axis */
    size_t row;          /* units from one row of its tensor to the next */
    const size_t *steps; /* units from one group of rows to the next, for every group; or NULL */
    size_t tensor; /* the number of the kernel's tensor that has it; SIZE_MAX: it is a constant */
    size_t at;     /* the unit of that tensor at which it begins */
    const void *data; /* of a constant; otherwise NULL */
} splitgen_test_part;

/* Groups of rows with padding between them. */
typedef struct splitgen_test_groups {
    size_t count;
    const size_t *rows;  /* of each, from the outermost group to the innermost */
    const size_t *steps; /* of the full tensor: units from one group to the next; or NULL */
} splitgen_test_groups;
#define SPLITGEN_TEST_NO_GROUPS                                                                    \
    {                                                                                              \
        0, NULL, NULL                                                                              \
    }

/* Open dimensions. */
typedef struct splitgen_test_open {
    const size_t *dims; /* the numbers of this call */
    size_t rows;        /* the factor of the kernel's rows */
    size_t scale;       /* the factor of the units of a row */
} splitgen_test_open;
#define SPLITGEN_TEST_FIXED                                                                        \
    {                                                                                              \
        NULL, 1, 1                                                                                 \
    }

/* Units: 8 or 1 bits; bit i of a stream of bits is bit i % 8 ^ order of its byte. */
typedef struct splitgen_test_unit {
    unsigned bits;
    unsigned order;
} splitgen_test_unit;
#define SPLITGEN_TEST_BYTES                                                                        \
    {                                                                                              \
        8, 0                                                                                       \
    }

/* A call of a kernel, in terms of the operator's definition: the full tensor has `outer` rows of
 * axis_length indices of `inner` units each, and the parts are ranges of these indices. */
typedef struct splitgen_test_case {
    const splitgen_kernel *kernel;
    size_t outer;
    size_t axis_length;
    size_t inner; /* units of an index */
    size_t row;   /* units from one row of the full tensor to the next */
    size_t nparts;
    const splitgen_test_part *parts; /* in the order of their starts */
    splitgen_test_groups groups;
    splitgen_test_open open;
    splitgen_test_unit unit;
    bool rearranged; /* parts are pieces of the kernel's inputs, or constants */
} splitgen_test_case;

/* A tensor between two guards. */
typedef struct splitgen_test_tensor {
    const splitgen_test_part *part; /* NULL: the full tensor or a source */
    size_t source;                  /* its number, if it is such a source; otherwise SIZE_MAX */
    bool written;                   /* the kernel writes it; otherwise it reads it */
    bool has_gaps;                  /* it has padding, or elements that belong to no part */
    unsigned char *block;           /* begins at a cache line */
    size_t block_size;
    size_t before;        /* bytes of the block before the tensor's cache line */
    unsigned char *bytes; /* within it; NULL for an empty tensor */
    size_t begin;         /* the byte of the full tensor that is there; not 0 only in a window */
    unsigned char *right; /* its expected contents; NULL if there is no memory for them */
    unsigned char *moved; /* a mask of its bits outside gaps, or NULL */
    size_t size;
} splitgen_test_tensor;

/* A kernel being tested. */
typedef struct splitgen_test_state {
    const splitgen_test_case *test;
    splitgen_test_tensor *tensors; /* the full tensor, then the parts */
    size_t ntensors;
    void **parts; /* the array that the kernel takes */
    size_t first; /* the rows that are in memory: [first, last) */
    size_t last;
    unsigned machine;
    unsigned pass;
    size_t piece; /* for a kernel run in pieces: the rows of the first one */
    size_t body;
} splitgen_test_state;

enum { SPLITGEN_TEST_LINE = 64, SPLITGEN_TEST_WAYS = 6 };
enum { SPLITGEN_TEST_GUARD = 0xa5, SPLITGEN_TEST_READ_GUARD = 0x5a };
/* The contents of outputs before a run, as passes of their own. */
enum { SPLITGEN_TEST_ZEROS = 1000, SPLITGEN_TEST_ONES };

/* The caller's memory, in blocks of `align` bytes. */
typedef struct splitgen_test_memory {
    unsigned char *next;
    size_t left;
    size_t align;
} splitgen_test_memory;

/* The alignment of every tensor, before its offset in a cache line is added. */
static size_t splitgen_test_align(const splitgen_test_case *test)
{
    const size_t line = SPLITGEN_TEST_LINE;
    return test->kernel->align > line ? test->kernel->align : line;
}

/* Takes memory; NULL if not enough is left. */
static void *splitgen_test_take(splitgen_test_memory *memory, size_t bytes)
{
    unsigned char *taken = memory->next;
    if (bytes > memory->left) {
        return NULL;
    }
    bytes = (bytes + memory->align - 1) / memory->align * memory->align;
    memory->next += bytes;
    memory->left -= bytes;
    return taken;
}

/* Units of a row of a tensor, and from one row to the next; part NULL: the full tensor. */
static size_t splitgen_test_width(const splitgen_test_case *test, const splitgen_test_part *part)
{
    return (part != NULL ? part->length : test->axis_length) * test->inner;
}

static size_t splitgen_test_row(const splitgen_test_case *test, const splitgen_test_part *part)
{
    return part != NULL ? part->row * test->open.scale : test->row;
}

/* Units from one group of rows of a tensor to the next, for every group; NULL if there are no
 * groups. */
static const size_t *splitgen_test_steps(const splitgen_test_case *test,
                                         const splitgen_test_part *part)
{
    return part != NULL ? part->steps : test->groups.steps;
}

/* Units before a row of a tensor. */
static size_t splitgen_test_begin(const splitgen_test_case *test, const splitgen_test_part *part,
                                  size_t row)
{
    const size_t *steps = splitgen_test_steps(test, part);
    size_t begin = 0;
    for (size_t g = 0; steps != NULL && g < test->groups.count; ++g) {
        begin += row / test->groups.rows[g] * steps[g];
        row %= test->groups.rows[g];
    }
    return begin + row * splitgen_test_row(test, part);
}

/* The row of a unit of a tensor, and its offset in the row, which is past the row's width if the
 * unit is padding. */
static size_t splitgen_test_find(const splitgen_test_case *test, const splitgen_test_part *part,
                                 size_t unit, size_t *offset)
{
    const size_t *steps = splitgen_test_steps(test, part);
    const size_t length = splitgen_test_row(test, part);
    size_t row = 0;
    size_t rows = SIZE_MAX;
    for (size_t g = 0; steps != NULL && g < test->groups.count; ++g) {
        if (unit / steps[g] >= rows / test->groups.rows[g]) {
            *offset = SIZE_MAX;
            return row;
        }
        row += unit / steps[g] * test->groups.rows[g];
        unit %= steps[g];
        rows = test->groups.rows[g];
    }
    *offset = steps == NULL || unit / length < rows ? unit % length : SIZE_MAX;
    return row + unit / length;
}

/* Bytes of the rows [first, last) of a tensor, from the first byte to the last. */
static size_t splitgen_test_extent(const splitgen_test_case *test, const splitgen_test_part *part,
                                   size_t first, size_t last)
{
    const size_t width = splitgen_test_width(test, part);
    size_t units;
    if (first == last || width == 0) {
        return 0;
    }
    units = splitgen_test_begin(test, part, last - 1) + width;
    units -= splitgen_test_begin(test, part, first);
    return test->unit.bits == 1 ? (units + 7) / 8 : units;
}

static size_t splitgen_test_size(const splitgen_test_case *test, const splitgen_test_part *part)
{
    return splitgen_test_extent(test, part, 0, test->outer);
}

/* Bytes of a tensor of the kernel, from its descriptor. */
static size_t splitgen_test_given(const splitgen_test_case *test, size_t tensor)
{
    return test->kernel->parts[tensor].bytes * test->open.rows * test->open.scale;
}

/* The memory for a test of the rows [first, last), with so many copies of each tensor. Besides
 * them, each tensor needs guards and room for offsets within a cache line, its struct, its pointer,
 * and its share of three roundings. One extra tensor accounts for blocks that are not full. */
static size_t splitgen_test_room_of(const splitgen_test_case *test, size_t first, size_t last,
                                    size_t copies)
{
    size_t room = splitgen_test_extent(test, NULL, first, last);
    for (size_t i = 0; i < test->nparts; ++i) {
        room += splitgen_test_extent(test, &test->parts[i], first, last);
    }
    for (size_t i = 0; test->rearranged && i < test->kernel->nparts; ++i) {
        room += splitgen_test_given(test, i); /* tensors that parts are read from */
    }
    return copies * room + (test->nparts + 2) * (3 * splitgen_test_align(test) + 256);
}

static size_t splitgen_test_room(const splitgen_test_case *test)
{
    return splitgen_test_room_of(test, 0, test->outer, 1);
}

/* The number of rows from `first` on that are tested at once: all, or as many as fit with the
 * copies that make it fast. A window needs rows that begin at bytes and are found in the kernel's
 * tensors. */
static size_t splitgen_test_window(const splitgen_test_case *test, size_t first, size_t bytes)
{
    size_t rows = test->outer - first;
    if (splitgen_test_room(test) <= bytes || test->unit.bits == 1 || test->rearranged ||
        test->kernel->free != NULL || test->kernel->rows != test->outer) {
        return rows;
    }
    while (rows > 1 && splitgen_test_room_of(test, first, first + rows, 3) > bytes) {
        rows /= 2;
    }
    return rows;
}

/* Whether an index of the axis belongs to a part that the kernel has. Parts are sorted by their
 * starts. */
static bool splitgen_test_is_wanted(const splitgen_test_case *test, size_t index)
{
    size_t first = 0;
    size_t last = test->nparts;
    while (last - first > 1) {
        const size_t middle = first + (last - first) / 2;
        if (test->parts[middle].start <= index) {
            first = middle;
        } else {
            last = middle;
        }
    }
    return test->nparts > 0 && index - test->parts[first].start < test->parts[first].length;
}

static bool splitgen_test_leaves_gaps(const splitgen_test_case *test,
                                      const splitgen_test_part *part)
{
    bool gaps = splitgen_test_row(test, part) != splitgen_test_width(test, part) ||
                splitgen_test_steps(test, part) != NULL;
    for (size_t i = 0; part == NULL && test->kernel->joins && i < test->axis_length; ++i) {
        gaps = gaps || !splitgen_test_is_wanted(test, i);
    }
    return gaps;
}

/* The part that a tensor of the kernel is, or the first part that is read from it. */
static const splitgen_test_part *splitgen_test_part_in(const splitgen_test_case *test,
                                                       size_t tensor)
{
    const splitgen_test_part *part = test->rearranged ? test->parts : &test->parts[tensor];
    while (part->tensor != tensor) {
        ++part;
    }
    return part;
}

/* Whether parts are read from a tensor that has other elements too. */
static bool splitgen_test_is_source(const splitgen_test_case *test, size_t tensor)
{
    const splitgen_test_part *part = splitgen_test_part_in(test, tensor);
    return test->rearranged &&
           (part->at > 0 || splitgen_test_size(test, part) != splitgen_test_given(test, tensor));
}

/* The size of a tensor's block: bytes before it, a multiple of its alignment; its offset in a cache
 * line; and at least a cache line after it. */
static size_t splitgen_test_block_size(size_t size, size_t align)
{
    return (size + 2 * align + 2 * SPLITGEN_TEST_LINE - 1) / align * align;
}

/* Takes memory for `size` bytes of a tensor, from byte `begin` on. */
static void splitgen_test_allocate(splitgen_test_tensor *tensor, size_t begin, size_t size,
                                   splitgen_test_memory *memory)
{
    tensor->size = size;
    tensor->begin = begin;
    tensor->before = memory->align;
    tensor->block_size = splitgen_test_block_size(size + begin % memory->align, memory->align);
    tensor->block = SPLITGEN_POINTER(unsigned char, splitgen_test_take(memory, tensor->block_size));
    tensor->bytes = NULL;
    tensor->right = NULL;
    tensor->moved = NULL;
}

/* Opens the full tensor (part NULL), or the tensor of a part. */
static void splitgen_test_open_tensor(const splitgen_test_state *state,
                                      splitgen_test_tensor *tensor, const splitgen_test_part *part,
                                      splitgen_test_memory *memory)
{
    const splitgen_test_case *test = state->test;
    const size_t size = splitgen_test_extent(test, part, state->first, state->last);
    tensor->part = part;
    tensor->source = SIZE_MAX;
    tensor->written = (part == NULL) == test->kernel->joins;
    splitgen_test_allocate(tensor, size > 0 ? splitgen_test_begin(test, part, state->first) : 0,
                           size, memory);
    tensor->has_gaps = tensor->size > 0 && splitgen_test_leaves_gaps(test, part);
}

/* Opens a tensor of the kernel besides the full tensor: a part, or a source that parts are read
 * from. */
static void splitgen_test_open_given(const splitgen_test_state *state, splitgen_test_tensor *tensor,
                                     size_t number, splitgen_test_memory *memory)
{
    const splitgen_test_case *test = state->test;
    if (!splitgen_test_is_source(test, number)) {
        splitgen_test_open_tensor(state, tensor, splitgen_test_part_in(test, number), memory);
        return;
    }
    tensor->part = NULL;
    tensor->source = number;
    tensor->written = false;
    tensor->has_gaps = false;
    splitgen_test_allocate(tensor, 0, splitgen_test_given(test, number), memory);
}

#if defined(SPLITGEN_SELFTEST_UNDEFINED) && defined(SPLITGEN_NO_ASM)
/* The bits that are undefined in all of some bytes. Undefined bytes are zero in memory: the `and`
 * of two undefined zeros is undefined, and a one was written by something else. */
static unsigned splitgen_test_undefined(const unsigned char *bytes, size_t size)
{
    unsigned undefined = 0;
    unsigned all = bytes[0];
    unsigned ones = bytes[0];
    for (size_t at = 1; at < size; ++at) {
        all &= bytes[at];
        ones |= bytes[at];
    }
    for (unsigned bit = 1; bit < 256; bit *= 2) {
        const unsigned one = all & bit;
        undefined |= __msan_test_shadow(&one, sizeof one) >= 0 ? bit : 0;
    }
    __msan_unpoison(&ones, sizeof ones);
    return undefined & ~ones;
}
#endif

/* Makes a tensor undefined; its bytes are zeros in memory. */
static void splitgen_test_undefine(const splitgen_test_tensor *tensor)
{
#if defined(SPLITGEN_SELFTEST_UNDEFINED)
    if (tensor->size > 0) {
        memset(tensor->bytes, 0, tensor->size);
    }
#if defined(SPLITGEN_NO_ASM)
    __msan_poison(tensor->bytes, tensor->size);
#else
    (void)VALGRIND_MAKE_MEM_UNDEFINED(tensor->bytes, tensor->size);
#endif
#else
    (void)tensor;
#endif
}

/* Replaces each bit of a tensor by 1 if it was undefined, otherwise by 0. */
static void splitgen_test_reveal(const splitgen_test_tensor *tensor)
{
#if !defined(SPLITGEN_SELFTEST_UNDEFINED)
    (void)tensor;
#elif defined(SPLITGEN_NO_ASM)
    size_t some;
    for (size_t at = 0; at < tensor->size; at += some) {
        unsigned undefined;
        some = tensor->size - at < SPLITGEN_TEST_LINE ? tensor->size - at : SPLITGEN_TEST_LINE;
        undefined = splitgen_test_undefined(tensor->bytes + at, some);
        if (undefined != 0xff) { /* byte by byte, to find which */
            some = 1;
            undefined = splitgen_test_undefined(tensor->bytes + at, some);
        }
        memset(tensor->bytes + at, (int)undefined, some);
    }
#else
    (void)VALGRIND_GET_VBITS(tensor->bytes, tensor->bytes, tensor->size);
#endif
}

/* The value of bytes around a tensor, and in its padding. It differs for inputs, so that a byte
 * copied from outside an input to outside an output is noticed. */
static unsigned char splitgen_test_guard(const splitgen_test_tensor *tensor)
{
    return tensor->written ? SPLITGEN_TEST_GUARD : SPLITGEN_TEST_READ_GUARD;
}

/* Places a tensor at this offset from a cache line that satisfies its alignment. */
static void splitgen_test_place(splitgen_test_tensor *tensor, size_t place)
{
    memset(tensor->block, splitgen_test_guard(tensor), tensor->block_size);
    tensor->bytes = tensor->size > 0 ? tensor->block + tensor->before + place % SPLITGEN_TEST_LINE +
                                           tensor->begin % tensor->before
                                     : NULL;
}

/* Where the full tensor begins, of which perhaps only a window is in memory. */
static unsigned char *splitgen_test_base(const splitgen_test_tensor *tensor)
{
    return (unsigned char *)((uintptr_t)tensor->bytes - tensor->begin);
}

/* Whether all of some bytes have the value of guards. */
static int splitgen_test_are_guards(const unsigned char *bytes, size_t size, unsigned char guard)
{
    return size == 0 || (bytes[0] == guard && memcmp(bytes, bytes + 1, size - 1) == 0);
}

static int splitgen_test_guards_hold(const splitgen_test_tensor *tensor)
{
    const unsigned char guard = splitgen_test_guard(tensor);
    size_t before;
    if (tensor->bytes == NULL) {
        return splitgen_test_are_guards(tensor->block, tensor->block_size, guard);
    }
    before = (size_t)(tensor->bytes - tensor->block);
    return splitgen_test_are_guards(tensor->block, before, guard) &&
           splitgen_test_are_guards(tensor->bytes + tensor->size,
                                    tensor->block_size - before - tensor->size, guard);
}

/* The number of a unit: its place in the full tensor without padding. Other units are in a gap
 * (padding after a row, or in a written full tensor a part that the kernel does not have), or after
 * all rows. */
#define SPLITGEN_TEST_GAP    SIZE_MAX
#define SPLITGEN_TEST_BEHIND (SIZE_MAX - 1)

/* The number of a unit of a source: that of the first part that reads it. */
static size_t splitgen_test_number_in_source(const splitgen_test_case *test, size_t source,
                                             size_t unit)
{
    for (size_t i = 0; i < test->nparts; ++i) {
        const splitgen_test_part *part = &test->parts[i];
        const size_t row = part->tensor == source && unit >= part->at
                               ? (unit - part->at) / part->row
                               : test->outer;
        if (row < test->outer && (unit - part->at) % part->row < part->length * test->inner) {
            return (row * test->axis_length + part->start) * test->inner +
                   (unit - part->at) % part->row;
        }
    }
    return SPLITGEN_TEST_GAP;
}

/* The part of an index of the axis. */
static const splitgen_test_part *splitgen_test_part_at(const splitgen_test_case *test, size_t index)
{
    const splitgen_test_part *part = test->parts;
    while (index >= part->start + part->length) {
        ++part;
    }
    return part;
}

/* The number of a unit of the full tensor. If several parts read the same unit, that of the first.
 */
static size_t splitgen_test_first_number(const splitgen_test_case *test, size_t number)
{
    const size_t row = number / (test->axis_length * test->inner);
    const size_t offset = number % (test->axis_length * test->inner);
    const splitgen_test_part *part = splitgen_test_part_at(test, offset / test->inner);
    if (part->tensor == SIZE_MAX || !splitgen_test_is_source(test, part->tensor)) {
        return number;
    }
    return splitgen_test_number_in_source(
        test, part->tensor, part->at + row * part->row + offset - part->start * test->inner);
}

/* The number of a unit; `*run` units from it on, itself included, are numbered consecutively. */
static size_t splitgen_test_number(const splitgen_test_case *test,
                                   const splitgen_test_tensor *tensor, size_t unit, size_t *run)
{
    const splitgen_test_part *part = tensor->part;
    size_t offset;
    const size_t row = splitgen_test_find(test, part, unit, &offset);
    *run = 1;
    if (tensor->source != SIZE_MAX) {
        return splitgen_test_number_in_source(test, tensor->source, unit);
    }
    if (row >= test->outer) {
        return SPLITGEN_TEST_BEHIND;
    }
    if (offset >= splitgen_test_width(test, part)) {
        return SPLITGEN_TEST_GAP;
    }
    if (part != NULL) {
        *run = splitgen_test_width(test, part) - offset;
        return (row * test->axis_length + part->start) * test->inner + offset;
    }
    if (tensor->written && !splitgen_test_is_wanted(test, offset / test->inner)) {
        return SPLITGEN_TEST_GAP;
    }
    if (test->rearranged) {
        return splitgen_test_first_number(test, row * test->axis_length * test->inner + offset);
    }
    *run = tensor->written ? test->inner - offset % test->inner
                           : splitgen_test_width(test, part) - offset;
    return row * test->axis_length * test->inner + offset;
}

/* `bits` bits of the number of a unit, as a pass has them. */
static unsigned splitgen_test_contents(size_t number, unsigned bits, unsigned pass)
{
    const unsigned all = (1U << bits) - 1;
    if (pass >= SPLITGEN_TEST_ZEROS || SPLITGEN_TEST_UNDEFINED) {
        return pass != SPLITGEN_TEST_ZEROS ? all : 0; /* undefined ones, as they are revealed */
    }
    number >>= pass / 2 * bits;
    return (unsigned)((pass % 2 == 0 ? number : ~number) & all);
}

/* The expected contents of a gap, where undefined bits are revealed too. */
static unsigned char splitgen_test_gap(const splitgen_test_tensor *tensor, unsigned pass)
{
    if (SPLITGEN_TEST_UNDEFINED && pass < SPLITGEN_TEST_ZEROS) {
        return tensor->written ? 0 : 0xff;
    }
    return splitgen_test_guard(tensor);
}

/* The constant from which a unit of the full tensor is copied, and the unit in it; NULL if it is
 * not from a constant. */
static const unsigned char *splitgen_test_constant(const splitgen_test_case *test,
                                                   const splitgen_test_tensor *tensor, size_t at,
                                                   size_t *unit)
{
    const splitgen_test_part *part;
    size_t offset;
    if (tensor->part != NULL || tensor->source != SIZE_MAX || !test->kernel->joins ||
        at / test->row >= test->outer) {
        return NULL;
    }
    offset = at % test->row;
    if (offset >= test->axis_length * test->inner ||
        !splitgen_test_is_wanted(test, offset / test->inner)) {
        return NULL;
    }
    part = splitgen_test_part_at(test, offset / test->inner);
    *unit = at / test->row * part->length * test->inner + offset - part->start * test->inner;
    return SPLITGEN_POINTER(const unsigned char, part->data);
}

/* The same for packed elements: the bit of the constant, or `other` if it is not from one. */
static unsigned splitgen_test_constant_bit(const splitgen_test_case *test,
                                           const splitgen_test_tensor *tensor, size_t at,
                                           unsigned other)
{
    size_t unit;
    const unsigned char *data = splitgen_test_constant(test, tensor, at, &unit);
    if (data == NULL || SPLITGEN_TEST_UNDEFINED) {
        return data == NULL ? other : 0;
    }
    return (unsigned)data[unit / 8] >> (unit % 8 ^ test->unit.order) & 1U;
}

/* The same as below for packed elements; bits after the last one are written as zeros. */
static unsigned char splitgen_test_right_bits(const splitgen_test_case *test,
                                              const splitgen_test_tensor *tensor, size_t at,
                                              unsigned pass)
{
    size_t number = 0;
    size_t run = 0;
    unsigned right = 0;
    for (size_t to = 8 * at; to < 8 * at + 8; ++to, --run) {
        number = run > 0 ? number + 1 : splitgen_test_number(test, tensor, to, &run);
        const unsigned place = (unsigned)(to % 8) ^ test->unit.order;
        unsigned bit = (unsigned)splitgen_test_gap(tensor, pass) >> place & 1U;
        if (number == SPLITGEN_TEST_BEHIND && tensor->written) {
            bit = pass == SPLITGEN_TEST_ONES;
        } else if (number < SPLITGEN_TEST_BEHIND) {
            bit = splitgen_test_contents(number, 1, pass);
        }
        if (test->rearranged) {
            bit = splitgen_test_constant_bit(test, tensor, to, bit);
        }
        right |= bit << place;
    }
    return (unsigned char)right;
}

/* The expected value of a byte that is in memory, by the operator's definition. */
static unsigned char splitgen_test_right(const splitgen_test_case *test,
                                         const splitgen_test_tensor *tensor, size_t at,
                                         unsigned pass)
{
    const unsigned char *data;
    size_t number;
    size_t run;
    at += tensor->begin;
    if (test->unit.bits == 1) {
        return splitgen_test_right_bits(test, tensor, at, pass);
    }
    data = test->rearranged ? splitgen_test_constant(test, tensor, at, &number) : NULL;
    if (data != NULL) {
        return SPLITGEN_TEST_UNDEFINED ? 0 : data[number];
    }
    number = splitgen_test_number(test, tensor, at, &run);
    return number < SPLITGEN_TEST_BEHIND ? (unsigned char)splitgen_test_contents(number, 8, pass)
                                         : splitgen_test_gap(tensor, pass);
}

/* The number of passes that distinguish the units of a full tensor, with their complements. */
static unsigned splitgen_test_passes(const splitgen_test_case *test)
{
    const size_t units = test->outer * test->axis_length * test->inner;
    size_t left = units > 0 ? units - 1 : 0;
    unsigned passes = 0;
    if (SPLITGEN_TEST_UNDEFINED) {
        return 1; /* inputs have no contents */
    }
    do {
        ++passes;
        left >>= test->unit.bits;
    } while (left > 0);
    return 2 * passes;
}

/* A variant is selected by the processor's instructions, its traits, and whether the tensors fit
 * its cache. Only the instructions must exist; the others are all tried. */
#if defined(SPLITGEN_SELFTEST_BODIES) && SPLITGEN_X86
static const unsigned splitgen_test_levels[] = {
    0,
    SPLITGEN_CPU_AVX2,
    SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512,
    SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512 | SPLITGEN_CPU_AVX512VBMI,
};
#define SPLITGEN_TEST_TRAITS(id, ...) SPLITGEN_MACHINE_##id,
static const unsigned splitgen_test_machines[] = {SPLITGEN_GENERIC(SPLITGEN_TEST_TRAITS)
                                                      SPLITGEN_X86_MACHINES(SPLITGEN_TEST_TRAITS)};

enum { SPLITGEN_TEST_MACHINES = sizeof splitgen_test_machines / sizeof splitgen_test_machines[0] };
#else
enum { SPLITGEN_TEST_MACHINES = 0 };
#endif

enum { SPLITGEN_TEST_BODIES = 1 + 4 * 2 * SPLITGEN_TEST_MACHINES };

/* Makes kernels select variant `number`. False if `machine` does not have the instructions for it,
 * or if variants cannot be forced. Variant 0 is that of a first call; querying the processor takes
 * long, so it is tried at one place only. */
static int splitgen_test_force(size_t number, unsigned machine)
{
#if defined(SPLITGEN_SELFTEST_BODIES) && SPLITGEN_X86
    const size_t level = (number - 1) % 4;
    const size_t traits = (number - 1) / 4 % SPLITGEN_TEST_MACHINES;
    const bool non_temporal = (number - 1) / 4 / SPLITGEN_TEST_MACHINES > 0;
    unsigned cpu;
    if (number == 0) {
        splitgen_cpu_answer = 0;
        splitgen_stream_answer = 0;
        return 1;
    }
    cpu = splitgen_test_levels[level] | (splitgen_test_machines[traits] & SPLITGEN_CPU_PEXT);
    if ((machine & cpu) != cpu || (level == 0 && (traits > 1 || non_temporal))) {
        return 0;
    }
    splitgen_cpu_answer = cpu | splitgen_test_machines[traits] | SPLITGEN_CPU_KNOWN;
    splitgen_stream_answer = non_temporal ? 1 : SIZE_MAX / 16;
    return 1;
#else
    (void)machine;
    return number == 0;
#endif
}

/* Copies units between bytes; offsets are in units. */
static void splitgen_test_move(const splitgen_test_case *test, unsigned char *to, size_t to_unit,
                               const unsigned char *from, size_t from_unit, size_t units)
{
    if (test->unit.bits == 8) {
        memcpy(to + to_unit, from + from_unit, units);
        return;
    }
    for (size_t i = 0; i < units; ++i) {
        const size_t t = to_unit + i;
        const size_t f = from_unit + i;
        const unsigned bit = (unsigned)from[f / 8] >> (f % 8 ^ test->unit.order) & 1U;
        const unsigned others = to[t / 8] & ~(1U << (t % 8 ^ test->unit.order));
        to[t / 8] = (unsigned char)(others | bit << (t % 8 ^ test->unit.order));
    }
}

/* Acts as a reader of a view, in place of the kernel's copy, or as a writer of one. The view's
 * strides give the distance of rows in the full tensor. */
static void splitgen_test_use_view(const splitgen_test_state *state, size_t number)
{
    const splitgen_test_case *test = state->test;
    const splitgen_view *view = &test->kernel->views[number];
    const splitgen_test_tensor *whole = &state->tensors[0];
    const splitgen_test_tensor *part = &state->tensors[number + 1];
    const size_t axis = (size_t)test->kernel->axis;
    const size_t width = splitgen_test_width(test, part->part);
    const size_t begin = view->byte_offset * test->open.scale * (8 / test->unit.bits);
    size_t apart = width;
    if (part->size == 0) {
        return;
    }
    if (view->kind != SPLITGEN_VIEW_CONTIGUOUS && axis > 0) {
        apart = (size_t)view->strides[axis - 1] * test->inner / (size_t)view->strides[axis];
    }
    for (size_t row = state->first; row < state->last; ++row) {
        const size_t in_part = splitgen_test_begin(test, part->part, row);
        const size_t in_whole =
            begin +
            (test->groups.steps != NULL ? splitgen_test_begin(test, NULL, row) : row * apart);
        if (part->written) {
            splitgen_test_move(test, splitgen_test_base(part), in_part, splitgen_test_base(whole),
                               in_whole, width);
        } else {
            splitgen_test_move(test, splitgen_test_base(whole), in_whole, splitgen_test_base(part),
                               in_part, width);
        }
    }
}

/* All parts that are only views: written ones after a run, read ones before it. */
static void splitgen_test_use_views(const splitgen_test_state *state, bool written)
{
    for (size_t i = 0; i + 1 < state->ntensors; ++i) {
        if (state->test->kernel->views[i].only && state->tensors[i + 1].written == written) {
            splitgen_test_use_view(state, i);
        }
    }
}

/* Runs tasks from the last to the first. */
static void splitgen_test_for(void *pool, size_t tasks, void (*task)(void *context, size_t index),
                              void *context)
{
    (void)pool;
    while (tasks > 0) {
        --tasks;
        task(context, tasks);
    }
}

/* The ways to call a kernel in either direction, with open dimensions and without: the kernel
 * itself, checked calls, and rows. */
static void splitgen_test_kernel(const splitgen_test_state *state)
{
    const splitgen_kernel *kernel = state->test->kernel;
    if (kernel->split != NULL) {
        kernel->split(state->tensors[0].bytes, state->parts);
    } else if (kernel->join != NULL) { /* otherwise every part is a view */
        kernel->join((const void *const *)state->parts, state->tensors[0].bytes);
    }
}

static splitgen_status splitgen_test_run(const splitgen_test_state *state, bool by_tasks)
{
    const splitgen_kernel *kernel = state->test->kernel;
    const size_t *dims = state->test->open.dims;
    const void *const *inputs = (const void *const *)state->parts;
    void *const *outputs = state->parts;
    void *whole = state->tensors[0].bytes;
    if (by_tasks && dims != NULL) {
        return kernel->joins ? splitgen_join_parallel_dims(kernel, inputs, whole, dims,
                                                           splitgen_test_for, NULL)
                             : splitgen_run_parallel_dims(kernel, whole, outputs, dims,
                                                          splitgen_test_for, NULL);
    }
    if (by_tasks) {
        return kernel->joins
                   ? splitgen_join_parallel(kernel, inputs, whole, splitgen_test_for, NULL)
                   : splitgen_run_parallel(kernel, whole, outputs, splitgen_test_for, NULL);
    }
    if (dims != NULL) {
        return kernel->joins ? splitgen_join_dims(kernel, inputs, whole, dims)
                             : splitgen_run_dims(kernel, whole, outputs, dims);
    }
    return kernel->joins ? splitgen_join(kernel, inputs, whole)
                         : splitgen_run(kernel, whole, outputs);
}

static bool splitgen_test_is_window(const splitgen_test_state *state)
{
    return state->last - state->first < state->test->outer;
}

static splitgen_status splitgen_test_rows(const splitgen_test_state *state, size_t first,
                                          size_t last)
{
    const splitgen_kernel *kernel = state->test->kernel;
    const size_t rows = kernel->rows * state->test->open.rows;
    const size_t scale = state->test->open.scale;
    const void *const *inputs = (const void *const *)state->parts;
    void *whole = splitgen_test_base(&state->tensors[0]);
    if (splitgen_test_is_window(state)) { /* a checked call would find that the tensors overlap */
        if (kernel->split_rows != NULL) {
            kernel->split_rows(whole, state->parts, first, last);
        } else if (kernel->join_rows != NULL) {
            kernel->join_rows(inputs, whole, first, last);
        }
        return SPLITGEN_OK;
    }
    if (kernel->free == NULL) {
        return kernel->joins ? splitgen_join_rows(kernel, inputs, whole, first, last)
                             : splitgen_run_rows(kernel, whole, state->parts, first, last);
    }
    if (kernel->joins) {
        splitgen_join_open(kernel, inputs, whole, first, last, rows, scale);
    } else {
        splitgen_run_open(kernel, whole, state->parts, first, last, rows, scale);
    }
    return SPLITGEN_OK;
}

/* Whether only checked calls exist: dimensions are open and every part is a view. */
static bool splitgen_test_is_idle(const splitgen_kernel *kernel)
{
    const splitgen_free *free = kernel->free;
    return free != NULL && free->split_rows == NULL && free->split_scaled == NULL &&
           free->join_rows == NULL && free->join_scaled == NULL;
}

/* The ways to run a kernel: two with all rows, two with tasks, two in pieces; in a window none with
 * tasks. Each piece has one
 * row more than the one before. The first piece has none, or one more at each place, so that every
 * number of rows in a dispatch table occurs. */
static bool splitgen_test_run_kernel(const splitgen_test_state *state, int way, size_t piece)
{
    const splitgen_kernel *kernel = state->test->kernel;
    const bool is_window = splitgen_test_is_window(state);
    const size_t rows = is_window ? state->last : kernel->rows * state->test->open.rows;
    const bool is_idle = splitgen_test_is_idle(kernel);
    bool ok = true;
    if (is_window && way < 4) {
        return splitgen_test_rows(state, state->first, rows) == SPLITGEN_OK;
    }
    if (is_idle || (way > 0 && way < 4)) {
        return splitgen_test_run(state, !is_idle && way > 1) == SPLITGEN_OK;
    }
    if (way == 0 && kernel->free != NULL) {
        return splitgen_test_rows(state, 0, rows) == SPLITGEN_OK;
    }
    if (way == 0) {
        splitgen_test_kernel(state);
        return true;
    }
    for (size_t first = state->first, last; ok && first < rows; first = last) {
        last = rows - first < piece ? rows : first + piece++;
        ok = splitgen_test_rows(state, first, last) == SPLITGEN_OK;
    }
    return ok;
}

/* The bits of a byte that are checked: if rows are padded, those after all rows are not. */
static unsigned splitgen_test_minded(const splitgen_test_state *state,
                                     const splitgen_test_tensor *tensor, size_t at)
{
    unsigned minded = 0xff;
    size_t run = 0;
    for (size_t bit = 8 * at; tensor->has_gaps && state->test->unit.bits == 1 && bit < 8 * at + 8;
         ++bit, --run) {
        if (run == 0 &&
            splitgen_test_number(state->test, tensor, bit, &run) == SPLITGEN_TEST_BEHIND) {
            minded &= ~(1U << (bit % 8 ^ state->test->unit.order));
        }
    }
    return minded;
}

/* Whether a byte is correct. For tools, a combination by exclusive or is undefined in more bits:
 * those where a bit meets itself. */
static int splitgen_test_is_right(unsigned byte, unsigned right)
{
    return SPLITGEN_TEST_UNDEFINED ? (byte & right) == right : byte == right;
}

static int splitgen_test_check(const splitgen_test_state *state, const splitgen_test_tensor *tensor)
{
    const splitgen_test_case *test = state->test;
    const splitgen_kernel *kernel = test->kernel;
    const size_t i = (size_t)(tensor - state->tensors);
    const char *name = i == 0 ? kernel->whole.name : kernel->parts[i - 1].name;
    size_t at = tensor->size - (test->unit.bits == 1 && tensor->size > 0);
    if (tensor->right == NULL || (at > 0 && memcmp(tensor->bytes, tensor->right, at) != 0)) {
        at = 0;
    }
    for (; at < tensor->size; ++at) {
        const unsigned minded = splitgen_test_minded(state, tensor, at);
        const unsigned right = splitgen_test_right(test, tensor, at, state->pass) & minded;
        const unsigned byte = tensor->bytes[at] & minded;
        if (!splitgen_test_is_right(byte, right)) {
            break;
        }
    }
    if (at < tensor->size) {
        splitgen_test_say("FAIL %s: '%s' " SPLITGEN_TEST_WRONG " at byte %lu (body %lu)\n",
                          kernel->name, name, (unsigned long)(tensor->begin + at),
                          (unsigned long)state->body);
        return 0;
    }
    if (!splitgen_test_guards_hold(tensor)) {
        splitgen_test_say("FAIL %s: a byte was written beside '%s' (body %lu)\n", kernel->name,
                          name, (unsigned long)state->body);
        return 0;
    }
    return 1;
}

/* Fills an output with ones or zeros, except its padding. It runs before each call, so its loops
 * keep variables in registers, which compilers would reload after every store of a byte. */
static void splitgen_test_fill(const splitgen_test_state *state, const splitgen_test_tensor *tensor,
                               unsigned with)
{
    const unsigned value = with == SPLITGEN_TEST_ONES ? 0xff : 0;
    const unsigned char *moved = tensor->moved;
    unsigned char *bytes = tensor->bytes;
    const size_t size = tensor->size;
    if (!tensor->has_gaps) {
        if (size > 0) {
            memset(bytes, (int)value, size);
        }
    } else if (moved != NULL) {
        for (size_t at = 0; at < size; ++at) {
            bytes[at] =
                (unsigned char)((value & moved[at]) | (SPLITGEN_TEST_GUARD & ~(unsigned)moved[at]));
        }
    } else {
        for (size_t at = 0; at < size; ++at) {
            bytes[at] = splitgen_test_right(state->test, tensor, at, with);
        }
    }
}

/* Outputs hold ones before every other way and zeros before the rest. So a byte that is not
 * written, or that is combined with its old value, is wrong in a pass or in that of its complement.
 */
static void splitgen_test_prepare(const splitgen_test_state *state, int way)
{
    for (size_t i = 0; i < state->ntensors; ++i) {
        if (state->tensors[i].written) {
            splitgen_test_fill(state, &state->tensors[i],
                               way % 2 == 0 ? SPLITGEN_TEST_ONES : SPLITGEN_TEST_ZEROS);
        } else {
            splitgen_test_undefine(&state->tensors[i]);
        }
    }
    splitgen_test_use_views(state, false);
}

static int splitgen_test_run_way(const splitgen_test_state *state, int way)
{
    const splitgen_kernel *kernel = state->test->kernel;
    splitgen_test_prepare(state, way);
    if (!splitgen_test_run_kernel(state, way, way == 4 ? state->piece : 0)) {
        splitgen_test_say("FAIL %s: the runtime refuses it (body %lu)\n", kernel->name,
                          (unsigned long)state->body);
        return 0;
    }
    splitgen_test_use_views(state, true);
    for (size_t i = 0; i < state->ntensors; ++i) {
        splitgen_test_reveal(&state->tensors[i]);
        if (!splitgen_test_check(state, &state->tensors[i])) {
            return 0;
        }
    }
    return 1;
}

/* Gives an input its contents. */
static void splitgen_test_read(const splitgen_test_case *test, const splitgen_test_tensor *tensor,
                               unsigned pass)
{
    if (tensor->right != NULL) {
        memcpy(tensor->bytes, tensor->right, tensor->size);
        return;
    }
    for (size_t at = 0; at < tensor->size; ++at) {
        tensor->bytes[at] = splitgen_test_right(test, tensor, at, pass);
    }
}

/* Places: the full tensor, then all parts, at every offset in a cache line while the rest is at
 * multiples of one; then all parts at different offsets. */
static int splitgen_test_run_place(splitgen_test_state *state, size_t place)
{
    const splitgen_test_case *test = state->test;
    const size_t align = test->kernel->align < 64 ? test->kernel->align : 64;
    const size_t steps = SPLITGEN_TEST_LINE / align;
    const size_t step = place % steps * align;
    const size_t kind = place / steps;
    for (size_t i = 0; i < state->ntensors; ++i) {
        splitgen_test_tensor *tensor = &state->tensors[i];
        const size_t places[] = {i == 0 ? step : 0, i == 0 ? 0 : step,
                                 i == 0 ? 0 : step + i * align};
        splitgen_test_place(tensor, places[kind]);
        if (!tensor->written) {
            splitgen_test_read(test, tensor, state->pass);
        }
    }
    for (size_t i = 0; i + 1 < state->ntensors; ++i) {
        state->parts[i] =
            test->kernel->views[i].only ? NULL : splitgen_test_base(&state->tensors[i + 1]);
    }
    for (size_t body = place > 0 && SPLITGEN_TEST_BODIES > 1 ? 1 : 0; body < SPLITGEN_TEST_BODIES;
         ++body) {
        state->body = body;
        if (!splitgen_test_force(body, state->machine)) {
            continue;
        }
        for (int way = 0; way < SPLITGEN_TEST_WAYS; ++way) {
            if (splitgen_test_is_window(state) && way / 2 == 1) {
                continue;
            }
            if (!splitgen_test_run_way(state, way)) {
                return 0;
            }
        }
    }
    return 1;
}

/* Runs all passes. For large tensors only every step-th place is tried, unless `all` is set. */
static int splitgen_test_run_passes(splitgen_test_state *state, int all)
{
    const splitgen_test_case *test = state->test;
    const size_t align = test->kernel->align < 64 ? test->kernel->align : 64;
    const size_t places = 3 * (SPLITGEN_TEST_LINE / align);
    const unsigned passes = splitgen_test_passes(test);
    const size_t large = (splitgen_test_size(test, NULL) + 64 * test->nparts) / 16384 * passes;
    const size_t few = SPLITGEN_TEST_UNDEFINED || large >= places / 3 ? places / 3 : large;
    const size_t step = all || few == 0 ? 1 : few | 1;
    for (state->pass = 0; state->pass < passes; ++state->pass) {
        for (size_t i = 0; i < state->ntensors; ++i) {
            const splitgen_test_tensor *tensor = &state->tensors[i];
            for (size_t at = 0; tensor->right != NULL && at < tensor->size; ++at) {
                tensor->right[at] = splitgen_test_right(test, tensor, at, state->pass);
            }
        }
        for (size_t place = 0; place < places; place += step) {
            state->piece = place + state->pass * places;
            if (!splitgen_test_run_place(state, place)) {
                return 0;
            }
        }
    }
    return 1;
}

static void splitgen_test_find_gaps(const splitgen_test_case *test, splitgen_test_tensor *tensor,
                                    splitgen_test_memory *memory)
{
    if (tensor->has_gaps) {
        tensor->moved = SPLITGEN_POINTER(unsigned char, splitgen_test_take(memory, tensor->size));
    }
    for (size_t at = 0; tensor->moved != NULL && at < tensor->size; ++at) {
        const unsigned ones = splitgen_test_right(test, tensor, at, SPLITGEN_TEST_ONES);
        const unsigned zeros = splitgen_test_right(test, tensor, at, SPLITGEN_TEST_ZEROS);
        tensor->moved[at] = (unsigned char)(ones ^ zeros);
    }
}

/* Tests the rows [first, last) of a case. */
static int splitgen_test_run_case(const splitgen_test_case *test, size_t first, size_t last,
                                  splitgen_test_memory memory, int all, unsigned machine)
{
    splitgen_test_state state = {
        test, NULL, test->kernel->nparts + 1, NULL, first, last, machine, 0, 1, 0};
    state.tensors = SPLITGEN_POINTER(
        splitgen_test_tensor, splitgen_test_take(&memory, state.ntensors * sizeof(*state.tensors)));
    state.parts = (void **)splitgen_test_take(&memory, test->nparts * sizeof(*state.parts));
    splitgen_test_open_tensor(&state, &state.tensors[0], NULL, &memory);
    for (size_t i = 0; i < test->kernel->nparts; ++i) {
        splitgen_test_open_given(&state, &state.tensors[i + 1], i, &memory);
    }
    for (size_t i = 0; i < state.ntensors; ++i) {
        if (state.tensors[i].size > 0) {
            state.tensors[i].right =
                SPLITGEN_POINTER(unsigned char, splitgen_test_take(&memory, state.tensors[i].size));
        }
        splitgen_test_find_gaps(test, &state.tensors[i], &memory);
    }
    return splitgen_test_run_passes(&state, all);
}

/* Tests one case in the caller's memory. */
static int splitgen_test_one(const splitgen_test_case *test, void *memory, size_t bytes, int all,
                             unsigned machine)
{
    const size_t align = splitgen_test_align(test);
    const size_t over = (size_t)((uintptr_t)memory % align);
    const size_t skipped = over > 0 ? align - over : 0;
    splitgen_test_memory rest = {SPLITGEN_POINTER(unsigned char, memory), 0, align};
    size_t first = 0;
    if (test->kernel->split == NULL && test->kernel->join == NULL && test->kernel->free == NULL &&
        bytes < splitgen_test_room(test)) {
        splitgen_test_say("ok %s: views only, nothing to call\n", test->kernel->name);
        return 1;
    }
    do {
        const size_t last = first + splitgen_test_window(test, first, bytes);
        const size_t room = splitgen_test_room_of(test, first, last, 1);
        if (bytes < room) {
            splitgen_test_say("FAIL %s: needs %lu bytes of memory, has %lu\n", test->kernel->name,
                              (unsigned long)room, (unsigned long)bytes);
            return 0;
        }
        rest.next = SPLITGEN_POINTER(unsigned char, memory) + skipped;
        rest.left = (bytes - skipped) / align * align;
        if (!splitgen_test_run_case(test, first, last, rest, all, machine)) {
            return 0;
        }
        first = last;
    } while (first < test->outer);
    splitgen_test_say(test->kernel->joins ? "ok %s: %lu inputs, %lu bytes of output\n"
                                          : "ok %s: %lu outputs, %lu bytes of input\n",
                      test->kernel->name, (unsigned long)test->nparts,
                      (unsigned long)splitgen_test_size(test, NULL));
    return 1;
}

/* Tests all cases. Returns 0, or the number of the first that fails, from 1. */
static int splitgen_test_all(const splitgen_test_case *cases, int ncases, void *memory,
                             size_t bytes, int all)
{
#if defined(SPLITGEN_SELFTEST_BODIES)
    const unsigned machine = splitgen_cpu();
#else
    const unsigned machine = 0;
#endif
    int failed = 0;
    for (int i = 0; i < ncases; ++i) {
        if (!splitgen_test_one(&cases[i], memory, bytes, all, machine) && failed == 0) {
            failed = i + 1;
        }
    }
    (void)splitgen_test_force(0, machine); /* the next kernel queries the processor again */
    return failed;
}

#if defined(SPLITGEN_SELFTEST_FUNCTION)
#define SPLITGEN_TEST_PROGRAM(cases)
#else
/* The program, with enough memory to be fast. */
static int splitgen_test_main(const splitgen_test_case *cases, int ncases, int argc, char **argv)
{
    const int all = argc > 1 && strcmp(argv[1], "--all") == 0;
    size_t bytes = 0;
    void *memory;
    int failed;
    for (int i = 0; i < ncases; ++i) {
        const size_t room = 3 * splitgen_test_room(&cases[i]);
        bytes = room > bytes ? room : bytes;
    }
    memory = malloc(bytes);
    failed = splitgen_test_all(cases, ncases, memory, memory != NULL ? bytes : 0, all);
    free(memory);
    return failed != 0;
}

#define SPLITGEN_TEST_PROGRAM(cases)                                                               \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return splitgen_test_main(cases, (int)SPLITGEN_COUNT_OF(cases), argc, argv);               \
    }
#endif

/* Comes after a table of cases: the function with this name and, unless only that is wanted, the
 * program. */
#define SPLITGEN_SELFTEST(function, cases)                                                         \
    SPLITGEN_EXTERN int function(void *memory, size_t bytes, int all);                             \
    int function(void *memory, size_t bytes, int all)                                              \
    {                                                                                              \
        return splitgen_test_all(cases, (int)SPLITGEN_COUNT_OF(cases), memory, bytes, all);        \
    }                                                                                              \
    SPLITGEN_TEST_PROGRAM(cases)

#endif
