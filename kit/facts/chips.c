/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chips of the installed files: finds the file that serves a SoC, keeps what was read, and
 * checks facts. Tested by tests/kit/facts/test_chip.
 */
#include "kit/facts/chip.h"
#include "kit/facts/fact_bind.h"
#include "kit/facts/pmu_facts.h"
#include "kit/metrics/metrics.h"
#include <opprof/json.h>

#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/require.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * The chip files of one value of the search path, each read when it is first needed, and the chips
 * made of them. Both stay as they are until the process ends or ChipsForget is called: reading
 * twice would cost most of a small run.
 */
typedef struct Library {
    struct Library *next;
    char *places;
    ChipFiles files;
    OpprofChip *chips; /* each is used by the library itself, too */
} Library;

/* Guards everything that follows and the counts of users. A leaf, but for the log. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Library *libraries;

/* A SoC in the file that serves it. */
typedef struct Match {
    const ChipFile *file;
    const char *soc; /* as the file spells it; NULL: nothing found */
} Match;

/* ---- finding ---- */

static const char *member_text(const ChipFile *file, const char *key)
{
    return json_string_value(json_object_get(file->root, key));
}

static bool is_series(const ChipFile *file, const char *name)
{
    const char *series = member_text(file, "series");
    return series != NULL && strcasecmp(series, name) == 0;
}

/* The SoC of that name as the file spells it; without a name the first. */
static const char *soc_in_file(const ChipFile *file, const char *name)
{
    const char *key;
    json_t *value;

    json_object_foreach(json_object_get(file->root, "socs"), key, value)
    {
        (void) value;
        if (!OpprofJsonIsComment(key) && (name == NULL || strcasecmp(key, name) == 0)) {
            return key;
        }
    }
    return NULL;
}

static const char *default_soc(const ChipFile *file)
{
    const char *name = member_text(file, "default_soc");
    return soc_in_file(file, name);
}

/* Among the good files or among the broken ones: SoC names first, then series. */
static Match find(const ChipFiles *files, const char *name, bool broken)
{
    for (int as_series = 0; as_series <= 1; as_series++) {
        for (size_t i = 0; i < files->count; i++) {
            const ChipFile *file = &files->file[i];
            if ((file->fault != NULL) != broken || (as_series && !is_series(file, name))) {
                continue;
            }
            const char *soc = as_series ? default_soc(file) : soc_in_file(file, name);
            if (soc != NULL) {
                return (Match){ .file = file, .soc = soc };
            }
        }
    }
    return (Match){ 0 };
}

/* ---- what cannot be found ---- */

/* Every SoC and series name of the good files. To be freed, but not the names. */
static const char **all_names(const ChipFiles *files, bool with_series, size_t *ret_count)
{
    size_t most = 1;
    size_t count = 0;

    for (size_t i = 0; i < files->count; i++) {
        most += 1 + json_object_size(json_object_get(files->file[i].root, "socs"));
    }
    const char **names = calloc(most, sizeof *names);
    for (size_t i = 0; names != NULL && i < files->count; i++) {
        const ChipFile *file = &files->file[i];
        const char *key;
        json_t *value;
        if (file->fault != NULL) {
            continue;
        }
        /* A file without SoCs exists for others to extend. */
        if (with_series && json_object_size(json_object_get(file->root, "socs")) > 0) {
            names[count++] = member_text(file, "series");
        }
        json_object_foreach(json_object_get(file->root, "socs"), key, value)
        {
            (void) value;
            if (!OpprofJsonIsComment(key)) {
                names[count++] = key;
            }
        }
    }
    *ret_count = count;
    return names;
}

static void hint_at_names(const ChipFiles *files, const char *name, OpprofError **error)
{
    size_t count = 0;
    const char **names = all_names(files, true, &count);
    const char *nearest = names == NULL ? NULL : OpprofNearestName(name, names, count);
    char *places = ChipFilesPlaces();

    if (nearest != NULL) {
        OpprofErrorHint(error, "Did you mean '%s'?", nearest);
    } else if (count > 0) {
        OpprofErrorHint(error,
                        "Name a SoC such as '%s'; add chips of your own with OPPROF_CHIP_PATH",
                        names[count - 1]);
    } else {
        OpprofErrorHint(error,
                        "There is no chip file in '%s'; set OPPROF_CHIP_PATH to where they are",
                        places == NULL ? "" : places);
    }
    free(places);
    free(names);
}

static OpprofStatus refuse_unknown(const ChipFiles *files, const char *name, OpprofError **error)
{
    const Match broken = find(files, name, true);

    if (broken.file != NULL) {
        ChipFileReportFault(broken.file, error);
        return OpprofErrorSet(error, OPPROF_E_DATA, "Cannot load the chip '%s': its file is broken",
                              name);
    }
    const size_t faults = ChipFilesReportFaults(files, error);
    if (faults == 0) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "No chip file serves '%s'", name);
    } else {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                       "No chip file serves '%s', but %zu of %zu are broken", name, faults,
                       files->count);
    }
    hint_at_names(files, name, error);
    return OPPROF_E_NOT_FOUND;
}

static void warn_about_broken(ChipFiles *files)
{
    for (size_t i = 0; i < files->count; i++) {
        ChipFile *file = &files->file[i];

        if (file->fault != NULL && !file->is_warned) {
            file->is_warned = true;
            OpprofLog(OPPROF_LOG_WARNING, "chips", "%s, going on without this file",
                      OpprofErrorLine(file->fault));
        }
    }
}

/* ---- what was read ---- */

static void drop_use(OpprofChip *chip)
{
    if (--chip->users == 0) {
        MetricFormulasFree(chip->formulas);
        ChipDestroy(chip);
    }
}

static void free_library(Library *library)
{
    while (library->chips != NULL) {
        OpprofChip *chip = library->chips;
        library->chips = chip->next;
        drop_use(chip);
    }
    ChipFilesFree(&library->files);
    free(library->places);
    free(library);
}

static OpprofStatus read_library(char *places, Library **ret_library, OpprofError **error)
{
    Library *library = calloc(1, sizeof *library);

    if (library == NULL) {
        free(places);
        return OpprofErrorNoMemory(error, "read chip files");
    }
    library->places = places;
    OpprofStatus status = ChipFilesLoad(&library->files, error);
    if (status != OPPROF_OK) {
        free_library(library);
        return status;
    }
    library->next = libraries;
    libraries = library;
    *ret_library = library;
    return OPPROF_OK;
}

/* The library of today's search path. To be called with the lock. */
static OpprofStatus find_library(Library **ret_library, OpprofError **error)
{
    char *places = ChipFilesPlaces();

    if (places == NULL) {
        return OpprofErrorNoMemory(error, "read chip files");
    }
    for (Library *at = libraries; at != NULL; at = at->next) {
        if (strcmp(at->places, places) == 0) {
            free(places);
            *ret_library = at;
            return OPPROF_OK;
        }
    }
    return read_library(places, ret_library, error);
}

void ChipsForget(void)
{
    pthread_mutex_lock(&lock);
    while (libraries != NULL) {
        Library *next = libraries->next;
        free_library(libraries);
        libraries = next;
    }
    pthread_mutex_unlock(&lock);
}

OpprofStatus ChipsRawSources(RawSource **ret_sources, size_t *ret_count, OpprofError **error)
{
    Library *library = NULL;
    size_t count = 0;

    *ret_sources = NULL;
    *ret_count = 0;
    pthread_mutex_lock(&lock);
    OpprofStatus status = find_library(&library, error);
    if (status == OPPROF_OK) {
        status = ChipFilesReadSection(&library->files, "raw", error);
    }
    if (status == OPPROF_OK) {
        *ret_sources = calloc(library->files.count + 1, sizeof **ret_sources);
        status = *ret_sources == NULL ? OpprofErrorNoMemory(error, "read chip files") : OPPROF_OK;
    }
    for (size_t i = 0; *ret_sources != NULL && i < library->files.count; i++) {
        ChipFile *file = &library->files.file[i];
        if (json_is_object(json_object_get(file->root, "raw"))) {
            const char *series = member_text(file, "series");
            (*ret_sources)[count++] = (RawSource){ .series = series == NULL ? NULL : strdup(series),
                                                   .raw = json_object_get(file->root, "raw") };
        }
    }
    pthread_mutex_unlock(&lock);
    *ret_count = count;
    return status;
}

static bool is_before(const ChipFiles *files, size_t place, const char *path)
{
    for (size_t i = place + 1; i < files->count; i++) {
        if (strcmp(files->file[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* A broken file that is looked at before one of the chip's own, and may be what the user wanted in
 * its place. */
static const ChipFile *find_hiding(const ChipFiles *files, const OpprofChip *chip)
{
    for (size_t i = 0; i < files->count; i++) {
        const ChipFile *file = &files->file[i];

        for (size_t k = 0; file->fault != NULL && k < chip->origin_count; k++) {
            const ChipOrigin *origin = &chip->origins[k];
            const char *series = json_string_value(json_object_get(origin->root, "series"));
            const char *name = json_string_value(json_object_get(origin->root, "name"));

            if (is_before(files, i, origin->path) &&
                ChipFileMayBe(file, series, k == 0 ? chip->soc : NULL, name)) {
                return file;
            }
        }
    }
    return NULL;
}

/* Other facts than those that the user wrote would make other numbers, without a word. */
static OpprofStatus refuse_hidden(const ChipFiles *files, const OpprofChip *chip,
                                  OpprofError **error)
{
    const ChipFile *file = find_hiding(files, chip);

    if (file == NULL) {
        return OPPROF_OK;
    }
    ChipFileReportFault(file, error);
    OpprofErrorSet(error, OPPROF_E_DATA,
                   "Cannot load the chip '%s': '%s' comes before its other files and may state its "
                   "facts, but is broken",
                   chip->soc, file->path);
    OpprofErrorHint(error,
                    "Correct the file, or move it out of the directories of OPPROF_CHIP_PATH");
    return OPPROF_E_DATA;
}

/* The chip of a SoC, made unless it was. */
static OpprofStatus find_chip(Library *library, Match match, OpprofChip **ret_chip,
                              OpprofError **error)
{
    for (OpprofChip *at = library->chips; at != NULL; at = at->next) {
        if (at->file == match.file && strcmp(at->soc, match.soc) == 0) {
            *ret_chip = at;
            return OPPROF_OK;
        }
    }
    OpprofChip *chip = NULL;
    OpprofStatus status = ChipMake(&library->files, match.file, match.soc, &chip, error);
    if (status == OPPROF_OK &&
        (status = MetricFormulasCreate(chip, &chip->formulas, error)) != OPPROF_OK) {
        ChipDestroy(chip);
    }
    if (status == OPPROF_OK) {
        chip->file = match.file;
        chip->users = 1;
        chip->next = library->chips;
        library->chips = chip;
        OpprofLog(OPPROF_LOG_INFO, "chips", "Chose '%s' of series '%s': %s", chip->soc,
                  chip->series, match.file->path);
        *ret_chip = chip;
    }
    return status;
}

static OpprofStatus load(const char *name, OpprofChip **ret_chip, OpprofError **error)
{
    Library *library = NULL;
    OpprofStatus status = find_library(&library, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = ChipFilesReadNamed(&library->files, name, error);
    if (status != OPPROF_OK) {
        return status;
    }
    Match match = find(&library->files, name, false);
    if (match.file == NULL) {
        status = ChipFilesRead(&library->files, error);
        match = find(&library->files, name, false);
    }
    if (status != OPPROF_OK || match.file == NULL) {
        return status != OPPROF_OK ? status : refuse_unknown(&library->files, name, error);
    }
    OpprofChip *chip = NULL;
    status = find_chip(library, match, &chip, error);
    warn_about_broken(&library->files);
    if (status == OPPROF_OK) {
        status = refuse_hidden(&library->files, chip, error);
    }
    if (status == OPPROF_OK) {
        chip->users++;
        *ret_chip = chip;
    }
    return status;
}

/* ---- tables of facts ---- */

#define MAX_TABLES 256

typedef struct Tables {
    const OpprofChipTable *list[MAX_TABLES];
    size_t count;
    size_t modules;
} Tables;

/* Several modules of a family may declare the same path: one is enough. */
static void add_tables(Tables *tables, const OpprofChipTable *table)
{
    for (; table != NULL && table->path != NULL && tables->count < MAX_TABLES; table++) {
        bool is_known = false;

        for (size_t i = 0; i < tables->count; i++) {
            is_known = is_known || strcmp(tables->list[i]->path, table->path) == 0;
        }
        if (!is_known) {
            tables->list[tables->count++] = table;
        }
    }
}

static void add_module(void *context, const OpprofPlugin *plugin)
{
    Tables *tables = context;

    tables->modules++;
    add_tables(tables, plugin->chip_tables);
}

/* With the lock held. Again only when more modules have come. */
static OpprofStatus check_facts(OpprofChip *chip, OpprofError **error)
{
    Tables tables = { .modules = 1 }; /* the kit */
    ChipMistakes mistakes = { .count = 0 };
    FactChecker checker = { .chip = chip, .mistakes = &mistakes };

    add_tables(&tables, kit_chip_tables);
    OpprofPluginVisitUsed(add_module, &tables);
    if (chip->checked == tables.modules) {
        return OPPROF_OK;
    }
    for (size_t i = 0; i < tables.count; i++) {
        FactTableCheck(&checker, tables.list[i]->path, tables.list[i]->table);
    }
    const OpprofStatus status = ChipMistakesReport(&mistakes, chip, error);
    chip->checked = status == OPPROF_OK ? tables.modules : chip->checked;
    return status;
}

OpprofStatus OpprofChipLoad(const char *name, OpprofChip **ret_chip, OpprofError **error)
{
    OPPROF_REQUIRE("chip-name-given", name != NULL, "The chip has a name");
    OPPROF_REQUIRE("chip-result-given", ret_chip != NULL, "The result pointer is given");
    *ret_chip = NULL;
    pthread_mutex_lock(&lock);
    OpprofStatus status = load(name, ret_chip, error);
    if (status == OPPROF_OK && (status = check_facts(*ret_chip, error)) != OPPROF_OK) {
        drop_use(*ret_chip);
        *ret_chip = NULL;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

OpprofStatus OpprofChipCheck(const char *name, OpprofError **error)
{
    OPPROF_REQUIRE("chip-name-given", name != NULL, "The chip has a name");

    OpprofChip *chip = NULL;

    if (strcasecmp(name, "auto") == 0) {
        return OPPROF_OK;
    }
    const OpprofStatus status = OpprofChipLoad(name, &chip, error);
    OpprofChipFree(chip);
    return status;
}

void OpprofChipFree(OpprofChip *chip)
{
    if (chip != NULL) {
        pthread_mutex_lock(&lock);
        drop_use(chip);
        pthread_mutex_unlock(&lock);
    }
}

/* ---- list ---- */

static int by_text(const void *a, const void *b)
{
    const char *const *x = a;
    const char *const *y = b;
    const int order = strcasecmp(*x, *y);
    return order != 0 ? order : strcmp(*x, *y);
}

/* Sorted copies without repetitions; NULL without memory. */
static char **copy_names(const char **names, size_t *count)
{
    char **copies = calloc(*count, sizeof *copies);
    size_t kept = 0;

    qsort(names, *count, sizeof *names, by_text);
    for (size_t i = 0; copies != NULL && i < *count; i++) {
        if (i > 0 && strcasecmp(names[i], names[i - 1]) == 0) {
            continue;
        }
        copies[kept] = strdup(names[i]);
        if (copies[kept++] == NULL) {
            while (kept > 0) {
                free(copies[--kept]);
            }
            free(copies);
            return NULL;
        }
    }
    *count = kept;
    return copies;
}

/* The series of the good files; the array is to be freed, the names are the files'. */
static const char **all_series(const ChipFiles *files, size_t *ret_count)
{
    const char **names = calloc(files->count + 1, sizeof *names);

    *ret_count = 0;
    for (size_t i = 0; names != NULL && i < files->count; i++) {
        const char *series = member_text(&files->file[i], "series");
        if (files->file[i].fault == NULL && series != NULL) {
            names[(*ret_count)++] = series;
        }
    }
    return names;
}

/* The files that may state something. */
static const char **series_stating(ChipFiles *files, const char *path, size_t *ret_count)
{
    const char **names = calloc(files->count + 1, sizeof *names);
    bool *marks = calloc(files->count + 1, sizeof *marks);

    *ret_count = 0;
    if (names != NULL && marks != NULL &&
        ChipFilesFindStating(files, path, marks, NULL) == OPPROF_OK) {
        for (size_t i = 0; i < files->count; i++) {
            const char *series = member_text(&files->file[i], "series");
            if (marks[i] && files->file[i].fault == NULL && series != NULL) {
                names[(*ret_count)++] = series;
            }
        }
    }
    free(marks);
    return names;
}

static size_t list(bool as_series, char ***ret_names)
{
    Library *library = NULL;
    size_t count = 0;
    const char **names = NULL;

    *ret_names = NULL;
    pthread_mutex_lock(&lock);
    if (find_library(&library, NULL) == OPPROF_OK &&
        ChipFilesRead(&library->files, NULL) == OPPROF_OK) {
        names = as_series ? all_series(&library->files, &count)
                          : all_names(&library->files, false, &count);
    }
    if (names != NULL && count > 0) {
        *ret_names = copy_names(names, &count);
    }
    free(names);
    pthread_mutex_unlock(&lock);
    return *ret_names == NULL ? 0 : count;
}

size_t OpprofChipList(char ***ret_names)
{
    OPPROF_REQUIRE("chip-result-given", ret_names != NULL, "The result pointer is given");
    return list(false, ret_names);
}

size_t OpprofChipSeriesList(char ***ret_names)
{
    OPPROF_REQUIRE("chip-result-given", ret_names != NULL, "The result pointer is given");
    return list(true, ret_names);
}

size_t OpprofChipSeriesStating(const char *path, char ***ret_names)
{
    OPPROF_REQUIRE("chip-path-given", path != NULL, "The path of a fact is a text");
    OPPROF_REQUIRE("chip-result-given", ret_names != NULL, "The result pointer is given");

    Library *library = NULL;
    size_t count = 0;
    const char **names = NULL;

    *ret_names = NULL;
    pthread_mutex_lock(&lock);
    if (find_library(&library, NULL) == OPPROF_OK) {
        names = series_stating(&library->files, path, &count);
    }
    if (names != NULL && count > 0) {
        *ret_names = copy_names(names, &count);
    }
    free(names);
    pthread_mutex_unlock(&lock);
    return *ret_names == NULL ? 0 : count;
}
