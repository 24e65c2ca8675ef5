/* The values of Const layers, read from the .bin file: only those that shapes may depend on, or
 * that are small enough to become data of a kernel; never weights. Reads never leave the file.
 * Values are little endian on any host. */
#include "frontend/openvino/ir_reader.h"

#include <errno.h>
#include <string.h>

#include "base/checked.h"
#include "base/system.h"
#include "shapes/element_bits.h"
#include "split/dtype.h"

#define STRINGS_MAX_BYTES ((int64_t)1 << 20) /* longer tables of strings have no values */

/* What the .xml says about a constant. */
typedef struct stored {
    const sg_xml_attribute *place; /* the attribute `offset`: the place of errors about the .bin */
    int64_t offset;
    int64_t size;
    int64_t count;
} stored;

static bool no_file(sg_ir_reader *reader, const stored *at, const char *name)
{
    if (!reader->bin_path) {
        return sg_diag_fail(reader->diag, SG_EXIT_IO, at->place->span,
                            "the value of '%s' is in the model's .bin file, which a model from "
                            "standard input does not have: name the .xml file",
                            name);
    }
    return sg_diag_fail(
        reader->diag, SG_EXIT_IO, at->place->span,
        "cannot read '%s': %s; it has the value of '%s', so keep it beside the .xml",
        reader->bin_path, sg_file_why(errno), name);
}

/* Opens the .bin file if it is not open yet. Returns false and sets errno on failure. */
static bool find_bin(sg_ir_reader *reader)
{
    if (reader->bin >= 0) {
        return true;
    }
    if (reader->bin_path == NULL) {
        errno = ENOENT;
        return false;
    }
    /* Model caches store both files in one folder, and other folders link to each of them. */
    const char *real = sg_system_real_path(reader->arena, reader->xml->name);
    const char *const inside[] = {sg_path_dir(reader->arena, reader->bin_path),
                                  sg_path_dir(reader->arena, real != NULL ? real : "")};
    reader->bin = sg_file_open_inside(reader->arena, inside[0], sg_path_base(reader->bin_path),
                                      (sg_file_folders){inside, real != NULL ? 2 : 1});
    sg_system_info info;
    if (reader->bin < 0 || !sg_system_stat_open(reader->bin, &info)) {
        return false;
    }
    sg_file_list_add(reader->arena, reader->files, reader->bin_path, NULL, NULL);
    reader->bin_size = info.size;
    int64_t bits;
    if (!sg_mul64(reader->bin_size, 8, &bits) || !sg_add64(reader->values, bits, &reader->values)) {
        reader->values = INT64_MAX;
    }
    return true;
}

static bool open_bin(sg_ir_reader *reader, const stored *at, const char *name)
{
    return find_bin(reader) || no_file(reader, at, name);
}

/* Reads the first `bytes` of a constant into arena memory. Returns NULL if an error was
 * reported. */
static const unsigned char *read_bytes(sg_ir_reader *reader, const stored *at, const char *name,
                                       int64_t bytes)
{
    if (!open_bin(reader, at, name)) {
        return NULL;
    }
    int64_t end;
    if (!sg_add64(at->offset, at->size, &end) || end > reader->bin_size) {
        sg_diag_error(reader->diag, at->place->span,
                      "%lld bytes at offset %lld, but '%s' has %lld bytes: is it the file that was "
                      "written with this .xml?",
                      (long long)at->size, (long long)at->offset, reader->bin_path,
                      (long long)reader->bin_size);
        return NULL;
    }
    unsigned char *to = SG_NEW_ARRAY(reader->arena, unsigned char, bytes);
    int64_t done = 0;
    while (done < bytes) {
        const int64_t n =
            sg_system_read_at(reader->bin, to + done, (size_t)(bytes - done), at->offset + done);
        if (n <= 0) {
            errno = n == 0 ? EIO : errno; /* the file became shorter meanwhile */
            no_file(reader, at, name);
            return NULL;
        }
        done += n;
    }
    return to;
}

/* Number i in a table of strings. */
static int64_t number_at(const unsigned char *bytes, int64_t i)
{
    int64_t number = 0;
    double unused;
    (void)sg_element_value(SG_DTYPE_I32, sg_element_bits(bytes, SG_DTYPE_I32, (size_t)i), &number,
                           &unused);
    return number;
}

/* The kind of values that are read for a type. None for u2, u3 and u6, whose bit order is
 * unknown. */
static sg_graph_values_kind kind_of(sg_dtype dtype)
{
    const bool is_unclear = sg_dtype_get(dtype)->packed && dtype != SG_DTYPE_U1 &&
                            dtype != SG_DTYPE_U4 && dtype != SG_DTYPE_I4;
    return is_unclear ? SG_GRAPH_VALUES_NONE : sg_element_shape_kind(dtype);
}

static bool bad_texts(sg_ir_reader *reader, const stored *at, const char *what, int64_t is,
                      int64_t must)
{
    return sg_diag_error(reader->diag, at->place->span,
                         "the texts at offset %lld of '%s' are damaged: %s is %lld, not %lld",
                         (long long)at->offset, reader->bin_path, what, (long long)is,
                         (long long)must);
}

/* Reads a table of strings: their number, the offsets (one more than strings), and the bytes of all
 * strings without terminators. Numbers and offsets are i32; offsets count from the first byte of
 * the strings. */
static bool read_texts(sg_ir_reader *reader, const stored *at, sg_graph_tensor *out)
{
    if (at->count == 0) {
        out->kind = SG_GRAPH_VALUES_TEXTS;
        return true;
    }
    SG_TRY(open_bin(reader, at, out->name));
    if (at->size > STRINGS_MAX_BYTES || at->size > reader->values) {
        return true;
    }
    const unsigned char *bytes = read_bytes(reader, at, out->name, at->size);
    SG_TRY(bytes != NULL);
    int64_t head = 4 * (at->count + 2);
    if (at->size < head) {
        return bad_texts(reader, at, "their size", at->size, head);
    }
    int64_t count = number_at(bytes, 0);
    if (count != at->count) {
        return bad_texts(reader, at, "their number", count, at->count);
    }
    int64_t area = at->size - head;
    const char **texts = SG_NEW_ARRAY(reader->arena, const char *, count);
    int64_t begin = 0;
    for (int64_t i = 0; i <= count; i++) {
        int64_t end = number_at(bytes, i + 1);
        if (i == 0 && end != 0) {
            return bad_texts(reader, at, "the first offset", end, 0);
        }
        if (end < begin || end > area) {
            return bad_texts(reader, at, "an offset", end, end < begin ? begin : area);
        }
        if (i > 0) {
            const char *text = (const char *)bytes + head + begin;
            size_t len = (size_t)(end - begin);
            if (len > 0 && memchr(text, '\0', len)) {
                return true; /* not representable as a C string */
            }
            texts[i - 1] = sg_arena_strndup(reader->arena, text, len);
        }
        begin = end;
    }
    reader->values -= at->size;
    out->kind = SG_GRAPH_VALUES_TEXTS;
    out->count = count;
    out->texts = texts;
    return true;
}

static bool read_values(sg_ir_reader *reader, const stored *at, int64_t bytes, sg_graph_tensor *out)
{
    sg_graph_values_kind kind = kind_of((sg_dtype)out->type.dtype);
    const bool is_kept = bytes <= SG_GRAPH_BYTES_MAX;
    /* Shapes never depend on such a type. If the file is missing, the constant becomes an input of
     * the kernel. */
    if ((kind == SG_GRAPH_VALUES_NONE && (!is_kept || (!find_bin(reader) && errno == ENOENT))) ||
        at->count > SG_GRAPH_VALUES_MAX) {
        return true;
    }
    if (kind == SG_GRAPH_VALUES_TEXTS) {
        return read_texts(reader, at, out);
    }
    const unsigned char *from = NULL;
    if (bytes > 0) {
        SG_TRY(open_bin(reader, at, out->name));
        if (at->count > reader->values) {
            return true;
        }
        reader->values -= at->count;
        from = read_bytes(reader, at, out->name, bytes);
        SG_TRY(from != NULL);
    }
    out->bytes = is_kept ? from : NULL;
    out->nbytes = is_kept ? bytes : 0;
    if (kind == SG_GRAPH_VALUES_NONE) {
        return true;
    }
    const sg_dtype dtype = (sg_dtype)out->type.dtype;
    uint64_t bits[SG_GRAPH_VALUES_MAX];
    for (int64_t i = 0; i < at->count; i++) {
        /* the first element is the highest bit */
        bits[i] = dtype == SG_DTYPE_U1 ? from[i / 8] >> (7 - i % 8) & 1
                                       : sg_element_bits(from, dtype, (size_t)i);
    }
    sg_element_values(reader->arena, dtype, bits, at->count, out);
    return true;
}

/* The number of elements of a static shape. */
static bool count_elements(sg_ir_reader *reader, const sg_xml_attribute *shape,
                           const sg_graph_shape *dims, int64_t *out)
{
    for (int64_t i = 0; i < dims->rank; i++) {
        if (dims->dims[i].size < 0) {
            return sg_diag_error(reader->diag, dims->dims[i].span,
                                 "a constant's shape must be all numbers, but this one is \"%s\"",
                                 shape->value);
        }
    }
    return sg_graph_elements(dims, out) ||
           sg_diag_error(reader->diag, shape->span,
                         "a constant of shape \"%s\" has more elements than 64 bits count",
                         shape->value);
}

bool sg_ir_const(sg_ir_reader *reader, const sg_ir_layer *layer, sg_graph_tensor *out)
{
    const sg_xml_element *data = sg_xml_child(layer->element, "data");
    if (!data) {
        return sg_diag_error(reader->diag, layer->element->span,
                             "the constant '%s' has no <data>, which says where its value is",
                             layer->name);
    }
    const sg_xml_attribute *type = sg_xml_attribute_of(data, "element_type");
    const sg_xml_attribute *shape = sg_xml_attribute_of(data, "shape");
    if (!type || !shape) {
        return sg_diag_error(reader->diag, data->span, "the constant '%s' has no attribute '%s'",
                             layer->name, type ? "shape" : "element_type");
    }
    *out = (sg_graph_tensor){.name = layer->tensors[0], .span = data->span};
    out->type.is_tensor = true;
    out->type.dtype = sg_ir_dtype(reader, (sg_str){type->value, type->len}, type->span);
    SG_TRY(sg_ir_shape(reader, shape, &out->type.shape));
    if (!out->type.shape.has_rank) {
        return sg_diag_error(reader->diag, shape->span, "a constant's shape must be all numbers");
    }
    stored at = {.place = sg_xml_attribute_of(data, "offset")};
    SG_TRY(sg_ir_number(reader, data, "offset", 0, &at.offset));
    SG_TRY(sg_ir_number(reader, data, "size", 0, &at.size));
    SG_TRY(count_elements(reader, shape, &out->type.shape, &at.count));
    if (out->type.dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        return true;
    }
    int64_t bytes = 0;
    if (out->type.dtype != SG_DTYPE_STRING) {
        int64_t bits;
        if (!sg_mul64(at.count, sg_dtype_get((sg_dtype)out->type.dtype)->bits, &bits)) {
            bits = INT64_MAX;
        }
        bytes = sg_ceil_div64(bits, 8);
        if (at.size < bytes) {
            return sg_diag_error(reader->diag, sg_xml_attribute_of(data, "size")->span,
                                 "%lld bytes are too few for %lld elements of %s, which take %lld",
                                 (long long)at.size, (long long)at.count, type->value,
                                 (long long)bytes);
        }
    }
    return read_values(reader, &at, bytes, out);
}
