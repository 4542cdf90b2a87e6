/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What profiling costs an operator on the reference chip: with the injection library and a filter
 * that rejects everything, and collected; and the whole way to results, against dump files and
 * sim-dump. What the operator takes is the time of its program, without opprof-run's own start and
 * end.
 */
#include "bench/bench.h"
#include "bench/tree.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* A shell command with $results, an empty directory. */
typedef struct Command {
    const char *text;
    const char *program; /* and its options */
    double amount;
    bool is_program; /* times are those of the program */
} Command;

/* Nanoseconds in a file of the results; 0: there is no such file. */
static uint64_t read_time(const char *results, const char *name)
{
    char path[PATH_MAX + 16];
    unsigned long long value = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", results, name);
    file = fopen(path, "re");
    if (file != NULL) {
        if (fscanf(file, "%llu", &value) != 1) {
            value = 0;
        }
        fclose(file);
    }
    return value;
}

static bool read_times(const char *results, BenchSample *sample)
{
    const uint64_t start = read_time(results, "start");
    const uint64_t end = read_time(results, "end");

    sample->seconds = (double) (end - start) / 1e9;
    return start != 0 && end > start;
}

static bool run(void *context, BenchSample *sample)
{
    const Command *command = context;
    char results[PATH_MAX];
    bool is_good;

    if (!TreeMake("bench-live", results, sizeof results)) {
        return false;
    }
    is_good = setenv("results", results, 1) == 0 && setenv("operator", command->program, 1) == 0 &&
              system(command->text) == 0;
    is_good = is_good && (!command->is_program || read_times(results, sample));
    TreeRemove(results);
    sample->amount = command->amount;
    return is_good;
}

#define VERIFIED " >\"$results/said\" 2>&1; grep -qx verified \"$results/said\""
#define PLAIN "\"$OPPROF_REFCHIP_COMMAND\" $operator" VERIFIED
#define LIVE(options)                                                                              \
    "\"$OPPROF_RUN\" -q --output \"$results/live\" --flat " options                                \
    " sim-live -- \"$OPPROF_REFCHIP_COMMAND\" $operator" VERIFIED
/* The same with the times of the program in files. */
#define TIMED                                                                                      \
    "sh -c 'date +%s%N >\"$results/start\"; \"$OPPROF_REFCHIP_COMMAND\" $operator; "               \
    "date +%s%N >\"$results/end\"'"
#define PLAIN_TIMED TIMED VERIFIED
#define LIVE_TIMED(options)                                                                        \
    "\"$OPPROF_RUN\" -q --output \"$results/live\" --flat " options " sim-live -- " TIMED VERIFIED
#define METRICS "--set metrics=PipeUtilization,ResourceConflictRatio,PMSampling,Overhead "
#define DUMP                                                                                       \
    "mkdir \"$results/dump\" && export CAMODEL_LOG_PATH=\"$results/dump\" && { " PLAIN             \
    "; } && \"$OPPROF_RUN\" -q --pipeline sim-dump " METRICS                                       \
    "--set chip=Ascend910B1 --set input=\"$results/dump\" --output \"$results/live\" --flat "      \
    ">/dev/null"

/* Five to warm up, eleven passes, and the program's own. */
#define BOARD                                                                                      \
    "\"$OPPROF_RUN\" -q --output \"$results/live\" --flat --set launch_count=5000 onboard-live "   \
    "-- "                                                                                          \
    "\"$OPPROF_REFCHIP_COMMAND\" $operator" VERIFIED

int main(int argc, char **argv)
{
    int status;
    Bench *bench = BenchOpen("live", argc, argv, &status);
    char many[80], large[80], some[80];
    uint64_t launches, side, few;

    if (bench == NULL) {
        return status;
    }
    launches = BenchAmount(bench, 200);
    side = BenchAmount(bench, 768) / 256 * 256 + 256;
    snprintf(many, sizeof many, "vector-add --size 1000000 --repeat %u", (unsigned) launches);
    snprintf(large, sizeof large, "matmul --size %u", (unsigned) side);
    few = BenchAmount(bench, 20);
    snprintf(some, sizeof some, "vector-add --size 1000000 --repeat %u", (unsigned) few);
    Command plain = { PLAIN_TIMED, many, (double) launches, true };
    Command filtered = { LIVE_TIMED("--set kernel_name=another"), many, (double) launches, true };
    Command plain_large = { PLAIN_TIMED, large, 1, true };
    Command collected = { LIVE_TIMED(METRICS), large, 1, true };
    Command delivered = { LIVE(METRICS), large, 1, false };
    Command profiled = { BOARD, some, (double) few, false };
    Command plain_some = { PLAIN, some, (double) few, false };
    Command dumped = { DUMP, large, 1, false };
    const BenchCase cases[] = {
        { .name = "filtered-out",
          .unit = "launches/s",
          .goal = 0.98,
          .subject = { "injected", run, &filtered },
          .peer = { "unprofiled", run, &plain } },
        { .name = "collected",
          .unit = "operators/s",
          .subject = { "collected", run, &collected },
          .peer = { "unprofiled", run, &plain_large } },
        { .name = "to-results",
          .unit = "operators/s",
          .goal = 1,
          .subject = { "sim-live", run, &delivered },
          .peer = { "dump files, then sim-dump", run, &dumped } },
        { .name = "profiled-on-a-device",
          .unit = "launches/s",
          .subject = { "onboard-live: 17 launches for each", run, &profiled },
          .peer = { "unprofiled", run, &plain_some } },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        BenchRun(bench, &cases[i]);
    }
    return BenchClose(bench);
}
