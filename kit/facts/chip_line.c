/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files make a chip: the one that serves it, those that it extends, and the facts that they
 * use. Tested by tests/kit/facts/test_chip.
 */
#include "kit/facts/chip_line.h"

#include <opprof/log.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const char *text_of(const ChipFile *file, const char *key)
{
    return json_string_value(json_object_get(file->root, key));
}

static bool is_named(const ChipFile *file, const char *key, const char *name)
{
    const char *text = file->fault == NULL ? text_of(file, key) : NULL;

    return text != NULL && strcasecmp(text, name) == 0;
}

static bool contains(const ChipLine *line, const ChipFile *file)
{
    for (size_t i = 0; i < line->count; i++) {
        if (line->file[i] == file) {
            return true;
        }
    }
    return false;
}

static OpprofStatus add(ChipLine *line, const ChipFile *file, size_t most, OpprofError **error)
{
    if (line->count == most) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Chip file '%s' at '/%s': more than %zu files %s",
                              line->file[0]->path, most == CHIP_LINE_MAX ? "uses" : "extends", most,
                              most == CHIP_LINE_MAX ? "make the chip" : "extend one another");
    }
    line->file[line->count++] = file;
    return OPPROF_OK;
}

/* ---- shared facts ---- */

static const ChipFile *find_facts(const ChipFiles *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++) {
        if (is_named(&files->file[i], "name", name)) {
            return &files->file[i];
        }
    }
    return NULL;
}

static OpprofStatus add_facts(ChipFiles *files, const ChipFile *user, const char *name,
                              ChipLine *line, OpprofError **error)
{
    OpprofStatus status = ChipFilesReadFacts(files, name, error);
    const ChipFile *facts = find_facts(files, name);

    if (status == OPPROF_OK && facts == NULL) {
        status = ChipFilesRead(files, error);
        facts = find_facts(files, name);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (facts == NULL) {
        OpprofLog(OPPROF_LOG_WARNING, "chips",
                  "Chip file '%s' uses the facts '%s', which no file has, going on without them",
                  user->path, name);
        return OPPROF_OK;
    }
    return contains(line, facts) ? OPPROF_OK : add(line, facts, CHIP_LINE_MAX, error);
}

/* Facts may use facts in turn; these follow them in the line, too. */
static OpprofStatus add_used(ChipFiles *files, ChipLine *line, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < line->count; i++) {
        const json_t *names = json_object_get(line->file[i]->root, "uses");

        for (size_t k = 0; status == OPPROF_OK && k < json_array_size(names); k++) {
            status = add_facts(files, line->file[i], json_string_value(json_array_get(names, k)),
                               line, error);
        }
    }
    return status;
}

/* ---- descent ---- */

/*
 * The file that the last of `line` extends. A file may extend one of its own series: so a directory
 *of the user's own can change some facts of an installed chip.
 */
static const ChipFile *parent_among(const ChipFiles *files, const ChipLine *line,
                                    const char *wanted, bool *ret_is_circular)
{
    *ret_is_circular = false;
    for (size_t i = 0; i < files->count; i++) {
        const ChipFile *file = &files->file[i];

        if (is_named(file, "series", wanted) && !contains(line, file)) {
            return file;
        }
        *ret_is_circular |= is_named(file, "series", wanted);
    }
    return *ret_is_circular ? NULL : find_facts(files, wanted);
}

static OpprofStatus find_parent(ChipFiles *files, const ChipLine *line, const char *wanted,
                                const ChipFile **ret_parent, OpprofError **error)
{
    bool is_circular;
    OpprofStatus status = ChipFilesReadNamed(files, wanted, error);

    *ret_parent = parent_among(files, line, wanted, &is_circular);
    if (status == OPPROF_OK && *ret_parent == NULL) {
        status = ChipFilesRead(files, error);
        *ret_parent = parent_among(files, line, wanted, &is_circular);
    }
    if (status != OPPROF_OK || *ret_parent != NULL) {
        return status;
    }
    if (!is_circular) {
        ChipFilesReportFaults(files, error);
    }
    return OpprofErrorSet(error, OPPROF_E_DATA, "Chip file '%s' at '/extends': %s '%s'%s",
                          line->file[line->count - 1]->path,
                          is_circular ? "the series" : "no chip file has the series", wanted,
                          is_circular ? " extends this one in turn" : "");
}

OpprofStatus ChipLineFind(ChipFiles *files, const ChipFile *file, ChipLine *ret_line,
                          OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    *ret_line = (ChipLine){ .file = { file }, .count = 1 };
    for (const ChipFile *at = file; status == OPPROF_OK && text_of(at, "extends") != NULL;) {
        status = find_parent(files, ret_line, text_of(at, "extends"), &at, error);
        if (status == OPPROF_OK) {
            status = add(ret_line, at, CHIP_LINE_EXTENDED, error);
        }
    }
    return status == OPPROF_OK ? add_used(files, ret_line, error) : status;
}
