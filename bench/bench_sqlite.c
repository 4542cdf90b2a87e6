/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_sqlite: spans of a run into a database with the exporter, beside a statement by which the
 * database copies the same rows from another one; and the memory that five times as many spans
 * take.
 */
#include "bench/bench.h"

#include <opprof/opprof.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SPANS 1000000u
#define NAMES 64u
#define ARGS_TEXT "{\"detail\":\"XD:X1=0x1,XN:X2=0x2\",\"pc_addr\":\"0x10f86000\"}"

extern const OpprofPlugin opprof_plugin_v0;

/* Rows that both sides write. */
typedef struct Work {
    char directory[256];
    uint64_t spans;
} Work;

static Work work;

/* ---- the exporter ---- */

typedef struct Source {
    OpprofStage *stage;
    uint32_t names[NAMES];
    uint32_t track;
    uint32_t keys[2];
    uint64_t done;
} Source;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Source *self = calloc(1, sizeof *self);

    (void) error;
    if (self == NULL) {
        return OPPROF_E_MEMORY;
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    static const OpprofTrack track = { .document = "trace", .process = "core0", .thread = "MTE2" };
    Source *self = context;

    (void) error;
    for (uint32_t i = 0; i < NAMES; i++) {
        char name[16];

        snprintf(name, sizeof name, "NAME_%u", i);
        self->names[i] = OpprofStageIntern(self->stage, name, strlen(name));
    }
    self->keys[0] = OpprofStageIntern(self->stage, "detail", strlen("detail"));
    self->keys[1] = OpprofStageIntern(self->stage, "pc_addr", strlen("pc_addr"));
    self->track = OpprofStageTrack(self->stage, &track);
    return OPPROF_OK;
}

static void fill(Source *self, OpprofBatch *batch, OpprofSpan *span)
{
    OpprofArg args[] = {
        { .key = self->keys[0], .kind = OPPROF_ARG_TEXT },
        { .key = self->keys[1], .kind = OPPROF_ARG_HEX, .value.u64 = 0x10f86000 },
    };

    OpprofBatchAppendText(batch, "XD:X1=0x1,XN:X2=0x2", 19, &args[0].value.text);
    *span = (OpprofSpan){ .start = self->done * 10,
                          .duration = 7,
                          .track = self->track,
                          .kind = OPPROF_SPAN_SLICE,
                          .name = self->names[self->done % NAMES],
                          .arg_count = 2,
                          .id = { OPPROF_NA_U32, 0 },
                          .group = { OPPROF_NA_U32, 0 } };
    OpprofBatchAppendText(batch, (const char *) args, sizeof args, &span->args);
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *unused,
                            OpprofError **error)
{
    Source *self = context;
    OpprofBatch *batch = OpprofStageNewBatch(self->stage, port);
    OpprofSpan *span = NULL;

    (void) unused;
    (void) error;
    while (batch != NULL && self->done < work.spans && (span = OpprofBatchAppend(batch)) != NULL) {
        fill(self, batch, span);
        self->done++;
    }
    if (batch == NULL) {
        return OPPROF_E_MEMORY;
    }
    const OpprofStatus status = OpprofStagePush(self->stage, port, batch);
    return status == OPPROF_OK && self->done == work.spans ? OPPROF_END : status;
}

static bool run_exporter(void *context, BenchSample *sample)
{
    static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                         .create = create,
                                         .start = start,
                                         .process = process,
                                         .destroy = free };
    static const OpprofPort port = { .name = "spans",
                                     .record_type = &opprof_span_type,
                                     .summary = "Made-up spans." };
    static const OpprofPlugin source = { .struct_size = sizeof(OpprofPlugin),
                                         .abi_major = OPPROF_ABI_MAJOR,
                                         .abi_minor = OPPROF_ABI_MINOR,
                                         .name = "source",
                                         .version = "1",
                                         .license = "Apache-2.0",
                                         .summary = "Made-up spans.",
                                         .kind = OPPROF_COLLECTOR,
                                         .outputs = &port,
                                         .output_count = 1,
                                         .ops = &ops };
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofRunReport report = { 0 };
    bool is_good = pipeline != NULL;

    (void) context;
    is_good = is_good &&
              AddPluginDescriptor(pipeline, "source", &source, NULL, NULL) == OPPROF_OK &&
              AddPluginDescriptor(pipeline, "sqlite", &opprof_plugin_v0,
                                  "{\"formats\": [\"spans\"]}", NULL) == OPPROF_OK &&
              OpprofPipelineSetOutput(pipeline, work.directory, true, NULL) == OPPROF_OK &&
              RunAllPlugins(pipeline, &report, NULL) == OPPROF_OK &&
              report.outcome == OPPROF_RUN_COMPLETE;
    sample->amount = (double) work.spans;
    OpprofRunReportFinish(&report);
    OpprofPipelineDestroy(pipeline);
    return is_good;
}

/* ---- the same rows, copied by the database itself ---- */

#define COLUMNS                                                                                    \
    "(track INTEGER, kind INTEGER, name INTEGER, category INTEGER, colour INTEGER,"                \
    " start_us REAL, duration_us REAL, id TEXT, tied TEXT, args TEXT)"

static bool insert_all(sqlite3 *database, sqlite3_stmt *insert)
{
    for (uint64_t i = 0; i < work.spans; i++) {
        sqlite3_bind_int64(insert, 1, 0);
        sqlite3_bind_int64(insert, 2, 1);
        sqlite3_bind_int64(insert, 3, (sqlite3_int64) (i % NAMES) + 1);
        sqlite3_bind_double(insert, 6, (double) i / 100);
        sqlite3_bind_double(insert, 7, 0.007);
        sqlite3_bind_text(insert, 10, ARGS_TEXT, sizeof ARGS_TEXT - 1, SQLITE_STATIC);
        if (sqlite3_step(insert) != SQLITE_DONE) {
            return false;
        }
        sqlite3_reset(insert);
    }
    return sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

static sqlite3 *open_database(const char *name)
{
    sqlite3 *database = NULL;
    char path[300];

    snprintf(path, sizeof path, "%s/%s", work.directory, name);
    unlink(path);
    if (sqlite3_open(path, &database) != SQLITE_OK ||
        sqlite3_exec(database,
                     "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                     "CREATE TABLE spans" COLUMNS,
                     NULL, NULL, NULL) != SQLITE_OK) {
        sqlite3_close(database);
        return NULL;
    }
    return database;
}

/* A database with the rows that run_copy copies. */
static bool make_rows(void)
{
    sqlite3 *database = open_database("rows.sqlite");
    sqlite3_stmt *insert = NULL;
    const bool is_good =
        database != NULL && sqlite3_exec(database, "BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(database, "INSERT INTO spans VALUES(?,?,?,?,?,?,?,?,?,?)", -1, &insert,
                           NULL) == SQLITE_OK &&
        insert_all(database, insert);

    sqlite3_finalize(insert);
    sqlite3_close(database);
    return is_good;
}

static bool run_copy(void *context, BenchSample *sample)
{
    sqlite3 *database = open_database("copy.sqlite");
    char statement[400];

    (void) context;
    snprintf(statement, sizeof statement,
             "ATTACH '%s/rows.sqlite' AS made; BEGIN;"
             "INSERT INTO spans SELECT * FROM made.spans WHERE kind > 0; COMMIT",
             work.directory);
    const bool is_good =
        database != NULL && sqlite3_exec(database, statement, NULL, NULL, NULL) == SQLITE_OK;
    sample->amount = (double) work.spans;
    sqlite3_close(database);
    return is_good;
}

/* ---- memory ---- */

/* Peak memory of a child that writes so many spans, in MB; below 0: it failed. */
static double peak_of(uint64_t spans)
{
    struct rusage usage = { 0 };
    int status = 1;
    const pid_t child = fork();

    if (child == 0) {
        BenchSample sample = { 0 };

        work.spans = spans;
        _exit(run_exporter(NULL, &sample) ? 0 : 1);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        return -1;
    }
    return (double) usage.ru_maxrss / 1024;
}

int main(int argc, char **argv)
{
    int status = 0;
    Bench *bench = BenchOpen("bench_sqlite", argc, argv, &status);
    const BenchCase one = { .name = "spans into a database",
                            .unit = "Mspans/s",
                            .scale = 1e6,
                            .subject = { "sqlite, with indices", run_exporter, NULL },
                            .peer = { "INSERT ... SELECT", run_copy, NULL } };
    const char *parent = getenv("TMPDIR");
    char command[300];

    if (bench == NULL) {
        return status;
    }
    snprintf(work.directory, sizeof work.directory, "%s/opprof-bench-XXXXXX",
             parent != NULL ? parent : "/tmp");
    if (mkdtemp(work.directory) == NULL) {
        perror("bench_sqlite");
        return 1;
    }
    work.spans = BenchAmount(bench, SPANS);
    BenchReport(bench, "peak memory, spans", peak_of(work.spans), "MB");
    BenchReport(bench, "peak memory, five times as many", peak_of(5 * work.spans), "MB");
    if (make_rows()) {
        BenchRun(bench, &one);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", work.directory);
    if (system(command) != 0) {
        fprintf(stderr, "bench_sqlite: cannot remove %s\n", work.directory);
    }
    return BenchClose(bench);
}
