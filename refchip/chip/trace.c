/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of cores for their channels. Tested by tests/refchip/test_traces.sh. */
#include "trace.h"
#include "record.h"
#include <stdlib.h>
#include <string.h>

#define SAMPLE_BYTES 16u
#define MOST_COUNT 255u

/* The cores that channels cover, a group each; so far only a description of
 * the driver names them. */
static const uint32_t covered[] = { 0, 9, 17, 18, 27, 35 };

/* The channel of a core; 0: none. */
static uint32_t channel_of(const Core *core)
{
    for (uint32_t group = 0; group < sizeof covered / sizeof covered[0]; group++) {
        if (covered[group] == core->core_id) {
            return PROFILE_TRACE_FIRST + 3 * group + core->sub_core_id;
        }
    }
    return 0;
}

void TraceBegin(Core *core, const ProfileTicket *ticket)
{
    const uint32_t channel = channel_of(core);
    const RecordSetup *setup =
        channel == 0 ? NULL : ProfileSetupOf(core->launch->device, ticket, channel);

    core->is_traced = setup != NULL && setup->mode == 0;
    core->is_watched = core->is_watched || core->is_traced;
    core->sample_period = setup != NULL && setup->mode == 1 ? setup->period : 0;
    if (core->sample_period > 0 && core->samples == NULL) {
        core->samples = calloc(core->launch->words, sizeof *core->samples);
    }
    core->sample_period = core->samples == NULL ? 0 : core->sample_period;
}

void TraceSample(Core *core, uint32_t pc, uint64_t from, uint64_t fetched, uint32_t reason)
{
    const uint64_t period = core->sample_period;

    core->samples[pc][TRACE_FETCH] += (uint32_t) (fetched / period - from / period);
    core->samples[pc][reason] += (uint32_t) (core->now / period - fetched / period);
}

/* A sample: bits 3 to 26 of the address, and how often each reason occurred. */
static bool make_sample(Core *core, uint32_t pc, uint8_t *sample)
{
    const uint64_t place = (core->launch->load_pc + 4 * (uint64_t) pc) >> 3;
    bool has_some = false;

    memset(sample, 0, SAMPLE_BYTES);
    memcpy(sample, &place, 3); /* little endian, as the chip is */
    for (uint32_t i = 0; i < TRACE_REASONS; i++) {
        uint32_t *left = &core->samples[pc][i];
        const uint32_t now = *left < MOST_COUNT ? *left : MOST_COUNT;

        sample[3 + i] = (uint8_t) now;
        *left -= now;
        has_some = has_some || now > 0;
    }
    return has_some;
}

static void put_samples(Core *core, const ProfileTicket *ticket)
{
    uint8_t sample[SAMPLE_BYTES];

    for (uint32_t pc = 0; pc < core->launch->words; pc++) {
        for (uint32_t i = 0; core->instructions != NULL && i < TRACE_REASONS; i++) {
            core->instructions[pc].samples[i] += core->samples[pc][i];
        }
        while (make_sample(core, pc, sample)) {
            ProfilePut(core->launch->device, ticket, channel_of(core), sample, SAMPLE_BYTES);
        }
    }
}

void TraceEnd(Core *core, const ProfileTicket *ticket, uint32_t block, uint64_t start)
{
    if (core->is_traced) {
        WindowList words = { .count = 0 };

        WindowListWords(&core->trace, block, start, &words);
        for (size_t i = 0; i < words.count; i++) {
            ProfilePut(core->launch->device, ticket, channel_of(core), &words.words[i], 4);
        }
        free(words.words);
    }
    if (core->sample_period > 0) {
        put_samples(core, ticket);
    }
    core->trace.count = 0;
}
