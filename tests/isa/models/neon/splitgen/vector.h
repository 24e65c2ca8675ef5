/* Replaces splitgen/vector.h: the same header as for AArch64, with models of its instructions. */
#ifndef SPLITGEN_TEST_ISA_VECTOR_H
#define SPLITGEN_TEST_ISA_VECTOR_H

#pragma GCC system_header

#include "../../begin.h"

#include "../../hide_host.h"
#define __aarch64__ 1
#define __ARM_NEON  1

#include_next <splitgen/vector.h>

#undef __aarch64__
#undef __ARM_NEON
#include "../../show_host.h"

#include "../../end.h"

#endif
