/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_DETAILS_VECTOR_UNIT_H
#define SIM_DETAILS_VECTOR_UNIT_H

#include "analyse-sim/common/names.h"

/* Masks of the vector unit as set by instructions. Zero at first. */
typedef struct VectorUnit {
    uint64_t mask[2];
    /* masks hold a number of elements; else a bit each, of every repetition */
    bool counts_elements;
} VectorUnit;

/* Accesses of one execution of a vector instruction that must wait for each other. */
typedef struct VectorAccess {
    int32_t read_conflict;  /* -1: unknown */
    int32_t write_conflict; /* -1: unknown */
} VectorAccess;

/* An instruction that changes the state is issued. Others are ignored. */
void VectorUnitUpdate(VectorUnit *unit, const NameFacts *facts, const char *detail, size_t length);

/*
 * How much of the unit a vector instruction issued now uses, in percent; -1: unknown. False: it is
 * not a vector instruction.
 */
bool VectorUnitUse(const VectorUnit *unit, const NameFacts *facts, const char *detail,
                   size_t length, float *ret_utilization);

/* Conflicts of a vector instruction; false: it is not one. */
bool VectorAccessRead(const NameFacts *facts, const char *detail, size_t length,
                      VectorAccess *ret_access);

/* Conflicts of accesses to these bank groups: accesses to the busiest group
 * minus one, at least 0. */
int32_t VectorConflicts(const uint8_t *groups, size_t count);

#endif
