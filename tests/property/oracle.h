/* A second, independent implementation of the rules: whether a case is legal and what its parts
 * are. Shares no code with split/; uses 128-bit numbers instead of checked ones. */
#ifndef PROPERTY_ORACLE_H
#define PROPERTY_ORACLE_H

#include "split_case.h"

typedef struct verdict {
    bool legal;
    bool too_many; /* refused only because of the number of parts */
    bool packed;   /* two elements of 4 bits in a byte */
    int64_t element_bytes;
    int axis;
    int64_t nparts;
    int64_t lengths[CASE_MAX_LIST]; /* valid if nparts <= CASE_MAX_LIST */
    bool wanted[CASE_MAX_LIST];
} verdict;

verdict oracle_check(const split_case *c);

#endif
