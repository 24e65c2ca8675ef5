/* Prints ops as specs and as entries of the table of check.h. Makes no choices. */
#include "gen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_int(const gen_op *op, int64_t value, FILE *out)
{
    fprintf(out, "%" PRId64 "%s", value, op->floats && value >= 0 ? ".0" : "");
}

/* length: the one on the axis. */
static void print_shape(const gen_op *op, int64_t length, FILE *out)
{
    for (int d = 0; d < op->rank; ++d) {
        fputs(d == 0 ? "" : ", ", out);
        const int number = op->numbers[d];
        if (number == 0) {
            print_int(op, d == op->axis ? length : op->dims[d], out);
        } else {
            fprintf(out,
                    op->vocabulary == GEN_NOTATION ? "%s=%" PRId64 "?"
                                                   : "free(\"%s\", %" PRId64 ")",
                    gen_number_names[number - 1], op->expected[number - 1]);
        }
    }
}

static void print_dims(const gen_op *op, FILE *out)
{
    print_shape(op, op->dims[op->axis], out);
}

static int written_axis(const gen_op *op)
{
    return op->negative_axis ? op->axis - op->rank : op->axis;
}

static void print_axis(const gen_op *op, FILE *out)
{
    if (!op->omit_axis) {
        fprintf(out, op->axis_in_list ? ", axis = {%d}" : ", axis = %d", written_axis(op));
    }
}

static void print_lengths(const gen_op *op, const char *field, FILE *out)
{
    fprintf(out, ", %s = {", field);
    for (int i = 0; i < op->nparts; ++i) {
        fputs(i == 0 ? "" : ", ", out);
        print_int(op, i == op->rest ? -1 : op->parts[i].length, out);
    }
    fputs("}", out);
}

/* ", row_stride = 8" for padded rows. */
static void print_stride(int64_t stride, const char *before, FILE *out)
{
    if (stride > 0) {
        fprintf(out, "%srow_stride = %" PRId64, before, stride);
    }
}

static void print_part(const gen_part *part, int number, FILE *out)
{
    if (!part->wanted) {
        /* each vocabulary accepts both */
        fputs(number % 2 == 0 ? "false" : "\"\"", out);
    } else if (part->name[0] == '\0') {
        fputs("{", out);
        print_stride(part->stride, "", out);
        fputs("}", out);
    } else if (part->stride > 0) {
        fprintf(out, "{name = \"%s\"", part->name);
        print_stride(part->stride, ", ", out);
        fputs("}", out);
    } else {
        fprintf(out, "\"%s\"", part->name);
    }
}

static void print_outputs(const gen_op *op, FILE *out)
{
    if (op->count_outputs != 0) {
        fprintf(out, ", outputs = %d", op->count_outputs);
    }
    if (!op->list_outputs) {
        return;
    }
    fputs(op->joins ? ", inputs = {" : ", outputs = {", out);
    for (int i = 0; i < op->listed_outputs; ++i) {
        fputs(i == 0 ? "" : ", ", out);
        print_part(&op->parts[i], i, out);
    }
    fputs("}", out);
}

static void print_order(const gen_op *op, FILE *out)
{
    static const char *const names[GEN_ORDERS] = {"", "lsb", "msb", "planes"};
    if (op->write_order) {
        fprintf(out, ", packing = \"%s\"", names[op->order]);
    }
    print_stride(op->stride, ", ", out);
}

static void print_split(const gen_op *op, FILE *out)
{
    fprintf(out, "%s {name = \"%s\", dtype = \"%s\", shape = {", op->joins ? "concat" : "split",
            op->name, op->spelling);
    print_dims(op, out);
    fputs("}", out);
    print_axis(op, out);
    if (op->equal) {
        fprintf(out, ", parts = %d", op->nparts);
    } else {
        print_lengths(op, "lengths", out);
    }
    print_outputs(op, out);
    if (op->align != 0) {
        fprintf(out, ", align = %d", op->align);
    }
    print_order(op, out);
    fputs("}", out);
}

static void print_data(const gen_op *op, const char *function, FILE *out)
{
    fprintf(out, "%s {name = \"%s\", ", function, op->name);
    if (op->vocabulary == GEN_ONNX) {
        fprintf(out, "opset = %d, ", op->opset);
    }
    fprintf(out, "data = {dtype = \"%s\", shape = {", op->spelling);
    print_dims(op, out);
    fputs("}}", out);
    print_axis(op, out);
}

static void print_onnx(const gen_op *op, FILE *out)
{
    print_data(op, "onnx.Split", out);
    if (!op->equal) {
        print_lengths(op, "split", out);
    } else if (op->opset >= 18) {
        fprintf(out, ", num_outputs = %d", op->nparts);
    }
    print_outputs(op, out);
    print_order(op, out);
    fputs("}", out);
}

static void print_openvino(const gen_op *op, FILE *out)
{
    if (op->equal) {
        print_data(op, "openvino.Split", out);
        fprintf(out, ", num_splits = %d", op->nparts);
    } else {
        print_data(op, "openvino.VariadicSplit", out);
        print_lengths(op, "split_lengths", out);
    }
    print_outputs(op, out);
    print_order(op, out);
    fputs("}", out);
}

/* A standard's Concat: every input has its own shape. */
static void print_inferring(const gen_op *op, FILE *out)
{
    const bool onnx = op->vocabulary == GEN_ONNX;
    fprintf(out, "%s.Concat {name = \"%s\"", onnx ? "onnx" : "openvino", op->name);
    if (onnx) {
        fprintf(out, ", opset = %d", op->opset);
    }
    print_axis(op, out);
    fputs(", inputs = {", out);
    for (int i = 0; i < op->nparts; ++i) {
        const gen_part *part = &op->parts[i];
        fprintf(out, "%s{dtype = \"%s\", shape = {", i == 0 ? "" : ", ", op->spelling);
        print_shape(op, part->length, out);
        fputs("}", out);
        if (part->name[0] != '\0') {
            fprintf(out, ", name = \"%s\"", part->name);
        }
        print_stride(part->stride, ", ", out);
        fputs("}", out);
    }
    fputs("}", out);
    print_order(op, out);
    fputs("}", out);
}

static void print_slash(int64_t stride, FILE *out)
{
    if (stride > 0) {
        fprintf(out, "/%" PRId64, stride);
    }
}

static void print_notation(const gen_op *op, FILE *out)
{
    fprintf(out, "%s \"%s: %s[", op->joins ? "concat" : "split", op->name, op->spelling);
    print_dims(op, out);
    fputs("]", out);
    print_slash(op->stride, out);
    if (!op->omit_axis) {
        fprintf(out, " @%d", written_axis(op));
    }
    fputs(op->joins ? " <-" : " ->", out);
    if (op->equal) {
        fprintf(out, " /%d", op->nparts);
        print_slash(op->parts[0].stride, out);
    }
    for (int i = 0; !op->equal && i < op->nparts; ++i) {
        const gen_part *part = &op->parts[i];
        fputs(i > 0 && op->commas ? ", " : " ", out);
        if (part->name[0] != '\0' || !part->wanted) {
            fprintf(out, "%s:", part->wanted ? part->name : "_");
        }
        if (i == op->rest) {
            fputs("*", out);
        } else {
            fprintf(out, "%" PRId64, part->length);
        }
        print_slash(part->stride, out);
    }
    fputs("\"", out);
}

void gen_print_spec(const gen_op *op, FILE *out)
{
    if (gen_infers(op)) {
        print_inferring(op, out);
        return;
    }
    switch (op->vocabulary) {
    case GEN_SPLIT:
        print_split(op, out);
        break;
    case GEN_ONNX:
        print_onnx(op, out);
        break;
    case GEN_OPENVINO:
    case GEN_VARIADIC:
        print_openvino(op, out);
        break;
    case GEN_NOTATION:
    case GEN_VOCABULARIES:
        print_notation(op, out);
        break;
    }
}

void gen_print_arrays(const gen_op *op, int index, FILE *out)
{
    fprintf(out, "extern const splitgen_kernel %s_kernel;\nstatic const int64_t dims_%d[] = {",
            op->name, index);
    for (int d = 0; d < op->rank; ++d) {
        fprintf(out, "%" PRId64 ", ", op->dims[d]);
    }
    fprintf(out, "};\nstatic const int64_t lengths_%d[] = {", index);
    for (int i = 0; i < op->nparts; ++i) {
        fprintf(out, "%" PRId64 ", ", op->parts[i].length);
    }
    fprintf(out, "};\nstatic const int64_t strides_%d[] = {", index);
    for (int i = 0; i < op->nparts; ++i) {
        fprintf(out, "%" PRId64 ", ", op->parts[i].stride);
    }
    fprintf(out, "};\nstatic const bool wanted_%d[] = {", index);
    for (int i = 0; i < op->nparts; ++i) {
        fprintf(out, "%d, ", op->parts[i].wanted);
    }
    fprintf(out, "};\nstatic const char *const names_%d[] = {", index);
    for (int i = 0; i < op->nparts; ++i) {
        if (op->parts[i].name[0] == '\0') {
            fputs("NULL, ", out);
        } else {
            fprintf(out, "\"%s\", ", op->parts[i].name);
        }
    }
    fputs("};\n", out);
}

static void print_quoted(const gen_op *op, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL) {
        perror("gen_ops");
        exit(2);
    }
    gen_print_spec(op, memory);
    fclose(memory);
    fputc('"', out);
    for (size_t i = 0; i < size; ++i) {
        if (text[i] == '"' || text[i] == '\\') {
            fputc('\\', out);
        }
        fputc(text[i], out);
    }
    fputc('"', out);
    free(text);
}

/* Strings are pointers, whose size depends on the target. */
static void print_size(const gen_op *op, int bytes, FILE *out)
{
    if (strcmp(op->dtype->name, "string") == 0 && bytes == op->dtype->bytes) {
        fputs("sizeof(const char *)", out);
    } else {
        fprintf(out, "%d", bytes);
    }
}

void gen_print_entry(const gen_op *op, int index, FILE *out)
{
    int align = op->align > op->dtype->align ? op->align : op->dtype->align;
    fprintf(out, "    {0, &%s_kernel, ", op->name);
    print_quoted(op, out);
    fprintf(out, ", %s, ", op->dtype->constant);
    print_size(op, align, out);
    fprintf(out, ", %d, %d, names_%d, %d, {", op->dtype->bits, (int)op->order, index, op->nnumbers);
    for (int d = 0; d < op->rank; ++d) {
        fprintf(out, "%s%d", d == 0 ? "" : ", ", op->numbers[d]);
    }
    fputs("}, {", out);
    for (int i = 0; i < GEN_MAX_NUMBERS; ++i) {
        fprintf(out, "%s%" PRId64, i == 0 ? "" : ", ", op->expected[i]);
    }
    fprintf(out, "}, {%d, dims_%d, %d, ", op->rank, index, op->axis);
    print_size(op, op->dtype->bytes, out);
    fprintf(out, ", %d, lengths_%d, wanted_%d, %d, %" PRId64 ", strides_%d}},\n", op->nparts, index,
            index, op->joins, op->stride, index);
}
