/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the events of a Chrome trace through a window of fixed size.
 * Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/formats/trace_reader.h"

#include "collect-kineto/formats/known_text.h"
#include "collect-kineto/text/resume.h"
#include "collect-kineto/formats/rocprof.h"
#include "collect-kineto/formats/text_window.h"

#include <jansson.h>
#include <opprof/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum ReaderPlace { AT_START, IN_TOP, IN_EVENTS, IN_ROCPROF, AT_END } ReaderPlace;

struct TraceReader {
    const Vocabulary *vocabulary;
    TextWindow text;
    Rocprof *rocprof;     /* NULL: another form */
    bool is_first_member; /* of the top-level object */
    ReaderPlace place;
    bool is_ahead;        /* events come from threads */
    uint64_t ahead_from;  /* byte of the text before which threads are not used */
    uint64_t ahead_pause; /* bytes until threads are tried again after something odd */
    TraceFacts facts;
    KnownTexts known;
    TraceEvent event; /* read by the caller's thread */
};

#define AHEAD_PAUSE_MAX (UINT64_C(64) << 20)

TraceReader *TraceReaderCreate(Source *source, const Vocabulary *vocabulary)
{
    TraceReader *reader = calloc(1, sizeof *reader);

    if (reader == NULL) {
        return NULL;
    }
    reader->vocabulary = vocabulary;
    if (!TextWindowInit(&reader->text, source)) {
        free(reader);
        return NULL;
    }
    return reader;
}

bool TraceReaderSetThreads(TraceReader *reader, unsigned threads, size_t piece_bytes)
{
    if (threads < 2) {
        return true;
    }
    reader->ahead_pause = 4 * (uint64_t) piece_bytes;
    reader->text.parallel =
        ParallelReaderCreate(reader->text.source, reader->vocabulary, threads - 1, piece_bytes);
    return reader->text.parallel != NULL;
}

uint64_t TraceReaderDone(const TraceReader *reader)
{
    return reader->text.parallel == NULL ? SourceDone(reader->text.source)
                                         : ParallelReaderDone(reader->text.parallel);
}

void TraceReaderDestroy(TraceReader *reader)
{
    if (reader != NULL) {
        RocprofDestroy(reader->rocprof);
        TextWindowFinish(&reader->text);
        free(reader);
    }
}

void TraceReaderGetFacts(const TraceReader *reader, TraceFacts *ret_facts)
{
    *ret_facts = reader->facts;
    ret_facts->text_bytes = TextWindowOffset(&reader->text);
    ret_facts->has_zeros = SourceZeroAt(reader->text.source) < ret_facts->text_bytes;
    ret_facts->zero_at = SourceZeroAt(reader->text.source);
}

/* Ends the reading; everything so far is good. */
static OpprofStatus give_up(TraceReader *reader, const char *problem)
{
    const char *from_source = SourceProblem(reader->text.source);
    const bool at_end = reader->text.is_exhausted && reader->text.at >= reader->text.end;

    reader->facts.problem = at_end && from_source != NULL ? from_source : problem;
    reader->facts.problem_at = TextWindowOffset(&reader->text);
    reader->facts.was_stopped = SourceWasStopped(reader->text.source);
    reader->place = AT_END;
    return OPPROF_END;
}

static OpprofStatus end_of_text(TraceReader *reader)
{
    reader->text.at = reader->text.end;
    return give_up(reader, "the text ends in the middle");
}

/* ---- metadata ---- */

static bool read_rank(TraceReader *reader)
{
    TraceFacts *facts = &reader->facts;
    const bool is_null = TextWindowPeek(&reader->text) == 'n';

    if (!TextWindowInteger(&reader->text, &facts->has_rank, &facts->rank)) {
        return false;
    }
    facts->has_rank = facts->has_rank && facts->rank >= 0;
    facts->has_odd_rank |= !facts->has_rank && !is_null;
    return true;
}

static bool read_info_value(TraceReader *reader, JsonText key)
{
    TraceFacts *facts = &reader->facts;
    const bool is_rank = JSON_TEXT_IS(key, "rank");
    const bool is_world = JSON_TEXT_IS(key, "world_size");

    if (!TextWindowColon(&reader->text)) {
        return false;
    }
    return is_rank    ? read_rank(reader)
           : is_world ? TextWindowInteger(&reader->text, &facts->has_world, &facts->world_size)
                      : TextWindowPassValue(&reader->text);
}

/* The object of `distributedInfo`. Its lists of ranks may be longer than the window. */
static bool read_distributed_info(TraceReader *reader)
{
    if (TextWindowPeek(&reader->text) != '{') {
        return TextWindowPassValue(&reader->text);
    }
    reader->text.at++;
    while (TextWindowPeek(&reader->text) != '}') {
        JsonText key;

        if (!TextWindowKey(&reader->text, &key) || !read_info_value(reader, key)) {
            return false;
        }
        if (TextWindowPeek(&reader->text) == ',') {
            reader->text.at++;
        } else if (TextWindowPeek(&reader->text) != '}') {
            return false;
        }
    }
    reader->text.at++;
    return true;
}

/* The list of `deviceProperties`: name and units of the first one. */
static bool read_devices(TraceReader *reader)
{
    json_t *list;
    const json_t *first;
    const char *name;
    json_int_t units;
    const size_t size =
        TextWindowPeek(&reader->text) == '[' ? TextWindowContainer(&reader->text) : 0;

    if (size == 0) {
        return TextWindowPassValue(&reader->text);
    }
    list = OpprofJsonValue(reader->text.text + reader->text.at, size, 0);
    first = json_array_get(list, 0);
    name = json_string_value(json_object_get(first, "name"));
    units = json_integer_value(json_object_get(first, "numSms"));
    reader->facts.units = units > 0 && units <= UINT16_MAX ? (uint32_t) units : 0;
    snprintf(reader->facts.device, sizeof reader->facts.device, "%s", name == NULL ? "" : name);
    json_decref(list);
    reader->text.at += size;
    return true;
}

/* ---- grammar ---- */

/* The text is not a trace: it is damaged, or, with is_other, a document of another kind. */
static OpprofStatus refuse(TraceReader *reader, bool is_other, const char *why, const char *hint,
                           OpprofError **error)
{
    OpprofStatus status = OpprofErrorSet(error, OPPROF_E_DATA, "The text is not a trace: %s", why);

    reader->facts.is_other = is_other;
    reader->place = AT_END;
    OpprofErrorHint(error, "%s", hint);
    return status;
}

static OpprofStatus not_a_trace(TraceReader *reader, bool is_other, const char *why,
                                OpprofError **error)
{
    return refuse(reader, is_other, why,
                  "A trace is an object with 'traceEvents', or an array of events; the execution "
                  "traces that profilers write beside it are something else",
                  error);
}

static OpprofStatus not_json(TraceReader *reader, OpprofError **error)
{
    return refuse(reader, false, "it is not JSON",
                  "Traces are JSON, or databases of Nsight Systems, which this makes of a report: "
                  "nsys export --type sqlite REPORT.nsys-rep",
                  error);
}

static OpprofStatus stopped(TraceReader *reader)
{
    const bool is_cut =
        reader->text.at >= reader->text.end || reader->text.text[reader->text.at] == '"';

    if (is_cut && reader->text.is_exhausted) {
        return end_of_text(reader);
    }
    return give_up(reader, "it is not JSON");
}

static OpprofStatus read_start(TraceReader *reader, OpprofError **error)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */

    TextWindowPeek(&reader->text);
    if (reader->text.end - reader->text.at >= 3 &&
        memcmp(reader->text.text + reader->text.at, mark, 3) == 0) {
        reader->text.at += 3;
    }
    switch (TextWindowPeek(&reader->text)) {
    case '[':
        reader->text.at++;
        reader->facts.is_array = true;
        reader->facts.has_events = true;
        reader->place = IN_EVENTS;
        return OPPROF_OK;
    case '{':
        reader->text.at++;
        reader->is_first_member = true;
        reader->place = IN_TOP;
        return OPPROF_OK;
    case '\0':
        if (reader->text.at >= reader->text.end && SourceProblem(reader->text.source) != NULL) {
            return end_of_text(reader);
        }
        return reader->text.at >= reader->text.end
                   ? not_a_trace(reader, false, "it is empty", error)
                   : not_json(reader, error);
    default:
        return not_json(reader, error);
    }
}

/* The trace is complete: nothing but blanks may follow. */
static OpprofStatus end_of_trace(TraceReader *reader)
{
    TextWindowPeek(&reader->text);
    if (reader->text.at < reader->text.end) {
        return give_up(reader, "there is more text after the end of the trace");
    }
    if (SourceProblem(reader->text.source) != NULL) {
        return end_of_text(reader);
    }
    reader->place = AT_END;
    return OPPROF_END;
}

/* Whether an object without events was a trace: it has what only traces have, or nothing at all. */
static bool is_of_trace(const TraceReader *reader)
{
    const TraceFacts *facts = &reader->facts;

    return reader->is_first_member || facts->has_rank || facts->has_odd_rank || facts->has_world ||
           facts->has_base || facts->device[0] != '\0';
}

static OpprofStatus end_of_top(TraceReader *reader, OpprofError **error)
{
    if (!reader->facts.has_events) {
        return not_a_trace(reader, !is_of_trace(reader), "it has no 'traceEvents'", error);
    }
    reader->text.at++;
    return end_of_trace(reader);
}

static OpprofStatus begin_events(TraceReader *reader, OpprofError **error)
{
    if (TextWindowPeek(&reader->text) != '[') {
        return reader->text.at < reader->text.end
                   ? not_a_trace(reader, false, "its 'traceEvents' is not an array", error)
                   : end_of_text(reader);
    }
    reader->text.at++;
    reader->facts.has_events = true;
    reader->place = IN_EVENTS;
    return OPPROF_OK;
}

static OpprofStatus begin_rocprof(TraceReader *reader, OpprofError **error)
{
    RocprofDestroy(reader->rocprof);
    reader->rocprof = RocprofCreate(&reader->text);
    if (reader->rocprof == NULL) {
        return OpprofErrorNoMemory(error, "read the trace");
    }
    reader->facts.has_events = true;
    reader->place = IN_ROCPROF;
    return OPPROF_OK;
}

/* One member of the top-level object. */
static OpprofStatus read_top(TraceReader *reader, OpprofError **error)
{
    bool is_good;
    JsonText key;

    if (TextWindowPeek(&reader->text) == '}') {
        return end_of_top(reader, error);
    }
    if (!reader->is_first_member) {
        if (TextWindowPeek(&reader->text) != ',') {
            return stopped(reader);
        }
        reader->text.at++;
    }
    reader->is_first_member = false;
    if (!TextWindowKey(&reader->text, &key)) {
        return stopped(reader);
    }
    if (JSON_TEXT_IS(key, "traceEvents")) {
        return TextWindowColon(&reader->text) ? begin_events(reader, error) : stopped(reader);
    }
    if (JSON_TEXT_IS(key, ROCPROF_KEY)) {
        return TextWindowColon(&reader->text) ? begin_rocprof(reader, error) : stopped(reader);
    }
    if (JSON_TEXT_IS(key, "distributedInfo")) {
        is_good = TextWindowColon(&reader->text) && read_distributed_info(reader);
    } else if (JSON_TEXT_IS(key, "deviceProperties")) {
        is_good = TextWindowColon(&reader->text) && read_devices(reader);
    } else if (JSON_TEXT_IS(key, "baseTimeNanoseconds")) {
        is_good = TextWindowColon(&reader->text) &&
                  TextWindowInteger(&reader->text, &reader->facts.has_base, &reader->facts.base_ns);
    } else {
        is_good = TextWindowColon(&reader->text) && TextWindowPassValue(&reader->text);
    }
    return is_good ? OPPROF_OK : stopped(reader);
}

/* ---- events ---- */

/* Move to where reading can continue: the start of an event, or the end of the array. False at the
 * end of the text. */
static bool resume(TraceReader *reader)
{
    for (;;) {
        const char *at = reader->text.text + reader->text.at;
        const ResumeResult result =
            ResumeFind(&at, reader->text.text + reader->text.end, reader->text.is_exhausted);

        reader->text.at = (size_t) (at - reader->text.text);
        if (result == RESUME_HERE) {
            return true;
        }
        if (!TextWindowRefill(&reader->text) && !reader->text.is_exhausted) {
            reader->text.at++; /* no room to see what follows this brace */
        } else if (reader->text.at >= reader->text.end && reader->text.is_exhausted) {
            return false;
        }
    }
}

/* An event, from after its brace, that is not JSON. Only this event is lost. */
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
    const char *at = reader->text.text + reader->text.at;

    if (ResumeFind(&at, reader->text.text + reader->text.end, reader->text.is_exhausted) ==
        RESUME_HERE) {
        return pass_broken_event(reader, begins_at);
    }
    if (reader->text.is_exhausted) {
        return end_of_text(reader);
    }
    TraceLossAdd(&reader->facts.too_long, begins_at);
    return TextWindowPassContainer(&reader->text, 1) ? OPPROF_AGAIN : end_of_text(reader);
}

static void note_unknown(TraceFacts *facts, const TraceEvent *event)
{
    UnknownWordsAdd(event->use == USE_UNKNOWN ? &facts->unknown : &facts->unevaluated,
                    event->category, (event->has & EVENT_HAS_STREAM) != 0);
}

/* The event whose brace is before the next byte; OPPROF_AGAIN if it does not matter. */
static OpprofStatus read_event(TraceReader *reader, const TraceEvent **ret_event)
{
    TraceEvent *event = &reader->event;
    const uint64_t begins_at = TextWindowOffset(&reader->text) - 1;
    EventResult result;
    const char *after;

    reader->facts.events++;
    result = EventRead(reader->vocabulary, &reader->known, reader->text.text + reader->text.at,
                       reader->text.text + reader->text.end, event, &after);
    while (result == EVENT_CUT && TextWindowRefill(&reader->text)) {
        result = EventRead(reader->vocabulary, &reader->known, reader->text.text + reader->text.at,
                           reader->text.text + reader->text.end, event, &after);
    }
    if (result == EVENT_MALFORMED) {
        return pass_broken_event(reader, begins_at);
    }
    if (result == EVENT_CUT) {
        return pass_endless_event(reader, begins_at);
    }
    if (event->use == USE_UNKNOWN || event->use == USE_UNEVALUATED) {
        note_unknown(&reader->facts, event);
    }
    event->at = begins_at;
    *ret_event = event;
    reader->text.at = (size_t) (after - reader->text.text);
    return result == EVENT_READ ? OPPROF_OK : OPPROF_AGAIN;
}

static OpprofStatus end_of_events(TraceReader *reader)
{
    reader->text.at++;
    if (reader->facts.is_array) {
        return end_of_trace(reader);
    }
    reader->place = IN_TOP;
    return OPPROF_AGAIN;
}

/* The array ends without its bracket, as a bare array does whose writer was killed. */
static OpprofStatus end_without_bracket(TraceReader *reader)
{
    if (reader->text.at < reader->text.end || !reader->facts.is_array ||
        SourceProblem(reader->text.source) != NULL) {
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
    const uint64_t begins_at = TextWindowOffset(&reader->text);

    if (first == '[' && facts->is_array && facts->events + facts->strangers.count == 0) {
        return not_a_trace(reader, true, "it is an array of arrays", error);
    }
    if (TextWindowPassValue(&reader->text)) {
        TraceLossAdd(&facts->strangers, begins_at);
        return OPPROF_AGAIN;
    }
    return reader->text.at < reader->text.end ? pass_broken_event(reader, begins_at)
                                              : stopped(reader);
}

/* Threads have stopped, or must stop: what follows is read here. */
static void leave_ahead(TraceReader *reader)
{
    TextWindow *text = &reader->text;

    reader->is_ahead = false;
    reader->facts.events += ParallelReaderElements(text->parallel);
    text->at = 0;
    text->end = 0;
    text->offset = ParallelReaderOffset(text->parallel);
    text->is_exhausted = false;
    reader->ahead_from = text->offset + reader->ahead_pause;
    reader->ahead_pause *= reader->ahead_pause < AHEAD_PAUSE_MAX ? 2 : 1;
}

/* Between two elements: leave the text to threads, if there are any and all of it is available. */
static void try_ahead(TraceReader *reader)
{
    TextWindow *text = &reader->text;

    if (text->parallel != NULL && TextWindowOffset(text) >= reader->ahead_from &&
        ParallelReaderBegin(text->parallel, text->text + text->at, text->end - text->at,
                            TextWindowOffset(text))) {
        text->at = text->end;
        reader->is_ahead = true;
    }
}

/* The next event that threads have read. */
static OpprofStatus read_ahead(TraceReader *reader, const TraceEvent **ret_event,
                               OpprofError **error)
{
    switch (ParallelReaderNext(reader->text.parallel, ret_event)) {
    case AHEAD_EVENT:
        if ((*ret_event)->use == USE_UNKNOWN || (*ret_event)->use == USE_UNEVALUATED) {
            note_unknown(&reader->facts, *ret_event);
        }
        return (*ret_event)->phase == AHEAD_PASSED ? OPPROF_AGAIN : OPPROF_OK;
    case AHEAD_NO_MEMORY:
        leave_ahead(reader);
        return OpprofErrorNoMemory(error, "keep what was read ahead");
    case AHEAD_STOPPED:
    default:
        leave_ahead(reader);
        return OPPROF_AGAIN;
    }
}

/* The next element of the array; OPPROF_AGAIN if it does not matter. */
static OpprofStatus read_element(TraceReader *reader, const TraceEvent **ret_event,
                                 OpprofError **error)
{
    char first;

    if (!reader->is_ahead) {
        try_ahead(reader);
    }
    if (reader->is_ahead) {
        return read_ahead(reader, ret_event, error);
    }
    first = TextWindowPeek(&reader->text);
    if (first == ',') {
        reader->text.at++;
        first = TextWindowPeek(&reader->text);
    }
    switch (first) {
    case '{':
        reader->text.at++;
        return read_event(reader, ret_event);
    case ']':
        return end_of_events(reader);
    case '\0':
        return end_without_bracket(reader);
    default:
        return read_stranger(reader, first, error);
    }
}

/* The next record of another profiler; OPPROF_AGAIN if none yet. */
static OpprofStatus read_rocprof(TraceReader *reader, const TraceEvent **ret_event,
                                 OpprofError **error)
{
    *ret_event = &reader->event;
    switch (RocprofNext(reader->rocprof, &reader->event)) {
    case ROCPROF_EVENT:
        reader->facts.events++;
        return OPPROF_OK;
    case ROCPROF_NOTHING:
        return OPPROF_AGAIN;
    case ROCPROF_BROKEN:
        TraceLossAdd(&reader->facts.broken, reader->event.at);
        return OPPROF_AGAIN;
    case ROCPROF_END:
        reader->place = IN_TOP;
        return OPPROF_AGAIN;
    case ROCPROF_NO_MEMORY:
        return OpprofErrorNoMemory(error, "read the trace");
    case ROCPROF_CUT:
    default:
        return stopped(reader);
    }
}

void TraceReaderStop(TraceReader *reader)
{
    if (reader->is_ahead) {
        ParallelReaderStop(reader->text.parallel);
        leave_ahead(reader);
    }
    if (reader->place != AT_END) {
        give_up(reader, "the run was stopped");
        reader->facts.was_stopped = true;
    }
}

OpprofStatus TraceReaderNext(TraceReader *reader, const TraceEvent **ret_event, OpprofError **error)
{
    const uint64_t first = TextWindowOffset(&reader->text);
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && (reader->place == AT_START || reader->place == IN_TOP)) {
        status = reader->place == AT_START ? read_start(reader, error) : read_top(reader, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (reader->place == AT_END) {
        return OPPROF_END;
    }
    do {
        status = reader->place == IN_ROCPROF ? read_rocprof(reader, ret_event, error)
                                             : read_element(reader, ret_event, error);
    } while (status == OPPROF_AGAIN && reader->place != IN_TOP &&
             TextWindowOffset(&reader->text) - first < TEXT_WINDOW_BYTES);
    return status;
}
