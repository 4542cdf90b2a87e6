/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes the log of memory transfer engines to its port.
 * Tested by tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "mte_reader.h"
#include "missing.h"
#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES ((size_t) 64 << 10)

OpprofStatus MteReaderStart(MteReader *reader, Reading *reading, WorkMte *mte, OpprofError **error)
{
    OpprofStage *stage = reading->stage;
    const OpprofClock core_clock = { .name = "core", .hz = reading->work->facts.hz };
    const uint32_t clock = OpprofStageClock(stage, &core_clock);
    const char *path = mte->files.pieces[0].path;
    const char *folder = reading->work->launch;
    const uint32_t launch =
        folder == NULL ? OPPROF_NA_STRING : OpprofStageIntern(stage, folder, strlen(folder));
    const SimLogEvents events = ReadingEvents(reading);

    *reader = (MteReader){ .reading = reading,
                           .mte = mte,
                           .file = OpprofStageIntern(stage, path, strlen(path)),
                           .lines = malloc(PIECE_BYTES) };
    if (clock == 0 || reader->file == OPPROF_NA_STRING || reader->lines == NULL) {
        return OpprofErrorNoMemory(error, "read '%s'", path);
    }
    EmitterInit(&reader->pieces, stage, EMIT_MTE, launch, clock);
    reader->pieces.chip = WorkChip(reading->work, stage);
    SimLogInit(&reader->log, &mte->files, &events, NULL);
    reader->log.is_free = reading->work->facts.logs != NULL;
    return OPPROF_OK;
}

static OpprofStatus emit_lines(MteReader *reader, const char *text, size_t length,
                               OpprofError **error)
{
    const EmitLines lines = { .text = text,
                              .length = length,
                              .core = reader->mte->core,
                              .file = reader->file,
                              .is_own = reader->reading->work->facts.logs != NULL };

    return length == 0 ? OPPROF_OK : EmitMteLog(&reader->pieces, &lines, error);
}

static OpprofStatus emit_held(MteReader *reader, OpprofError **error)
{
    const size_t length = reader->used;

    if (reader->mte->moves != NULL) {
        MovesSeeLines(reader->mte->moves, reader->lines, length);
    }
    reader->used = 0;
    return emit_lines(reader, reader->lines, length, error);
}

/* Hold a line until a piece is full. */
static OpprofStatus add_line(MteReader *reader, const char *line, size_t length,
                             OpprofError **error)
{
    if (length >= PIECE_BYTES - reader->used) {
        const OpprofStatus status = emit_held(reader, error);

        if (status != OPPROF_OK) {
            return status;
        }
    }
    if (length >= PIECE_BYTES) { /* no line of these engines, as its length alone shows */
        return OPPROF_OK;
    }
    memcpy(reader->lines + reader->used, line, length);
    reader->lines[reader->used + length] = '\n';
    reader->used += length + 1;
    return OPPROF_OK;
}

static OpprofStatus push_rest(MteReader *reader, OpprofError **error)
{
    const OpprofStatus status = emit_held(reader, error);

    return status == OPPROF_OK ? EmitterEnd(&reader->pieces, NULL, error) : status;
}

OpprofStatus MteReaderStep(MteReader *reader, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    const char *line;
    size_t length;

    for (uint32_t i = 0; i < READING_STEP_LINES && status == OPPROF_OK; i++) {
        status = SimLogNext(&reader->log, &line, &length, error);
        if (status == OPPROF_OK) {
            status = add_line(reader, line, length, error);
        }
    }
    if (status != OPPROF_END) {
        return status;
    }
    status = push_rest(reader, error); /* all lines are seen before it is asked what is missing */
    MissingRequests(reader->reading->stage, reader->mte);
    return status == OPPROF_OK ? OPPROF_END : status;
}

OpprofStatus MteReaderCut(MteReader *reader, OpprofError **error)
{
    return push_rest(reader, error);
}

void MteReaderFinish(MteReader *reader)
{
    SimLogFinish(&reader->log);
    EmitterFinish(&reader->pieces);
    free(reader->lines);
    reader->lines = NULL;
}
