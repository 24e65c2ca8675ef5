/* Replaces splitgen/vector.h: the same header as for WebAssembly, with models of its
 * instructions. */
#ifndef SPLITGEN_TEST_ISA_VECTOR_H
#define SPLITGEN_TEST_ISA_VECTOR_H

#pragma GCC system_header

#include "../../begin.h"

#include "../../hide_host.h"
#define __wasm_simd128__ 1

#include_next <splitgen/vector.h>

#undef __wasm_simd128__
#include "../../show_host.h"

#include "../../end.h"

#endif
