/* SPDX-License-Identifier: Apache-2.0 */
/* Overlap of random timelines against a bitmap, and known ones against known numbers. */
#include "plugins/analyse-trace/overlap.c"

#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <math.h>

#define TICKS 4000u /* of a timeline; a tick is a microsecond */
#define CARDS 3u

enum { IN_COMPUTATION, IN_COMMUNICATION, IN_WAITING, IN_NOTHING };

typedef struct Truth {
    uint8_t active[TICKS]; /* classes, as bits */
    unsigned first;        /* of computation and communication */
    unsigned last;
} Truth;

static Truth truths[CARDS];
static unsigned seed;
static unsigned span_count;
static unsigned rows_seen;
static unsigned late_rows;
static double last_value;
static uint64_t area[4]; /* ticks that the curve had each value */
static uint64_t last_tick;

static const char *const categories[] = { "computation", "communication", "waiting", "something" };

static void mark_truth(Truth *truth, unsigned class, unsigned start, unsigned end)
{
    for (unsigned at = start; at < end; at++) {
        truth->active[at] |= (uint8_t) (1u << class);
    }
    if (class < IN_WAITING) {
        truth->first = start < truth->first ? start : truth->first;
        truth->last = end > truth->last ? end : truth->last;
    }
}

static OpprofStatus put_span(OpprofStage *stage, OpprofBatch *batch, unsigned card, unsigned class,
                             unsigned start, unsigned end)
{
    char name[16];
    snprintf(name, sizeof name, "card%u", card);
    const OpprofTrack track = { .document = name,
                                .process = "7",
                                .thread = categories[class],
                                .process_sort = -1,
                                .thread_sort = -1 };
    OpprofSpan *span = OpprofBatchAppend(batch);
    ck_assert_ptr_nonnull(span);
    *span = (OpprofSpan){ .start = start,
                          .duration = end - start,
                          .track = OpprofStageTrack(stage, &track),
                          .kind = OPPROF_SPAN_SLICE,
                          .name = HarnessIntern(stage, categories[class]),
                          .category = HarnessIntern(stage, categories[class]),
                          .args = { OPPROF_NA_U32, 0 },
                          .id = { OPPROF_NA_U32, 0 },
                          .group = { OPPROF_NA_U32, 0 } };
    return OPPROF_OK;
}

static OpprofStatus produce_card(OpprofStage *stage, unsigned card)
{
    static const OpprofClock clock = { .name = "us", .hz = 1000000 };
    char name[16];
    OpprofStatus status = OPPROF_OK;
    Truth *truth = &truths[card];

    memset(truth, 0, sizeof *truth);
    truth->first = TICKS;
    snprintf(name, sizeof name, "card%u", card);
    for (unsigned done = 0; status == OPPROF_OK && done < span_count;) {
        OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
        ck_assert_ptr_nonnull(batch);
        batch->partition = HarnessIntern(stage, name);
        batch->clock = OpprofStageClock(stage, &clock);
        for (unsigned i = 0; i < 16 && done < span_count; i++, done++) {
            const unsigned class = (unsigned) rand() % 4;
            const unsigned start = (unsigned) rand() % (TICKS - 200);
            const unsigned end = start + (unsigned) rand() % 60;
            put_span(stage, batch, card, class, start, end);
            mark_truth(truth, class, start, end);
        }
        status = OpprofStagePush(stage, 0, batch);
    }
    return status;
}

static OpprofStatus produce(OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    (void) error;
    srand(seed);
    for (unsigned card = 0; status == OPPROF_OK && card < CARDS; card++) {
        status = produce_card(stage, card);
    }
    return status;
}

static unsigned count(const Truth *truth, unsigned mask, unsigned wanted, unsigned from,
                      unsigned to)
{
    unsigned sum = 0;

    for (unsigned at = from; at < to; at++) {
        sum += (truth->active[at] & mask) == wanted;
    }
    return sum;
}

static bool some_card_waits(void)
{
    unsigned waiting = 0;

    for (unsigned card = 0; card < CARDS; card++) {
        waiting += count(&truths[card], 4, 4, 0, TICKS);
    }
    return waiting > 0;
}

static void look_at_cards(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const CardRow *row = OpprofBatchRecord(batch, i);
        const char *name = OpprofStageString(stage, row->card);
        const Truth *truth = &truths[name[4] - '0'];
        const unsigned last = truth->last;
        const unsigned first = truth->first < last ? truth->first : last;
        ck_assert_double_eq(row->span_us, last - first);
        ck_assert_double_eq(row->computation_us, count(truth, 3, 1, first, last));
        ck_assert_double_eq(row->communication_us, count(truth, 3, 2, first, last));
        ck_assert_double_eq(row->overlapped_us, count(truth, 3, 3, first, last));
        ck_assert_double_eq(row->idle_us, count(truth, 3, 0, first, last));
        if (some_card_waits()) {
            ck_assert_double_eq(row->waiting_us, count(truth, 4, 4, 0, TICKS));
        } else { /* nothing shows who was late */
            ck_assert(isnan(row->waiting_us));
            ck_assert_uint_eq(row->is_late, OPPROF_NA_U32);
        }
        ck_assert_double_eq(row->span_us, row->computation_us + row->communication_us +
                                              row->overlapped_us + row->idle_us);
        late_rows += row->is_late == 1;
        rows_seen++;
    }
}

/* The older table of the same module says the same. */
static void look_at_overlap(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const OverlapRow *row = OpprofBatchRecord(batch, i);
        const Truth *truth = &truths[OpprofStageString(stage, row->rank)[4] - '0'];
        ck_assert_double_eq(row->overlap_us, count(truth, 3, 3, 0, TICKS));
        ck_assert_double_eq(row->communication_us, count(truth, 2, 2, 0, TICKS));
    }
}

static void look_at_curves(const OpprofStage *stage, const OpprofBatch *batch)
{
    if (strcmp(OpprofStageString(stage, batch->partition), "card0") != 0) {
        return;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofCounter *sample = OpprofBatchRecord(batch, i);
        ck_assert_uint_ge(sample->time, last_tick);
        area[(unsigned) last_value] += sample->time - last_tick;
        last_tick = sample->time;
        last_value = sample->value;
    }
}

static void run(unsigned from, unsigned spans)
{
    static const OpprofRecordType *const types[] = { &opprof_span_type };

    seed = from;
    span_count = spans;
    rows_seen = 0;
    last_tick = 0;
    last_value = 0;
    memset(area, 0, sizeof area);
    HarnessSource("source", produce, types, 1);
    HarnessPlugin("overlap", &opprof_plugin_v0, "{\"curve\": true}");
    HarnessSink("cards", look_at_cards, "overlap.cards");
    HarnessSink("table", look_at_overlap, "trace.comm-overlap");
    HarnessSink("curves", look_at_curves, "counter");
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(rows_seen, CARDS);
    ck_assert_uint_eq(area[1], count(&truths[0], 3, 1, 0, TICKS));
    ck_assert_uint_eq(area[2], count(&truths[0], 3, 2, 0, TICKS));
    ck_assert_uint_eq(area[3], count(&truths[0], 3, 3, 0, TICKS));
}

START_TEST(random_timelines_equal_a_bitmap)
{
    static const unsigned sizes[] = { 1, 5, 40, 300, 2000 };

    run((unsigned) _i + 1, sizes[_i % 5]);
}
END_TEST

/* ---- known waits ---- */

static bool has_waits;

static OpprofStatus produce_waits(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    for (unsigned card = 0; card < 2; card++) {
        OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
        ck_assert_ptr_nonnull(batch);
        batch->partition = HarnessIntern(stage, card == 0 ? "card0/trace" : "card1/trace");
        put_span(stage, batch, card, IN_COMPUTATION, 0, 600000);
        put_span(stage, batch, card, IN_COMMUNICATION, 600000, 1000000);
        if (card == 0 && has_waits) { /* card 1 does not wait: card 0 waits for it */
            put_span(stage, batch, card, IN_WAITING, 1000, 301000);
            put_span(stage, batch, card, IN_WAITING, 1000, 301000); /* the same in another lane */
            put_span(stage, batch, card, IN_WAITING, 400000, 450000);
        }
        const OpprofStatus status = OpprofStagePush(stage, 0, batch);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return OPPROF_OK;
}

static unsigned waits_seen;

static void look_at_waits(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const WaitRow *row = OpprofBatchRecord(batch, i);
        ck_assert_str_eq(OpprofStageString(stage, row->card), "card0");
        ck_assert_double_eq(row->duration_us, waits_seen == 0 ? 300 : 50);
        ck_assert_uint_eq(row->peer, OPPROF_NA_U32);
        waits_seen++;
    }
}

static void look_at_late(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const CardRow *row = OpprofBatchRecord(batch, i);
        const bool is_first = strcmp(OpprofStageString(stage, row->card), "card0") == 0;
        ck_assert_uint_eq(row->is_late, !is_first);
        ck_assert_double_eq(row->waiting_us, is_first ? 350 : 0);
        rows_seen++;
    }
}

START_TEST(the_longest_waits_and_the_card_they_are_for)
{
    static const OpprofRecordType *const types[] = { &opprof_span_type };

    rows_seen = 0;
    waits_seen = 0;
    has_waits = true;
    HarnessSource("source", produce_waits, types, 1);
    HarnessPlugin("overlap", &opprof_plugin_v0, NULL);
    HarnessSink("waits", look_at_waits, "overlap.waits");
    HarnessSink("cards", look_at_late, "overlap.cards");
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(waits_seen, 2);
    ck_assert_uint_eq(rows_seen, 2);
}
END_TEST

static void look_at_unknown(const OpprofStage *stage, const OpprofBatch *batch)
{
    (void) stage;
    for (uint32_t i = 0; i < batch->count; i++) {
        const CardRow *row = OpprofBatchRecord(batch, i);

        ck_assert_uint_eq(row->is_late, OPPROF_NA_U32);
        ck_assert(OpprofIsNaF64(row->waiting_us));
    }
}

START_TEST(what_no_card_shows_is_unknown_not_zero)
{
    static const OpprofRecordType *const types[] = { &opprof_span_type };

    has_waits = false;
    HarnessSource("source", produce_waits, types, 1);
    HarnessPlugin("overlap", &opprof_plugin_v0, NULL);
    HarnessSink("cards", look_at_unknown, "overlap.cards");
    HarnessRun(OPPROF_RUN_COMPLETE);
}
END_TEST

static Suite *overlap_suite(void)
{
    Suite *suite = suite_create("overlap");
    TCase *tests = tcase_create("overlap");

    tcase_add_checked_fixture(tests, HarnessSetup, HarnessTeardown);
    tcase_add_loop_test(tests, random_timelines_equal_a_bitmap, 0, 40);
    tcase_add_test(tests, the_longest_waits_and_the_card_they_are_for);
    tcase_add_test(tests, what_no_card_shows_is_unknown_not_zero);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(overlap_suite)
