/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/stream/tracks.c. */
#include "stream/tracks.h"

#include "tests/core/base/failing_alloc.h"
#include "tests/core/suites.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define TRACKS 5000

static OpprofTrack a_track(void)
{
    return (OpprofTrack){ .document = "trace",
                          .process = "core0",
                          .process_name = "Core 0",
                          .thread = "MTE1",
                          .thread_name = "Mover",
                          .process_sort = 3,
                          .thread_sort = -1,
                          .flags = OPPROF_TRACK_NUMERIC_PROCESS };
}

START_TEST(a_track_comes_back_as_declared)
{
    TrackTable *table = TrackTableCreate();
    char thread[] = "MTE1";
    OpprofTrack track = a_track();

    track.thread = thread;
    const uint32_t id = TrackTableDeclare(table, &track);
    memset(thread, '?', 4); /* it was copied */
    const OpprofTrack *kept = TrackTableGet(table, id);
    ck_assert_str_eq(kept->document, "trace");
    ck_assert_str_eq(kept->process, "core0");
    ck_assert_str_eq(kept->process_name, "Core 0");
    ck_assert_str_eq(kept->thread, "MTE1");
    ck_assert_str_eq(kept->thread_name, "Mover");
    ck_assert_int_eq(kept->process_sort, 3);
    ck_assert_int_eq(kept->thread_sort, -1);
    ck_assert_uint_eq(kept->flags, OPPROF_TRACK_NUMERIC_PROCESS);
    TableDestroy(table);
}
END_TEST

START_TEST(tracks_are_equal_by_document_process_and_thread)
{
    TrackTable *table = TrackTableCreate();
    OpprofTrack track = a_track();

    const uint32_t id = TrackTableDeclare(table, &track);
    track.process_name = "Another name";
    track.thread_name = NULL;
    track.thread_sort = 9;
    track.flags = 0;
    ck_assert_uint_eq(TrackTableDeclare(table, &track), id);
    ck_assert_str_eq(TrackTableGet(table, id)->process_name, "Core 0"); /* the first counts */
    track.document = "core0/trace";
    const uint32_t other_document = TrackTableDeclare(table, &track);
    track.process = "core1";
    const uint32_t other_process = TrackTableDeclare(table, &track);
    track.thread = "MTE2";
    const uint32_t other_thread = TrackTableDeclare(table, &track);
    track.thread = NULL;
    const uint32_t no_thread = TrackTableDeclare(table, &track);
    track.thread = "";
    const uint32_t empty_thread = TrackTableDeclare(table, &track);
    const uint32_t all[] = { id,           other_document, other_process,
                             other_thread, no_thread,      empty_thread };
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(all[i], i); /* all different, counted from 0 */
    }
    ck_assert_ptr_null(TrackTableGet(table, no_thread)->thread);
    ck_assert_str_eq(TrackTableGet(table, empty_thread)->thread, "");
    TableDestroy(table);
}
END_TEST

START_TEST(texts_do_not_run_into_each_other)
{
    TrackTable *table = TrackTableCreate();
    OpprofTrack a = { .document = "ab", .process = "c", .thread = "d" };
    OpprofTrack b = { .document = "a", .process = "bc", .thread = "d" };
    OpprofTrack c = { .document = "a", .process = "b", .thread = "cd" };

    ck_assert_uint_eq(TrackTableDeclare(table, &a), 0);
    ck_assert_uint_eq(TrackTableDeclare(table, &b), 1);
    ck_assert_uint_eq(TrackTableDeclare(table, &c), 2);
    TableDestroy(table);
}
END_TEST

START_TEST(unknown_ids_have_no_track_and_no_clock)
{
    TrackTable *tracks = TrackTableCreate();
    ClockTable *clocks = ClockTableCreate();

    ck_assert_ptr_null(TrackTableGet(tracks, 0));
    ck_assert_ptr_null(TrackTableGet(tracks, OPPROF_NA_U32));
    ck_assert_ptr_null(ClockTableGet(clocks, 0));
    ck_assert_ptr_null(ClockTableGet(clocks, 1));
    ck_assert_ptr_null(ClockTableGet(clocks, UINT32_MAX));
    TableDestroy(tracks);
    TableDestroy(clocks);
    TableDestroy(NULL);
    TableDestroy(NULL);
}
END_TEST

START_TEST(clocks_are_equal_by_all_they_have)
{
    ClockTable *table = ClockTableCreate();
    char name[] = "core";
    const OpprofClock clocks[] = { { .name = name, .hz = 1850000000, .offset_ps = 0 },
                                   { .name = "counter", .hz = 1850000000, .offset_ps = 0 },
                                   { .name = "core", .hz = 1650000000, .offset_ps = 0 },
                                   { .name = "core", .hz = 1850000000, .offset_ps = 1 } };

    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(ClockTableDeclare(table, &clocks[i]), i + 1);
    }
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(ClockTableDeclare(table, &clocks[i]), i + 1);
    }
    name[0] = '?'; /* it was copied */
    ck_assert_str_eq(ClockTableGet(table, 1)->name, "core");
    ck_assert_uint_eq(ClockTableGet(table, 3)->hz, 1650000000);
    ck_assert_int_eq(ClockTableGet(table, 4)->offset_ps, 1);
    ck_assert_uint_eq(ClockTableDeclare(table, &(OpprofClock){ .name = "stopped" }), 0);
    TableDestroy(table);
}
END_TEST

typedef struct Worker {
    TrackTable *tracks;
    ClockTable *clocks;
    unsigned step;
    uint32_t ids[TRACKS];
    bool good;
} Worker;

static void *declare_all(void *context)
{
    Worker *worker = context;
    char process[32];

    worker->good = true;
    for (unsigned i = 0; i < TRACKS; i++) {
        const unsigned number = i * worker->step % TRACKS;
        snprintf(process, sizeof process, "core%u", number);
        const OpprofTrack track = { .document = "trace", .process = process };
        const OpprofClock clock = { .name = process, .hz = number % 100 + 1 };
        const uint32_t id = TrackTableDeclare(worker->tracks, &track);
        const uint32_t clock_id = ClockTableDeclare(worker->clocks, &clock);
        const OpprofTrack *kept = TrackTableGet(worker->tracks, id);
        const OpprofClock *kept_clock = ClockTableGet(worker->clocks, clock_id);
        worker->ids[number] = id;
        worker->good = worker->good && kept != NULL && strcmp(kept->process, process) == 0 &&
                       kept_clock != NULL && strcmp(kept_clock->name, process) == 0;
    }
    return NULL;
}

START_TEST(threads_agree_about_ids)
{
    static Worker workers[THREADS];
    static const unsigned steps[THREADS] = { 1, 3, 4999, 2501 }; /* prime to TRACKS */
    pthread_t threads[THREADS];
    TrackTable *tracks = TrackTableCreate();
    ClockTable *clocks = ClockTableCreate();

    for (int i = 0; i < THREADS; i++) {
        workers[i].tracks = tracks;
        workers[i].clocks = clocks;
        workers[i].step = steps[i];
        ck_assert_int_eq(pthread_create(&threads[i], NULL, declare_all, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert(workers[i].good);
        ck_assert_int_eq(memcmp(workers[i].ids, workers[0].ids, sizeof workers[0].ids), 0);
    }
    ck_assert_ptr_null(TrackTableGet(tracks, TRACKS));
    TableDestroy(tracks);
    TableDestroy(clocks);
}
END_TEST

START_TEST(there_is_an_end_to_tracks)
{
    TrackTable *table = TrackTableCreate();
    uint32_t declared = 0;
    char process[32];

    for (; declared < 2000000; declared++) {
        snprintf(process, sizeof process, "%u", declared);
        const OpprofTrack track = { .document = "trace", .process = process };
        if (TrackTableDeclare(table, &track) == OPPROF_NA_U32) {
            break;
        }
    }
    ck_assert_uint_eq(declared, 1u << 20);
    TableDestroy(table);
}
END_TEST

START_TEST(every_failing_allocation_is_survived)
{
    const OpprofTrack track = { .document = "trace", .process = "0" };
    const OpprofClock clock = { .name = "core", .hz = 1 };

    for (long n = 1;; n++) {
        fail_allocation(n);
        TrackTable *tracks = TrackTableCreate();
        ClockTable *clocks = ClockTableCreate();
        const uint32_t id = tracks == NULL ? OPPROF_NA_U32 : TrackTableDeclare(tracks, &track);
        const uint32_t clock_id = clocks == NULL ? 0 : ClockTableDeclare(clocks, &clock);
        const bool failed = has_failed_allocation();
        ck_assert_int_eq(failed, id == OPPROF_NA_U32 || clock_id == 0);
        if (tracks != NULL) { /* what failed works later */
            ck_assert_uint_eq(TrackTableDeclare(tracks, &track), 0);
        }
        if (clocks != NULL) {
            ck_assert_uint_eq(ClockTableDeclare(clocks, &clock), 1);
        }
        TableDestroy(tracks);
        TableDestroy(clocks);
        if (!failed) {
            ck_assert_int_eq(n, 11); /* each: table, index, slots, copy, chunk */
            break;
        }
    }
}
END_TEST

static Suite *tracks_suite(void)
{
    Suite *suite = suite_create("tracks");
    TCase *tests = tcase_create("tracks");

    tcase_add_test(tests, a_track_comes_back_as_declared);
    tcase_add_test(tests, tracks_are_equal_by_document_process_and_thread);
    tcase_add_test(tests, texts_do_not_run_into_each_other);
    tcase_add_test(tests, unknown_ids_have_no_track_and_no_clock);
    tcase_add_test(tests, clocks_are_equal_by_all_they_have);
    tcase_add_test(tests, threads_agree_about_ids);
    tcase_add_test(tests, there_is_an_end_to_tracks);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(tracks_suite)
