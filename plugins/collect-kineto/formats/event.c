/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the members of one event. Tested by tests/plugins/collect-kineto/test_trace_reader. */
#include "collect-kineto/formats/event.h"

#include "collect-kineto/formats/known_text.h"
#include "collect-kineto/text/number.h"
#include "collect-kineto/text/scan.h"

#include <opprof/intern.h>
#include <string.h>

#define KEY_MAX 32u                            /* longer than any key that matters */
#define TEXT_SEED UINT64_C(0x9e3779b97f4a7c15) /* any odd number */

#define NO_TEXT                                                                                    \
    {                                                                                              \
        .text = ""                                                                                 \
    }

static const JsonText no_text = NO_TEXT;
static const JsonText stopped_text = { .text = NULL };

static const TraceEvent empty_event = { .use = USE_UNTOLD,
                                        .name = NO_TEXT,
                                        .pid = NO_TEXT,
                                        .tid = NO_TEXT,
                                        .category = NO_TEXT,
                                        .task_type = NO_TEXT,
                                        .collective = NO_TEXT,
                                        .group = NO_TEXT,
                                        .label = NO_TEXT,
                                        .dims = NO_TEXT,
                                        .types = NO_TEXT,
                                        .concrete = NO_TEXT,
                                        .element_type = NO_TEXT,
                                        .sequence = -1,
                                        .in_elements = -1,
                                        .out_elements = -1,
                                        .group_size = -1,
                                        .source_stream = -1,
                                        .source_call = -1,
                                        .stream = -1,
                                        .device = -1 };

/* The text being read, and the current place. */
typedef struct Cursor {
    const char *at;
    const char *end;
    EventResult result; /* EVENT_READ until something stops the reading */
    uint64_t depth;     /* containers that are open */
    /* details of the event were read or are empty, not left from the last event */
    bool has_details;
    char room[6 * KEY_MAX]; /* for a key with escapes */
} Cursor;

static bool stop(Cursor *cursor, EventResult result)
{
    cursor->result = result;
    return false;
}

/* False at the end of the text. */
static inline bool skip_blanks(Cursor *cursor)
{
    cursor->at = ScanBlanks(cursor->at, cursor->end);
    return cursor->at < cursor->end || stop(cursor, EVENT_CUT);
}

static inline bool take(Cursor *cursor, char c)
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

static inline const char *read_string(const char *at, const char *end, JsonText *ret_text)
{
    bool has_escape = false;
    const char *close = ScanString(at, end, &has_escape);

    if (close == NULL) {
        return NULL;
    }
    *ret_text = (JsonText){
        .text = at, .length = (uint32_t) (close - at), .has_escape = has_escape, .is_string = true
    };
    return close + 1;
}

/* Bytes that end a number or a word; a look-up table, since each byte of a word is tested. */
static const bool scalar_ends[UINT8_MAX + 1] = {
    [','] = true,  ['}'] = true, [']'] = true, [' '] = true, ['\n'] = true, ['\r'] = true,
    ['\t'] = true, [':'] = true, ['"'] = true, ['{'] = true, ['['] = true,
};

static inline bool ends_scalar(char c)
{
    return scalar_ends[(uint8_t) c];
}

static inline const char *read_scalar(const char *at, const char *end, JsonText *ret_text)
{
    const char *after;

    if (at < end && *at == '"') {
        return read_string(at + 1, end, ret_text);
    }
    after = ScanDigits(at, end);
    while (after < end && !ends_scalar(*after)) {
        after++;
    }
    if (after == end || after == at) {
        return NULL;
    }
    *ret_text = (JsonText){ .text = at, .length = (uint32_t) (after - at) };
    return after;
}

const char *EventReadScalar(const char *at, const char *end, JsonText *ret_text)
{
    return read_scalar(at, end, ret_text);
}

static bool skip_container(Cursor *cursor, uint64_t depth)
{
    ScanState state = { .depth = depth };
    const char *after = ScanContainer(&state, cursor->at, cursor->end);

    if (after == NULL) {
        return stop(cursor, EVENT_CUT);
    }
    cursor->at = after;
    return true;
}

/* A container as a value: it is skipped, and the text is empty. NULL text when stopped. */
static JsonText pass_container(Cursor *cursor)
{
    const JsonText value = { .text = cursor->at };

    return skip_container(cursor, 0) ? value : stopped_text;
}

/*
 * The value of a member; containers are skipped, and the text is then empty. NULL text when
 * stopped. Texts are returned by value: they are two registers wide.
 */
static inline JsonText read_value(Cursor *cursor)
{
    JsonText value;
    const char *after;

    if (*cursor->at == '{' || *cursor->at == '[') {
        return pass_container(cursor);
    }
    after = read_scalar(cursor->at, cursor->end, &value);
    if (after == NULL) {
        stop(cursor, ends_scalar(*cursor->at) && *cursor->at != '"' ? EVENT_MALFORMED : EVENT_CUT);
        return stopped_text;
    }
    cursor->at = after;
    return value;
}

/* The colon and at most one blank, as nearly all writers have them. False: something else, nothing
 * was skipped. */
static inline bool pass_colon(Cursor *cursor)
{
    const char *at = cursor->at;

    if (cursor->end - at < 3 || *at != ':') {
        return false;
    }
    at += at[1] == ' ' ? 2 : 1;
    if ((unsigned char) *at <= ' ') {
        return false;
    }
    cursor->at = at;
    return true;
}

/* A key after its quote, and its colon; then the cursor is at its value. NULL text when stopped. */
static inline JsonText read_rest_of_key(Cursor *cursor)
{
    JsonText key;
    const char *after;

    after = read_string(cursor->at, cursor->end, &key);
    if (after == NULL) {
        stop(cursor, EVENT_CUT);
        return stopped_text;
    }
    cursor->at = after;
    return pass_colon(cursor) || (take(cursor, ':') && skip_blanks(cursor)) ? key : stopped_text;
}

/* Key and colon of the next member; then the cursor is at its value. NULL text when stopped. */
static inline JsonText read_key(Cursor *cursor)
{
    return take(cursor, '"') ? read_rest_of_key(cursor) : stopped_text;
}

/* After a value: true if another member follows, false after the last or when stopped. */
static inline bool read_separator(Cursor *cursor)
{
    if (cursor->at < cursor->end && *cursor->at == ',') {
        cursor->at++;
        return true;
    }
    if (!skip_blanks(cursor)) {
        return false;
    }
    if (*cursor->at != ',' && *cursor->at != '}') {
        return stop(cursor, EVENT_MALFORMED);
    }
    return *cursor->at++ == ',';
}

/* True after the brace of an object without members. */
static bool read_empty(Cursor *cursor)
{
    if (!skip_blanks(cursor) || *cursor->at != '}') {
        return false;
    }
    cursor->at++;
    return true;
}

/* ---- arguments ---- */

/* A text or null means that the value is unknown; 1e400, true and {} are damage. */
static void note_odd(TraceEvent *event, JsonText value)
{
    if (!value.is_string && !JSON_TEXT_IS(value, "null")) {
        event->has |= EVENT_HAS_ODD_ARGS;
    }
}

/* A stream or device: text that is not a decimal number, such as "0x0", is ignored. */
static void read_lane(TraceEvent *event, uint32_t flag, JsonText value, int64_t *ret_lane)
{
    int64_t number;

    event->has |= flag;
    if (!NumberInteger(value.text, value.length, &number)) {
        note_odd(event, value);
    } else if (number != UINT32_MAX) {
        *ret_lane = number;
    }
}

static void read_integer(TraceEvent *event, uint32_t flag, JsonText value, int64_t *ret_value)
{
    if (NumberInteger(value.text, value.length, ret_value)) {
        event->has |= flag;
    } else {
        note_odd(event, value);
    }
}

/* The number after "size:" in a text of XLA, such as "kind:pinned size:8 dest:0 async:1"; the text
 * itself if it has none. */
static JsonText size_in(JsonText text)
{
    static const char key[] = "size:";
    const char *end = text.text + text.length;
    const char *at = text.is_string ? memmem(text.text, text.length, key, sizeof key - 1) : NULL;
    const char *from = at == NULL ? end : at + sizeof key - 1;

    if (from < end) {
        text.length = (uint32_t) (ScanDigits(from, end) - from);
        text.text = from;
    }
    return text;
}

static void read_bytes(TraceEvent *event, JsonText value)
{
    read_integer(event, EVENT_HAS_BYTES, size_in(value), &event->bytes);
    event->has |= (event->has & EVENT_HAS_BYTES) != 0 && event->bytes < 0 ? EVENT_HAS_ODD_ARGS : 0;
}

static void read_bandwidth(TraceEvent *event, JsonText value)
{
    if (NumberDouble(value.text, value.length, &event->bandwidth)) {
        event->has |= EVENT_HAS_BANDWIDTH;
    } else {
        note_odd(event, value);
    }
}

/* The key without escapes. */
static inline JsonText plain_key(Cursor *cursor, JsonText key)
{
    if (!key.has_escape) {
        return key;
    }
    if (key.length > sizeof cursor->room) {
        return no_text;
    }
    return (JsonText){ .text = cursor->room,
                       .length = (uint32_t) JsonTextDecode(key, cursor->room) };
}

#define KEY_IS(key, word) (memcmp((key).text, "" word, sizeof(word) - 1) == 0)

/* The argument of a key that is not data; 0: not needed. */
static uint32_t fixed_argument(JsonText key)
{
    switch (key.length) {
    case 4:
        return KEY_IS(key, "name") ? EVENT_HAS_LABEL : 0;
    case 5:
        return KEY_IS(key, "bytes") ? EVENT_HAS_BYTES : 0;
    case 10:
        return KEY_IS(key, "Input Dims")   ? EVENT_HAS_DIMS
               : KEY_IS(key, "Input type") ? EVENT_HAS_TYPES
                                           : 0;
    case 6:
        return KEY_IS(key, "stream")   ? EVENT_HAS_STREAM
               : KEY_IS(key, "device") ? EVENT_HAS_DEVICE
                                       : 0;
    case 9:
        return KEY_IS(key, "Stream Id")   ? EVENT_HAS_STREAM
               : KEY_IS(key, "Task Type") ? EVENT_HAS_TASK_TYPE
                                          : 0;
    case 11:
        return KEY_IS(key, "correlation") ? EVENT_HAS_CORRELATION : 0;
    case 13:
        return KEY_IS(key, "connection_id") ? EVENT_HAS_CONNECTION : 0;
    case 14:
        return KEY_IS(key, "correlation_id")   ? EVENT_HAS_CORRELATION
               : KEY_IS(key, "wait_on_stream") ? EVENT_HAS_SOURCE_STREAM
               : KEY_IS(key, "memcpy_details") ? EVENT_HAS_BYTES
               : KEY_IS(key, "Memset_details") ? EVENT_HAS_BYTES
                                               : 0;
    case 15:
        return KEY_IS(key, "Concrete Inputs") ? EVENT_HAS_CONCRETE : 0;
    case 33:
        return KEY_IS(key, "wait_on_cuda_event_record_corr_id") ? EVENT_HAS_SOURCE_CALL : 0;
    case 23:
        return KEY_IS(key, "memory bandwidth (GB/s)") ? EVENT_HAS_BANDWIDTH : 0;
    default:
        return 0;
    }
}

/* The argument of a key in an event; 0: not needed. */
static uint32_t argument_of(const Vocabulary *vocabulary, const TraceEvent *event, JsonText key)
{
    static const uint32_t arguments[VOCABULARY_KEYS + 1] = {
        [LIST_KEY_COLLECTIVE - LIST_KEY_COLLECTIVE] = EVENT_HAS_COLLECTIVE,
        [LIST_KEY_GROUP - LIST_KEY_COLLECTIVE] = EVENT_HAS_GROUP,
        [LIST_KEY_SEQUENCE - LIST_KEY_COLLECTIVE] = EVENT_HAS_SEQUENCE,
        [LIST_KEY_COMMUNICATOR - LIST_KEY_COLLECTIVE] = EVENT_HAS_COMMUNICATOR,
        [LIST_KEY_IN_ELEMENTS - LIST_KEY_COLLECTIVE] = EVENT_HAS_IN_ELEMENTS,
        [LIST_KEY_OUT_ELEMENTS - LIST_KEY_COLLECTIVE] = EVENT_HAS_OUT_ELEMENTS,
        [LIST_KEY_ELEMENT_TYPE - LIST_KEY_COLLECTIVE] = EVENT_HAS_ELEMENT_TYPE,
        [LIST_KEY_GROUP_SIZE - LIST_KEY_COLLECTIVE] = EVENT_HAS_GROUP_SIZE,
        [LIST_KEY_GROUP_RANKS - LIST_KEY_COLLECTIVE] = EVENT_HAS_GROUP_RANKS,
        [LIST_KEY_SPLIT_SIZES - LIST_KEY_COLLECTIVE] = EVENT_HAS_SPLIT_SIZES,
        [LIST_KEY_OPERATOR - LIST_KEY_COLLECTIVE] = EVENT_HAS_LABEL,
        [LIST_KEY_MODULE - LIST_KEY_COLLECTIVE] = EVENT_HAS_MODULE,
    };
    const uint32_t fixed = fixed_argument(key);

    if (event->phase != 'X' && event->phase != 'B') {
        return fixed;
    }
    /* "name" is the label of metadata. */
    return fixed != 0 && fixed != EVENT_HAS_LABEL
               ? fixed
               : arguments[VocabularyKey(vocabulary, key.text, key.length)];
}

static void take_text(TraceEvent *event, uint32_t member, JsonText value, JsonText *ret_text)
{
    *ret_text = value;
    event->has |= member;
}

/* Members that newer profilers write for kernels of collectives. */
static void take_collective(TraceEvent *event, uint32_t argument, JsonText value)
{
    switch (argument) {
    case EVENT_HAS_COLLECTIVE:
        take_text(event, argument, value, &event->collective);
        break;
    case EVENT_HAS_GROUP:
        take_text(event, argument, value, &event->group);
        break;
    case EVENT_HAS_ELEMENT_TYPE:
        take_text(event, argument, value, &event->element_type);
        break;
    case EVENT_HAS_SEQUENCE:
        read_integer(event, argument, value, &event->sequence);
        break;
    case EVENT_HAS_IN_ELEMENTS:
        read_integer(event, argument, value, &event->in_elements);
        break;
    case EVENT_HAS_OUT_ELEMENTS:
        read_integer(event, argument, value, &event->out_elements);
        break;
    case EVENT_HAS_GROUP_SIZE:
        read_integer(event, argument, value, &event->group_size);
        break;
    case EVENT_HAS_SOURCE_STREAM:
        read_lane(event, argument, value, &event->source_stream);
        break;
    case EVENT_HAS_SOURCE_CALL:
        read_integer(event, argument, value, &event->source_call);
        break;
    case EVENT_HAS_COMMUNICATOR:
        event->has |= argument;
        break;
    case EVENT_HAS_DIMS:
        take_text(event, argument, value, &event->dims);
        break;
    case EVENT_HAS_TYPES:
        take_text(event, argument, value, &event->types);
        break;
    case EVENT_HAS_CONCRETE:
        take_text(event, argument, value, &event->concrete);
        break;
    case EVENT_HAS_LABEL:
        take_text(event, argument, value, &event->label);
        break;
    default:
        break;
    }
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
        read_bytes(event, value);
        break;
    case EVENT_HAS_BANDWIDTH:
        read_bandwidth(event, value);
        break;
    case EVENT_HAS_TASK_TYPE:
        event->task_type = value;
        event->has |= value.is_string ? argument : 0;
        break;
    default:
        take_collective(event, argument & ~event->has, value);
        break;
    }
}

static bool has_all(const TraceEvent *event, uint32_t members)
{
    return (event->has & members) == members;
}

/* True if all that can matter was read. */
static bool is_complete(const TraceEvent *event)
{
    return has_all(event, EVENT_HAS_PHASE | EVENT_HAS_CATEGORY | EVENT_HAS_NAME | EVENT_HAS_START |
                              EVENT_HAS_DURATION | EVENT_HAS_PID | EVENT_HAS_TID | EVENT_HAS_ARGS);
}

/* True if no further argument can matter. For kernels all may: any can be a collective's. */
static bool needs_no_more(const TraceEvent *event)
{
    const uint32_t lane = EVENT_HAS_STREAM | EVENT_HAS_DEVICE | EVENT_HAS_CORRELATION;

    switch (event->use) {
    case USE_CALL:
        return has_all(event, EVENT_HAS_CORRELATION);
    case USE_TRANSFER:
        return has_all(event, lane | EVENT_HAS_BYTES | EVENT_HAS_BANDWIDTH);
    case USE_KERNEL:
    case USE_ANNOTATION:
    case USE_SHADOW:
    case USE_OPERATOR:
    case USE_PYTHON:
    case USE_WAIT:
    case USE_FLOW:
    case USE_CALL_FLOW:
    case USE_WORK_FLOW:
    case USE_UNEVALUATED:
    case USE_NOTHING:
    case USE_UNTOLD:
    case USE_UNKNOWN:
    default:
        return false;
    }
}

/* Of lists the whole text counts. */
static bool is_list(uint32_t argument, JsonText value)
{
    return !value.is_string &&
           (argument & (EVENT_HAS_DIMS | EVENT_HAS_TYPES | EVENT_HAS_CONCRETE)) != 0;
}

/* A value that ends at the cursor, including its brackets. */
static JsonText whole_value(const Cursor *cursor, JsonText value)
{
    value.length = (uint32_t) (cursor->at - value.text);
    return value;
}

/* The product of the numbers of a list; 0: it is not one, or beyond `most`. */
static uint32_t product_of(const char *at, const char *end, uint32_t most)
{
    uint64_t product = 1;
    uint64_t number = 0;

    for (at++; at < end; at++) {
        if (*at >= '0' && *at <= '9') {
            number = number * 10 + (uint64_t) (*at - '0');
        } else if (*at == ',' || *at == ']') {
            product *= number;
            number = 0;
        } else if (*at != ' ') {
            return 0;
        }
        if (number > most || product > most) {
            return 0;
        }
    }
    return (uint32_t) product;
}

/* Arguments that say how a kernel was spread over its device. */
static void take_grid(const Cursor *cursor, TraceEvent *event, JsonText key, JsonText value)
{
    double percent;

    if (key.length == 4 && KEY_IS(key, "grid") && *value.text == '[') {
        event->blocks = product_of(value.text, cursor->at, INT32_MAX);
    } else if (key.length == 5 && KEY_IS(key, "block") && *value.text == '[') {
        event->threads = (uint16_t) product_of(value.text, cursor->at, UINT16_MAX);
    } else if (key.length == 25 && KEY_IS(key, "est. achieved occupancy %") &&
               NumberDouble(value.text, value.length, &percent) && percent > 0 && percent <= 100) {
        event->occupancy = (uint16_t) (percent + 0.5);
    }
}

/* Skips the remaining arguments. Once everything else is read, they are left to the skip over the
 * rest of the event. */
static bool leave_args(Cursor *cursor, const TraceEvent *event)
{
    if (is_complete(event)) {
        cursor->depth++;
        return true;
    }
    return skip_container(cursor, 1);
}

/* Most events are passed over or have no arguments that matter, so that their details are left
 * alone at first. */
static void empty_details(Cursor *cursor, TraceEvent *event)
{
    memcpy((char *) event + EVENT_PLAIN_BYTES, (const char *) &empty_event + EVENT_PLAIN_BYTES,
           sizeof *event - EVENT_PLAIN_BYTES);
    cursor->has_details = true;
}

/* The members of `args`, from after its brace, up to the last that can matter. */
static bool read_args(const Vocabulary *vocabulary, Cursor *cursor, TraceEvent *event)
{
    if (read_empty(cursor)) {
        return true;
    }
    empty_details(cursor, event);
    do {
        const JsonText key = read_key(cursor);
        const JsonText value = key.text == NULL ? key : read_value(cursor);
        JsonText plain;
        uint32_t argument;

        if (value.text == NULL) {
            return false;
        }
        plain = plain_key(cursor, key);
        argument = argument_of(vocabulary, event, plain);
        if (argument == 0 && event->use == USE_KERNEL) {
            take_grid(cursor, event, plain, value);
        }
        take_argument(event, argument,
                      is_list(argument, value) ? whole_value(cursor, value) : value);
        if (argument != 0 && needs_no_more(event)) {
            return leave_args(cursor, event);
        }
    } while (read_separator(cursor));
    return cursor->result == EVENT_READ;
}

/* ---- members ---- */

/* The member of a key; 0: not needed. */
static uint32_t member_of(JsonText key)
{
    switch (key.length) {
    case 2:
        return KEY_IS(key, "ph")   ? EVENT_HAS_PHASE
               : KEY_IS(key, "ts") ? EVENT_HAS_START
               : KEY_IS(key, "id") ? EVENT_HAS_LABEL
                                   : 0;
    case 3:
        return KEY_IS(key, "cat")   ? EVENT_HAS_CATEGORY
               : KEY_IS(key, "dur") ? EVENT_HAS_DURATION
               : KEY_IS(key, "pid") ? EVENT_HAS_PID
               : KEY_IS(key, "tid") ? EVENT_HAS_TID
                                    : 0;
    case 4:
        return KEY_IS(key, "name") ? EVENT_HAS_NAME : KEY_IS(key, "args") ? EVENT_HAS_ARGS : 0;
    default:
        return 0;
    }
}

#define KEY_BYTES 5 /* of the longest key that matters, and its quote */
#define BEGINS_WITH(at, word) (memcmp((at), "" word, sizeof(word) - 1) == 0)

/* The member of a key, from the text after its opening quote; 0: undecided. */
static inline uint32_t usual_member(const char *at)
{
    return BEGINS_WITH(at, "dur\"")    ? EVENT_HAS_DURATION
           : BEGINS_WITH(at, "pid\"")  ? EVENT_HAS_PID
           : BEGINS_WITH(at, "tid\"")  ? EVENT_HAS_TID
           : BEGINS_WITH(at, "cat\"")  ? EVENT_HAS_CATEGORY
           : BEGINS_WITH(at, "ph\"")   ? EVENT_HAS_PHASE
           : BEGINS_WITH(at, "ts\"")   ? EVENT_HAS_START
           : BEGINS_WITH(at, "name\"") ? EVENT_HAS_NAME
           : BEGINS_WITH(at, "args\"") ? EVENT_HAS_ARGS
                                       : 0;
}

/* Bytes of the key of a member, with its closing quote. */
static inline size_t usual_length(uint32_t member)
{
    return (member & (EVENT_HAS_PHASE | EVENT_HAS_START)) != 0 ? 3
           : (member & (EVENT_HAS_NAME | EVENT_HAS_ARGS)) != 0 ? 5
                                                               : 4;
}

/* Key and colon of the next member of an event, 0 if it is not needed. False when stopped. */
static inline bool read_member_key(Cursor *cursor, uint32_t *ret_member)
{
    JsonText key;

    if (!take(cursor, '"')) {
        return false;
    }
    *ret_member = cursor->end - cursor->at > KEY_BYTES ? usual_member(cursor->at) : 0;
    if (*ret_member != 0) {
        cursor->at += usual_length(*ret_member);
        return pass_colon(cursor) || (take(cursor, ':') && skip_blanks(cursor));
    }
    key = read_rest_of_key(cursor);
    if (key.text == NULL) {
        return false;
    }
    *ret_member = member_of(plain_key(cursor, key));
    return true;
}

static void take_time(TraceEvent *event, uint32_t member, JsonText value, int64_t *ret_ns)
{
    if (NumberNanoseconds(value.text, value.length, ret_ns)) {
        event->has |= member;
    }
}

static inline bool is_flow(const TraceEvent *event)
{
    return event->phase == 's' || event->phase == 'f';
}

int64_t EventNumber(JsonText text)
{
    int64_t number;

    if (NumberInteger(text.text, text.length, &number)) {
        return number;
    }
    return (int64_t) OpprofInternHash(TEXT_SEED, text.text, text.length);
}

static bool is_flow_use(CategoryUse use)
{
    return use == USE_FLOW || use == USE_CALL_FLOW || use == USE_WORK_FLOW;
}

/* The phases of the Trace Event Format; any other one was damaged. */
static bool is_phase(char phase)
{
    return phase != '\0' && strchr("XBEsftMCiIRnbeSTpFPNODvVac(),", phase) != NULL;
}

/* Of several members with one name the first counts. */
static inline void take_member(const Vocabulary *vocabulary, TraceEvent *event, uint32_t member,
                               JsonText value)
{
    if ((member & ~event->has) == 0) {
        return;
    }
    switch (__builtin_ctz(member)) { /* consecutive numbers form a table */
    case EVENT_BIT_PHASE:
        event->phase = value.is_string && value.length == 1 ? *value.text : '\0';
        event->has |= is_phase(event->phase) ? member : member | EVENT_IS_ODD;
        break;
    case EVENT_BIT_CATEGORY:
        event->use = VocabularyUse(vocabulary, value);
        take_text(event, member, value, &event->category);
        event->has |= value.is_string ? 0 : EVENT_IS_ODD;
        break;
    case EVENT_BIT_NAME:
        take_text(event, member, value, &event->name);
        break;
    case EVENT_BIT_START:
        take_time(event, member, value, &event->start_ns);
        break;
    case EVENT_BIT_DURATION:
        take_time(event, member, value, &event->duration_ns);
        break;
    case EVENT_BIT_PID:
        take_text(event, member, value, &event->pid);
        break;
    case EVENT_BIT_TID:
        take_text(event, member, value, &event->tid);
        break;
    case EVENT_BIT_LABEL:
        if (is_flow(event) && (event->has & EVENT_HAS_CORRELATION) == 0) {
            event->correlation = EventNumber(value);
            event->has |= EVENT_HAS_CORRELATION;
        }
        break;
    default: /* arguments that are not read; only an object has them */
        event->has |= *value.text == '{' || JSON_TEXT_IS(value, "null") ? 0 : EVENT_HAS_ODD_ARGS;
        break;
    }
}

/* Metadata are the names of processes and threads; other metadata is ignored. */
static bool is_unwanted_metadata(const TraceEvent *event)
{
    return (event->has & EVENT_HAS_NAME) != 0 && !JSON_TEXT_IS(event->name, "process_name") &&
           !JSON_TEXT_IS(event->name, "thread_name");
}

/* Members that is_unwanted uses. */
#define EVENT_DECIDES (EVENT_HAS_PHASE | EVENT_HAS_CATEGORY | EVENT_HAS_NAME)

/* True if no further member can make a host's event wanted. */
static bool is_unwanted_host(const Vocabulary *vocabulary, const TraceEvent *event)
{
    return (event->has & EVENT_HAS_NAME) != 0 &&
           !VocabularyKeepsHost(vocabulary, event->use, event->name);
}

/* The same for a complete event. */
static bool is_unwanted_stretch(const Vocabulary *vocabulary, const TraceEvent *event)
{
    switch (event->use) {
    case USE_OPERATOR:
        return is_unwanted_host(vocabulary, event);
    case USE_PYTHON:
        return !vocabulary->reads_host || is_unwanted_host(vocabulary, event);
    case USE_WAIT:
        return !vocabulary->reads_path;
    case USE_NOTHING:
    case USE_UNKNOWN:
    case USE_FLOW:
    case USE_CALL_FLOW:
    case USE_WORK_FLOW:
    case USE_UNEVALUATED:
        return true;
    case USE_KERNEL:
    case USE_TRANSFER:
    case USE_CALL:
    case USE_ANNOTATION:
    case USE_SHADOW:
    case USE_UNTOLD:
    default:
        return false;
    }
}

/* True as soon as no further member can make the event wanted. */
static bool is_unwanted(const Vocabulary *vocabulary, const TraceEvent *event)
{
    if ((event->has & EVENT_HAS_PHASE) == 0 || (event->has & EVENT_IS_ODD) != 0) {
        return false; /* the odd ones are counted */
    }
    switch (event->phase) {
    case 'X':
        return is_unwanted_stretch(vocabulary, event);
    case 'B':
    case 'E':
        return false; /* even unwanted events open and close */
    case 'M':
        return is_unwanted_metadata(event);
    case 's':
    case 'f':
        return (event->has & EVENT_HAS_CATEGORY) != 0 && event->use != USE_CALL_FLOW &&
               (!vocabulary->reads_host || !is_flow_use(event->use));
    default: /* the category tells whether it is counted */
        return (event->has & EVENT_HAS_CATEGORY) != 0;
    }
}

/* Its arguments never matter, except for the shapes of some operators. */
static bool has_no_args(const Vocabulary *vocabulary, const TraceEvent *event)
{
    if ((event->has & EVENT_HAS_CATEGORY) == 0) {
        return false;
    }
    if (event->use == USE_OPERATOR && (event->has & EVENT_HAS_NAME) != 0) {
        return VocabularyShape(vocabulary, event->name) == SHAPE_NONE;
    }
    return event->use == USE_ANNOTATION || event->use == USE_SHADOW || event->use == USE_OPERATOR ||
           event->use == USE_PYTHON;
}

/* A time as most writers have them. False: something else, nothing was read. */
static inline bool read_time(Cursor *cursor, uint32_t member, TraceEvent *event)
{
    int64_t ns;
    const char *after = NumberReadTime(cursor->at, cursor->end, &ns);

    if (after == NULL || after == cursor->end || !ends_scalar(*after)) {
        return false;
    }
    if ((event->has & member) == 0) {
        *(member == EVENT_HAS_START ? &event->start_ns : &event->duration_ns) = ns;
        event->has |= member;
    }
    cursor->at = after;
    return true;
}

/* The value of a member. */
static bool read_member(const Vocabulary *vocabulary, Cursor *cursor, uint32_t member,
                        TraceEvent *event)
{
    JsonText value;

    if (member == EVENT_HAS_ARGS && *cursor->at == '{' && (event->has & member) == 0) {
        event->has |= member;
        cursor->at++;
        return has_no_args(vocabulary, event) ? leave_args(cursor, event)
                                              : read_args(vocabulary, cursor, event);
    }
    if ((member & (EVENT_HAS_START | EVENT_HAS_DURATION)) != 0 &&
        read_time(cursor, member, event)) {
        return true;
    }
    value = read_value(cursor);
    if (value.text == NULL) {
        return false;
    }
    take_member(vocabulary, event, member, value);
    return true;
}

/* Reads key and colon of the next member. False after the last member, or if reading stops. */
static bool find_member(Cursor *cursor, bool is_first, uint32_t *ret_member)
{
    if (is_first ? read_empty(cursor) : !read_separator(cursor)) {
        return false;
    }
    return cursor->result == EVENT_READ && read_member_key(cursor, ret_member);
}

/* Members whose values differ from event to event. */
#define EVENT_DIFFERS                                                                              \
    (EVENT_HAS_NAME | EVENT_HAS_START | EVENT_HAS_DURATION | EVENT_HAS_LABEL |                     \
     (uint32_t) EVENT_HAS_ARGS)

/* Where an event's reading is. */
typedef struct Stretch {
    const char *from; /* the beginning, or after the last value that differs */
    uint32_t before;  /* what the event had there */
    bool is_first;    /* no member was read yet */
    bool is_usual;    /* the text from there on may be known */
} Stretch;

/* The next member, by what is known of the text before its value or by reading its key. False after
 * the last or when stopped. */
static bool next_member(KnownTexts *known, Cursor *cursor, Stretch *stretch, TraceEvent *event,
                        uint32_t *ret_member)
{
    const char *from = stretch->from;
    const bool is_first = stretch->is_first;

    stretch->is_first = false;
    if (from == cursor->at && stretch->is_usual) {
        *ret_member = KnownTextsPass(known, from, cursor->end, event, &cursor->at);
        if (*ret_member != 0) {
            return true;
        }
    }
    if (!find_member(cursor, is_first, ret_member)) {
        return false;
    }
    if ((*ret_member & EVENT_DIFFERS) != 0 && stretch->is_usual) {
        KnownTextsKeep(known, from, (size_t) (cursor->at - from), stretch->before, event,
                       *ret_member);
    }
    return true;
}

/* True if what was read of an event since it had those members makes it one
 * without use. */
static inline bool is_decided(const Vocabulary *vocabulary, const TraceEvent *event, uint32_t had)
{
    return ((had ^ event->has) & EVENT_DECIDES) != 0 && is_unwanted(vocabulary, event);
}

/* The members of an event from after its brace on, up to the last that can matter. True if the
 * event has no use. */
static bool read_members(const Vocabulary *vocabulary, KnownTexts *known, Cursor *cursor,
                         TraceEvent *event)
{
    Stretch stretch = { .from = cursor->at, .is_first = true, .is_usual = true };

    do {
        uint32_t had = event->has;
        uint32_t member;

        if (!next_member(known, cursor, &stretch, event, &member)) {
            return false;
        }
        if ((had & EVENT_HAS_NAME) != 0) { /* without a name, what is kept is never decided */
            if (is_decided(vocabulary, event, had)) {
                /* before the next value is looked at, as if each member had been read */
                return true;
            }
            had = event->has;
        }
        if (!read_member(vocabulary, cursor, member, event)) {
            return false;
        }
        if (is_decided(vocabulary, event, had)) {
            return true;
        }
        if ((member & EVENT_DIFFERS) != 0) {
            stretch.from = cursor->at;
            stretch.before = event->has;
            stretch.is_usual = event->has != 0; /* only at its beginning it has nothing */
        }
    } while (!is_complete(event));
    return false;
}

void EventInit(TraceEvent *ret_event)
{
    *ret_event = empty_event;
}

void EventCopy(const TraceEvent *event, TraceEvent *ret_event)
{
    const size_t bytes = EventBytes(event);

    memcpy(ret_event, event, bytes);
    memcpy((char *) ret_event + bytes, (const char *) &empty_event + bytes, sizeof *event - bytes);
}

/* Whether the text of an event names a stream, as only work of a device does. */
static bool names_stream(const char *at, const char *end)
{
    static const char *const keys[] = { "\"stream\"", "\"Stream Id\"" };
    bool result = false;

    for (size_t i = 0; !result && i < sizeof keys / sizeof keys[0]; i++) {
        result = memmem(at, (size_t) (end - at), keys[i], strlen(keys[i])) != NULL;
    }
    return result;
}

EventResult EventRead(const Vocabulary *vocabulary, KnownTexts *known, const char *at,
                      const char *end, TraceEvent *ret_event, const char **ret_at)
{
    Cursor cursor;
    bool is_passed;

    cursor.at = at;
    cursor.end = end;
    cursor.result = EVENT_READ;
    cursor.depth = 1;
    cursor.has_details = false;
    memcpy(ret_event, &empty_event, EVENT_PLAIN_BYTES);
    is_passed = read_members(vocabulary, known, &cursor, ret_event);
    if (is_passed && is_flow(ret_event)) {
        ret_event->use = USE_NOTHING; /* flows of unknown categories are not worth a word */
    }
    if (cursor.result == EVENT_READ && (is_passed || is_complete(ret_event))) {
        skip_container(&cursor, cursor.depth);
    }
    *ret_at = cursor.at;
    if (cursor.result != EVENT_READ) {
        return cursor.result;
    }
    if (!is_passed && !cursor.has_details) {
        empty_details(&cursor, ret_event);
    }
    if (ret_event->use == USE_UNKNOWN && ret_event->phase == 'X' && names_stream(at, cursor.at)) {
        ret_event->has |= EVENT_HAS_STREAM; /* its number does not matter */
    }
    if ((ret_event->has & (EVENT_HAS_PHASE | EVENT_HAS_START)) == EVENT_HAS_START) {
        ret_event->has |= EVENT_IS_ODD;
    }
    if ((ret_event->has & EVENT_IS_ODD) != 0) {
        ret_event->use = USE_NOTHING;
        return EVENT_READ;
    }
    if ((ret_event->has & EVENT_HAS_PHASE) != 0 && strchr("XBEMsf", ret_event->phase) == NULL) {
        ret_event->use = ret_event->use == USE_UNEVALUATED ? USE_UNEVALUATED : USE_NOTHING;
        return EVENT_PASSED;
    }
    return is_passed || (ret_event->has & EVENT_HAS_PHASE) == 0 ? EVENT_PASSED : EVENT_READ;
}
