/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record types of the core: spans, counters and advice. Tested by tests/records/test_types.
 */
#include <opprof/record.h>
#include <opprof/present.h>

#include <stddef.h>

/* The built-in record types. The field tables are what `csv`, `--tap` and --inspect show. */

#define RECORD_TYPE(record, type_fields, ...)                                                      \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .size = sizeof(record),             \
        .fields = (type_fields), .field_count = OPPROF_COUNT(type_fields), __VA_ARGS__             \
    }

_Static_assert(sizeof(OpprofSpan) == 64, "no padding in OpprofSpan");
_Static_assert(sizeof(OpprofCounter) == 32, "no padding in OpprofCounter");
_Static_assert(sizeof(OpprofAdvice) == 104, "no padding in OpprofAdvice");

static const OpprofField span_fields[] = {
    OPPROF_FIELD(OpprofSpan, start, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "Start of the span, or the moment of a mark."),
    OPPROF_FIELD(OpprofSpan, duration, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "How long a slice lasts; 0 for all other kinds."),
    OPPROF_FIELD(OpprofSpan, track, OPPROF_FIELD_TRACK,
                 .meaning = "Line of the timeline that the span is on."),
    OPPROF_FIELD(OpprofSpan, kind, OPPROF_FIELD_U32,
                 .meaning = "1 slice, 2 begin, 3 end, 4 mark, 5 flow start, 6 flow end."),
    OPPROF_FIELD(OpprofSpan, name, OPPROF_FIELD_STRING, .meaning = "The span's label."),
    OPPROF_FIELD(OpprofSpan, category, OPPROF_FIELD_STRING,
                 .meaning = "Group of names to filter by.", .absent = "the span has no category"),
    OPPROF_FIELD(OpprofSpan, colour, OPPROF_FIELD_STRING, .meaning = "Colour name of the viewer.",
                 .absent = "the viewer chooses"),
    OPPROF_FIELD(OpprofSpan, arg_count, OPPROF_FIELD_U32, .unit = "1",
                 .meaning = "Number of arguments."),
    OPPROF_FIELD(OpprofSpan, args, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_HIDDEN,
                 .meaning = "The arguments, an array of OpprofArg.",
                 .absent = "the span has no arguments"),
    OPPROF_FIELD(OpprofSpan, id, OPPROF_FIELD_TEXT,
                 .meaning = "Pairs begin with end and flow start with flow end in one document.",
                 .absent = "the span has no partner"),
    OPPROF_FIELD(OpprofSpan, group, OPPROF_FIELD_TEXT,
                 .meaning = "Ties slices that belong together.",
                 .absent = "the span belongs to no group"),
};

static const OpprofField counter_fields[] = {
    OPPROF_FIELD(OpprofCounter, time, OPPROF_FIELD_TICK, .unit = "tick",
                 .meaning = "When the value begins to hold."),
    OPPROF_FIELD(OpprofCounter, value, OPPROF_FIELD_F64, .meaning = "Value from this time on.",
                 .absent = "nothing was measured from this time on"),
    OPPROF_FIELD(OpprofCounter, track, OPPROF_FIELD_TRACK,
                 .meaning = "Process of the timeline that the curve is under."),
    OPPROF_FIELD(OpprofCounter, name, OPPROF_FIELD_STRING, .meaning = "Name of the curve."),
    OPPROF_FIELD(OpprofCounter, series, OPPROF_FIELD_STRING,
                 .meaning = "Name of the series in the curve, with its unit."),
};

static const OpprofField advice_fields[] = {
    OPPROF_FIELD(OpprofAdvice, severity, OPPROF_FIELD_STRING, .meaning = "note, hint or problem."),
    OPPROF_FIELD(OpprofAdvice, topic, OPPROF_FIELD_STRING,
                 .meaning = "Analysis or view that the sentence belongs to."),
    OPPROF_FIELD(OpprofAdvice, subject, OPPROF_FIELD_STRING,
                 .meaning = "Launch, rank or core that it is about.",
                 .absent = "it is about the whole run"),
    OPPROF_FIELD(OpprofAdvice, sentence, OPPROF_FIELD_TEXT, .meaning = "The advice."),
    OPPROF_FIELD(OpprofAdvice, numbers, OPPROF_FIELD_TEXT, .meaning = "The numbers it rests on.",
                 .absent = "it rests on none"),
    OPPROF_FIELD(OpprofAdvice, value, OPPROF_FIELD_F64,
                 .meaning = "The number that it rests on most, as the file has it.",
                 .absent = "it rests on no number of a file"),
    OPPROF_FIELD(OpprofAdvice, unit, OPPROF_FIELD_STRING, .meaning = "Unit of the value.",
                 .absent = "the value has none"),
    OPPROF_FIELD(OpprofAdvice, column, OPPROF_FIELD_STRING,
                 .meaning = "Column of the file that holds the value.",
                 .absent = "it rests on no number of a file"),
    OPPROF_FIELD(OpprofAdvice, file, OPPROF_FIELD_STRING,
                 .meaning = "File of the results that holds the value.",
                 .absent = "it rests on no number of a file"),
    OPPROF_FIELD(OpprofAdvice, gain, OPPROF_FIELD_F64, .unit = "%", .heading = "gain(%)",
                 .decimals = 2,
                 .meaning = "Part of the subject's time that could be saved at most.",
                 .absent = "it cannot be computed"),
    OPPROF_FIELD(OpprofAdvice, rule, OPPROF_FIELD_STRING, .meaning = "Rule that says so.",
                 .absent = "a stage says so without a rule"),
    OPPROF_FIELD(OpprofAdvice, todo, OPPROF_FIELD_TEXT, .meaning = "What to do about it.",
                 .absent = "it is not known"),
    OPPROF_FIELD(OpprofAdvice, gain_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .meaning = "The most that could be saved.", .absent = "it cannot be computed",
                 .flags = OPPROF_FIELD_ALONE),
    OPPROF_FIELD(OpprofAdvice, whole_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .meaning = "What it could be saved of, such as the time of the run.",
                 .absent = "it cannot be computed", .flags = OPPROF_FIELD_ALONE),
    OPPROF_FIELD(OpprofAdvice, from_table, OPPROF_FIELD_STRING,
                 .meaning = "Table of the database that holds the value.",
                 .absent = "it rests on no number of a table"),
    OPPROF_FIELD(OpprofAdvice, start_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .meaning = "When the timeline shows it.", .absent = "no timeline does",
                 .flags = OPPROF_FIELD_MOMENT),
    OPPROF_FIELD(OpprofAdvice, track, OPPROF_FIELD_STRING,
                 .meaning = "Process of the timeline that shows it.", .absent = "no timeline does"),
};

const OpprofRecordType opprof_span_type =
    RECORD_TYPE(OpprofSpan, span_fields, .name = "span", .summary = "A piece of a timeline.");

const OpprofRecordType opprof_counter_type = RECORD_TYPE(
    OpprofCounter, counter_fields, .name = "counter", .summary = "A sample of a curve.");

const OpprofRecordType opprof_advice_type = RECORD_TYPE(
    OpprofAdvice, advice_fields, .name = "advice",
    .summary = "Findings in sentences, and the numbers they rest on.",
    .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY, .title = "Advice", .file_hint = "advice");

const OpprofRecordType opprof_tables_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "tables",
    .summary = "Tables whose types are made during the run.",
    .size = 8,
    .flags = OPPROF_RECORD_TABLE,
};
