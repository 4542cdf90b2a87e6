/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_DETAILS_VECTOR_UNIT_H
#define SIM_DETAILS_VECTOR_UNIT_H

#include "analyse-sim/common/names.h"

/* Masks of the vector unit as instructions set them. Begins with zeroes. */
typedef struct VectorUnit {
    uint64_t mask[2];
    bool
        counts_elements; /* masks hold a number of elements; else a bit each, of every repetition */
} VectorUnit;

/* What is known of one execution of a vector instruction. */
typedef struct VectorUse {
    float utilization;      /* percent; -1: unknown */
    int32_t read_conflict;  /* -1: unknown */
    int32_t write_conflict; /* -1: unknown */
} VectorUse;

/* An instruction that changes the state is issued. Others are ignored. */
void VectorUnitUpdate(VectorUnit *unit, const NameFacts *facts, const char *detail, size_t length);

/* A vector instruction is issued; false: it is none. */
bool VectorUnitUse(const VectorUnit *unit, const NameFacts *facts, const char *detail,
                   size_t length, VectorUse *ret_use);

/* Conflicts of accesses to these bank groups (0 to 15): accesses to the busiest one less one, at
 * least 0. */
int32_t VectorConflicts(const uint8_t *groups, size_t count);

#endif
