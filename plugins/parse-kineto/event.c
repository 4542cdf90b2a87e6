/* SPDX-License-Identifier: Apache-2.0 */
#include "event.h"

#include "number.h"
#include "scan.h"

static const JsonText no_text = { .text = "" };

/* What is being read, and how far it has got. */
typedef struct Cursor {
    const char *at;
    const char *end;
    EventResult result; /* EVENT_READ until something stops the reading */
} Cursor;

static bool stop(Cursor *cursor, EventResult result)
{
    cursor->result = result;
    return false;
}

/* False at the end of the text. */
static bool skip_blanks(Cursor *cursor)
{
    cursor->at = ScanBlanks(cursor->at, cursor->end);
    return cursor->at < cursor->end || stop(cursor, EVENT_CUT);
}

static bool take(Cursor *cursor, char c)
{
    if (!skip_blanks(cursor)) {
        return false;
    }
    if (*cursor->at != c) {
        return stop(cursor, EVENT_MALFORMED);
    }
    cursor->at++;
    return true;
}

static const char *read_string(const char *at, const char *end, JsonText *ret_text)
{
    const char *close;

    *ret_text = (JsonText){ .text = at, .is_string = true };
    close = ScanString(at, end, &ret_text->has_escape);
    if (close == NULL) {
        return NULL;
    }
    ret_text->length = (size_t) (close - at);
    return close + 1;
}

static bool ends_scalar(char c)
{
    return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t' ||
           c == ':' || c == '"' || c == '{' || c == '[';
}

const char *EventReadScalar(const char *at, const char *end, JsonText *ret_text)
{
    const char *stop_at = at;

    if (at < end && *at == '"') {
        return read_string(at + 1, end, ret_text);
    }
    while (stop_at < end && !ends_scalar(*stop_at)) {
        stop_at++;
    }
    if (stop_at == end || stop_at == at) {
        return NULL;
    }
    *ret_text = (JsonText){ .text = at, .length = (size_t) (stop_at - at) };
    return stop_at;
}

static bool skip_container(Cursor *cursor, uint64_t depth)
{
    ScanState state = { .depth = depth };
    const char *behind = ScanContainer(&state, cursor->at, cursor->end);

    if (behind == NULL) {
        return stop(cursor, EVENT_CUT);
    }
    cursor->at = behind;
    return true;
}

/* The value of a member; containers are passed over, and *ret_text is then empty. */
static bool read_value(Cursor *cursor, JsonText *ret_text)
{
    const char *behind;

    *ret_text = (JsonText){ .text = cursor->at };
    if (*cursor->at == '{' || *cursor->at == '[') {
        return skip_container(cursor, 0);
    }
    behind = EventReadScalar(cursor->at, cursor->end, ret_text);
    if (behind == NULL) {
        return stop(cursor, ends_scalar(*cursor->at) && *cursor->at != '"' ? EVENT_MALFORMED
                                                                            : EVENT_CUT);
    }
    cursor->at = behind;
    return true;
}

/* Key and colon of the next member; then the cursor is at its value. */
static bool read_key(Cursor *cursor, JsonText *ret_key)
{
    const char *behind;

    if (!take(cursor, '"')) {
        return false;
    }
    behind = read_string(cursor->at, cursor->end, ret_key);
    if (behind == NULL) {
        return stop(cursor, EVENT_CUT);
    }
    cursor->at = behind;
    return take(cursor, ':') && skip_blanks(cursor);
}

/* Behind a value: true if another member follows, false behind the closing brace or when stopped. */
static bool read_separator(Cursor *cursor)
{
    if (!skip_blanks(cursor)) {
        return false;
    }
    if (*cursor->at != ',' && *cursor->at != '}') {
        return stop(cursor, EVENT_MALFORMED);
    }
    return *cursor->at++ == ',';
}

/* True behind the brace of an object without members. */
static bool read_empty(Cursor *cursor)
{
    if (!skip_blanks(cursor) || *cursor->at != '}') {
        return false;
    }
    cursor->at++;
    return true;
}

/* ------------------------------------------------------------------ arguments */

/* A stream or device: text that is no decimal number, such as "0x0", is none. */
static void read_lane(TraceEvent *event, uint32_t flag, JsonText value, int64_t *ret_lane)
{
    int64_t number;

    event->has |= flag;
    if (NumberInteger(value.text, value.length, &number) && number != UINT32_MAX) {
        *ret_lane = number;
    }
}

static void read_integer(TraceEvent *event, uint32_t flag, JsonText value, int64_t *ret_value)
{
    if (NumberInteger(value.text, value.length, ret_value)) {
        event->has |= flag;
    }
}

/* Which argument a key is; 0: none that matters. */
static uint32_t argument_of(JsonText key)
{
    if (JSON_TEXT_IS(key, "stream") || JSON_TEXT_IS(key, "Stream Id")) {
        return EVENT_HAS_STREAM;
    }
    if (JSON_TEXT_IS(key, "device")) {
        return EVENT_HAS_DEVICE;
    }
    if (JSON_TEXT_IS(key, "correlation")) {
        return EVENT_HAS_CORRELATION;
    }
    if (JSON_TEXT_IS(key, "bytes")) {
        return EVENT_HAS_BYTES;
    }
    if (JSON_TEXT_IS(key, "memory bandwidth (GB/s)")) {
        return EVENT_HAS_BANDWIDTH;
    }
    if (JSON_TEXT_IS(key, "Task Type")) {
        return EVENT_HAS_TASK_TYPE;
    }
    return JSON_TEXT_IS(key, "connection_id") ? EVENT_HAS_CONNECTION : 0;
}

static void take_argument(TraceEvent *event, uint32_t argument, JsonText value)
{
    switch (argument & ~event->has) {
    case EVENT_HAS_STREAM:
        read_lane(event, argument, value, &event->stream);
        break;
    case EVENT_HAS_DEVICE:
        read_lane(event, argument, value, &event->device);
        break;
    case EVENT_HAS_CORRELATION:
        read_integer(event, argument, value, &event->correlation);
        break;
    case EVENT_HAS_CONNECTION:
        read_integer(event, argument, value, &event->correlation);
        break;
    case EVENT_HAS_BYTES:
        read_integer(event, argument, value, &event->bytes);
        break;
    case EVENT_HAS_BANDWIDTH:
        event->has |= NumberDouble(value.text, value.length, &event->bandwidth) ? argument : 0;
        break;
    case EVENT_HAS_TASK_TYPE:
        event->task_type = value;
        event->has |= value.is_string ? argument : 0;
        break;
    default:
        break;
    }
}

/* The members of `args`, from behind its brace. */
static bool read_args(Cursor *cursor, TraceEvent *event)
{
    JsonText key;
    JsonText value;

    if (read_empty(cursor)) {
        return true;
    }
    do {
        if (!read_key(cursor, &key) || !read_value(cursor, &value)) {
            return false;
        }
        take_argument(event, argument_of(key), value);
    } while (read_separator(cursor));
    return cursor->result == EVENT_READ;
}

/* ------------------------------------------------------------------ members */

static uint32_t member_of(JsonText key)
{
    if (JSON_TEXT_IS(key, "ph")) {
        return EVENT_HAS_PHASE;
    }
    if (JSON_TEXT_IS(key, "cat")) {
        return EVENT_HAS_CATEGORY;
    }
    if (JSON_TEXT_IS(key, "name")) {
        return EVENT_HAS_NAME;
    }
    if (JSON_TEXT_IS(key, "ts")) {
        return EVENT_HAS_START;
    }
    if (JSON_TEXT_IS(key, "dur")) {
        return EVENT_HAS_DURATION;
    }
    if (JSON_TEXT_IS(key, "pid")) {
        return EVENT_HAS_PID;
    }
    if (JSON_TEXT_IS(key, "tid")) {
        return EVENT_HAS_TID;
    }
    return JSON_TEXT_IS(key, "args") ? EVENT_HAS_ARGS : 0;
}

static void take_text(TraceEvent *event, uint32_t member, JsonText value, JsonText *ret_text)
{
    *ret_text = value;
    event->has |= member;
}

static void take_time(TraceEvent *event, uint32_t member, JsonText value, int64_t *ret_ns)
{
    if (NumberNanoseconds(value.text, value.length, ret_ns)) {
        event->has |= member;
    }
}

static void take_member(const Vocabulary *vocabulary, TraceEvent *event, uint32_t member,
                        JsonText value)
{
    switch (member & ~event->has) {
    case EVENT_HAS_PHASE:
        event->phase = value.is_string && value.length == 1 ? *value.text : '\0';
        event->has |= member;
        break;
    case EVENT_HAS_CATEGORY:
        event->use = VocabularyUse(vocabulary, value);
        event->has |= member;
        break;
    case EVENT_HAS_NAME:
        take_text(event, member, value, &event->name);
        break;
    case EVENT_HAS_PID:
        take_text(event, member, value, &event->pid);
        break;
    case EVENT_HAS_TID:
        take_text(event, member, value, &event->tid);
        break;
    case EVENT_HAS_START:
        take_time(event, member, value, &event->start_ns);
        break;
    case EVENT_HAS_DURATION:
        take_time(event, member, value, &event->duration_ns);
        break;
    default:
        break;
    }
}

/* True as soon as nothing that may still come can make the event matter. */
static bool is_unwanted(const TraceEvent *event)
{
    if ((event->has & EVENT_HAS_PHASE) == 0) {
        return false;
    }
    if (event->phase == 'B' || event->phase == 'E') {
        return false; /* even what nobody asks for opens and closes */
    }
    return event->phase != 'X' || event->use == USE_NOTHING;
}

/* One member, from its key on. */
static bool read_member(const Vocabulary *vocabulary, Cursor *cursor, TraceEvent *event)
{
    uint32_t member;
    JsonText key;
    JsonText value;

    if (!read_key(cursor, &key)) {
        return false;
    }
    member = member_of(key);
    if (member == EVENT_HAS_ARGS && *cursor->at == '{' && (event->has & member) == 0) {
        event->has |= member;
        cursor->at++;
        return read_args(cursor, event);
    }
    if (!read_value(cursor, &value)) {
        return false;
    }
    take_member(vocabulary, event, member, value);
    return true;
}

EventResult EventRead(const Vocabulary *vocabulary, const char *at, const char *end,
                      TraceEvent *ret_event, const char **ret_at)
{
    Cursor cursor = { .at = at, .end = end, .result = EVENT_READ };
    bool is_passed = false;

    *ret_event = (TraceEvent){ .use = USE_UNTOLD,
                               .name = no_text,
                               .pid = no_text,
                               .tid = no_text,
                               .task_type = no_text,
                               .stream = -1,
                               .device = -1 };
    if (!read_empty(&cursor) && cursor.result == EVENT_READ) {
        do {
            if (!read_member(vocabulary, &cursor, ret_event)) {
                break;
            }
            is_passed = is_unwanted(ret_event);
        } while (!is_passed && read_separator(&cursor));
    }
    if (is_passed && !skip_container(&cursor, 1)) {
        is_passed = false;
    }
    *ret_at = cursor.at;
    if (cursor.result != EVENT_READ) {
        return cursor.result;
    }
    return is_passed || (ret_event->has & EVENT_HAS_PHASE) == 0 ? EVENT_PASSED : EVENT_READ;
}
