/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_REPORT_H
#define REFCHIP_CHIP_REPORT_H

/* Reports of cores and of their threads in a core's place in the record area. */

#include "core.h"

#define REPORT_MOST_RECORD 128u
#define REPORT_OPERAND_PART (33u * 24u + 64u) /* of operations: all types of operands, and a gap */

typedef struct ReportRecord {
    uint8_t bytes[REPORT_MOST_RECORD];
    uint32_t size; /* with its head */
} ReportRecord;

/* The place, if it has room for such a report. NULL: no such place, and `*ret_is_good` says whether
 * it may be missing. */
uint8_t *ReportArea(Core *core, uint32_t report, bool *ret_is_good);
/* A record of this type and size, which is about the word at `pc` of the kernel as it was. */
void ReportBegin(ReportRecord *record, uint32_t type, uint32_t body, uint64_t pc);
void ReportPut(ReportRecord *record, uint32_t at, uint32_t size, uint64_t value);
/* Append a record if there is room; else it is counted. */
void ReportAppend(uint8_t *area, uint64_t room, const ReportRecord *record);
void ReportBlock(uint8_t *area, uint64_t room, uint64_t number);
/* An instruction with this many operations on operands of a type. */
void ReportOperations(uint8_t *part, uint32_t type, uint64_t instruction, uint64_t operations);
/* The number that records have for a core. */
uint64_t ReportCore(const Core *core);

#endif
