/* SPDX-License-Identifier: Apache-2.0 */
/* Matches files with the names that a chip's file gives its simulator's logs. Tested by tests/plugins/collect-sim/test_form.c. */
#include "log_names.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORE "<core>"
#define SUB "<sub>"
#define MOST_DIGITS 9u

static const char *const members[SIM_LOG_KINDS] = { "simulator.logs.popped", "simulator.logs.instr",
                                                    "simulator.logs.icache" };

static bool begins(const char *at, const char *text)
{
    return strncmp(at, text, strlen(text)) == 0;
}

static const char *const wrongs[SIM_LOG_KINDS][2] = {
    { "popped is missing, or not a file's name with <core> in it",
      "popped has <sub>, and instr has not" },
    { "instr is missing, or not a file's name with <core> in it",
      "instr has <sub>, and popped has not" },
    { "icache is not a file's name with <core> in it", "icache has not <sub> as popped has" }
};

const char *SimLogNamesOf(const OpprofChip *chip, SimLogNames *ret_names)
{
    bool has_sub = false;

    *ret_names = (SimLogNames){ .patterns = { NULL } };
    for (unsigned kind = 0; kind < SIM_LOG_KINDS; kind++) {
        const char *pattern = OpprofChipText(chip, members[kind]);

        ret_names->patterns[kind] = pattern;
        if (pattern == NULL && kind == SIM_LOG_ICACHE) {
            continue;
        }
        if (pattern == NULL || strstr(pattern, CORE) == NULL || strchr(pattern, '/') != NULL) {
            return wrongs[kind][0];
        }
        if (kind == SIM_LOG_POPPED) {
            has_sub = strstr(pattern, SUB) != NULL;
        } else if (has_sub != (strstr(pattern, SUB) != NULL)) {
            return wrongs[kind][1];
        }
    }
    return NULL;
}

static const char *take_core(const char *at, uint32_t *ret_core)
{
    const char *from = at;
    uint32_t value = 0;

    for (; isdigit((unsigned char) *at); at++) {
        if (at - from == MOST_DIGITS) {
            return NULL;
        }
        value = value * 10 + (uint32_t) (*at - '0');
    }
    *ret_core = value;
    return at > from ? at : NULL;
}

static const char *take_sub(const char *at, SimLogName *name)
{
    name->sub = at;
    if (!isalpha((unsigned char) *at)) {
        return NULL;
    }
    while (isalnum((unsigned char) *at)) {
        at++;
    }
    name->sub_length = (size_t) (at - name->sub);
    return at;
}

bool SimLogNamesMatch(const SimLogNames *names, SimLogKind kind, const char *file,
                      SimLogName *ret_name)
{
    const char *pattern = names->patterns[kind];
    const char *at = file;

    *ret_name = (SimLogName){ .sub = "" };
    while (pattern != NULL && at != NULL && *pattern != '\0') {
        if (begins(pattern, CORE)) {
            at = take_core(at, &ret_name->core);
            pattern += strlen(CORE);
        } else if (begins(pattern, SUB)) {
            at = take_sub(at, ret_name);
            pattern += strlen(SUB);
        } else {
            at = *at == *pattern ? at + 1 : NULL;
            pattern++;
        }
    }
    return pattern != NULL && at != NULL && *at == '\0';
}

/* The pattern with texts for its fields. */
static char *fill(const char *pattern, const char *core, const char *sub, size_t sub_length)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = pattern == NULL ? NULL : open_memstream(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    while (*pattern != '\0') {
        if (begins(pattern, CORE)) {
            fputs(core, out);
            pattern += strlen(CORE);
        } else if (begins(pattern, SUB)) {
            fwrite(sub, 1, sub_length, out);
            pattern += strlen(SUB);
        } else {
            fputc(*pattern++, out);
        }
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

char *SimLogNamesFile(const SimLogNames *names, SimLogKind kind, const SimLogName *name)
{
    char core[16];

    snprintf(core, sizeof core, "%u", (unsigned) name->core);
    return fill(names->patterns[kind], core, name->sub, name->sub_length);
}

char *SimLogNamesGlob(const SimLogNames *names, SimLogKind kind)
{
    return fill(names->patterns[kind], "*", "*", 1);
}
