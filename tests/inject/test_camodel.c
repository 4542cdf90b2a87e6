/* SPDX-License-Identifier: Apache-2.0 */
/* Log callbacks of the injection library, with a simulator and a collector that are made up. */
#include "inject/inject.h"
#include "refchip/chip/dvc.h"
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS 4000u
#define THREADS 4u

/* ---- the simulator ---- */

static DvcCallback *callbacks[DVC_LOG_TYPES];

/* The functions have no value; what is left in the register for one may look like an error. */
#define GARBAGE 100000

static int attach_callback(uint32_t type, DvcCallback *callback)
{
    ck_assert_uint_lt(type, DVC_LOG_TYPES);
    callbacks[type] = callback;
    return GARBAGE;
}

static int set_level(uint32_t file, uint32_t screen, uint32_t flush)
{
    (void) file;
    (void) screen;
    (void) flush;
    return GARBAGE;
}

void *OriginalFind(const char *name)
{
    if (strcmp(name, "DvcAttachLogCallback") == 0) {
        return (void *) attach_callback;
    }
    return strcmp(name, "DvcSetLogLevel") == 0 ? (void *) set_level : NULL;
}

/* ---- the collector ---- */

static uint64_t last_times[2];
static uint32_t records[2];
static bool is_ordered, link_is_dead;

bool LinkSend(uint32_t type, const void *first, size_t first_size, const void *second,
              size_t second_size)
{
    const OpprofLiveLogs *logs = first;
    const uint8_t *at = second;

    ck_assert_uint_eq(type, OPPROF_LIVE_LOGS);
    ck_assert_uint_eq(first_size, sizeof *logs);
    ck_assert_uint_eq(logs->operator_id, 7);
    for (uint32_t i = 0; i < logs->count && !link_is_dead; i++) {
        OpprofLiveRecord record;

        memcpy(&record, at, sizeof record);
        ck_assert(OpprofLiveRecordIsGood(&record,
                                         second_size - (size_t) (at - (const uint8_t *) second)));
        ck_assert_uint_lt(record.core, 2);
        is_ordered = is_ordered && record.time == last_times[record.core] + 1;
        last_times[record.core] = record.time;
        records[record.core]++;
        at += OpprofLiveRecordBytes(record.first_length, record.second_length);
    }
    return !link_is_dead;
}

/* ---- tests ---- */

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static uint64_t next_time;

static void call(uint32_t core, uint64_t time)
{
    const DvcInstr instr = { .core_id = core,
                             .sub_core_id = 1,
                             .pc = 0x1000,
                             .decode = "(PC: 0x1000) SCALAR : (Binary: 0x1) ADD",
                             .execute = "X1" };

    callbacks[DVC_INSTR_POPPED_LOG](time, &instr);
}

/* A simulator hands a core's calls from thread to thread, each call after the one before. */
static void *simulate(void *argument)
{
    (void) argument;
    for (bool more = true; more;) {
        pthread_mutex_lock(&turn);
        more = next_time < RECORDS;
        if (more) {
            next_time++;
            call(0, next_time);
            call(1, next_time);
        }
        pthread_mutex_unlock(&turn);
        sched_yield();
    }
    return NULL;
}

static void setup(void)
{
    memset(last_times, 0, sizeof last_times);
    memset(records, 0, sizeof records);
    next_time = 0;
    is_ordered = true;
    link_is_dead = false;
    CamodelAttach(0);
    CamodelStart(7);
}

START_TEST(a_core_keeps_its_order_whichever_threads_call)
{
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, simulate, NULL), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    ck_assert_uint_eq(CamodelStop(7), 0);
    ck_assert_uint_eq(records[0], RECORDS);
    ck_assert_uint_eq(records[1], RECORDS);
    ck_assert(is_ordered);
}
END_TEST

START_TEST(what_cannot_be_sent_is_counted)
{
    link_is_dead = true;
    for (uint64_t time = 1; time <= 10; time++) {
        call(1, time);
    }
    ck_assert_uint_eq(CamodelStop(7), 10);
    call(1, 11); /* no operator runs: nothing is kept */
    ck_assert_uint_eq(CamodelStop(7), 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("inject/camodel");
    TCase *tests = tcase_create("camodel");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_set_timeout(tests, 1800);
    tcase_add_test(tests, a_core_keeps_its_order_whichever_threads_call);
    tcase_add_test(tests, what_cannot_be_sent_is_counted);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
