/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds up samples of program counters by address.
 * Tested by tests/plugins/parse-dbi/test_counts.
 */
#include "samples.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <opprof/kit/bytes.h>

#include <stdlib.h>
#include <string.h>

#define HEAD_BYTES 8u
#define DATA_BYTES 2097152u
#define SAMPLE_BYTES 16u
#define PC_MASK UINT64_C(0x7ffffff) /* part of the address that a sample has */

const char *const sample_reasons[SAMPLE_REASONS] = {
    "IBuf_Empty",
    "Nop_Cycles",
    "Scoreboard_Not_Ready",
    "Register_bank_conflict",
    "Resource_conflict",
    "Warp_Level_Sync",
    "Divergence_Stack_Spill",
    "Others",
    "Active",
};

uint64_t SamplePlace(uint64_t raw, uint64_t start, uint64_t stub)
{
    return (raw - start - stub) & PC_MASK;
}

void SamplesBeginFile(Samples *samples)
{
    samples->position = samples->have = samples->valid = 0;
    samples->bad_heads = samples->odd = samples->again = 0;
    samples->taken_before = samples->taken;
}

static SamplePc *find_pc(Samples *samples, uint64_t raw)
{
    const uint32_t place = OpprofMapFind(&samples->map, raw);

    if (place != OPPROF_MAP_NONE) {
        return &samples->pcs[place];
    }
    if (!OpprofGrow(&samples->pcs, &samples->capacity, samples->count + 1, sizeof *samples->pcs) ||
        !OpprofMapPut(&samples->map, raw, (uint32_t) samples->count)) {
        return NULL;
    }
    samples->pcs[samples->count] = (SamplePc){ .raw = raw };
    return &samples->pcs[samples->count++];
}

static bool take_sample(Samples *samples, const unsigned char *bytes)
{
    SamplePc *pc = find_pc(samples, OpprofLoadLe(bytes, 3) << 3);

    if (pc == NULL) {
        return false;
    }
    samples->hash = OpprofInternHash(samples->hash, bytes, SAMPLE_BYTES);
    for (unsigned i = 0; i < SAMPLE_REASONS; i++) {
        pc->counts[i] += bytes[3 + i];
    }
    samples->taken++;
    return true;
}

static void take_head(Samples *samples)
{
    samples->hash = OpprofInternHash(0, samples->carry, HEAD_BYTES);
    samples->valid = OpprofLoadLe32(samples->carry + 4);
    samples->is_bad = samples->valid > DATA_BYTES || OpprofLoadLe16(samples->carry + 2) > 2;
    if (samples->is_bad) {
        samples->first_bad =
            samples->bad_heads++ == 0 ? samples->position - HEAD_BYTES : samples->first_bad;
    } else {
        samples->odd += samples->valid % SAMPLE_BYTES != 0;
    }
    samples->valid -= samples->is_bad ? samples->valid : samples->valid % SAMPLE_BYTES;
    samples->have = 0;
}

/* A core's samples are never the same twice, so a file that came twice repeats the first chunk. */
static void end_chunk(Samples *samples)
{
    samples->have = 0;
    if (samples->valid == 0) {
        return;
    }
    if (samples->first_hash == 0) {
        samples->first_hash = samples->hash;
    } else {
        samples->again += samples->hash == samples->first_hash;
    }
}

/* Takes bytes of a head; returns how many. */
static size_t feed_head(Samples *samples, const unsigned char *bytes, size_t length)
{
    const size_t wanted = HEAD_BYTES - samples->have;
    const size_t taken = length < wanted ? length : wanted;

    memcpy(samples->carry + samples->have, bytes, taken);
    samples->have += (uint32_t) taken;
    samples->position += taken;
    if (samples->have == HEAD_BYTES) {
        take_head(samples);
    }
    return taken;
}

/* Takes valid bytes of samples; false without memory. */
static bool feed_samples(Samples *samples, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        if (samples->have == 0 && length - i >= SAMPLE_BYTES) {
            if (!take_sample(samples, bytes + i)) {
                return false;
            }
            i += SAMPLE_BYTES;
            continue;
        }
        samples->carry[samples->have++] = bytes[i++];
        if (samples->have == SAMPLE_BYTES) {
            samples->have = 0;
            if (!take_sample(samples, samples->carry)) {
                return false;
            }
        }
    }
    return true;
}

bool SamplesFeed(Samples *samples, const unsigned char *bytes, size_t length)
{
    while (length > 0) {
        const uint64_t within = samples->position % (HEAD_BYTES + DATA_BYTES);
        size_t taken;

        if (within < HEAD_BYTES) {
            taken = feed_head(samples, bytes, length);
        } else {
            const uint64_t at = within - HEAD_BYTES;
            const bool is_valid = at < samples->valid;
            const uint64_t left = (is_valid ? samples->valid : DATA_BYTES) - at;
            taken = length < left ? length : (size_t) left;
            if (is_valid && !feed_samples(samples, bytes, taken)) {
                return false;
            }
            samples->position += taken;
            if (at + taken == DATA_BYTES) {
                end_chunk(samples);
            }
        }
        bytes += taken;
        length -= taken;
    }
    return true;
}

uint64_t SamplesRest(const Samples *samples)
{
    return samples->position % (HEAD_BYTES + DATA_BYTES);
}

void SamplesFinish(Samples *samples)
{
    OpprofMapFinish(&samples->map);
    free(samples->pcs);
    *samples = (Samples){ .count = 0 };
}
