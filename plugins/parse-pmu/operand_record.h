/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_OPERAND_RECORD_H
#define PARSE_PMU_OPERAND_RECORD_H

#include <opprof/kit/chip.h>

/*
 * OperandRecord.bin: for each core a record of operand counts by type, first outside of SIMT code,
 * then for each of the SIMT threads, which are added up. Records are large, so they are read as
 * they stream by.
 */

#define OPERAND_TYPES 33u

typedef struct OperandCounts {
    uint64_t instructions[OPERAND_TYPES];
    uint64_t operands[OPERAND_TYPES];
} OperandCounts;

typedef struct OperandCore {
    OperandCounts simd;
    OperandCounts simt;
} OperandCore;

typedef struct OperandRecord {
    uint32_t threads;      /* SIMT threads of a record */
    uint64_t position;     /* bytes taken of the file */
    bool is_refused;       /* the header or the size is wrong: nothing counts */
    unsigned char word[8]; /* that is not whole yet */
    OperandCore *cores;
    size_t core_count;
} OperandRecord;

/* NULL, or why a file of this size cannot be read. */
const char *OperandRecordBegin(OperandRecord *record, uint32_t threads, uint64_t file_size);
void OperandRecordFinish(OperandRecord *record);

/* Take the next bytes of the file. False without memory. */
bool OperandRecordFeed(OperandRecord *record, const unsigned char *bytes, size_t length);

#endif
