/* Checked calls of kernels, a search by name, and the texts of status codes and types. Copies
 * nothing itself: the kernels do. Needs no library. */
#include <splitgen/splitgen.h>

SPLITGEN_STATIC_ASSERT(sizeof(bool) == 1, bool_is_one_byte);
SPLITGEN_STATIC_ASSERT(sizeof(float) == 4 && sizeof(double) == 8, floats_are_ieee);
SPLITGEN_STATIC_ASSERT(sizeof(splitgen_c64) == 8 && sizeof(splitgen_c128) == 16, complex_is_dense);

/* A buffer of a call. Addresses are computed modulo the address space, so a range past its end
 * appears at the other end instead of overflowing. */
typedef struct place {
    uintptr_t begin;
    splitgen_rows size;
    const splitgen_tensor *in_groups; /* the tensor if its rows lie in groups; otherwise NULL */
    size_t axis;
} place;

/* False if the size exceeds size_t. */
static bool find_buffer(const splitgen_call *call, const splitgen_tensor *tensor,
                        const void *address, place *p)
{
    p->begin = (uintptr_t)address;
    p->axis = (size_t)call->kernel->axis;
    p->in_groups = splitgen_tensor_strides(tensor) != NULL ? tensor : NULL;
    return splitgen_measure(call, tensor, &p->size);
}

/* The same for a part. A part that is only a view has 0 bytes. */
static bool find_part(const splitgen_call *call, size_t i, place *p)
{
    const void *part = call->parts != NULL ? splitgen_input(call->parts, i) : NULL;
    const bool has_size = find_buffer(call, &call->kernel->parts[i], part, p);

    if (call->kernel->views[i].only) {
        p->size.bytes = 0;
    }
    return has_size;
}

/* Whether there is nothing to run, because every part is only a view. */
static bool is_idle(const splitgen_kernel *kernel)
{
    const splitgen_free *open = kernel->free;

    if (open == NULL) {
        return kernel->split == NULL && kernel->join == NULL;
    }
    return open->split_rows == NULL && open->join_rows == NULL && open->split_scaled == NULL &&
           open->join_scaled == NULL;
}

/* Bits of an element. */
static size_t bits_of(splitgen_dtype dtype);

/* Bytes of `count` elements, rounded down. */
static SPLITGEN_NOINLINE size_t bytes_of(splitgen_dtype dtype, size_t count)
{
    return count / 8 * bits_of(dtype) + count % 8 * bits_of(dtype) / 8;
}

/* The outermost dimension whose stride matters: dimensions before it are contiguous with it. */
static size_t outermost(const splitgen_tensor *tensor, size_t axis)
{
    const int64_t *strides = splitgen_tensor_strides(tensor);
    size_t d = 0;

    while (d + 1 < axis && strides[d] == strides[d + 1] * tensor->dims[d + 1]) {
        d++;
    }
    return d;
}

/* Bytes from an offset in a tensor to the next possible start of a row; 0 if it is in a row. */
static size_t to_row(const place *rows, size_t at)
{
    const splitgen_tensor *tensor = rows->in_groups;
    const int64_t *strides = splitgen_tensor_strides(tensor);
    const size_t first = outermost(tensor, rows->axis);
    size_t step = 0;
    size_t d;

    for (d = first; d < rows->axis; d++) {
        if (d > first &&
            at / bytes_of(tensor->dtype, (size_t)strides[d]) >= (size_t)tensor->dims[d]) {
            return step - at; /* past its last index */
        }
        step = bytes_of(tensor->dtype, (size_t)strides[d]);
        at %= step;
    }
    return at < rows->size.row ? 0 : step - at;
}

/* Whether `bytes` bytes from an offset in a tensor share one with a row of a group. */
static bool touches_group(const place *rows, size_t at, size_t bytes)
{
    const size_t left = rows->size.bytes - at;
    const size_t end = at + (bytes < left ? bytes : left);

    while (at < end) {
        const size_t more = to_row(rows, at);
        if (more == 0) {
            return true;
        }
        at += more;
    }
    return false;
}

/* The start of the row after the one at this offset in a tensor. */
static size_t next_row(const place *rows, size_t at)
{
    size_t more;

    if (rows->in_groups == NULL) {
        return at + rows->size.step;
    }
    at += rows->size.row;
    while (at < rows->size.bytes && (more = to_row(rows, at)) != 0) {
        at += more;
    }
    return at;
}

/* Whether `bytes` bytes at an address share one with a row. */
static bool touches(uintptr_t begin, size_t bytes, const place *rows)
{
    const uintptr_t from_first = (uintptr_t)(begin - rows->begin);
    size_t in_step;

    if (from_first >= rows->size.bytes) {
        return (uintptr_t)(rows->begin - begin) < bytes;
    }
    if (rows->in_groups != NULL) {
        return touches_group(rows, from_first, bytes);
    }
    in_step = from_first % rows->size.step;
    return in_step < rows->size.row || bytes > rows->size.step - in_step;
}

/* Whether a row of one buffer shares a byte with a row of the other. If rows have the same stride,
 * checking the first row of the second buffer suffices. */
static bool overlap(const place *a, const place *b)
{
    size_t at = 0;

    if (a->size.bytes == 0 || b->size.bytes == 0) {
        return false;
    }
    if ((uintptr_t)(b->begin - a->begin) >= a->size.bytes) {
        const place *other = a;
        a = b;
        b = other;
    }
    if ((uintptr_t)(b->begin - a->begin) >= a->size.bytes) {
        return false;
    }
    do {
        if (touches(b->begin + at, b->size.row, a)) {
            return true;
        }
        at = next_row(b, at);
    } while (at < b->size.bytes &&
             (a->size.step != b->size.step || a->in_groups != NULL || b->in_groups != NULL));
    return false;
}

/* Multiplies *product by a power of the number; false on overflow. */
static bool multiply(size_t *product, size_t number, unsigned power)
{
    for (; power > 0; power--) {
        if (number > 1 && *product > SIZE_MAX / number) {
            return false;
        }
        *product *= number;
    }
    return true;
}

/* The product of the open numbers in dimensions [first, last); false on overflow. */
static bool product(const splitgen_kernel *kernel, const size_t *dims, size_t first, size_t last,
                    size_t *result)
{
    const splitgen_free *open = kernel->free;
    size_t d;
    size_t i;

    *result = 1;
    for (d = first; open != NULL && d < last; d++) {
        for (i = 0; i < open->count; i++) {
            if (!multiply(result, dims[i], open->powers[d * open->count + i])) {
                return false;
            }
        }
    }
    return true;
}

/* Multiplies *stride by the product of open dimensions; false on overflow. */
static bool scale_stride(int64_t *stride, size_t scale)
{
    if (*stride > 0 && scale > (uint64_t)INT64_MAX / (uint64_t)*stride) {
        return false;
    }
    *stride *= (int64_t)scale;
    return true;
}

/* Sets the factors of open dimensions. */
static splitgen_status count_items(splitgen_call *call, const size_t *dims)
{
    const splitgen_kernel *kernel = call->kernel;
    const size_t axis = (size_t)kernel->axis;
    size_t i;

    call->items = 0;
    call->rows = 0;
    call->scale = 0;
    for (i = 0; kernel->free != NULL && i < kernel->free->count; i++) {
        if (dims[i] == 0) {
            return SPLITGEN_OK; /* whatever the other numbers are */
        }
    }
    if (!product(kernel, dims, 0, axis, &call->rows) ||
        !product(kernel, dims, axis, kernel->whole.rank, &call->scale)) {
        return SPLITGEN_TOO_MANY;
    }
    call->items = call->rows;
    return multiply(&call->items, call->scale, 1) ? SPLITGEN_OK : SPLITGEN_TOO_MANY;
}

/* Bits of an element. */
static size_t bits_of(splitgen_dtype dtype)
{
#define SPLITGEN_DTYPE(id, number, name, bits, packed, ctype, ...)                                 \
    (packed) ? (bits) : 8 * sizeof(ctype),
    static const unsigned char bits[] = {
        0, /* numbers begin with 1 */
#include <splitgen/dtypes.inc>
    };
    return (size_t)dtype < sizeof(bits) ? bits[dtype] : 0;
}

/* The product of dimensions [first, last); open ones count as 1. */
static size_t elements(const splitgen_tensor *tensor, size_t first, size_t last)
{
    size_t count = 1;

    for (; first < last; first++) {
        count *= (size_t)tensor->dims[first];
    }
    return count;
}

/* Adds bytes * times to those of all rows; false on overflow. */
static bool add_bytes(splitgen_rows *rows, size_t bytes, size_t times)
{
    if (!multiply(&times, bytes, 1) || times > SIZE_MAX - rows->bytes) {
        return false;
    }
    rows->bytes += times;
    return true;
}

/* The same for rows in groups, which the indices of the dimensions before the axis locate. */
static bool measure_groups(const splitgen_call *call, const splitgen_tensor *tensor,
                           splitgen_rows *rows)
{
    const int64_t *strides = splitgen_tensor_strides(tensor);
    const size_t axis = (size_t)call->kernel->axis;
    const size_t first = outermost(tensor, axis);
    size_t last = elements(tensor, 0, axis); /* the index of the last row */
    size_t d;

    if (!multiply(&last, call->rows, 1)) {
        return false;
    }
    last--;
    rows->step = bytes_of(tensor->dtype, (size_t)strides[axis - 1]);
    rows->row = bytes_of(tensor->dtype, elements(tensor, axis, tensor->rank));
    rows->bytes = rows->row;
    for (d = axis - 1; d > first; d--) {
        rows->bytes += last % (size_t)tensor->dims[d] *
                       bytes_of(tensor->dtype, (size_t)strides[d]); /* below a stride */
        last /= (size_t)tensor->dims[d];
    }
    return add_bytes(rows, bytes_of(tensor->dtype, (size_t)strides[first]), last);
}

bool splitgen_measure(const splitgen_call *call, const splitgen_tensor *tensor, splitgen_rows *rows)
{
    const size_t axis = (size_t)call->kernel->axis;
    const size_t stride = tensor->row_stride;
    const size_t width = elements(tensor, axis, tensor->rank); /* of a row; 1 without the axis */
    const size_t bits = bits_of(tensor->dtype);
    size_t item; /* elements */

    rows->bytes = tensor->bytes;
    if (splitgen_tensor_strides(tensor) != NULL) {
        return measure_groups(call, tensor, rows);
    }
    if (stride <= width || tensor->bytes == 0 ||
        /* Rows of packed elements that begin within a byte share it with the padding: they count as
         * one row. */
        stride * bits % 8 != 0) {
        if (!multiply(&rows->bytes, call->items, 1)) {
            return false;
        }
        rows->row = rows->bytes;
        rows->step = rows->bytes;
        return true;
    }
    item = elements(tensor, 0, axis < tensor->rank ? axis : tensor->rank) * stride;
    rows->step = bytes_of(tensor->dtype, stride);
    rows->row = bytes_of(tensor->dtype, width) + (width * bits % 8 != 0 ? 1 : 0);
    /* an item has whole bytes, but a row of packed elements may not */
    return add_bytes(rows, bytes_of(tensor->dtype, item), call->rows - 1);
}

/* Whether the kernel can run in this direction with `count` numbers. */
static SPLITGEN_NOINLINE splitgen_status check_kernel(const splitgen_call *call, const size_t *dims,
                                                      size_t count)
{
    const splitgen_kernel *kernel = call->kernel;

    if (kernel == NULL) {
        return SPLITGEN_NULL_KERNEL;
    }
    if (kernel->abi != SPLITGEN_ABI) {
        return SPLITGEN_BAD_ABI;
    }
    if (kernel->joins != call->joins) {
        return kernel->joins ? SPLITGEN_JOINS : SPLITGEN_SPLITS;
    }
    if (kernel->free == NULL) {
        return count > 0 ? SPLITGEN_FIXED_COUNT : SPLITGEN_OK;
    }
    if (count == SPLITGEN_ALL_NUMBERS) {
        return dims == NULL ? SPLITGEN_NULL_DIMS : SPLITGEN_OK;
    }
    return count != kernel->free->count ? SPLITGEN_NEEDS_COUNT : SPLITGEN_OK;
}

/* Whether two parts share a byte. */
static bool parts_overlap(const splitgen_call *call)
{
    place part;
    place other;
    size_t i;
    size_t j;

    for (i = 1; i < call->kernel->nparts; i++) {
        (void)find_part(call, i, &part);
        for (j = 0; j < i; j++) {
            (void)find_part(call, j, &other);
            if (overlap(&part, &other)) {
                return true;
            }
        }
    }
    return false;
}

/* Measures every buffer once. Parts in ascending order, as arenas allocate them, and parts that are
 * only read are compared with the full tensor only. */
static splitgen_status check_buffers(const splitgen_call *call)
{
    const splitgen_kernel *kernel = call->kernel;
    uintptr_t addresses = 0; /* of all non-empty buffers, or-ed: the low bits show misalignment */
    uintptr_t end = 0;       /* of the part before this one */
    bool apart = true;       /* no part begins before the end of the previous one */
    bool overlaps = false;
    place whole;
    place p;
    size_t i;

    if (!find_buffer(call, &kernel->whole, call->whole, &whole)) {
        return SPLITGEN_TOO_MANY;
    }
    if (whole.size.bytes > 0) {
        if (whole.begin == 0) {
            return kernel->joins ? SPLITGEN_NULL_OUTPUT : SPLITGEN_NULL_INPUT;
        }
        addresses = whole.begin;
    }
    for (i = 0; i < kernel->nparts; i++) {
        if (!find_part(call, i, &p)) {
            return SPLITGEN_TOO_MANY;
        }
        if (call->parts == NULL) { /* at least one part is copied */
            return kernel->joins ? SPLITGEN_NULL_INPUTS : SPLITGEN_NULL_OUTPUTS;
        }
        if (p.size.bytes == 0) {
            continue;
        }
        if (p.begin == 0) {
            return kernel->joins ? SPLITGEN_NULL_INPUT : SPLITGEN_NULL_OUTPUT;
        }
        addresses |= p.begin;
        apart = apart && p.begin >= end && p.begin + p.size.bytes > p.begin;
        end = p.begin + p.size.bytes;
        overlaps = overlaps || overlap(&p, &whole);
    }
    if ((addresses & (kernel->align - 1)) != 0) {
        return SPLITGEN_MISALIGNED;
    }
    if (overlaps || (!apart && !call->joins && parts_overlap(call))) {
        return SPLITGEN_OVERLAP;
    }
    return SPLITGEN_OK;
}

/* Whether every part that is only a view is NULL or at its place in the full tensor. */
static bool is_in_place(const splitgen_call *call)
{
    const splitgen_kernel *kernel = call->kernel;
    const uintptr_t whole = (uintptr_t)call->whole;
    size_t i;

    for (i = 0; call->parts != NULL && i < kernel->nparts; i++) {
        const splitgen_view *view = &kernel->views[i];
        const uintptr_t part = (uintptr_t)splitgen_input(call->parts, i);

        if (view->only && part != 0 && kernel->parts[i].bytes > 0 &&
            part != (uintptr_t)(whole + view->byte_offset * call->scale)) {
            return false;
        }
    }
    return true;
}

splitgen_status splitgen_check(splitgen_call *call, const size_t *dims, size_t count)
{
    splitgen_status status = check_kernel(call, dims, count);
    size_t rows;

    if (status == SPLITGEN_OK) {
        status = count_items(call, dims);
    }
    if (status != SPLITGEN_OK || call->items == 0) {
        return status;
    }
    if (is_idle(call->kernel)) {
        call->items = 0;
    } else {
        rows = call->kernel->rows;
        status = multiply(&rows, call->items, 1) ? check_buffers(call) : SPLITGEN_TOO_MANY;
        if (status != SPLITGEN_OK) {
            return status;
        }
    }
    return is_in_place(call) ? SPLITGEN_OK : SPLITGEN_NOT_IN_PLACE;
}

SPLITGEN_NOINLINE void splitgen_run_open(const splitgen_kernel *kernel, const void *whole,
                                         void *const parts[], size_t first, size_t last,
                                         size_t rows, size_t scale)
{
    if (kernel->free->split_scaled != NULL) {
        kernel->free->split_scaled(whole, parts, first, last, rows, scale);
    } else {
        kernel->free->split_rows(whole, parts, first, last, rows);
    }
}

SPLITGEN_NOINLINE void splitgen_join_open(const splitgen_kernel *kernel, const void *const parts[],
                                          void *whole, size_t first, size_t last, size_t rows,
                                          size_t scale)
{
    if (kernel->free->join_scaled != NULL) {
        kernel->free->join_scaled(parts, whole, first, last, rows, scale);
    } else {
        kernel->free->join_rows(parts, whole, first, last, rows);
    }
}

void splitgen_perform(const splitgen_call *call, const size_t *range)
{
    const splitgen_kernel *kernel = call->kernel;
    const size_t rows = call->rows * kernel->rows;
    const size_t first = range != NULL ? range[0] : 0;
    const size_t last = range != NULL ? range[1] : rows;

    if (kernel->joins) {
        const void *const *parts = (const void *const *)call->parts;
        void *whole = (void *)(uintptr_t)call->whole;

        if (kernel->free != NULL) {
            splitgen_join_open(kernel, parts, whole, first, last, rows, call->scale);
        } else if (range != NULL) {
            kernel->join_rows(parts, whole, first, last);
        } else {
            kernel->join(parts, whole);
        }
    } else {
        void *const *parts = (void *const *)call->parts;

        if (kernel->free != NULL) {
            splitgen_run_open(kernel, call->whole, parts, first, last, rows, call->scale);
        } else if (range != NULL) {
            kernel->split_rows(call->whole, parts, first, last);
        } else {
            kernel->split(call->whole, parts);
        }
    }
}

/* Whether part i overlaps an earlier part. */
static bool meets_earlier(const splitgen_call *call, size_t i, uintptr_t begin)
{
    const splitgen_tensor *parts = call->kernel->parts;
    const size_t bytes = parts[i].bytes;
    size_t j;

    for (j = 0; j < i; j++) {
        const uintptr_t other = (uintptr_t)splitgen_input(call->parts, j);

        if (begin - other < parts[j].bytes || other - begin < bytes) {
            return true;
        }
    }
    return false;
}

/* A fast check that a kernel without open dimensions can run. It only compares the beginnings and
 * ends of buffers, which takes a few cycles per part, as small kernels do. If false,
 * splitgen_check() decides: it finds the error, or that the call is valid, for example if rows lie
 * in each other's padding. */
static bool is_plain(const splitgen_call *call)
{
    const splitgen_kernel *kernel = call->kernel;
    const uintptr_t whole = (uintptr_t)call->whole;
    uintptr_t addresses = whole;
    uintptr_t high = 0; /* the end of all parts so far */
    size_t i;

    if (check_kernel(call, NULL, 0) != SPLITGEN_OK || kernel->free != NULL || whole == 0 ||
        call->parts == NULL || (kernel->split == NULL && kernel->join == NULL)) {
        return false;
    }
    for (i = 0; i < kernel->nparts; i++) {
        const uintptr_t begin = (uintptr_t)splitgen_input(call->parts, i);
        const uintptr_t end = begin + kernel->parts[i].bytes;

        if (kernel->views[i].only) {
            continue;
        }
        if (begin == 0 || end < begin || begin - whole < kernel->whole.bytes ||
            whole - begin < end - begin) {
            return false;
        }
        addresses |= begin;
        if (begin >= high) {
            high = end;
        } else if (!call->joins && meets_earlier(call, i, begin)) {
            return false;
        }
    }
    return (addresses & (kernel->align - 1)) == 0 && is_in_place(call);
}

/* The value of `count` if `numbers` are the first and last row, not open numbers. */
#define ROWS (SPLITGEN_ALL_NUMBERS - 1)

/* Implements all checked functions. */
static splitgen_status start(const splitgen_kernel *kernel, const void *whole, const void *parts,
                             bool joins, const size_t *numbers, size_t count)
{
    const size_t *range = count == ROWS ? numbers : NULL;
    splitgen_status status;
    splitgen_call call;

    call.kernel = kernel;
    call.whole = whole;
    call.parts = parts;
    call.joins = joins;
    call.items = 1;
    call.rows = 1;
    call.scale = 1;
    status = count == 0 && is_plain(&call)
                 ? SPLITGEN_OK
                 : splitgen_check(&call, numbers, range != NULL ? 0 : count);
    if (status == SPLITGEN_OK && range != NULL &&
        (range[0] > range[1] || range[1] > kernel->rows)) {
        status = SPLITGEN_BAD_ROWS;
    }
    if (status == SPLITGEN_OK && call.items > 0) {
        splitgen_perform(&call, range);
    }
    return status;
}

splitgen_status splitgen_run(const splitgen_kernel *kernel, const void *whole, void *const parts[])
{
    return start(kernel, whole, parts, false, NULL, 0);
}

splitgen_status splitgen_join(const splitgen_kernel *kernel, const void *const parts[], void *whole)
{
    return start(kernel, whole, parts, true, NULL, 0);
}

/* The same for some of the rows. Not inlined, to keep the runtime small. */
static SPLITGEN_NOINLINE splitgen_status start_rows(const splitgen_kernel *kernel,
                                                    const void *whole, const void *parts,
                                                    size_t first, size_t last, bool joins)
{
    size_t range[2];

    range[0] = first;
    range[1] = last;
    return start(kernel, whole, parts, joins, range, ROWS);
}

splitgen_status splitgen_run_rows(const splitgen_kernel *kernel, const void *whole,
                                  void *const parts[], size_t first, size_t last)
{
    return start_rows(kernel, whole, parts, first, last, false);
}

splitgen_status splitgen_join_rows(const splitgen_kernel *kernel, const void *const parts[],
                                   void *whole, size_t first, size_t last)
{
    return start_rows(kernel, whole, parts, first, last, true);
}

splitgen_status splitgen_run_n(const splitgen_kernel *kernel, const void *whole,
                               void *const parts[], size_t n)
{
    return start(kernel, whole, parts, false, &n, 1);
}

splitgen_status splitgen_join_n(const splitgen_kernel *kernel, const void *const parts[],
                                void *whole, size_t n)
{
    return start(kernel, whole, parts, true, &n, 1);
}

splitgen_status splitgen_run_dims(const splitgen_kernel *kernel, const void *whole,
                                  void *const parts[], const size_t dims[])
{
    return start(kernel, whole, parts, false, dims, SPLITGEN_ALL_NUMBERS);
}

splitgen_status splitgen_join_dims(const splitgen_kernel *kernel, const void *const parts[],
                                   void *whole, const size_t dims[])
{
    return start(kernel, whole, parts, true, dims, SPLITGEN_ALL_NUMBERS);
}

splitgen_status splitgen_view_dims(const splitgen_kernel *kernel, size_t part, const size_t dims[],
                                   size_t *byte_offset, int64_t strides[])
{
    const splitgen_view *view;
    splitgen_call call;
    splitgen_rows size;
    splitgen_status status;
    bool gone; /* the part does not have the axis */
    size_t scale;
    size_t d;

    if (kernel == NULL) {
        return SPLITGEN_NULL_KERNEL;
    }
    call.kernel = kernel;
    call.joins = kernel->joins;
    status = check_kernel(&call, dims, kernel->free != NULL ? SPLITGEN_ALL_NUMBERS : 0);
    if (status != SPLITGEN_OK) {
        return status;
    }
    if (part >= kernel->nparts || kernel->views[part].kind == SPLITGEN_VIEW_NONE) {
        return SPLITGEN_NO_VIEW;
    }
    gone = kernel->parts[part].rank < kernel->whole.rank;
    if (count_items(&call, dims) != SPLITGEN_OK ||
        (call.items > 0 && !splitgen_measure(&call, &kernel->whole, &size))) {
        return SPLITGEN_TOO_MANY;
    }
    view = &kernel->views[part];
    *byte_offset = view->byte_offset * call.scale;
    for (d = 0; strides != NULL && d < kernel->parts[part].rank; d++) {
        const size_t behind = d + 1 + (gone && d >= (size_t)kernel->axis ? 1 : 0);
        strides[d] = view->strides[d];
        if (!product(kernel, dims, behind, kernel->whole.rank, &scale) ||
            !scale_stride(&strides[d], scale)) {
            return SPLITGEN_TOO_MANY;
        }
    }
    return SPLITGEN_OK;
}

/* As strcmp, which a freestanding program need not have. */
static int compare(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

const splitgen_kernel *splitgen_find(const splitgen_registry *registry, const char *name)
{
    const splitgen_kernel *found = NULL;
    size_t low = 0;
    size_t high = registry != NULL && name != NULL ? registry->count : 0;

    while (low < high) { /* finds the first of equal names, which is compared last */
        const size_t middle = low + (high - low) / 2;
        const splitgen_entry *entry = &registry->entries[middle];
        const int order = compare(entry->name, name);
        if (order < 0) {
            low = middle + 1;
        } else {
            found = order == 0 ? entry->kernel : found;
            high = middle;
        }
    }
    return found;
}

/* The text at `index` in a list of concatenated strings that an empty one ends; past the end, the
 * last one. Smaller than a switch, and needs no relocations. */
static const char *text_at(const char *list, size_t index)
{
    const char *text;

    do {
        text = list;
        while (*list++ != '\0') {
        }
    } while (index-- > 0 && *list != '\0');
    return text;
}

const char *splitgen_status_text(splitgen_status status)
{
    const char *const texts = /* in the order of the statuses */
        "success\0"
        "the kernel is NULL\0"
        "it is for another runtime: generate it again\0"
        "an input is NULL\0"
        "the array of outputs is NULL\0"
        "an output is NULL\0"
        "a pointer is not a multiple of kernel->align\0"
        "two buffers overlap\0"
        "the rows are not in 0 to kernel->rows\0"
        "open dimensions: call splitgen_run_dims() or _join_dims()\0"
        "no open dimension: call splitgen_run() or _join()\0"
        "too many items for a size_t\0"
        "the numbers of open dimensions are NULL\0"
        "the part has no view: copy it\0"
        "the array of inputs is NULL\0"
        "it splits: call splitgen_run()\0"
        "it joins: call splitgen_join()\0"
        "a part that is only a view is not in its place\0"
        "unknown status\0";

    return text_at(texts, (size_t)status);
}

size_t splitgen_dtype_bytes(splitgen_dtype dtype)
{
    return bits_of(dtype) / 8;
}

const char *splitgen_dtype_name(splitgen_dtype dtype)
{
#define SPLITGEN_DTYPE(id, number, name, ...) name "\0"
    const char *const names =
#include <splitgen/dtypes.inc>
        "?\0";

    return text_at(names, (size_t)dtype - 1);
}
