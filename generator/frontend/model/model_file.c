/* Detects the format of model files from their contents, and calls the reader of that format. */
#include "frontend/model/model_file.h"

#include <errno.h>
#include <string.h>

#include "base/sha256.h"
#include "base/system.h"
#include "foreign/foreign.h"
#include "frontend/onnx/onnx_binary.h"
#include "frontend/onnx/onnx_text.h"
#include "frontend/openvino/ir.h"

static bool is_standard(const sg_model_file *file)
{
    return sg_file_is_standard(file->path);
}

static const char *name_of(const sg_model_file *file)
{
    return is_standard(file) ? "<stdin>" : file->path;
}

/* Standard input has no name, so it may be any format. */
static bool is_named_onnx(const sg_model_file *file)
{
    return is_standard(file) || sg_foreign_is_named(file->path, ".onnx");
}

/* Reads up to `limit` more bytes of the file; fewer only at its end. */
static bool read_more(sg_model_file *file, size_t limit)
{
    char bytes[4096];
    while (limit > 0) {
        const int64_t n =
            sg_system_read(file->fd, bytes, limit < sizeof bytes ? limit : sizeof bytes);
        if (n <= 0) {
            return n == 0;
        }
        sg_buf_add(&file->head, bytes, (size_t)n);
        limit -= (size_t)n;
    }
    return true;
}

bool sg_model_file_open(sg_diag *diag, const char *path, sg_span asked, sg_model_file *file)
{
    return sg_model_file_look(diag, path, sg_file_open(path), asked, file);
}

bool sg_model_file_look(sg_diag *diag, const char *path, int fd, sg_span asked, sg_model_file *file)
{
    *file = (sg_model_file){.path = path, .asked = asked, .fd = fd};
    if (file->fd < 0 || !read_more(file, SG_ONNX_HEAD)) {
        (void)(errno == EISDIR
                   ? sg_diag_fail(diag, SG_EXIT_IO, asked,
                                  "'%s' is a folder; give the spec or the model in it", path)
                   : sg_file_cannot_read(diag, asked, path));
        sg_model_file_close(file);
        return false;
    }
    const char *head = file->head.len > 0 ? file->head.ptr : "";
    file->kind = sg_onnx_is_binary(head, file->head.len)   ? SG_MODEL_KIND_ONNX
                 : sg_openvino_is_ir(head, file->head.len) ? SG_MODEL_KIND_OPENVINO
                 : sg_onnx_is_text(head, file->head.len)   ? SG_MODEL_KIND_ONNXTXT
                 : is_named_onnx(file) && sg_onnx_may_be_binary(head, file->head.len)
                     ? SG_MODEL_KIND_ONNX
                     : SG_MODEL_KIND_NONE;
    if (file->kind != SG_MODEL_KIND_NONE) {
        return true;
    }
    const char *foreign = sg_foreign_file(path, head, file->head.len);
    if (foreign != NULL) {
        sg_diag_error(diag, asked, "'%s' %s", name_of(file), foreign);
        sg_model_file_close(file);
        return false;
    }
    /* Text that no format begins like: the reader that the name suggests reports the error. */
    file->kind = sg_foreign_is_named(path, ".onnxtxt") ? SG_MODEL_KIND_ONNXTXT
                 : sg_foreign_is_named(path, ".xml")   ? SG_MODEL_KIND_OPENVINO
                                                       : SG_MODEL_KIND_NONE;
    return true;
}

void sg_model_file_close(sg_model_file *file)
{
    sg_file_close(file->fd);
    sg_buf_free(&file->head);
}

bool sg_model_file_text(sg_arena *arena, sg_diag *diag, sg_model_file *file,
                        const sg_source **source)
{
    const size_t left = sg_arena_left(arena);
    const size_t most = sg_file_limit(file->fd, left);
    const size_t head = file->head.len;
    if (!sg_file_read_open(file->fd, most > head ? most - head : 0, &file->head)) {
        return errno == EFBIG && most == left
                   ? sg_diag_fail(diag, SG_EXIT_BUDGET, file->asked,
                                  "'%s' has more than the %zu bytes of memory that are left to the "
                                  "spec; if it is meant to, raise --max-memory",
                                  file->path, most)
                   : sg_file_cannot_read(diag, file->asked, file->path);
    }
    *source = sg_source_new(arena, name_of(file), file->head.len > 0 ? file->head.ptr : "",
                            file->head.len);
    return true;
}

/* "model.bin" for "model.xml". */
static const char *weights_path(sg_arena *arena, const char *path)
{
    const char *dot = strrchr(sg_path_base(path), '.');
    const size_t stem = dot != NULL ? (size_t)(dot - path) : strlen(path);
    return sg_arena_printf(arena, "%.*s.bin", (int)stem, path);
}

static const sg_graph_model *read_graph(sg_arena *arena, sg_diag *diag, sg_model_file *file,
                                        sg_file_list *files, char *sha256)
{
    const bool standard = is_standard(file);
    const char *folder = standard ? NULL : sg_path_dir(arena, file->path);
    if (file->kind == SG_MODEL_KIND_ONNX) {
        const sg_onnx_input input = {.name = name_of(file),
                                     .folder = folder,
                                     .fd = file->fd,
                                     .bytes = file->head.ptr,
                                     .nbytes = file->head.len,
                                     .files = files,
                                     .sha256 = sha256};
        return sg_onnx_read_input(arena, diag, &input);
    }
    const sg_source *source = NULL;
    if (!sg_model_file_text(arena, diag, file, &source)) {
        return NULL;
    }
    if (sha256 != NULL) {
        memcpy(sha256, sg_sha256_text(arena, source->text, source->len), SG_SHA256_TEXT);
    }
    if (file->kind == SG_MODEL_KIND_ONNXTXT) {
        return sg_onnx_read_text(arena, diag, source, folder, files);
    }
    return sg_openvino_read(arena, diag, source, standard ? NULL : weights_path(arena, file->path),
                            files);
}

/* Sets the names of the files that a model had read, from index `first` on. They are in the model's
 * folder or below, so their names begin with the folder of the model's name. */
static void name_beside(sg_arena *arena, const char *path, const char *name, sg_file_list *files,
                        size_t first)
{
    const size_t folder = strlen(sg_path_dir(arena, path));
    const char *named = sg_path_dir(arena, name);
    for (size_t i = first; i < files->count; i++) {
        files->items[i].name = sg_arena_printf(arena, "%s%s", named, files->items[i].path + folder);
    }
}

bool sg_model_file_read(sg_arena *arena, sg_diag *diag, sg_model_file *file, const char *name,
                        bool hashes, sg_file_list *files, sg_model *model)
{
    char *sha256 = hashes ? sg_arena_alloc(arena, SG_SHA256_TEXT) : NULL;
    sg_file_list_add(arena, files, file->path, name, sha256);
    const size_t first = files->count;
    *model = (sg_model){.graph = read_graph(arena, diag, file, files, sha256), .sha256 = sha256};
    name_beside(arena, file->path, sg_file_list_name(files, file->path), files, first);
    return model->graph != NULL;
}

bool sg_model_ops(sg_arena *arena, sg_diag *diag, const sg_model *model,
                  const sg_graph_options *options, sg_op_array *ops)
{
    const int64_t first = ops->count;
    SG_TRY(sg_graph_ops(arena, diag, model->graph, options, ops));
    for (int64_t i = first; i < ops->count; i++) {
        ops->items[i]->origin->sha256 = model->sha256;
    }
    return true;
}
