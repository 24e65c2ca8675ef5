/* Replaces splitgen/splitgen.h: the same header as for AArch64, which says that kernels have its
 * vector variants. */
#ifndef SPLITGEN_TEST_ISA_SPLITGEN_H
#define SPLITGEN_TEST_ISA_SPLITGEN_H

#pragma GCC system_header

/* The C library's headers come first, for this processor. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../hide_host.h"
#define __aarch64__ 1
#define __ARM_NEON  1

#include_next <splitgen/splitgen.h>

#undef __aarch64__
#undef __ARM_NEON
#include "../../show_host.h"

#endif
