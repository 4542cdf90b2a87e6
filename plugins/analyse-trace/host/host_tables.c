/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of the tables of trace-host.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "analyse-trace/host/host_tables.h"

#define HOST_TEXT(type, member, head, more, text, why)                                             \
    OPPROF_FIELD(type, member, OPPROF_FIELD_STRING, .heading = (head), .flags = (more),            \
                 .meaning = (text), .absent = (why))
#define HOST_TIME(type, member, head, more, text)                                                  \
    OPPROF_FIELD(type, member, OPPROF_FIELD_F64, .unit = "us", .heading = (head), .decimals = 4,   \
                 .flags = (more), .meaning = (text))
#define HOST_RANK(type)                                                                            \
    HOST_TEXT(type, rank, "rank", OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, "Rank.", NULL)
#define HOST_AROUND(type, more)                                                                    \
    HOST_TEXT(type, around_operator, "operator", (more), "Outermost operator around it.",          \
              "there is none"),                                                                    \
        HOST_TEXT(type, around_annotation, "annotation", (more),                                   \
                  "Innermost annotation around it that is not an iteration.", "there is none"),    \
        HOST_TEXT(type, inner_operator, "inner_operator", (more), "Innermost operator around it.", \
                  "there is none")
#define HOST_CAUSE(type)                                                                           \
    HOST_TEXT(type, cause, "cause", 0,                                                             \
              "data loading, garbage collection or compilation, as names show it.",                \
              "no name shows one")
#define HOST_WHAT                                                                                  \
    "What the thread that launched the next work did: the innermost operator, annotation, long "   \
    "function outside of these, or call."
#define HOST_KIND_OF_IDLE                                                                          \
    "operator, annotation, frame (a function), or the kind of the call (launch, copy, "            \
    "synchronise, allocate, other call); outside of operators; launched before: the next work "    \
    "was launched before the device became idle; unknown launch: what launched it is not known."

static const OpprofField idle_fields[] = {
    HOST_RANK(IdleRow),
    HOST_TEXT(IdleRow, device, "device", OPPROF_FIELD_KEY | OPPROF_FIELD_LABEL,
              "Device that had nothing to do.", NULL),
    HOST_TEXT(IdleRow, what, "what", OPPROF_FIELD_KEY, HOST_WHAT, "nothing is known"),
    HOST_TEXT(IdleRow, kind, "kind", OPPROF_FIELD_KEY, HOST_KIND_OF_IDLE, NULL),
    HOST_AROUND(IdleRow, OPPROF_FIELD_KEY),
    HOST_TIME(IdleRow, idle_us, "idle(us)", OPPROF_FIELD_WEIGHT,
              "Time between its work in which the host did that."),
    OPPROF_FIELD(IdleRow, count, OPPROF_FIELD_U64, .unit = "1", .heading = "count",
                 .meaning = "Stretches of idle time that have a part of it."),
    HOST_TIME(IdleRow, longest_us, "longest(us)", OPPROF_FIELD_ALONE,
              "Largest part in one stretch."),
    HOST_TIME(IdleRow, longest_start_us, "longest_start(us)", OPPROF_FIELD_MOMENT,
              "Start of that stretch since the first rank's earliest time."),
    HOST_TEXT(IdleRow, step, "step", 0, "Iteration in which that stretch began.", "it is in none"),
};

static const OpprofField activity_fields[] = {
    HOST_RANK(ActivityRow),
    HOST_TEXT(ActivityRow, device, "device", 0, "Device that waited longest for it.", NULL),
    HOST_TEXT(ActivityRow, activity, "activity", OPPROF_FIELD_KEY,
              "What people know it by: the name that shows a cause; else the annotation or "
              "function, the outermost operator or the annotation around it, the call, or \"no "
              "operator\".",
              NULL),
    HOST_TEXT(ActivityRow, kind, "kind", OPPROF_FIELD_KEY,
              "operator (with its launches and other calls), annotation, frame (a function), copy, "
              "synchronise, allocate, launch or other call outside of operators; outside of "
              "operators.",
              NULL),
    HOST_CAUSE(ActivityRow),
    HOST_TIME(ActivityRow, idle_us, "idle(us)", OPPROF_FIELD_WEIGHT,
              "Time between a device's work in which the host did that."),
    OPPROF_FIELD(ActivityRow, count, OPPROF_FIELD_U64, .unit = "1", .heading = "count",
                 .meaning = "Stretches of idle time that have a part of what it did most often."),
    HOST_TIME(ActivityRow, longest_us, "longest(us)", OPPROF_FIELD_ALONE,
              "Largest part in one stretch."),
    HOST_TIME(ActivityRow, longest_start_us, "longest_start(us)", OPPROF_FIELD_MOMENT,
              "Start of that stretch since the first rank's earliest time."),
};

#define CALL_NUMBERS                                                                               \
    OPPROF_FIELD(CallRow, count, OPPROF_FIELD_U64, .unit = "1", .heading = "count",                \
                 .meaning = "Calls."),                                                             \
        HOST_TIME(CallRow, total_us, "total(us)", OPPROF_FIELD_ALONE, "Time of all calls."),       \
        HOST_TIME(CallRow, mean_us, "mean(us)", OPPROF_FIELD_ALONE, "Mean time of a call."),       \
        HOST_TIME(CallRow, max_us, "max(us)", OPPROF_FIELD_ALONE, "Time of the longest call."),    \
        HOST_TIME(CallRow, idle_us, "idle(us)", OPPROF_FIELD_ALONE,                                \
                  "Time of devices without work that passed in these calls, on the thread that "   \
                  "launched the next work."),                                                      \
        HOST_TIME(CallRow, after_us, "idle_after(us)", OPPROF_FIELD_ALONE,                         \
                  "Time of devices without work that began within such a call, until the next "    \
                  "work: the device had run dry while the host was in the call.")
#define CALL_NAME                                                                                  \
    HOST_RANK(CallRow), HOST_TEXT(CallRow, name, "name", OPPROF_FIELD_KEY, "Name.", NULL),         \
        HOST_TEXT(CallRow, kind, "kind", 0,                                                        \
                  "launch, copy (or fill), synchronise, allocate (or free), other call.", NULL)

static const OpprofField call_fields[] = { CALL_NAME, CALL_NUMBERS };
static const OpprofField site_fields[] = { CALL_NAME, HOST_AROUND(CallRow, OPPROF_FIELD_KEY),
                                           CALL_NUMBERS };

static const OpprofField step_fields[] = {
    HOST_RANK(StepRow),
    HOST_TEXT(StepRow, step, "step", OPPROF_FIELD_KEY, "Name of the iteration.", NULL),
    OPPROF_FIELD(StepRow, place, OPPROF_FIELD_U64, .unit = "1", .heading = "place",
                 .flags = OPPROF_FIELD_PLACE, .meaning = "Number of the iteration of the rank."),
    HOST_TIME(StepRow, time_us, "time(us)", OPPROF_FIELD_ALONE, "Duration of the iteration."),
    OPPROF_FIELD(StepRow, kernels, OPPROF_FIELD_U64, .unit = "1", .heading = "kernels",
                 .meaning = "Pieces of work launched in it."),
    HOST_TIME(StepRow, computation_us, "computation(us)", OPPROF_FIELD_ALONE,
              "Computation launched in it, durations added up."),
    HOST_TIME(StepRow, communication_us, "communication(us)", OPPROF_FIELD_ALONE,
              "The same for communication, with its waiting."),
    HOST_TIME(StepRow, idle_us, "idle(us)", OPPROF_FIELD_ALONE,
              "Idle time of devices that began in it."),
    HOST_TEXT(StepRow, what, "what", 0, HOST_WHAT, "nothing is known, or nothing was idle"),
    HOST_TEXT(StepRow, kind, "kind", 0, HOST_KIND_OF_IDLE, "nothing was idle"),
    HOST_AROUND(StepRow, 0),
    HOST_TIME(StepRow, what_us, "what(us)", OPPROF_FIELD_ALONE,
              "Part of the idle time that this has, the most."),
};

static const OpprofField annotation_fields[] = {
    HOST_RANK(AnnotationRow),
    HOST_TEXT(AnnotationRow, annotation, "annotation", OPPROF_FIELD_KEY, "Annotation, or operator.",
              NULL),
    HOST_TEXT(AnnotationRow, step, "step", OPPROF_FIELD_KEY,
              "Name of the iteration in which it begins.", NULL),
    OPPROF_FIELD(AnnotationRow, place, OPPROF_FIELD_U64, .unit = "1", .heading = "place",
                 .flags = OPPROF_FIELD_PLACE, .meaning = "Number of the iteration of the rank."),
    OPPROF_FIELD(AnnotationRow, count, OPPROF_FIELD_U64, .unit = "1", .heading = "count",
                 .meaning = "How often it begins in it."),
    HOST_TIME(AnnotationRow, host_us, "host(us)", OPPROF_FIELD_ALONE,
              "Time on the host; what is inside another of the name is not counted again."),
    OPPROF_FIELD(AnnotationRow, kernels, OPPROF_FIELD_U64, .unit = "1", .heading = "kernels",
                 .meaning = "Pieces of work launched in it, on its thread."),
    HOST_TIME(AnnotationRow, device_us, "device(us)", OPPROF_FIELD_ALONE,
              "That work, durations added up."),
    HOST_CAUSE(AnnotationRow),
};

#define HOST_TABLE(type_name, text, Row, list, heading, file)                                      \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = (text), .size = sizeof(Row), .flags = OPPROF_RECORD_TABLE, .fields = (list),    \
        .field_count = OPPROF_COUNT(list), .title = (heading), .file_hint = (file)                 \
    }

const OpprofRecordType host_table_types[TABLES] = {
    [TABLE_IDLE] =
        HOST_TABLE("trace.host-idle", "What the host did while a device had nothing to do.",
                   IdleRow, idle_fields, "Host while idle", "host_idle"),
    [TABLE_ACTIVITIES] =
        HOST_TABLE("trace.host-activities", "What devices waited for on the host, in short.",
                   ActivityRow, activity_fields, "Waiting for the host", "host_activities"),
    [TABLE_CALLS] = HOST_TABLE("trace.host-calls", "Calls of the host into the device's library.",
                               CallRow, call_fields, "Runtime calls of the host", "host_calls"),
    [TABLE_SITES] =
        HOST_TABLE("trace.host-call-sites",
                   "Calls that synchronise, copy or allocate, by what is around them.", CallRow,
                   site_fields, "Runtime calls of the host by place", "host_call_sites"),
    [TABLE_STEPS] = HOST_TABLE("trace.step-idle",
                               "What was launched in an iteration, and why devices were idle.",
                               StepRow, step_fields, "Host while idle by iteration", "step_idle"),
    [TABLE_ANNOTATIONS] = HOST_TABLE(
        "trace.annotation-steps",
        "Work launched in annotations, and in operators whose names show a cause, by iteration.",
        AnnotationRow, annotation_fields, "Annotations by iteration", "annotation_steps"),
};
