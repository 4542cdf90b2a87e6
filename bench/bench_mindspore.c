/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mindspore: a million rows of an Ascend profiler's table into a database, against .import of
 * sqlite3; a sorted page of those rows that fit, against the same SQL in sqlite3; and the memory
 * that ten times the rows take. The log of an older profiler to executions by operator, against
 * copying its bytes and against a decoder in Python; and the memory for ten times the log.
 */
#include "bench/bench.h"
#include "bench/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define ROWS UINT64_C(1000000)
#define MORE 10u        /* times the rows, for memory */
#define MORE_MEMORY 1.1 /* at most */
#define QUERY_SHARE 1.2 /* of the time of sqlite3, at most */
#define MB 1e6
#define LOG_MB 640u
#define PYTHON_TIMES 6.0   /* a decoder in Python, at least */
#define COPY_SHARE 0.1     /* of the speed of copying, at least */
#define PIECE (256u << 10) /* that is copied at a time, as the collector reads it */
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
    char logs[128]; /* pipeline of the older profiler */
    uint64_t rows;
    uint64_t megabytes;
} Input;

static const char logs_alone[] =
    "{ \"opprof_pipeline\": \"1.0\", \"vars\": { \"input\": { \"required\": true } }, \"queue\": "
    "{ \"bytes\": \"512KiB\" }, \"stages\": [\n"
    "{ \"id\": \"dump\", \"use\": \"collect-mindspore\", \"params\": { \"input\": \"${input}\" } "
    "},\n"
    "{ \"id\": \"logs\", \"use\": \"parse-mindspore\" },\n"
    "{ \"id\": \"operators\", \"use\": \"mindspore-operators\" },\n"
    "{ \"id\": \"csv\", \"use\": \"csv\" } ] }\n";

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

/* ---- logs ---- */

static BenchChild read_log(const Input *input, const char *name)
{
    char from[160];
    char to[160];

    snprintf(from, sizeof from, "%s/%s", input->directory, name);
    snprintf(to, sizeof to, "%s/%s-results", input->directory, name);
    return BenchRunPipeline(input->logs, from, NULL, to);
}

/* CPU seconds for the bytes of the long log. */
static bool take_log(void *context, BenchSample *sample)
{
    const Input *input = context;
    const BenchChild child = read_log(input, "long");
    const double seconds = (double) (child.user_ns + child.system_ns) / 1e9;

    *sample = (BenchSample){ .amount = (double) input->megabytes * MB,
                             .seconds = seconds,
                             .cpu_seconds = seconds };
    return child.status == 0;
}

/* The same number of bytes from one place of memory to another, a tenth as fast. */
static bool copy_log(void *context, BenchSample *sample)
{
    const Input *input = context;
    const size_t bytes = (size_t) 64 << 20;
    char *from = malloc(bytes);
    char *to = malloc(PIECE);
    double done = 0;

    if (from == NULL || to == NULL) {
        free(from);
        free(to);
        return false;
    }
    memset(from, 1, bytes);
    const uint64_t before = BenchThreadCpu();
    for (size_t at = 0; done < (double) input->megabytes * MB; at = (at + PIECE) % bytes) {
        memcpy(to, from + at, PIECE);
        __asm__ volatile("" : : "r"(to) : "memory");
        done += PIECE;
    }
    const double seconds = (double) (BenchThreadCpu() - before) / 1e9;
    *sample =
        (BenchSample){ .amount = COPY_SHARE * done, .seconds = seconds, .cpu_seconds = seconds };
    free(from);
    free(to);
    return true;
}

static bool decode_log(void *context, BenchSample *sample)
{
    const Input *input = context;
    char command[512];

    snprintf(command, sizeof command, "python3 '%s' --read '%s/short' >/dev/null", BENCH_MAKE_HWTS,
             input->directory);
    return run_command(command, PYTHON_TIMES * (double) input->megabytes / MORE * MB, sample);
}

static bool take_log_size(const Input *input, const char *name, double times, BenchSample *sample)
{
    const BenchChild child = read_log(input, name);

    *sample = (BenchSample){ .amount = times * (double) child.peak_bytes,
                             .seconds = 1,
                             .cpu_seconds = 1 };
    return child.status == 0;
}

static bool allowed_log_memory(void *context, BenchSample *sample)
{
    return take_log_size(context, "short", MORE_MEMORY, sample);
}

static bool taken_log_memory(void *context, BenchSample *sample)
{
    return take_log_size(context, "long", 1, sample);
}

static bool make_log(const Input *input, const char *name, uint64_t megabytes)
{
    char command[512];

    snprintf(command, sizeof command, "python3 '%s' '%s/%s' %llu", BENCH_MAKE_HWTS,
             input->directory, name, (unsigned long long) megabytes);
    return system(command) == 0;
}

/* ---- inputs and cases ---- */

static bool write_pipeline(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool is_good = file != NULL && fputs(text, file) >= 0;

    return file != NULL && fclose(file) == 0 && is_good;
}

static bool make(const Input *input, const char *name, uint64_t rows)
{
    char command[512];

    snprintf(command, sizeof command, "python3 '%s' '%s/%s' %llu", BENCH_MAKE_KERNELS,
             input->directory, name, (unsigned long long) rows);
    return system(command) == 0;
}

static bool make_all(Input *input)
{
    snprintf(input->pipeline, sizeof input->pipeline, "%s/tables.json", input->directory);
    snprintf(input->logs, sizeof input->logs, "%s/logs.json", input->directory);
    return write_pipeline(input->pipeline, tables_alone) &&
           write_pipeline(input->logs, logs_alone) &&
           make_log(input, "short", input->megabytes / MORE) &&
           make_log(input, "long", input->megabytes) && make(input, "few", input->rows / MORE) &&
           make(input, "many", input->rows);
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
    /* First, since a child seems to have as much memory as this process once had. */
    BenchRun(bench, &(BenchCase){ .name = "mindspore-hwts-memory",
                                  .unit = "MB",
                                  .scale = MB,
                                  .goal = 1,
                                  .is_size = true,
                                  .subject = { "allowed", allowed_log_memory, input },
                                  .peer = { "ten times the log", taken_log_memory, input } });
    BenchRun(bench, &(BenchCase){ .name = "mindspore-hwts-copy",
                                  .unit = "MB/s of CPU",
                                  .scale = MB,
                                  .goal = 1,
                                  .subject = { "log to executions by operator", take_log, input },
                                  .peer = { "memcpy, a tenth of it", copy_log, input } });
    BenchRun(bench, &(BenchCase){ .name = "mindspore-hwts-python",
                                  .unit = "MB/s of CPU",
                                  .scale = MB,
                                  .goal = 1,
                                  .subject = { "log to executions by operator", take_log, input },
                                  .peer = { "Python, six times of it", decode_log, input } });
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
    input.megabytes = BenchAmount(bench, LOG_MB);
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
