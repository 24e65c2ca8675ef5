/* onnx_external: data of tensors that lies in files beside the model. Private to this folder. */
#ifndef SG_FRONTEND_ONNX_ONNX_EXTERNAL_H
#define SG_FRONTEND_ONNX_ONNX_EXTERNAL_H

#include "base/file.h"
#include "shapes/graph.h"

/* The folder of the model that is read. */
typedef struct sg_onnx_folder {
    sg_arena *arena;
    sg_diag *diag;
    const char *folder;  /* "dir/"; NULL: it has none */
    sg_file_list *files; /* receives the files that were read; NULL */
    const char *missing; /* file whose absence was told; NULL */
} sg_onnx_folder;

/* Where the data of a tensor is that lies in another file. */
typedef struct sg_onnx_external {
    const char *location;
    int64_t offset;
    int64_t length; /* -1: to the end */
} sg_onnx_external;

#define SG_ONNX_EXTERNAL_NONE ((sg_onnx_external){.location = "", .length = -1})

/* Takes an entry of external_data; those it has no use for too. False: reported. */
bool sg_onnx_external_set(sg_onnx_external *external, sg_diag *diag, sg_span span, const char *key,
                          const char *value) SG_CHECK;

/* Gives a tensor of so many elements the values that its external data has, if shapes may come from
 * them: integers, and the few floats of a scale; nobody asks for weights. What leaves the folder of
 * the model by its path, and data that is shorter than the tensor, is an error; a file that is
 * missing, or behind a link that leads out, is a warning, once, because weights are often kept
 * apart. subject: "initializer 'w'". */
bool sg_onnx_read_external(sg_onnx_folder *beside, const sg_onnx_external *external,
                           const char *subject, sg_span span, int64_t elements,
                           sg_graph_tensor *tensor) SG_CHECK;

#endif
