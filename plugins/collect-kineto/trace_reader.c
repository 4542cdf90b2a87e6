/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the events of a Chrome trace through a window of fixed size. */
#include "trace_reader.h"

#include "number.h"
#include "resume.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW TRACE_EVENT_BYTES_MAX
#define PIECE ((size_t) 128 << 10) /* read at a time: it is scanned while it is in the cache */

typedef enum ReaderPlace { AT_START, IN_TOP, IN_EVENTS, AT_END } ReaderPlace;

struct TraceReader {
    Source *source;
    const Vocabulary *vocabulary;
    char *window;    /* WINDOW bytes and SCAN_PADDING */
    size_t at;       /* next byte of the window */
    size_t end;      /* bytes in the window */
    uint64_t offset; /* of the window's first byte in the text */
    bool is_exhausted;
    bool is_first_member; /* of the top-level object */
    ReaderPlace place;
    TraceFacts facts;
};

TraceReader *TraceReaderCreate(Source *source, const Vocabulary *vocabulary)
{
    TraceReader *reader = calloc(1, sizeof *reader);

    if (reader == NULL) {
        return NULL;
    }
    reader->source = source;
    reader->vocabulary = vocabulary;
    reader->window = calloc(1, WINDOW + SCAN_PADDING);
    if (reader->window == NULL) {
        free(reader);
        return NULL;
    }
    return reader;
}

void TraceReaderDestroy(TraceReader *reader)
{
    if (reader != NULL) {
        free(reader->window);
        free(reader);
    }
}

void TraceReaderGetFacts(const TraceReader *reader, TraceFacts *ret_facts)
{
    *ret_facts = reader->facts;
    ret_facts->text_bytes = reader->offset + reader->at;
}

/* ------------------------------------------------------------------ window */

/* More text behind what is left of the window. False if there is none, or no room. */
static bool refill(TraceReader *reader)
{
    const size_t left = reader->end - reader->at;
    size_t room = WINDOW - left < PIECE ? WINDOW - left : PIECE;
    size_t got = 0;

    memmove(reader->window, reader->window + reader->at, left);
    reader->offset += reader->at;
    reader->at = 0;
    reader->end = left;
    while (!reader->is_exhausted && got < room) {
        const size_t more = SourceRead(reader->source, reader->window + reader->end, room - got);

        reader->is_exhausted = more == 0;
        reader->end += more;
        got += more;
    }
    memset(reader->window + reader->end, 0, SCAN_PADDING);
    return got > 0;
}

/* Ends the reading; everything up to here is good. */
static OpprofStatus give_up(TraceReader *reader, const char *problem)
{
    const char *from_source = SourceProblem(reader->source);
    const bool at_end = reader->is_exhausted && reader->at >= reader->end;

    reader->facts.problem = at_end && from_source != NULL ? from_source : problem;
    reader->facts.problem_at = reader->offset + reader->at;
    reader->facts.was_stopped = SourceWasStopped(reader->source);
    reader->place = AT_END;
    return OPPROF_END;
}

static OpprofStatus end_of_text(TraceReader *reader)
{
    reader->at = reader->end;
    return give_up(reader, "the text ends in the middle");
}

/* First byte that is no blank; '\0' at the end of the text. */
static char peek(TraceReader *reader)
{
    do {
        reader->at =
            (size_t) (ScanBlanks(reader->window + reader->at, reader->window + reader->end) -
                      reader->window);
        if (reader->at < reader->end) {
            return reader->window[reader->at];
        }
    } while (refill(reader));
    return '\0';
}

/* ------------------------------------------------------------------ passing over */

/* A container; `depth` are open before the next byte. False at the end of the text. */
static bool pass_container(TraceReader *reader, uint64_t depth)
{
    ScanState state = { .depth = depth };

    do {
        const char *behind =
            ScanContainer(&state, reader->window + reader->at, reader->window + reader->end);

        if (behind != NULL) {
            reader->at = (size_t) (behind - reader->window);
            return true;
        }
        reader->at = reader->end;
    } while (refill(reader));
    return false;
}

/* A string from behind its opening quote. */
static bool pass_string(TraceReader *reader)
{
    bool is_escaped = false;

    do {
        for (; reader->at < reader->end; reader->at++) {
            const char c = reader->window[reader->at];

            if (c == '"' && !is_escaped) {
                reader->at++;
                return true;
            }
            is_escaped = c == '\\' && !is_escaped;
        }
    } while (refill(reader));
    return false;
}

static bool is_scalar(char c)
{
    return c != ',' && c != '}' && c != ']' && c != ':' && c != ' ' && c != '\n' && c != '\r' &&
           c != '\t' && c != '{' && c != '[' && c != '"';
}

static bool pass_scalar(TraceReader *reader)
{
    do {
        for (; reader->at < reader->end; reader->at++) {
            if (!is_scalar(reader->window[reader->at])) {
                return true;
            }
        }
    } while (refill(reader));
    return true;
}

/* Any value. False at the end of the text, or if there is none. */
static bool pass_value(TraceReader *reader)
{
    switch (peek(reader)) {
    case '{':
    case '[':
        return pass_container(reader, 0);
    case '"':
        reader->at++;
        return pass_string(reader);
    default:
        return reader->at < reader->end && is_scalar(reader->window[reader->at]) &&
               pass_scalar(reader);
    }
}

/* ------------------------------------------------------------------ metadata */

/* A scalar; NULL text if there is none that fits the window. Valid until the next refill. */
static JsonText read_scalar(TraceReader *reader)
{
    JsonText text;

    peek(reader);
    do {
        const char *behind =
            EventReadScalar(reader->window + reader->at, reader->window + reader->end, &text);

        if (behind != NULL) {
            reader->at = (size_t) (behind - reader->window);
            return text;
        }
    } while (refill(reader));
    return (JsonText){ .text = NULL };
}

/* Number or quoted number; anything else is passed over. False at the end of the text. */
static bool take_integer(TraceReader *reader, bool *has_value, int64_t *ret_value)
{
    const char first = peek(reader);
    JsonText text;
    int64_t value;

    if (first == '{' || first == '[') {
        return pass_value(reader);
    }
    text = read_scalar(reader);
    if (text.text == NULL) {
        return pass_value(reader);
    }
    if (!*has_value && NumberInteger(text.text, text.length, &value)) {
        *has_value = true;
        *ret_value = value;
    }
    return true;
}

/* The key of a member and its colon. False if there is none. */
static bool read_key(TraceReader *reader, JsonText *ret_key)
{
    if (peek(reader) != '"') {
        return false;
    }
    *ret_key = read_scalar(reader);
    return ret_key->text != NULL;
}

static bool take_colon(TraceReader *reader)
{
    if (peek(reader) != ':') {
        return false;
    }
    reader->at++;
    return true;
}

typedef enum InfoKey { INFO_OTHER, INFO_RANK } InfoKey;

/* The object behind `distributedInfo`. Its lists of ranks may be longer than the window. */
static bool read_distributed_info(TraceReader *reader)
{
    if (peek(reader) != '{') {
        return pass_value(reader);
    }
    reader->at++;
    while (peek(reader) != '}') {
        JsonText key;
        InfoKey which;

        if (!read_key(reader, &key)) {
            return false;
        }
        which = JSON_TEXT_IS(key, "rank") ? INFO_RANK : INFO_OTHER;
        if (!take_colon(reader) ||
            !(which == INFO_RANK
                  ? take_integer(reader, &reader->facts.has_rank, &reader->facts.rank)
                  : pass_value(reader))) {
            return false;
        }
        if (peek(reader) == ',') {
            reader->at++;
        } else if (peek(reader) != '}') {
            return false;
        }
    }
    reader->at++;
    return true;
}

/* ------------------------------------------------------------------ grammar */

/* The text is none of a trace: it is damaged, or, with is_other, a document of another kind. */
static OpprofStatus not_a_trace(TraceReader *reader, bool is_other, const char *why,
                                OpprofError **error)
{
    OpprofStatus status = OpprofErrorSet(error, OPPROF_E_DATA, "The text is not a trace: %s", why);

    reader->facts.is_other = is_other;
    reader->place = AT_END;

    OpprofErrorHint(error, "a trace is an object with 'traceEvents', or an array of events; the "
                           "execution traces that profilers write beside it are something else");
    return status;
}

static OpprofStatus stopped(TraceReader *reader)
{
    const bool is_cut = reader->at >= reader->end || reader->window[reader->at] == '"';

    if (is_cut && reader->is_exhausted) {
        return end_of_text(reader);
    }
    return give_up(reader, "it is not JSON");
}

static OpprofStatus read_start(TraceReader *reader, OpprofError **error)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */

    peek(reader);
    if (reader->end - reader->at >= 3 && memcmp(reader->window + reader->at, mark, 3) == 0) {
        reader->at += 3;
    }
    switch (peek(reader)) {
    case '[':
        reader->at++;
        reader->facts.is_array = true;
        reader->facts.has_events = true;
        reader->place = IN_EVENTS;
        return OPPROF_OK;
    case '{':
        reader->at++;
        reader->is_first_member = true;
        reader->place = IN_TOP;
        return OPPROF_OK;
    case '\0':
        if (reader->at >= reader->end && SourceProblem(reader->source) != NULL) {
            return end_of_text(reader);
        }
        return not_a_trace(reader, false,
                           reader->at >= reader->end ? "it is empty" : "it is not JSON", error);
    default:
        return not_a_trace(reader, false, "it is not JSON", error);
    }
}

/* The trace is complete: nothing but blanks may follow. */
static OpprofStatus end_of_trace(TraceReader *reader)
{
    peek(reader);
    if (reader->at < reader->end) {
        return give_up(reader, "there is more text after the end of the trace");
    }
    if (SourceProblem(reader->source) != NULL) {
        return end_of_text(reader);
    }
    reader->place = AT_END;
    return OPPROF_END;
}

static OpprofStatus end_of_top(TraceReader *reader, OpprofError **error)
{
    if (!reader->facts.has_events) {
        return not_a_trace(reader, true, "it has no 'traceEvents'", error);
    }
    reader->at++;
    return end_of_trace(reader);
}

static OpprofStatus begin_events(TraceReader *reader, OpprofError **error)
{
    if (peek(reader) != '[') {
        return reader->at < reader->end
                   ? not_a_trace(reader, true, "its 'traceEvents' is not an array", error)
                   : end_of_text(reader);
    }
    reader->at++;
    reader->facts.has_events = true;
    reader->place = IN_EVENTS;
    return OPPROF_OK;
}

/* One member of the top-level object. */
static OpprofStatus read_top(TraceReader *reader, OpprofError **error)
{
    bool is_good;
    JsonText key;

    if (peek(reader) == '}') {
        return end_of_top(reader, error);
    }
    if (!reader->is_first_member) {
        if (peek(reader) != ',') {
            return stopped(reader);
        }
        reader->at++;
    }
    reader->is_first_member = false;
    if (!read_key(reader, &key)) {
        return stopped(reader);
    }
    if (JSON_TEXT_IS(key, "traceEvents")) {
        return take_colon(reader) ? begin_events(reader, error) : stopped(reader);
    }
    if (JSON_TEXT_IS(key, "distributedInfo")) {
        is_good = take_colon(reader) && read_distributed_info(reader);
    } else if (JSON_TEXT_IS(key, "baseTimeNanoseconds")) {
        is_good = take_colon(reader) &&
                  take_integer(reader, &reader->facts.has_base, &reader->facts.base_ns);
    } else {
        is_good = take_colon(reader) && pass_value(reader);
    }
    return is_good ? OPPROF_OK : stopped(reader);
}

/* ------------------------------------------------------------------ events */

static uint64_t offset_of(const TraceReader *reader)
{
    return reader->offset + reader->at;
}

/*
 * Move on to where reading can be resumed: the start of an event, or the end of the array. False at
 * the end of the text.
 */
static bool resume(TraceReader *reader)
{
    for (;;) {
        const char *at = reader->window + reader->at;
        const ResumeResult result =
            ResumeFind(&at, reader->window + reader->end, reader->is_exhausted);

        reader->at = (size_t) (at - reader->window);
        if (result == RESUME_HERE) {
            return true;
        }
        if (!refill(reader) && !reader->is_exhausted) {
            reader->at++; /* no room to see what follows this brace */
        } else if (reader->at >= reader->end && reader->is_exhausted) {
            return false;
        }
    }
}

/* An event, from after its brace, that is not JSON. It alone is lost. */
static OpprofStatus pass_broken_event(TraceReader *reader, uint64_t begins_at)
{
    TraceLossAdd(&reader->facts.broken, begins_at);
    return resume(reader) ? OPPROF_AGAIN : end_of_text(reader);
}

/*
 * An event that does not end in the window or in the text: it is long, or the text is cut, or its
 * quotes do not pair, so that it seems to hold the events after it.
 */
static OpprofStatus pass_endless_event(TraceReader *reader, uint64_t begins_at)
{
    const char *at = reader->window + reader->at;

    if (ResumeFind(&at, reader->window + reader->end, reader->is_exhausted) == RESUME_HERE) {
        return pass_broken_event(reader, begins_at);
    }
    if (reader->is_exhausted) {
        return end_of_text(reader);
    }
    TraceLossAdd(&reader->facts.too_long, begins_at);
    return pass_container(reader, 1) ? OPPROF_AGAIN : end_of_text(reader);
}

static void note_unknown(TraceFacts *facts, JsonText category)
{
    char word[sizeof facts->unknown[0].word] = "";
    uint32_t i = 0;

    memcpy(word, category.text, category.length < sizeof word ? category.length : sizeof word - 1);
    while (i < facts->unknown_count && strcmp(facts->unknown[i].word, word) != 0) {
        i++;
    }
    if (i == UNKNOWN_CATEGORIES) {
        return;
    }
    if (i == facts->unknown_count) {
        facts->unknown_count++;
        memcpy(facts->unknown[i].word, word, sizeof word);
    }
    facts->unknown[i].events++;
}

/* The event whose brace is before the next byte; OPPROF_AGAIN if it does not matter. */
static OpprofStatus read_event(TraceReader *reader, TraceEvent *ret_event)
{
    const uint64_t begins_at = offset_of(reader) - 1;
    EventResult result;
    const char *after;

    reader->facts.events++;
    result = EventRead(reader->vocabulary, reader->window + reader->at,
                       reader->window + reader->end, ret_event, &after);
    while (result == EVENT_CUT && refill(reader)) {
        result = EventRead(reader->vocabulary, reader->window + reader->at,
                           reader->window + reader->end, ret_event, &after);
    }
    if (result == EVENT_MALFORMED) {
        return pass_broken_event(reader, begins_at);
    }
    if (result == EVENT_CUT) {
        return pass_endless_event(reader, begins_at);
    }
    if (ret_event->use == USE_UNKNOWN) {
        note_unknown(&reader->facts, ret_event->category);
    }
    ret_event->at = begins_at;
    reader->at = (size_t) (after - reader->window);
    return result == EVENT_READ ? OPPROF_OK : OPPROF_AGAIN;
}

static OpprofStatus end_of_events(TraceReader *reader)
{
    reader->at++;
    if (reader->facts.is_array) {
        return end_of_trace(reader);
    }
    reader->place = IN_TOP;
    return OPPROF_AGAIN;
}

/* The array ends without its bracket. Such is the end of a bare array whose writer was killed. */
static OpprofStatus end_without_bracket(TraceReader *reader)
{
    if (reader->at < reader->end || !reader->facts.is_array ||
        SourceProblem(reader->source) != NULL) {
        return stopped(reader);
    }
    reader->facts.is_unclosed = true;
    reader->place = AT_END;
    return OPPROF_END;
}

/* An element that is not an event. */
static OpprofStatus read_stranger(TraceReader *reader, char first, OpprofError **error)
{
    TraceFacts *facts = &reader->facts;
    const uint64_t begins_at = offset_of(reader);

    if (first == '[' && facts->is_array && facts->events + facts->strangers.count == 0) {
        return not_a_trace(reader, true, "it is an array of arrays", error);
    }
    if (pass_value(reader)) {
        TraceLossAdd(&facts->strangers, begins_at);
        return OPPROF_AGAIN;
    }
    return reader->at < reader->end ? pass_broken_event(reader, begins_at) : stopped(reader);
}

/* The next element of the array; OPPROF_AGAIN if it does not matter. */
static OpprofStatus read_element(TraceReader *reader, TraceEvent *ret_event, OpprofError **error)
{
    char first = peek(reader);

    if (first == ',') {
        reader->at++;
        first = peek(reader);
    }
    switch (first) {
    case '{':
        reader->at++;
        return read_event(reader, ret_event);
    case ']':
        return end_of_events(reader);
    case '\0':
        return end_without_bracket(reader);
    default:
        return read_stranger(reader, first, error);
    }
}

void TraceReaderStop(TraceReader *reader)
{
    if (reader->place != AT_END) {
        give_up(reader, "the run was stopped");
        reader->facts.was_stopped = true;
    }
}

OpprofStatus TraceReaderNext(TraceReader *reader, TraceEvent *ret_event, OpprofError **error)
{
    const uint64_t first = reader->offset + reader->at;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && reader->place != IN_EVENTS && reader->place != AT_END) {
        status = reader->place == AT_START ? read_start(reader, error) : read_top(reader, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (reader->place == AT_END) {
        return OPPROF_END;
    }
    do {
        status = read_element(reader, ret_event, error);
    } while (status == OPPROF_AGAIN && reader->place == IN_EVENTS &&
             reader->offset + reader->at - first < WINDOW);
    return status;
}
