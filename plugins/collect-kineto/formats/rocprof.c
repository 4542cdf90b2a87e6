/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the JSON text of rocprofv3 as events, a record at a time. The members are those of the
 * structs of the ROCprofiler-SDK (rocprofiler_buffer_tracing_*_record_t). Tested by
 * tests/plugins/collect-kineto/test_inputs.sh.
 */
#include "collect-kineto/formats/rocprof.h"

#include "collect-kineto/text/wide_json.h"

#include <inttypes.h>
#include <jansson.h>
#include <opprof/map.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the reading is. */
typedef enum RocprofPlace {
    BEFORE_LIST, /* of processes */
    IN_LIST,
    IN_PROCESS,
    IN_BUFFERS, /* the object of lists of records */
    IN_RECORDS
} RocprofPlace;

/* Kind of the records of a list. */
typedef enum RecordKind { RECORD_KERNEL, RECORD_COPY, RECORD_CALL, RECORD_MARKER } RecordKind;

static const struct {
    const char *key;
    RecordKind kind;
    CategoryUse use;
} lists[] = {
    { "kernel_dispatch", RECORD_KERNEL, USE_KERNEL },
    { "memory_copy", RECORD_COPY, USE_TRANSFER },
    { "hip_api", RECORD_CALL, USE_CALL },
    { "hip_runtime_api", RECORD_CALL, USE_CALL },
    { "hsa_api", RECORD_CALL, USE_CALL },
    { "marker_api", RECORD_MARKER, USE_ANNOTATION },
};

#define LISTS (sizeof lists / sizeof lists[0])

/* Values by number. */
typedef struct NumberTable {
    json_t *values; /* array */
    OpprofMap places;
} NumberTable;

struct Rocprof {
    TextWindow *window;
    RocprofPlace place;
    uint32_t process; /* number of it in the list, plus 1 */
    size_t list;      /* in lists, of the records being read */
    NumberTable kernels;
    NumberTable agents;  /* number of a GPU among the GPUs, by its handle */
    NumberTable markers; /* texts, by correlation */
    json_t *operations;  /* array of {kind, operations}, by kind */
    json_t *record;      /* process whose texts the last event borrows */
    char pid[16];
    char tid[24];
    char name[96];
};

Rocprof *RocprofCreate(TextWindow *window)
{
    Rocprof *rocprof = calloc(1, sizeof *rocprof);

    if (rocprof != NULL) {
        rocprof->window = window;
    }
    return rocprof;
}

static void finish_table(NumberTable *table)
{
    json_decref(table->values);
    OpprofMapFinish(&table->places);
    *table = (NumberTable){ .values = NULL };
}

/* The names that a process defines. */
static void forget_process(Rocprof *rocprof)
{
    finish_table(&rocprof->kernels);
    finish_table(&rocprof->agents);
    finish_table(&rocprof->markers);
    json_decref(rocprof->operations);
    json_decref(rocprof->record);
    rocprof->operations = NULL;
    rocprof->record = NULL;
}

void RocprofDestroy(Rocprof *rocprof)
{
    if (rocprof != NULL) {
        forget_process(rocprof);
        free(rocprof);
    }
}

/* ---- tables ---- */

/* The first value of a number counts. False without memory. */
static bool put(NumberTable *table, uint64_t number, json_t *value)
{
    if (table->values == NULL) {
        table->values = json_array();
    }
    if (value == NULL || OpprofMapFind(&table->places, number) != OPPROF_MAP_NONE) {
        return true;
    }
    return json_array_append(table->values, value) == 0 &&
           OpprofMapPut(&table->places, number, (uint32_t) json_array_size(table->values) - 1);
}

static json_t *get(const NumberTable *table, uint64_t number)
{
    const uint32_t place = OpprofMapFind(&table->places, number);

    return place == OPPROF_MAP_NONE ? NULL : json_array_get(table->values, place);
}

/* The number at a member of a member; false if none. */
static bool number_at(const json_t *object, const char *key, const char *inner, int64_t *ret_number)
{
    const json_t *value = json_object_get(object, key);

    value = inner == NULL ? value : json_object_get(value, inner);
    if (!json_is_integer(value)) {
        return false;
    }
    *ret_number = json_integer_value(value);
    return true;
}

static bool learn_kernel(Rocprof *rocprof, const json_t *symbol)
{
    static const char *const keys[] = { "formatted_kernel_name", "demangled_kernel_name",
                                        "kernel_name" };
    int64_t id;

    for (size_t i = 0;
         i < sizeof keys / sizeof keys[0] && number_at(symbol, "kernel_id", NULL, &id); i++) {
        json_t *name = json_object_get(symbol, keys[i]);

        if (json_is_string(name) && json_string_length(name) > 0) {
            return put(&rocprof->kernels, (uint64_t) id, name);
        }
    }
    return true;
}

/* An agent of type 2 is a GPU. */
static bool learn_agent(Rocprof *rocprof, const json_t *agent)
{
    const size_t next =
        rocprof->agents.values == NULL ? 0 : json_array_size(rocprof->agents.values);
    int64_t handle;
    int64_t type;
    json_t *number;
    bool is_good;

    if (!number_at(agent, "id", "handle", &handle) || !number_at(agent, "type", NULL, &type) ||
        type != 2) {
        return true;
    }
    number = json_integer((json_int_t) next);
    is_good = number != NULL && put(&rocprof->agents, (uint64_t) handle, number);
    json_decref(number);
    return is_good;
}

static bool learn_marker(Rocprof *rocprof, const json_t *marker)
{
    int64_t key;
    json_t *text = json_object_get(marker, "value");

    return !number_at(marker, "key", NULL, &key) || !json_is_string(text) ||
           put(&rocprof->markers, (uint64_t) key, text);
}

/* ---- text ---- */

/* The element that begins here, an object; NULL if it cannot be read. It is skipped. */
static json_t *take_element(TextWindow *window, bool *ret_is_cut)
{
    const size_t size = TextWindowContainer(window);
    json_t *element;

    *ret_is_cut = false;
    if (size == 0) {
        *ret_is_cut = !TextWindowPassContainer(window, 0);
        return NULL;
    }
    element = WideJsonValue(window->text + window->at, size);
    window->at += size;
    return element;
}

typedef bool Learn(Rocprof *rocprof, const json_t *element);

/* All elements of an array of names; others than objects are skipped. */
static RocprofResult learn_all(Rocprof *rocprof, Learn *learn)
{
    TextWindow *window = rocprof->window;

    if (TextWindowPeek(window) != '[') {
        return TextWindowPassValue(window) ? ROCPROF_NOTHING : ROCPROF_CUT;
    }
    window->at++;
    while (TextWindowPeek(window) != ']') {
        bool is_cut = false;

        if (TextWindowPeek(window) == '{') {
            json_t *element = take_element(window, &is_cut);
            const bool is_good = element == NULL || learn(rocprof, element);

            json_decref(element);
            if (!is_good) {
                return ROCPROF_NO_MEMORY;
            }
        } else {
            is_cut = !TextWindowPassValue(window);
        }
        if (is_cut) {
            return ROCPROF_CUT;
        }
        TextWindowComma(window);
    }
    window->at++;
    return ROCPROF_NOTHING;
}

static bool learn_operations(Rocprof *rocprof, const json_t *kind)
{
    if (rocprof->operations == NULL) {
        rocprof->operations = json_array();
    }
    return json_array_append(rocprof->operations, (json_t *) (uintptr_t) kind) == 0;
}

/* `strings`: names of kinds of records and of their operations, and the texts of markers. */
static RocprofResult read_strings(Rocprof *rocprof)
{
    TextWindow *window = rocprof->window;

    if (TextWindowPeek(window) != '{') {
        return TextWindowPassValue(window) ? ROCPROF_NOTHING : ROCPROF_CUT;
    }
    window->at++;
    while (TextWindowPeek(window) != '}') {
        RocprofResult result;
        JsonText key;
        Learn *learn;

        if (!TextWindowKey(window, &key)) {
            return ROCPROF_CUT;
        }
        learn = JSON_TEXT_IS(key, "buffer_records") ? learn_operations
                : JSON_TEXT_IS(key, "marker_api")   ? learn_marker
                                                    : NULL;
        if (!TextWindowColon(window)) {
            return ROCPROF_CUT;
        }
        if (learn == NULL) {
            result = TextWindowPassValue(window) ? ROCPROF_NOTHING : ROCPROF_CUT;
        } else {
            result = learn_all(rocprof, learn);
        }
        if (result != ROCPROF_NOTHING) {
            return result;
        }
        TextWindowComma(window);
    }
    window->at++;
    return ROCPROF_NOTHING;
}

/* ---- records ---- */

static JsonText text_of(const char *text)
{
    return (JsonText){ .text = text, .length = (uint32_t) strlen(text), .is_string = true };
}

/* Name of a record's operation, "" if unknown. */
static const char *operation_of(const Rocprof *rocprof, const json_t *record)
{
    int64_t kind;
    int64_t operation;
    const json_t *names;
    const char *name;

    if (!number_at(record, "kind", NULL, &kind) ||
        !number_at(record, "operation", NULL, &operation) || kind < 0 || operation < 0) {
        return "";
    }
    names = json_object_get(json_array_get(rocprof->operations, (size_t) kind), "operations");
    name = json_string_value(json_array_get(names, (size_t) operation));
    return name == NULL ? "" : name;
}

static void take_times(const json_t *record, TraceEvent *event)
{
    int64_t end;

    if (number_at(record, "start_timestamp", NULL, &event->start_ns) && event->start_ns >= 0) {
        event->has |= EVENT_HAS_START;
    }
    if (number_at(record, "end_timestamp", NULL, &end) &&
        !__builtin_sub_overflow(end, event->start_ns, &event->duration_ns)) {
        event->has |= EVENT_HAS_DURATION;
    }
}

/* Numbers of calls are unique only within their process. */
static void take_ids(Rocprof *rocprof, const json_t *record, TraceEvent *event)
{
    int64_t number = 0;

    snprintf(rocprof->pid, sizeof rocprof->pid, "%" PRIu32, rocprof->process);
    number_at(record, "thread_id", NULL, &number);
    snprintf(rocprof->tid, sizeof rocprof->tid, "%" PRId64, number);
    event->pid = text_of(rocprof->pid);
    event->tid = text_of(rocprof->tid);
    if (number_at(record, "correlation_id", "internal", &number)) {
        event->correlation = (int64_t) ((uint64_t) number ^ (uint64_t) rocprof->process << 48);
        event->has |= EVENT_HAS_CORRELATION;
    } else {
        event->has |= EVENT_HAS_ODD_ARGS;
    }
    event->has |= EVENT_HAS_PID | EVENT_HAS_TID;
}

/* Number of the GPU that a member names among the GPUs; -1 if it names none. */
static int64_t device_at(const Rocprof *rocprof, const json_t *record, const char *key)
{
    int64_t handle;
    const json_t *number =
        number_at(record, key, "handle", &handle) ? get(&rocprof->agents, (uint64_t) handle) : NULL;

    return number == NULL ? -1 : json_integer_value(number);
}

static void take_device(int64_t device, TraceEvent *event)
{
    if (device >= 0 && (event->has & EVENT_HAS_DEVICE) == 0) {
        event->device = device;
        event->has |= EVENT_HAS_DEVICE;
    }
}

static void take_kernel(Rocprof *rocprof, const json_t *record, TraceEvent *event)
{
    const json_t *info = json_object_get(record, "dispatch_info");
    int64_t id = 0;
    const json_t *name =
        number_at(info, "kernel_id", NULL, &id) ? get(&rocprof->kernels, (uint64_t) id) : NULL;

    if (name == NULL) {
        event->has |= EVENT_IS_NAMELESS;
        snprintf(rocprof->name, sizeof rocprof->name, "kernel %" PRId64, id);
    }
    event->name = text_of(name == NULL ? rocprof->name : json_string_value(name));
    take_device(device_at(rocprof, info, "agent_id"), event);
    if (number_at(record, "stream_id", "handle", &event->stream) ||
        number_at(info, "queue_id", "handle", &event->stream)) {
        event->has |= EVENT_HAS_STREAM;
    }
    if ((event->has & (EVENT_HAS_DEVICE | EVENT_HAS_STREAM)) !=
        (EVENT_HAS_DEVICE | EVENT_HAS_STREAM)) {
        event->has |= EVENT_HAS_ODD_ARGS; /* each kernel has both */
    }
    event->has |= EVENT_HAS_DEVICE; /* the process is no substitute: it has a number of its own */
}

/* The operation as the name: each call and copy has one. */
static void take_operation(const Rocprof *rocprof, const json_t *record, TraceEvent *event)
{
    event->name = text_of(operation_of(rocprof, record));
    event->has |= event->name.length == 0 ? EVENT_HAS_ODD_ARGS : 0;
}

/* Names of copies in other profilers. */
static const char *copy_name(const char *operation, bool is_between)
{
    static const char *const names[][2] = { { "HOST_TO_DEVICE", "Memcpy HtoD" },
                                            { "DEVICE_TO_HOST", "Memcpy DtoH" },
                                            { "DEVICE_TO_DEVICE", "Memcpy DtoD" },
                                            { "HOST_TO_HOST", "Memcpy HtoH" } };

    if (is_between) {
        return "Memcpy PtoP";
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strstr(operation, names[i][0]) != NULL) {
            return names[i][1];
        }
    }
    return "Memcpy Unknown";
}

static void take_copy(Rocprof *rocprof, const json_t *record, TraceEvent *event)
{
    const int64_t to = device_at(rocprof, record, "dst_agent_id");
    const int64_t from = device_at(rocprof, record, "src_agent_id");

    take_operation(rocprof, record, event);
    event->name = text_of(copy_name(event->name.text, to >= 0 && from >= 0 && to != from));
    take_device(to, event);
    take_device(from, event);
    event->has |= EVENT_HAS_DEVICE; /* copies between host memories have none: -1 */
    if (number_at(record, "stream_id", "handle", &event->stream)) {
        event->has |= EVENT_HAS_STREAM;
    }
    if (number_at(record, "bytes", NULL, &event->bytes) && event->bytes >= 0) {
        event->has |= EVENT_HAS_BYTES;
    } else if (json_object_get(record, "bytes") != NULL) {
        event->has |= EVENT_HAS_ODD_ARGS;
    }
    if ((event->has & EVENT_HAS_BYTES) != 0 && event->duration_ns > 0) {
        event->bandwidth = (double) event->bytes / (double) event->duration_ns;
        event->has |= EVENT_HAS_BANDWIDTH;
    }
}

/* Ranges only: marks take no time, and calls that name threads or pause the profiler annotate
 * nothing. */
static void take_marker(Rocprof *rocprof, const json_t *record, TraceEvent *event)
{
    const char *operation = operation_of(rocprof, record);
    int64_t number;
    const json_t *text = number_at(record, "correlation_id", "internal", &number)
                             ? get(&rocprof->markers, (uint64_t) number)
                             : NULL;

    event->name = text_of(text == NULL ? operation : json_string_value(text));
    if (operation[0] != '\0' && strstr(operation, "Range") == NULL) {
        event->use = USE_NOTHING;
    }
}

static void take_record(Rocprof *rocprof, const json_t *record, TraceEvent *event)
{
    event->phase = 'X';
    event->use = lists[rocprof->list].use;
    event->has = EVENT_HAS_PHASE | EVENT_HAS_CATEGORY | EVENT_HAS_NAME;
    take_times(record, event);
    take_ids(rocprof, record, event);
    switch (lists[rocprof->list].kind) {
    case RECORD_KERNEL:
        take_kernel(rocprof, record, event);
        break;
    case RECORD_COPY:
        take_copy(rocprof, record, event);
        break;
    case RECORD_MARKER:
        take_marker(rocprof, record, event);
        break;
    case RECORD_CALL:
    default:
        take_operation(rocprof, record, event);
        break;
    }
}

/* The next record of a list. */
static RocprofResult read_record(Rocprof *rocprof, TraceEvent *ret_event)
{
    TextWindow *window = rocprof->window;
    bool is_cut;

    TextWindowComma(window);
    if (TextWindowPeek(window) == ']') {
        window->at++;
        rocprof->place = IN_BUFFERS;
        return ROCPROF_NOTHING;
    }
    ret_event->at = TextWindowOffset(window);
    if (TextWindowPeek(window) != '{') {
        return TextWindowPassValue(window) ? ROCPROF_BROKEN : ROCPROF_CUT;
    }
    json_decref(rocprof->record);
    rocprof->record = take_element(window, &is_cut);
    if (rocprof->record == NULL) {
        return is_cut ? ROCPROF_CUT : ROCPROF_BROKEN;
    }
    take_record(rocprof, rocprof->record, ret_event);
    return ROCPROF_EVENT;
}

/* ---- objects ---- */

/* The next member of `buffer_records`. */
static RocprofResult read_buffer(Rocprof *rocprof)
{
    TextWindow *window = rocprof->window;
    JsonText key;
    size_t list = 0;

    TextWindowComma(window);
    if (TextWindowPeek(window) == '}') {
        window->at++;
        rocprof->place = IN_PROCESS;
        return ROCPROF_NOTHING;
    }
    if (!TextWindowKey(window, &key)) {
        return ROCPROF_CUT;
    }
    while (list < LISTS && !JsonTextIs(key, lists[list].key, strlen(lists[list].key))) {
        list++;
    }
    if (!TextWindowColon(window)) {
        return ROCPROF_CUT;
    }
    if (list == LISTS || TextWindowPeek(window) != '[') {
        return TextWindowPassValue(window) ? ROCPROF_NOTHING : ROCPROF_CUT;
    }
    window->at++;
    rocprof->list = list;
    rocprof->place = IN_RECORDS;
    return ROCPROF_NOTHING;
}

/* Purposes of a process's members. */
typedef enum ProcessMember {
    MEMBER_OTHER,
    MEMBER_AGENTS,
    MEMBER_STRINGS,
    MEMBER_SYMBOLS,
    MEMBER_BUFFERS
} ProcessMember;

static RocprofResult read_member(Rocprof *rocprof, ProcessMember member)
{
    TextWindow *window = rocprof->window;

    switch (member) {
    case MEMBER_AGENTS:
        return learn_all(rocprof, learn_agent);
    case MEMBER_STRINGS:
        return read_strings(rocprof);
    case MEMBER_SYMBOLS:
        return learn_all(rocprof, learn_kernel);
    case MEMBER_BUFFERS:
        if (TextWindowPeek(window) != '{') {
            return ROCPROF_CUT;
        }
        window->at++;
        rocprof->place = IN_BUFFERS;
        return ROCPROF_NOTHING;
    case MEMBER_OTHER:
    default:
        return TextWindowPassValue(window) ? ROCPROF_NOTHING : ROCPROF_CUT;
    }
}

/* The next member of a process. */
static RocprofResult read_process(Rocprof *rocprof)
{
    TextWindow *window = rocprof->window;
    ProcessMember member;
    JsonText key;

    TextWindowComma(window);
    if (TextWindowPeek(window) == '}') {
        window->at++;
        forget_process(rocprof);
        rocprof->place = IN_LIST;
        return ROCPROF_NOTHING;
    }
    if (!TextWindowKey(window, &key)) {
        return ROCPROF_CUT;
    }
    member = JSON_TEXT_IS(key, "agents")           ? MEMBER_AGENTS
             : JSON_TEXT_IS(key, "strings")        ? MEMBER_STRINGS
             : JSON_TEXT_IS(key, "kernel_symbols") ? MEMBER_SYMBOLS
             : JSON_TEXT_IS(key, "buffer_records") ? MEMBER_BUFFERS
                                                   : MEMBER_OTHER;
    return TextWindowColon(window) ? read_member(rocprof, member) : ROCPROF_CUT;
}

/* The next process. */
static RocprofResult read_list(Rocprof *rocprof)
{
    TextWindow *window = rocprof->window;

    TextWindowComma(window);
    switch (TextWindowPeek(window)) {
    case ']':
        window->at++;
        return ROCPROF_END;
    case '{':
        window->at++;
        rocprof->process++;
        rocprof->place = IN_PROCESS;
        return ROCPROF_NOTHING;
    default:
        return ROCPROF_CUT;
    }
}

RocprofResult RocprofNext(Rocprof *rocprof, TraceEvent *ret_event)
{
    TextWindow *window = rocprof->window;

    EventInit(ret_event);
    switch (rocprof->place) {
    case BEFORE_LIST:
        if (TextWindowPeek(window) != '[') {
            return ROCPROF_CUT;
        }
        window->at++;
        rocprof->place = IN_LIST;
        return ROCPROF_NOTHING;
    case IN_LIST:
        return read_list(rocprof);
    case IN_PROCESS:
        return read_process(rocprof);
    case IN_BUFFERS:
        return read_buffer(rocprof);
    case IN_RECORDS:
    default:
        return read_record(rocprof, ret_event);
    }
}
