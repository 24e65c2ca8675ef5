/* Shared by the models of instructions: vectors are plain structures of bytes, the lowest first,
 * and every instruction is a loop over them that follows its definition. */
#ifndef SPLITGEN_TEST_ISA_BYTES_H
#define SPLITGEN_TEST_ISA_BYTES_H

#pragma GCC system_header /* like the headers that these files replace */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ISA_MODEL static inline __attribute__((unused))

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "lanes lie in memory as they do on the processors that the models are of"
#endif

/* Lane `i`, of `bits` bits, of a vector's bytes. */
ISA_MODEL uint64_t isa_lane(const uint8_t *bytes, unsigned bits, unsigned i)
{
    uint64_t lane = 0;

    memcpy(&lane, bytes + i * (bits / 8), bits / 8);
    return lane;
}

ISA_MODEL void isa_set_lane(uint8_t *bytes, unsigned bits, unsigned i, uint64_t lane)
{
    memcpy(bytes + i * (bits / 8), &lane, bits / 8);
}

/* A processor faults if an instruction requires an aligned address and does not get one. */
ISA_MODEL void isa_demand_aligned(const void *pointer, size_t bytes)
{
    if ((uintptr_t)pointer % bytes != 0) {
        __builtin_trap();
    }
}

#endif
