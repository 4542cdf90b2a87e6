/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON into a buffer of limited size. Tested by
 * tests/plugins/analyse-sim/hotspot/test_hotspot.c.
 */
#include "json_out.h"

#include <opprof/text.h>
#include <string.h>

JsonOut JsonOutBegin(OpprofBatch *batch)
{
    return (JsonOut){ .batch = batch, .start = batch->blob_size };
}

/* Room for `size` bytes, or NULL when no more is kept. */
static char *reserve(JsonOut *out, size_t size)
{
    char *room;

    if (out->is_full || out->out_of_memory) {
        return NULL;
    }
    if (out->batch->blob_size - out->start > JSON_OUT_MAX) {
        out->is_full = true;
        return NULL;
    }
    room = OpprofBatchReserveText(out->batch, size);
    out->out_of_memory = room == NULL;
    return room;
}

void JsonOutRaw(JsonOut *out, const char *text)
{
    const size_t length = strlen(text);
    char *room = reserve(out, length);

    if (room != NULL) {
        memcpy(room, text, length);
        OpprofBatchCommitText(out->batch, length);
    }
}

void JsonOutString(JsonOut *out, const char *text, size_t length)
{
    char *room = reserve(out, OPPROF_TEXT_JSON_ROOM(length));

    if (room != NULL) {
        OpprofBatchCommitText(out->batch, (size_t) (OpprofTextPutJson(room, text, length) - room));
    }
}

void JsonOutInteger(JsonOut *out, int64_t value)
{
    char *room = reserve(out, OPPROF_TEXT_NUMBER);

    if (room != NULL) {
        OpprofBatchCommitText(out->batch, (size_t) (OpprofTextPutI64(room, value) - room));
    }
}

void JsonOutReal(JsonOut *out, double value)
{
    char *room = reserve(out, OPPROF_TEXT_NUMBER);

    if (room != NULL) {
        OpprofBatchCommitText(out->batch, (size_t) (OpprofTextPutF64(room, value) - room));
    }
}

void JsonOutHex(JsonOut *out, uint64_t value, unsigned digits)
{
    char *room = reserve(out, OPPROF_TEXT_NUMBER);
    char hex[OPPROF_TEXT_NUMBER];
    char *at = room;
    size_t length;

    if (room == NULL) {
        return;
    }
    length = (size_t) (OpprofTextPutHex(hex, value) - hex) - 2;
    at = mempcpy(at, "\"0x", 3);
    for (size_t i = length; i < digits; i++) {
        *at++ = '0';
    }
    at = mempcpy(at, hex + 2, length);
    *at++ = '"';
    OpprofBatchCommitText(out->batch, (size_t) (at - room));
}

OpprofText JsonOutText(const JsonOut *out)
{
    return (OpprofText){ out->start, out->batch->blob_size - out->start };
}
