/* SPDX-License-Identifier: Apache-2.0 */
/* Record types and plugins that the tests of the pipeline share. */
#include "tests/core/run/fixtures.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

Seen seen;

void SeenReset(void)
{
    memset(&seen, 0, sizeof seen);
}

static const OpprofField number_fields[] = {
    OPPROF_FIELD(Number, value, OPPROF_FIELD_U64, .meaning = "The number."),
    OPPROF_FIELD(Number, partition, OPPROF_FIELD_U64, .meaning = "Its partition."),
};

const OpprofRecordType number_type = {
    .struct_size = sizeof number_type,
    .version = 1,
    .name = "test.number",
    .size = sizeof(Number),
    .fields = number_fields,
    .field_count = OPPROF_COUNT(number_fields),
};

typedef struct Plain {
    OpprofStage *stage;
    int64_t count;
    int64_t batch;
    int64_t partitions;
    int64_t fail_at;
    const char *fail_in;
    const char *file;
    const char *returns;
    const char *returns_in;
    bool stuck;
    const char *stuck_in;
    int64_t next;
    uint64_t last[64];
} Plain;

/* Names of the partitions as ids, for the collectors. */
static uint32_t partition_id(Plain *plain, uint64_t partition)
{
    char name[] = "part-00";

    name[5] = (char) ('0' + partition / 10);
    name[6] = (char) ('0' + partition % 10);
    return OpprofStageIntern(plain->stage, name, strlen(name));
}

static OpprofStatus odd_status(const char *name)
{
    static const struct {
        const char *name;
        OpprofStatus status;
    } odd[] = { { "end", OPPROF_END },
                { "again", OPPROF_AGAIN },
                { "closed", OPPROF_CLOSED },
                { "seven", (OpprofStatus) 7 } };

    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        if (strcmp(odd[i].name, name) == 0) {
            return odd[i].status;
        }
    }
    return OPPROF_OK;
}

static void wait_for_release(void)
{
    atomic_store(&seen.inside, 1);
    while (atomic_load(&seen.release) == 0) {
        sched_yield();
    }
}

static void get_stuck(const Plain *plain, const char *where)
{
    if (plain->stuck_in != NULL && strcmp(plain->stuck_in, where) == 0) {
        wait_for_release();
    }
}

static OpprofStatus fail(const Plain *plain, const char *where, OpprofError **error)
{
    get_stuck(plain, where);
    if (plain->returns != NULL && strcmp(plain->returns_in, where) == 0) {
        if (strcmp(plain->returns, "ok and an error") == 0) {
            OpprofErrorSet(error, OPPROF_E_DATA, "Left behind by %s", where);
        }
        return odd_status(plain->returns);
    }
    if (plain->fail_in != NULL && strcmp(plain->fail_in, where) == 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Told to fail in %s", where);
    }
    return OPPROF_OK;
}

static OpprofStatus plain_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Plain *plain = calloc(1, sizeof *plain);

    if (plain == NULL) {
        return OpprofErrorNoMemory(error, "create the stage");
    }
    plain->stage = stage;
    *ret_self = plain;
    return OPPROF_OK;
}

static OpprofStatus plain_configure(void *self, const OpprofParams *params, OpprofError **error)
{
    Plain *plain = self;

    plain->count = OpprofParamsInt(params, "count");
    plain->batch = OpprofParamsInt(params, "batch");
    plain->partitions = OpprofParamsInt(params, "partitions");
    plain->fail_at = OpprofParamsIsSet(params, "fail_at") ? OpprofParamsInt(params, "fail_at") : -1;
    plain->fail_in = OpprofParamsString(params, "fail_in");
    plain->file = OpprofParamsString(params, "file");
    plain->stuck = OpprofParamsBool(params, "stuck");
    plain->stuck_in = OpprofParamsString(params, "stuck_in");
    plain->returns = OpprofParamsString(params, "returns");
    plain->returns_in = OpprofParamsString(params, "returns_in");
    return fail(plain, "configure", error);
}

static OpprofStatus plain_start(void *self, OpprofError **error)
{
    return fail(self, "start", error);
}

static OpprofStatus plain_stop(void *self, OpprofError **error)
{
    atomic_fetch_add(&seen.stops, 1);
    return fail(self, "stop", error);
}

static void plain_destroy(void *self)
{
    get_stuck(self, "destroy");
    atomic_fetch_add(&seen.destroys, 1);
    free(self);
}

static void look_at_signals(void)
{
    sigset_t blocked;

    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    if (!sigismember(&blocked, SIGINT) || !sigismember(&blocked, SIGHUP) ||
        !sigismember(&blocked, SIGALRM) || sigismember(&blocked, SIGSEGV)) {
        atomic_fetch_add(&seen.open_to_signals, 1);
    }
}

/* Instance i of n makes the numbers that are i modulo n. */
static OpprofStatus numbers_process(void *self, uint32_t port, const OpprofBatch *nothing,
                                    OpprofError **error)
{
    Plain *plain = self;
    uint32_t instances = 1;
    uint32_t index = OpprofStageInstance(plain->stage, &instances);
    OpprofBatch *batch = OpprofStageNewBatch(plain->stage, 0);
    uint64_t partition = (uint64_t) (plain->next / plain->batch % plain->partitions);

    (void) port;
    (void) nothing;
    look_at_signals();
    if (plain->next >= plain->batch && plain->returns != NULL &&
        strcmp(plain->returns_in, "process") == 0) {
        OpprofBatchUnref(batch);
        return odd_status(plain->returns);
    }
    if (plain->stuck) {
        wait_for_release();
    }
    if (batch == NULL) {
        return OpprofErrorNoMemory(error, "create the stage");
    }
    batch->partition = partition_id(plain, partition);
    for (int64_t i = 0; i < plain->batch && plain->next < plain->count; i++, plain->next++) {
        if (plain->next % instances == index) {
            Number *number = OpprofBatchAppend(batch);
            *number = (Number){ (uint64_t) plain->next, partition };
        }
        if (plain->next == plain->fail_at) {
            OpprofBatchUnref(batch);
            return OpprofErrorSet(error, OPPROF_E_DATA, "Told to fail at %lld",
                                  (long long) plain->fail_at);
        }
    }
    atomic_fetch_add(&seen.produced, batch->count);
    OpprofStageProgress(plain->stage, (uint64_t) plain->next, (uint64_t) plain->count, "numbers");
    if (OpprofStagePush(plain->stage, 0, batch) == OPPROF_CLOSED) {
        return OPPROF_CLOSED;
    }
    return plain->next < plain->count ? OPPROF_OK : OPPROF_END;
}

static OpprofStatus plain_flush(void *self, OpprofError **error)
{
    atomic_fetch_add(&seen.flushes, 1);
    return fail(self, "flush", error);
}

static OpprofStatus pass_on(Plain *plain, const OpprofBatch *batch, uint64_t factor,
                            OpprofError **error)
{
    const Number *numbers = batch->records;
    OpprofBatch *out = OpprofStageNewBatch(plain->stage, 0);

    if (out == NULL) {
        return OpprofErrorNoMemory(error, "create the stage");
    }
    out->partition = batch->partition;
    for (uint32_t i = 0; i < batch->count; i++) {
        Number *number = OpprofBatchAppend(out);

        if (plain->fail_at >= 0 && numbers[i].value >= (uint64_t) plain->fail_at) {
            OpprofBatchUnref(out);
            return OpprofErrorSet(error, OPPROF_E_DATA, "Told to fail at %lld",
                                  (long long) plain->fail_at);
        }
        *number = (Number){ numbers[i].value * factor, numbers[i].partition };
    }
    return OpprofStagePush(plain->stage, 0, out);
}

static OpprofStatus double_process(void *self, uint32_t port, const OpprofBatch *batch,
                                   OpprofError **error)
{
    (void) port;
    return pass_on(self, batch, 2, error);
}

static OpprofStatus spread_process(void *self, uint32_t port, const OpprofBatch *batch,
                                   OpprofError **error)
{
    Plain *plain = self;
    const Number *numbers = batch->records;
    uint64_t partition = numbers[0].partition % 64;

    (void) port;
    if (plain->last[partition] > numbers[0].value) {
        atomic_fetch_add(&seen.out_of_order, 1);
    }
    plain->last[partition] = numbers[batch->count - 1].value;
    return pass_on(plain, batch, 1, error);
}

static OpprofStatus sum_process(void *self, uint32_t port, const OpprofBatch *batch,
                                OpprofError **error)
{
    Plain *plain = self;
    const Number *numbers = batch->records;

    (void) port;
    if (plain->returns != NULL && strcmp(plain->returns_in, "process") == 0) {
        return odd_status(plain->returns);
    }
    if (plain->stuck) {
        wait_for_release();
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        if (plain->fail_at >= 0 && numbers[i].value >= (uint64_t) plain->fail_at) {
            return OpprofErrorSet(error, OPPROF_E_DATA, "Told to fail at %lld",
                                  (long long) plain->fail_at);
        }
        atomic_fetch_add(&seen.sum, numbers[i].value);
    }
    atomic_fetch_add(&seen.consumed, batch->count);
    return OPPROF_OK;
}

static OpprofStatus sum_flush(void *self, OpprofError **error)
{
    Plain *plain = self;
    OpprofOutputFile *file = NULL;
    OpprofStatus status;

    if (plain->file != NULL) {
        status = OpprofOutputFileCreate(OpprofStageOutput(plain->stage), plain->file, &file, error);
        if (status != OPPROF_OK) {
            return status;
        }
        get_stuck(plain, "write");
        status = OpprofOutputFileWrite(file, "sum\n", 4, error);
        if (status != OPPROF_OK) {
            OpprofOutputFileDiscard(file);
            return OPPROF_E_IO; /* a plugin need not look closely */
        }
        status = OpprofOutputFileFinish(file, error);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return plain_flush(self, error);
}

static OpprofStatus crash_process(void *self, uint32_t port, const OpprofBatch *batch,
                                  OpprofError **error)
{
    volatile int *volatile nowhere = NULL;

    (void) self;
    (void) port;
    (void) batch;
    (void) error;
    *nowhere = 1;
    return OPPROF_OK;
}

static const char *const calls[] = { "configure", "start", "process", "flush", "stop", NULL };

static const OpprofParam params[] = {
    { .name = "count",
      .type = OPPROF_PARAM_INT,
      .default_value = "1000",
      .summary = "Numbers to make." },
    { .name = "batch",
      .type = OPPROF_PARAM_INT,
      .default_value = "10",
      .min = 1,
      .max = 64,
      .summary = "Numbers a batch." },
    { .name = "partitions",
      .type = OPPROF_PARAM_INT,
      .default_value = "1",
      .min = 1,
      .max = 64,
      .summary = "Partitions, batch by batch." },
    { .name = "fail_at", .type = OPPROF_PARAM_INT, .summary = "Number to fail at." },
    { .name = "fail_in",
      .type = OPPROF_PARAM_CHOICE,
      .choices = calls,
      .summary = "Call to fail in." },
    { .name = "stuck",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "false",
      .summary = "Wait inside process." },
    { .name = "stuck_in", .type = OPPROF_PARAM_STRING, .summary = "Call to wait in." },
    { .name = "file", .type = OPPROF_PARAM_STRING, .summary = "File to write." },
    { .name = "returns", .type = OPPROF_PARAM_STRING, .summary = "Status to return." },
    { .name = "returns_in",
      .type = OPPROF_PARAM_STRING,
      .default_value = "process",
      .summary = "Call to return it from." },
};

static const OpprofPort inputs[] = {
    { .name = "numbers", .type = "test.number", .flags = OPPROF_PORT_MANY, .summary = "Numbers." },
};

static const OpprofPort outputs[] = {
    { .name = "numbers", .record_type = &number_type, .batch_records = 64, .summary = "Numbers." },
};

#define OPS(process_function, flush_function)                                                      \
    {                                                                                              \
        .struct_size = sizeof(OpprofPluginOps), .create = plain_create,                            \
        .configure = plain_configure, .start = plain_start, .process = (process_function),         \
        .flush = (flush_function), .stop = plain_stop, .destroy = plain_destroy                    \
    }

static const OpprofPluginOps numbers_ops = OPS(numbers_process, plain_flush);
static const OpprofPluginOps double_ops = OPS(double_process, plain_flush);
static const OpprofPluginOps spread_ops = OPS(spread_process, plain_flush);
static const OpprofPluginOps sum_ops = OPS(sum_process, sum_flush);
static const OpprofPluginOps crash_ops = OPS(crash_process, plain_flush);

#define COMMON(plugin_name, plugin_kind, plugin_ops)                                               \
    .struct_size = sizeof(OpprofPlugin), .abi_major = OPPROF_ABI_MAJOR,                            \
    .abi_minor = OPPROF_ABI_MINOR, .name = (plugin_name), .version = "1.0",                        \
    .license = "Apache-2.0", .summary = "A test's.", .kind = (plugin_kind), .params = params,      \
    .param_count = OPPROF_COUNT(params), .ops = &(plugin_ops)
#define WITH_INPUT .inputs = inputs, .input_count = 1
#define WITH_OUTPUT .outputs = outputs, .output_count = 1

const OpprofPlugin numbers_plugin = { COMMON("numbers", OPPROF_COLLECTOR, numbers_ops),
                                      WITH_OUTPUT };
const OpprofPlugin many_plugin = { COMMON("many", OPPROF_COLLECTOR, numbers_ops), WITH_OUTPUT,
                                   .flags = OPPROF_PLUGIN_PARALLEL };
const OpprofPlugin double_plugin = { COMMON("double", OPPROF_ANALYSIS, double_ops), WITH_INPUT,
                                     WITH_OUTPUT };
const OpprofPlugin spread_plugin = { COMMON("spread", OPPROF_ANALYSIS, spread_ops), WITH_INPUT,
                                     WITH_OUTPUT, .flags = OPPROF_PLUGIN_PARTITIONED };
const OpprofPlugin sum_plugin = { COMMON("sum", OPPROF_EXPORTER, sum_ops), WITH_INPUT };
const OpprofPlugin crash_plugin = { COMMON("crash", OPPROF_EXPORTER, crash_ops), WITH_INPUT };
