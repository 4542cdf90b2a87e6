/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of an instrumented kernel: the part that the vendor's tools link into a kernel, in the
 * forms of their records. A core has a place of its own in the record area, which the kernel's
 * first instructions have put into AREA. Tested by tests/refchip/test_instrument.sh.
 */
#include "report.h"
#include "simt.h"
#include <string.h>

#define HEADER_BYTES 176u
#define MAGIC 0x5a5a5a5au
#define OVERFLOWED (UINT64_C(1) << 63)
#define FIRST_VECTOR 25u /* physical numbers of cores: cube cores first */

/* of a type: instructions, operations, and the last instruction's number */
#define OPERAND_BYTES 24u
#define OPERAND_TYPE_F32 15u
#define MAD_F32_F32 403u

enum { TYPE_DMA_MOV = 3, TYPE_MOV_FP = 10 };
enum { MEMORY_L1 = 0, MEMORY_UB = 4, MEMORY_GM = 6 };

void ReportPut(ReportRecord *record, uint32_t at, uint32_t size, uint64_t value)
{
    memcpy(record->bytes + 8 + at, &value, size); /* little endian, as the chip is */
}

static uint64_t bits(uint64_t value, unsigned from, unsigned count)
{
    return value >> from & ((UINT64_C(1) << count) - 1);
}

uint64_t ReportCore(const Core *core)
{
    return core->is_cube ? core->core_id
                         : FIRST_VECTOR + 2 * core->core_id + core->sub_core_id - DVC_VECTOR0;
}

void ReportBegin(ReportRecord *record, uint32_t type, uint32_t body, uint64_t pc)
{
    const uint32_t magic = MAGIC;

    memset(record, 0, sizeof *record);
    record->size = 8 + body;
    memcpy(record->bytes, &type, 4);
    memcpy(record->bytes + 4, &magic, 4);
    ReportPut(record, 16, 8, pc);
}

static void begin(ReportRecord *record, uint32_t type, uint32_t body, const Core *core,
                  uint32_t moved, uint64_t pc)
{
    ReportBegin(record, type, body, pc);
    ReportPut(record, 0, 8, core->x[IsaD(moved)]);
    ReportPut(record, 8, 8, core->x[IsaN(moved)]);
}

static void describe_bursts(ReportRecord *record, const Core *core, uint32_t moved, uint64_t pc)
{
    const uint64_t shape = core->x[IsaM(moved)];
    const uint32_t code = IsaCodeOf(moved);

    begin(record, TYPE_DMA_MOV, 48, core, moved, pc);
    ReportPut(record, 32, 2, bits(shape, 4, 12));
    ReportPut(record, 34, 2, bits(shape, 16, 16));
    ReportPut(record, 36, 2, bits(shape, 32, 16));
    ReportPut(record, 38, 2, bits(shape, 48, 16));
    ReportPut(record, 40, 2, ReportCore(core));
    ReportPut(record, 42, 1,
              code == ISA_MOV_UB_TO_OUT   ? MEMORY_GM
              : code == ISA_MOV_OUT_TO_L1 ? MEMORY_L1
                                          : MEMORY_UB);
    ReportPut(record, 43, 1, code == ISA_MOV_UB_TO_OUT ? MEMORY_UB : MEMORY_GM);
}

/* Rows of floats; this chip's instruction counts their distance in bytes, the record in floats. */
static void describe_product(ReportRecord *record, const Core *core, uint32_t moved, uint64_t pc)
{
    const uint64_t shape = core->x[IsaM(moved)];

    begin(record, TYPE_MOV_FP, 60, core, moved, pc);
    ReportPut(record, 32, 4, (shape >> 32) / 4);
    ReportPut(record, 38, 2, bits(shape, 4, 12));
    ReportPut(record, 40, 2, bits(shape, 16, 16));
    ReportPut(record, 42, 2, ReportCore(core));
    ReportPut(record, 44, 2, 1);  /* one matrix */
    ReportPut(record, 50, 2, 32); /* bits of a number */
    ReportPut(record, 56, 1, 1);  /* rows stay rows */
}

void ReportAppend(uint8_t *area, uint64_t room, const ReportRecord *record)
{
    uint64_t count, length;

    memcpy(&count, area, 8);
    memcpy(&length, area + 8, 8);
    if ((length & OVERFLOWED) != 0) {
        length++;
    } else if (length > room - HEADER_BYTES - record->size) {
        length = (count + 1) | OVERFLOWED;
    } else {
        memcpy(area + HEADER_BYTES + length, record->bytes, record->size);
        length += record->size;
        count++;
    }
    memcpy(area, &count, 8);
    memcpy(area + 8, &length, 8);
}

static void report_move(uint8_t *area, uint64_t room, const Core *core, uint32_t moved, uint64_t pc)
{
    ReportRecord record;

    if (IsaCodeOf(moved) == ISA_FIX_L0C_TO_DST) {
        describe_product(&record, core, moved, pc);
    } else {
        describe_bursts(&record, core, moved, pc);
    }
    ReportAppend(area, room, &record);
}

void ReportBlock(uint8_t *area, uint64_t room, uint64_t number)
{
    uint32_t count;

    if (4 * number + 4 <= room) {
        memcpy(&count, area + 4 * number, 4);
        count++;
        memcpy(area + 4 * number, &count, 4);
    }
}

void ReportOperations(uint8_t *part, uint32_t type, uint64_t instruction, uint64_t operations)
{
    uint64_t entry[3];

    memcpy(entry, part + type * OPERAND_BYTES, sizeof entry);
    entry[0]++;
    entry[1] += operations;
    entry[2] = instruction;
    memcpy(part + type * OPERAND_BYTES, entry, sizeof entry);
}

static uint64_t ceil_div(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit;
}

/* Of a product: multiplications and additions of whole tiles, and of a row, unless bit 61 says
 * otherwise, of a shorter one. */
static void report_operands(uint8_t *area, const Core *core, uint32_t reported)
{
    const uint64_t shape = core->x[IsaT(reported)];
    const uint64_t m = bits(shape, 0, 12), k = bits(shape, 12, 12), n = bits(shape, 24, 12);
    const bool is_row = m == 1 && bits(shape, 61, 1) == 0;
    const uint64_t rows = is_row ? 1 : ceil_div(m, 16);
    const uint64_t steps = is_row ? 16 : ceil_div(k, 8);
    const uint64_t depth = is_row ? ceil_div(k, 16) : 8;

    if (IsaCodeOf(reported) == ISA_MMAD) {
        ReportOperations(area, OPERAND_TYPE_F32, MAD_F32_F32,
                         2 * rows * 16 * ceil_div(n, 16) * 16 * steps * depth);
    }
}

/* Bytes that a report writes into at least. */
static uint64_t least_room(const Core *core, uint32_t report)
{
    switch (report) {
    case REPORT_MOVE:
        return HEADER_BYTES + REPORT_MOST_RECORD;
    case REPORT_OPERANDS:
        return REPORT_OPERAND_PART * (core->threads == NULL ? 1u : 1u + SIMT_THREADS);
    case REPORT_START:
        return 8;
    case REPORT_WARP:
        return 16u + 16u * COUNTED_WARPS;
    default:
        return 0;
    }
}

uint8_t *ReportArea(Core *core, uint32_t report, bool *ret_is_good)
{
    const RefchipLaunch *launch = core->launch;
    const uint64_t area = core->spr[SPR_AREA], room = core->spr[SPR_AREA_BYTES];

    *ret_is_good = true;
    if (area == 0) {
        return NULL;
    }
    if (room < least_room(core, report) || !launch->is_valid(launch->context, area, room)) {
        *ret_is_good = CoreFault(core, "no record area at 0x%llx, %llu bytes",
                                 (unsigned long long) area, (unsigned long long) room);
        return NULL;
    }
    return (uint8_t *) (uintptr_t) area;
}

bool Report(Core *core, uint32_t word)
{
    const uint64_t room = core->spr[SPR_AREA_BYTES], number = word & 0x7ffffu;
    bool is_good = true;
    uint8_t *area = ReportArea(core, IsaD(word), &is_good);

    if (area == NULL) {
        return is_good;
    }
    if (IsaD(word) == REPORT_BLOCK) {
        ReportBlock(area, room, number);
    } else if (IsaD(word) == REPORT_START) {
        __atomic_store_n((uint64_t *) (void *) area, number, __ATOMIC_RELAXED); /* by each core */
    } else if (core->pc + 1 >= core->launch->words) {
        return true; /* it is about nothing */
    } else if (IsaD(word) == REPORT_OPERANDS) {
        report_operands(area, core, core->launch->text[core->pc + 1]);
    } else if (IsaD(word) == REPORT_MOVE) {
        report_move(area, room, core, core->launch->text[core->pc + 1], 4 * number);
    }
    return true;
}
