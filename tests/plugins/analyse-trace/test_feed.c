/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of plugins/analyse-trace/common/feed.c: when ranks end, their state goes, and what comes
 * after that is a part of its own.
 */
#include "plugins/analyse-trace/common/feed.h"
#include "plugins/analyse-trace/common/rank_rows.h"

#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* An analysis that counts the work of each rank. */
typedef struct Counter {
    Feed feed; /* first: see FeedCreate */
} Counter;

typedef struct CountRow {
    uint32_t rank;
    uint32_t count;
} CountRow;

static const OpprofField count_fields[] = {
    OPPROF_FIELD(CountRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Rank."),
    OPPROF_FIELD(CountRow, count, OPPROF_FIELD_U32, .unit = "1", .meaning = "Work."),
};

static const OpprofRecordType count_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "test.counts",
    .summary = "Work of ranks.",
    .size = sizeof(CountRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = count_fields,
    .field_count = OPPROF_COUNT(count_fields),
    .title = "Counts",
    .file_hint = "counts",
};

static unsigned states_alive;
static unsigned most_states;

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    uint32_t *count = rank->state;

    (void) context;
    (void) activity;
    states_alive += *count == 0;
    most_states = states_alive > most_states ? states_alive : most_states;
    ++*count;
    return OPPROF_OK;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Counter *self = context;
    const CountRow row = { .rank = rank->name, .count = *(const uint32_t *) rank->state };

    return FeedHand(&self->feed, 0, rank, &row);
}

static void free_state(void *state)
{
    states_alive -= *(const uint32_t *) state > 0;
}

static const FeedPart parts[] = { { .size = sizeof(CountRow), .table = 0 } };

static const FeedOps feed_ops = { .size = sizeof(Counter),
                                  .state_size = sizeof(uint32_t),
                                  .take = take,
                                  .end_rank = end_rank,
                                  .free_state = free_state,
                                  .parts = parts,
                                  .part_count = OPPROF_COUNT(parts),
                                  .first_part = 1 };

#define PARTIALS FEED_ROWS("counts-partial", "test.counts", count_type)
static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };
static const OpprofPort outputs[] = {
    { .name = "counts", .record_type = &count_type, .summary = "A row a rank." },
    PARTIALS,
};
static const OpprofParam params[] = { FEED_PARAMS };
FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "count", .summary = "Counts work.");

/* A batch: so many spans of a rank, and whether it is the rank's last. */
typedef struct Piece {
    const char *rank;
    unsigned count;
    bool is_last;
} Piece;

static const Piece *pieces;

static OpprofStatus push_piece(OpprofStage *stage, const Piece *piece)
{
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);

    ck_assert_ptr_nonnull(batch);
    batch->partition = HarnessIntern(stage, piece->rank);
    batch->watermark = piece->is_last ? UINT64_MAX : 0;
    for (unsigned i = 0; i < piece->count; i++) {
        const OpprofTrack track = { .document = piece->rank, .process = "0", .thread = "7" };
        OpprofSpan *span = OpprofBatchAppend(batch);

        ck_assert_ptr_nonnull(span);
        *span = (OpprofSpan){ .start = i,
                              .duration = 1,
                              .track = OpprofStageTrack(stage, &track),
                              .kind = OPPROF_SPAN_SLICE,
                              .name = HarnessIntern(stage, "work"),
                              .category = HarnessIntern(stage, "computation"),
                              .args = { OPPROF_NA_U32, 0 },
                              .id = { OPPROF_NA_U32, 0 },
                              .group = { OPPROF_NA_U32, 0 } };
    }
    return OpprofStagePush(stage, 0, batch);
}

static OpprofStatus produce(OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    (void) error;
    for (const Piece *piece = pieces; status == OPPROF_OK && piece->rank != NULL; piece++) {
        status = push_piece(stage, piece);
    }
    return status;
}

static char seen[256]; /* "rank:count " a row */

static void note_rows(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const CountRow *row = OpprofBatchRecord(batch, i);
        const size_t used = strlen(seen);

        snprintf(seen + used, sizeof seen - used, "%s:%u ", OpprofStageString(stage, row->rank),
                 row->count);
    }
}

static void run(const Piece *list)
{
    static const OpprofRecordType *const types[] = { &opprof_span_type };

    pieces = list;
    seen[0] = '\0';
    states_alive = most_states = 0;
    HarnessSource("source", produce, types, 1);
    HarnessPlugin("count", &opprof_plugin_v0, NULL);
    HarnessSink("counts", note_rows, "test.counts");
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(states_alive, 0);
}

START_TEST(ranks_that_follow_one_another_are_never_there_together)
{
    static const Piece list[] = { { "10", 3, false }, { "10", 4, true }, { "2", 1, true },
                                  { "1", 0, false },  { "1", 5, false }, { "1", 0, true },
                                  { NULL, 0, false } };

    run(list);
    ck_assert_str_eq(seen, "1:5 2:1 10:7 ");
    ck_assert_uint_eq(most_states, 1);
}
END_TEST

START_TEST(ranks_without_an_end_end_with_the_run)
{
    static const Piece list[] = { { "0", 3, false },
                                  { "1", 4, false },
                                  { "0", 1, false },
                                  { "1", 1, false },
                                  { NULL, 0, false } };

    run(list);
    ck_assert_str_eq(seen, "0:4 1:5 ");
}
END_TEST

START_TEST(an_empty_batch_after_the_end_of_a_rank_adds_nothing)
{
    static const Piece list[] = {
        { "0", 3, true }, { "0", 0, false }, { "1", 1, true }, { "0", 0, true }, { NULL, 0, false }
    };

    run(list);
    ck_assert_str_eq(seen, "0:3 1:1 ");
}
END_TEST

START_TEST(a_rank_that_goes_on_after_its_end_has_a_row_for_each_part)
{
    static const Piece list[] = { { "0", 3, true }, { "1", 2, true },  { "0", 1, false },
                                  { "0", 1, true }, { "0", 7, false }, { NULL, 0, false } };

    run(list);
    ck_assert_str_eq(seen, "0:3 0:2 0:7 1:2 ");
    ck_assert_uint_eq(most_states, 1);
}
END_TEST

static Suite *feed_suite(void)
{
    Suite *suite = suite_create("feed");
    TCase *tests = tcase_create("feed");

    tcase_add_checked_fixture(tests, HarnessSetup, HarnessTeardown);
    tcase_add_test(tests, ranks_that_follow_one_another_are_never_there_together);
    tcase_add_test(tests, ranks_without_an_end_end_with_the_run);
    tcase_add_test(tests, an_empty_batch_after_the_end_of_a_rank_adds_nothing);
    tcase_add_test(tests, a_rank_that_goes_on_after_its_end_has_a_row_for_each_part);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(feed_suite)
