/* SPDX-License-Identifier: Apache-2.0 */
/* Iterations: the sweep against counting each nanosecond, and the table of the pipeline. */
#include "plugins/analyse-trace/common/step_parts.h"
#include "results.h"

#include "tests/core/suites.h"

#include <check.h>
#include <opprof/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOMENTS 600u
#define WORKS 40u
#define THRESHOLD 7u

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static int compare_works(const void *a, const void *b)
{
    const StepWork *left = a;
    const StepWork *right = b;

    return (left->start_ns > right->start_ns) - (left->start_ns < right->start_ns);
}

static void make_works(StepWork works[WORKS], uint64_t *state)
{
    for (unsigned i = 0; i < WORKS; i++) {
        const uint64_t start = next_random(state) % (MOMENTS - 30);

        works[i] = (StepWork){ .class = (ActivityClass) (next_random(state) % ACTIVITY_CLASSES),
                               .start_ns = start,
                               .end_ns = start + next_random(state) % 20,
                               .launch_ns = next_random(state) % 3 == 0
                                                ? OPPROF_NA_U64
                                                : start - next_random(state) % (start + 1) };
    }
    qsort(works, WORKS, sizeof *works, compare_works);
}

/* What the device does in the nanosecond from `at` on, by looking at all work. */
static StepPart part_at(const StepWork works[WORKS], uint64_t at, bool *communicates)
{
    bool active[ACTIVITY_CLASSES] = { false };
    uint64_t busy_until = 0;
    const StepWork *next = NULL;
    bool has_work = false;

    for (unsigned i = 0; i < WORKS; i++) {
        if (works[i].start_ns <= at) {
            has_work = true;
            busy_until = works[i].end_ns > busy_until ? works[i].end_ns : busy_until;
            active[works[i].class] |= works[i].end_ns > at;
        } else if (next == NULL) {
            next = &works[i];
        }
    }
    *communicates = active[ACTIVITY_COMMUNICATION];
    if (active[ACTIVITY_COMPUTATION]) {
        return STEP_COMPUTE;
    }
    if (active[ACTIVITY_COMMUNICATION]) {
        return STEP_COMMUNICATION;
    }
    if (active[ACTIVITY_MEMORY] || active[ACTIVITY_OTHER]) {
        return STEP_COPY;
    }
    if (next == NULL) {
        return STEP_OTHER_WAIT;
    }
    if (next->launch_ns != OPPROF_NA_U64 && (!has_work || next->launch_ns > busy_until)) {
        return STEP_HOST_WAIT;
    }
    return has_work && next->start_ns - busy_until < THRESHOLD ? STEP_KERNEL_WAIT : STEP_OTHER_WAIT;
}

/* Iterations of 90 ns with gaps of 10. */
static StepSweep sweep_over(const StepWork works[WORKS])
{
    StepSweep sweep = { .steps = NULL };
    unsigned work = 0;

    for (uint64_t start = 0; start < MOMENTS; start += 100) {
        while (work < WORKS && works[work].start_ns < start) {
            StepSweepWork(&sweep, &works[work++], THRESHOLD);
        }
        ck_assert(StepSweepStep(&sweep, (uint32_t) start, start, start + 90));
    }
    while (work < WORKS) {
        StepSweepWork(&sweep, &works[work++], THRESHOLD);
    }
    StepSweepEnd(&sweep);
    return sweep;
}

START_TEST(parts_of_random_work_equal_counting_and_add_up)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15);
        StepWork works[WORKS];
        StepSweep sweep;

        make_works(works, &state);
        sweep = sweep_over(works);
        for (uint32_t i = 0; i < sweep.count; i++) {
            const StepTime *step = &sweep.steps[i];
            uint64_t counted[STEP_PARTS] = { 0 };
            uint64_t communication = 0;
            uint64_t sum = 0;

            for (uint64_t at = step->start_ns; at < step->end_ns; at++) {
                bool communicates;

                counted[part_at(works, at, &communicates)]++;
                communication += communicates;
            }
            for (int part = 0; part < STEP_PARTS; part++) {
                ck_assert_uint_eq(step->parts_ns[part], counted[part]);
                sum += step->parts_ns[part];
            }
            ck_assert_uint_eq(step->communication_ns, communication);
            ck_assert_uint_eq(sum, 90);
        }
        StepSweepFree(&sweep);
    }
}
END_TEST

/* The piece that the nanosecond from `at` on belongs to, by its part; short stretches of nothing to
 * the part before them. */
static StepPart piece_at(const StepWork works[WORKS], uint64_t at)
{
    bool communicates;
    const StepPart part = part_at(works, at, &communicates);
    uint64_t from = at;
    uint64_t to = at + 1;

    if (part < STEP_HOST_WAIT) {
        return part;
    }
    while (part_at(works, from - 1, &communicates) >= STEP_HOST_WAIT) {
        from--;
    }
    while (to < MOMENTS && part_at(works, to, &communicates) >= STEP_HOST_WAIT) {
        to++;
    }
    return to - from < THRESHOLD ? part_at(works, from - 1, &communicates) : part;
}

START_TEST(pieces_of_random_work_equal_counting)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15);
        StepPieces pieces = { .list = NULL };
        StepSweep sweep = { .pieces = &pieces };
        StepWork works[WORKS];
        uint64_t at;

        make_works(works, &state);
        for (unsigned i = 0; i < WORKS; i++) {
            works[i].end_ns++; /* work that takes no time would be invisible to the count */
            StepSweepWork(&sweep, &works[i], THRESHOLD);
        }
        StepSweepEnd(&sweep);
        at = works[0].start_ns;
        for (uint32_t i = 0; i < pieces.count; i++) {
            ck_assert_uint_eq(pieces.list[i].start_ns, at);
            ck_assert(i == 0 || pieces.list[i].part != pieces.list[i - 1].part);
            for (; at < pieces.list[i].end_ns; at++) {
                ck_assert_int_eq(piece_at(works, at), pieces.list[i].part);
            }
        }
        ck_assert_uint_eq(at, sweep.busy_until);
        free(pieces.list);
        StepSweepFree(&sweep);
    }
}
END_TEST

START_TEST(medians_are_of_the_middle)
{
    uint64_t odd[] = { 9, 1, 5 };
    uint64_t even[] = { 9, 1, 5, 6 };

    ck_assert_uint_eq(StepMedian(odd, 3), 5);
    ck_assert_uint_eq(StepMedian(even, 4), 5);
    ck_assert_uint_eq(StepMedian(even, 0), 0);
}
END_TEST

/* ---- the pipeline ---- */

#define STEPS_OF_A_RANK 6u

/*
 * Iterations of 100 us: 40 us of computation, 20 of communication the first 10 of which are hidden,
 * 5 of a copy, and 5 us of waiting before the copy, which was launched in time; the first work is
 * launched at 8 and begins at 10, so the host lets the device wait for 10 us, and 25 us are left at
 * the end, which the next iteration's launch ends. In rank 1 the fourth one communicates for 60 us
 * longer.
 */
static void write_rank(unsigned rank)
{
    char text[32768];
    char *out = text;
    char name[32];
    unsigned start = 1000;

    out += sprintf(out, "{\"distributedInfo\":{\"rank\":%u},\"traceEvents\":[", rank);
    for (unsigned step = 0; step < STEPS_OF_A_RANK; step++) {
        const unsigned more = rank == 1 && step == 3 ? 60 : 0;
        const struct {
            const char *category;
            const char *name;
            unsigned stream;
            unsigned launch;
            unsigned start;
            unsigned duration;
        } works[] = { { "kernel", "gemm", 7, 8, 10, 40 },
                      { "kernel", "ncclDevKernel_AllReduce", 8, 9, 40, 20 + more },
                      { "gpu_memcpy", "Memcpy DtoH", 7, 10, 65 + more, 5 } };

        out += sprintf(out,
                       "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\","
                       "\"ts\":%u,\"dur\":%u},",
                       step, start, 100 + more);
        for (unsigned i = 0; i < 3; i++) {
            out += sprintf(
                out,
                "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"ts\":%u,"
                "\"dur\":1,\"args\":{\"correlation\":%u}},"
                "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"ts\":%u,\"dur\":%u,\"args\":{"
                "\"device\":0,\"stream\":%u,\"correlation\":%u}},",
                start + works[i].launch, step * 3 + i + 1, works[i].category, works[i].name,
                start + works[i].start, works[i].duration, works[i].stream, step * 3 + i + 1);
        }
        start += 100 + more;
    }
    sprintf(out, "{\"ph\":\"M\"}]}");
    snprintf(name, sizeof name, "in/rank-%u.json", rank);
    ResultsWrite(name, text);
}

static void check_cells(const char *file, const char *where, const char *const cells[][2],
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *cell = Cell(file, where, cells[i][0]);

        ck_assert_msg(cell != NULL, "no row where %s", where);
        ck_assert_msg(strcmp(cell, cells[i][1]) == 0, "%s: %s is '%s', not '%s'", where,
                      cells[i][0], cell, cells[i][1]);
    }
}

/* How often a file of the results has a text. */
static void check_slices(const char *file, const char *text, int wanted)
{
    int count = 0;

    for (const char *at = strstr(ResultText(file), text); at != NULL; at = strstr(at + 1, text)) {
        count++;
    }
    ck_assert_msg(count == wanted, "%s: %d times %s, not %d", file, count, text, wanted);
}

START_TEST(the_slow_iteration_and_its_part_are_found)
{
    static const char *const usual[][2] = {
        { "time(us)", "100.000" },
        { "compute(us)", "40.000" },
        { "exposed_communication(us)", "10.000" },
        { "communication(us)", "20.000" },
        { "exposed_copy(us)", "5.000" },
        { "idle_host_wait(us)", "40.000" },
        { "idle_kernel_wait(us)", "5.000" },
        { "idle_other(us)", "0.000" },
        { "kernels", "3" },
        { "difference(us)", "0.000" },
        { "differs_in", "NA" },
    };
    static const char *const slow[][2] = {
        { "time(us)", "160.000" },
        { "exposed_communication(us)", "70.000" },
        { "difference(us)", "60.000" },
        { "differs_in", "exposed_communication" },
    };
    /* Six iterations, of which one is longer by 60. */
    static const char *const slow_rank[][2] = {
        { "steps", "6" },
        { "least(us)", "100.000" },
        { "mean(us)", "110.000" },
        { "most(us)", "160.000" },
        { "slow", "1" },
        { "slow(us)", "60.000" },
        { "slowest", "ProfilerStep#3" },
        { "slowest_start(us)", "300.000" },
        { "differs_in", "exposed_communication" },
    };
    static const char *const usual_rank[][2] = {
        { "most(us)", "100.000" },
        { "slow", "0" },
        { "slow(us)", "0.000" },
        { "differs_in", "NA" },
    };

    for (unsigned rank = 0; rank < 3; rank++) {
        write_rank(rank);
    }
    ck_assert_int_eq(RunKineto(ResultsPath("in"), NULL), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount("steps.csv"), 3 * STEPS_OF_A_RANK);
    check_cells("step_ranks.csv", "rank=1", slow_rank, sizeof slow_rank / sizeof slow_rank[0]);
    check_cells("step_ranks.csv", "rank=2", usual_rank, sizeof usual_rank / sizeof usual_rank[0]);
    ck_assert_uint_eq(RowCount("step_ranks.csv"), 3);
    check_cells("steps.csv", "rank=0;step=ProfilerStep#1", usual, sizeof usual / sizeof usual[0]);
    check_cells("steps.csv", "rank=1;step=ProfilerStep#3", slow, sizeof slow / sizeof slow[0]);
    check_cells("steps.csv", "rank=1;step=ProfilerStep#4", usual, sizeof usual / sizeof usual[0]);
    /* The 5 us before the copy belong to the communication; nothing is drawn
     * after the last work. */
    check_slices("rank0/trace.json", "\"cat\":\"state\",\"dur\":40,\"name\":\"compute\"", 6);
    check_slices("rank0/trace.json",
                 "\"cat\":\"state\",\"dur\":15,\"name\":\"exposed_communication\"", 6);
    check_slices("rank0/trace.json", "\"cat\":\"state\",\"dur\":5,\"name\":\"exposed_copy\"", 6);
    check_slices("rank0/trace.json", "\"cat\":\"state\",\"dur\":40,\"name\":\"idle_host_wait\"", 5);
    check_slices("rank0/trace.json", "\"cat\":\"state\"", 23);
    check_slices("rank1/trace.json",
                 "\"cat\":\"state\",\"dur\":75,\"name\":\"exposed_communication\"", 1);
    check_slices("trace.json", "\"cat\":\"state\"", 3 * 23);
}
END_TEST

static Suite *steps_suite(void)
{
    Suite *suite = suite_create("steps");
    TCase *tcase = tcase_create("steps");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, parts_of_random_work_equal_counting_and_add_up);
    tcase_add_test(tcase, pieces_of_random_work_equal_counting);
    tcase_add_test(tcase, medians_are_of_the_middle);
    tcase_add_test(tcase, the_slow_iteration_and_its_part_are_found);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(steps_suite)
