/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of waking the main thread. */
#include "run/wake.h"

#include "tests/core/suites.h"

#include <check.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define LONG_MS 60000 /* nobody waits for it */

/* Whether the descriptor has something to read. */
static bool is_ringing(const Wake *wake)
{
    struct pollfd ring = { .fd = wake->fd, .events = POLLIN };

    return poll(&ring, 1, 0) > 0;
}

START_TEST(many_rings_end_one_sleep_and_none_is_written_for_one_awake)
{
    Wake wake;

    ck_assert(WakeInit(&wake));
    WakeRing(&wake);
    WakeRing(&wake);
    WakeRing(&wake);
    ck_assert(!is_ringing(&wake));
    WakeSleep(&wake, LONG_MS);
    ck_assert_uint_eq(atomic_load(&wake.rings), 0);
    WakeSleep(&wake, 0);
    ck_assert(!is_ringing(&wake));
    WakeFinish(&wake);
    WakeFinish(&wake);
}
END_TEST

START_TEST(a_ring_to_one_asleep_is_written_once)
{
    Wake wake;
    uint64_t count = 0;

    ck_assert(WakeInit(&wake));
    atomic_store(&wake.is_asleep, true);
    WakeRing(&wake);
    WakeRing(&wake);
    ck_assert_int_eq(read(wake.fd, &count, sizeof count), sizeof count);
    ck_assert_uint_eq(count, 1);
    WakeFinish(&wake);
}
END_TEST

#define ROUNDS 20000u

static struct {
    Wake wake;
    _Atomic uint32_t done;
    _Atomic uint32_t seen;
} shared;

/* Stores, then rings, and goes on only once that was seen. */
static void *ring_often(void *unused)
{
    (void) unused;
    for (uint32_t i = 1; i <= ROUNDS; i++) {
        atomic_store_explicit(&shared.done, i, memory_order_relaxed);
        WakeRing(&shared.wake);
        if (i % 3 == 0) {
            while (atomic_load(&shared.seen) < i) {
                sched_yield();
            }
        }
    }
    return NULL;
}

/* A ring that is lost would end only after LONG_MS. */
START_TEST(no_ring_is_lost)
{
    pthread_t thread;

    ck_assert(WakeInit(&shared.wake));
    ck_assert_int_eq(pthread_create(&thread, NULL, ring_often, NULL), 0);
    while (atomic_load(&shared.seen) < ROUNDS) {
        WakeSleep(&shared.wake, LONG_MS);
        atomic_store(&shared.seen, atomic_load_explicit(&shared.done, memory_order_relaxed));
    }
    pthread_join(thread, NULL);
    WakeFinish(&shared.wake);
}
END_TEST

static Suite *wake_suite(void)
{
    Suite *suite = suite_create("wake");
    TCase *tcase = tcase_create("wake");

    tcase_add_test(tcase, many_rings_end_one_sleep_and_none_is_written_for_one_awake);
    tcase_add_test(tcase, a_ring_to_one_asleep_is_written_once);
    tcase_add_test(tcase, no_ring_is_lost);
    tcase_set_timeout(tcase, 50);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(wake_suite)
