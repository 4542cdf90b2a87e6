/* SPDX-License-Identifier: Apache-2.0 */
/*
 * advise: the CPU time of the rules over a trace of many kernels and over many ranks, against a
 * tenth of that of the breakdown alone, and their memory; and what tables cost that no rule reads.
 * A whole run over the many ranks: its CPU time against that of the breakdown, its results against
 * its input.
 */
#include "bench/bench.h"
#include "bench/tree.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS UINT64_C(200000)
#define KERNELS_A_STEP 14u /* as make_ranks.py makes them */
#define RANKS UINT64_C(1000)
#define STEPS 20u /* of each of many ranks */
#define MB 1e6
#define ALLOWED_BYTES (32 * MB)
#define ALLOWED_SHARE 0.1
#define ALLOWED_RUN 6.0 /* times the breakdown alone */
#define RULES "OPPROF_SYSTEM_RULES_PATH"

typedef struct Input {
    const char *name;
    const char *directory; /* of all */
    char path[128];
} Input;

static const char breakdown[] =
    "{ \"opprof_pipeline\": \"1.0\", \"vars\": { \"input\": { \"required\": true } }, \"stages\": "
    "[\n"
    "{ \"id\": \"kineto\", \"use\": \"collect-kineto\", \"params\": { \"input\": \"${input}\", "
    "\"operators\": false } },\n"
    "{ \"id\": \"breakdown\", \"use\": \"trace-temporal\" }, { \"id\": \"csv\", \"use\": \"csv\" } "
    "] }\n";

static void path_in(const Input *input, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", input->directory, name);
}

static BenchChild run(const Input *input, const char *pipeline)
{
    char output[160];

    path_in(input, "out", output, sizeof output);
    return BenchRunPipeline(pipeline, input->path, NULL, output);
}

/* CPU seconds of the stage in the last run; below 0: unknown. */
static double stage_seconds(const Input *input)
{
    char path[160];
    const json_t *stage;
    double seconds = -1;
    json_t *root;
    size_t i;

    path_in(input, "out/run.json", path, sizeof path);
    root = json_load_file(path, 0, NULL);
    json_array_foreach(json_object_get(root, "stages"), i, stage)
    {
        const char *id = json_string_value(json_object_get(stage, "id"));

        if (id != NULL && strcmp(id, "advise") == 0) {
            seconds = (double) json_integer_value(json_object_get(stage, "cpu_ns")) / 1e9;
        }
    }
    json_decref(root);
    return seconds;
}

static bool in_seconds(double seconds, BenchSample *sample)
{
    *sample = (BenchSample){ .amount = 1, .seconds = seconds, .cpu_seconds = seconds };
    return seconds > 0;
}

static bool advise(void *context, BenchSample *sample)
{
    const Input *input = context;

    return run(input, "kineto").status == 0 && in_seconds(stage_seconds(input), sample);
}

/* Without rules the same tables come, and none is read. */
static BenchChild run_without_rules(const Input *input)
{
    char *rules = getenv(RULES) == NULL ? NULL : strdup(getenv(RULES));
    char empty[160];
    BenchChild child;

    path_in(input, "none", empty, sizeof empty);
    setenv(RULES, empty, 1);
    child = run(input, "kineto");
    if (rules != NULL) {
        setenv(RULES, rules, 1);
    } else {
        unsetenv(RULES);
    }
    free(rules);
    return child;
}

/* CPU seconds of a whole run; below 0: it failed. */
static double run_seconds(const Input *input, const char *pipeline)
{
    const BenchChild child = run(input, pipeline);

    return child.status == 0 ? (double) (child.user_ns + child.system_ns) / 1e9 : -1;
}

static double breakdown_seconds(const Input *input)
{
    char pipeline[160];

    path_in(input, "breakdown.json", pipeline, sizeof pipeline);
    return run_seconds(input, pipeline);
}

static bool tenth_of_breakdown(void *context, BenchSample *sample)
{
    return in_seconds(ALLOWED_SHARE * breakdown_seconds(context), sample);
}

/* ---- a whole run ---- */

static bool whole_run(void *context, BenchSample *sample)
{
    return in_seconds(run_seconds(context, "kineto"), sample);
}

static bool allowed_run(void *context, BenchSample *sample)
{
    return in_seconds(ALLOWED_RUN * breakdown_seconds(context), sample);
}

/* ---- memory ---- */

static bool size_sample(double bytes, BenchSample *sample)
{
    *sample = (BenchSample){ .amount = bytes, .seconds = 1, .cpu_seconds = 1 };
    return bytes > 0;
}

static bool results(void *context, BenchSample *sample)
{
    const Input *input = context;
    char output[160];

    path_in(input, "out", output, sizeof output);
    return run(input, "kineto").status == 0 && size_sample(TreeBytes(output), sample);
}

static bool input_bytes(void *context, BenchSample *sample)
{
    const Input *input = context;

    return size_sample(TreeBytes(input->path), sample);
}

/* What a run with rules takes more than one without. */
static bool more_memory(void *context, BenchSample *sample)
{
    const BenchChild with = run(context, "kineto");
    const BenchChild without = run_without_rules(context);
    const double more = (double) with.peak_bytes - (double) without.peak_bytes;

    return with.status == 0 && without.status == 0 && size_sample(more > 1 ? more : 1, sample);
}

static bool allowed_memory(void *context, BenchSample *sample)
{
    (void) context;
    return size_sample(ALLOWED_BYTES, sample);
}

/* ---- inputs and cases ---- */

static bool make(Input *input, uint64_t ranks, uint64_t steps)
{
    char command[512];

    path_in(input, input->name, input->path, sizeof input->path);
    snprintf(command, sizeof command, "python3 '%s' '%s' %llu %llu", BENCH_MAKE_RANKS, input->path,
             (unsigned long long) ranks, (unsigned long long) steps);
    return system(command) == 0;
}

static bool write_breakdown(const Input *input)
{
    char path[160];
    FILE *file;
    bool is_good;

    path_in(input, "breakdown.json", path, sizeof path);
    file = fopen(path, "w");
    is_good = file != NULL && fputs(breakdown, file) >= 0;
    return file != NULL && fclose(file) == 0 && is_good;
}

/* CPU time of the stage where no rule reads a table. */
static void report_unread(Bench *bench, const Input *input)
{
    char name[64];

    if (run_without_rules(input).status == 0) {
        snprintf(name, sizeof name, "advise-%s, no rule", input->name);
        BenchReport(bench, name, stage_seconds(input) * 1e3, "ms of CPU");
    }
}

static void run_cases(Bench *bench, Input *input)
{
    char time_name[64];
    char memory_name[64];

    snprintf(time_name, sizeof time_name, "advise-%s", input->name);
    snprintf(memory_name, sizeof memory_name, "advise-%s-memory", input->name);
    BenchRun(bench, &(BenchCase){ .name = memory_name,
                                  .unit = "MB",
                                  .scale = MB,
                                  .goal = 1,
                                  .is_size = true,
                                  .subject = { "allowed", allowed_memory, input },
                                  .peer = { "more than without rules", more_memory, input } });
    BenchRun(bench, &(BenchCase){
                        .name = time_name,
                        .unit = "runs/s of CPU",
                        .goal = 1,
                        .subject = { "advise", advise, input },
                        .peer = { "a tenth of the breakdown alone", tenth_of_breakdown, input } });
    report_unread(bench, input);
}

/* All that a run over many ranks costs. */
static void run_whole(Bench *bench, Input *input)
{
    BenchRun(bench, &(BenchCase){ .name = "ranks-run",
                                  .unit = "runs/s of CPU",
                                  .goal = 1,
                                  .subject = { "default run", whole_run, input },
                                  .peer = { "6 times the breakdown alone", allowed_run, input } });
    BenchRun(bench, &(BenchCase){ .name = "ranks-results",
                                  .unit = "MB",
                                  .scale = MB,
                                  .goal = 1,
                                  .is_size = true,
                                  .subject = { "input", input_bytes, input },
                                  .peer = { "results", results, input } });
}

int main(int argc, char **argv)
{
    char directory[96] = "";
    Input kernels = { .name = "kernels", .directory = directory };
    Input ranks = { .name = "ranks", .directory = directory };
    int status;
    Bench *bench = BenchOpen("bench_advise", argc, argv, &status);

    if (bench == NULL) {
        return status;
    }
    status = !TreeMake("bench-advise", directory, sizeof directory) ||
             !make(&kernels, 1, BenchAmount(bench, KERNELS) / KERNELS_A_STEP) ||
             !make(&ranks, BenchAmount(bench, RANKS), STEPS) || !write_breakdown(&kernels);
    if (status == 0) {
        run_cases(bench, &kernels);
        run_cases(bench, &ranks);
        run_whole(bench, &ranks);
    } else {
        fprintf(stderr, "bench_advise: cannot write traces\n");
    }
    TreeRemove(directory);
    return BenchClose(bench) != 0 ? 1 : status;
}
