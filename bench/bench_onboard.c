/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole deliverable of operators on a device: the pipeline `onboard-dump` through opprof-run,
 * from raw files to results, against reading as many bytes. Many launches show the cost of one and
 * whether memory grows with their number; a launch of all the blocks that a record can name tells
 * what a block costs.
 */
#include "bench/bench.h"
#include "bench/tree.h"
#include "tests/tools/onboard.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAUNCHES 100u
#define MANY 5u /* times as many launches to look at memory */
#define BLOCKS 65536u

/* Launches in a directory of their own, and their results. */
typedef struct Run {
    uint32_t launches;
    OnboardLaunch launch;
    double records;
    char directory[64];
    double peak_bytes; /* of the last run */
} Run;

/* ---- files ---- */

static void path_in(const Run *run, const char *name, char *path, size_t room)
{
    snprintf(path, room, "%s/%s", run->directory, name);
}

/* Makes the directory of `path` and those above it, below the run's own. */
static bool make_directories(const Run *run, char *path)
{
    for (char *at = strchr(path + strlen(run->directory) + 1, '/'); at != NULL;
         at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    return access(path, W_OK) == 0;
}

static bool make(Run *run)
{
    OnboardFacts facts;
    char path[128];
    bool is_good = OnboardReadFacts(ONBOARD_FACTS_DIR, ONBOARD_A2, &facts);

    if (!TreeMake("bench-onboard", run->directory, sizeof run->directory)) {
        return false;
    }
    run->records = (double) run->launches * run->launch.blocks * facts.rounds;
    for (uint32_t i = 0; is_good && i < run->launches; i++) {
        snprintf(path, sizeof path, "%s/in/device0/add/%u/dump/", run->directory, i);
        run->launch.seed = i;
        is_good = make_directories(run, path) && OnboardWriteLaunch(&facts, &run->launch, path);
    }
    return is_good;
}

/* ---- sides ---- */

static bool run_whole(void *context, BenchSample *sample)
{
    Run *run = context;
    char input[128], output[128];

    path_in(run, "in", input, sizeof input);
    path_in(run, "out", output, sizeof output);
    TreeRemove(output);
    const BenchChild child = BenchRunPipeline("onboard-dump", input, NULL, output);
    sample->amount = run->records;
    sample->seconds = (double) child.elapsed_ns / 1e9;
    sample->cpu_seconds = (double) (child.user_ns + child.system_ns) / 1e9;
    run->peak_bytes = (double) child.peak_bytes;
    /* Of many blocks the viewer's file is incomplete: the viewer reads no blocks of that size. */
    return child.status == 0 || (child.status == 4 && run->launch.blocks == BLOCKS);
}

static bool read_all(void *context, BenchSample *sample)
{
    const Run *run = context;
    char path[128];

    path_in(run, "in", path, sizeof path);
    sample->amount = run->records;
    return TreeRead(path);
}

/* Bytes count as bytes a second, so that the harness' rate is a size. */
static bool run_peak(void *context, BenchSample *sample)
{
    Run *run = context;
    const bool is_good = run_whole(context, sample);

    *sample = (BenchSample){ .amount = run->peak_bytes, .seconds = 1, .cpu_seconds = 1 };
    return is_good;
}

/* ---- cases ---- */

/* The time of a launch or a record, from a run of its own. */
static void report_cost(Bench *bench, Run *run, const char *name, double count)
{
    BenchSample sample = { 0 };

    if (run_whole(run, &sample)) {
        char text[96];
        snprintf(text, sizeof text, "wall time of %s", name);
        BenchReport(bench, text, sample.seconds / count * 1e6, "us");
        snprintf(text, sizeof text, "CPU time of %s", name);
        BenchReport(bench, text, sample.cpu_seconds / count * 1e6, "us");
    }
}

static void run_case(Bench *bench, const char *name, Run *run)
{
    BenchRun(bench, &(BenchCase){ .name = name,
                                  .unit = "Mrecords/s",
                                  .scale = 1e6,
                                  .subject = { "onboard-dump", run_whole, run },
                                  .peer = { "read the files", read_all, run } });
}

static OnboardLaunch add_on(uint32_t blocks)
{
    return (OnboardLaunch){ .soc = "Ascend910B1",
                            .name = "add",
                            .op = ONBOARD_OP_VECTOR,
                            .work = ONBOARD_VECTOR_ADD,
                            .m = 100000000,
                            .blocks = blocks,
                            .cores = 24,
                            .freq = 1850,
                            .rated = 1850 };
}

int main(int argc, char **argv)
{
    int status = 1;
    Bench *bench = BenchOpen("onboard", argc, argv, &status);

    if (bench == NULL) {
        return status;
    }
    const uint32_t count = (uint32_t) BenchAmount(bench, LAUNCHES);
    Run few = { .launches = count, .launch = add_on(48) };
    Run many = { .launches = count * MANY, .launch = add_on(48) };
    Run large = { .launches = 1, .launch = add_on((uint32_t) BenchAmount(bench, BLOCKS)) };
    const bool is_made = make(&few) && make(&many) && make(&large);
    if (is_made) {
        run_case(bench, "launches of 48 blocks", &few);
        run_case(bench, "a launch of 65,536 blocks", &large);
        report_cost(bench, &many, "a launch of 48 blocks", many.launches);
        report_cost(bench, &large, "a record of 65,536 blocks", large.records);
        BenchRun(bench, &(BenchCase){ .name = "peak memory of 100 launches",
                                      .unit = "MB",
                                      .scale = 1e6,
                                      .goal = 0.75,
                                      .is_size = true,
                                      .subject = { "100 launches", run_peak, &few },
                                      .peer = { "500 launches", run_peak, &many } });
        BenchReport(bench, "peak memory of a launch of 65,536 blocks", large.peak_bytes / 1e6,
                    "MB");
    }
    TreeRemove(few.directory);
    TreeRemove(many.directory);
    TreeRemove(large.directory);
    return BenchClose(bench) != 0 || !is_made;
}
