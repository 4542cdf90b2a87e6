/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints events of trace.json into room that the caller has. Not by opprof/kit/json_out.h: its
 * checks before each piece make an event ten times as slow (545 ns against 55 ns).
 */
#include "trace_event.h"
#include "span_id.h"

#include <opprof/text.h>
#include <string.h>

#define FRAME_BYTES 512u /* size of an event without its variable parts */
#define ARG_BYTES 64u    /* size of an argument without its key and text */
#define SHORT_TEXT 512u  /* bytes kept of a text when the event is too long */
#define SHORT_PIECE 2048u
#define PICOSECONDS_A_MICROSECOND 1000000
#define ELLIPSIS "\xe2\x80\xa6"

static const JsonPiece ellipsis_string = { "\"" ELLIPSIS "\"", 5 };

#define PUT_LITERAL(out, literal) put((out), (literal), sizeof(literal) - 1)

static inline char *put(char *out, const char *text, size_t length)
{
    memcpy(out, text, length);
    return out + length;
}

static inline char *put_piece(char *out, JsonPiece piece)
{
    return put(out, piece.text, piece.length);
}

/* ---- loading ---- */

static JsonPiece load_string(JsonCache *strings, uint32_t id)
{
    return id == OPPROF_NA_STRING ? (JsonPiece){ "", 0 } : JsonCacheGet(strings, id);
}

static JsonPiece load_text(const OpprofBatch *batch, OpprofText text)
{
    const char *bytes = OpprofBatchText(batch, text);

    return bytes == NULL ? (JsonPiece){ "", 0 } : (JsonPiece){ bytes, text.length };
}

static void load_arg(TraceArg *arg, const OpprofBatch *batch, const char *bytes, JsonCache *strings)
{
    OpprofArg from;

    memcpy(&from, bytes, sizeof from);
    arg->key = JsonCacheGet(strings, from.key);
    arg->kind = from.kind;
    switch (from.kind) {
    case OPPROF_ARG_TEXT:
        arg->text = load_text(batch, from.value.text);
        break;
    case OPPROF_ARG_STRING:
        arg->text = JsonCacheGet(strings, (uint32_t) from.value.u64);
        break;
    case OPPROF_ARG_F64:
        arg->text.length = 0;
        arg->f64 = from.value.f64;
        break;
    default:
        arg->text.length = 0;
        arg->u64 = from.value.u64;
        break;
    }
}

void TraceEventLoad(TraceEvent *event, const OpprofBatch *batch, const OpprofSpan *span,
                    JsonCache *strings)
{
    const JsonPiece args = load_text(batch, span->args);
    size_t count = args.length / sizeof(OpprofArg);

    count = span->arg_count < count ? span->arg_count : count;
    event->is_cut = count > TRACE_ARGS_MAX;
    event->arg_count = (uint32_t) (event->is_cut ? TRACE_ARGS_MAX : count);
    event->kind = (OpprofSpanKind) span->kind;
    event->category = load_string(strings, span->category);
    event->colour = load_string(strings, span->colour);
    event->name = JsonCacheGet(strings, span->name);
    event->id = load_text(batch, span->id);
    event->group = load_text(batch, span->group);
    for (uint32_t i = 0; i < event->arg_count; i++) {
        load_arg(&event->args[i], batch, args.text + i * sizeof(OpprofArg), strings);
    }
}

/* ---- room ---- */

static size_t sum_room(const TraceEvent *event)
{
    size_t room = FRAME_BYTES + event->category.length + event->colour.length + event->name.length +
                  event->track.length + OPPROF_TEXT_JSON_ROOM(event->id.length) +
                  OPPROF_TEXT_JSON_ROOM(event->group.length);

    for (uint32_t i = 0; i < event->arg_count; i++) {
        const TraceArg *arg = &event->args[i];

        room += ARG_BYTES + arg->key.length +
                (arg->kind == OPPROF_ARG_TEXT ? OPPROF_TEXT_JSON_ROOM(arg->text.length)
                                              : arg->text.length);
    }
    return room;
}

/* Cut a plain text between two characters. */
static void shorten_text(JsonPiece *text)
{
    size_t length = SHORT_TEXT;

    if (text->length <= SHORT_TEXT) {
        return;
    }
    for (int i = 0; i < 3 && (text->text[length] & 0xc0) == 0x80; i++) {
        length--;
    }
    text->length = length;
}

static void shorten_piece(JsonPiece *piece)
{
    if (piece->length > SHORT_PIECE) {
        *piece = ellipsis_string;
    }
}

size_t TraceEventRoom(TraceEvent *event)
{
    size_t room = sum_room(event);

    if (room <= TRACE_EVENT_MAX) {
        return room;
    }
    event->is_cut = true;
    shorten_text(&event->id);
    shorten_text(&event->group);
    for (uint32_t i = 0; i < event->arg_count; i++) {
        TraceArg *arg = &event->args[i];

        shorten_piece(&arg->key);
        if (arg->kind == OPPROF_ARG_TEXT) {
            shorten_text(&arg->text);
        } else {
            shorten_piece(&arg->text);
        }
    }
    return sum_room(event);
}

/* ---- printing ---- */

static char *put_quoted_hex(char *out, uint64_t value)
{
    *out++ = '"';
    out = OpprofTextPutHex(out, value);
    *out++ = '"';
    return out;
}

static char *put_quoted_u64(char *out, uint64_t value)
{
    *out++ = '"';
    out = OpprofTextPutU64(out, value);
    *out++ = '"';
    return out;
}

static char *put_arg(char *out, const TraceArg *arg)
{
    out = put_piece(out, arg->key);
    *out++ = ':';
    switch (arg->kind) {
    case OPPROF_ARG_TEXT:
        return OpprofTextPutJson(out, arg->text.text, arg->text.length);
    case OPPROF_ARG_STRING:
        return put_piece(out, arg->text);
    case OPPROF_ARG_HEX:
        return put_quoted_hex(out, arg->u64);
    case OPPROF_ARG_U64:
        return OpprofTextPutU64(out, arg->u64);
    case OPPROF_ARG_F64:
        return OpprofTextPutF64(out, arg->f64);
    case OPPROF_ARG_U64_TEXT:
        return put_quoted_u64(out, arg->u64);
    default:
        return PUT_LITERAL(out, "\"\"");
    }
}

static char *put_args(char *out, const TraceEvent *event)
{
    out = PUT_LITERAL(out, "\"args\":{");
    for (uint32_t i = 0; i < event->arg_count; i++) {
        if (i > 0) {
            *out++ = ',';
        }
        out = put_arg(out, &event->args[i]);
    }
    return PUT_LITERAL(out, "},");
}

static char phase_of(OpprofSpanKind kind)
{
    switch (kind) {
    case OPPROF_SPAN_BEGIN:
        return 'B';
    case OPPROF_SPAN_END:
        return 'E';
    case OPPROF_SPAN_FLOW_START:
        return 's';
    case OPPROF_SPAN_FLOW_END:
        return 't'; /* the viewer does not support 'f' */
    case OPPROF_SPAN_SLICE:
    case OPPROF_SPAN_MARK: /* a slice without length: the viewer has no other form for a moment */
    default:
        return 'X';
    }
}

/*
 * Ids that are hexadecimal numbers stay; others become one, since Perfetto reads every id that way
 * and supports no other. The same text gives the same id, so halves and arrows stay tied.
 */
static char *put_id(char *out, JsonPiece id)
{
    return SpanIdIsNumber(id.text, id.length)
               ? OpprofTextPutJson(out, id.text, id.length)
               : put_quoted_hex(out, SpanIdNumber(id.text, id.length));
}

/* Members that may be absent, between `args` and `name`. */
static char *put_optional(char *out, const TraceEvent *event, char phase)
{
    if (event->category.length > 0) {
        out = PUT_LITERAL(out, "\"cat\":");
        out = put_piece(out, event->category);
        *out++ = ',';
    }
    if (event->colour.length > 0) {
        out = PUT_LITERAL(out, "\"cname\":");
        out = put_piece(out, event->colour);
        *out++ = ',';
    }
    if (phase == 'X') {
        out = PUT_LITERAL(out, "\"dur\":");
        out = OpprofTextPutMicroseconds(out, event->duration_ps);
        *out++ = ',';
    }
    if (event->group.length > 0) {
        out = PUT_LITERAL(out, "\"group_id\":");
        out = OpprofTextPutJson(out, event->group.text, event->group.length);
        *out++ = ',';
    }
    if (event->id.length > 0 && phase != 'X') { /* the viewer does not pair slices by it */
        out = PUT_LITERAL(out, "\"id\":");
        out = put_id(out, event->id);
        *out++ = ',';
    }
    return out;
}

/*
 * Microseconds of a time after an epoch: the sum may exceed 64 bits of picoseconds, so whole
 * microseconds and the rest are added by themselves. Apart, so that times without an epoch need no
 * buffer.
 */
static __attribute__((noinline)) char *put_time_after(char *out, int64_t epoch_ns, int64_t time_ps)
{
    int64_t whole = epoch_ns / 1000 + time_ps / PICOSECONDS_A_MICROSECOND;
    int64_t rest_ps = epoch_ns % 1000 * 1000 + time_ps % PICOSECONDS_A_MICROSECOND;
    char fraction[32];
    char *end;

    whole += rest_ps / PICOSECONDS_A_MICROSECOND;
    rest_ps %= PICOSECONDS_A_MICROSECOND;
    if (whole > 0 && rest_ps < 0) {
        whole--;
        rest_ps += PICOSECONDS_A_MICROSECOND;
    } else if (whole < 0 && rest_ps > 0) {
        whole++;
        rest_ps -= PICOSECONDS_A_MICROSECOND;
    }
    if (whole < 0 || rest_ps < 0) {
        *out++ = '-';
    }
    out = OpprofTextPutU64(out, (uint64_t) (whole < 0 ? -whole : whole));
    end = OpprofTextPutMicroseconds(fraction, rest_ps < 0 ? -rest_ps : rest_ps);
    return put(out, fraction + 1, (size_t) (end - fraction - 1)); /* without its 0 */
}

static char *put_time(char *out, int64_t epoch_ns, int64_t time_ps)
{
    return epoch_ns == 0 ? OpprofTextPutMicroseconds(out, time_ps)
                         : put_time_after(out, epoch_ns, time_ps);
}

/* From `ph` to the end. */
static char *put_tail(char *out, char phase, JsonPiece track, int64_t epoch_ns, int64_t time_ps)
{
    out = PUT_LITERAL(out, ",\"ph\":\"");
    *out++ = phase;
    out = PUT_LITERAL(out, "\",");
    out = put_piece(out, track);
    out = PUT_LITERAL(out, ",\"ts\":");
    out = put_time(out, epoch_ns, time_ps);
    *out++ = '}';
    return out;
}

char *TraceEventPut(char *out, const TraceEvent *event)
{
    const char phase = phase_of(event->kind);
    const bool is_flow = phase == 's' || phase == 't';

    *out++ = '{';
    if (event->arg_count > 0 || !is_flow) {
        out = put_args(out, event);
    }
    out = put_optional(out, event, phase);
    out = PUT_LITERAL(out, "\"name\":");
    out = put_piece(out, event->name);
    return put_tail(out, phase, event->track, event->epoch_ns, event->start_ps);
}

size_t TraceCounterRoom(const TraceCounter *counter)
{
    return FRAME_BYTES + counter->name.length + counter->series.length + counter->track.length;
}

char *TraceCounterPut(char *out, const TraceCounter *counter)
{
    out = PUT_LITERAL(out, "{\"args\":{");
    out = put_piece(out, counter->series);
    *out++ = ':';
    out = OpprofTextPutF64(out, counter->value);
    out = PUT_LITERAL(out, "},\"name\":");
    out = put_piece(out, counter->name);
    return put_tail(out, 'C', counter->track, counter->epoch_ns, counter->time_ps);
}

/* ---- metadata and tracks ---- */

size_t TraceMetadataRoom(JsonPiece track, size_t text_length)
{
    return FRAME_BYTES + track.length + OPPROF_TEXT_JSON_ROOM(text_length);
}

static char *put_metadata_tail(char *out, const char *name, JsonPiece track)
{
    out = PUT_LITERAL(out, "},\"name\":\"");
    out = put(out, name, strlen(name));
    out = PUT_LITERAL(out, "\",\"ph\":\"M\",");
    out = put_piece(out, track);
    *out++ = '}';
    return out;
}

char *TraceMetadataText(char *out, const char *name, JsonPiece track, const char *text)
{
    out = PUT_LITERAL(out, "{\"args\":{\"name\":");
    out = OpprofTextPutJson(out, text, strlen(text));
    return put_metadata_tail(out, name, track);
}

char *TraceMetadataSort(char *out, const char *name, JsonPiece track, int32_t sort)
{
    out = PUT_LITERAL(out, "{\"args\":{\"sort_index\":");
    out = OpprofTextPutI64(out, sort);
    return put_metadata_tail(out, name, track);
}

/* Digits that are a valid number in JSON. */
static bool is_number(const char *text)
{
    const size_t digits = strspn(text, "0123456789");

    return digits > 0 && text[digits] == '\0' && (text[0] != '0' || digits == 1);
}

/*
 * A process or thread id. The viewer counts braces after `ph` without regard to strings, so they
 * are printed as escapes.
 */
static char *put_track_id(char *out, const char *text, bool is_numeric)
{
    if (is_numeric && is_number(text)) {
        return put(out, text, strlen(text));
    }
    *out++ = '"';
    for (size_t at = 0; text[at] != '\0';) {
        size_t plain = strcspn(text + at, "{}");
        char *quoted = out - 1;
        char before = *quoted;

        out = OpprofTextPutJson(quoted, text + at, plain) - 1;
        *quoted = before; /* its opening quote overwrote the old content */
        at += plain;
        if (text[at] != '\0') {
            out = text[at] == '{' ? PUT_LITERAL(out, "\\u007b") : PUT_LITERAL(out, "\\u007d");
            at++;
        }
    }
    *out++ = '"';
    return out;
}

size_t TraceTrackRoom(const OpprofTrack *track)
{
    return 64 + OPPROF_TEXT_JSON_ROOM(strlen(track->process)) +
           OPPROF_TEXT_JSON_ROOM(track->thread == NULL ? 0 : strlen(track->thread));
}

char *TraceTrackPut(char *out, const OpprofTrack *track, const char *thread, const char *no_thread)
{
    out = PUT_LITERAL(out, "\"pid\":");
    out = put_track_id(out, track->process, (track->flags & OPPROF_TRACK_NUMERIC_PROCESS) != 0);
    out = PUT_LITERAL(out, ",\"tid\":");
    if (thread == NULL) {
        return put(out, no_thread, strlen(no_thread));
    }
    return put_track_id(out, thread, (track->flags & OPPROF_TRACK_NUMERIC_THREAD) != 0);
}
