/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warp-timeline: draws when the warps of a launch's SIMT code ran.
 * Tested by tests/plugins/parse-dbi/test_warps.sh.
 */
#include "text_file.h"
#include "warps.h"

#include <opprof/grow.h>
#include <opprof/kit/raw_keeper.h>
#include <opprof/kit/chip.h>
#include <opprof/kit/launches.h>
#include <opprof/kit/raw_names.h>
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
#define MHZ UINT64_C(1000000)

typedef struct Timeline {
    OpprofLaunches launches; /* first, as its operations require */
    OpprofStage *stage;
    const char *chip;
} Timeline;

/* A launch whose files are arriving. */
typedef struct WarpLaunch {
    OpprofStage *stage;
    const char *chip; /* parameter */
    uint32_t partition;
    uint32_t document; /* interned */
    uint32_t file;     /* interned; absent: none */
    bool is_warps;
    DbiText info;
    OpprofCutter cutter;
    uint32_t slot; /* bytes of the next block */
    Warp *warps;
    size_t count;
    size_t capacity;
    uint64_t bad; /* blocks, and the first of them */
    uint64_t first_bad;
    uint64_t skipped;
    OpprofRawKeeper raw;
    bool is_short; /* of memory */
} WarpLaunch;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read warps");
}

/* ---- blocks ---- */

static bool take_block(WarpLaunch *launch, const unsigned char *bytes)
{
    WarpBlock block;
    const WarpOutcome outcome = WarpBlockRead(bytes, launch->slot, &block);

    if (outcome != WARP_GOOD) {
        launch->first_bad = launch->bad++ == 0 ? launch->slot : launch->first_bad;
        OpprofRawKeep(&launch->raw, launch->file, (uint64_t) launch->slot * WARP_BLOCK_BYTES, bytes,
                      WARP_BLOCK_BYTES, "the head of a core's warps makes no sense");
    }
    launch->slot++;
    launch->skipped += block.skipped;
    if (!OpprofGrow(&launch->warps, &launch->capacity, launch->count + block.count + 1,
                    sizeof *launch->warps)) {
        launch->is_short = true;
        return false;
    }
    memcpy(launch->warps + launch->count, block.list, block.count * sizeof *block.list);
    launch->count += block.count;
    return true;
}

static bool take_blocks(void *context, const unsigned char *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!take_block(context, records + i * WARP_BLOCK_BYTES)) {
            return false;
        }
    }
    return true;
}

static void end_file(WarpLaunch *launch)
{
    if (launch->is_warps && launch->slot == 0 && launch->cutter.have == 0) {
        OpprofStageIncomplete(launch->stage, "Launch '%s': '" WARP_FILE "' is empty",
                              OpprofStageString(launch->stage, launch->partition));
    }
    if (launch->is_warps && launch->cutter.have > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '" WARP_FILE "' at byte %" PRIu64
                              ": the file ends within the warps of a core",
                              OpprofStageString(launch->stage, launch->partition),
                              (uint64_t) launch->slot * WARP_BLOCK_BYTES);
    }
    launch->is_warps = false;
}

static bool is_role(const WarpLaunch *launch, const char *file, const char *role)
{
    const char *its = OpprofRawRole(launch->chip, file, NULL);

    return its != NULL && strcmp(its, role) == 0;
}

static OpprofStatus feed(WarpLaunch *launch, const OpprofOnboardChunk *chunk, const char *bytes,
                         OpprofError **error)
{
    const char *name = OpprofStageString(launch->stage, chunk->file);

    if (chunk->file != launch->file || chunk->offset == 0) {
        end_file(launch);
        launch->file = chunk->file;
        launch->is_warps = is_role(launch, name, "warps");
        OpprofCutterBegin(&launch->cutter, WARP_BLOCK_BYTES);
    }
    if (bytes != NULL && launch->is_warps) {
        OpprofCutterFeed(&launch->cutter, (const unsigned char *) bytes, chunk->bytes.length,
                         take_blocks, launch);
    } else if (bytes != NULL && is_role(launch, name, "info")) {
        DbiTextTake(&launch->info, bytes, chunk->bytes.length);
    }
    return launch->is_short ? no_memory(error) : OPPROF_OK;
}

/* ---- clock ---- */

static uint64_t digits_of(const WarpLaunch *launch, const char *fact)
{
    size_t length = 0;
    const char *value = DbiValueOf(&launch->info, launch->chip, fact, &length);
    uint64_t number = 0;

    for (size_t i = 0; value != NULL && i < length; i++) {
        if (value[i] < '0' || value[i] > '9' || i > 6) {
            return 0;
        }
        number = number * 10 + (uint64_t) (value[i] - '0');
    }
    return number;
}

static uint64_t rated_mhz(const WarpLaunch *launch)
{
    char soc[128] = "";
    size_t length = 0;
    const char *value = DbiValueOf(&launch->info, launch->chip, "soc", &length);
    OpprofChip *chip = NULL;
    double mhz = 0;

    if (strcmp(launch->chip, "auto") != 0) {
        snprintf(soc, sizeof soc, "%s", launch->chip);
    } else if (value != NULL) {
        snprintf(soc, sizeof soc, "%.*s", (int) length, value);
    }
    if (OpprofChipLoad(soc, &chip, NULL) == OPPROF_OK) {
        OpprofChipNumber(chip, "pmu.defaults.rated_freq", &mhz);
    }
    OpprofChipFree(chip);
    return mhz >= 1 && mhz < 1e7 ? (uint64_t) mhz : 0;
}

/* Cycles per second; 0: unknown. */
static uint64_t clock_of(const WarpLaunch *launch)
{
    uint64_t mhz = digits_of(launch, "current_freq");

    mhz = mhz == 0 ? digits_of(launch, "rated_freq") : mhz;
    return MHZ * (mhz == 0 ? rated_mhz(launch) : mhz);
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
    return OpprofStageIntern(launch->stage, text, strlen(text));
}

static const char *const kinds[] = { "veccore0", "veccore1", "cubecore0" };

static uint32_t track_of(const WarpLaunch *launch, const Warp *warp)
{
    char process[48];
    char thread[24];

    snprintf(process, sizeof process, "warp.core%u.%s", warp->core, kinds[warp->kind]);
    snprintf(thread, sizeof thread, "Warp %u", warp->number);
    const OpprofTrack track = {
        .document = OpprofStageString(launch->stage, launch->document),
        .process = process,
        .thread = thread,
        .process_sort = -1,
        .thread_sort = (int32_t) warp->number,
        .flags = OPPROF_TRACK_APART,
    };
    return OpprofStageTrack(launch->stage, &track);
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
    const OpprofStatus status = OpprofStageText(launch->stage, OUTPUT_SPANS, launch->document,
                                                (const char *) args, sizeof args, &span.args);
    return status == OPPROF_OK
               ? OpprofStageAppend(launch->stage, OUTPUT_SPANS, launch->document, &span)
               : status;
}

/* A warp runs once at a time, so the same times of the same warp come from a file that came twice. */
static void tell_repeats(const WarpLaunch *launch)
{
    uint64_t again = 0;

    for (size_t i = 1; i < launch->count; i++) {
        const Warp *warp = &launch->warps[i];
        again += by_core(warp, warp - 1) == 0 && warp->end == warp[-1].end;
    }
    if (again > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '" WARP_FILE "' repeats the times of %" PRIu64
                              " %s: the file came twice",
                              OpprofStageString(launch->stage, launch->partition), again,
                              OPPROF_PLURAL(again, "warp", "warps"));
    }
}

/* The first warp of each core begins at 0, since each core has its own counter. */
static OpprofStatus push_warps(WarpLaunch *launch)
{
    OpprofStatus status = OPPROF_OK;
    uint64_t origin = 0;

    qsort(launch->warps, launch->count, sizeof *launch->warps, by_core);
    tell_repeats(launch);
    for (size_t i = 0; status == OPPROF_OK && i < launch->count; i++) {
        const Warp *warp = &launch->warps[i];
        if (i == 0 || warp[-1].core != warp->core || warp[-1].kind != warp->kind) {
            origin = warp->start;
        }
        status = push_warp(launch, warp, origin);
    }
    return status;
}

static void tell(const WarpLaunch *launch)
{
    const char *place = OpprofStageString(launch->stage, launch->partition);

    if (launch->bad > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '" WARP_FILE "' at byte %" PRIu64
                              ": the head of a core's warps makes no sense; %" PRIu64
                              " such %s left out",
                              place, launch->first_bad * WARP_BLOCK_BYTES, launch->bad,
                              OPPROF_PLURAL(launch->bad, "core is", "cores are"));
    }
    if (launch->skipped > 0) {
        OpprofStageIncomplete(
            launch->stage,
            "Launch '%s': '" WARP_FILE "': %" PRIu64 " %s not drawn: no start, or an end before it",
            place, launch->skipped, OPPROF_PLURAL(launch->skipped, "warp is", "warps are"));
    }
}

static OpprofStatus draw(WarpLaunch *launch)
{
    const uint64_t hz = clock_of(launch);
    const OpprofClock clock = { .name = "core", .hz = hz };

    if (hz == 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': its warps are left out: neither 'op_basic_info.txt' "
                              "nor the chip file states the clock of its cores",
                              OpprofStageString(launch->stage, launch->partition));
        return OPPROF_OK;
    }
    const char *fault =
        launch->info.length == 0 ? "is missing or empty" : DbiTextFault(&launch->info);
    if (fault != NULL) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': 'op_basic_info.txt' %s: the clock of its warps may be "
                              "another than the %" PRIu64 " MHz that are used",
                              OpprofStageString(launch->stage, launch->partition), fault, hz / MHZ);
    }
    OpprofStageSetClock(launch->stage, OUTPUT_SPANS, OpprofStageClock(launch->stage, &clock));
    return push_warps(launch);
}

/* ---- launches ---- */

static void *create_launch(void *context, uint32_t partition)
{
    Timeline *self = context;
    WarpLaunch *launch = calloc(1, sizeof *launch);

    if (launch != NULL) {
        launch->stage = self->stage;
        launch->chip = self->chip;
        launch->partition = partition;
        launch->document = OpprofStageIntern(self->stage, "trace", 5);
        OpprofRawKeeperBegin(&launch->raw, self->stage, OUTPUT_RAW, partition);
    }
    return launch;
}

static bool set_document(WarpLaunch *launch, const OpprofOnboardChunk *chunk)
{
    char *path =
        OpprofLaunchPath(launch->stage, chunk->device, chunk->kernel, chunk->order, "trace");

    if (path != NULL) {
        launch->document = intern(launch, path);
    }
    free(path);
    return path != NULL;
}

static OpprofStatus feed_launch(void *context, void *item, const OpprofBatch *batch,
                                const void *record, OpprofError **error)
{
    const OpprofOnboardChunk *chunk = record;
    const Timeline *self = context;
    WarpLaunch *launch = item;

    if (chunk->offset == 0) {
        OpprofLaunchesTellFile(&self->launches, batch->partition, chunk->file, chunk->file_size);
    }
    if (chunk->file == OPPROF_NA_STRING) {
        return set_document(launch, chunk) ? OPPROF_END : no_memory(error);
    }
    return feed(launch, chunk, OpprofBatchText(batch, chunk->bytes), error);
}

static OpprofStatus end_launch(void *context, void *item, OpprofError **failure,
                               OpprofError **error)
{
    const Timeline *self = context;
    WarpLaunch *launch = item;

    (void) failure; /* unreadable parts are left out */
    end_file(launch);
    OpprofRawKeeperEnd(&launch->raw);
    tell(launch);
    OpprofStageCount(self->stage, "warps", launch->count);
    const OpprofStatus status = launch->count > 0 ? draw(launch) : OPPROF_OK;
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

static void free_launch(void *item)
{
    WarpLaunch *launch = item;

    free(launch->warps);
    free(launch);
}

static const OpprofLaunchOps launch_ops = {
    .create = create_launch,
    .feed = feed_launch,
    .end = end_launch,
    .free = free_launch,
};

/* ---- life ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Timeline *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    OpprofLaunchesInit(&self->launches, stage, &launch_ops, self);
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Timeline *self = context;

    (void) error;
    self->chip = OpprofParamsString(params, "chip");
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Timeline *self = context;

    OpprofLaunchesFinish(&self->launches);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "chunks",
      .type = "onboard.chunk",
      .record_type = &opprof_onboard_chunk_type,
      .summary = "Raw files of launches." },
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

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = OpprofLaunchesProcess,
    .flush = OpprofLaunchesFlush,
    .destroy = destroy,
};

static const char *const chip_sections[] = { "pmu", NULL };

OPPROF_PLUGIN_DEFINE(
        .name = "warp-timeline", .version = "1.0", .license = "Apache-2.0",
        .summary = "Draws the warps of SIMT code.",
        .help = "Reads WarpTimeline.bin: for each core its warps with start and end, in cycles. A "
                "core's first warp begins at 0, since each core has its own counter.",
        .kind = OPPROF_PARSER, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
        .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
        .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops, .chip_sections = chip_sections);
