/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole deliverable of a simulated run: the pipeline `sim-dump` through opprof-run, all
 * analyses and exporters, from dump files to results. Its bound is to read and write as many bytes,
 * on the same file system and in the same run. Beside it: CPU time of each stage, peak memory of
 * inputs of different length, and odd inputs against the plain one.
 *
 * Files are as large as results are: with TMPDIR=/dev/shm the disk does not matter.
 */
#include "bench/bench.h"
#include "bench/tree.h"
#include "tests/tools/dump.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INSTRUCTIONS UINT64_C(1000000) /* of a core; there are two */
#define CORES 2u
#define LONG 5u /* times as many instructions to look at memory */
#define COPY_BYTES ((size_t) 256 << 10)
#define MB 1e6
#define ALLOWED_SECONDS 5e-6 /* CPU time of an instruction */
#define ALLOWED_TIMES 8.0    /* those of reading and writing as many bytes */
#define ALLOWED_BYTES (200 * MB)
#define MANY_PAIRS 36u /* of cores … */
#define MANY_INSTRUCTIONS 5000u
#define ALLOWED_BYTES_MANY (64 * 1024 * 1024.0) /* … which may take this much memory */

/* One input, its results, and what all runs over it took together. */
typedef struct Deliverable {
    DumpOptions options;
    char directory[64]; /* with folders in and out */
    double instructions;
    double user_seconds;
    double peak_bytes; /* of the last run */
} Deliverable;

/* ---- files ---- */

static void path_in(const Deliverable *one, const char *name, char *path, size_t room)
{
    snprintf(path, room, "%s/%s", one->directory, name);
}

static void remove_in(const Deliverable *one, const char *name)
{
    char path[128];

    path_in(one, name, path, sizeof path);
    TreeRemove(path);
}

/* ---- the run ---- */

static bool run(Deliverable *one, BenchChild *ret_child)
{
    char input[128], output[128];

    path_in(one, "in", input, sizeof input);
    path_in(one, "out", output, sizeof output);
    TreeRemove(output);
    *ret_child = BenchRunPipeline("sim-dump", input, "chip=Ascend910B1", output);
    one->instructions += (double) (one->options.instructions * CORES);
    one->user_seconds += (double) ret_child->user_ns / 1e9;
    one->peak_bytes = (double) ret_child->peak_bytes;
    return ret_child->status == 0;
}

static bool run_whole(void *context, BenchSample *sample)
{
    Deliverable *one = context;
    BenchChild child;
    const bool is_good = run(one, &child);

    sample->amount = (double) (one->options.instructions * CORES);
    sample->seconds = (double) child.elapsed_ns / 1e9;
    sample->cpu_seconds = (double) (child.user_ns + child.system_ns) / 1e9;
    return is_good;
}

/* The same; a rate by CPU time. */
static bool run_cpu(void *context, BenchSample *sample)
{
    const bool is_good = run_whole(context, sample);

    sample->seconds = sample->cpu_seconds;
    return is_good;
}

static bool allowed_cpu(void *context, BenchSample *sample)
{
    (void) context;
    *sample =
        (BenchSample){ .amount = 1, .seconds = ALLOWED_SECONDS, .cpu_seconds = ALLOWED_SECONDS };
    return true;
}

/* ---- the bound ---- */

static bool write_bytes(const char *path, double bytes)
{
    static char zeros[COPY_BYTES];
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool is_good = fd >= 0;

    while (is_good && bytes > 0) {
        const size_t step = bytes < (double) COPY_BYTES ? (size_t) bytes : COPY_BYTES;

        is_good = write(fd, zeros, step) == (ssize_t) step;
        bytes -= (double) step;
    }
    return fd >= 0 && close(fd) == 0 && is_good;
}

/* Read all logs, write as many bytes as the last run did. */
static bool copy_bytes(const Deliverable *one)
{
    char input[128], output[128], copy[128];

    path_in(one, "in", input, sizeof input);
    path_in(one, "out", output, sizeof output);
    path_in(one, "copy", copy, sizeof copy);
    return TreeRead(input) && write_bytes(copy, TreeBytes(output));
}

static bool run_copy(void *context, BenchSample *sample)
{
    Deliverable *one = context;
    const uint64_t cpu = BenchProcessCpu();
    const uint64_t start = BenchNow();
    const bool is_good = copy_bytes(one);

    sample->amount = (double) (one->options.instructions * CORES);
    sample->seconds = (double) (BenchNow() - start) / 1e9;
    sample->cpu_seconds = (double) (BenchProcessCpu() - cpu) / 1e9;
    remove_in(one, "copy");
    return is_good;
}

static bool run_copy_cpu(void *context, BenchSample *sample)
{
    const bool is_good = run_copy(context, sample);

    sample->seconds = sample->cpu_seconds;
    return is_good;
}

/* ---- memory ---- */

/* Bytes count as bytes a second, so that the harness' rate is a size. */
static bool size_sample(double bytes, BenchSample *sample)
{
    *sample = (BenchSample){ .amount = bytes, .seconds = 1, .cpu_seconds = 1 };
    return bytes > 0;
}

static bool run_peak(void *context, BenchSample *sample)
{
    Deliverable *one = context;
    BenchChild child;

    return run(one, &child) && size_sample(one->peak_bytes, sample);
}

/*
 * As many short runs as make up a long one, and the largest peak counts: most of the memory is
 * queues, which are as full as the scheduler makes them, and so both sides have the same time to
 * fill them.
 */
static bool run_peaks(void *context, BenchSample *sample)
{
    Deliverable *one = context;
    BenchChild child;
    double most = 0;

    for (uint32_t i = 0; i < LONG; i++) {
        if (!run(one, &child)) {
            return false;
        }
        most = one->peak_bytes > most ? one->peak_bytes : most;
    }
    return size_sample(most, sample);
}

/* That of the case before this one, if there was one. */
static bool last_peak(void *context, BenchSample *sample)
{
    Deliverable *one = context;

    return one->peak_bytes > 0 ? size_sample(one->peak_bytes, sample) : run_peak(context, sample);
}

/* `context`: the bytes. */
static bool allowed_peak(void *context, BenchSample *sample)
{
    const double *allowed = context;

    return size_sample(*allowed, sample);
}

/* ---- inputs ---- */

static bool make(const Bench *bench, Deliverable *one)
{
    char path[128];

    one->options.cores = one->options.cores == 0 ? 1 : one->options.cores; /* pairs */
    one->options.instructions = BenchAmount(bench, one->options.instructions);
    one->options.line_length = 128;
    one->options.seed = 1;
    if (!TreeMake("bench-deliver", one->directory, sizeof one->directory)) {
        return false;
    }
    path_in(one, "in", path, sizeof path);
    if (mkdir(path, 0700) != 0 || !DumpWrite(path, &one->options)) {
        perror("bench_deliver: cannot write a dump");
        return false;
    }
    return true;
}

/* ---- cases ---- */

/* CPU time of each stage in the last run's account; the rest is that of the process. */
static void report_stages(Bench *bench, const Deliverable *one)
{
    const double count = (double) (one->options.instructions * CORES);
    json_t *stage;
    json_t *root;
    char path[128];
    char name[96];
    size_t i;

    path_in(one, "out/run.json", path, sizeof path);
    root = json_load_file(path, 0, NULL);
    json_array_foreach(json_object_get(root, "stages"), i, stage)
    {
        snprintf(name, sizeof name, "stage %s", json_string_value(json_object_get(stage, "id")));
        BenchReport(bench, name,
                    (double) json_integer_value(json_object_get(stage, "cpu_ns")) / count,
                    "ns/instruction");
    }
    json_decref(root);
}

static double stage_cpu(const json_t *stages, const char *id)
{
    const json_t *stage;
    size_t i;

    json_array_foreach(stages, i, stage)
    {
        if (strcmp(json_string_value(json_object_get(stage, "id")), id) == 0) {
            return (double) json_integer_value(json_object_get(stage, "cpu_ns"));
        }
    }
    return 0;
}

/* CPU time of the exporters, as times that of the one that writes trace.json. */
static void report_exporters(Bench *bench, const Deliverable *one)
{
    static const char *const exporters[] = { "perfetto", "insight", "html", "csv", "sqlite" };
    char path[128];
    char name[96];

    path_in(one, "out/run.json", path, sizeof path);
    json_t *root = json_load_file(path, 0, NULL);
    const json_t *stages = json_object_get(root, "stages");
    const double trace = stage_cpu(stages, "trace");
    for (size_t i = 0; trace > 0 && i < sizeof exporters / sizeof exporters[0]; i++) {
        snprintf(name, sizeof name, "exporter %s beside trace", exporters[i]);
        BenchReport(bench, name, stage_cpu(stages, exporters[i]) / trace, "times its CPU");
    }
    json_decref(root);
}

static void run_plain(Bench *bench, Deliverable *plain)
{
    BenchRun(bench, &(BenchCase){ .name = "deliverable",
                                  .unit = "Minstructions/s",
                                  .scale = 1e6,
                                  .subject = { "sim-dump", run_whole, plain },
                                  .peer = { "read and write as many bytes", run_copy, plain } });
    BenchRun(bench,
             &(BenchCase){ .name = "deliverable-cpu-bound",
                           .unit = "Minstructions/CPU s",
                           .scale = 1e6,
                           .goal = 1 / ALLOWED_TIMES,
                           .subject = { "sim-dump", run_cpu, plain },
                           .peer = { "read and write as many bytes", run_copy_cpu, plain } });
    BenchRun(bench, &(BenchCase){ .name = "deliverable-cpu",
                                  .unit = "Minstructions/CPU s",
                                  .scale = 1e6,
                                  .goal = 1,
                                  .subject = { "sim-dump", run_cpu, plain },
                                  .peer = { "5 us each", allowed_cpu, NULL } });
    if (plain->instructions > 0) {
        report_stages(bench, plain);
        report_exporters(bench, plain);
        BenchReport(bench, "user time", plain->user_seconds / plain->instructions * 1e9,
                    "ns/instruction");
    }
}

static bool run_memory(Bench *bench, Deliverable *plain)
{
    Deliverable large = { .options = plain->options };
    double allowed = ALLOWED_BYTES;
    bool is_good;

    large.options.instructions = INSTRUCTIONS * LONG;
    is_good = make(bench, &large);
    if (is_good) {
        BenchRun(bench, &(BenchCase){ .name = "deliverable-memory",
                                      .unit = "MB",
                                      .scale = MB,
                                      .goal = 0.9,
                                      .is_size = true,
                                      .subject = { "1 M a core, of five runs", run_peaks, plain },
                                      .peer = { "5 M", run_peak, &large } });
        BenchRun(bench, &(BenchCase){ .name = "deliverable-memory-allowed",
                                      .unit = "MB",
                                      .scale = MB,
                                      .goal = 1,
                                      .is_size = true,
                                      .subject = { "allowed", allowed_peak, &allowed },
                                      .peer = { "5 M a core", last_peak, &large } });
    }
    TreeRemove(large.directory);
    return is_good;
}

/* Cores come one after the other: what is held of those that have ended must be little. */
static bool run_many(Bench *bench)
{
    Deliverable many = { .options = { .cores = MANY_PAIRS,
                                      .instructions = MANY_INSTRUCTIONS,
                                      .pcs = 500,
                                      .flags_percent = 6 } };
    double allowed = ALLOWED_BYTES_MANY;
    const bool is_good = make(bench, &many);

    if (is_good) {
        BenchRun(bench, &(BenchCase){ .name = "deliverable-memory-cores",
                                      .unit = "MB",
                                      .scale = MB,
                                      .goal = 1,
                                      .is_size = true,
                                      .subject = { "allowed", allowed_peak, &allowed },
                                      .peer = { "72 cores", run_peak, &many } });
    }
    TreeRemove(many.directory);
    return is_good;
}

static bool run_odd(Bench *bench, const char *name, const DumpOptions *options, Deliverable *plain)
{
    Deliverable odd = { .options = *options };
    const bool is_good = make(bench, &odd);
    char text[96];

    if (is_good) {
        plain->instructions = plain->user_seconds = 0;
        BenchRun(bench, &(BenchCase){ .name = name,
                                      .unit = "Minstructions/CPU s",
                                      .scale = 1e6,
                                      .goal = 1.0 / 3,
                                      .subject = { name, run_cpu, &odd },
                                      .peer = { "plain", run_cpu, plain } });
        if (odd.instructions > 0) {
            snprintf(text, sizeof text, "%s, user time", name);
            BenchReport(bench, text,
                        odd.user_seconds / odd.instructions /
                            (plain->user_seconds / plain->instructions),
                        "times that of plain");
        }
    }
    TreeRemove(odd.directory);
    return is_good;
}

static bool run_all(Bench *bench, Deliverable *plain)
{
    const DumpOptions few = { .instructions = INSTRUCTIONS, .pcs = 500, .flags_percent = 6 };
    DumpOptions flags = few, one = few, many = few, marks = few;

    flags.flags_percent = 60;
    flags.lone_flags = true;
    one.pcs = 1;
    many.pcs = 10000;
    marks.marks_percent = 100;
    run_plain(bench, plain);
    return run_odd(bench, "flags that never pair", &flags, plain) &&
           run_odd(bench, "one address", &one, plain) &&
           run_odd(bench, "ten thousand addresses", &many, plain) &&
           run_odd(bench, "a million marks", &marks, plain) && run_memory(bench, plain) &&
           run_many(bench);
}

int main(int argc, char **argv)
{
    Deliverable plain = { .options = {
                              .instructions = INSTRUCTIONS, .pcs = 500, .flags_percent = 6 } };
    int status;
    Bench *bench = BenchOpen("bench_deliver", argc, argv, &status);

    if (bench == NULL) {
        return status;
    }
    status = make(bench, &plain) && run_all(bench, &plain) ? 0 : 1;
    TreeRemove(plain.directory);
    return BenchClose(bench) != 0 ? 1 : status;
}
