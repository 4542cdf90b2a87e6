/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_OPERAND_RECORD_H
#define PARSE_PMU_OPERAND_RECORD_H

#include <opprof/kit/chip.h>

/*
 * For each core a record of operand counts by type, first outside of SIMT code, then for each of
 * the SIMT threads, which are added up. Records are large, so they are read while they stream by.
 */

#define OPERAND_MAX_TYPES 64u

/* What a chip file says about the file, `pmu.records.operands`: bytes, each a multiple of eight. */
typedef struct OperandLayout {
    uint32_t magic;           /* the file begins with it */
    uint32_t header;          /* of the file */
    uint32_t types;           /* entries of a part */
    uint32_t entry;           /* of a type */
    uint32_t instructions_at; /* in an entry */
    uint32_t operands_at;
    uint32_t gap; /* after each part, and after the record */
    bool is_big;  /* big-endian */
} OperandLayout;

/* Read what the chip file says; OPPROF_E_DATA with the faulty member. If the chip leaves no such file, types is 0. */
OpprofStatus OperandLayoutLoad(const OpprofChip *chip, OperandLayout *ret_layout,
                               OpprofError **error);

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
