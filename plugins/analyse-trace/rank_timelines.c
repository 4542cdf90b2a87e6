/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rank-timelines: passes timelines on, of many ranks only those of some. These are known when all
 * tables are made, so until then the timelines lie in a temporary file.
 * Tested by tests/plugins/analyse-trace/test_timelines.
 */
#include "analyse-trace/timelines/rank_choice.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/kept_batches.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/rank_file.h>
#include <stdlib.h>
#include <string.h>

/* Timelines come and go in this order; the inputs that follow say which of them go. */
enum {
    PORT_WORK,
    PORT_CLASSES,
    PORT_GAPS,
    PORT_PATH,
    PORT_ALL_PATH,
    PORT_THREADS,
    PORT_OVERLAP,
    PORT_BANDWIDTH,
    PORT_QUEUES,
    PORT_MEMORY,
    PORTS
};
enum { INPUT_FILES = PORTS, INPUT_TABLES };
enum { OUTPUT_RANKS = PORTS };

/* A batch that came before it was known how many files there are. */
typedef struct Waiting {
    const OpprofBatch *batch;
    uint32_t port;
} Waiting;

typedef struct RankTimelines {
    OpprofStage *stage;
    bool passes; /* all that comes, without waiting for tables */
    bool keeps;  /* until tables are made; before the first file is known it does neither */
    Waiting *waiting;
    size_t waiting_count;
    size_t waiting_capacity;
    OpprofKeptBatches kept;
    uint64_t most_kept; /* bytes */
    RankChoice choice;
} RankTimelines;

/* ---- ports ---- */

/* Only links say which spans are which. */
#define TIMELINE_IN(port, says)                                                                    \
    {                                                                                              \
        .name = (port), .type = OPPROF_ANY_RECORD, .flags = OPPROF_PORT_OPTIONAL,                  \
        .summary = (says)                                                                          \
    }
#define TIMELINE_OUT(port, kind, records, says)                                                    \
    {                                                                                              \
        .name = (port), .record_type = &opprof_##kind##_type, .batch_records = (records),          \
        .summary = (says)                                                                          \
    }

static const OpprofPort inputs[] = {
    [PORT_WORK] = TIMELINE_IN("work", "Work of the devices; a partition is a rank."),
    [PORT_CLASSES] = TIMELINE_IN("classes", "What the devices do."),
    [PORT_GAPS] = TIMELINE_IN("gaps", "Gaps in the work."),
    [PORT_PATH] = TIMELINE_IN("path", "Critical paths of ranks."),
    [PORT_ALL_PATH] = TIMELINE_IN("all-path", "The critical path through all ranks."),
    [PORT_THREADS] = TIMELINE_IN("threads", "Threads of the host."),
    [PORT_OVERLAP] = TIMELINE_IN("overlap", "Curves of communication that overlaps."),
    [PORT_BANDWIDTH] = TIMELINE_IN("bandwidth", "Curves of bandwidths."),
    [PORT_QUEUES] = TIMELINE_IN("queues", "Curves of queues' lengths."),
    [PORT_MEMORY] = TIMELINE_IN("memory", "Curves of the devices' memory."),
    [INPUT_FILES] = { .name = "files",
                      .type = "rank.file",
                      .record_type = &opprof_rank_file_type,
                      .flags = OPPROF_PORT_OPTIONAL,
                      .summary = "The file of each rank, before its spans." },
    [INPUT_TABLES] = { .name = "tables",
                       .type = OPPROF_ANY_TABLE,
                       .flags = OPPROF_PORT_OPTIONAL | OPPROF_PORT_MANY,
                       .summary = "All tables; the breakdown of ranks and advice count." },
};

static const OpprofPort outputs[] = {
    [PORT_WORK] = TIMELINE_OUT("work", span, 512, "Work of the devices."),
    [PORT_CLASSES] = TIMELINE_OUT("classes", span, 256, "What the devices do."),
    [PORT_GAPS] = TIMELINE_OUT("gaps", span, 256, "Gaps in the work."),
    [PORT_PATH] = TIMELINE_OUT("path", span, 256, "Critical paths of ranks."),
    [PORT_ALL_PATH] = TIMELINE_OUT("all-path", span, 256, "The critical path through all ranks."),
    [PORT_THREADS] = TIMELINE_OUT("threads", span, 512, "Threads of the host."),
    [PORT_OVERLAP] = TIMELINE_OUT("overlap", counter, 512, "Curves of overlap."),
    [PORT_BANDWIDTH] = TIMELINE_OUT("bandwidth", counter, 512, "Curves of bandwidths."),
    [PORT_QUEUES] = TIMELINE_OUT("queues", counter, 512, "Curves of queues' lengths."),
    [PORT_MEMORY] = TIMELINE_OUT("memory", counter, 512, "Curves of the devices' memory."),
    [OUTPUT_RANKS] = { .name = "ranks",
                       .record_type = &rank_choice_type,
                       .batch_records = 16,
                       .summary = "One row per rank with a timeline, where not all have one." },
};

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "choose timelines");
}

/* ---- passing on ---- */

/* A copy of the records from `first` on, as many as fit, and of all texts. */
static OpprofStatus pass_some(OpprofStage *stage, uint32_t port, const OpprofBatch *batch,
                              uint32_t *first)
{
    OpprofBatch *copy = OpprofStageNewBatch(stage, port);
    char *texts = copy == NULL ? NULL : OpprofBatchReserveText(copy, batch->blob_size);

    if (texts == NULL) {
        OpprofBatchUnref(copy);
        return OPPROF_E_MEMORY;
    }
    if (batch->blob_size > 0) {
        memcpy(texts, batch->blob, batch->blob_size);
    }
    OpprofBatchCommitText(copy, batch->blob_size);
    copy->count = batch->count - *first < copy->capacity ? batch->count - *first : copy->capacity;
    memcpy(copy->records, OpprofBatchRecord(batch, *first), copy->count * batch->type->size);
    *first += copy->count;
    copy->partition = batch->partition;
    copy->clock = batch->clock;
    copy->watermark = *first == batch->count ? batch->watermark : 0;
    return OpprofStagePush(stage, port, copy);
}

static OpprofStatus pass(RankTimelines *self, uint32_t port, const OpprofBatch *batch,
                         OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint32_t first = 0;

    while (status == OPPROF_OK && first < batch->count) {
        status = pass_some(self->stage, port, batch, &first);
    }
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

/* Passes a batch that was kept on, if its rank is chosen, or if all are. */
static OpprofStatus pass_kept(void *context, uint32_t port, const OpprofBatch *batch,
                              OpprofError **error)
{
    RankTimelines *self = context;

    return self->passes || RankChoiceHas(&self->choice, batch->partition)
               ? pass(self, port, batch, error)
               : OPPROF_OK;
}

static OpprofStatus hand_out(RankTimelines *self, OpprofError **error)
{
    const OpprofStatus status =
        OpprofKeptBatchesHandOut(&self->kept, self->stage, pass_kept, self, error);

    OpprofKeptBatchesFinish(&self->kept);
    return status;
}

/* ---- keeping ---- */

/* Puts a batch aside. A rank that has no room is not chosen. */
static OpprofStatus keep(RankTimelines *self, uint32_t port, const OpprofBatch *batch,
                         OpprofError **error)
{
    if (self->kept.spool.total < self->most_kept) {
        return OpprofKeptBatchesAdd(&self->kept, self->stage, port, batch, error);
    }
    return OpprofMapPut(&self->choice.lost, batch->partition, 0) ? OPPROF_OK : no_memory(error);
}

/* ---- input ---- */

static OpprofStatus take_timeline(RankTimelines *self, uint32_t port, const OpprofBatch *batch,
                                  OpprofError **error)
{
    const TimelineWish *wish = &self->choice.wish;

    if (self->passes) {
        return pass(self, port, batch, error);
    }
    if (wish->name_count > 0) {
        return TimelineWishHas(wish, OpprofStageString(self->stage, batch->partition))
                   ? pass(self, port, batch, error)
                   : OPPROF_OK;
    }
    return wish->most > 0 ? keep(self, port, batch, error) : OPPROF_OK;
}

/* Whether files come before it is decided what becomes of their timelines. */
static bool waits(const RankTimelines *self)
{
    return !self->passes && !self->keeps && self->choice.wish.name_count == 0;
}

/* Keep it as it is, so that all passes in the same order whatever comes first. */
static OpprofStatus wait_with(RankTimelines *self, uint32_t port, const OpprofBatch *batch,
                              OpprofError **error)
{
    if (!OpprofGrow(&self->waiting, &self->waiting_capacity, self->waiting_count + 1,
                    sizeof *self->waiting)) {
        return no_memory(error);
    }
    self->waiting[self->waiting_count++] = (Waiting){ OpprofBatchRef(batch), port };
    return OPPROF_OK;
}

static OpprofStatus end_waiting(RankTimelines *self, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < self->waiting_count; i++) {
        if (status == OPPROF_OK) {
            status = take_timeline(self, self->waiting[i].port, self->waiting[i].batch, error);
        }
        OpprofBatchUnref(self->waiting[i].batch);
    }
    self->waiting_count = 0;
    return status;
}

static OpprofStatus take_file(RankTimelines *self, const OpprofRankFile *file, OpprofError **error)
{
    if (!waits(self)) {
        return OPPROF_OK;
    }
    self->passes = file->files <= self->choice.wish.free_ranks;
    self->keeps = !self->passes;
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "%s timelines: files=%u",
              self->passes ? "Passed all" : "Kept", file->files);
    return end_waiting(self, error);
}

static OpprofStatus take_batch(RankTimelines *self, uint32_t port, const OpprofBatch *batch,
                               OpprofError **error)
{
    if (strcmp(batch->type->name, outputs[port].record_type->name) != 0) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Input '%s' takes '%s', not '%s'",
                              inputs[port].name, outputs[port].record_type->name,
                              batch->type->name);
    }
    return waits(self) ? wait_with(self, port, batch, error)
                       : take_timeline(self, port, batch, error);
}

/* Takes a row that the choice rests on, or any other. */
static OpprofStatus take_row(RankTimelines *self, const OpprofRecordType *type, const void *row,
                             OpprofError **error)
{
    if (strcmp(type->name, BREAKDOWN_TYPE) == 0 && type->size == sizeof(BreakdownRow)) {
        return RankChoiceTakeRank(&self->choice, row, error);
    }
    return type == &opprof_advice_type ? RankChoiceTakeAdvice(&self->choice, row, error)
                                       : OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    RankTimelines *self = context;
    OpprofStatus status = OPPROF_OK;

    if (port < PORTS) {
        return take_batch(self, port, batch, error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const void *record = OpprofBatchRecord(batch, i);

        status = port == INPUT_FILES ? take_file(self, record, error)
                                     : take_row(self, batch->type, record, error);
    }
    return status;
}

/* ---- end ---- */

/* Whether all ranks may have timelines, since some files were none. */
static bool are_few(const RankChoice *choice)
{
    return choice->wish.name_count == 0 && choice->rank_count <= choice->wish.free_ranks &&
           choice->lost.count == 0;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    RankTimelines *self = context;
    OpprofStatus status = OPPROF_OK;

    if (self->passes) {
        return OPPROF_OK;
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage),
              "Kept timelines: ranks=%u, bytes=%" PRIu64, self->choice.rank_count,
              self->kept.spool.total);
    self->keeps = true; /* no file came: only curves can wait */
    status = end_waiting(self, error);
    if (status != OPPROF_OK) {
        return status;
    }
    self->passes = are_few(&self->choice);
    if (!self->passes) {
        status = RankChoiceMake(&self->choice, error);
        status = status == OPPROF_OK ? RankChoicePut(&self->choice, OUTPUT_RANKS) : status;
    }
    return status == OPPROF_OK ? hand_out(self, error) : status;
}

/* ---- module ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    RankTimelines *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = self->choice.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    RankTimelines *self = context;
    const OpprofStatus status = TimelineWishRead(params, &self->choice.wish, error);

    self->passes = self->choice.wish.free_ranks == UINT32_MAX;
    self->most_kept = (uint64_t) OpprofParamsInt(params, "most_kept");
    return status;
}

/* Without the files of ranks it is not known how many there are: only who asks gets fewer. */
static OpprofStatus start(void *context, OpprofError **error)
{
    RankTimelines *self = context;
    const bool has_files = OpprofStageHasWriter(self->stage, INPUT_FILES);

    (void) error;
    self->keeps = !has_files && OpprofParamsIsSet(self->choice.wish.params, TIMELINES_PARAM);
    self->passes |= !has_files && !self->keeps;
    return OPPROF_OK;
}

static void destroy(void *context)
{
    RankTimelines *self = context;

    for (size_t i = 0; i < self->waiting_count; i++) {
        OpprofBatchUnref(self->waiting[i].batch);
    }
    free(self->waiting);
    OpprofKeptBatchesFinish(&self->kept);
    RankChoiceFinish(&self->choice);
    free(self);
}

static const OpprofParam params[] = {
    { .name = TIMELINES_PARAM,
      .type = OPPROF_PARAM_LIST,
      .summary = "Ranks that get timelines: all, a number, or names separated by commas ('rank3' "
                 "for one alone); unset: all of up to 64, and 8 of more." },
    { .name = "most_kept",
      .type = OPPROF_PARAM_SIZE,
      .default_value = "8GiB",
      .summary = "Timelines in a temporary file until they are chosen; ranks that come after so "
                 "much are not chosen." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "rank-timelines", .version = "1.0", .license = "Apache-2.0",
        .summary = "Passes on the timelines of all ranks, or of some of many.",
        .help = "Of many ranks it passes on the slowest, the median and the fastest, those that "
                "advice is about, and further ones from both ends and the middle.",
        .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
