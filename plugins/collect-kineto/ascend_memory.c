/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ascend-memory: what an Ascend profiler noted of the device's memory (memory_record), as curves
 * on the timelines of the ranks. An input without any costs nothing.
 * Tested by tests/plugins/collect-kineto/test_ascend_tables.sh.
 */
#include "collect-kineto/tables/folder_ranks.h"
#include "collect-kineto/tables/table_file.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <opprof/stage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_A_BATCH 256u
#define NS_A_SECOND 1000000000u
#define FAR_NS (INT64_C(7) * 86400 * NS_A_SECOND) /* from the trace: of another clock */
#define VALUES 3u

/* Fields of a row, after that of the rank; see memory_record_kind. */
enum { FIELD_COMPONENT = 1, FIELD_TIME, FIELD_VALUES, FIELD_DEVICE = FIELD_VALUES + VALUES };

typedef struct Sample {
    int64_t ns;
    uint64_t order; /* in the file */
    double value;
    uint32_t name;
    uint32_t series;
} Sample;

typedef struct AscendMemory {
    OpprofStage *stage;
    const char *input;
    FolderRanks ranks;
    Sample *samples; /* of the file that is read */
    size_t count;
    size_t room;
    uint32_t series[VALUES];
    int64_t epoch_ns; /* of runs without a trace; 0: no sample yet */
    TableFile file;
} AscendMemory;

static OpprofStatus no_memory(const AscendMemory *self, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read the memory records of '%s'", self->input);
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    AscendMemory *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "read memory records");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    AscendMemory *self = context;

    (void) error;
    self->input = OpprofParamsString(params, "input");
    return OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    AscendMemory *self = context;

    (void) port;
    return FolderRanksTake(&self->ranks, batch) ? OPPROF_OK : no_memory(self, error);
}

/* ---- reading ---- */

static uint32_t intern(const AscendMemory *self, const char *text)
{
    return OpprofStageIntern(self->stage, text, strlen(text));
}

static const char *word_at(const AscendMemory *self, const char *row, unsigned field)
{
    uint32_t id;

    memcpy(&id, row + (size_t) field * TABLE_CELL, sizeof id);
    return id == OPPROF_NA_STRING ? "" : OpprofStageString(self->stage, id);
}

/* Takes the values of a row; one without a time has none. False without memory. */
static bool take_row(AscendMemory *self, const char *row)
{
    char name[128];
    int64_t ns;

    memcpy(&ns, row + FIELD_TIME * TABLE_CELL, sizeof ns);
    if (ns == OPPROF_NA_I64) {
        return true;
    }
    snprintf(name, sizeof name, "%s %s", word_at(self, row, FIELD_COMPONENT),
             word_at(self, row, FIELD_DEVICE));
    for (unsigned i = 0; i < VALUES; i++) {
        Sample sample = { .ns = ns, .order = self->count, .series = self->series[i] };

        memcpy(&sample.value, row + (FIELD_VALUES + i) * TABLE_CELL, sizeof sample.value);
        if (OpprofIsNaF64(sample.value)) {
            continue;
        }
        sample.name = intern(self, name);
        if (sample.name == OPPROF_NA_STRING ||
            !OpprofGrow(&self->samples, &self->room, self->count + 1, sizeof sample)) {
            return false;
        }
        self->samples[self->count++] = sample;
    }
    return true;
}

static OpprofStatus take_rows(AscendMemory *self, OpprofBatchPool *pool, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK) {
        OpprofBatch *batch = OpprofBatchPoolTake(pool);

        if (batch == NULL) {
            return no_memory(self, error);
        }
        status = TableFileFill(&self->file, self->stage, batch, error);
        for (uint32_t i = 0; i < batch->count && status != OPPROF_E_MEMORY; i++) {
            if (!take_row(self, OpprofBatchRecord(batch, i))) {
                status = no_memory(self, error);
            }
        }
        OpprofBatchUnref(batch);
    }
    return status == OPPROF_END ? OPPROF_OK : status;
}

/* Reads a file into samples, and reports what was lost. */
static OpprofStatus read_file(AscendMemory *self, const char *path, OpprofError **error)
{
    TableType table = { .kind = &memory_record_kind };
    OpprofBatchPool *pool = NULL;
    OpprofStatus status = TableFileOpen(&self->file, &table, path, error);

    if (status == OPPROF_OK) {
        pool = TableTypeMake(&table) ? OpprofBatchPoolCreate(&table.type, ROWS_A_BATCH, 0) : NULL;
        status = pool == NULL ? no_memory(self, error) : take_rows(self, pool, error);
        TableFileReport(&self->file, self->stage);
        TableFileClose(&self->file);
    }
    OpprofBatchPoolDestroy(pool);
    TableTypeFinish(&table);
    return status;
}

static int compare_samples(const void *a, const void *b)
{
    const Sample *left = a;
    const Sample *right = b;

    return left->ns != right->ns ? (left->ns < right->ns ? -1 : 1)
                                 : (left->order > right->order) - (left->order < right->order);
}

/* ---- curves ---- */

/* A clock that begins with the first sample, on the axis of the traces. 0 without memory. */
static uint32_t make_clock(AscendMemory *self, const Seat *seat)
{
    OpprofClock clock = { .name = "trace", .hz = NS_A_SECOND };
    const OpprofClock *other = NULL;
    int64_t distance;

    if (self->ranks.seat_count > 0) {
        other = OpprofStageClockInfo(self->stage, (seat == NULL ? self->ranks.seats : seat)->clock);
    }
    if (self->epoch_ns == 0) {
        self->epoch_ns =
            other == NULL || other->epoch_ns == 0 ? self->samples[0].ns : other->epoch_ns;
    }
    clock.epoch_ns = self->epoch_ns;
    if (__builtin_sub_overflow(self->samples[0].ns, self->epoch_ns, &distance) ||
        distance > FAR_NS || distance < -FAR_NS) {
        OpprofStageIncomplete(self->stage,
                              "Memory record '%s' begins over seven days away from the traces: its "
                              "curves begin with them",
                              self->file.path);
        distance = 0;
    }
    clock.offset_ps = distance * 1000;
    return OpprofStageClock(self->stage, &clock);
}

static uint32_t make_track(const AscendMemory *self, const char *rank, bool is_alone, size_t place)
{
    char document[160] = "trace";
    char process[160];

    if (!is_alone) {
        snprintf(document, sizeof document, "rank%s/trace", rank);
    }
    snprintf(process, sizeof process, "rank %s memory", rank);
    return OpprofStageTrack(self->stage, &(OpprofTrack){ .document = document,
                                                         .process = process,
                                                         .process_sort = (int32_t) place });
}

/* Pushes the samples of a rank. */
static OpprofStatus push_samples(AscendMemory *self, OpprofOpenBatch *open, uint32_t track)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < self->count; i++) {
        const Sample *sample = &self->samples[i];
        const uint64_t time = (uint64_t) sample->ns - (uint64_t) self->samples[0].ns;

        if ((status = OpprofOpenBatchRoom(open)) == OPPROF_OK) {
            *(OpprofCounter *) OpprofBatchAppend(open->batch) =
                (OpprofCounter){ .time = time,
                                 .value = sample->value,
                                 .track = track,
                                 .name = sample->name,
                                 .series = sample->series };
        }
    }
    return status == OPPROF_OK ? OpprofOpenBatchPush(open) : status;
}

/* Whether the rank of a directory is the only one of the run. */
static bool is_alone(const AscendMemory *self, const AscendFolders *folders)
{
    const FolderRanks *ranks = &self->ranks;

    return ranks->seat_count == 0 ? folders->count == 1
                                  : ranks->seat_count == 1 && ranks->seats[0].file.files == 1;
}

static OpprofStatus draw(AscendMemory *self, const AscendFolders *folders, size_t folder,
                         OpprofError **error)
{
    const FolderRank *rank = &self->ranks.of[folder];
    OpprofOpenBatch open = { .stage = self->stage, .partition = rank->name };
    OpprofStatus status;

    qsort(self->samples, self->count, sizeof *self->samples, compare_samples);
    open.clock = make_clock(self, rank->seat);
    const uint32_t track = make_track(self, OpprofStageString(self->stage, rank->name),
                                      is_alone(self, folders), folder);
    if (open.clock == 0 || track == OPPROF_NA_U32) {
        return no_memory(self, error);
    }
    status = push_samples(self, &open, track);
    OpprofOpenBatchDrop(&open);
    return status == OPPROF_E_MEMORY ? no_memory(self, error) : status;
}

static OpprofStatus draw_all(AscendMemory *self, const AscendFolders *folders, OpprofError **error)
{
    OpprofStatus status =
        FolderRanksName(&self->ranks, self->stage, folders) ? OPPROF_OK : no_memory(self, error);

    for (size_t i = 0; status == OPPROF_OK && i < folders->file_count; i++) {
        const AscendFile *file = &folders->files[i];

        if (!AscendFits(memory_record_kind.file, file->name)) {
            continue;
        }
        self->count = 0;
        status = read_file(self, file->path, error);
        self->file.path = file->path; /* for what is said of its times */
        if (status == OPPROF_OK && self->count > 0) {
            status = draw(self, folders, file->folder, error);
        }
        OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(self->stage), "Read: path=%s, samples=%zu",
                  file->path, self->count);
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    static const char *const series[VALUES] = { "allocated(MB)", "reserved(MB)", "active(MB)" };
    AscendMemory *self = context;
    AscendFolders folders;
    OpprofStatus status = AscendFoldersFind(self->input, &folders, error);

    for (unsigned i = 0; i < VALUES; i++) {
        self->series[i] = intern(self, series[i]);
    }
    if (status == OPPROF_OK) {
        status = draw_all(self, &folders, error);
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage),
                  "Curves of memory: folders=%zu, ranks with traces=%zu", folders.count,
                  self->ranks.seat_count);
    }
    AscendFoldersFinish(&folders);
    return status;
}

static void destroy(void *context)
{
    AscendMemory *self = context;

    FolderRanksFinish(&self->ranks);
    free(self->samples);
    free(self);
}

/* ---- module ---- */

static const OpprofPort inputs[] = {
    { .name = "files",
      .type = "rank.file",
      .record_type = &opprof_rank_file_type,
      .flags = OPPROF_PORT_OPTIONAL,
      .summary = "Ranks that have a trace, and its clock." },
};

static const OpprofPort outputs[] = {
    { .name = "curves",
      .record_type = &opprof_counter_type,
      .batch_records = 512,
      .summary = "Memory by component and device." },
};

static const OpprofParam params[] = {
    { .name = "input",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Directory of an Ascend profiler, or one with those of several ranks." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "ascend-memory", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Shows an Ascend profiler's records of memory as curves.",
                     .help = "Reads memory_record (CSV) in ASCEND_PROFILER_OUTPUT. An input "
                             "without it gives no curves.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
