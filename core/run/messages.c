/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings and reasons of a stage: those of one kind are said once, with their count. Tested by
 * tests/core/run/test_messages. */
#include "run/messages.h"

#include "base/printed.h"

#include <opprof/grow.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_BYTES 400u /* of a line: what the others of a kind are about */

/* A format that only passes a text on says nothing about its kind. */
static bool is_kind(const char *format)
{
    return strcmp(format, "%s") != 0;
}

/* Place of the first message of a format, or OPPROF_MAP_NONE. */
static uint32_t find_first(const StageMessages *messages, const char *format)
{
    return is_kind(format) ? OpprofTextMapFind(&messages->formats, format, strlen(format))
                           : OPPROF_MAP_NONE;
}

/* The format of a new message becomes a kind, unless it is one. */
static bool learn_kind(StageMessages *messages, const char *format, uint32_t first)
{
    return !is_kind(format) || first != messages->count ||
           OpprofTextMapPut(&messages->formats, format, strlen(format), first, NULL);
}

/* False: it is not kept: there are too many, or no memory. */
static bool keep(StageMessages *messages, const char *format, const char *text, uint32_t first)
{
    StageMessage message = { .first = first };

    if (messages->count == STAGE_MAX_MESSAGES ||
        !OpprofGrow32(&messages->list, &messages->capacity, messages->count + 1,
                      sizeof *messages->list) ||
        !OpprofTextMapPut(&messages->texts, text, strlen(text), messages->count, &message.text)) {
        return false;
    }
    messages->list[messages->count] = message;
    if (!learn_kind(messages, format, first)) {
        return false;
    }
    messages->count++;
    return true;
}

bool MessagesKeep(StageMessages *messages, const char *format, const char *text)
{
    const uint32_t found = find_first(messages, format);
    const bool is_first = found == OPPROF_MAP_NONE;

    if (OpprofTextMapFind(&messages->texts, text, strlen(text)) != OPPROF_MAP_NONE) {
        return false;
    }
    const bool is_kept = keep(messages, format, text, is_first ? messages->count : found);
    messages->dropped += !is_kept;
    if (!is_first) {
        messages->list[found].more++;
        messages->list[found].dropped += !is_kept;
    }
    return is_first && is_kept;
}

uint64_t MessagesAlike(const StageMessages *messages, uint32_t index)
{
    const StageMessage *message = &messages->list[index];

    return message->first == index ? message->more : 0;
}

bool MessagesAreCounted(const StageMessages *messages, uint32_t index)
{
    return messages->list[index].first != index;
}

uint64_t MessagesLost(const StageMessages *messages)
{
    uint64_t lost = messages->dropped;

    for (uint32_t i = 0; i < messages->count; i++) {
        lost -= messages->list[i].dropped;
    }
    return lost;
}

/* ---- order ---- */

static int compare_texts(const void *a, const void *b)
{
    const StageMessage *x = a;
    const StageMessage *y = b;
    const int order = strverscmp(x->text, y->text);

    return order != 0 ? order : strcmp(x->text, y->text);
}

/* Sums of a kind, and where its first message is now. */
typedef struct Kind {
    uint64_t more;
    uint64_t dropped;
    uint32_t first;
} Kind;

void MessagesSort(StageMessages *messages)
{
    Kind *kinds = calloc((size_t) messages->count + 1, sizeof *kinds);

    if (kinds == NULL || messages->count < 2) {
        free(kinds);
        return;
    }
    for (uint32_t i = 0; i < messages->count; i++) {
        kinds[i] = (Kind){ messages->list[i].more, messages->list[i].dropped, OPPROF_MAP_NONE };
    }
    qsort(messages->list, messages->count, sizeof *messages->list, compare_texts);
    for (uint32_t i = 0; i < messages->count; i++) {
        StageMessage *message = &messages->list[i];
        Kind *kind = &kinds[message->first];
        const bool is_first = kind->first == OPPROF_MAP_NONE;

        kind->first = is_first ? i : kind->first;
        message->first = kind->first;
        message->more = is_first ? kind->more : 0;
        message->dropped = is_first ? kind->dropped : 0;
    }
    free(kinds);
}

/* ---- lines for people ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\0';
}

/* The one word in which two texts differ, such as a name; of texts that differ in more, all of
 * `text`. */
static const char *differing_word(const char *text, const char *other, size_t *ret_length)
{
    const size_t length = strlen(text);
    const size_t other_length = strlen(other);
    const size_t least = length < other_length ? length : other_length;
    size_t start = 0;
    size_t tail = 0;

    while (start < least && text[start] == other[start]) {
        start++;
    }
    while (tail < least - start && text[length - tail - 1] == other[other_length - tail - 1]) {
        tail++;
    }
    while (start > 0 && !is_blank(text[start - 1])) {
        start--;
    }
    while (!is_blank(text[length - tail])) {
        tail--;
    }
    *ret_length = length - tail - start;
    if (*ret_length == 0 || memchr(text + start, ' ', *ret_length) != NULL) {
        *ret_length = length;
        return text;
    }
    *ret_length -= strchr(",:;", text[start + *ret_length - 1]) != NULL;
    return text + start;
}

/* How others of a kind differ from the first, as far as there is room: at least one of them.
 * Returns how many. */
static uint64_t put_others(FILE *out, const StageMessages *messages, uint32_t first)
{
    uint64_t named = 0;
    size_t used = 0;

    for (uint32_t i = first + 1; i < messages->count && used < NAMED_BYTES; i++) {
        size_t length;
        const char *words;

        if (messages->list[i].first != first) {
            continue;
        }
        words = differing_word(messages->list[i].text, messages->list[first].text, &length);
        used += length;
        if (named > 0 && used > NAMED_BYTES) {
            break;
        }
        fprintf(out, "%s%.*s", named == 0 ? ": " : "; ", (int) length, words);
        named++;
    }
    return named;
}

/* Where people can look up the complete text, except for what was too much even to keep. */
static void put_rest(FILE *out, const StageMessage *message, uint64_t named)
{
    const uint64_t kept = message->more - message->dropped;

    if (named < kept) {
        fprintf(out, "; %llu in run.json", (unsigned long long) (kept - named));
    }
    if (message->dropped > 0) {
        fprintf(out, "%s %llu beyond the %u that are kept", kept == 0 ? ":" : ";",
                (unsigned long long) message->dropped, STAGE_MAX_MESSAGES);
    }
}

char *MessagesLine(const StageMessages *messages, uint32_t index)
{
    const uint64_t more = MessagesAlike(messages, index);
    Printed line;
    FILE *out = PrintedOpen(&line);

    if (out == NULL) {
        return NULL;
    }
    fputs(messages->list[index].text, out);
    if (more > 0) {
        fprintf(out, " (and %llu more like this)", (unsigned long long) more);
        put_rest(out, &messages->list[index], put_others(out, messages, index));
    }
    return PrintedTake(&line);
}

void MessagesFinish(StageMessages *messages)
{
    OpprofTextMapFinish(&messages->texts);
    OpprofTextMapFinish(&messages->formats);
    free(messages->list);
    *messages = (StageMessages){ .list = NULL };
}
