/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a span as JSON. Tested by tests/plugins/export/test_sqlite. */
#include "span_args.h"

#include <opprof/grow.h>
#include <opprof/text.h>
#include <string.h>

/* Room for `size` more bytes; NULL without memory. */
static char *make_room(SpanArgs *args, size_t size)
{
    if (!OpprofGrow(&args->text, &args->capacity, args->length + size, 1)) {
        args->is_out_of_memory = true;
        return NULL;
    }
    return args->text + args->length;
}

static void take(SpanArgs *args, const char *end)
{
    args->length = (size_t) (end - args->text);
}

static void put_json_text(SpanArgs *args, const char *text, size_t length)
{
    char *out = make_room(args, OPPROF_TEXT_JSON_ROOM(length));

    if (out != NULL) {
        take(args, OpprofTextPutJson(out, text == NULL ? "" : text, text == NULL ? 0 : length));
    }
}

static void put_byte(SpanArgs *args, char byte)
{
    char *out = make_room(args, 1);

    if (out != NULL) {
        *out = byte;
        take(args, out + 1);
    }
}

static void put_number(SpanArgs *args, const OpprofArg *arg)
{
    char number[OPPROF_TEXT_NUMBER];
    const char *end;
    char *out;

    switch (arg->kind) {
    case OPPROF_ARG_HEX:
        end = OpprofTextPutHex(number, arg->value.u64);
        break;
    case OPPROF_ARG_F64:
        end = OpprofTextPutF64(number, arg->value.f64);
        break;
    default:
        end = OpprofTextPutU64(number, arg->value.u64);
        break;
    }
    if (arg->kind == OPPROF_ARG_HEX || arg->kind == OPPROF_ARG_U64_TEXT) {
        put_json_text(args, number, (size_t) (end - number));
        return;
    }
    out = make_room(args, (size_t) (end - number));
    if (out != NULL) {
        memcpy(out, number, (size_t) (end - number));
        take(args, out + (end - number));
    }
}

static void put_arg(SpanArgs *args, OpprofStage *stage, const OpprofBatch *batch,
                    const OpprofArg *arg)
{
    size_t length;
    const char *key = OpprofStageStringLength(stage, arg->key, &length);

    put_json_text(args, key, length);
    put_byte(args, ':');
    if (arg->kind == OPPROF_ARG_TEXT) {
        put_json_text(args, OpprofBatchText(batch, arg->value.text), arg->value.text.length);
    } else if (arg->kind == OPPROF_ARG_STRING) {
        const char *text = OpprofStageStringLength(stage, (uint32_t) arg->value.u64, &length);

        put_json_text(args, text, length);
    } else {
        put_number(args, arg);
    }
}

bool SpanArgsPut(SpanArgs *args, OpprofStage *stage, const OpprofBatch *batch,
                 const OpprofSpan *span)
{
    const char *at = OpprofBatchText(batch, span->args);
    uint32_t count = at == NULL ? 0 : span->args.length / (uint32_t) sizeof(OpprofArg);

    args->length = 0;
    args->is_out_of_memory = false;
    count = count < span->arg_count ? count : span->arg_count;
    for (uint32_t i = 0; i < count; i++) {
        OpprofArg arg;

        memcpy(&arg, at + (size_t) i * sizeof arg, sizeof arg);
        put_byte(args, i == 0 ? '{' : ',');
        put_arg(args, stage, batch, &arg);
    }
    if (count > 0) {
        put_byte(args, '}');
    }
    return !args->is_out_of_memory;
}
