/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole deliverable of operators on a device: the pipeline `onboard-dump` through opprof-run,
 * from raw files to results, against reading as many bytes. Launches in number tell what one costs
 * and whether memory grows with them; a launch of all the blocks that a record can name tells what
 * a block costs.
 */
#include "bench/bench.h"
#include "tests/tools/onboard.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAUNCHES 100u
#define MANY 5u /* times as many launches to look at memory */
#define BLOCKS 65536u
#define READ_BYTES ((size_t) 256 << 10)

/* Launches in a directory of their own, and their results. */
typedef struct Run {
    uint32_t launches;
    OnboardLaunch launch;
    double records;
    char directory[64];
    double peak_bytes; /* of the last run */
} Run;

/* ---- files ---- */

/* What a walk over files does with each: nftw() knows no context. */
static struct {
    char *buffer;
    bool is_good;
} walk;

static int read_file(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    ssize_t got = kind == FTW_F ? -1 : 0;

    (void) file;
    (void) where;
    if (kind != FTW_F) {
        return 0;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (got = read(fd, walk.buffer, READ_BYTES)) > 0) {
        BenchKeep(walk.buffer);
    }
    walk.is_good = walk.is_good && got == 0;
    if (fd >= 0) {
        close(fd);
    }
    return 0;
}

static int remove_entry(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    (void) file;
    (void) kind;
    (void) where;
    return remove(path);
}

static void path_in(const Run *run, const char *name, char *path, size_t room)
{
    snprintf(path, room, "%s/%s", run->directory, name);
}

static void remove_in(const Run *run, const char *name)
{
    char path[128];

    path_in(run, name, path, sizeof path);
    nftw(path, remove_entry, 16, FTW_PHYS | FTW_DEPTH);
}

/* Everything, if it was made at all. */
static void clear(const Run *run)
{
    if (run->directory[0] != '\0') {
        remove_in(run, "");
    }
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
    const char *parent = getenv("TMPDIR");
    OnboardFacts facts;
    char path[128];
    bool is_good = OnboardReadFacts(ONBOARD_FACTS_DIR, ONBOARD_A2, &facts);

    snprintf(run->directory, sizeof run->directory, "%.40s/bench-onboard-XXXXXX",
             parent != NULL ? parent : "/tmp");
    if (mkdtemp(run->directory) == NULL) {
        run->directory[0] = '\0';
        perror("bench_onboard: cannot make a directory");
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
    char *const arguments[] = { (char[]){ "opprof-run" },
                                (char[]){ "--pipeline" },
                                (char[]){ "onboard-dump" },
                                (char[]){ "--set" },
                                input,
                                (char[]){ "--output" },
                                output,
                                (char[]){ "--flat" },
                                (char[]){ "-q" },
                                NULL };

    snprintf(input, sizeof input, "input=%s/in", run->directory);
    path_in(run, "out", output, sizeof output);
    remove_in(run, "out");
    const BenchChild child = BenchRunChild(arguments);
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
    walk.buffer = malloc(READ_BYTES);
    walk.is_good = walk.buffer != NULL && nftw(path, read_file, 16, FTW_PHYS) == 0;
    sample->amount = run->records;
    free(walk.buffer);
    return walk.is_good;
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
static void tell_cost(Bench *bench, Run *run, const char *name, double count)
{
    BenchSample sample = { 0 };

    if (run_whole(run, &sample)) {
        char text[96];
        snprintf(text, sizeof text, "wall time of %s", name);
        BenchTell(bench, text, sample.seconds / count * 1e6, "us");
        snprintf(text, sizeof text, "CPU time of %s", name);
        BenchTell(bench, text, sample.cpu_seconds / count * 1e6, "us");
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
        tell_cost(bench, &many, "a launch of 48 blocks", many.launches);
        tell_cost(bench, &large, "a record of 65,536 blocks", large.records);
        BenchRun(bench, &(BenchCase){ .name = "peak memory of 100 launches",
                                      .unit = "MB",
                                      .scale = 1e6,
                                      .goal = 0.75,
                                      .is_size = true,
                                      .subject = { "100 launches", run_peak, &few },
                                      .peer = { "500 launches", run_peak, &many } });
        BenchTell(bench, "peak memory of a launch of 65,536 blocks", large.peak_bytes / 1e6, "MB");
    }
    clear(&few);
    clear(&many);
    clear(&large);
    return BenchClose(bench) != 0 || !is_made;
}
