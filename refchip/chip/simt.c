/* SPDX-License-Identifier: Apache-2.0 */
/* Runs SIMT code of vector cores, warp by warp. Tested by tests/refchip/test_warps.sh. */
#include "simt.h"
#include <stdlib.h>
#include <string.h>

#define COMPUTE_CYCLES 4u
#define REPORT_CYCLES 60u

typedef struct Warp {
    uint32_t pc;
    uint64_t ready; /* for its next word */
    uint64_t start;
    uint64_t end; /* of its work; what it reports then is not work */
    bool is_done;
} Warp;

typedef struct Simt {
    Core *core;
    uint32_t threads;
    uint32_t warp_count;
    Warp warps[COUNTED_WARPS];
} Simt;

static uint32_t lanes_of(const Simt *simt, uint32_t warp)
{
    const uint32_t left = simt->threads - SIMT_LANES * warp;

    return left < SIMT_LANES ? left : SIMT_LANES;
}

/* ---- words ---- */

static uint64_t float_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint64_t value)
{
    const uint32_t bits = (uint32_t) value;
    float number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Result of one thread. */
static uint64_t compute(const Core *core, uint32_t word, uint32_t thread, const uint64_t *x)
{
    const uint64_t n = x[IsaN(word)], m = x[IsaM(word)];

    switch (IsaCodeOf(word)) {
    case ISA_SIMT_TID:
        return thread;
    case ISA_SIMT_PARAM:
        return core->x[IsaN(word)];
    case ISA_IADD:
        return n + m;
    case ISA_IMAD_U32:
        return n * m + x[IsaT(word)];
    case ISA_FADD_FP32:
        return float_bits(float_of(n) + float_of(m));
    case ISA_FMUL_F32:
        return float_bits(float_of(n) * float_of(m));
    default: /* FFMA_F32 */
        return float_bits(float_of(n) * float_of(m) + float_of(x[IsaT(word)]));
    }
}

static void count_work(Core *core, uint32_t word, uint32_t lanes)
{
    const uint32_t code = IsaCodeOf(word);

    core->counts[COUNT_simt_issued]++;
    core->counts[COUNT_simt_integers] += code == ISA_IADD || code == ISA_IMAD_U32 ? lanes : 0;
    core->counts[COUNT_simt_floats] +=
        code == ISA_FADD_FP32 || code == ISA_FMUL_F32 || code == ISA_FFMA_F32 ? lanes : 0;
}

/* Threads whose words lie beside each other make one request. */
static bool move(Core *core, uint32_t word, uint64_t (*x)[32], uint32_t lanes, uint64_t *ret_cycles)
{
    const bool is_store = IsaCodeOf(word) == ISA_SIMT_STG_B32;
    const uint64_t offset = word & 0x3fffu;
    Effect effect = { .cycles = 0 };
    uint64_t latency = 0;

    for (uint32_t i = 0, next; i < lanes; i = next) {
        const uint64_t address = x[i][IsaN(word)] + offset;

        next = i + 1;
        while (next < lanes && x[next][IsaN(word)] + offset == address + 4 * (next - i)) {
            next++;
        }
        if (!CoreTouch(core, address, 4 * (next - i), is_store, &effect)) {
            return false;
        }
        latency = effect.latency > latency ? effect.latency : latency;
        for (uint32_t k = i; k < next; k++) {
            uint32_t *memory = (uint32_t *) (uintptr_t) (address + 4 * (k - i));

            if (is_store) {
                memcpy(memory, &x[k][IsaD(word)], 4);
            } else {
                x[k][IsaD(word)] = 0;
                memcpy(&x[k][IsaD(word)], memory, 4);
            }
        }
    }
    core->counts[COUNT_simt_moved]++;
    *ret_cycles = COMPUTE_CYCLES + (is_store ? 0 : latency) + effect.cycles;
    return true;
}

/* Do a word for all threads of a warp; false: there is a fault. */
static bool run_word(Simt *simt, uint32_t number, uint32_t word, uint64_t now, uint64_t *ret_cycles)
{
    Core *core = simt->core;
    const uint32_t lanes = lanes_of(simt, number);
    uint64_t(*x)[32] = core->threads + (size_t) SIMT_LANES * number;
    const uint32_t code = IsaCodeOf(word);

    *ret_cycles = COMPUTE_CYCLES;
    if (code == ISA_REPORT) {
        const SimtWarp warp = { number, lanes, now, simt->warps[number].pc, x };

        *ret_cycles = REPORT_CYCLES;
        if (IsaD(word) == REPORT_WARP && (word & 0x7ffffu) != 0) {
            simt->warps[number].end = now;
        }
        return ReportWarp(core, word, &warp);
    }
    if (code == ISA_SIMT_LDG_B32 || code == ISA_SIMT_STG_B32) {
        core->moved = 4 * lanes;
        return move(core, word, x, lanes, ret_cycles);
    }
    if (code < ISA_SIMT_TID || code > ISA_FFMA_F32) {
        return CoreFault(core, "The instruction is not for SIMT code");
    }
    for (uint32_t i = 0; i < lanes; i++) {
        x[i][IsaD(word)] = compute(core, word, SIMT_LANES * number + i, x[i]);
    }
    count_work(core, word, lanes);
    return true;
}

/* ---- turns ---- */

static uint32_t next_warp(const Simt *simt)
{
    uint32_t best = simt->warp_count;

    for (uint32_t i = 0; i < simt->warp_count; i++) {
        if (!simt->warps[i].is_done &&
            (best == simt->warp_count || simt->warps[i].ready < simt->warps[best].ready)) {
            best = i;
        }
    }
    return best;
}

static bool step(Simt *simt, uint32_t number, uint64_t *now)
{
    Core *core = simt->core;
    Warp *warp = &simt->warps[number];
    const L2View before = core->l2;
    uint64_t cycles = 1;
    uint32_t word;

    core->pc = warp->pc;
    if (warp->pc >= core->launch->words) {
        return CoreFault(core, "There is no instruction");
    }
    word = core->launch->text[warp->pc];
    *now = warp->ready > *now ? warp->ready : *now;
    warp->start = warp->start == 0 ? *now : warp->start;
    core->moved = 0;
    if (IsaCodeOf(word) == ISA_SIMT_END) {
        warp->end = warp->end == 0 ? *now : warp->end;
        warp->is_done = true;
    } else if (!run_word(simt, number, word, *now, &cycles)) {
        return false;
    }
    CoreNote(core, warp->pc, &before, core->moved);
    warp->ready = *now + cycles;
    warp->pc++;
    ++*now;
    core->executed++;
    return core->executed < core->config->patience || CoreFault(core, "The kernel does not end");
}

static void note_warps(const Simt *simt)
{
    Core *core = simt->core;

    for (uint32_t i = 0; i < simt->warp_count; i++) {
        uint64_t *span = core->warps[i];

        span[0] = span[0] == 0 ? simt->warps[i].start : span[0];
        span[1] = simt->warps[i].end;
    }
}

static bool make_threads(Simt *simt, uint64_t threads)
{
    Core *core = simt->core;

    if (!core->config->has_ids || core->is_cube) {
        return CoreFault(core, "SIMT code runs on vector cores of the 950 alone");
    }
    if (threads == 0 || threads > SIMT_THREADS) {
        return CoreFault(core, "%llu threads, of which there are 1 to %u",
                         (unsigned long long) threads, SIMT_THREADS);
    }
    if (core->threads == NULL) {
        core->threads = calloc(SIMT_THREADS, sizeof *core->threads);
    }
    simt->threads = (uint32_t) threads;
    simt->warp_count = (simt->threads + SIMT_LANES - 1) / SIMT_LANES;
    return core->threads != NULL || CoreFault(core, "Out of memory for threads");
}

bool SimtRun(Core *core, uint32_t word, uint64_t start, uint64_t *ret_end)
{
    const uint32_t pc = core->pc;
    Simt simt = { .core = core };
    uint64_t now = start;
    bool is_good = make_threads(&simt, core->x[IsaD(word)]);
    uint32_t number;

    for (uint32_t i = 0; i < simt.warp_count; i++) {
        simt.warps[i].pc = (uint32_t) ((int64_t) pc + IsaJump(word));
        simt.warps[i].ready = start;
    }
    while (is_good && (number = next_warp(&simt)) < simt.warp_count) {
        is_good = step(&simt, number, &now);
    }
    note_warps(&simt);
    core->counts[COUNT_simt_cycles] += now - start;
    if (is_good) {
        core->pc = pc;
    }
    *ret_end = now;
    return is_good;
}
