/* SPDX-License-Identifier: Apache-2.0 */
/* Names the file and member of a fact that is wrong. Tested by tests/kit/facts/test_chip. */
#include <opprof/kit/chip.h>

#include <opprof/require.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_PATH 256
#define MAX_WHAT 512

/* "/pmu/rounds/3/tile" of "pmu.rounds[3].tile". */
static void print_pointer(const char *path, char *text, size_t size)
{
    size_t used = 0;

    text[used++] = '/';
    for (; *path != '\0' && used + 1 < size; path++) {
        if (*path != ']') {
            text[used++] = *path == '.' || *path == '[' ? '/' : *path;
        }
    }
    text[used] = '\0';
}

/* The file that states the nearest member around the path; NULL: none. */
static const char *file_of(const OpprofChip *chip, const char *path)
{
    char around[MAX_PATH];
    const char *file = OpprofChipOrigin(chip, path);

    snprintf(around, sizeof around, "%s", path);
    for (char *dot; file == NULL && (dot = strrchr(around, '.')) != NULL;) {
        *dot = '\0';
        file = OpprofChipOrigin(chip, around);
    }
    return file;
}

OpprofStatus OpprofChipRefuse(const OpprofChip *chip, const char *path, OpprofError **error,
                              const char *format, ...)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("chip-path-given", path != NULL, "The path of a fact is a text");

    const char *file = file_of(chip, path);
    char pointer[MAX_PATH], what[MAX_WHAT];
    va_list list;

    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    print_pointer(path, pointer, sizeof pointer);
    return file == NULL ? OpprofErrorSet(error, OPPROF_E_DATA, "Chip '%s' at %s: %s",
                                         OpprofChipSoc(chip), pointer, what)
                        : OpprofErrorSet(error, OPPROF_E_DATA, "%s at %s: %s", file, pointer, what);
}
