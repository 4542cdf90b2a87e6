/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_CUTTER_H
#define PARSE_PMU_CUTTER_H

#include "layout.h"

/* Cuts a stream of bytes that comes in pieces into records of one size. */
typedef struct Cutter {
    uint32_t size; /* of a record, at most LAYOUT_MAX_RECORD */
    uint32_t have; /* bytes of a record that is not whole yet */
    unsigned char carry[LAYOUT_MAX_RECORD];
} Cutter;

/* Takes whole records; false: stop (without memory). */
typedef bool CutterTake(void *context, const unsigned char *records, size_t count);

void CutterBegin(Cutter *cutter, uint32_t size);

/* Pass on all records that are whole now. False if `take` said so. */
bool CutterFeed(Cutter *cutter, const unsigned char *bytes, size_t length, CutterTake *take,
                void *context);

#endif
