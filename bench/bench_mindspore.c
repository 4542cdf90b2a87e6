/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mindspore: a million rows of an Ascend profiler's table into a database, against .import of
 * sqlite3; a sorted page of those rows that fit, against the same SQL in sqlite3; and the memory
 * that ten times the rows take.
 */
#include "bench/bench.h"
#include "bench/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#define ROWS UINT64_C(1000000)
#define MORE 10u        /* times the rows, for memory */
#define MORE_MEMORY 1.1 /* at most */
#define QUERY_SHARE 1.2 /* of the time of sqlite3, at most */
#define MB 1e6
#define TABLE "host_1_20250618083000000_ascend_ms/ASCEND_PROFILER_OUTPUT/kernel_details.csv"
#define SQL                                                                                        \
    "SELECT name, type, start_ns, duration_us FROM ascend_kernels WHERE duration_us > 50 AND type" \
    " = 'MatMul' ORDER BY duration_us DESC, rowid LIMIT 100"
#define CONDITIONS                                                                                 \
    "--where 'duration_us > 50' --where 'type = MatMul' --sort duration_us:desc --columns"         \
    " name,type,start_ns,duration_us --limit 100"

typedef struct Input {
    char directory[96]; /* of all */
    char pipeline[128];
    uint64_t rows;
} Input;

/* Its queue is filled by any number of rows, so that it does not count for memory. */
static const char tables_alone[] =
    "{ \"opprof_pipeline\": \"1.0\", \"vars\": { \"input\": { \"required\": true } }, \"queue\": "
    "{ \"bytes\": \"512KiB\" }, \"stages\": [\n"
    "{ \"id\": \"tables\", \"use\": \"ascend-tables\", \"params\": { \"input\": \"${input}\" } },\n"
    "{ \"id\": \"sqlite\", \"use\": \"sqlite\" } ] }\n";

static BenchChild run(const Input *input, const char *name)
{
    char from[160];
    char to[160];

    snprintf(from, sizeof from, "%s/%s", input->directory, name);
    snprintf(to, sizeof to, "%s/%s-results", input->directory, name);
    return BenchRunPipeline(input->pipeline, from, NULL, to);
}

static bool read_tables(void *context, BenchSample *sample)
{
    const Input *input = context;
    const BenchChild child = run(input, "many");
    const double seconds = (double) (child.user_ns + child.system_ns) / 1e9;

    *sample =
        (BenchSample){ .amount = (double) input->rows, .seconds = seconds, .cpu_seconds = seconds };
    return child.status == 0;
}

/* CPU seconds of a command of the shell. */
static bool run_command(const char *command, double amount, BenchSample *sample)
{
    const uint64_t before = BenchProcessCpu();
    const bool is_good = system(command) == 0;
    const double seconds = (double) (BenchProcessCpu() - before) / 1e9;

    *sample = (BenchSample){ .amount = amount, .seconds = seconds, .cpu_seconds = seconds };
    return is_good;
}

static bool import_table(void *context, BenchSample *sample)
{
    const Input *input = context;
    char command[512];

    snprintf(command, sizeof command,
             "rm -f '%s/imported' && sqlite3 '%s/imported' '.mode csv' '.import %s/many/" TABLE
             " kernels'",
             input->directory, input->directory, input->directory);
    return run_command(command, (double) input->rows, sample);
}

static bool query_page(void *context, BenchSample *sample)
{
    const Input *input = context;
    char command[512];

    snprintf(command, sizeof command,
             "\"$OPPROF_RUN\" --query ascend_kernels '%s/many-results' " CONDITIONS " >/dev/null",
             input->directory);
    return run_command(command, QUERY_SHARE, sample);
}

static bool select_page(void *context, BenchSample *sample)
{
    const Input *input = context;
    char command[512];

    snprintf(command, sizeof command,
             "sqlite3 '%s/many-results/results.sqlite' \"" SQL "\" >/dev/null", input->directory);
    return run_command(command, 1, sample);
}

static bool take_size(const Input *input, const char *name, double times, BenchSample *sample)
{
    const BenchChild child = run(input, name);

    *sample = (BenchSample){ .amount = times * (double) child.peak_bytes,
                             .seconds = 1,
                             .cpu_seconds = 1 };
    return child.status == 0;
}

static bool allowed_memory(void *context, BenchSample *sample)
{
    return take_size(context, "few", MORE_MEMORY, sample);
}

static bool taken_memory(void *context, BenchSample *sample)
{
    return take_size(context, "many", 1, sample);
}

/* ---- inputs and cases ---- */

static bool make(const Input *input, const char *name, uint64_t rows)
{
    char command[512];

    snprintf(command, sizeof command, "python3 '%s' '%s/%s' %llu", BENCH_MAKE_KERNELS,
             input->directory, name, (unsigned long long) rows);
    return system(command) == 0;
}

static bool make_all(Input *input)
{
    FILE *file;
    bool is_good;

    snprintf(input->pipeline, sizeof input->pipeline, "%s/tables.json", input->directory);
    file = fopen(input->pipeline, "w");
    is_good = file != NULL && fputs(tables_alone, file) >= 0;
    is_good = file != NULL && fclose(file) == 0 && is_good;
    return is_good && make(input, "few", input->rows / MORE) && make(input, "many", input->rows);
}

static void run_cases(Bench *bench, Input *input)
{
    BenchRun(bench, &(BenchCase){ .name = "mindspore-tables",
                                  .unit = "Mrows/s of CPU",
                                  .scale = 1e6,
                                  .goal = 1,
                                  .subject = { "ascend-tables and sqlite", read_tables, input },
                                  .peer = { ".import of sqlite3", import_table, input } });
    BenchRun(bench, &(BenchCase){ .name = "mindspore-query",
                                  .unit = "pages/s of CPU",
                                  .goal = 1,
                                  .subject = { "--query (1.2 times allowed)", query_page, input },
                                  .peer = { "sqlite3", select_page, input } });
    BenchRun(bench, &(BenchCase){ .name = "mindspore-memory",
                                  .unit = "MB",
                                  .scale = MB,
                                  .goal = 1,
                                  .is_size = true,
                                  .subject = { "allowed", allowed_memory, input },
                                  .peer = { "ten times the rows", taken_memory, input } });
}

int main(int argc, char **argv)
{
    Input input = { .directory = "" };
    int status;
    Bench *bench = BenchOpen("bench_mindspore", argc, argv, &status);

    if (bench == NULL) {
        return status;
    }
    /* The kernel joins pages to huge ones as time passes, which looks like more memory. */
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    input.rows = BenchAmount(bench, ROWS);
    status =
        !TreeMake("bench-mindspore", input.directory, sizeof input.directory) || !make_all(&input);
    if (status == 0) {
        run_cases(bench, &input);
    } else {
        fprintf(stderr, "bench_mindspore: cannot write tables\n");
    }
    TreeRemove(input.directory);
    return BenchClose(bench) != 0 ? 1 : status;
}
