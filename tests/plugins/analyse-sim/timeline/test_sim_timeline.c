/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/analyse-sim/timeline/sim_timeline.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <opprof/kit/busy_time.h>
#include <opprof/records/sim.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

static const OpprofRecordType *const types[] = { &opprof_sim_instruction_type,
                                                 &opprof_sim_mark_type,
                                                 &opprof_sim_icache_miss_type };

#define SEEN_MAX 64

/* A span as the sink saw it. */
typedef struct Seen {
    char document[32];
    char process[32];
    char process_name[32];
    char thread[32];
    char name[32];
    char category[32];
    char colour[32];
    char id[32];
    char group[32];
    char detail[64];
    uint32_t kind;
    uint32_t args;
    uint64_t start;
    uint64_t duration;
    uint64_t hz;
} Seen;

static Seen seen[SEEN_MAX];
static unsigned seen_count;

#define COPY(to, text) snprintf((to), sizeof(to), "%s", (text) != NULL ? (text) : "")

static void copy_text(char *to, size_t size, const OpprofBatch *batch, OpprofText text)
{
    const char *bytes = OpprofBatchText(batch, text);

    snprintf(to, size, "%.*s", bytes == NULL ? 0 : (int) text.length, bytes == NULL ? "" : bytes);
}

static void see_detail(const OpprofStage *stage, const OpprofBatch *batch, const OpprofSpan *span,
                       Seen *to)
{
    const char *bytes = OpprofBatchText(batch, span->args);

    for (uint32_t i = 0; i < span->arg_count; i++) {
        OpprofArg arg;

        memcpy(&arg, bytes + i * sizeof arg, sizeof arg);
        if (strcmp(OpprofStageString(stage, arg.key), "detail") == 0) {
            copy_text(to->detail, sizeof to->detail, batch, arg.value.text);
        }
    }
}

static void see_spans(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count && seen_count < SEEN_MAX; i++) {
        const OpprofSpan *span = OpprofBatchRecord(batch, i);
        const OpprofTrack *track = OpprofStageTrackInfo(stage, span->track);
        Seen *to = &seen[seen_count++];

        ck_assert_ptr_nonnull(track);
        ck_assert_str_eq(track->document, OpprofStageString(stage, batch->partition));
        *to = (Seen){ .kind = span->kind,
                      .start = span->start,
                      .duration = span->duration,
                      .args = span->arg_count,
                      .hz = OpprofStageClockInfo(stage, batch->clock)->hz };
        COPY(to->document, track->document);
        COPY(to->process, track->process);
        COPY(to->process_name, track->process_name);
        COPY(to->thread, track->thread);
        COPY(to->name, OpprofStageString(stage, span->name));
        COPY(to->category, OpprofStageString(stage, span->category));
        COPY(to->colour, OpprofStageString(stage, span->colour));
        copy_text(to->id, sizeof to->id, batch, span->id);
        copy_text(to->group, sizeof to->group, batch, span->group);
        see_detail(stage, batch, span, to);
    }
}

/* The only span of a document with that kind and name. */
static const Seen *find(const char *document, uint32_t kind, const char *name)
{
    const Seen *found = NULL;

    for (unsigned i = 0; i < seen_count; i++) {
        if (strcmp(seen[i].document, document) == 0 && seen[i].kind == kind &&
            strcmp(seen[i].name, name) == 0) {
            ck_assert_msg(found == NULL, "more than one %s of kind %u in %s", name, kind, document);
            found = &seen[i];
        }
    }
    ck_assert_msg(found != NULL, "no %s of kind %u in %s", name, kind, document);
    return found;
}

static unsigned count_in(const char *document)
{
    unsigned count = 0;

    for (unsigned i = 0; i < seen_count; i++) {
        count += strcmp(seen[i].document, document) == 0;
    }
    return count;
}

static void run(HarnessProduce *produce)
{
    seen_count = 0;
    HarnessSource("source", produce, types, 3);
    HarnessPlugin("timeline", &opprof_plugin_v0, NULL);
    HarnessSink("sink", see_spans, "span");
    HarnessRun(OPPROF_RUN_COMPLETE);
}

static OpprofBatch *begin(OpprofStage *stage, uint32_t port, const char *core, uint64_t mhz)
{
    const OpprofClock clock = { .name = "core", .hz = mhz * 1000000 };
    OpprofBatch *batch = OpprofStageNewBatch(stage, port);

    ck_assert_ptr_nonnull(batch);
    batch->partition = HarnessIntern(stage, core);
    batch->clock = OpprofStageClock(stage, &clock);
    return batch;
}

/* Where a row is and what it does. */
typedef struct Made {
    const char *pipe;
    const char *name;
    uint64_t start;
    uint64_t end;
    const char *detail; /* NULL: absent */
    int16_t warp;       /* less 1; 0: no warp */
    uint32_t cache_cycles;
    uint32_t ccu_cycles;
} Made;

static void add_rows(OpprofStage *stage, OpprofBatch *batch, const Made *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        OpprofSimInstruction *row = OpprofBatchAppend(batch);

        ck_assert_ptr_nonnull(row);
        *row = (OpprofSimInstruction){ .pc = 0x1000 + 4 * i,
                                       .start = rows[i].start,
                                       .end = rows[i].end,
                                       .core = batch->partition,
                                       .pipe = HarnessIntern(stage, rows[i].pipe),
                                       .name = HarnessIntern(stage, rows[i].name),
                                       .warp = (int16_t) (rows[i].warp - 1),
                                       .scheduler = (int16_t) (rows[i].warp > 0 ? 0 : -1),
                                       .sequence = i,
                                       .cache_cycles = rows[i].cache_cycles,
                                       .ccu_cycles = rows[i].ccu_cycles,
                                       .detail = { OPPROF_NA_U32, 0 } };
        if (rows[i].detail != NULL) {
            OpprofBatchAppendText(batch, rows[i].detail, strlen(rows[i].detail), &row->detail);
        }
    }
}

#define ROWS(...)                                                                                  \
    ((const Made[]){ __VA_ARGS__ }), sizeof((const Made[]){ __VA_ARGS__ }) / sizeof(Made)

#define EVENT_KEY "pipe_type:MTE2,tigger_pipe:SCALAR,event_id:0"

static OpprofStatus produce_events(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, 0, "core0", 1060);

    (void) error;
    add_rows(stage, batch,
             ROWS({ "SCALAR", "scalar_neg", 782, 788, "xn:0x0", 0, 0, 0 },
                  { "SCALAR", "wait_event", 779, 1112, EVENT_KEY, 0, 0, 0 },
                  { "MTE2", "set_event", 787, 1112, EVENT_KEY, 0, 0, 0 }));
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(a_set_and_its_wait_are_joined_by_an_arrow)
{
    const Seen *span;

    run(produce_events);
    ck_assert_uint_eq(count_in("trace"), 7);
    ck_assert_uint_eq(find("trace", OPPROF_SPAN_SLICE, "scalar_neg")->start, 782);
    span = find("trace", OPPROF_SPAN_BEGIN, "wait_event");
    ck_assert_uint_eq(span->start, 788);
    ck_assert_str_eq(span->thread, "SCALAR");
    ck_assert_str_eq(span->colour, "yellow");
    ck_assert_str_eq(span->id, "core0_0");
    ck_assert_str_eq(span->detail, EVENT_KEY);
    ck_assert_uint_eq(find("trace", OPPROF_SPAN_END, "wait_event")->start, 1112);
    span = find("trace", OPPROF_SPAN_BEGIN, "set_event");
    ck_assert_uint_eq(span->start, 1111);
    ck_assert_str_eq(span->thread, "MTE2");
    ck_assert_str_eq(span->colour, "black");
    span = find("trace", OPPROF_SPAN_END, "set_event");
    ck_assert_uint_eq(span->start, 1112);
    ck_assert_uint_eq(span->args, 0);
    ck_assert_str_eq(span->id, "core0_0");
    span = find("trace", OPPROF_SPAN_FLOW_START, "flow");
    ck_assert_uint_eq(span->start, 1111);
    ck_assert_str_eq(span->category, "MTE2ToSCALAR");
    ck_assert_str_eq(span->thread, "MTE2");
    ck_assert_str_eq(span->id, "core0_0");
    ck_assert_str_eq(find("trace", OPPROF_SPAN_FLOW_END, "flow")->thread, "SCALAR");
}
END_TEST

START_TEST(a_cores_own_arrows_lead_from_last_tick_to_last_tick)
{
    const Seen *span;

    run(produce_events);
    ck_assert_uint_eq(count_in("core0/trace"), 5);
    span = find("core0/trace", OPPROF_SPAN_SLICE, "set_event");
    ck_assert_uint_eq(span->hz, 2 * UINT64_C(1060000000));
    ck_assert_uint_eq(span->start, 2 * 1111);
    ck_assert_uint_eq(span->duration, 2);
    ck_assert_str_eq(span->process, "60");
    ck_assert_str_eq(span->process_name, "MTE2");
    ck_assert_str_eq(span->thread, "1");
    span = find("core0/trace", OPPROF_SPAN_SLICE, "wait_event");
    ck_assert_uint_eq(span->start, 2 * 788);
    ck_assert_str_eq(span->process, "10");
    ck_assert_str_eq(span->thread, "2");
    span = find("core0/trace", OPPROF_SPAN_FLOW_START, "flow");
    ck_assert_uint_eq(span->start, 2 * 1111);
    ck_assert_str_eq(span->id, "0");
    ck_assert_str_eq(span->category, "MTE2ToSCALAR");
    ck_assert_uint_eq(find("core0/trace", OPPROF_SPAN_FLOW_END, "flow")->start, 2 * 1111);
}
END_TEST

#define FLAG_KEY "PIPE:MTE2,TRIGGERPIPE:SCALAR,FLAGID:0,"

static OpprofStatus produce_heads(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, 0, "core0.veccore0", 1850);

    (void) error;
    add_rows(stage, batch,
             ROWS({ "SCALAR", "ADD", 100, 150, "XN:X1", 0, 0, 0 },
                  { "SCALAR", "WAIT_FLAG", 120, 200, FLAG_KEY, 0, 5, 10 }));
    return OpprofStagePush(stage, 0, batch);
}

/* Issued at 120 - 10, fetched at 110 - 5; the row before it ends at 150,
 * where the wait is drawn. */
static void check_heads(const char *document, uint64_t scale)
{
    const Seen *span = find(document, OPPROF_SPAN_SLICE, "cache_time");

    ck_assert_uint_eq(span->start, 105 * scale);
    ck_assert_uint_eq(span->duration, 5 * scale);
    span = find(document, OPPROF_SPAN_SLICE, "ccu_time");
    ck_assert_uint_eq(span->start, 110 * scale);
    ck_assert_uint_eq(span->duration, 40 * scale);
}

START_TEST(a_wait_is_issued_until_it_is_drawn)
{
    run(produce_heads);
    check_heads("trace", 1);
    check_heads("core0.veccore0/trace", 2);
    ck_assert_uint_eq(find("trace", OPPROF_SPAN_BEGIN, "WAIT_FLAG")->start, 150);
    ck_assert_str_eq(find("trace", OPPROF_SPAN_BEGIN, "WAIT_FLAG")->group, "core0.veccore0_0");
    ck_assert_str_eq(find("trace", OPPROF_SPAN_END, "WAIT_FLAG")->group, "core0.veccore0_0");
    ck_assert_str_eq(find("trace", OPPROF_SPAN_SLICE, "ccu_time")->group, "core0.veccore0_0");
}
END_TEST

static OpprofStatus produce_simt_and_wait(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, 0, "core0.veccore0", 1650);

    (void) error;
    add_rows(stage, batch,
             ROWS({ "VECTOR", "SIMT_IADD", 10, 50, "x", 3, 0, 0 },
                  { "VECTOR", "WAIT_FLAG", 20, 90, FLAG_KEY, 0, 0, 0 }));
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(waits_begin_after_simt_rows_of_their_pipe)
{
    run(produce_simt_and_wait);
    ck_assert_str_eq(find("trace", OPPROF_SPAN_SLICE, "SIMT_IADD")->thread, "WARP_2");
    ck_assert_uint_eq(find("trace", OPPROF_SPAN_BEGIN, "WAIT_FLAG")->start, 50);
    /* In the core's own document they are in another lane. */
    ck_assert_uint_eq(find("core0.veccore0/trace", OPPROF_SPAN_SLICE, "WAIT_FLAG")->start, 2 * 20);
}
END_TEST

static OpprofStatus produce_mark_and_register(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *marks = begin(stage, 1, "core0.veccore0", 1850);
    OpprofBatch *batch = begin(stage, 0, "core0.veccore0", 1850);
    OpprofSimMark *mark = OpprofBatchAppend(marks);
    OpprofStatus status;

    (void) error;
    *mark = (OpprofSimMark){ .start = 10,
                             .end = 90,
                             .name = HarnessIntern(stage, "Mark 0x1"),
                             .digit = 1,
                             .detail = { OPPROF_NA_U32, 0 } };
    add_rows(stage, batch,
             ROWS({ "USERMARK", "MOV_SPR_XN", 20, 30, "SPR:LPCNT,XN:X1=0x5,", 0, 0, 0 }));
    status = OpprofStagePush(stage, 1, marks);
    return status == OPPROF_OK ? OpprofStagePush(stage, 0, batch) : status;
}

START_TEST(rows_of_mark_registers_have_other_lanes_than_marks)
{
    const char *own = "core0.veccore0/trace";

    run(produce_mark_and_register);
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "Mark 0x1")->process, "120");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "Mark 0x1")->thread, "1");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "MOV_SPR_XN")->process, "120");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "MOV_SPR_XN")->thread, "10");
}
END_TEST

static OpprofStatus produce_lanes(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, 0, "core3.veccore1", 1850);

    (void) error;
    add_rows(stage, batch,
             ROWS({ "SCALAR", "load", 10, 20, "XD:X1=0x1,", 0, 0, 0 },
                  { "SCALAR", "other", 10, 20, "XN:X1", 0, 0, 0 },
                  { "SCALAR", "BAR", 12, 30, "PIPE:ALL", 0, 0, 0 },
                  { "RVECEX", "SIMT_IADD", 30, 40, "x", 60, 0, 0 },
                  { "RVECLD", "VLD", 35, 41, "x:1", 0, 0, 0 },
                  { "NEWPIPE", "NEW", 36, 42, "x:2", 0, 0, 0 }));
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(rows_find_their_lanes)
{
    const char *own = "core3.veccore1/trace";

    run(produce_lanes);
    ck_assert_str_eq(find("trace", OPPROF_SPAN_SLICE, "load")->thread, "SCALAR");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "load")->process, "20");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "load")->process_name, "SCALARLDST");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "other")->process, "10");
    ck_assert_uint_eq(find("trace", OPPROF_SPAN_SLICE, "BAR")->start, 29);
    ck_assert_uint_eq(find("trace", OPPROF_SPAN_SLICE, "BAR")->duration, 1);
    ck_assert_uint_eq(find(own, OPPROF_SPAN_SLICE, "BAR")->start, 2 * 29);
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "BAR")->thread, "1");
    ck_assert_str_eq(find("trace", OPPROF_SPAN_SLICE, "SIMT_IADD")->thread, "WARP_59");
    ck_assert_str_eq(find("trace", OPPROF_SPAN_SLICE, "SIMT_IADD")->colour, "thread_state_running");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "SIMT_IADD")->process, "1059");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "SIMT_IADD")->process_name, "WARP_59");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "VLD")->process, "170");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "NEW")->process, "2000");
    ck_assert_str_eq(find("trace", OPPROF_SPAN_SLICE, "NEW")->colour, "thread_state_stopped");
    ck_assert_str_eq(find("trace", OPPROF_SPAN_SLICE, "NEW")->detail, "x:2");
}
END_TEST

static OpprofStatus produce_marks_and_misses(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *marks = begin(stage, 1, "core0.veccore0", 1850);
    OpprofBatch *misses = begin(stage, 2, "core0.veccore0", 1850);
    OpprofSimMark *mark = OpprofBatchAppend(marks);
    OpprofSimIcacheMiss *miss = OpprofBatchAppend(misses);
    OpprofStatus status;

    (void) error;
    *mark = (OpprofSimMark){ .start = 11746,
                             .end = 14010,
                             .name = HarnessIntern(stage, "Mark 0x1"),
                             .digit = 1,
                             .detail = { OPPROF_NA_U32, 0 } };
    *miss = (OpprofSimIcacheMiss){ .pc = 0x10cfa000, .tick = 308 };
    OpprofBatchAppendText(misses, "0x10cfa000", 10, &miss->address);
    OpprofBatchAppendText(misses, "sizeis0x00000010,statusisMISS", 29, &miss->detail);
    status = OpprofStagePush(stage, 1, marks);
    return status == OPPROF_OK ? OpprofStagePush(stage, 2, misses) : status;
}

START_TEST(marks_and_cache_misses_have_lanes_of_their_own)
{
    const char *own = "core0.veccore0/trace";
    const Seen *span;

    run(produce_marks_and_misses);
    span = find("trace", OPPROF_SPAN_SLICE, "Mark 0x1");
    ck_assert_uint_eq(span->start, 11746);
    ck_assert_uint_eq(span->duration, 2264);
    ck_assert_str_eq(span->thread, "USERMARK");
    ck_assert_str_eq(span->colour, "rail_load");
    ck_assert_uint_eq(span->args, 2);
    span = find(own, OPPROF_SPAN_SLICE, "Mark 0x1");
    ck_assert_str_eq(span->process, "120");
    ck_assert_str_eq(span->thread, "1");
    ck_assert_uint_eq(span->duration, 2 * 2264);
    span = find("trace", OPPROF_SPAN_SLICE, "0x10cfa000");
    ck_assert_uint_eq(span->start, 308);
    ck_assert_uint_eq(span->duration, 1);
    ck_assert_str_eq(span->thread, "CACHEMISS");
    ck_assert_str_eq(span->detail, "sizeis0x00000010,statusisMISS");
    ck_assert_str_eq(find(own, OPPROF_SPAN_SLICE, "0x10cfa000")->process, "110");
}
END_TEST

static OpprofStatus produce_cross_flags(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *cube = begin(stage, 0, "core0.cubecore0", 1800);
    OpprofBatch *vector = begin(stage, 0, "core0.veccore1", 1800);
    OpprofStatus status;

    (void) error;
    add_rows(stage, cube,
             ROWS({ "CUBE", "SET_INTRA_BLOCK", 150, 155, "PIPE:CUBE,sync_id:18,", 0, 0, 0 }));
    add_rows(stage, vector,
             ROWS({ "ALL", "WAIT_INTRA_BLOCK", 200, 220, "PIPE:VEC,sync_id:2,", 0, 0, 0 }));
    status = OpprofStagePush(stage, 0, cube);
    return status == OPPROF_OK ? OpprofStagePush(stage, 0, vector) : status;
}

START_TEST(flags_between_cores_are_joined_by_any_instance)
{
    const Seen *span;

    run(produce_cross_flags);
    ck_assert_uint_eq(count_in("trace"), 4);
    span = find("trace", OPPROF_SPAN_SLICE, "SET_INTRA_BLOCK");
    ck_assert_uint_eq(span->start, 150);
    ck_assert_uint_eq(span->duration, 5);
    span = find("trace", OPPROF_SPAN_SLICE, "WAIT_INTRA_BLOCK");
    ck_assert_str_eq(span->thread, "VECTOR");
    span = find("trace", OPPROF_SPAN_FLOW_START, "flow");
    ck_assert_str_eq(span->category, "CUBEToVECTOR");
    ck_assert_str_eq(span->process, "core0.cubecore0");
    ck_assert_str_eq(span->id, "intra_core0>1.2.0");
    ck_assert_uint_eq(span->start, 153);
    span = find("trace", OPPROF_SPAN_FLOW_END, "flow");
    ck_assert_str_eq(span->id, "intra_core0>1.2.0");
    ck_assert_str_eq(span->process, "core0.veccore1");
    ck_assert_uint_eq(span->start, 218);
    ck_assert_str_eq(find("core0.veccore1/trace", OPPROF_SPAN_SLICE, "WAIT_INTRA_BLOCK")->process,
                     "100");
}
END_TEST

static OpprofStatus produce_odd_rows(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, 0, "", 1);
    OpprofStatus status;

    (void) error;
    add_rows(stage, batch,
             ROWS({ "SCALAR", "backwards", 9, 8, "x", 0, 0, 0 },
                  { "SCALAR", "BAR", 0, 0, NULL, 0, 0, 0 },
                  { "SCALAR", "SET_FLAG", 0, 0, NULL, 0, 0, 0 },
                  { "SCALAR", "WAIT_FLAG", 0, 0, NULL, 0, 0, 0 }, { "", "", 1, 2, "", 0, 0, 0 },
                  { "ALL", "SET_INTRA_BLOCK", 3, 4, "PIPE:,sync_id:", 0, 0, 0 },
                  { "RVECEX", "SIMT_LD", 5, 6, NULL, 101, 0, 0 },
                  { "ALL", "late", UINT64_MAX, UINT64_MAX, NULL, 0, 0, 0 }));
    status = OpprofStagePush(stage, 0, batch);
    batch = begin(stage, 1, "", 1);
    *(OpprofSimMark *) OpprofBatchAppend(batch) =
        (OpprofSimMark){ .start = 5, .end = 4, .digit = UINT32_MAX };
    return status == OPPROF_OK ? OpprofStagePush(stage, 1, batch) : status;
}

START_TEST(odd_rows_are_drawn_as_well_as_they_can_be)
{
    run(produce_odd_rows);
    ck_assert_uint_eq(find("trace", OPPROF_SPAN_SLICE, "BAR")->start, 0);
    ck_assert_uint_eq(find("trace", OPPROF_SPAN_BEGIN, "SET_FLAG")->start, 0);
    ck_assert_str_eq(find("trace", OPPROF_SPAN_SLICE, "SIMT_LD")->thread, "RVECEX");
    ck_assert_str_eq(find("/trace", OPPROF_SPAN_SLICE, "late")->process_name, "ALL");
    ck_assert_uint_eq(find("trace", OPPROF_SPAN_SLICE, "late")->start, UINT64_MAX);
    for (unsigned i = 0; i < seen_count; i++) {
        ck_assert_str_ne(seen[i].name, "backwards");
    }
}
END_TEST

/* Mirror of the summary's record. */
typedef struct Summary {
    uint32_t core;
    uint32_t reserved;
    double duration_us;
    double running_us;
} Summary;

static Summary summaries[4];
static char summary_cores[4][32];
static unsigned summary_count;

static void see_summary(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        memcpy(&summaries[summary_count], OpprofBatchRecord(batch, i), sizeof(Summary));
        COPY(summary_cores[summary_count], OpprofStageString(stage, summaries[summary_count].core));
        summary_count++;
    }
}

static OpprofStatus produce_times(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, 0, "core0", 1850);
    OpprofStatus status;

    (void) error;
    add_rows(stage, batch,
             ROWS({ "SCALAR", "a", 1, 2, "", 0, 0, 0 }, { "SCALAR", "b", 2, 1851, "", 0, 0, 0 }));
    status = OpprofStagePush(stage, 0, batch);
    if (status != OPPROF_OK) {
        return status;
    }
    /* A core with a mark only has no instructions, so it has no times. */
    batch = begin(stage, 1, "core1", 1850);
    *(OpprofSimMark *) OpprofBatchAppend(batch) = (OpprofSimMark){ .start = 5, .end = 9 };
    return OpprofStagePush(stage, 1, batch);
}

START_TEST(the_summary_needs_no_reader_of_the_spans)
{
    summary_count = 0;
    HarnessSource("source", produce_times, types, 3);
    HarnessPlugin("timeline", &opprof_plugin_v0, NULL);
    HarnessSink("sink", see_summary, "sim.core-summary");
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(summary_count, 1);
    ck_assert_str_eq(summary_cores[0], "core0");
    ck_assert_double_eq(summaries[0].duration_us, 1.0);
    ck_assert_double_eq(summaries[0].running_us, 1.0);
}
END_TEST

/* More idle gaps than are kept apart, and then a row that begins in the second one. */
static OpprofStatus produce_many_gaps(OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint64_t end = 0;

    (void) error;
    for (unsigned i = 0; status == OPPROF_OK && i <= OPPROF_BUSY_STRETCHES_MAX / 512; i++) {
        OpprofBatch *batch = begin(stage, 0, "core0", 1850);

        for (unsigned k = 0; k < 512; k++, end += 4) {
            add_rows(stage, batch, ROWS({ "SCALAR", "a", end + 3, end + 4, NULL, 0, 0, 0 }));
        }
        status = OpprofStagePush(stage, 0, batch);
    }
    if (status == OPPROF_OK) {
        OpprofBatch *batch = begin(stage, 0, "core0", 1850);

        add_rows(stage, batch, ROWS({ "MTE2", "late", 6, end, NULL, 0, 0, 0 }));
        status = OpprofStagePush(stage, 0, batch);
    }
    return status;
}

START_TEST(a_running_time_that_is_not_exact_is_absent)
{
    summary_count = 0;
    HarnessSource("source", produce_many_gaps, types, 3);
    HarnessPlugin("timeline", &opprof_plugin_v0, NULL);
    HarnessSink("sink", see_summary, "sim.core-summary");
    ck_assert_ptr_nonnull(
        strstr(HarnessRun(OPPROF_RUN_INCOMPLETE), "Running time of core 'core0' is NA"));
    ck_assert_uint_eq(summary_count, 1);
    ck_assert(OpprofIsNaF64(summaries[0].running_us));
    ck_assert_double_gt(summaries[0].duration_us, 100);
}
END_TEST

static Suite *sim_timeline_suite(void)
{
    Suite *suite = suite_create("sim_timeline");
    TCase *tcase = tcase_create("sim_timeline");

    tcase_add_checked_fixture(tcase, HarnessSetup, HarnessTeardown);
    tcase_add_test(tcase, a_set_and_its_wait_are_joined_by_an_arrow);
    tcase_add_test(tcase, a_cores_own_arrows_lead_from_last_tick_to_last_tick);
    tcase_add_test(tcase, rows_find_their_lanes);
    tcase_add_test(tcase, a_wait_is_issued_until_it_is_drawn);
    tcase_add_test(tcase, waits_begin_after_simt_rows_of_their_pipe);
    tcase_add_test(tcase, rows_of_mark_registers_have_other_lanes_than_marks);
    tcase_add_test(tcase, marks_and_cache_misses_have_lanes_of_their_own);
    tcase_add_test(tcase, flags_between_cores_are_joined_by_any_instance);
    tcase_add_test(tcase, odd_rows_are_drawn_as_well_as_they_can_be);
    tcase_add_test(tcase, the_summary_needs_no_reader_of_the_spans);
    tcase_add_test(tcase, a_running_time_that_is_not_exact_is_absent);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(sim_timeline_suite)
