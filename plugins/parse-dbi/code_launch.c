/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a launch's code.
 * Tested by tests/plugins/parse-dbi/test_hot_spots.sh.
 */
#include "code_launch.h"

#include <opprof/text.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t intern(const CodeLaunch *launch, const char *text)
{
    return OpprofStageIntern(launch->base.stage, text, strlen(text));
}

static OpprofStatus append(const CodeLaunch *launch, uint32_t port, const void *record)
{
    return OpprofStageAppend(launch->base.stage, port, launch->base.partition, record);
}

/* Whether a function belongs to the kernel; if the kernel has no name, or no function has its name,
 * all do. */
static bool *choose_functions(CodeLaunch *launch)
{
    const BlockMap *map = &launch->map;
    size_t length = 0;
    const char *kernel = OpprofLaunchFact(&launch->base, "name", &length);
    bool *chosen = calloc(map->function_count + 1, sizeof *chosen);
    size_t count = 0;

    for (size_t i = 0; chosen != NULL && i < map->function_count; i++) {
        chosen[i] = kernel == NULL || BlockMapIsOf(map->functions[i].name, kernel, length);
        count += chosen[i];
    }
    if (chosen != NULL && count == 0 && map->function_count > 0) {
        OPPROF_LAUNCH_WARNS(&launch->base,
                            "no function of the block map belongs to '%.*s': the hot "
                            "spots are those of all its functions",
                            (int) length, kernel);
        memset(chosen, true, map->function_count);
    }
    return chosen;
}

static OpprofStatus push_blocks(CodeLaunch *launch)
{
    const BlockMap *map = &launch->map;
    bool *chosen = choose_functions(launch);
    OpprofStatus status = chosen == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    uint64_t uncounted = 0;

    for (size_t i = 0; status == OPPROF_OK && i < map->block_count; i++) {
        const MapBlock *block = &map->blocks[i];
        const OpprofDbiBlockCount record = {
            .start = block->start,
            .end = block->end,
            .count = block->count,
            .function = intern(launch, map->functions[block->function].name),
        };
        if (chosen[block->function]) {
            uncounted += block->count == BLOCK_NO_COUNT;
            status = append(launch, OUTPUT_BLOCKS, &record);
        }
    }
    if (uncounted > 0 && OpprofLaunchSaw(&launch->base, "counted")) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "'fdata' lacks %" PRIu64 " %s of the kernel, whose counts are unknown",
                            uncounted, OPPROF_PLURAL(uncounted, "block", "blocks"));
    }
    free(chosen);
    return status;
}

static uint64_t sample_start(CodeLaunch *launch)
{
    const uint64_t start =
        launch->sample_start != 0 ? launch->sample_start : OpprofLaunchCodeStart(&launch->base);

    if (start == OPPROF_NA_U64) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "'pc_start_pcsampling.txt' and 'pc_start_addr.txt' do not say where "
                            "the code was loaded: samples are placed as if at 0");
        return 0;
    }
    return start;
}

static OpprofStatus push_samples(CodeLaunch *launch)
{
    const uint64_t start = sample_start(launch);
    const uint64_t stub = launch->stub;
    uint64_t of_stub = 0;
    bool is_any = false;
    uint32_t reasons[SAMPLE_REASONS];
    OpprofStatus status = OPPROF_OK;

    for (unsigned i = 0; i < SAMPLE_REASONS; i++) {
        reasons[i] = intern(launch, sample_reasons[i]);
    }
    for (size_t i = 0; i < launch->samples.count * SAMPLE_REASONS && status == OPPROF_OK; i++) {
        const SamplePc *pc = &launch->samples.pcs[i / SAMPLE_REASONS];
        const unsigned reason = (unsigned) (i % SAMPLE_REASONS);
        const OpprofDbiSample record = { .pc = SamplePlace(pc->raw, start, stub),
                                         .samples = pc->counts[reason],
                                         .reason = reasons[reason],
                                         .is_issued = reason == SAMPLE_REASONS - 1 };
        /* Samples of the stub before the kernel do not count. */
        if (SamplePlace(pc->raw, start, 0) < stub) {
            of_stub += record.samples;
        } else if (record.samples > 0) {
            is_any = true;
            status = append(launch, OUTPUT_SAMPLES, &record);
        }
    }
    if (of_stub > 0 && !is_any) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "all %" PRIu64 " samples lie in the %" PRIu64
                            " bytes before the code, and are left out: 'PcOffset.bin' or "
                            "'pc_start_*.txt' may be of another launch",
                            of_stub, stub);
    }
    return status;
}

static OpprofStatus push_register(const CodeLaunch *launch, const LiveRegister *one)
{
    char name[1 + OPPROF_TEXT_NUMBER] = { LivenessLetter(one->kind) };

    *OpprofTextPutU64(name + 1, one->index) = '\0';
    const OpprofDbiRegister record = { .pc = launch->liveness.addresses[one->place],
                                       .name = intern(launch, name),
                                       .status = one->operation,
                                       .survival = one->survival };
    return append(launch, OUTPUT_REGISTERS, &record);
}

static OpprofStatus push_registers(const CodeLaunch *launch)
{
    const Liveness *liveness = &launch->liveness;
    bool *has_one = calloc(liveness->count + 1, sizeof *has_one);
    OpprofStatus status = has_one == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < liveness->register_count; i++) {
        has_one[liveness->registers[i].place] = true;
        status = push_register(launch, &liveness->registers[i]);
    }
    for (size_t i = 0; status == OPPROF_OK && i < liveness->count; i++) {
        const OpprofDbiRegister none = { .pc = liveness->addresses[i], .name = OPPROF_NA_STRING };
        if (!has_one[i]) {
            status = append(launch, OUTPUT_REGISTERS, &none);
        }
    }
    free(has_one);
    return status;
}

static void report_missing(const CodeLaunch *launch)
{
    if (launch->map.block_count > 0 && !OpprofLaunchSaw(&launch->base, "block_counts") &&
        !OpprofLaunchSaw(&launch->base, "counted")) {
        OpprofStageIncomplete(
            launch->base.stage,
            "Launch '%s' has a block map but no counts: neither 'kernel*.extra.*' "
            "nor 'fdata' is there",
            OpprofLaunchPlace(&launch->base));
    }
    if (!OpprofLaunchSaw(&launch->base, "samples") &&
        (OpprofLaunchSaw(&launch->base, "sample_start") ||
         OpprofLaunchSaw(&launch->base, "sample_stub"))) {
        OpprofStageIncomplete(launch->base.stage,
                              "Launch '%s' says where sampled code was loaded, but has no samples: "
                              "'pcSampling.bin.*' is missing",
                              OpprofLaunchPlace(&launch->base));
    }
}

OpprofStatus CodeLaunchPush(CodeLaunch *launch)
{
    OpprofStatus status;

    if (launch->base.is_over) {
        report_missing(launch);
    }
    status = push_blocks(launch);
    if (status == OPPROF_OK && launch->samples.count > 0) {
        status = push_samples(launch);
    }
    if (status == OPPROF_OK && launch->liveness.count > 0) {
        status = push_registers(launch);
    }
    return status;
}
