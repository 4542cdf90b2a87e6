/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what a chip's file says about its simulator, and checks whether a dump may be the chip's.
 * Tested by tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "facts.h"
#include "collect-sim/lines/line.h"
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define LINES_LOOKED_AT 1000u

static const char *text_or(const OpprofChip *chip, const char *path, const char *otherwise)
{
    const char *text = OpprofChipText(chip, path);

    return text != NULL ? text : otherwise;
}

static OpprofStatus wrong_fact(const OpprofChip *chip, const char *path, const char *why,
                               OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_DATA, "Chip file of '%s': member '%s' %s",
                          OpprofChipSoc(chip), path, why);
}

/* ---- logs with names and lines of their own ---- */

/* One form, or several; without any, lines are those of line.h. */
static OpprofStatus read_forms(SimFacts *facts, OpprofError **error)
{
    if (OpprofChipFact(facts->chip, "simulator.logs.line") == NULL) {
        return OPPROF_OK;
    }
    facts->forms = calloc(1, sizeof *facts->forms);
    if (facts->forms == NULL) {
        return OpprofErrorNoMemory(error, "read the chip's file");
    }
    return SimFormsRead(facts->forms, &sim_form_lines, facts->chip, "simulator.logs.line", error);
}

static OpprofStatus read_logs(SimFacts *facts, OpprofError **error)
{
    if (OpprofChipFact(facts->chip, "simulator.logs") == NULL) {
        return OPPROF_OK;
    }
    facts->logs = calloc(1, sizeof *facts->logs);
    if (facts->logs == NULL) {
        return OpprofErrorNoMemory(error, "read the chip's file");
    }
    OpprofStatus status = SimLogNamesOf(facts->chip, facts->logs, error);
    return status == OPPROF_OK ? read_forms(facts, error) : status;
}

void SimFactsForgetLogs(SimFacts *facts)
{
    if (facts->logs != NULL) {
        SimLogNamesFinish(facts->logs);
    }
    if (facts->forms != NULL) {
        SimFormsFinish(facts->forms);
    }
    free(facts->logs);
    free(facts->forms);
    facts->logs = NULL;
    facts->forms = NULL;
}

static bool is_path(const char *text)
{
    return text != NULL && strchr(text, '/') != NULL;
}

static OpprofStatus read_forms_of_lines(SimFacts *facts, OpprofError **error)
{
    const OpprofChip *chip = facts->chip;
    OpprofStatus status =
        SimFormsRead(&facts->misses, &sim_form_misses, chip, "simulator.icache_miss", error);
    if (status == OPPROF_OK) {
        status = SimFormsRead(&facts->fetches, &sim_form_events, chip, "simulator.fetches", error);
    }
    if (status == OPPROF_OK) {
        status = SimFormsRead(&facts->issues, &sim_form_events, chip, "simulator.issues", error);
    }
    return status == OPPROF_OK ? read_logs(facts, error) : status;
}

/* Takes ownership of the chip; the caller frees it through the facts in any case. */
static OpprofStatus fill_facts(OpprofChip *chip, SimFacts *facts, OpprofError **error)
{
    const char *pair_by = text_or(chip, "simulator.pair_by", "pc");

    *facts =
        (SimFacts){ .chip = chip,
                    .hz = OpprofChipClock(chip, "core"),
                    .by_id = strcmp(pair_by, "id") == 0,
                    .has_logical_cores = OpprofChipBool(chip, "simulator.logical_cores", false),
                    .has_sub_cores = OpprofChipBool(chip, "simulator.guess.sub_cores", true),
                    .icache_file = OpprofChipText(chip, "simulator.icache_file"),
                    .ccu_file = OpprofChipText(chip, "simulator.ccu_file"),
                    .mte_file = OpprofChipText(chip, "simulator.mte_file"),
                    .ends = OpprofChipText(chip, "simulator.ends"),
                    .flags = OpprofChipText(chip, "simulator.flags") };
    if (facts->hz == 0) {
        return wrong_fact(chip, "clocks.core", "is missing", error);
    }
    if (!facts->by_id && strcmp(pair_by, "pc") != 0) {
        return wrong_fact(chip, "simulator.pair_by", "is neither \"pc\" nor \"id\"", error);
    }
    if (is_path(facts->icache_file)) {
        return wrong_fact(chip, "simulator.icache_file", "is not a file name", error);
    }
    if (is_path(facts->ccu_file)) {
        return wrong_fact(chip, "simulator.ccu_file", "is not a file name", error);
    }
    if (is_path(facts->mte_file)) {
        return wrong_fact(chip, "simulator.mte_file", "is not a file name", error);
    }
    if (facts->has_logical_cores) {
        facts->core_words =
            (PairingCoreWords){ .name = OpprofChipText(chip, "simulator.logical_core.name"),
                                .block = text_or(chip, "simulator.logical_core.block", ""),
                                .sub_block =
                                    text_or(chip, "simulator.logical_core.sub_block", "") };
        facts->single = OpprofChipText(chip, "simulator.logical_core.single");
    }
    OpprofStatus status = SimMarkFactsRead(chip, &facts->marks, error);
    if (status == OPPROF_OK) {
        status = SimtFormsRead(chip, &facts->threads, error);
    }
    return status == OPPROF_OK ? read_forms_of_lines(facts, error) : status;
}

OpprofStatus SimFactsLoad(const char *name, SimFacts *ret_facts, OpprofError **error)
{
    OpprofChip *chip = NULL;
    OpprofStatus status = OpprofChipLoad(name, &chip, error);

    *ret_facts = (SimFacts){ .chip = NULL };
    if (status != OPPROF_OK) {
        return status;
    }
    status = fill_facts(chip, ret_facts, error);
    if (status != OPPROF_OK) {
        SimFactsFinish(ret_facts);
    }
    return status;
}

void SimFactsFinish(SimFacts *facts)
{
    SimFactsForgetLogs(facts);
    SimMarkFactsFinish(&facts->marks);
    SimtFormsFinish(&facts->threads);
    SimFormsFinish(&facts->misses);
    SimFormsFinish(&facts->fetches);
    SimFormsFinish(&facts->issues);
    OpprofChipFree(facts->chip);
    *facts = (SimFacts){ .chip = NULL };
}

/* ---- guessing ---- */

/* A truth value that is absent fits anything. */
static bool fits(const OpprofChip *chip, const char *path, bool is_so)
{
    return OpprofChipBool(chip, path, is_so) == is_so;
}

static bool is_likely(const OpprofChip *chip, const SimClues *clues)
{
    return OpprofChipBool(chip, "simulator.guess.candidate", false) &&
           fits(chip, "simulator.guess.sub_cores", clues->has_sub_cores) &&
           fits(chip, "simulator.guess.ids", clues->has_ids) &&
           fits(chip, "simulator.guess.icache_log_suffix", clues->has_icache_log_suffix);
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
    }
    free(names);
}

/* Number of series that fit; *ret_series is a copy of the first one's name, to be freed. */
static OpprofStatus likely_series(const SimClues *clues, char **ret_series, size_t *ret_count,
                                  OpprofError **error)
{
    char **names = NULL;
    const size_t count = OpprofChipSeriesStating("simulator.guess.candidate", &names);
    OpprofStatus status = OPPROF_OK;

    *ret_series = NULL;
    *ret_count = 0;
    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        OpprofChip *chip = NULL;

        status = OpprofChipLoad(names[i], &chip, NULL);
        if (status == OPPROF_E_MEMORY) {
            OpprofErrorNoMemory(error, "guess the chip: load '%s'", names[i]);
            break;
        }
        if (status != OPPROF_OK) {
            status = OPPROF_OK;
            continue; /* a broken file is not a candidate */
        }
        if (is_likely(chip, clues) && (*ret_count)++ == 0) {
            *ret_series = strdup(names[i]);
            if (*ret_series == NULL) {
                status = OpprofErrorNoMemory(error, "guess the chip");
            }
        }
        OpprofChipFree(chip);
    }
    free_names(names, count);
    return status;
}

OpprofStatus SimFactsGuess(const SimClues *clues, SimFacts *ret_facts, OpprofError **error)
{
    char *series = NULL;
    size_t count = 0;
    OpprofStatus status = likely_series(clues, &series, &count, error);

    *ret_facts = (SimFacts){ .chip = NULL };
    if (status == OPPROF_OK && count == 1) {
        status = SimFactsLoad(series, ret_facts, error);
    } else if (status == OPPROF_OK) {
        status = OpprofErrorSet(
            error, OPPROF_E_NOT_FOUND,
            "Cannot tell which chip the dump is from: %s chip fits it (%s "
            "sub-cores in file names, %s instruction ids, %s icache_log.log)",
            count == 0 ? "no" : "more than one", clues->has_sub_cores ? "with" : "no",
            clues->has_ids ? "with" : "no", clues->has_icache_log_suffix ? "with" : "no");
        OpprofErrorHint(error, "Name the chip: --set chip=Ascend910B1, or another SoC name");
    }
    free(series);
    return status;
}

/* The series whose logs a directory has. */
typedef struct Guess {
    const char *directory;
    uint64_t max_file_size;
    SimFacts *facts; /* of the first */
    FoundCores *cores;
    size_t count;
    OpprofError *broken; /* why the first series that cannot be used cannot */
} Guess;

/* Checks one more series; its cores, if its logs exist. */
static OpprofStatus try_series(const char *name, Guess *guess, OpprofError **error)
{
    SimFacts its = { .chip = NULL };
    FoundCores found = { .count = 0 };
    OpprofError *why = NULL;
    OpprofStatus status = SimFactsLoad(name, &its, &why);

    if (status == OPPROF_E_MEMORY) {
        OpprofErrorPass(error, why);
        return status;
    }
    if (guess->broken == NULL) { /* a broken file is not a candidate */
        guess->broken = why;
    } else {
        OpprofErrorDestroy(why);
    }
    if (status != OPPROF_OK || its.logs == NULL) {
        SimFactsFinish(&its);
        return OPPROF_OK;
    }
    status = DiscoverNamed(guess->directory, its.logs, guess->max_file_size, &found, error);
    if (status == OPPROF_OK && guess->count++ == 0) {
        *guess->facts = its;
        *guess->cores = found;
        return OPPROF_OK;
    }
    if (status == OPPROF_E_NOT_FOUND && error != NULL) {
        OpprofErrorDestroy(*error);
        *error = NULL;
        status = OPPROF_OK;
    }
    SimFactsFinish(&its);
    FoundCoresFinish(&found);
    return status;
}

OpprofStatus SimFactsGuessByLogs(const char *directory, uint64_t max_file_size, SimFacts *ret_facts,
                                 FoundCores *ret_cores, OpprofError **error)
{
    char **names = NULL;
    const size_t series = OpprofChipSeriesStating("simulator.logs", &names);
    OpprofStatus status = OPPROF_OK;
    Guess guess = { .directory = directory,
                    .max_file_size = max_file_size,
                    .facts = ret_facts,
                    .cores = ret_cores };

    *ret_facts = (SimFacts){ .chip = NULL };
    *ret_cores = (FoundCores){ .count = 0 };
    for (size_t i = 0; i < series && status == OPPROF_OK; i++) {
        status = try_series(names[i], &guess, error);
    }
    free_names(names, series);
    if (status == OPPROF_OK && guess.count == 0 && guess.broken != NULL) {
        OpprofErrorPass(error, guess.broken);
        return OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                              "Dump directory '%s' has no core: no file in it has the name of a "
                              "dump file, and a chip file that may state other names is wrong",
                              directory);
    }
    OpprofErrorDestroy(guess.broken);
    if (status == OPPROF_OK && guess.count > 1) {
        status = OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                                "Cannot tell which chip the dump is from: the files of %zu chips "
                                "name the logs in '%s'",
                                guess.count, directory);
        OpprofErrorHint(error, "Name the chip: --set chip=NAME");
    }
    if (status != OPPROF_OK) {
        SimFactsFinish(ret_facts);
        FoundCoresFinish(ret_cores);
        return status;
    }
    return guess.count == 1 ? OPPROF_OK : OPPROF_E_NOT_FOUND;
}

/* ---- checking ---- */

/* Whether the truth value at `path` differs from what the dump shows; an absent value fits
 * anything. */
static bool differs(const SimFacts *facts, const char *path, bool is_known, bool is_so)
{
    return is_known && !fits(facts->chip, path, is_so);
}

/* A part that the dump has but the chip's dumps lack, or the reverse; NULL: none. */
static const char *difference(const SimFacts *facts, const SimClues *clues)
{
    if (differs(facts, "simulator.guess.sub_cores", true, clues->has_sub_cores)) {
        return clues->has_sub_cores ? "its files are named after sub-cores (core0.veccore0)"
                                    : "its files are not named after sub-cores (core0.veccore0)";
    }
    if (differs(facts, "simulator.guess.ids", clues->knows_ids, clues->has_ids)) {
        return clues->has_ids ? "its lines have instruction ids, '(ID: 000123)'"
                              : "its lines have no instruction ids, '(ID: 000123)'";
    }
    if (differs(facts, "simulator.guess.icache_log_suffix", clues->knows_icache,
                clues->has_icache_log_suffix)) {
        return clues->has_icache_log_suffix ? "its instruction-cache log is called *icache_log.log"
                                            : "no file in it is called *icache_log.log";
    }
    return NULL;
}

OpprofStatus SimFactsCheck(const SimFacts *facts, const SimClues *clues, OpprofError **error)
{
    const char *what = difference(facts, clues);

    if (what == NULL) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter chip: the dump is not one of %s (%s): %s",
                   OpprofChipSoc(facts->chip), OpprofChipSeries(facts->chip), what);
    OpprofErrorHint(error, "Leave the chip out to have it detected from the dump");
    return OPPROF_E_ARGUMENT;
}

/* ---- clues ---- */

/*
 * Whether one of the first records of a log has an id. A log that cannot be read shows nothing;
 * reading it reports why.
 */
static OpprofStatus look_for_ids(SimFiles *files, SimClues *clues, OpprofError **error)
{
    const SimPiece *piece = &files->pieces[0];
    SimSource source;
    OpprofError *reason = NULL;
    OpprofStatus status = SimSourceOpen(piece, &source, &reason);

    for (unsigned i = 0; i < LINES_LOOKED_AT && status == OPPROF_OK && !clues->has_ids; i++) {
        const char *text;
        size_t length;
        SimLine line;

        status = SimSourceNext(&source, &text, &length, &reason);
        if (status == OPPROF_OK && SimLineParse(text, length, &sim_watch_popped, &line)) {
            clues->knows_ids = true;
            clues->has_ids = line.id != OPPROF_NA_U64;
        }
    }
    SimSourceClose(&source);
    if (status == OPPROF_E_MEMORY) {
        OpprofErrorPass(error, reason);
        return status;
    }
    OpprofErrorDestroy(reason); /* the reader of the file says it */
    return OPPROF_OK;
}

OpprofStatus SimCluesRead(const FoundCores *cores, SimClues *ret_clues, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    *ret_clues =
        (SimClues){ .has_icache_log_suffix = cores->has_icache_log_suffix,
                    .knows_icache = cores->has_icache_log_suffix || cores->has_icache_log };
    for (uint32_t i = 0; i < cores->count; i++) {
        ret_clues->has_sub_cores |= cores->cores[i].has_sub;
    }
    for (uint32_t i = 0; i < cores->count && status == OPPROF_OK && !ret_clues->knows_ids; i++) {
        if (cores->cores[i].popped.count > 0) {
            status = look_for_ids(&cores->cores[i].popped, ret_clues, error);
        }
    }
    return status;
}
