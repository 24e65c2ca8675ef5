/* Takes the place of splitgen/vector.h: the same with models of x86's instructions. */
#ifndef SPLITGEN_TEST_ISA_VECTOR_H
#define SPLITGEN_TEST_ISA_VECTOR_H

#pragma GCC system_header

#include "../../begin.h"

#include_next <splitgen/vector.h>

#include "../../end.h"

#undef SPLITGEN_KEEP_LOAD
#define SPLITGEN_KEEP_LOAD(value) ((void)0)

#endif
