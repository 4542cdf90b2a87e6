/* SPDX-License-Identifier: Apache-2.0 */
/* Records one after the other: the open batch of each output port. Tested by
 * tests/core/run/test_append.c. */
#include "run/stage_run.h"

#include <opprof/present.h>

#include <math.h>
#include <string.h>

#define MOST_TEXT_BYTES (1u << 20) /* long texts must not make batches grow without limit */

#define REQUIRE_OPEN(open)                                                                         \
    OPPROF_REQUIRE("open-batch-given", (open) != NULL, "The open batch is given")

/* Records appended in stop would stay in the open batch for ever. */
#define REQUIRE_APPEND(stage, port)                                                                \
    do {                                                                                           \
        REQUIRE_PORT(stage, port);                                                                 \
        OPPROF_REQUIRE("stage-append-phase", StageMayPush(stage),                                  \
                       "Records are appended in process and flush only");                          \
    } while (0)

OpprofStatus OpprofOpenBatchPush(OpprofOpenBatch *open)
{
    REQUIRE_OPEN(open);

    OpprofBatch *batch = open->batch;

    if (batch == NULL) {
        return OPPROF_OK;
    }
    open->batch = NULL;
    batch->watermark = open->watermark;
    return OpprofStagePush(open->stage, open->port, batch);
}

static bool is_full(const OpprofOpenBatch *open)
{
    const uint32_t most = open->most_text != 0 ? open->most_text : MOST_TEXT_BYTES;

    return open->batch != NULL &&
           (open->batch->count == open->batch->capacity || open->batch->blob_size >= most);
}

static OpprofBatch *take_batch(OpprofOpenBatch *open)
{
    return open->pool != NULL ? OpprofBatchPoolTake(open->pool)
                              : OpprofStageNewBatch(open->stage, open->port);
}

OpprofStatus OpprofOpenBatchRoom(OpprofOpenBatch *open)
{
    REQUIRE_OPEN(open);

    OpprofStatus status = is_full(open) ? OpprofOpenBatchPush(open) : OPPROF_OK;

    if (status == OPPROF_OK && open->batch == NULL) {
        open->batch = take_batch(open);
        if (open->batch == NULL) {
            return OPPROF_E_MEMORY;
        }
        open->batch->partition = open->partition;
        open->batch->clock = open->clock;
    }
    return status;
}

void OpprofOpenBatchDrop(OpprofOpenBatch *open)
{
    if (open != NULL) {
        OpprofBatchUnref(open->batch);
        open->batch = NULL;
    }
}

/* The open batch, with room for one more record of the partition. */
static OpprofStatus make_room(OpprofStage *stage, uint32_t port, uint32_t partition,
                              OpprofBatch **ret_batch)
{
    PortBatch *kept = &stage->open[port];
    OpprofOpenBatch *open = &kept->open;
    OpprofStatus status = OPPROF_OK;

    if (!kept->has_text) {
        if (open->partition != partition) {
            status = OpprofOpenBatchPush(open);
        }
        open->stage = stage;
        open->port = port;
        open->partition = partition;
        status = status == OPPROF_OK ? OpprofOpenBatchRoom(open) : status;
    }
    *ret_batch = open->batch;
    return status;
}

OpprofStatus OpprofStageAppend(OpprofStage *stage, uint32_t port, uint32_t partition,
                               const void *record)
{
    OpprofBatch *batch;
    OpprofStatus status;

    REQUIRE_APPEND(stage, port);
    OPPROF_REQUIRE("stage-record-given", record != NULL, "The record is given");
    status = make_room(stage, port, partition, &batch);
    if (status == OPPROF_OK) {
        memcpy(OpprofBatchAppend(batch), record, batch->type->size);
        stage->open[port].has_text = false;
    }
    return status;
}

OpprofStatus OpprofStageRoom(OpprofStage *stage, uint32_t port, uint32_t partition,
                             void **ret_record)
{
    OPPROF_REQUIRE("stage-result-given", ret_record != NULL, "The result pointer is given");

    OpprofBatch *batch;
    OpprofStatus status;

    REQUIRE_APPEND(stage, port);
    status = make_room(stage, port, partition, &batch);
    *ret_record = NULL;
    if (status == OPPROF_OK) {
        *ret_record = memset(OpprofBatchAppend(batch), 0, batch->type->size);
        stage->open[port].has_text = false;
    }
    return status;
}

OpprofStatus OpprofStageText(OpprofStage *stage, uint32_t port, uint32_t partition,
                             const char *text, size_t length, OpprofText *ret_text)
{
    OPPROF_REQUIRE("stage-result-given", ret_text != NULL, "The result pointer is given");

    OpprofBatch *batch;
    OpprofStatus status;

    REQUIRE_APPEND(stage, port);
    OPPROF_REQUIRE("stage-text-given", text != NULL || length == 0,
                   "A text is NULL only if its length is 0");
    status = make_room(stage, port, partition, &batch);
    *ret_text = (OpprofText){ OPPROF_NA_U32, 0 };
    if (status == OPPROF_OK) {
        status = OpprofBatchAppendText(batch, text, length, ret_text);
        stage->open[port].has_text = status == OPPROF_OK;
    }
    return status;
}

static uint32_t intern(OpprofStage *stage, const char *text)
{
    return text == NULL || text[0] == '\0' ? OPPROF_NA_STRING
                                           : OpprofStageIntern(stage, text, strlen(text));
}

static double amount(double value)
{
    return isfinite(value) && value > 0 ? value : OpprofNaF64();
}

/* In percent. */
static double gain_of(const OpprofAdviceText *advice)
{
    const double gain = advice->gain > 0 || !(advice->gain_us > 0 && advice->whole_us > 0)
                            ? advice->gain
                            : 100 * advice->gain_us / advice->whole_us;

    return gain > 0 ? fmin(gain, 100) : OpprofNaF64();
}

/* The members that are no texts of the batch. */
static OpprofAdvice advice_record(OpprofStage *stage, const OpprofAdviceText *advice)
{
    static const char *const severities[] = { "note", "hint", "problem" };
    const bool has_value = advice->column != NULL && advice->column[0] != '\0';
    const bool has_track = advice->track != NULL && advice->track[0] != '\0';

    return (OpprofAdvice){
        .severity = intern(stage, severities[advice->severity]),
        .topic = intern(stage, advice->topic),
        .subject = intern(stage, advice->subject),
        .file = intern(stage, advice->file),
        .column = intern(stage, advice->column),
        .unit = intern(stage, advice->unit),
        .numbers = { OPPROF_NA_U32, 0 },
        .value = has_value && isfinite(advice->value) ? advice->value : OpprofNaF64(),
        .gain = gain_of(advice),
        .rule = intern(stage, advice->rule),
        .from_table = intern(stage, advice->from_table),
        .track = intern(stage, advice->track),
        .todo = { OPPROF_NA_U32, 0 },
        .gain_us = amount(advice->gain_us),
        .whole_us = amount(advice->whole_us),
        .start_us = has_track && isfinite(advice->start_us) ? advice->start_us : OpprofNaF64(),
    };
}

/* A text that is absent where it is empty. */
static OpprofStatus put_text(OpprofStage *stage, uint32_t port, uint32_t partition,
                             const char *text, OpprofText *ret_text)
{
    return text == NULL || text[0] == '\0'
               ? OPPROF_OK
               : OpprofStageText(stage, port, partition, text, strlen(text), ret_text);
}

OpprofStatus OpprofStageAdvise(OpprofStage *stage, uint32_t port, uint32_t partition,
                               const OpprofAdviceText *advice)
{
    OpprofAdvice record;

    OPPROF_REQUIRE("stage-advice-given",
                   advice != NULL && advice->topic != NULL && advice->sentence != NULL,
                   "Advice has a topic and a sentence");
    OPPROF_REQUIRE("stage-advice-severity", advice->severity <= OPPROF_SEVERITY_PROBLEM,
                   "The severity is one of OpprofSeverity");
    record = advice_record(stage, advice);
    OpprofStatus status = OpprofStageText(stage, port, partition, advice->sentence,
                                          strlen(advice->sentence), &record.sentence);
    if (status == OPPROF_OK) {
        status = put_text(stage, port, partition, advice->numbers, &record.numbers);
    }
    if (status == OPPROF_OK) {
        status = put_text(stage, port, partition, advice->todo, &record.todo);
    }
    return status == OPPROF_OK ? OpprofStageAppend(stage, port, partition, &record) : status;
}

void OpprofStageSetClock(OpprofStage *stage, uint32_t port, uint32_t clock)
{
    REQUIRE_PORT(stage, port);
    stage->open[port].open.clock = clock;
}

static OpprofStatus push(PortBatch *kept, uint64_t watermark)
{
    kept->has_text = false;
    kept->open.watermark = watermark;
    const OpprofStatus status = OpprofOpenBatchPush(&kept->open);
    kept->open.watermark = 0;
    return status;
}

OpprofStatus OpprofStagePushOpen(OpprofStage *stage, uint32_t port, uint64_t watermark)
{
    REQUIRE_PORT(stage, port);
    return push(&stage->open[port], watermark);
}

OpprofStatus AppendPushAll(OpprofStage *stage)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t port = 0; port < STAGE_MAX_PORTS && status == OPPROF_OK; port++) {
        status = push(&stage->open[port], 0);
    }
    return status;
}
