/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of an instrumented kernel in SIMT code, in the forms of the 950: when warps ran,
 * operations of each thread, what threads load and store. Tested by tests/refchip/test_warps.sh.
 */
#include "report.h"
#include "simt.h"
#include <string.h>

enum { TYPE_SIMT_LOAD_STORE = 18, MEMORY_GM = 6, SIMT_LDG = 3, SIMT_STG = 4 };
enum { OPERAND_F32 = 15, OPERAND_B32 = 20, OPERAND_U32 = 26 };

#define WARP_HEADER 16u
#define WARP_COUNT_AT 4u

/* Start and end of a warp that runs again are those of its first and its last turn. */
static void report_warp(uint8_t *area, const SimtWarp *warp, bool is_end)
{
    uint8_t *at = area + WARP_HEADER + 16 * (size_t) warp->number;
    uint32_t count;
    uint64_t start;

    memcpy(&count, area + WARP_COUNT_AT, 4);
    count = warp->number + 1 > count ? warp->number + 1 : count;
    memcpy(area + WARP_COUNT_AT, &count, 4);
    memcpy(&start, at, 8);
    if (is_end) {
        memcpy(at + 8, &warp->now, 8);
    } else if (start == 0) {
        memcpy(at, &warp->now, 8);
    }
}

static void report_operations(uint8_t *area, const SimtWarp *warp, uint32_t code)
{
    static const struct {
        uint32_t code;
        uint32_t type;
        uint32_t number; /* of the instruction */
    } known[] = { { ISA_IADD, OPERAND_U32, 309 },
                  { ISA_IMAD_U32, OPERAND_U32, 347 },
                  { ISA_FADD_FP32, OPERAND_F32, 205 },
                  { ISA_FMUL_F32, OPERAND_F32, 195 },
                  { ISA_FFMA_F32, OPERAND_F32, 184 } };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (uint32_t lane = 0; known[i].code == code && lane < warp->lanes; lane++) {
            const size_t thread = SIMT_LANES * (size_t) warp->number + lane;

            ReportOperations(area + REPORT_OPERAND_PART * (1 + thread), known[i].type,
                             known[i].number, 1);
        }
    }
}

static void report_moves(uint8_t *area, const Core *core, const SimtWarp *warp, uint32_t word,
                         uint64_t pc)
{
    const bool is_store = IsaCodeOf(word) == ISA_SIMT_STG_B32;

    for (uint32_t lane = 0; lane < warp->lanes; lane++) {
        ReportRecord record;

        ReportBegin(&record, TYPE_SIMT_LOAD_STORE, 64, pc);
        ReportPut(&record, 32, 8, IsaD(word));
        ReportPut(&record, 40, 8, warp->x[lane][IsaN(word)] + (word & 0x3fffu));
        ReportPut(&record, 48, 8, 4);
        ReportPut(&record, 56, 2, ReportCore(core));
        ReportPut(&record, 58, 1, MEMORY_GM);
        ReportPut(&record, 59, 1, is_store ? SIMT_STG : SIMT_LDG);
        ReportPut(&record, 60, 1, OPERAND_B32);
        ReportAppend(area, core->spr[SPR_AREA_BYTES], &record);
    }
}

bool ReportWarp(Core *core, uint32_t word, const SimtWarp *warp)
{
    const uint32_t report = IsaD(word), number = word & 0x7ffffu;
    const uint32_t about =
        warp->pc + 1 < core->launch->words ? core->launch->text[warp->pc + 1] : 0;
    bool is_good = true;
    uint8_t *area = ReportArea(core, report, &is_good);

    if (area == NULL) {
        return is_good;
    }
    if (report == REPORT_BLOCK) {
        ReportBlock(area, core->spr[SPR_AREA_BYTES], number);
    } else if (report == REPORT_WARP) {
        report_warp(area, warp, number != 0);
    } else if (report == REPORT_OPERANDS) {
        report_operations(area, warp, IsaCodeOf(about));
    } else {
        report_moves(area, core, warp, about, 4 * (uint64_t) number);
    }
    return true;
}
