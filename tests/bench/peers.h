/* Peers of the kernels: a runtime memcpy per row and output, as inference runtimes do it, and a
 * loop over single elements with constants, as onnx2c emits it. */
#ifndef SPLITGEN_BENCH_PEERS_H
#define SPLITGEN_BENCH_PEERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A split as a matrix of rows divided into columns; the compiler knows none of the numbers. */
typedef struct peer_split {
    size_t rows;
    size_t row_bytes;
    size_t noutputs;
    const size_t *widths; /* bytes of one row of each output */
} peer_split;

/* Rows in the outer loop, outputs in the inner one: reads the input once, in order. */
void peer_rows(const peer_split *split, const void *input, void *const outputs[]);

/* Outputs in the outer loop, rows in the inner one: the order of ONNX Runtime and OpenVINO. */
void peer_outputs(const peer_split *split, const void *input, void *const outputs[]);

#ifdef __cplusplus
}

/* OP(name, element, axis, (dims...), (lengths...)), in the order of ops.lua. */
#define PEER_OPS(OP)                                                                               \
    OP(gpt2_qkv_decode, float, 2, (1, 1, 2304), (768, 768, 768))                                   \
    OP(gpt2_qkv_prefill, float, 2, (1, 128, 2304), (768, 768, 768))                                \
    OP(rope_halves, uint16_t, 2, (32, 64, 128), (64, 64))                                          \
    OP(yolo_head, float, 4, (1, 3, 20, 20, 85), (2, 2, 1, 80))                                     \
    OP(lidar, float, 1, (4096, 5), (3, 1, 1))                                                      \
    OP(rgb, uint8_t, 2, (224, 224, 3), (1, 1, 1))                                                  \
    OP(boxes, float, 1, (8400, 4), (1, 1, 1, 1))                                                   \
    OP(lstm_gates, float, 1, (64, 1024), (256, 256, 256, 256))                                     \
    OP(u16_uneven, uint16_t, 1, (4096, 13), (5, 1, 7))                                             \
    OP(shape_tensor, int64_t, 0, (4), (1, 1, 1, 1))

#endif

#endif
