/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives the batches of recordings. What a file lacks, the run lacks: it is incomplete then.
 * Tested by tests/e2e/record_replay.sh.
 */
#include "recording/replay.h"
#include "recording/readers.h"
#include "base/files.h"
#include "run/nodes.h"

#include "base/write_file.h"
#include "recording/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The run's numbers of things, by the file's. */
typedef struct Numbers {
    uint32_t *numbers;
    size_t capacity;
    uint32_t count;
} Numbers;

/* Batches of one type. */
typedef struct Pool {
    const OpprofRecordType *type;
    OpprofBatchPool *pool;
    uint32_t capacity;
} Pool;

typedef struct Replay {
    OpprofStage *stage;
    uint32_t source;    /* in hand */
    const char *path;   /* of it */
    Recording **opened; /* those whose types batches have; the last one is in hand */
    size_t opened_count;
    size_t opened_capacity;
    Recording *recording;
    bool has_types;   /* batches of it have types of its own */
    uint64_t unknown; /* pieces of those before it */
    Numbers strings, tracks, clocks;
    Pool *pools;
    size_t pool_count;
    size_t pool_capacity;
} Replay;

static OpprofStatus replay_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Replay), ret_self, error);
}

OpprofStatus ReplayOpen(const char *path, uint64_t from, Recording **ret_recording,
                        OpprofError **error)
{
    /* the open of a pipe would wait for its writer */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat info;
    FILE *file;

    if (fd >= 0 && fstat(fd, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISDIR(info.st_mode))) {
        close(fd);
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': it is a %s", path,
                              S_ISDIR(info.st_mode) ? "directory" : "pipe");
    }
    if (fd >= 0) {
        WriteFileHold(fd);
    }
    file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (file == NULL) {
        const OpprofStatus status =
            OpprofErrorSet(error, errno == ENOENT ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                           "Cannot read '%s': %s", path, strerror(errno));

        CloseOpened(fd);
        return status;
    }
    return RecordingOpen(file, path, from, ret_recording, error);
}

static const PipelineReplay *replay_of(const OpprofStage *stage)
{
    const uint32_t number = (uint32_t) strtoul(stage->node->id + sizeof REPLAY_ID - 1, NULL, 10);

    return &stage->node->run->pipeline->replays[number - 1];
}

/* The next recording of the link; the numbers of its strings, tracks and clocks begin again. */
static OpprofStatus open_source(Replay *replay, OpprofError **error)
{
    const ReplaySource *source = &replay_of(replay->stage)->sources[replay->source];
    OpprofStatus status;

    if (!OpprofGrow(&replay->opened, &replay->opened_capacity, replay->opened_count + 1,
                    sizeof *replay->opened)) {
        return OpprofErrorNoMemory(error, "replay '%s'", source->file);
    }
    replay->path = source->file;
    replay->has_types = replay->opened_count == 0;
    replay->strings.count = replay->tracks.count = replay->clocks.count = 0;
    status = ReplayOpen(source->file, source->from, &replay->recording, error);
    if (status == OPPROF_OK) {
        replay->opened[replay->opened_count++] = replay->recording;
    }
    return status;
}

static OpprofStatus replay_configure(void *self, const OpprofParams *params, OpprofError **error)
{
    Replay *replay = self;
    OpprofStatus status;

    (void) params;
    status = open_source(replay, error);
    return status == OPPROF_OK
               ? OpprofStageSetOutputType(replay->stage, 0, RecordingAbout(replay->recording)->type,
                                          error)
               : status;
}

/* ---- numbers ---- */

static bool has_room(Numbers *numbers, uint32_t count)
{
    return OpprofGrow(&numbers->numbers, &numbers->capacity, (size_t) count + 1, sizeof(uint32_t));
}

/* Numbers of the run for all that has come into the file's tables since. */
static OpprofStatus take_names(Replay *replay, OpprofError **error)
{
    const Recording *recording = replay->recording;
    const RecordingCounts counts = RecordingCountNames(recording);
    bool good = has_room(&replay->strings, counts.strings) &&
                has_room(&replay->tracks, counts.tracks) &&
                has_room(&replay->clocks, counts.clocks);

    while (good && replay->strings.count < counts.strings) {
        size_t length;
        const char *text = RecordingString(recording, ++replay->strings.count, &length);
        const uint32_t id = OpprofStageIntern(replay->stage, text, length);

        replay->strings.numbers[replay->strings.count] = id;
        good = id != OPPROF_NA_STRING;
    }
    while (good && replay->tracks.count < counts.tracks) {
        const OpprofTrack *track = RecordingTrack(recording, ++replay->tracks.count);
        const uint32_t id = OpprofStageTrack(replay->stage, track);

        replay->tracks.numbers[replay->tracks.count] = id;
        good = id != OPPROF_NA_U32;
    }
    while (good && replay->clocks.count < counts.clocks) {
        const OpprofClock *clock = RecordingClock(recording, ++replay->clocks.count);
        const uint32_t id = OpprofStageClock(replay->stage, clock);

        replay->clocks.numbers[replay->clocks.count] = id;
        good = id != 0;
    }
    return good ? OPPROF_OK : OpprofErrorNoMemory(error, "replay '%s'", replay->path);
}

static uint32_t string_of(void *context, uint32_t id)
{
    return ((const Replay *) context)->strings.numbers[id];
}

static uint32_t track_of(void *context, uint32_t id)
{
    return ((const Replay *) context)->tracks.numbers[id];
}

/* ---- batches ---- */

static Pool *find_pool(Replay *replay, const OpprofRecordType *type)
{
    for (size_t i = 0; i < replay->pool_count; i++) {
        if (replay->pools[i].type == type) {
            return &replay->pools[i];
        }
    }
    if (!OpprofGrow(&replay->pools, &replay->pool_capacity, replay->pool_count + 1, sizeof(Pool))) {
        return NULL;
    }
    replay->pools[replay->pool_count] = (Pool){ .type = type };
    return &replay->pools[replay->pool_count++];
}

/* An empty batch with room for `count` records; NULL: no memory. */
static OpprofBatch *new_batch(Replay *replay, const OpprofRecordType *type, uint32_t count)
{
    Pool *pool = find_pool(replay, type);

    if (pool != NULL && pool->capacity < count) {
        OpprofBatchPoolDestroy(pool->pool);
        pool->pool = OpprofBatchPoolCreate(type, count, 0);
        pool->capacity = pool->pool == NULL ? 0 : count;
    }
    return pool == NULL || pool->pool == NULL ? NULL : OpprofBatchPoolTake(pool->pool);
}

/* Recordings of one link describe its type once each; readers know the first one. */
static const OpprofRecordType *type_of(Replay *replay, const OpprofRecordType *type)
{
    if (type == RecordingAbout(replay->recording)->type) {
        return RecordingAbout(replay->opened[0])->type;
    }
    replay->has_types = true;
    return type;
}

static OpprofStatus push_batch(Replay *replay, const RecordingBatch *from, OpprofError **error)
{
    const RecordingIds ids = { string_of, track_of, replay };
    OpprofBatch *batch = new_batch(replay, type_of(replay, from->type), from->count);
    char *blob = batch == NULL ? NULL : OpprofBatchReserveText(batch, from->blob_size);

    if (blob == NULL) {
        OpprofBatchUnref(batch);
        return OpprofErrorNoMemory(error, "replay '%s'", replay->path);
    }
    memcpy(blob, from->blob, from->blob_size);
    OpprofBatchCommitText(batch, from->blob_size);
    memcpy(batch->records, from->records, (size_t) from->count * from->type->size);
    batch->count = from->count;
    RecordingMapRecords(from->type, batch->records, from->count,
                        &(RecordingBlobs){ from->blob, blob, from->blob_size }, &ids);
    batch->partition = from->partition == 0 ? 0 : replay->strings.numbers[from->partition];
    batch->clock = from->clock == 0 ? 0 : replay->clocks.numbers[from->clock];
    batch->watermark = from->watermark;
    return OpprofStagePush(replay->stage, 0, batch);
}

/* The recorded run was not complete, or had not come to its end: a line per reason. */
static void report_incomplete(Replay *replay)
{
    const char *reasons = "";
    const uint32_t end = RecordingHowEnded(replay->recording, &reasons);

    if (end > OPPROF_DATA_STREAM_COMPLETE && reasons[0] == '\0') {
        reasons = end == OPPROF_DATA_STREAM_CUT ? "it was cut short" : "a stage failed";
    }
    while (*reasons != '\0') {
        const size_t length = strcspn(reasons, "\n");

        OpprofStageIncomplete(replay->stage, "The run recorded in '%s' was not complete: %.*s",
                              replay->path, (int) length, reasons);
        reasons += length + (reasons[length] == '\n' ? 1 : 0);
    }
}

/* The recording in hand has come to its end: go on with the next one. */
static OpprofStatus end_source(Replay *replay)
{
    const PipelineReplay *of = replay_of(replay->stage);
    OpprofError *why = NULL;

    replay->unknown += RecordingUnknown(replay->recording);
    if (!replay->has_types) {
        RecordingDestroy(replay->opened[--replay->opened_count]);
    }
    while (++replay->source < of->source_count && open_source(replay, &why) != OPPROF_OK) {
        OpprofStageIncomplete(replay->stage, "%s", OpprofErrorLine(why));
        OpprofErrorDestroy(why);
        why = NULL;
    }
    return replay->source < of->source_count ? OPPROF_OK : OPPROF_END;
}

static void report_progress(const Replay *replay)
{
    const PipelineReplay *of = replay_of(replay->stage);
    const ReplaySource *source = &of->sources[replay->source];
    const ReplaySource *last = &of->sources[of->source_count - 1];
    uint64_t unused;

    OpprofStageProgress(replay->stage,
                        source->before + RecordingPlace(replay->recording, &unused) - source->from,
                        last->before + last->end - last->from, "bytes");
}

static OpprofStatus replay_process(void *self, uint32_t port, const OpprofBatch *ignored,
                                   OpprofError **error)
{
    Replay *replay = self;
    RecordingBatch batch;
    OpprofError *why = NULL;
    OpprofStatus status = RecordingNext(replay->recording, &batch, &why);

    (void) port;
    (void) ignored;
    report_progress(replay);
    if (status == OPPROF_E_DATA) {
        OpprofStageIncomplete(replay->stage, "%s", OpprofErrorLine(why));
        OpprofErrorDestroy(why);
        return end_source(replay);
    }
    if (status == OPPROF_END) {
        report_incomplete(replay);
        return end_source(replay);
    }
    if (status != OPPROF_OK) {
        *error = why;
        return status;
    }
    status = take_names(replay, error);
    return status == OPPROF_OK ? push_batch(replay, &batch, error) : status;
}

static OpprofStatus replay_flush(void *self, OpprofError **error)
{
    Replay *replay = self;

    (void) error;
    if (replay->unknown > 0) {
        OpprofStageCount(replay->stage, "skipped pieces of a newer version", replay->unknown);
    }
    return OPPROF_OK;
}

static void replay_destroy(void *self)
{
    Replay *replay = self;

    for (size_t i = 0; i < replay->pool_count; i++) {
        OpprofBatchPoolDestroy(replay->pools[i].pool);
    }
    free(replay->pools);
    free(replay->strings.numbers);
    free(replay->tracks.numbers);
    free(replay->clocks.numbers);
    for (size_t i = 0; i < replay->opened_count; i++) {
        RecordingDestroy(replay->opened[i]);
    }
    free(replay->opened);
    free(replay);
}

static const OpprofPort replay_outputs[] = {
    { .name = "records", .summary = "What was recorded." },
};

static const OpprofParam replay_params[] = {
    { .name = "file",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Recording to read, the first one." },
};

static const OpprofPluginOps replay_ops = {
    .struct_size = sizeof replay_ops,
    .create = replay_create,
    .configure = replay_configure,
    .process = replay_process,
    .flush = replay_flush,
    .destroy = replay_destroy,
};

const OpprofPlugin replay_plugin = {
    OWN_PLUGIN,
    .name = "replay",
    .summary = "Gives the batches of recordings.",
    .kind = OPPROF_COLLECTOR,
    .outputs = replay_outputs,
    .output_count = OPPROF_COUNT(replay_outputs),
    .params = replay_params,
    .param_count = OPPROF_COUNT(replay_params),
    .ops = &replay_ops,
};
