/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warp-timeline: draws when the warps of a launch's SIMT code ran.
 * Tested by tests/plugins/parse-dbi/test_warps.sh.
 */
#include "warps.h"

#include <opprof/grow.h>
#include <opprof/kit/launch_reader.h>
#include <opprof/kit/launches.h>
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>
#include <opprof/text.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARP_FILE "WarpTimeline.bin"
enum { OUTPUT_SPANS, OUTPUT_RAW };

typedef struct WarpLaunch {
    OpprofLaunch base;
    uint32_t document; /* interned */
    Warp *warps;
    size_t count;
    size_t capacity;
    uint64_t bad; /* blocks, and where the first of them is */
    uint64_t first_bad;
    uint64_t skipped;
} WarpLaunch;

/* ---- blocks ---- */

static bool take_block(WarpLaunch *launch, const unsigned char *bytes, uint64_t at)
{
    WarpBlock block;

    if (WarpBlockRead(bytes, (uint32_t) (at / WARP_BLOCK_BYTES), &block) != WARP_GOOD) {
        launch->first_bad = launch->bad++ == 0 ? at : launch->first_bad;
        OpprofLaunchKeep(&launch->base, bytes, WARP_BLOCK_BYTES,
                         "the head of a core's warps makes no sense");
    }
    launch->skipped += block.skipped;
    if (!OpprofGrow(&launch->warps, &launch->capacity, launch->count + block.count + 1,
                    sizeof *launch->warps)) {
        return false;
    }
    memcpy(launch->warps + launch->count, block.list, block.count * sizeof *block.list);
    launch->count += block.count;
    return true;
}

static OpprofStatus take_blocks(OpprofLaunch *base, const unsigned char *records, size_t count,
                                OpprofError **error)
{
    (void) error;
    for (size_t i = 0; i < count; i++) {
        const size_t offset = i * WARP_BLOCK_BYTES;

        if (!take_block((WarpLaunch *) base, records + offset, base->file.at + offset)) {
            return OPPROF_E_MEMORY;
        }
    }
    return OPPROF_OK;
}

/* ---- spans ---- */

/* By core, so that the first warp of each core is found; then by warp. */
static int by_core(const void *a, const void *b)
{
    const Warp *x = a;
    const Warp *y = b;

    if (x->core != y->core || x->kind != y->kind) {
        return x->core != y->core ? (x->core > y->core) - (x->core < y->core)
                                  : (x->kind > y->kind) - (x->kind < y->kind);
    }
    if (x->start != y->start) {
        return x->start < y->start ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

static uint32_t intern(const WarpLaunch *launch, const char *text)
{
    return OpprofStageIntern(launch->base.stage, text, strlen(text));
}

static const char *const kinds[] = { "veccore0", "veccore1", "cubecore0" };

static uint32_t track_of(const WarpLaunch *launch, const Warp *warp)
{
    char process[48];
    char thread[24];

    snprintf(process, sizeof process, "warp.core%u.%s", warp->core, kinds[warp->kind]);
    snprintf(thread, sizeof thread, "Warp %u", warp->number);
    const OpprofTrack track = {
        .document = OpprofStageString(launch->base.stage, launch->document),
        .process = process,
        .thread = thread,
        .process_sort = -1,
        .thread_sort = (int32_t) warp->number,
        .flags = OPPROF_TRACK_APART,
    };
    return OpprofStageTrack(launch->base.stage, &track);
}

static OpprofStatus push_warp(const WarpLaunch *launch, const Warp *warp, uint64_t origin)
{
    const OpprofArg args[] = {
        { .key = intern(launch, "block_id"), .kind = OPPROF_ARG_U64, .value.u64 = warp->slot },
        { .key = intern(launch, "core_id"), .kind = OPPROF_ARG_U64, .value.u64 = warp->core },
        { .key = intern(launch, "core_type"),
          .kind = OPPROF_ARG_STRING,
          .value.u64 = intern(launch, kinds[warp->kind]) },
        { .key = intern(launch, "warp_id"), .kind = OPPROF_ARG_U64, .value.u64 = warp->number },
    };
    char name[24];

    snprintf(name, sizeof name, "Warp_%u", warp->number);
    OpprofSpan span = { .start = warp->start - origin,
                        .duration = warp->end - warp->start,
                        .track = track_of(launch, warp),
                        .kind = OPPROF_SPAN_SLICE,
                        .name = intern(launch, name),
                        .category = OPPROF_NA_STRING,
                        .colour = intern(launch, "thread_state_running"),
                        .arg_count = OPPROF_COUNT(args),
                        .id = { OPPROF_NA_U32, 0 },
                        .group = { OPPROF_NA_U32, 0 } };
    const OpprofStatus status = OpprofStageText(launch->base.stage, OUTPUT_SPANS, launch->document,
                                                (const char *) args, sizeof args, &span.args);
    return status == OPPROF_OK
               ? OpprofStageAppend(launch->base.stage, OUTPUT_SPANS, launch->document, &span)
               : status;
}

/* A warp runs once at a time, so the same times of the same warp come from a
 * file that came twice. */
static void report_repeats(const WarpLaunch *launch)
{
    uint64_t again = 0;

    for (size_t i = 1; i < launch->count; i++) {
        const Warp *warp = &launch->warps[i];
        again += by_core(warp, warp - 1) == 0 && warp->end == warp[-1].end;
    }
    if (again > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "'" WARP_FILE "' repeats the times of %" PRIu64
                            " %s: the file came twice",
                            again, OPPROF_PLURAL(again, "warp", "warps"));
    }
}

/* The first warp of each core begins at 0, since each core has its own counter. */
static OpprofStatus push_warps(WarpLaunch *launch)
{
    OpprofStatus status = OPPROF_OK;
    uint64_t origin = 0;

    qsort(launch->warps, launch->count, sizeof *launch->warps, by_core);
    report_repeats(launch);
    for (size_t i = 0; status == OPPROF_OK && i < launch->count; i++) {
        const Warp *warp = &launch->warps[i];
        if (i == 0 || warp[-1].core != warp->core || warp[-1].kind != warp->kind) {
            origin = warp->start;
        }
        status = push_warp(launch, warp, origin);
    }
    return status;
}

static void report(const WarpLaunch *launch)
{
    if (launch->bad > 0) {
        OPPROF_LAUNCH_LACKS(
            &launch->base,
            "'" WARP_FILE "' at byte %" PRIu64
            ": the head of a core's warps makes no sense; %" PRIu64 " such %s left out",
            launch->first_bad, launch->bad, OPPROF_PLURAL(launch->bad, "core is", "cores are"));
    }
    if (launch->skipped > 0) {
        OPPROF_LAUNCH_LACKS(
            &launch->base,
            "'" WARP_FILE "': %" PRIu64 " %s not drawn: no start, or an end before it",
            launch->skipped, OPPROF_PLURAL(launch->skipped, "warp is", "warps are"));
    }
}

static OpprofStatus draw(WarpLaunch *launch)
{
    OpprofStage *stage = launch->base.stage;
    const OpprofClock clock = { .name = "core", .hz = OpprofLaunchClock(&launch->base) };
    char *path = OpprofLaunchPath(stage, launch->base.device, launch->base.kernel,
                                  launch->base.order, "trace");

    if (path == NULL) {
        return OPPROF_E_MEMORY;
    }
    launch->document = intern(launch, path);
    free(path);
    if (clock.hz == 0) {
        OPPROF_LAUNCH_LACKS(&launch->base, "its warps are left out: their clock is unknown");
        return OPPROF_OK;
    }
    OpprofStageSetClock(stage, OUTPUT_SPANS, OpprofStageClock(stage, &clock));
    return push_warps(launch);
}

static OpprofStatus end_launch(OpprofLaunch *base, OpprofError **failure, OpprofError **error)
{
    WarpLaunch *launch = (WarpLaunch *) base;

    (void) failure; /* unreadable parts are left out */
    report(launch);
    OpprofStageCount(base->stage, "warps", launch->count);
    const OpprofStatus status = launch->count > 0 ? draw(launch) : OPPROF_OK;
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "draw warps") : status;
}

static void finish_launch(OpprofLaunch *launch)
{
    free(((WarpLaunch *) launch)->warps);
}

/* ---- the plugin ---- */

static const OpprofRoleReader roles[] = {
    { .role = "warps",
      .record_bytes = WARP_BLOCK_BYTES,
      .record = "the warps of a core",
      .take = take_blocks },
};

static const OpprofLaunchParser parser = {
    .instance_bytes = sizeof(OpprofLaunchReader),
    .launch_bytes = sizeof(WarpLaunch),
    .roles = roles,
    .role_count = OPPROF_COUNT(roles),
    .flags = OPPROF_PARSER_LEAVES_OUT,
    .raw_port = OUTPUT_RAW,
    .end = end_launch,
    .finish = finish_launch,
};

static const OpprofPort outputs[] = {
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .summary = "Warps of each core." },
    [OUTPUT_RAW] = { .name = "raw",
                     .record_type = &opprof_raw_type,
                     .summary = "Records of unknown kinds, unchanged, for bring-up." },
};

static const OpprofParam params[] = {
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC that ran, for its clock; auto: as stated in the data." },
};

static const char *const chip_sections[] = { "pmu", NULL };

OPPROF_LAUNCH_PARSER_DEFINE(
    parser, OpprofLaunchReaderConfigure, NULL, outputs, .name = "warp-timeline", .version = "1.0",
    .license = "Apache-2.0", .summary = "Draws the warps of SIMT code.",
    .help = "Reads WarpTimeline.bin: for each core its warps with start and end, in cycles. A "
            "core's first warp begins at 0, since each core has its own counter.",
    .flags = OPPROF_PLUGIN_PARTITIONED, .params = params, .param_count = OPPROF_COUNT(params),
    .chip_sections = chip_sections);
