/* SPDX-License-Identifier: Apache-2.0 */
/* Issued instructions come out in issue order, whatever order they come in. */
#include "plugins/collect-sim/pairing/issues.h"

#include "tests/core/suites.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

typedef struct Seen {
    uint64_t start;
    uint64_t sequence;
    uint64_t sum; /* of sequences */
    uint32_t count;
} Seen;

static OpprofStatus take(void *context, const SlotPool *pool, const Slot *slot, OpprofError **error)
{
    Seen *seen = context;

    (void) error;
    ck_assert(seen->count == 0 || slot->start > seen->start ||
              (slot->start == seen->start && slot->sequence > seen->sequence));
    ck_assert_uint_eq(slot->length, 2 + slot->sequence % 3);
    ck_assert_mem_eq(pool->texts + slot->text, "abcde", slot->length);
    seen->start = slot->start;
    seen->sequence = slot->sequence;
    seen->sum += slot->sequence;
    seen->count++;
    return OPPROF_OK;
}

static void add(IssueQueue *queue, uint64_t start, uint64_t sequence)
{
    char text[80] = "a b c d e"; /* blanks go, and 64 bytes after are readable */
    const Slot slot = { .start = start,
                        .sequence = sequence,
                        .length = (uint32_t) (2 + sequence % 3) * 2 };

    ck_assert(IssueQueueAdd(queue, &slot, text));
}

/* Starts go up on the whole and back by less than `disorder`. */
START_TEST(records_come_by_start_and_place)
{
    const uint64_t disorder = (uint64_t[]){ 1, 2, 50, 100000 }[_i % 4];
    uint32_t seed = (uint32_t) _i + 1;
    Seen seen = { .count = 0 };
    IssueQueue queue;
    uint64_t dropped = 0, sum = 0;

    IssueQueueInit(&queue);
    for (uint64_t i = 0; i < 5000; i++) {
        seed = seed * 1103515245u + 12345u;
        add(&queue, i / 3 + (seed >> 8) % disorder, i);
        sum += i;
        if (i % 97 == 5) {
            ck_assert(IssueQueueDrop(&queue, i));
            dropped++;
            sum -= i;
        }
        if (i % 100 == 99) {
            ck_assert_int_eq(IssueQueueEmit(&queue, i / 3, SIZE_MAX, take, &seen, NULL), OPPROF_OK);
        }
    }
    ck_assert_int_eq(IssueQueueEmit(&queue, UINT64_MAX, 0, take, &seen, NULL), OPPROF_OK);
    ck_assert_uint_eq(seen.count, 5000 - dropped);
    ck_assert_uint_eq(seen.sum, sum);
    ck_assert_uint_eq(IssueQueueCount(&queue), 0);
    ck_assert_uint_eq(queue.dropped.count, 0);
    IssueQueueFinish(&queue);
}
END_TEST

START_TEST(too_many_come_out_before_their_turn)
{
    Seen seen = { .count = 0 };
    IssueQueue queue;

    IssueQueueInit(&queue);
    for (uint64_t i = 0; i < 1000; i++) {
        add(&queue, 1000 + i, i);
    }
    ck_assert_int_eq(IssueQueueEmit(&queue, 0, 400, take, &seen, NULL), OPPROF_OK);
    ck_assert_uint_eq(seen.count, 600);
    IssueQueueFinish(&queue);
}
END_TEST

static Suite *issues_suite(void)
{
    Suite *suite = suite_create("issues");
    TCase *tests = tcase_create("issues");

    tcase_add_loop_test(tests, records_come_by_start_and_place, 0, 8);
    tcase_add_test(tests, too_many_come_out_before_their_turn);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(issues_suite)
