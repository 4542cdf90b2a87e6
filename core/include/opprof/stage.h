/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_STAGE_H
#define OPPROF_STAGE_H

/**
 * @file
 * A plugin's functions of the run it is in. A Stage is valid from create to destroy. [stage] means:
 * from the call that the runner is making into this instance.
 *
 * In all functions, a `port` is the number of one of the plugin's output ports, from 0 in the order
 * of its table; a `partition` is an interned string (OpprofStageIntern), OPPROF_NA_STRING for none;
 * an `id` comes from OpprofStageIntern, OpprofStageClock or OpprofStageTrack; a `text` has `length`
 * bytes, is copied, and may be NULL when it is empty; a `format` is as of printf. Experimental.
 */

#include <opprof/clock.h>
#include <opprof/output.h>
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Id of the stage in the pipeline. Borrowed. [any thread] */
const char *OpprofStageId(const OpprofStage *stage);

/** The operation create of a plugin whose instance has `size` bytes and begins with its stage: the
 * rest of `ret_self` is zeroed, and free() frees it. OPPROF_OK or OPPROF_E_MEMORY. [life] */
static inline OpprofStatus OpprofInstanceCreate(OpprofStage *stage, size_t size, void **ret_self,
                                                OpprofError **error)
{
    OpprofStage **self = (OpprofStage **) calloc(1, size);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create stage '%s'", OpprofStageId(stage));
    }
    *self = stage;
    *ret_self = self;
    return OPPROF_OK;
}

/** Number of this instance, from 0, and in `ret_count`, which may be NULL, how many there are of
 * the stage. Known once start is called. [any thread] */
uint32_t OpprofStageInstance(const OpprofStage *stage, uint32_t *ret_count);

/** Set a pointer that all instances of one stage share, NULL at first. Instance 0 starts first and
 * stops last, so it can set `shared` in start and free what it points to in stop. Locking is up to
 * the plugin. */
void OpprofStageSetShared(OpprofStage *stage, void *shared);
/** The pointer set by OpprofStageSetShared, or NULL. Borrowed. [any thread] */
void *OpprofStageShared(const OpprofStage *stage);

/** Give an output port its `type`, which outlives the run. OPPROF_OK, or OPPROF_E_CONTRACT for an
 * invalid one. [configure] */
OpprofStatus OpprofStageSetOutputType(OpprofStage *stage, uint32_t port,
                                      const OpprofRecordType *type, OpprofError **error);

/** True if the port has readers, so that a stage can skip work without use. Known once start is
 * called. [any thread] */
bool OpprofStageHasReader(const OpprofStage *stage, uint32_t port);

/** True if anybody writes to the input port, so that a stage that joins inputs knows which to wait
 * for. Known once start is called. [any thread] */
bool OpprofStageHasWriter(const OpprofStage *stage, uint32_t port);

/** An empty batch for the port, or NULL without memory. The caller owns it until OpprofStagePush or
 * OpprofBatchUnref. Only once start is called: before that, and for a port that does not exist, the
 * stage fails. [stage] */
OpprofBatch *OpprofStageNewBatch(OpprofStage *stage, uint32_t port);

/** Push a `batch` to all readers of the port, waiting while one is full. Takes the batch, which is
 * of the port's type and was not pushed before, in every case; an empty one is dropped. Only in
 * process and flush: in start no reader pops yet. OPPROF_OK; OPPROF_CLOSED when the run was
 * aborted: return it at once; OPPROF_E_CONTRACT for a port that does not exist, records of another
 * type, or another call: the stage then fails, whatever the plugin returns. [stage] */
OpprofStatus OpprofStagePush(OpprofStage *stage, uint32_t port, OpprofBatch *batch);

/** The simple way to emit records, one after the other: the stage keeps an open batch for each
 * port, pushes it when it is full, when a record of another partition comes, and after the last
 * call of flush. The `record` is copied. Only in process and flush. Do not mix it with
 * OpprofStageNewBatch on the same port. OPPROF_OK; OPPROF_E_MEMORY; OPPROF_CLOSED when the run was
 * aborted: return it at once. [stage] */
OpprofStatus OpprofStageAppend(OpprofStage *stage, uint32_t port, uint32_t partition,
                               const void *record);

/** OpprofStageAppend for a record that is filled in its place: `ret_record` is zeroed, to be filled
 * before the next call that adds to the port; NULL on failure. Returns as OpprofStageAppend.
 * [stage] */
OpprofStatus OpprofStageRoom(OpprofStage *stage, uint32_t port, uint32_t partition,
                             void **ret_record);

/** Copy a text into the open batch for the record that the next OpprofStageAppend adds. A record
 * may have several texts; all belong to the same partition. `ret_text` is for the record; the
 * absent text on failure. Returns as OpprofStageAppend. [stage] */
OpprofStatus OpprofStageText(OpprofStage *stage, uint32_t port, uint32_t partition,
                             const char *text, size_t length, OpprofText *ret_text);

/** Advice in plain texts. */
typedef struct OpprofAdviceText {
    uint32_t severity;    /**< OpprofSeverity. */
    const char *topic;    /**< The analysis or view it belongs to. */
    const char *subject;  /**< Launch, rank or core; NULL or empty: the whole run. */
    const char *sentence; /**< Without a full stop. */
    const char *numbers;  /**< "name=value unit, …"; NULL or empty: none. */
    const char *file; /**< File of the results that holds the value; NULL or empty: none does. */
    /** Heading of the column that holds it; NULL or empty: there is no value. */
    const char *column;
    const char *unit; /**< Unit of the value; NULL or empty: none. */
    double value;     /**< The number it rests on most, as in that column. */
    /** Percent of the subject's time that could be saved at most; 0: unknown, or what `gain_us` is
     * of `whole_us`. */
    double gain;
    const char *rule;       /**< Name of the rule that says so; NULL or empty: none. */
    const char *todo;       /**< What to do about it; NULL or empty: unknown. */
    double gain_us;         /**< The most that could be saved; 0: unknown. */
    double whole_us;        /**< What it could be saved of; 0: unknown. */
    const char *from_table; /**< Table of the database that holds the value; NULL or empty: none. */
    /** Process of the timeline that shows it, as people see its name; NULL or empty: none. */
    const char *track;
    double start_us; /**< When the timeline shows it; without `track` it does not count. */
} OpprofAdviceText;

/** Append `advice`, which is copied, to a port of `opprof_advice_type`. Returns as
 * OpprofStageAppend. [stage] */
OpprofStatus OpprofStageAdvise(OpprofStage *stage, uint32_t port, uint32_t partition,
                               const OpprofAdviceText *advice);

/** Clock of the batches that OpprofStageAppend opens from now on: `clock` is an id from
 * OpprofStageClock, 0 for none. [stage] */
void OpprofStageSetClock(OpprofStage *stage, uint32_t port, uint32_t clock);

/** Push the open batch of OpprofStageAppend now, so that readers see its records without delay,
 * with the promise `watermark` (OpprofBatch.watermark; 0: none). Returns as OpprofStagePush.
 * [stage] */
OpprofStatus OpprofStagePushOpen(OpprofStage *stage, uint32_t port, uint64_t watermark);

/** A batch of a port that a stage fills itself, where the one of OpprofStageAppend is not enough:
 * one for each core, say. The caller sets the members before `batch`, and clears the rest. Do not
 * mix it with OpprofStageAppend on the same port. */
typedef struct OpprofOpenBatch {
    OpprofStage *stage;    /**< The stage. */
    OpprofBatchPool *pool; /**< Where batches come from; NULL: the port's pool. */
    uint32_t port;         /**< Output port. */
    uint32_t partition;    /**< Partition of the batches; push before another is set. */
    uint32_t clock;     /**< Their clock, as for OpprofStageSetClock; push before another is set. */
    uint32_t most_text; /**< Bytes of texts that make a batch full; 0: 1 MiB. */
    /** Promise of the batch that is pushed next (OpprofBatch.watermark); 0: none. */
    uint64_t watermark;
    OpprofBatch *batch; /**< The batch being filled; NULL: none. */
} OpprofOpenBatch;

/** Make room for a record: push a full batch, and take one if none is open. Follow with
 * OpprofBatchAppend on `open->batch`, and add the record's texts to the same batch. Returns as
 * OpprofStageAppend. [stage] */
OpprofStatus OpprofOpenBatchRoom(OpprofOpenBatch *open);

/** Push what is filled; nothing happens without a batch. Returns as OpprofStagePush. [stage] */
OpprofStatus OpprofOpenBatchPush(OpprofOpenBatch *open);

/** Drop what was not pushed. NULL is allowed. [stage] */
void OpprofOpenBatchDrop(OpprofOpenBatch *open);

/** Number of the link by which the batch in hand came, from 0 in the order of the pipeline: it
 * distinguishes producers that share a port, so that a join need not depend on which of them is
 * faster. [process] */
uint32_t OpprofStageLink(const OpprofStage *stage);

/** True when the run should end early (Ctrl+C, timeout, another stage failed). Collectors are not
 * called again; a long call may look. [any thread] */
bool OpprofStageStopRequested(const OpprofStage *stage);
/** True when the end was requested by a signal that all processes of this process's group got (see
 * OpprofPipelineStopFromTerminal). [any thread] */
bool OpprofStageStopFromTerminal(const OpprofStage *stage);

/** Report how far the stage is: `done` of `total` (0: unknown), in `unit`, a static text such as
 * "bytes". Cheap; call it often. Also a sign of life for the watchdog. [stage] */
void OpprofStageProgress(OpprofStage *stage, uint64_t done, uint64_t total, const char *unit);

/** A warning for people and run.json: the result is good, but something is worth knowing. The first
 * 1000 of a stage are kept. Those with the same format are of one kind: people see the first of
 * them, and at the end how many there were. [any thread] */
void OpprofStageWarn(OpprofStage *stage, const char *format, ...) OPPROF_PRINTF(2, 3);

/** The result lacks something (truncated input, skipped data): run.json says what, and the exit
 * code becomes 4. Where an error is the reason, OpprofErrorLine has all of it. [any thread] */
void OpprofStageIncomplete(OpprofStage *stage, const char *format, ...) OPPROF_PRINTF(2, 3);

/** Losses of the records that came in, as far as they are known when flush is called: texts of
 * OpprofStageIncomplete in stages that have ended and are not exporters, why they failed, and that
 * the run was cut short. `ret_reasons` has a line per reason, for free(); NULL: nothing is missing.
 * OPPROF_OK or OPPROF_E_MEMORY. [flush] */
OpprofStatus OpprofStageMissing(const OpprofStage *stage, char **ret_reasons);

/** Add `value` to a count shown in run.json and --stats ("lines without a record"). `name` is
 * static text. [stage] */
void OpprofStageCount(OpprofStage *stage, const char *name, uint64_t value);

/** Id of a text in the run's string table; equal texts have equal ids. For bounded vocabularies
 * only (names, pipes, files); text that differs from record to record belongs in the batch's blob.
 * OPPROF_NA_STRING without memory or beyond 4 million texts. [any thread] */
uint32_t OpprofStageIntern(OpprofStage *stage, const char *text, size_t length);
/** Text of an id, NUL-terminated, valid for the run; "" for OPPROF_NA_STRING and unknown ids.
 * Borrowed. [any thread, wait-free] */
const char *OpprofStageString(const OpprofStage *stage, uint32_t id);
/** As OpprofStageString; `ret_length`, which may be NULL, gets the bytes without the NUL. Borrowed.
 * [any thread, wait-free] */
const char *OpprofStageStringLength(const OpprofStage *stage, uint32_t id, size_t *ret_length);

/** Id (from 1) of a `clock` for Batch.clock; equal clocks have equal ids; 0 without memory. Texts
 * are copied. [any thread] */
uint32_t OpprofStageClock(OpprofStage *stage, const OpprofClock *clock);
/** Clock of an id, NULL for 0 and unknown ids. Borrowed, valid for the run. [any thread] */
const OpprofClock *OpprofStageClockInfo(const OpprofStage *stage, uint32_t id);

/** Declare a `track`, of which a document and process that are NULL count as "", or find the equal
 * one. Returns its id; OPPROF_NA_U32 without memory. Texts are copied. [any thread] */
uint32_t OpprofStageTrack(OpprofStage *stage, const OpprofTrack *track);
/** Track of an id, NULL for unknown ids. Borrowed, valid for the run. [any thread, wait-free] */
const OpprofTrack *OpprofStageTrackInfo(const OpprofStage *stage, uint32_t id);

/** "document process thread" of a track, NULL for unknown ids. Borrowed, valid for the run.
 * [any thread, wait-free] */
const char *OpprofStageTrackLabel(const OpprofStage *stage, uint32_t id);

/** Hand over text that the program shows to people soon, at the latest when the run has ended, as
 * it is: the caller takes care of control characters in names. Texts of several stages come one
 * after the other. OPPROF_OK or OPPROF_E_MEMORY. [any thread] */
OpprofStatus OpprofStageShow(OpprofStage *stage, const char *text, size_t length);

/** What runs, for people, as the pipeline document or the setting `title` says; NULL: unknown.
 * Borrowed. Valid once start is called. [any thread] */
const char *OpprofStageTitle(const OpprofStage *stage);

/** The run's output directory. Valid once start is called; NULL in a dry run. [any thread] */
OpprofOutputDirectory *OpprofStageOutput(const OpprofStage *stage);

#ifdef __cplusplus
}
#endif

#endif
