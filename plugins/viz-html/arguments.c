/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps arguments of spans, preferring those of longer ones.
 * Tested by tests/plugins/viz-html/test_timeline.
 */
#include "arguments.h"

#include "limits.h"

#include <opprof/grow.h>
#include <opprof/text.h>

#include <stdlib.h>
#include <string.h>

#define EXACT UINT64_C(9007199254740992) /* 2^53: whole numbers up to here are exact in a browser */

static void put_integer(OpprofJsonOut *text, uint64_t number, bool is_text)
{
    const bool is_quoted = is_text || number > EXACT;

    OpprofJsonPutRaw(text, is_quoted ? "\"" : "");
    OpprofJsonPutU64(text, number);
    OpprofJsonPutRaw(text, is_quoted ? "\"" : "");
}

static void put_value(OpprofJsonOut *text, const OpprofBatch *batch, const OpprofArg *arg)
{
    const char *bytes;

    switch (arg->kind) {
    case OPPROF_ARG_TEXT:
        bytes = OpprofBatchText(batch, arg->value.text);
        TextJson(text, bytes == NULL ? "" : bytes,
                 bytes == NULL                              ? 0
                 : arg->value.text.length < PAGE_TEXT_BYTES ? arg->value.text.length
                                                            : PAGE_TEXT_BYTES);
        return;
    case OPPROF_ARG_STRING: /* of an array: the number of a name */
        NamesMark(text, "[", (uint32_t) arg->value.u64, "]");
        return;
    case OPPROF_ARG_HEX:
        OpprofJsonPutHex(text, arg->value.u64, 0);
        return;
    case OPPROF_ARG_F64:
        OpprofJsonPutF64(text, arg->value.f64);
        return;
    default:
        put_integer(text, arg->value.u64, arg->kind == OPPROF_ARG_U64_TEXT);
        return;
    }
}

const char *ArgumentsPrint(Arguments *self, const OpprofBatch *batch, const OpprofSpan *span)
{
    const char *bytes = OpprofBatchText(batch, span->args);
    OpprofJsonOut *text = &self->scratch;

    if (bytes == NULL || span->arg_count == 0 ||
        span->args.length / sizeof(OpprofArg) < span->arg_count) {
        return NULL;
    }
    TextCut(text, 0);
    for (uint32_t i = 0; i < span->arg_count; i++) {
        OpprofArg arg;

        memcpy(&arg, bytes + (size_t) i * sizeof arg, sizeof arg);
        NamesMark(text, i == 0 ? "[" : ",", arg.key, ",");
        put_value(text, batch, &arg);
    }
    OpprofJsonPutBytes(text, "]", 2); /* with the NUL */
    return text->is_short ? NULL : text->text;
}

/* Number of a kept text; OPPROF_MAP_NONE without memory. */
static uint32_t add_text(Arguments *self, const char *text, size_t length)
{
    const uint32_t number = self->count;

    if (!OpprofGrow32(&self->texts, &self->capacity, (size_t) number + 1, sizeof *self->texts) ||
        !OpprofTextMapPut(&self->numbers, text, length, number, &self->texts[number])) {
        return OPPROF_MAP_NONE;
    }
    self->count++;
    self->bytes += length + 1;
    return number;
}

static bool keeps(const Arguments *self, const Item *item)
{
    return item->count == 1 && item->extra != 0 && item->duration >= self->least;
}

/* Move what is still used from `before` into an empty store; `moved` has the new number of each
 * text that was moved. */
static bool move_used(Arguments *self, const Arguments *before, Items *items, uint32_t *moved)
{
    for (size_t i = 0; i < items->count; i++) {
        Item *item = &items->items[i];

        ItemsUse(items, 1);
        if (!keeps(self, item)) {
            self->left_out += item->count == 1 && item->extra != 0;
            item->extra = item->count == 1 ? 0 : item->extra;
            continue;
        }
        uint32_t *number = &moved[item->extra - 1];
        if (*number == OPPROF_MAP_NONE) {
            const char *text = before->texts[item->extra - 1];

            *number = add_text(self, text, strlen(text));
        }
        if (*number == OPPROF_MAP_NONE) {
            return false;
        }
        item->extra = *number + 1;
    }
    return true;
}

bool ArgumentsSweep(Arguments *self, Items *items)
{
    if (items->grain == 0 && self->least == 0) { /* no span was joined: all are used */
        return true;
    }
    Arguments before = *self;
    uint32_t *moved = malloc((before.count + (size_t) 1) * sizeof *moved);
    bool is_good;

    if (moved == NULL) {
        return false;
    }
    memset(moved, 0xff, before.count * sizeof *moved); /* OPPROF_MAP_NONE */
    self->numbers = (OpprofTextMap){ 0 };
    self->texts = NULL;
    self->count = 0;
    self->capacity = 0;
    self->bytes = 0;
    is_good = move_used(self, &before, items, moved);
    OpprofTextMapFinish(&before.numbers);
    free(before.texts);
    free(moved);
    return is_good;
}

/* The longest span of each text, or 0; NULL without memory. */
static uint64_t *find_longest(const Arguments *self, Items *items)
{
    uint64_t *longest = calloc(self->count + (size_t) 1, sizeof *longest);

    for (size_t i = 0; longest != NULL && i < items->count; i++) {
        const Item *item = &items->items[i];

        if (keeps(self, item) && item->duration > longest[item->extra - 1]) {
            longest[item->extra - 1] = item->duration;
        }
        ItemsUse(items, 1);
    }
    return longest;
}

/* Frees at least half of the room, by the shortest limit that does. */
static bool make_room(Arguments *self, Items *items)
{
    ItemsByGrain by_grain = { .amount = { 0 } };
    uint64_t *longest = find_longest(self, items);
    uint64_t used = 0;

    for (uint32_t i = 0; longest != NULL && i < self->count; i++) {
        const uint64_t bytes = strlen(self->texts[i]) + 1;

        /* A span of no time keeps its text only while there is no limit. */
        ItemsByGrainAdd(&by_grain, longest[i], longest[i] > 0 ? bytes : 0);
        used += longest[i] > 0 || self->least == 0 ? bytes : 0;
    }
    if (longest != NULL && used > PAGE_ARGUMENTS_BYTES / 2) {
        self->least =
            ItemsByGrainFind(&by_grain, ItemsNextGrain(self->least), PAGE_ARGUMENTS_BYTES / 2);
    }
    free(longest);
    return longest != NULL && ArgumentsSweep(self, items);
}

bool ArgumentsKeep(Arguments *self, Items *items, const char *text, uint64_t duration,
                   uint32_t *ret_extra)
{
    const size_t length = strlen(text);
    uint32_t number;

    *ret_extra = 0;
    if (duration < self->least) {
        self->left_out++;
        return true;
    }
    number = OpprofTextMapFind(&self->numbers, text, length);
    if (number == OPPROF_MAP_NONE) {
        if (self->bytes + length > PAGE_ARGUMENTS_BYTES && !make_room(self, items)) {
            return false;
        }
        number = add_text(self, text, length);
    }
    *ret_extra = number + 1; /* none without memory */
    return number != OPPROF_MAP_NONE;
}

void ArgumentsPut(const Arguments *self, Names *names, OpprofJsonOut *json)
{
    for (uint32_t i = 0; i < self->count; i++) {
        OpprofJsonPutRaw(json, i == 0 ? "" : ",\n");
        NamesResolve(names, self->texts[i], strlen(self->texts[i]), json);
    }
}

void ArgumentsFinish(Arguments *self)
{
    OpprofTextMapFinish(&self->numbers);
    OpprofJsonOutFinish(&self->scratch);
    free(self->texts);
}
