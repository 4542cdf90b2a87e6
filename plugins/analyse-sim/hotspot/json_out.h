/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_JSON_OUT_H
#define HOTSPOT_JSON_OUT_H

#include <opprof/batch.h>

/* The viewer refuses JSON blocks that are longer. */
#define JSON_OUT_MAX (UINT32_C(100) << 20)

/* JSON that is printed into a batch's blob. */
typedef struct JsonOut {
    OpprofBatch *batch;
    uint32_t start;
    bool is_full;       /* JSON_OUT_MAX was passed: nothing more is kept */
    bool out_of_memory; /* as well */
} JsonOut;

/* Begin at the end of the blob. */
JsonOut JsonOutBegin(OpprofBatch *batch);

/* Text as it is. */
void JsonOutRaw(JsonOut *out, const char *text);
/* A string with quotes and escapes. */
void JsonOutString(JsonOut *out, const char *text, size_t length);
/* A number. */
void JsonOutInteger(JsonOut *out, int64_t value);
/* A number with a point or an exponent. */
void JsonOutReal(JsonOut *out, double value);
/* "0x…" as a string, with at least `digits` digits. */
void JsonOutHex(JsonOut *out, uint64_t value, unsigned digits);

/* What was printed. */
OpprofText JsonOutText(const JsonOut *out);

#endif
