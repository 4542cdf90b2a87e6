/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_OPERAND_RECORD_H
#define PARSE_PMU_OPERAND_RECORD_H

#include "facts.h"

/*
 * For each core a record of operand counts by type, first outside of SIMT code, then for each of
 * the SIMT threads, which are added up. Records are large, so they are read while they stream by.
 */

typedef struct OperandCounts {
    uint64_t instructions[OPERAND_MAX_TYPES];
    uint64_t operands[OPERAND_MAX_TYPES];
} OperandCounts;

typedef struct OperandCore {
    OperandCounts simd;
    OperandCounts simt;
} OperandCore;

typedef struct OperandRecord {
    const OperandLayout *layout; /* borrowed */
    uint32_t threads;            /* SIMT threads of a record */
    uint64_t position;           /* bytes of the file read so far */
    bool is_refused;             /* the header or the size is wrong: the file is left out */
    unsigned char word[8];       /* incomplete word */
    OperandCore *cores;
    size_t core_count;
} OperandRecord;

/* NULL, or the reason why a file of this size cannot be read. */
const char *OperandRecordBegin(OperandRecord *record, const OperandLayout *layout, uint32_t threads,
                               uint64_t file_size);
void OperandRecordFinish(OperandRecord *record);

/* Take the next bytes of the file. False without memory. */
bool OperandRecordFeed(OperandRecord *record, const unsigned char *bytes, size_t length);

#endif
