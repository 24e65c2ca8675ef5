/* Parses the attributes of an IR: numbers, element types, shapes, names, attributes of
 * operators. */
#include "frontend/openvino/ir_reader.h"

#include <stdlib.h>
#include <string.h>

#include "split/dtype.h"

static sg_str trimmed(sg_str s)
{
    while (s.len > 0 && sg_is_space((unsigned char)s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && sg_is_space((unsigned char)s.ptr[s.len - 1])) {
        s.len--;
    }
    return s;
}

/* The place of a part of an attribute's value; of the whole value if it contains references such as
 * &amp;. */
static sg_span part_span(const sg_xml_attribute *attribute, sg_str part)
{
    if (!attribute->plain) {
        return attribute->span;
    }
    size_t begin = attribute->span.begin + (size_t)(part.ptr - attribute->value);
    return sg_span_make(attribute->span.source, begin, begin + part.len);
}

/* Removes the text up to the next comma from *rest and returns it. *more: there was a comma. */
static sg_str next_part(sg_str *rest, bool *more)
{
    const char *comma = rest->len ? memchr(rest->ptr, ',', rest->len) : NULL;
    sg_str part = *rest;
    *more = comma != NULL;
    if (comma) {
        part.len = (size_t)(comma - rest->ptr);
        rest->ptr = comma + 1;
        rest->len -= part.len + 1;
    }
    return trimmed(part);
}

static int64_t count_parts(sg_str text)
{
    int64_t count = 1;
    for (size_t i = 0; i < text.len; i++) {
        count += text.ptr[i] == ',';
    }
    return count;
}

bool sg_ir_number(sg_ir_reader *reader, const sg_xml_element *element, const char *name,
                  int64_t least, int64_t *out)
{
    const sg_xml_attribute *attribute = sg_xml_attribute_of(element, name);
    if (!attribute) {
        return sg_diag_error(reader->diag, element->span,
                             "<%s> has no attribute '%s', which must be a number", element->name,
                             name);
    }
    int64_t value;
    bool is_number = sg_parse_int64((sg_str){attribute->value, attribute->len}, &value);
    if (!is_number && least == INT64_MIN) {
        return sg_diag_error(reader->diag, attribute->span,
                             "%s=\"%s\" must be a whole number of 64 bits", name, attribute->value);
    }
    if (!is_number || value < least) {
        return sg_diag_error(reader->diag, attribute->span,
                             "%s=\"%s\" must be a whole number of at least %lld", name,
                             attribute->value, (long long)least);
    }
    *out = value;
    return true;
}

/* Compares ignoring the case of ASCII letters, whatever the locale. */
static bool same_word(sg_str a, const char *b)
{
    for (size_t i = 0; i < a.len; i++) {
        int x = (unsigned char)a.ptr[i];
        int y = (unsigned char)b[i];
        x = x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x;
        y = y >= 'A' && y <= 'Z' ? y - 'A' + 'a' : y;
        if (x != y || y == '\0') {
            return false;
        }
    }
    return b[a.len] == '\0';
}

int sg_ir_dtype(sg_ir_reader *reader, sg_str name, sg_span span)
{
    for (int i = 0; i < SG_DTYPE_COUNT && name.len > 0; i++) {
        const sg_dtype_info *info = sg_dtype_get((sg_dtype)i);
        if (info->openvino[0] && (same_word(name, info->openvino) ||
                                  (info->precision[0] && same_word(name, info->precision)))) {
            return i;
        }
    }
    if (!same_word(name, "unspecified") && !same_word(name, "dynamic") &&
        !same_word(name, "undefined")) {
        sg_diag_warn(
            reader->diag, span,
            "'%.*s' is not an element type of OpenVINO: the type of this tensor stays unknown",
            (int)name.len, name.ptr);
    }
    return SG_GRAPH_DTYPE_UNKNOWN;
}

/* Reads one bound of a range; `otherwise` if it is omitted. */
static bool read_bound(sg_str text, int64_t otherwise, int64_t *out)
{
    if (text.len == 0) {
        *out = otherwise;
        return true;
    }
    return sg_parse_int64(text, out) && *out >= 0;
}

/* Reads a number, "?", "-1", "a..b", "..b" or "a..". size is -1 unless it is one number. */
static bool read_dim(sg_str text, sg_graph_dim *out)
{
    if (sg_str_eqz(text, "?")) {
        out->size = -1;
        return true;
    }
    for (size_t i = 0; i + 1 < text.len; i++) {
        if (text.ptr[i] != '.' || text.ptr[i + 1] != '.') {
            continue;
        }
        const sg_str end = trimmed((sg_str){text.ptr + i + 2, text.len - i - 2});
        if (text.len == 2 || !read_bound(trimmed((sg_str){text.ptr, i}), 0, &out->low) ||
            !read_bound(end, INT64_MAX, &out->high) || out->low > out->high) {
            return false;
        }
        out->bounded = out->low != out->high;
        out->size = out->bounded ? -1 : out->low;
        return true;
    }
    return sg_parse_int64(text, &out->size) && out->size >= -1;
}

bool sg_ir_shape(sg_ir_reader *reader, const sg_xml_attribute *attribute, sg_graph_shape *out)
{
    sg_str rest = trimmed((sg_str){attribute->value, attribute->len});
    if (rest.len >= 2 && rest.ptr[0] == '[' && rest.ptr[rest.len - 1] == ']') {
        rest = trimmed((sg_str){rest.ptr + 1, rest.len - 2});
    }
    *out = (sg_graph_shape){.has_rank = true};
    if (rest.len == 0) {
        return true;
    }
    if (sg_str_eqz(rest, "...")) {
        out->has_rank = false;
        return true;
    }
    out->dims = SG_NEW_ARRAY(reader->arena, sg_graph_dim, count_parts(rest));
    for (bool more = true; more;) {
        sg_str part = next_part(&rest, &more);
        sg_graph_dim *dim = &out->dims[out->rank++];
        dim->span = part_span(attribute, part);
        if (!read_dim(part, dim)) {
            return sg_diag_error(
                reader->diag, dim->span,
                "'%.*s' is not a dimension: write a number, ? or a range such as 1..8",
                (int)part.len, part.ptr);
        }
    }
    return true;
}

bool sg_ir_port_type(sg_ir_reader *reader, const sg_xml_element *port, sg_graph_type *out)
{
    *out = (sg_graph_type){.is_tensor = true, .dtype = SG_GRAPH_DTYPE_UNKNOWN};
    const sg_xml_attribute *precision = sg_xml_attribute_of(port, "precision");
    if (precision) {
        out->dtype =
            sg_ir_dtype(reader, (sg_str){precision->value, precision->len}, precision->span);
    }
    int64_t rank = sg_xml_count(port, "dim");
    out->shape.has_rank = rank > 0;
    out->shape.rank = rank;
    out->shape.dims = SG_NEW_ARRAY(reader->arena, sg_graph_dim, rank);
    const sg_xml_element *dim = sg_xml_child(port, "dim");
    for (int64_t i = 0; i < rank; i++, dim = sg_xml_this_or_next(dim->next, "dim")) {
        sg_graph_dim *to = &out->shape.dims[i];
        to->span = dim->text_span;
        if (!sg_parse_int64(sg_str_from(dim->text), &to->size) || to->size < -1) {
            return sg_diag_error(
                reader->diag, dim->text_span,
                "'%s' is not a dimension: write a number of at least 0, or -1 for one "
                "that is not known",
                dim->text);
        }
    }
    return true;
}

void sg_ir_names(sg_ir_reader *reader, const sg_xml_element *element, const char *attribute,
                 sg_graph_info *info)
{
    const sg_xml_attribute *names = sg_xml_attribute_of(element, attribute);
    if (!names || names->len == 0) {
        return;
    }
    sg_str text = {names->value, names->len};
    info->aliases = SG_NEW_ARRAY(reader->arena, const char *, count_parts(text));
    char *name = SG_NEW_ARRAY(reader->arena, char, text.len + 1);
    info->aliases[info->naliases++] = name;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\\' && i + 1 < text.len && text.ptr[i + 1] == ',') {
            *name++ = ',';
            i++;
        } else if (text.ptr[i] == ',') {
            *name++ = '\0'; /* never exceeds the length of the text */
            info->aliases[info->naliases++] = name;
        } else {
            *name++ = text.ptr[i];
        }
    }
    *name = '\0';
}

/* Accepts only digits, signs, point and exponent. Other words ("inf", "nan", hexadecimal numbers)
 * stay text. */
static bool read_double(sg_str text, const char *nul_terminated, double *out)
{
    bool digit = false;
    for (size_t i = 0; i < text.len; i++) {
        digit = digit || sg_is_digit((unsigned char)text.ptr[i]);
        if (!memchr("0123456789+-.eE", text.ptr[i], 15)) {
            return false;
        }
    }
    if (!digit) {
        return false;
    }
    char *end;
    /* splitgen never sets a locale, so the decimal point is '.' */
    *out = strtod(nul_terminated, &end);
    return *end == '\0';
}

void sg_ir_attribute(sg_ir_reader *reader, const sg_xml_attribute *attribute,
                     sg_graph_attribute *out)
{
    sg_str whole = {attribute->value, attribute->len};
    sg_str rest = trimmed(whole);
    *out = (sg_graph_attribute){.name = attribute->name, .span = attribute->span};
    if (rest.len == 0) {
        out->kind = SG_GRAPH_ATTRIBUTE_INTS;
        return;
    }
    int64_t count = count_parts(rest);
    out->ints = SG_NEW_ARRAY(reader->arena, int64_t, count);
    out->floats = SG_NEW_ARRAY(reader->arena, double, count);
    out->texts = SG_NEW_ARRAY(reader->arena, const char *, count);
    out->spans = SG_NEW_ARRAY(reader->arena, sg_span, count);
    bool ints = true;
    bool floats = true;
    int64_t i = 0;
    for (bool more = true; more && floats; i++) {
        sg_str part = next_part(&rest, &more);
        out->texts[i] = sg_arena_strndup(reader->arena, part.ptr, part.len);
        out->spans[i] = part_span(attribute, part);
        ints = ints && sg_parse_int64(part, &out->ints[i]);
        floats = read_double(part, out->texts[i], &out->floats[i]);
    }
    if (!floats) {
        out->kind = SG_GRAPH_ATTRIBUTE_TEXT;
        out->count = 1;
        out->ints = NULL;
        out->floats = NULL;
        out->texts[0] = attribute->value;
        out->spans[0] = attribute->span;
        return;
    }
    out->count = count;
    if (ints) {
        out->kind = count == 1 ? SG_GRAPH_ATTRIBUTE_INT : SG_GRAPH_ATTRIBUTE_INTS;
    } else {
        out->kind = count == 1 ? SG_GRAPH_ATTRIBUTE_FLOAT : SG_GRAPH_ATTRIBUTE_FLOATS;
        out->ints = NULL;
    }
}
