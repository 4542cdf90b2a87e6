/* SPDX-License-Identifier: Apache-2.0 */
/* parse-mte: turns logs of memory transfer engines into requests. Descriptor and life. */
#include "line.h"
#include <inttypes.h>
#include <opprof/kit/raw_keeper.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/records/sim.h>
#include <opprof/stage.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_REQUESTS, OUTPUT_RAW };

/* A log, and the results so far. */
typedef struct Log {
    uint32_t core;
    uint32_t file;
    const MteFacts *facts; /* NULL: the form of its lines is unknown */
    uint64_t lines;
    uint64_t requests;
    uint64_t bytes;        /* that were parsed */
    uint64_t spoilt;       /* lines of requests that cannot be read */
    uint64_t first_spoilt; /* its number, from 1 */
} Log;

/* Facts of a chip for logs of its own, or for logs with common names. */
typedef struct ChipFacts {
    uint32_t chip; /* interned */
    uint32_t is_own;
    MteFacts *facts;
} ChipFacts;

typedef struct Parser {
    OpprofStage *stage;
    ChipFacts *facts; /* only a few */
    uint32_t facts_count;
    uint32_t facts_room;
    Log *logs; /* at most one per core of each launch */
    uint32_t log_count;
    uint32_t log_room;
    uint32_t launch; /* partition of the latest log */
    OpprofRawKeeper raw;
} Parser;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Parser), ret_self, error);
}

static void destroy(void *context)
{
    Parser *self = context;

    for (uint32_t i = 0; i < self->facts_count; i++) {
        MteFactsDestroy(self->facts[i].facts);
    }
    free(self->facts);
    free(self->logs);
    free(self);
}

/* Facts of the chip's file; NULL: none. They stay until the process ends. */
static MteFacts *make_facts(const Parser *self, const OpprofSimMteLog *piece)
{
    const char *name =
        piece->chip == OPPROF_NA_STRING ? NULL : OpprofStageString(self->stage, piece->chip);
    OpprofChip *chip = NULL;
    MteFacts *facts = NULL;

    if (name != NULL && OpprofChipLoad(name, &chip, NULL) == OPPROF_OK) {
        const bool is_own =
            piece->is_own != 0 && OpprofChipFact(chip, "simulator.logs.requests") != NULL;
        facts = MteFactsCreate(chip, is_own ? "simulator.logs.requests" : "simulator.requests");
    }
    OpprofChipFree(chip);
    return facts;
}

/* False without memory. */
static bool find_facts(Parser *self, const OpprofSimMteLog *piece, const MteFacts **ret_facts)
{
    for (uint32_t i = 0; i < self->facts_count; i++) {
        if (self->facts[i].chip == piece->chip && self->facts[i].is_own == piece->is_own) {
            *ret_facts = self->facts[i].facts;
            return true;
        }
    }
    if (!OpprofGrow32(&self->facts, &self->facts_room, (size_t) self->facts_count + 1,
                      sizeof *self->facts)) {
        return false;
    }
    self->facts[self->facts_count] = (ChipFacts){ .chip = piece->chip,
                                                  .is_own = piece->is_own,
                                                  .facts = make_facts(self, piece) };
    *ret_facts = self->facts[self->facts_count++].facts;
    return true;
}

/* The log of a piece; NULL without memory. Its pieces come one after another, so the search is
 * short. */
static Log *find_log(Parser *self, const OpprofSimMteLog *piece)
{
    for (uint32_t i = self->log_count; i-- > 0;) {
        if (self->logs[i].core == piece->core && self->logs[i].file == piece->file) {
            return &self->logs[i];
        }
    }
    const MteFacts *facts = NULL;
    if (!find_facts(self, piece, &facts) ||
        !OpprofGrow32(&self->logs, &self->log_room, (size_t) self->log_count + 1,
                      sizeof *self->logs)) {
        return NULL;
    }
    self->logs[self->log_count] = (Log){ .core = piece->core, .file = piece->file, .facts = facts };
    return &self->logs[self->log_count++];
}

/* Interned name of a unit, from the chip's file, so that no input can fill the string table. */
static uint32_t unit_name(const Parser *self, const Log *log, const MteLine *line)
{
    const char *name = MteFactsUnit(log->facts, line->unit, line->unit_length);

    return OpprofStageIntern(self->stage, name, strlen(name));
}

static OpprofStatus emit(const Parser *self, const Log *log, const MteLine *line)
{
    const OpprofSimMte record = { .tick = line->tick,
                                  .instruction_id = line->instruction_id,
                                  .request_id = line->request_id,
                                  .size = line->size,
                                  .core = log->core,
                                  .unit = unit_name(self, log, line),
                                  .is_write = line->is_write };

    return OpprofStageAppend(self->stage, OUTPUT_REQUESTS, self->launch, &record);
}

static OpprofStatus parse(Parser *self, Log *log, const char *text, size_t length)
{
    const char *end = length == 0 ? text : text + length;
    OpprofStatus status = OPPROF_OK;
    MteLine line;

    while (text < end && status == OPPROF_OK) {
        const char *newline = memchr(text, '\n', (size_t) (end - text));
        const char *line_end = newline == NULL ? end : newline;
        const MteKind kind =
            log->facts == NULL ? MTE_LINE_OTHER
                               : MteLineParse(log->facts, text, (size_t) (line_end - text), &line);

        log->lines++;
        if (kind == MTE_LINE_SPOILT && log->spoilt++ == 0) {
            log->first_spoilt = log->lines;
        }
        if (kind == MTE_LINE_REQUEST) {
            log->requests++;
            status = emit(self, log, &line);
        } else {
            OpprofRawKeep(&self->raw, log->file, log->bytes, text, (size_t) (line_end - text),
                          "no request of an instruction");
        }
        log->bytes += (uint64_t) (line_end - text) + 1;
        text = line_end + 1;
    }
    return status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Parser *self = context;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    if (self->raw.stage == NULL) { /* readers are known from the start */
        OpprofRawKeeperBegin(&self->raw, self->stage, OUTPUT_RAW, OPPROF_NA_STRING);
    }
    self->launch = batch->partition;
    OpprofStageSetClock(self->stage, OUTPUT_REQUESTS, batch->clock);
    for (uint32_t i = 0; i < batch->count && status == OPPROF_OK; i++) {
        const OpprofSimMteLog *piece = OpprofBatchRecord(batch, i);
        const char *text = OpprofBatchText(batch, piece->lines);
        Log *log = find_log(self, piece);

        if (log == NULL) {
            return OpprofErrorNoMemory(error, "parse logs of memory engines");
        }
        status = parse(self, log, text, text == NULL ? 0 : piece->lines.length);
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Parser *self = context;
    uint64_t lines = 0, requests = 0;

    (void) error;
    for (uint32_t i = 0; i < self->log_count; i++) {
        const Log *log = &self->logs[i];

        lines += log->lines;
        requests += log->requests;
        OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(self->stage),
                  "Parsed log: file=%s, lines=%" PRIu64 ", requests=%" PRIu64,
                  OpprofStageString(self->stage, log->file), log->lines, log->requests);
        if (log->spoilt > 0) {
            const bool is_one = log->spoilt == 1;

            OpprofStageIncomplete(
                self->stage,
                "%" PRIu64 " %s of dump file '%s' that cannot be read %s left out, the first is "
                "number %" PRIu64 " of the log",
                log->spoilt, is_one ? "request" : "requests",
                OpprofStageString(self->stage, log->file), is_one ? "is" : "are",
                log->first_spoilt);
        }
        if (log->requests == 0) {
            OpprofStageIncomplete(self->stage,
                                  "No line of dump file '%s' is a request of an instruction",
                                  OpprofStageString(self->stage, log->file));
        }
    }
    OpprofRawKeeperEnd(&self->raw);
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage),
              "Parsed logs of memory engines: files=%" PRIu32 ", lines=%" PRIu64
              ", requests=%" PRIu64,
              self->log_count, lines, requests);
    OpprofStageCount(self->stage, "lines", lines);
    OpprofStageCount(self->stage, "lines of memory engines", requests);
    return OPPROF_OK;
}

/* ---- descriptor ---- */

static const char *const chip_sections[] = { "simulator", NULL };

static const OpprofPort inputs[] = {
    { .name = "logs",
      .type = "sim.mte-log",
      .record_type = &opprof_sim_mte_log_type,
      .summary = "Logs of memory transfer engines, in pieces." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_REQUESTS] = { .name = "requests",
                          .record_type = &opprof_sim_mte_type,
                          .summary = "Events of requests on memory interfaces." },
    [OUTPUT_RAW] = { .name = "raw",
                     .record_type = &opprof_raw_type,
                     .summary = "Lines of other kinds, unchanged, for bring-up." },
};

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                     .create = create,
                                     .process = process,
                                     .flush = flush,
                                     .destroy = destroy };

OPPROF_PLUGIN_DEFINE(.name = "parse-mte", .version = "1.1", .license = "Apache-2.0",
                     .summary = "Turns logs of memory transfer engines into requests.",
                     .help = "Lines that are not requests of an instruction are left out. A log "
                             "without any request makes the run incomplete.",
                     .kind = OPPROF_PARSER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops,
                     .chip_sections = chip_sections);
