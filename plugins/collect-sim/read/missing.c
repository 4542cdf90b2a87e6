/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports what a dump lacks, file by file, so that no incomplete result looks complete.
 * Tested by tests/plugins/collect-sim/test_damage.sh.
 */
#include "missing.h"
#include "mte_files.h"
#include <inttypes.h>
#include <opprof/record.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>

static const char *missing_or_empty(const SimFiles *files)
{
    return files->count == 0 ? "missing" : "empty";
}

/* Name in messages for a log that the chip's file does not name. */
static const char *called(const char *file)
{
    return file == NULL ? "(the chip's file names none)" : file;
}

static void report_file(OpprofStage *stage, const FoundCore *core, const char *file,
                        const SimFiles *files, const char *consequence)
{
    OpprofStageIncomplete(stage, "Core %s: dump file '%s' is %s, so %s", core->name, called(file),
                          missing_or_empty(files), consequence);
}

bool MissingLog(OpprofStage *stage, const FoundCore *core)
{
    if (core->popped.bytes > 0 && core->instr.bytes > 0) {
        return false;
    }
    if (core->popped.bytes == 0) {
        report_file(stage, core, core->files[SIM_LOG_POPPED], &core->popped,
                    "the core is left out");
    } else {
        report_file(stage, core, core->files[SIM_LOG_INSTR], &core->instr, "the core is left out");
    }
    OpprofStageCount(stage, "cores without a popped or instr log", 1);
    return true;
}

void MissingIcache(OpprofStage *stage, const Work *work, const FoundCore *core)
{
    const bool is_empty = core->icache.count > 0 && core->icache.bytes == 0;
    bool others_have = false;

    for (uint32_t i = 0; i < work->found.count; i++) {
        others_have |= work->found.cores[i].icache.bytes > 0;
    }
    if (is_empty || (core->icache.count == 0 && others_have)) {
        report_file(stage, core, core->files[SIM_LOG_ICACHE], &core->icache,
                    "its cache misses are not known");
    }
}

void MissingMisses(OpprofStage *stage, const WorkCore *core, uint64_t doubled)
{
    if (doubled > 0) {
        OpprofStageIncomplete(stage,
                              "Core %s: dump file '%s' has %" PRIu64
                              " cache %s twice, at one tick and address: lines of it are doubled",
                              core->found->name, core->found->files[SIM_LOG_ICACHE], doubled,
                              OPPROF_PLURAL(doubled, "miss", "misses"));
    }
}

bool MissingOverhead(OpprofStage *stage, const FoundCore *core)
{
    static const char consequence[] = "Overhead has no fetch and issue cycles for it";

    if (core->ccu.bytes == 0) {
        report_file(stage, core, core->files[SIM_LOG_CCU], &core->ccu, consequence);
    }
    if (core->icache.bytes == 0) {
        report_file(stage, core, core->files[SIM_LOG_ICACHE], &core->icache, consequence);
    }
    return core->ccu.bytes == 0 || core->icache.bytes == 0;
}

static void report_cut(OpprofStage *stage, const FoundCore *core, PairingCut cut, uint64_t tick)
{
    const bool is_popped = cut == PAIRING_POPPED_ENDS_EARLY || cut == PAIRING_POPPED_BEGINS_LATE;
    const bool is_end = cut == PAIRING_POPPED_ENDS_EARLY || cut == PAIRING_INSTR_ENDS_EARLY;

    OpprofStageIncomplete(stage,
                          "Core %s: dump file '%s' %s at tick %" PRIu64
                          ", but more than %u instructions of '%s' are %s than that: a part of "
                          "the log is missing",
                          core->name, core->files[is_popped ? SIM_LOG_POPPED : SIM_LOG_INSTR],
                          is_end ? "ends" : "begins", tick, SPAN_IN_FLIGHT,
                          core->files[is_popped ? SIM_LOG_INSTR : SIM_LOG_POPPED],
                          is_end ? "later" : "earlier");
}

static void report_silence(OpprofStage *stage, const WorkCore *core, bool is_popped, uint64_t from,
                           uint64_t until)
{
    const FoundCore *found = core->found;

    OpprofStageIncomplete(
        stage,
        "Core %s: dump file '%s' has no line from tick %" PRIu64 " to %" PRIu64
        ", where '%s' has more than %" PRIu64 " instructions: a part of the log is missing",
        found->name, found->files[is_popped ? SIM_LOG_POPPED : SIM_LOG_INSTR], from, until,
        found->files[is_popped ? SIM_LOG_INSTR : SIM_LOG_POPPED], PairingInFlight(core->pairing));
}

static void report_no_record(OpprofStage *stage, const FoundCore *core, bool is_popped, bool by_id)
{
    OpprofStageIncomplete(stage, "Core %s: no line of dump file '%s' is an instruction%s",
                          core->name, core->files[is_popped ? SIM_LOG_POPPED : SIM_LOG_INSTR],
                          by_id ? " with an id, such as (ID: 000123)" : "");
}

/*
 * Records that lack their partner although neither log stops or pauses: lines were lost here and
 * there. Records of an address pair up in turn, so its later pairs are wrong too. An end without a
 * start is never right; a start without an end may have been in flight when the simulation was
 * stopped, but not when the program has ended. Ids are also those of other records.
 */
static bool report_alone(OpprofStage *stage, const WorkCore *core, const PairingCounts *counts,
                         bool by_id)
{
    const PairingEnd end = PairingGetEnd(core->pairing);
    const bool is_over = end.is_popped_last && end.instr >= end.popped;
    const char *popped = core->found->files[SIM_LOG_POPPED];
    const char *instr = core->found->files[SIM_LOG_INSTR];
    const bool lacks_ends = counts->popped_alone > SPAN_IN_FLIGHT || counts->popped_doubled > 0 ||
                            (is_over && counts->popped_lost > 0);
    const uint64_t half = counts->instr / 2;
    const uint64_t most = !by_id ? 0 : half > SPAN_IN_FLIGHT ? half : SPAN_IN_FLIGHT;

    if (lacks_ends) {
        OpprofStageIncomplete(stage,
                              "Core %s: %" PRIu64 " of %" PRIu64 " instructions of dump file "
                              "'%s' have no end in '%s'%s: lines are %s",
                              core->found->name, counts->popped_alone, counts->popped, popped,
                              instr, is_over ? ", though the program has ended" : "",
                              counts->popped_doubled > 0 ? "doubled, or missing" : "missing there");
    } else if (counts->instr_alone > most) {
        OpprofStageIncomplete(stage,
                              "Core %s: %" PRIu64 " of %" PRIu64 " ends in dump file "
                              "'%s' have no instruction in '%s': lines of that are missing",
                              core->found->name, counts->instr_alone, counts->instr, instr, popped);
    }
    return lacks_ends || counts->instr_alone > most;
}

bool MissingRecords(OpprofStage *stage, const WorkCore *core, bool by_id)
{
    const PairingCounts counts = PairingGetCounts(core->pairing);
    uint64_t tick = 0;
    uint64_t until = 0;
    const PairingCut cut = PairingGetCut(core->pairing, &tick, &until);

    if (counts.broken > 0) {
        OpprofStageIncomplete(stage,
                              "Core %s: %" PRIu64 " %s left out: lines of the log cannot be read",
                              core->found->name, counts.broken,
                              OPPROF_PLURAL(counts.broken, "instruction is", "instructions are"));
    }
    if (counts.popped_lines == 0 || counts.instr_lines == 0) {
        report_no_record(stage, core->found, counts.popped_lines == 0, by_id);
    } else if (cut == PAIRING_POPPED_IS_SILENT || cut == PAIRING_INSTR_IS_SILENT) {
        report_silence(stage, core, cut == PAIRING_POPPED_IS_SILENT, tick, until);
    } else if (cut != PAIRING_WHOLE) {
        report_cut(stage, core->found, cut, tick);
    } else {
        return report_alone(stage, core, &counts, by_id);
    }
    return true;
}

void MissingEnds(OpprofStage *stage, const WorkCore *core)
{
    const PairingCounts counts = PairingGetCounts(core->pairing);
    const uint64_t backwards = counts.backwards;

    if (counts.overdue > 0 && !core->lacks_records) {
        OpprofStageIncomplete(
            stage,
            "Core %s: %" PRIu64 " %s of dump file '%s' %s no end in '%s' long after "
            "all others of the name, and later ones of the pipe, have ended: lines of that are "
            "missing",
            core->found->name, counts.overdue,
            OPPROF_PLURAL(counts.overdue, "instruction", "instructions"),
            core->found->files[SIM_LOG_POPPED], OPPROF_PLURAL(counts.overdue, "has", "have"),
            core->found->files[SIM_LOG_INSTR]);
    }

    if (backwards > 0) {
        OpprofStageIncomplete(
            stage,
            "Core %s: %" PRIu64 " %s left out, because '%s' has an end before "
            "the start in '%s': one of the logs lacks lines, or is of another run",
            core->found->name, backwards,
            OPPROF_PLURAL(backwards, "instruction is", "instructions are"),
            core->found->files[SIM_LOG_INSTR], core->found->files[SIM_LOG_POPPED]);
    }
}

void MissingIssues(OpprofStage *stage, const WorkCore *core, const Overhead *overhead)
{
    const char *file = core->found->files[SIM_LOG_CCU];
    const uint64_t late = OverheadLate(overhead);
    const uint64_t without = OverheadWithout(overhead);
    uint64_t from, until;

    if (late > SPAN_IN_FLIGHT) {
        OpprofStageIncomplete(stage,
                              "Core %s: %" PRIu64 " instructions start after the end of dump file "
                              "'%s': a part of the log is missing",
                              core->found->name, late, file);
    } else if (OverheadIsSilent(overhead, PairingInFlight(core->pairing), &from, &until)) {
        OpprofStageIncomplete(stage,
                              "Core %s: dump file '%s' has no line from tick %" PRIu64
                              " to %" PRIu64 ", where more than %" PRIu64
                              " instructions start that "
                              "it has at other times: a part of the log is missing",
                              core->found->name, file, from, until, PairingInFlight(core->pairing));
    } else if (without > SPAN_IN_FLIGHT) {
        OpprofStageIncomplete(stage,
                              "Core %s: dump file '%s' has no issue before the start of %" PRIu64
                              " instructions, though it has others at their addresses: lines are "
                              "missing, and Overhead has no cycles of these",
                              core->found->name, file, without);
    }
}

void MissingRequests(OpprofStage *stage, const WorkMte *mte)
{
    uint64_t from, until;
    char end[24] = "its end";

    if (mte == NULL || mte->moves == NULL || !MovesEnd(mte->moves, &from, &until)) {
        return;
    }
    if (until != UINT64_MAX) {
        snprintf(end, sizeof end, "%" PRIu64, until);
    }
    OpprofStageIncomplete(stage,
                          "Dump file '%s' has no line from tick %" PRIu64
                          " to %s, where more than %u instructions that move memory end: a part of "
                          "the log is missing",
                          mte->files.pieces[mte->files.count - 1].path, from, end, MOVES_IN_FLIGHT);
}

/* "0, 2, 17" of the existing cores. */
static void list_ids(const Work *work, char *text, size_t room)
{
    size_t length = 0;

    text[0] = '\0';
    for (uint32_t id = 0; id < 64 && length + 8 < room; id++) {
        bool is_there = false;

        for (uint32_t i = 0; i < work->found.count; i++) {
            is_there |= work->cores[i].has_id && work->cores[i].id == id;
        }
        if (is_there) {
            length += (size_t) snprintf(text + length, room - length, "%s%" PRIu32,
                                        length == 0 ? "" : ", ", id);
        }
    }
}

void MissingCores(OpprofStage *stage, const Work *work)
{
    char there[256];

    list_ids(work, there, sizeof there);
    for (uint32_t id = 0; (id = WorkNextAbsent(work, id)) != OPPROF_NA_U32; id++) {
        OpprofStageIncomplete(stage, "Parameter core_id: the dump has no core %" PRIu32 "%s%s", id,
                              there[0] == '\0' ? "" : ", only ", there);
    }
}

static void report_no_mte(OpprofStage *stage, const Work *work, const FoundCore *core)
{
    static const char consequence[] = "so PMSampling has no bandwidth of it";
    char *file = NULL;

    if (!MteFilesName(&work->facts, core->number, &file) || file == NULL) {
        OpprofStageIncomplete(
            stage, "Core %s: the chip's file names no log of memory transfer engines, %s",
            core->name, consequence);
    } else {
        OpprofStageIncomplete(stage,
                              "Core %s: dump file '%s' is missing or smaller than %u bytes, %s",
                              core->name, file, MTE_LEAST_BYTES, consequence);
    }
    free(file);
}

void MissingMte(OpprofStage *stage, const Work *work)
{
    uint32_t reported = OPPROF_NA_U32;

    for (uint32_t i = 0; i < work->found.count; i++) {
        const FoundCore *core = &work->found.cores[i];

        if (core->number != reported && core->popped.bytes > 0 &&
            WorkFindMteOf(work, core->number) == NULL) {
            reported = core->number; /* the cores of a number are neighbours, or nearly */
            report_no_mte(stage, work, core);
        }
    }
}
