/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the names in a chip file without parsing it: of the installed files a run needs two or three. Tested by
 * tests/kit/chip/test_chip_names.
 */
#include "kit/chip/chip_names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Scan {
    const char *at;
    const char *end;
    ChipNames *names;
    size_t room;
} Scan;

typedef struct Word {
    const char *start;
    size_t length;
} Word;

static char next(Scan *scan)
{
    while (scan->at < scan->end &&
           (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\t' || *scan->at == '\r')) {
        scan->at++;
    }
    return scan->at < scan->end ? *scan->at : '\0';
}

static bool take(Scan *scan, char wanted)
{
    if (next(scan) != wanted) {
        return false;
    }
    scan->at++;
    return true;
}

/* A text without escapes. */
static bool take_text(Scan *scan, Word *ret_word)
{
    if (!take(scan, '"')) {
        return false;
    }
    const char *quote = memchr(scan->at, '"', (size_t) (scan->end - scan->at));
    if (quote == NULL || memchr(scan->at, '\\', (size_t) (quote - scan->at)) != NULL) {
        return false;
    }
    *ret_word = (Word){ scan->at, (size_t) (quote - scan->at) };
    scan->at = quote + 1;
    return true;
}

/* Go past a value: brackets that match, texts in between; what is wrong inside is not noticed. */
static bool skip_value(Scan *scan)
{
    Word unused;
    int depth = 0;
    char after;

    do {
        const char c = next(scan);
        if (c == '\0' || (c == '"' && !take_text(scan, &unused))) {
            return false;
        }
        if (c != '"') {
            scan->at++;
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        }
        after = next(scan);
    } while (depth > 0 || (depth == 0 && after != ',' && after != '}' && after != '\0'));
    return depth == 0;
}

static bool add_name(Scan *scan, const Word *word)
{
    memcpy(scan->names->text + scan->room, word->start, word->length);
    scan->names->text[scan->room + word->length] = '\0';
    scan->room += word->length + 1;
    return ++scan->names->count <= CHIP_NAMES_MAX;
}

static bool is_word(const Word *word, const char *text)
{
    return word->length == strlen(text) && memcmp(word->start, text, word->length) == 0;
}

static bool scan_socs(Scan *scan)
{
    Word soc;

    if (!take(scan, '{')) {
        return false;
    }
    if (take(scan, '}')) {
        return true;
    }
    do {
        if (!take_text(scan, &soc) || !add_name(scan, &soc) || !take(scan, ':') ||
            !skip_value(scan)) {
            return false;
        }
    } while (take(scan, ','));
    return take(scan, '}');
}

static bool scan_document(Scan *scan)
{
    Word key;
    Word name;

    if (!take(scan, '{')) {
        return false;
    }
    do {
        if (!take_text(scan, &key) || !take(scan, ':')) {
            return false;
        }
        scan->names->has_raw |= is_word(&key, "raw");
        if (is_word(&key, "series") || is_word(&key, "name")) {
            if (!take_text(scan, &name) || !add_name(scan, &name)) {
                return false;
            }
        } else if (!(is_word(&key, "socs") ? scan_socs(scan) : skip_value(scan))) {
            return false;
        }
    } while (take(scan, ','));
    return take(scan, '}') && next(scan) == '\0' && scan->at == scan->end;
}

bool ChipNamesScan(const char *text, size_t length, ChipNames *ret_names)
{
    ChipNames found = { .text =
                            malloc(length + 1) }; /* names with NULs are shorter than with quotes */
    Scan scan = { .at = text, .end = text + length, .names = &found };
    const bool is_found = found.text != NULL && scan_document(&scan) && found.count > 0;

    *ret_names = (ChipNames){ .text = is_found ? malloc(scan.room) : NULL };
    if (ret_names->text != NULL) {
        memcpy(ret_names->text, found.text, scan.room);
        ret_names->count = found.count;
        ret_names->has_raw = found.has_raw;
    }
    ChipNamesFinish(&found);
    return ret_names->text != NULL;
}

void ChipNamesFinish(ChipNames *names)
{
    free(names->text);
    *names = (ChipNames){ .count = 0 };
}

bool ChipNamesHave(const ChipNames *names, const char *name)
{
    const char *at = names->text;

    for (size_t i = 0; i < names->count; i++) {
        if (strcasecmp(at, name) == 0) {
            return true;
        }
        at += strlen(at) + 1;
    }
    return false;
}
