/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the databases of two results, and reads them for their comparison. Tested by
 * tests/compare/test_diff.sh.
 */
#include "load.h"

#include "labels.h"
#include "describe.h"
#include "rows.h"

#include <opprof/grow.h>
#include <opprof/results.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- which databases ---- */

static bool is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Takes the path. */
static bool add_database(DiffSide *side, char *path)
{
    if (path == NULL ||
        !OpprofGrow32(&side->databases, &side->capacity, side->runs + 1, sizeof *side->databases)) {
        free(path);
        return false;
    }
    side->databases[side->runs++] = path;
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    return strverscmp(*(char *const *) a, *(char *const *) b);
}

/*
 * A run that left no database would be missing among the repetitions. Takes the path, where the
 * database should be.
 */
static OpprofStatus add_run(DiffSide *side, const char *folder, char *path, OpprofError **error)
{
    char *record = NULL;

    if (is_file(path)) {
        return add_database(side, path) ? OPPROF_OK : DiffNoMemory(error);
    }
    free(path);
    if (asprintf(&record, "%s/%s/run.json", side->path, folder) < 0) {
        return DiffNoMemory(error);
    }
    const bool is_run = is_file(record);

    free(record);
    if (!is_run) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "The run in '%s/%s' has left no " OPPROF_RESULTS_FILE,
                   side->path, folder);
    OpprofErrorHint(error, "It was stopped, or its pipeline has no exporter 'sqlite'; to compare "
                           "the other runs, move it elsewhere");
    return OPPROF_E_NOT_FOUND;
}

static OpprofStatus read_folder(DiffSide *side, DIR *folder, OpprofError **error)
{
    const struct dirent *entry;
    OpprofStatus status = OPPROF_OK;

    for (errno = 0; status == OPPROF_OK && (entry = readdir(folder)) != NULL; errno = 0) {
        char *path = NULL;

        if (entry->d_name[0] == '.') {
            continue;
        }
        if (asprintf(&path, "%s/%s/" OPPROF_RESULTS_FILE, side->path, entry->d_name) < 0) {
            return DiffNoMemory(error);
        }
        status = add_run(side, entry->d_name, path, error);
        if (status == OPPROF_OK && side->runs > DIFF_RUNS_MAX) {
            status = OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                    "'%s' has more than %u runs, the most that can be compared",
                                    side->path, DIFF_RUNS_MAX);
        }
    }
    return status == OPPROF_OK && errno != 0
               ? OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", side->path)
               : status;
}

/* Folders of runs in a folder. */
static OpprofStatus add_runs(DiffSide *side, OpprofError **error)
{
    DIR *folder = opendir(side->path);
    OpprofStatus status;

    if (folder == NULL) {
        return errno == ENOTDIR
                   ? OPPROF_OK
                   : OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", side->path);
    }
    status = read_folder(side, folder, error);
    closedir(folder);
    if (side->runs > 0) {
        qsort(side->databases, side->runs, sizeof *side->databases, compare_paths);
    }
    return status;
}

static OpprofStatus find_side(DiffSide *side, OpprofError **error)
{
    char *inside = NULL;
    OpprofStatus status = OPPROF_OK;

    if (is_file(side->path)) {
        status = add_database(side, strdup(side->path)) ? OPPROF_OK : DiffNoMemory(error);
    } else if (asprintf(&inside, "%s/" OPPROF_RESULTS_FILE, side->path) < 0) {
        return DiffNoMemory(error);
    } else if (is_file(inside)) {
        status = add_database(side, inside) ? OPPROF_OK : DiffNoMemory(error);
    } else {
        free(inside);
        status = add_runs(side, error);
    }
    if (status == OPPROF_OK && side->runs == 0) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "There are no results in '%s'", side->path);
        OpprofErrorHint(error, "Name a folder with a " OPPROF_RESULTS_FILE
                               ", which the ready pipelines write, "
                               "or a folder of such folders");
        return OPPROF_E_NOT_FOUND;
    }
    return status;
}

/* ---- advice ---- */

/*
 * Topic, subject and sentence, which are tame, with a line end between them. NULL without memory.
 */
static char *key_of(const DiffAdvice *advice)
{
    char *key = NULL;

    return asprintf(&key, "%s\n%s\n%s", advice->topic, advice->subject, advice->sentence) < 0 ? NULL
                                                                                              : key;
}

/* The advice that says the same; NULL without memory. Takes what is in `advice`. */
static DiffAdvice *find_advice(DiffAdviceList *all, DiffAdvice advice)
{
    const bool is_whole = advice.topic != NULL && advice.subject != NULL && advice.sentence != NULL;
    char *key = is_whole ? key_of(&advice) : NULL;
    const uint32_t at =
        key == NULL ? OPPROF_MAP_NONE : OpprofTextMapFind(&all->index, key, strlen(key));
    DiffAdvice *found = at == OPPROF_MAP_NONE ? NULL : &all->list[at];

    if (key != NULL && found == NULL &&
        OpprofGrow32(&all->list, &all->capacity, all->count + 1, sizeof *all->list) &&
        OpprofTextMapPut(&all->index, key, strlen(key), all->count, NULL)) {
        found = &all->list[all->count++];
        *found = advice;
        advice = (DiffAdvice){ .topic = NULL };
    }
    free(advice.topic);
    free(advice.subject);
    free(advice.sentence);
    free(key);
    return found;
}

/*
 * Add the advice of a run, which may have none. The run's number is among those of both sides; runs
 * come in this order.
 */
static OpprofStatus read_advice(DiffAdviceList *all, OpprofResults *results, int side, uint32_t run,
                                OpprofError **error)
{
    OpprofResultsRows *rows;
    OpprofStatus status = OpprofResultsReadPart(results, OPPROF_RESULTS_ADVICE, &rows, error);

    while (status == OPPROF_OK && (status = OpprofResultsNext(rows, error)) == OPPROF_OK) {
        const OpprofAdviceText text = OpprofResultsAdviceOf(rows);
        DiffAdvice *advice = find_advice(all, (DiffAdvice){ .severity = text.severity,
                                                            .topic = DiffTame(text.topic),
                                                            .subject = DiffTame(text.subject),
                                                            .sentence = DiffTame(text.sentence) });

        if (advice == NULL) {
            status = DiffNoMemory(error);
        } else {
            advice->runs[side] += advice->last != run + 1;
            advice->last = run + 1;
        }
    }
    OpprofResultsRowsFree(rows);
    return status == OPPROF_END ? OPPROF_OK : status;
}

/* ---- reading ---- */

/* What runs are opened for, one after the other. */
typedef enum Visit { VISIT_TABLES, VISIT_LABELS, VISIT_ROWS } Visit;

static OpprofStatus visit_run(DiffData *data, Visit visit, uint32_t run, OpprofError **error)
{
    const bool for_rows = visit == VISIT_ROWS;
    const uint32_t before = data->sides[0].runs;
    const int side = run >= before;
    const char *path = data->sides[side].databases[side == 0 ? run : run - before];
    OpprofResults *results;
    OpprofStatus status = OpprofResultsOpen(path, NULL, &results, error);

    if (status == OPPROF_OK && visit == VISIT_LABELS) {
        status = DiffLabelsNote(data, results, side, error);
    }
    if (status == OPPROF_OK && visit == VISIT_TABLES) {
        status = DiffDescribe(data, results, &data->sides[side], error);
    }
    if (status == OPPROF_OK && for_rows) {
        status = read_advice(&data->advice, results, side, run, error);
    }
    for (uint32_t i = 0; for_rows && status == OPPROF_OK && i < data->table_count; i++) {
        status = DiffRowsLoad(data, i, results, run, error);
    }
    OpprofResultsClose(results);
    return status;
}

static OpprofStatus visit_runs(DiffData *data, Visit visit, OpprofError **error)
{
    const uint32_t runs = data->sides[0].runs + data->sides[1].runs;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t run = 0; status == OPPROF_OK && run < runs; run++) {
        status = visit_run(data, visit, run, error);
    }
    return status;
}

OpprofStatus DiffDataLoad(DiffData *data, const char *a, const char *b, OpprofError **error)
{
    OpprofStatus status;

    *data = (DiffData){ .sides = { { .path = a, .is_complete = true },
                                   { .path = b, .is_complete = true } } };
    status = find_side(&data->sides[0], error);
    if (status == OPPROF_OK) {
        status = find_side(&data->sides[1], error);
    }
    if (status == OPPROF_OK) {
        status = visit_runs(data, VISIT_TABLES, error);
    }
    DiffTablesSettle(data);
    if (status == OPPROF_OK) {
        status = visit_runs(data, VISIT_LABELS, error);
    }
    if (status == OPPROF_OK && !DiffLabelsPair(data)) {
        status = DiffNoMemory(error);
    }
    return status == OPPROF_OK ? visit_runs(data, VISIT_ROWS, error) : status;
}
