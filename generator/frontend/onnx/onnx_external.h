/* onnx_external: tensor data in files beside the model. Private to this folder. */
#ifndef SG_FRONTEND_ONNX_ONNX_EXTERNAL_H
#define SG_FRONTEND_ONNX_ONNX_EXTERNAL_H

#include "base/file.h"
#include "shapes/graph.h"

/* The folder of the model that is being read. */
typedef struct sg_onnx_folder {
    sg_arena *arena;
    sg_diag *diag;
    const char *folder;  /* "dir/"; NULL: the model has none */
    sg_file_list *files; /* receives the files that were read; may be NULL */
    const char *missing; /* the last file that a warning reported as missing; or NULL */
} sg_onnx_folder;

/* Where the external data of a tensor is. */
typedef struct sg_onnx_external {
    const char *location;
    int64_t offset;
    int64_t length; /* -1: up to the end of the file */
} sg_onnx_external;

#define SG_ONNX_EXTERNAL_NONE ((sg_onnx_external){.location = "", .length = -1})

/* Sets a property from an entry of external_data, and ignores unknown ones. Returns false if an
 * error was reported. */
bool sg_onnx_external_set(sg_onnx_external *external, sg_diag *diag, sg_span span, const char *key,
                          const char *value) SG_CHECK;

/* Reads the values of a tensor with this many elements from its external data, if shapes may depend
 * on them: integers, and small float tensors such as scales. Weights stay unread. It is an error if
 * the path leads out of the model's folder or the data is shorter than the tensor. It is only a
 * warning, once per file, if the file is missing or is a link out of the folder, because weights
 * are often stored elsewhere. subject: "initializer 'w'". */
bool sg_onnx_read_external(sg_onnx_folder *beside, const sg_onnx_external *external,
                           const char *subject, sg_span span, int64_t elements,
                           sg_graph_tensor *tensor) SG_CHECK;

#endif
