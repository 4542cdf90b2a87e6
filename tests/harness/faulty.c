/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An analysis with one fault, chosen by -DFAULT_…; without any a good one. For
 * tests/harness/check.sh, which expects that the case of the checker that names the fault fails.
 */
#include <opprof/opprof.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Row {
    uint64_t count;
    double value;
    uint32_t name;
    uint32_t reserved;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, name, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY, .meaning = "A name."),
    OPPROF_FIELD(Row, count, OPPROF_FIELD_U64, .unit = "1", .meaning = "A count."),
#ifdef FAULT_TEXTS
    OPPROF_FIELD(Row, value, OPPROF_FIELD_F64, .unit = "us"),
#else
    OPPROF_FIELD(Row, value, OPPROF_FIELD_F64, .unit = "us", .meaning = "A value.",
                 .absent = "unknown"),
#endif
};
static const OpprofRecordType row_type =
    OPPROF_RECORD_TYPE(Row, 1, "test.row", "A row.", OPPROF_RECORD_TABLE, fields, "Rows", "rows");

typedef struct Faulty {
    OpprofStage *stage;
    char *buffer;
    uint64_t sum;
    bool started;
    const OpprofBatch *kept;
} Faulty;

#ifdef FAULT_SYMBOL
OPPROF_EXPORT void helper_of_mine(void);
OPPROF_EXPORT void helper_of_mine(void)
{
}
#endif

#ifdef FAULT_LOADS
__attribute__((constructor)) static void crash(void)
{
    abort();
}
#endif

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Faulty *self = calloc(1, sizeof *self);

#ifdef FAULT_MEMORY
    if (self == NULL) {
        abort();
    }
#endif
    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create an instance");
    }
    self->stage = stage;
#ifdef FAULT_CREATE_DESTROY
    static void *volatile lost;
    lost = malloc(100);
#endif
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *instance, const OpprofParams *params, OpprofError **error)
{
    Faulty *self = instance;

    (void) error;
    self->buffer = malloc(100);
#ifdef FAULT_DEFAULTS
    return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "The factor must be odd");
#endif
    (void) params;
    return self->buffer == NULL ? OpprofErrorNoMemory(error, "configure") : OPPROF_OK;
}

static OpprofStatus start(void *instance, OpprofError **error)
{
    Faulty *self = instance;

    (void) error;
    self->started = true;
    return OPPROF_OK;
}

#if defined(FAULT_THREADS)
static void *stay(void *unused)
{
    (void) unused;
    pause();
    return NULL;
}
#endif

static void misbehave(Faulty *self, const OpprofBatch *batch)
{
    (void) self;
    (void) batch;
#ifdef FAULT_READ_ONLY
    ((Row *) (uintptr_t) OpprofBatchRecord(batch, 0))->count = 7;
#endif
#ifdef FAULT_BATCHES
    self->kept = OpprofBatchRef(batch);
#endif
#ifdef FAULT_UNREF
    OpprofBatchUnref(batch);
#endif
#ifdef FAULT_STDOUT
    if (write(STDOUT_FILENO, "here I am\n", 10) != 10) {
        return;
    }
#endif
#ifdef FAULT_EXIT
    exit(0);
#endif
#ifdef FAULT_PROCESS
    signal(SIGINT, SIG_IGN);
#endif
#ifdef FAULT_STANDARD
    close(STDOUT_FILENO);
#endif
#ifdef FAULT_THREADS
    pthread_t thread;
    pthread_create(&thread, NULL, stay, NULL);
#endif
#ifdef FAULT_DESCRIPTORS
    (void) open("/dev/null", O_RDONLY);
#endif
#ifdef FAULT_ABSENT
    const Row *row = OpprofBatchRecord(batch, 0);
    if (OpprofIsNaF64(row->value)) {
        abort();
    }
#endif
}

static OpprofStatus process(void *instance, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Faulty *self = instance;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    (void) error;
    misbehave(self, batch);
    for (uint32_t i = 0; i < batch->count && status == OPPROF_OK; i++) {
        Row row = *(const Row *) OpprofBatchRecord(batch, i);

        self->sum += row.count;
#ifdef FAULT_PARTITIONS
        row.count = self->sum;
#endif
#ifdef FAULT_BATCH_SIZES
        row.count = i;
#endif
#ifdef FAULT_ROWS
        continue;
#endif
        status = OpprofStageAppend(self->stage, 0, batch->partition, &row);
    }
#ifdef FAULT_ABORT
    while (OpprofStagePushOpen(self->stage, 0, 0) == OPPROF_CLOSED) { /* tries again for ever */
        OpprofStageAppend(self->stage, 0, 0, OpprofBatchRecord(batch, 0));
    }
#endif
    return status == OPPROF_OK ? OpprofStagePushOpen(self->stage, 0, 0) : status;
}

static OpprofStatus flush(void *instance, OpprofError **error)
{
    const Faulty *self = instance;

    (void) self;
    (void) error;
#ifdef FAULT_NO_INPUT
    if (self->sum == 0) {
        abort();
    }
#endif
#ifdef FAULT_FAILED_INPUT
    char *reasons = NULL;
    if (OpprofStageMissing(self->stage, &reasons) == OPPROF_OK && reasons != NULL) {
        abort();
    }
#endif
    return OPPROF_OK;
}

static OpprofStatus stop(void *instance, OpprofError **error)
{
    const Faulty *self = instance;

    (void) self;
    (void) error;
#ifdef FAULT_START
    if (self->sum == 0) {
        abort(); /* it was started, but nothing ever came */
    }
#endif
    return OPPROF_OK;
}

static void destroy(void *instance)
{
    Faulty *self = instance;

#ifdef FAULT_STATES
    if (!self->started) {
        abort();
    }
#endif
#ifdef FAULT_DESTROY_HANGS
    pause();
#endif
    free(self->buffer);
    free(self);
}

static const OpprofPort inputs[] = {
#ifdef FAULT_INPUT
    { .name = "in", .type = "test.unknown", .summary = "Rows." }
#else
    { .name = "in", .type = "test.row", .record_type = &row_type, .summary = "Rows." }
#endif
};
static const OpprofPort outputs[] = {
    { .name = "rows", .record_type = &row_type, .summary = "The same." }
};
static const OpprofParam params[] = { { .name = "factor",
                                        .type = OPPROF_PARAM_INT,
                                        .default_value = "2",
                                        .min = 1,
                                        .max = 10,
                                        .summary = "Does nothing." } };
static const OpprofPluginOps ops = { .struct_size = sizeof ops,
                                     .create = create,
                                     .configure = configure,
                                     .start = start,
                                     .process = process,
                                     .flush = flush,
                                     .stop = stop,
                                     .destroy = destroy };

OPPROF_PLUGIN_DEFINE(.name = FAULTY_NAME, .version = "1.0", .license = "Apache-2.0",
                     .summary = "Passes rows on.", .kind = OPPROF_ANALYSIS, .inputs = inputs,
                     .input_count = 1, .outputs = outputs, .output_count = 1, .params = params,
                     .param_count = 1, .ops = &ops);
