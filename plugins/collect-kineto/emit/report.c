/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says what a trace lacks, and what in it cannot be relied upon.
 * Tested by tests/plugins/collect-kineto/test_forms.sh.
 */
#include "collect-kineto/emit/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define PROCESSES_NAMED 4u

TracePlace TracePlaceOf(const TraceFacts *facts, uint64_t at)
{
    TracePlace place;

    snprintf(place.text, sizeof place.text,
             facts->is_database ? "row %" PRIu64 " of its tables" : "byte %" PRIu64 " of its text",
             at);
    return place;
}

/* Events were left out, so the result lacks them. */
static void report_loss(const TraceReport *report, const TraceLoss *loss, const char *counter,
                        const char *why)
{
    if (loss->count > 0) {
        OpprofStageCount(report->stage, counter, loss->count);
        OpprofStageIncomplete(
            report->stage, "Trace '%s': %" PRIu64 " %s left out: %s; the first is at %s",
            report->path, loss->count, loss->count == 1 ? "event was" : "events were", why,
            TracePlaceOf(report->facts, loss->at).text);
    }
}

/* The events count, but not in all tables, or under another kind. */
static void report_doubt(const TraceReport *report, const TraceLoss *loss, const char *counter,
                         const char *why)
{
    if (loss->count > 0) {
        OpprofStageCount(report->stage, counter, loss->count);
        OpprofStageIncomplete(report->stage, "Trace '%s': %" PRIu64 " %s; the first is at %s",
                              report->path, loss->count, why,
                              TracePlaceOf(report->facts, loss->at).text);
    }
}

static void report_losses(const TraceReport *report)
{
    const TraceFacts *facts = report->facts;
    const TraceLosses *losses = &report->trace->losses;

    report_loss(report, &losses->odd, "events of no kind",
                "'ph' is missing, or 'ph' or 'cat' is not a text");
    report_doubt(report, &losses->odd_arguments, "events with odd arguments",
                 "event(s) have an unknown device or operation, or a stream, correlation or size "
                 "that is not a number");
    report_doubt(report, &losses->nameless, "kernels without name",
                 "kernel(s) have no name, so communication among them is unknown");
    report_loss(report, &losses->no_start, "events without start",
                "the start (such as 'ts') is missing or not a number");
    report_loss(report, &losses->no_duration, "events without duration",
                "the duration (such as 'dur') is missing or not a number");
    report_loss(report, &losses->negative_duration, "events of negative duration",
                "the end is before the start");
    report_loss(report, &losses->corrupt_duration, "events of corrupt duration",
                "the duration is over seven days");
    report_loss(report, &losses->unpaired, "events without partner",
                "the begin or the end is missing");
    report_loss(report, &losses->too_many_open, "events begun among too many others",
                "too many events are open at one time");
    report_loss(report, &losses->too_many_lanes, "events beyond 65535 streams",
                "the trace has more than 65535 streams");
    report_loss(report, &facts->broken, "events that are not JSON", "not JSON");
    report_loss(report, &facts->too_long, "events over 1 MiB", "over 1 MiB of text");
    report_loss(report, &facts->strangers, "events that are not objects", "not an object");
    if (report->trace->names.is_full) {
        OpprofStageIncomplete(report->stage,
                              "Trace '%s' has more than %u MiB of different names; the rest is "
                              "called '%s'",
                              report->path, NAMES_BYTES_MAX >> 20, NAMES_OTHER);
    }
}

static void report_end(const TraceReport *report)
{
    const TraceFacts *facts = report->facts;
    const char *path = report->path;

    if (facts->was_stopped) {
        OpprofStageIncomplete(report->stage, "Trace '%s' was not read to its end but to %s", path,
                              TracePlaceOf(facts, facts->problem_at).text);
    } else if (facts->problem != NULL) {
        OpprofStageIncomplete(report->stage, "Trace '%s' is damaged at %s: %s; %s is kept", path,
                              TracePlaceOf(facts, facts->problem_at).text, facts->problem,
                              facts->is_database ? "all that can be read" : "what comes before");
    } else if (facts->has_zeros) {
        OpprofStageIncomplete(report->stage,
                              "Trace '%s' is damaged at byte %" PRIu64
                              " of its text: it has zeros, as where a part of a file was never "
                              "written; what surrounds them is kept",
                              path, facts->zero_at);
    } else if (facts->is_unclosed) {
        OpprofStageIncomplete(report->stage,
                              "Trace '%s' ends at byte %" PRIu64
                              " of its text without its ']': its "
                              "writer did not finish it, and events may be missing",
                              path, facts->text_bytes);
    }
}

/* XLA's limit of events is a parameter: a trace with as many as a usual one may be cut. */
static bool is_at_limit(const RankTrace *trace)
{
    char count[24];
    const int length = snprintf(count, sizeof count, "%" PRIu64, trace->untold);
    const JsonText text = { .text = count, .length = (uint32_t) length };

    return trace->processes.thread_count > 0 &&
           VocabularyHasWord(&trace->vocabulary->lists[LIST_EVENT_LIMITS], text);
}

static void report_facts(const TraceReport *report)
{
    const TraceFacts *facts = report->facts;

    if (is_at_limit(report->trace)) {
        OpprofStageIncomplete(
            report->stage,
            "Trace '%s' has %" PRIu64
            " events, a limit of XLA, which leaves out later ones: record less, or set "
            "TF_PROFILER_TRACE_VIEWER_MAX_EVENTS higher",
            report->path, report->trace->untold);
    }
    OpprofStageCount(report->stage, "events", facts->events);
    OpprofStageCount(report->stage, "bytes of text", facts->text_bytes);
    report_end(report);
    report_losses(report);
    if (facts->graphs > 0) {
        OpprofStageWarn(report->stage,
                        "Trace '%s': %" PRIu64
                        " CUDA graph(s) are one piece of computation each, whatever their kernels "
                        "do; record with --cuda-graph-trace=node to see these",
                        report->path, facts->graphs);
    }
    if (facts->lacks != NULL) {
        OpprofStageWarn(report->stage, "Trace '%s': its version of the database lacks %s",
                        report->path, facts->lacks);
    }
    if (facts->has_odd_rank) {
        OpprofStageIncomplete(
            report->stage,
            "Trace '%s': its 'rank' is not a whole number from 0 on, so it may be "
            "of another rank than %" PRId64,
            report->path, facts->has_rank ? facts->rank : 0);
    } else if (!facts->has_rank) {
        OpprofStageWarn(report->stage, "Trace '%s' does not name its rank; it is taken as rank 0",
                        report->path);
    }
}

/* Types of tasks that no list has. */
static void report_tasks(const TraceReport *report)
{
    const UnknownWords *tasks = &report->trace->tasks;
    char types[512] = "";
    size_t length = 0;
    uint64_t events = 0;

    for (uint32_t i = 0; i < tasks->count && length < sizeof types; i++) {
        length += (size_t) snprintf(types + length, sizeof types - length, "%s'%s' (%" PRIu64 ")",
                                    i == 0 ? "" : ", ", tasks->list[i].word, tasks->list[i].events);
        events += tasks->list[i].events;
    }
    if (events > 0) {
        OpprofStageWarn(report->stage,
                        "Trace '%s': the types of %" PRIu64
                        " task(s) say nothing: %s; they are taken as work by their names; if they "
                        "are not work, name the types in a vocabulary",
                        report->path, events, types);
    }
}

/* Categories that may have deserved reading. */
static void report_unknown(const TraceReport *report)
{
    const TraceFacts *facts = report->facts;

    for (uint32_t i = 0; i < facts->unknown.count; i++) {
        const UnknownWord *unknown = &facts->unknown.list[i];

        if (unknown->on_streams > 0) {
            OpprofStageIncomplete(
                report->stage,
                "Trace '%s': %" PRIu64
                " events of the unknown category '%s' were left out, though %" PRIu64
                " of them name a stream of a device; name it in a vocabulary",
                report->path, unknown->events, unknown->word, unknown->on_streams);
        } else {
            OpprofStageWarn(
                report->stage,
                "Trace '%s': %" PRIu64
                " events of category '%s' were ignored; if they matter, name it in a vocabulary",
                report->path, unknown->events, unknown->word);
        }
    }
}

/* Sums that differ by less are the same, rounded otherwise. */
#define SUMS_DIFFER_NS 1000u
#define SUMS_DIFFER_PART 1000u

/* What the work lacks of the profiler's own sums was lost; what it has beside may be counted
 * differently. */
static void report_sum(const TraceReport *report, const char *name, uint64_t own_ns,
                       uint64_t work_ns)
{
    const uint64_t most_ns = own_ns > work_ns ? own_ns : work_ns;
    const uint64_t apart_ns = most_ns - (own_ns > work_ns ? work_ns : own_ns);
    static const char says[] = "Trace '%s': its profiler says that the devices had %.3f us of %s, "
                               "its tasks have %.3f us";

    if (apart_ns <= SUMS_DIFFER_NS || apart_ns <= most_ns / SUMS_DIFFER_PART) {
        return;
    }
    if (own_ns > work_ns) {
        OpprofStageIncomplete(report->stage, says, report->path, (double) own_ns / 1000, name,
                              (double) work_ns / 1000);
    } else {
        OpprofStageWarn(report->stage, says, report->path, (double) own_ns / 1000, name,
                        (double) work_ns / 1000);
    }
}

static void report_sums(const TraceReport *report)
{
    const OwnComparison *sums = report->sums;

    if (sums->has_own && report->linked->dropped == 0) {
        report_sum(report, "computation", sums->own_ns[WORK_COMPUTATION],
                   sums->work_ns[WORK_COMPUTATION]);
        report_sum(report, "communication", sums->own_ns[WORK_COMMUNICATION],
                   sums->work_ns[WORK_COMMUNICATION]);
    }
}

static void report_links(const TraceReport *report)
{
    const LinkedTrace *linked = report->linked;

    if (linked->unlinked == 0) {
        return;
    }
    OpprofStageCount(report->stage, "work without known call", linked->unlinked);
    if (linked->correlated == 0 && linked->unlinked == linked->pieces) {
        OpprofStageWarn(report->stage,
                        "Trace '%s': none of the %" PRIu64
                        " pieces of device work names the call that launched it; launches, and how "
                        "long devices wait for the host, are unknown",
                        report->path, linked->pieces);
    } else {
        OpprofStageWarn(report->stage,
                        "Trace '%s': the calls that launched %" PRIu64 " of %" PRIu64
                        " pieces of device work (%.0f %%) are not in it; launches and waits for "
                        "the host are known only for the rest",
                        report->path, linked->unlinked, linked->pieces,
                        100.0 * (double) linked->unlinked / (double) linked->pieces);
    }
}

static void report_absurd(const TraceReport *report)
{
    const LinkedTrace *linked = report->linked;

    if (linked->absurd > 0) {
        OpprofStageCount(report->stage, "events of absurd time", linked->absurd);
        OpprofStageIncomplete(
            report->stage,
            "Trace '%s': %" PRIu64
            " %s left out: over seven days away from the others; the first is '%s' at %" PRId64
            " ns",
            report->path, linked->absurd, linked->absurd == 1 ? "event was" : "events were",
            NamesAt(&report->trace->names, linked->absurd_name)->text, linked->absurd_ns);
    }
}

/* ---- what is not evaluated ---- */

static void report_graphs(const TraceReport *report)
{
    const RankTrace *trace = report->trace;
    const WordList *names = &trace->vocabulary->lists[LIST_GRAPH_LAUNCH];
    uint64_t replays = 0;
    uint64_t pieces = 0;

    for (uint32_t i = 0; i < trace->launches.count; i++) {
        const Name *name = NamesAt(&trace->names, RankTraceLaunch(trace, i)->name);
        const JsonText text = { .text = name->text, .length = name->length };

        if (report->linked->calls[i].count > 0 && VocabularyHasWord(names, text)) {
            replays++;
            pieces += report->linked->calls[i].count;
        }
    }
    if (replays > 0) {
        OpprofStageWarn(report->stage,
                        "Trace '%s': %" PRIu64 " piece(s) of device work are of %" PRIu64
                        " replay(s) of graphs: they belong to what launched the replay, since no "
                        "operator of their own is known",
                        report->path, pieces, replays);
    }
}

static void report_unevaluated(const TraceReport *report)
{
    const UnknownWords *words = &report->facts->unevaluated;

    for (uint32_t i = 0; i < words->count; i++) {
        OpprofStageWarn(report->stage,
                        "Trace '%s': %" PRIu64
                        " events of category '%s', such as changes of memory, are not evaluated",
                        report->path, words->list[i].events, words->list[i].word);
    }
    if (report->trace->split_sizes > 0) {
        OpprofStageWarn(report->stage,
                        "Trace '%s': %" PRIu64
                        " collective(s) have parts of different sizes, which are not evaluated: "
                        "their bandwidth is that of parts of one size",
                        report->path, report->trace->split_sizes);
    }
    report_graphs(report);
}

/* ---- what cannot be true ---- */

/* Where a fault was seen first: "'gemm' at 7 ns". */
static TracePlace first_of(const TraceReport *report, const Fault *fault)
{
    TracePlace place;

    snprintf(place.text, sizeof place.text, "'%.30s' at %" PRId64 " ns",
             NamesAt(&report->trace->names, fault->name)->text, fault->ns);
    return place;
}

static void report_fault(const TraceReport *report, const Fault *fault, const char *counter,
                         const char *why)
{
    if (fault->count > 0) {
        OpprofStageCount(report->stage, counter, fault->count);
        OpprofStageIncomplete(report->stage, "Trace '%s': %" PRIu64 " %s; the first is %s",
                              report->path, fault->count, why, first_of(report, fault).text);
    }
}

/* Where most work has no launch in the trace, launches without work say nothing. */
static void report_workless(const TraceReport *report)
{
    const LinkedTrace *linked = report->linked;
    const Faults *faults = &linked->faults;

    if (faults->workless.count == 0 || linked->pieces == 0 ||
        linked->unlinked * 2 > linked->pieces) {
        return;
    }
    OpprofStageCount(report->stage, "launch calls without work", faults->workless.count);
    OpprofStageIncomplete(report->stage,
                          "Trace '%s': %" PRIu64 " of %" PRIu64
                          " launch calls have no work in it, so that work was lost; the first is "
                          "%s",
                          report->path, faults->workless.count, faults->enqueued,
                          first_of(report, &faults->workless).text);
}

static void report_faults(const TraceReport *report)
{
    const Faults *faults = &report->linked->faults;

    report_workless(report);
    report_fault(report, &faults->far, "work hours from its launch",
                 "piece(s) of device work have times of another clock, over a second before or an "
                 "hour after the call that launched them, and were left out");
    report_fault(report, &faults->early, "work before its launch",
                 "piece(s) of device work begin before the call that launched them: the clocks of "
                 "host and device differ, so delays and waits for the host are wrong");
    report_fault(report, &faults->twice, "work that is there twice",
                 "piece(s) of device work are in it twice, with the same stream, times and name; "
                 "each counts once");
    report_fault(report, &faults->host_twice, "calls that are there twice",
                 "call(s), operators or iterations are in it twice, with the same thread, times "
                 "and name; they count twice");
    report_fault(report, &faults->guessed, "work with a guessed launch",
                 "piece(s) of device work have several calls of their correlation that may have "
                 "launched them, of ranks that nothing tells apart: delays are wrong");
    report_fault(report, &faults->crossing, "work over later work of its stream",
                 "piece(s) of device work begin over 50 us before earlier work of their stream "
                 "ends, though a stream does one after the other: times of work are wrong");
}

static void report_seat(const TraceReport *report)
{
    const LinkedTrace *linked = report->linked;
    const RankSeat *seat = report->seat;

    if (seat->is_second && report->names_rank) {
        OpprofStageIncomplete(
            report->stage,
            "Trace '%s' names the rank of an earlier file and was recorded at the "
            "same time: one of the two ranks is wrong; it is called '%s'",
            report->path, seat->name);
    } else if (seat->is_second) {
        OpprofStageWarn(report->stage,
                        "Trace '%s' has the rank of an earlier file; it is called '%s'",
                        report->path, seat->name);
    }
    if (seat->is_far) {
        OpprofStageIncomplete(report->stage,
                              "Trace '%s': its times are over seven days away from those of the "
                              "first rank, so that they cannot be compared; it begins at 0",
                              report->path);
    }
    if (linked->dropped > 0) {
        OpprofStageWarn(report->stage,
                        "Trace '%s': %" PRIu64
                        " pieces of device work of the last step, or without a "
                        "call, were left out as asked for by exclude_last_step",
                        report->path, linked->dropped);
        OpprofStageCount(report->stage, "work left out with the last step", linked->dropped);
    }
    if (linked->work_count == 0) {
        OpprofStageWarn(report->stage, "Trace '%s' has no device work", report->path);
    }
}

/* ---- traces of nothing ---- */

/* A text that grows in a room of fixed size, and is cut there. */
typedef struct BoundedText {
    char *text;
    size_t size;
    size_t length;
} BoundedText;

OPPROF_PRINTF(2, 3)
static void append_text(BoundedText *out, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(out->text + out->length, out->size - out->length, format, args);
    va_end(args);
    if (length > 0) {
        out->length += (size_t) length;
        out->length = out->length < out->size ? out->length : out->size - 1;
    }
}

void TraceReportInstead(const TraceReport *report, const char *form, char *text, size_t size)
{
    const TraceFacts *facts = report->facts;
    const Processes *processes = &report->trace->processes;
    BoundedText out = { .text = text, .size = size };

    append_text(&out, "'%s' has %" PRIu64 " %s", report->path, facts->events,
                facts->is_database ? "rows" : "events");
    for (uint32_t i = 0; i < facts->unknown.count; i++) {
        append_text(&out, ", %" PRIu64 " of category '%s'", facts->unknown.list[i].events,
                    facts->unknown.list[i].word);
    }
    for (size_t i = 0; i < processes->count && i < PROCESSES_NAMED; i++) {
        append_text(&out, "%s'%s'", i == 0 ? ", and processes called " : ", ",
                    processes->list[i].name);
    }
    if (report->linked->faults.enqueued > 0) {
        append_text(&out, ", and %" PRIu64 " launch calls", report->linked->faults.enqueued);
    }
    if (form != NULL) {
        append_text(&out, "; it is %s", form);
    }
}

void TraceReportAll(const TraceReport *report)
{
    report_facts(report);
    report_unknown(report);
    report_tasks(report);
    report_sums(report);
    report_links(report);
    report_absurd(report);
    report_faults(report);
    report_unevaluated(report);
    report_seat(report);
}
