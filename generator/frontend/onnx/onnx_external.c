/* External data of tensors: opens files in the model's folder or below, nowhere else, and reads the
 * few bytes that are needed. */
#include "frontend/onnx/onnx_external.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/system.h"
#include "base/text.h"
#include "shapes/element_bits.h"
#include "shapes/graph_build.h"

/* Some exporters on Windows write backslashes between folders, although ONNX requires slashes. */
static const char *with_slashes(sg_arena *arena, const char *location)
{
    char *copy = sg_arena_strdup(arena, location);
    for (char *at = strchr(copy, '\\'); at != NULL; at = strchr(at, '\\')) {
        *at = '/';
    }
    return copy;
}

bool sg_onnx_external_set(sg_onnx_external *external, sg_diag *diag, sg_span span, const char *key,
                          const char *value)
{
    if (strcmp(key, "location") == 0) {
        external->location = with_slashes(diag->arena, value);
        return true;
    }
    const bool offset = strcmp(key, "offset") == 0;
    if (!offset && strcmp(key, "length") != 0) {
        return true;
    }
    int64_t number;
    if (!sg_parse_int64(sg_str_from(value), &number) || number < 0) {
        return sg_diag_error(diag, span,
                             "the %s of external data is '%s', but it is a number of bytes, 0 or "
                             "more",
                             key, value);
    }
    *(offset ? &external->offset : &external->length) = number;
    return true;
}

static bool read_at(int fd, unsigned char *out, int64_t n, int64_t offset)
{
    while (n > 0) {
        const int64_t got = sg_system_read_at(fd, out, (size_t)n, offset);
        if (got <= 0) {
            errno = got == 0 ? EIO : errno; /* the file has become shorter since fstat() */
            return false;
        }
        out += got;
        offset += got;
        n -= got;
    }
    return true;
}

/* Warns once about a file that consecutive tensors use: a model has hundreds of tensors in the same
 * file. */
static void warn_missing(sg_onnx_folder *beside, const char *location, const char *subject,
                         sg_span span, const char *why)
{
    if (beside->missing != NULL && strcmp(beside->missing, location) == 0) {
        return;
    }
    beside->missing = location;
    sg_diag_warn(
        beside->diag, span,
        "the values of %s are in the file '%s' and stay unknown: %s; put the file itself beside "
        "the model if shapes depend on them",
        subject, location, why);
}

static bool read_open(sg_onnx_folder *beside, const sg_onnx_external *external, const char *subject,
                      sg_span span, int fd, unsigned char *out, int64_t n)
{
    sg_system_info info;
    if (!sg_system_stat_open(fd, &info)) {
        return sg_diag_fail(beside->diag, SG_EXIT_IO, span, "cannot read '%s': %s",
                            external->location, strerror(errno));
    }
    int64_t rest = external->offset < info.size ? info.size - external->offset : 0;
    if (rest < n) {
        return sg_diag_error(beside->diag, span,
                             "the values of %s are bytes %" PRId64 " to %" PRId64
                             " of '%s', which has %" PRId64 "; is it of another export?",
                             subject, external->offset, external->offset + n, external->location,
                             info.size);
    }
    if (!read_at(fd, out, n, external->offset)) {
        return sg_diag_fail(beside->diag, SG_EXIT_IO, span, "cannot read '%s': %s",
                            external->location, strerror(errno));
    }
    return true;
}

/* Reads n bytes. *there: whether the file exists. */
static bool read_bytes(sg_onnx_folder *beside, const sg_onnx_external *external,
                       const char *subject, sg_span span, unsigned char *out, int64_t n,
                       bool *there)
{
    *there = false;
    if (!sg_path_stays_below(external->location)) {
        return sg_diag_error(beside->diag, span,
                             "the file of the values of %s is '%s'; external data must be in "
                             "the folder of the model, by a relative path without '..'",
                             subject, external->location);
    }
    if (external->length >= 0 && external->length != n) {
        return sg_diag_error(beside->diag, span,
                             "%s has %" PRId64 " bytes of external data, but its type and dims "
                             "need %" PRId64,
                             subject, external->length, n);
    }
    if (external->offset > INT64_MAX - n) {
        return sg_diag_error(beside->diag, span,
                             "the external data of %s begins at byte %" PRId64
                             ", where no file has any",
                             subject, external->offset);
    }
    if (beside->folder == NULL) {
        warn_missing(beside, external->location, subject, span,
                     "a model from standard input has no folder");
        return true;
    }
    int fd = sg_file_open_inside(beside->arena, beside->folder, external->location,
                                 (sg_file_folders){&beside->folder, 1});
    if (fd < 0 && (errno == EISDIR || errno == ESPIPE)) {
        return sg_diag_error(beside->diag, span,
                             "the file of the values of %s is '%s', which is not a regular file",
                             subject, external->location);
    }
    if (fd < 0) {
        /* Links are common: download caches link each file of a model to a store. A link that leads
         * out of the folder is harmless, so it is a warning, not an error. */
        warn_missing(beside, external->location, subject, span, sg_file_why(errno));
        return true;
    }
    bool ok = read_open(beside, external, subject, span, fd, out, n);
    sg_system_close(fd);
    if (ok && beside->files != NULL) {
        sg_file_list_add(beside->arena, beside->files,
                         sg_arena_printf(beside->arena, "%s%s", beside->folder, external->location),
                         NULL, NULL);
    }
    *there = ok;
    return ok;
}

bool sg_onnx_read_external(sg_onnx_folder *beside, const sg_onnx_external *external,
                           const char *subject, sg_span span, int64_t elements,
                           sg_graph_tensor *tensor)
{
    enum { FLOATS_MAX = 64, BYTE = 8 };
    const sg_dtype dtype = (sg_dtype)tensor->type.dtype;
    const sg_graph_values_kind kind = sg_element_kind(dtype);
    const int64_t most = kind == SG_GRAPH_VALUES_INTS     ? SG_GRAPH_VALUES_MAX
                         : kind == SG_GRAPH_VALUES_FLOATS ? FLOATS_MAX
                                                          : -1;
    if (elements > most) {
        return true;
    }
    const int64_t bytes = sg_ceil_div64(elements * sg_dtype_get(dtype)->bits, BYTE);
    unsigned char *raw = sg_arena_alloc(beside->arena, (size_t)bytes);
    bool there;
    SG_TRY(read_bytes(beside, external, subject, span, raw, bytes, &there));
    if (there) {
        sg_graph_set_raw(beside->arena, tensor, raw, elements);
    }
    return true;
}
