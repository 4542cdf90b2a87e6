/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of arrows and their slices come from producers that do not wait for each other. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

static const OpprofRecordType *const spans[] = { &opprof_span_type };

static const OpprofTrack cube = {
    .document = "trace", .process = "cubecore0", .thread = "CUBE", .flags = OPPROF_TRACK_APART
};
static const OpprofTrack vector = {
    .document = "trace", .process = "veccore0", .thread = "VECTOR", .flags = OPPROF_TRACK_APART
};

/* One span of an arrow from 153 to 218, whose slices begin at 150 and 200. */
typedef struct Piece {
    OpprofSpanKind kind;
    const OpprofTrack *track;
    uint64_t start;
    uint64_t duration;
    const char *id;
} Piece;

static const Piece whole[] = {
    { OPPROF_SPAN_SLICE, &cube, 150, 5, "flag>" },
    { OPPROF_SPAN_FLOW_START, &cube, 153, 0, "flag" },
    { OPPROF_SPAN_SLICE, &vector, 200, 20, ">flag" },
    { OPPROF_SPAN_FLOW_END, &vector, 218, 0, "flag" },
};

static const Piece halves[] = {
    { OPPROF_SPAN_BEGIN, &cube, 150, 0, "flag" },
    { OPPROF_SPAN_FLOW_START, &cube, 150, 0, "flag" },
    { OPPROF_SPAN_SLICE, &vector, 200, 20, ">flag" },
    { OPPROF_SPAN_FLOW_END, &vector, 218, 0, "flag" },
};

static const Piece alone[] = {
    { OPPROF_SPAN_FLOW_START, &cube, 153, 0, "flag" },
    { OPPROF_SPAN_FLOW_END, &vector, 218, 0, "flag" },
    { OPPROF_SPAN_FLOW_START, &cube, 160, 0, "other" },
    { OPPROF_SPAN_FLOW_END, &vector, 230, 0, "other" },
};

static const Piece *pieces;
static unsigned order[4];
static bool ends_partitions; /* each batch is the last one of its partition */

static OpprofText text_of(OpprofBatch *batch, const char *text)
{
    OpprofText copy;

    ck_assert_int_eq(OpprofBatchAppendText(batch, text, strlen(text), &copy), OPPROF_OK);
    return copy;
}

static void push_piece(OpprofStage *stage, const Piece *piece)
{
    const OpprofText absent = { OPPROF_NA_U32, 0 };
    const OpprofClock clock = { .name = "core", .hz = UINT64_C(1000000000) };
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
    OpprofText id;
    OpprofSpan *span;

    ck_assert_ptr_nonnull(batch);
    id = text_of(batch, piece->id);
    batch->partition = HarnessIntern(stage, piece->track->process);
    batch->clock = OpprofStageClock(stage, &clock);
    batch->watermark = ends_partitions ? UINT64_MAX : 0;
    span = OpprofBatchAppend(batch);
    ck_assert_ptr_nonnull(span);
    *span = (OpprofSpan){ .kind = (uint32_t) piece->kind,
                          .start = piece->start,
                          .duration = piece->duration,
                          .track = OpprofStageTrack(stage, piece->track),
                          .name = HarnessIntern(stage, "SET_FLAG"),
                          .category = OPPROF_NA_STRING,
                          .colour = OPPROF_NA_STRING,
                          .args = absent,
                          .id = id,
                          .group = absent };
    ck_assert_int_eq(OpprofStagePush(stage, 0, batch), OPPROF_OK);
}

static OpprofStatus produce(OpprofStage *stage, OpprofError **error)
{
    const Piece end = { OPPROF_SPAN_END, &cube, 155, 0, "flag" };

    (void) error;
    /* Both tracks are there before, so that their numbers are the same in each run. */
    OpprofStageTrack(stage, &cube);
    OpprofStageTrack(stage, &vector);
    for (unsigned i = 0; i < 4; i++) {
        push_piece(stage, &pieces[order[i]]);
    }
    if (pieces == halves) {
        push_piece(stage, &end);
    }
    return OPPROF_OK;
}

/* The trace of the pieces in this order; to be freed. */
static char *trace_of(size_t *ret_length)
{
    char *bytes, *copy;

    HarnessSetup();
    HarnessSource("source", produce, spans, 1);
    HarnessPlugin("perfetto", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    bytes = HarnessFile("trace.pftrace", ret_length);
    ck_assert_ptr_nonnull(bytes);
    copy = malloc(*ret_length);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, *ret_length);
    HarnessTeardown();
    return copy;
}

/* The next order, as in a dictionary; false after the last one. */
static bool next_order(void)
{
    unsigned i = 3, j = 3, low, high;

    while (i > 0 && order[i - 1] > order[i]) {
        i--;
    }
    if (i == 0) {
        return false;
    }
    while (order[j] < order[i - 1]) {
        j--;
    }
    low = order[i - 1];
    order[i - 1] = order[j];
    order[j] = low;
    for (high = 3; i < high; i++, high--) {
        low = order[i];
        order[i] = order[high];
        order[high] = low;
    }
    return true;
}

static void all_orders_give_the_same(const Piece *list)
{
    size_t length, other_length;
    char *trace;
    unsigned runs = 1;

    pieces = list;
    for (unsigned i = 0; i < 4; i++) {
        order[i] = i;
    }
    trace = trace_of(&length);
    while (next_order()) {
        char *other = trace_of(&other_length);

        ck_assert_msg(other_length == length && memcmp(other, trace, length) == 0,
                      "%u %u %u %u: %zu other bytes for %zu", order[0], order[1], order[2],
                      order[3], other_length, length);
        free(other);
        runs++;
    }
    ck_assert_uint_eq(runs, 24);
    free(trace);
}

START_TEST(an_end_finds_a_slice_that_comes_later)
{
    all_orders_give_the_same(whole);
}
END_TEST

START_TEST(an_end_finds_a_half_that_comes_later)
{
    all_orders_give_the_same(halves);
}
END_TEST

START_TEST(ends_without_slices_are_in_order_of_time)
{
    all_orders_give_the_same(alone);
}
END_TEST

/* A slice and the half that follows it are whole, though the section was closed in between. */
START_TEST(a_section_goes_on_after_the_end_of_its_partition)
{
    size_t length, closed_length;
    char *trace, *closed;

    pieces = halves;
    for (unsigned i = 0; i < 4; i++) {
        order[i] = i;
    }
    trace = trace_of(&length);
    ends_partitions = true;
    closed = trace_of(&closed_length);
    /* The half keeps its section open; that of the slice is closed before the arrow's end, which
     * writes nothing. */
    ck_assert_uint_eq(closed_length, length);
    ck_assert_mem_eq(closed, trace, length);
    free(trace);
    free(closed);
    pieces = alone; /* written when all sections have been closed, or never began */
    trace = trace_of(&length);
    ck_assert_uint_gt(length, 0);
    free(trace);
    ends_partitions = false;
}
END_TEST

static Suite *arrow_ends_suite(void)
{
    Suite *suite = suite_create("arrow_ends");
    TCase *tcase = tcase_create("arrow ends");

    tcase_add_test(tcase, an_end_finds_a_slice_that_comes_later);
    tcase_add_test(tcase, an_end_finds_a_half_that_comes_later);
    tcase_add_test(tcase, ends_without_slices_are_in_order_of_time);
    tcase_add_test(tcase, a_section_goes_on_after_the_end_of_its_partition);
    tcase_set_timeout(tcase, 1800);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(arrow_ends_suite)
