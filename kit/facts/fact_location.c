/* SPDX-License-Identifier: Apache-2.0 */
/* Where a fact is, and what is wrong with it. Tested by tests/kit/facts/test_facts. */
#include "kit/facts/fact_location.h"

#include <opprof/grow.h>
#include <opprof/json.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MISTAKES 100

/* "/pmu/kinds/0" for people, "pmu.kinds[0]" for OpprofChipOrigin; as much as there is room for. */
static size_t print_way(const FactLocation *location, bool as_pointer, char *text, size_t size)
{
    const size_t used =
        location->above == NULL ? 0 : print_way(location->above, as_pointer, text, size);
    const char *before = as_pointer ? "/" : location->above == NULL ? "" : ".";

    if (used >= size) {
        return used;
    }
    const int length =
        location->key != NULL
            ? snprintf(text + used, size - used, "%s%s", before, location->key)
            : snprintf(text + used, size - used, as_pointer ? "/%zu" : "[%zu]", location->index);
    for (char *dot = text + used;
         as_pointer && location->is_path && (dot = strchr(dot, '.')) != NULL;) {
        *dot = '/';
    }
    return length < 0 ? used : used + (size_t) length;
}

void FactLocationPrint(const FactLocation *location, char *text, size_t size)
{
    print_way(location, false, text, size);
}

/* Whether the lines have one of `length` bytes. */
static bool has_line(const ChipMistakes *mistakes, const char *line, size_t length)
{
    const char *at = mistakes->lines;

    while (at != NULL) {
        if (strncmp(at, line, length) == 0 && (at[length] == '\n' || at[length] == '\0')) {
            return true;
        }
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
    return false;
}

static void add_line(ChipMistakes *mistakes, const char *line, size_t length)
{
    const size_t before = mistakes->lines == NULL ? 0 : 1;

    if (has_line(mistakes, line, length) || ++mistakes->count > MAX_MISTAKES) {
        return;
    }
    if (!OpprofGrow(&mistakes->lines, &mistakes->capacity, mistakes->size + before + length + 1,
                    1)) {
        mistakes->no_memory = true;
        return;
    }
    if (before > 0) {
        mistakes->lines[mistakes->size++] = '\n';
    }
    memcpy(mistakes->lines + mistakes->size, line, length + 1);
    mistakes->size += length;
}

static void refuse(FactChecker *checker, const FactLocation *location, const char *format,
                   va_list list)
{
    ChipMistakes *mistakes = checker->mistakes;
    char *sentence = NULL;
    char *line = NULL;
    char pointer[FACT_MAX_PLACE], place[FACT_MAX_PLACE];

    print_way(location, true, pointer, sizeof pointer);
    print_way(location, false, place, sizeof place);
    const char *file = OpprofChipOrigin(checker->chip, place);
    if (vasprintf(&sentence, format, list) < 0) {
        mistakes->count++;
        mistakes->no_memory = true;
        return;
    }
    const int length = asprintf(&line, "%s%s%s: %s", file == NULL ? "" : file,
                                file == NULL ? "" : " at ", pointer, sentence);
    free(sentence);
    if (length < 0) {
        mistakes->count++;
        mistakes->no_memory = true;
        return;
    }
    add_line(mistakes, line, (size_t) length);
    free(line);
}

void FactLocationRefuse(FactChecker *checker, const FactLocation *location, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    refuse(checker, location, format, list);
    va_end(list);
}

void FactLocationPass(FactChecker *checker, const FactLocation *location, const OpprofError *error)
{
    const char *hint = OpprofErrorGetHint(error);

    if (OpprofErrorStatus(error) == OPPROF_E_MEMORY) {
        checker->mistakes->no_memory = true;
        return;
    }
    FactLocationRefuse(checker, location, "%s%s%s", OpprofErrorLine(error),
                       hint != NULL ? ". " : "", hint != NULL ? hint : "");
}

void FactLocationRefuseName(FactChecker *checker, const FactLocation *location, const char *what,
                            const char *name, const FactNames *names)
{
    const char *nearest = OpprofNearestName(name, names->names, names->count);

    FactLocationRefuse(checker, location, "%s '%s'%s%s%s", what, name,
                       nearest != NULL ? ". Did you mean '" : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? "'?" : "");
}

OpprofStatus ChipMistakesReport(ChipMistakes *mistakes, const OpprofChip *chip, OpprofError **error)
{
    char *lines = mistakes->lines;
    char *line;
    OpprofStatus status = OPPROF_OK;

    if (mistakes->no_memory) {
        status = OpprofErrorNoMemory(error, "check the chip '%s'", OpprofChipSoc(chip));
    } else if (mistakes->count > 0) {
        while ((line = strrchr(lines, '\n')) != NULL) {
            OpprofErrorSet(error, OPPROF_E_DATA, "%s", line + 1);
            *line = '\0';
        }
        OpprofErrorSet(error, OPPROF_E_DATA, "%s", lines);
        status =
            OpprofErrorSet(error, OPPROF_E_DATA, "The facts of chip '%s' have %zu mistake%s",
                           OpprofChipSoc(chip), mistakes->count, mistakes->count == 1 ? "" : "s");
        OpprofErrorHint(error, "docs/chips describes chip files");
    }
    free(lines);
    *mistakes = (ChipMistakes){ .count = 0 };
    return status;
}
