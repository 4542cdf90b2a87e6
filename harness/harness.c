/* SPDX-License-Identifier: Apache-2.0 */
/* One plugin between made-up neighbours, in a real run. Tested by tests/harness/test_harness. */
#include "harness/tasks.h"

#include <opprof/harness.h>

#include <opprof/grow.h>
#include <opprof/opprof.h>
#include <opprof/text.h>

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PORTS_MAX 32
#define ABORT_WAIT_NS 3000000
#define STUCK_LOOKS 1000 /* ABORT_WAIT_NS apart; 3 s at least */
#define STILL_LOOKS 3

/* A batch that waits to be given. */
typedef struct Given {
    OpprofBatchPool *pool; /* for this batch alone, so that nothing else uses its memory */
    OpprofBatch *batch;    /* NULL: given */
    uint32_t port;         /* of the collector before the plugin */
    uint32_t order;        /* number of its partition */
    void *pages;           /* read-only copy of records and blob; NULL: none */
    size_t page_bytes;
} Given;

/* Batches that an output port gave. */
typedef struct Lines {
    char **texts;
    uint32_t *partitions;
    size_t count;
    size_t capacity;
    size_t partition_capacity;
} Lines;

struct OpprofHarness {
    OpprofHarness *next;
    unsigned number;
    OpprofHarnessOptions options;
    const OpprofPlugin *original;
    OpprofPlugin plugin; /* the same, with the operations below */
    OpprofPluginOps ops;
    OpprofPlugin before, after;
    OpprofPort before_ports[PORTS_MAX], after_ports[PORTS_MAX];
    uint32_t port_of_input[PORTS_MAX]; /* of the collector; PORTS_MAX: not connected */
    OpprofStage *before_stage, *after_stage;
    OpprofPipeline *pipeline;
    OpprofRunReport report;
    Given *given;
    size_t given_count, given_capacity, next_given;
    Lines lines[PORTS_MAX];
    char *directory;        /* of the results */
    OpprofScratch *scratch; /* holds them if the caller names none */
    sem_t looked;           /* once for each time that the run looked for requests */
    /* of process and flush, of any instance, counted when they begin and when they end */
    atomic_uint calls;
    atomic_bool is_aborted;
    bool is_short_of_memory;
};

/* Harnesses by number, since a stage knows only its id. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list */
static OpprofHarness *harnesses;
static unsigned harness_count;

static OpprofHarness *harness_of(const OpprofStage *stage)
{
    const char *dash = strrchr(OpprofStageId(stage), '-');
    const unsigned number = dash == NULL ? 0 : (unsigned) strtoul(dash + 1, NULL, 10);
    OpprofHarness *found;

    pthread_mutex_lock(&lock);
    for (found = harnesses; found != NULL && found->number != number; found = found->next) {
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- the plugin, and what fails in its place ---- */

/* The collector and the exporter at its sides have this as their instance, too. */
typedef struct Shim {
    OpprofHarness *harness;
    OpprofStage *stage;
    void *self;
} Shim;

static OpprofStatus shim_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Shim *shim = calloc(1, sizeof *shim);
    OpprofStatus status = OPPROF_OK;

    if (shim == NULL) {
        return OpprofErrorNoMemory(error, "create an instance");
    }
    shim->harness = harness_of(stage);
    shim->stage = stage;
    if (shim->harness->original->ops->create != NULL) {
        status = shim->harness->original->ops->create(stage, &shim->self, error);
    }
    if (status != OPPROF_OK) {
        free(shim);
        return status;
    }
    *ret_self = shim;
    return OPPROF_OK;
}

static OpprofStatus shim_configure(void *self, const OpprofParams *params, OpprofError **error)
{
    const Shim *shim = self;
    const OpprofHarness *harness = shim->harness;

    if (harness->options.failure == OPPROF_HARNESS_FAIL_CONFIGURE) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Refused on purpose");
    }
    return harness->original->ops->configure == NULL
               ? OPPROF_OK
               : harness->original->ops->configure(shim->self, params, error);
}

static OpprofStatus shim_start(void *self, OpprofError **error)
{
    const Shim *shim = self;
    const OpprofHarness *harness = shim->harness;

    if (harness->options.failure == OPPROF_HARNESS_FAIL_START) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Failed on purpose");
    }
    return harness->original->ops->start == NULL ? OPPROF_OK
                                                 : harness->original->ops->start(shim->self, error);
}

static OpprofStatus shim_process(void *self, uint32_t port, const OpprofBatch *batch,
                                 OpprofError **error)
{
    const Shim *shim = self;
    OpprofHarness *harness = shim->harness;
    OpprofStatus status;

    atomic_fetch_add(&harness->calls, 1);
    status = harness->original->ops->process(shim->self, port, batch, error);
    atomic_fetch_add(&harness->calls, 1);
    return status;
}

static OpprofStatus shim_flush(void *self, OpprofError **error)
{
    const Shim *shim = self;
    OpprofHarness *harness = shim->harness;
    OpprofStatus status = OPPROF_OK;

    atomic_fetch_add(&harness->calls, 1);
    if (harness->original->ops->flush != NULL) {
        status = harness->original->ops->flush(shim->self, error);
    }
    atomic_fetch_add(&harness->calls, 1);
    return status;
}

static OpprofStatus shim_stop(void *self, OpprofError **error)
{
    const Shim *shim = self;

    return shim->harness->original->ops->stop == NULL
               ? OPPROF_OK
               : shim->harness->original->ops->stop(shim->self, error);
}

static void shim_destroy(void *self)
{
    Shim *shim = self;

    if (shim->harness->original->ops->destroy != NULL) {
        shim->harness->original->ops->destroy(shim->self);
    }
    free(shim);
}

/* ---- the neighbours ---- */

static OpprofStatus neighbour_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    OpprofHarness *harness = harness_of(stage);

    (void) error;
    if (strncmp(OpprofStageId(stage), "before", strlen("before")) == 0) {
        harness->before_stage = stage;
    } else {
        harness->after_stage = stage;
    }
    *ret_self = harness;
    return OPPROF_OK;
}

/* Collectors start last, so the plugin has started before this fails. */
static OpprofStatus before_start(void *self, OpprofError **error)
{
    const OpprofHarness *harness = self;

    return harness->options.failure == OPPROF_HARNESS_FAIL_NEIGHBOUR
               ? OpprofErrorSet(error, OPPROF_E_IO, "The neighbour failed on purpose")
               : OPPROF_OK;
}

/* The run looks for requests before each call. */
static void note_look(void *context, const OpprofProgress *progress)
{
    OpprofHarness *harness = context;

    (void) progress;
    sem_post(&harness->looked);
}

/*
 * Until nothing moves: all instances of the plugin wait, as for room in a full queue, or have made
 * their last call. No event reports that another thread has gone to sleep, so this looks again
 * after a pause.
 */
static void wait_until_stuck(OpprofHarness *harness)
{
    const struct timespec moment = { .tv_nsec = ABORT_WAIT_NS };
    unsigned before = atomic_load(&harness->calls);
    unsigned still = 0;

    for (unsigned i = 0; i < STUCK_LOOKS && still < STILL_LOOKS; i++) {
        nanosleep(&moment, NULL);
        const unsigned calls = atomic_load(&harness->calls);

        still = calls == before && TasksOthersAreAsleep() ? still + 1 : 0;
        before = calls;
    }
}

static void wait_for_look(OpprofHarness *harness)
{
    while (sem_wait(&harness->looked) != 0 && errno == EINTR) {
    }
}

/*
 * Nothing is taken meanwhile, so that a plugin which pushes finds its queue full. The abort is in
 * force when the run has looked for requests once more after the look that may have been under way.
 */
static void abort_run(OpprofHarness *harness)
{
    if (!atomic_exchange(&harness->is_aborted, true)) {
        if (harness->original->output_count > 0) {
            wait_until_stuck(harness);
        }
        OpprofPipelineStop(harness->pipeline, "aborted on purpose");
        OpprofPipelineStop(harness->pipeline, "aborted on purpose");
        while (sem_trywait(&harness->looked) == 0) {
        }
        wait_for_look(harness);
        wait_for_look(harness);
    }
}

static OpprofStatus before_process(void *self, uint32_t port, const OpprofBatch *batch,
                                   OpprofError **error)
{
    OpprofHarness *harness = self;
    Given *given;

    (void) port;
    (void) batch;
    if (harness->next_given == harness->given_count) {
        return OPPROF_END;
    }
    if (harness->options.failure == OPPROF_HARNESS_FAIL_INPUT &&
        harness->next_given * 2 >= harness->given_count) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "The input failed on purpose");
    }
    given = &harness->given[harness->next_given++];
    if (harness->options.failure == OPPROF_HARNESS_FAIL_ABORT && harness->next_given == 2 &&
        harness->original->output_count == 0) {
        abort_run(harness);
    }
    OpprofBatch *mine = given->batch;
    given->batch = NULL;
    return OpprofStagePush(harness->before_stage, given->port, mine);
}

static void *keep_line(OpprofHarness *harness, Lines *lines, char *text, uint32_t partition)
{
    if (text == NULL ||
        !OpprofGrow(&lines->texts, &lines->capacity, lines->count + 1, sizeof *lines->texts) ||
        !OpprofGrow(&lines->partitions, &lines->partition_capacity, lines->count + 1,
                    sizeof *lines->partitions)) {
        harness->is_short_of_memory = true;
        free(text);
        return NULL;
    }
    lines->texts[lines->count] = text;
    lines->partitions[lines->count++] = partition;
    return text;
}

static char *line_of(const OpprofHarness *harness, const OpprofBatch *batch, const void *record)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);
    const char *before = "";

    for (uint32_t f = 0; out != NULL && f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];
        char number[OPPROF_TEXT_NUMBER];
        size_t length = 0;
        const char *value =
            OpprofFieldPrint(harness->after_stage, batch, field, record, number, &length);

        if (value != NULL) {
            fprintf(out, "%s%s=%.*s", before, field->name, (int) length, value);
            before = "\t";
        }
    }
    return out != NULL && fclose(out) == 0 ? text : NULL;
}

static OpprofStatus after_process(void *self, uint32_t port, const OpprofBatch *batch,
                                  OpprofError **error)
{
    OpprofHarness *harness = self;

    (void) error;
    for (uint32_t i = 0; i < batch->count; i++) {
        keep_line(harness, &harness->lines[port],
                  line_of(harness, batch, OpprofBatchRecord(batch, i)), batch->partition);
    }
    if (harness->options.failure == OPPROF_HARNESS_FAIL_ABORT) {
        abort_run(harness);
    }
    return OPPROF_OK;
}

static const OpprofPluginOps before_ops = { .struct_size = sizeof before_ops,
                                            .create = neighbour_create,
                                            .start = before_start,
                                            .process = before_process };
static const OpprofPluginOps after_ops = { .struct_size = sizeof after_ops,
                                           .create = neighbour_create,
                                           .process = after_process };

static OpprofPlugin neighbour(const char *name, uint32_t kind, const OpprofPluginOps *ops)
{
    return (OpprofPlugin){ .struct_size = sizeof(OpprofPlugin),
                           .abi_major = OPPROF_ABI_MAJOR,
                           .abi_minor = OPPROF_ABI_MINOR,
                           .name = name,
                           .version = OPPROF_VERSION,
                           .license = "Apache-2.0",
                           .summary = "The neighbour of the plugin under test.",
                           .kind = kind,
                           .ops = ops };
}

/* ---- building ---- */

static const OpprofRecordType *waist_type(const char *name)
{
    const OpprofRecordType *const types[] = { &opprof_span_type, &opprof_counter_type,
                                              &opprof_advice_type };

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i]->name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}

static const OpprofRecordType *input_type(const OpprofHarness *harness, uint32_t port)
{
    const OpprofPort *input = &harness->original->inputs[port];
    const OpprofRecordType *const *types = harness->options.input_types;

    if (types != NULL && types[port] != NULL) {
        return types[port];
    }
    return input->record_type != NULL ? input->record_type : waist_type(input->type);
}

static OpprofStatus make_before(OpprofHarness *harness, OpprofError **error)
{
    const OpprofPlugin *plugin = harness->original;

    harness->before = neighbour("before", OPPROF_COLLECTOR, &before_ops);
    harness->before.outputs = harness->before_ports;
    for (uint32_t i = 0; i < plugin->input_count && i < PORTS_MAX; i++) {
        const OpprofRecordType *type = input_type(harness, i);

        harness->port_of_input[i] = PORTS_MAX;
        if (type != NULL) {
            harness->port_of_input[i] = harness->before.output_count;
            harness->before_ports[harness->before.output_count++] =
                (OpprofPort){ .name = plugin->inputs[i].name,
                              .record_type = type,
                              .order = plugin->inputs[i].order,
                              .summary = "Records of the test." };
        } else if ((plugin->inputs[i].flags & OPPROF_PORT_OPTIONAL) == 0) {
            OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                           "The harness does not know the type '%s' of input '%s'",
                           plugin->inputs[i].type, plugin->inputs[i].name);
            OpprofErrorHint(error, "Name it in input_types");
            return OPPROF_E_ARGUMENT;
        }
    }
    return OPPROF_OK;
}

static void make_after(OpprofHarness *harness)
{
    harness->after = neighbour("after", OPPROF_EXPORTER, &after_ops);
    harness->after.inputs = harness->after_ports;
    for (uint32_t i = 0; i < harness->original->output_count && i < PORTS_MAX; i++) {
        harness->after_ports[harness->after.input_count++] =
            (OpprofPort){ .name = harness->original->outputs[i].name,
                          .type = OPPROF_ANY_RECORD,
                          .summary = "Kept for the test." };
    }
}

static void make_shim(OpprofHarness *harness)
{
    harness->ops = (OpprofPluginOps){ .struct_size = sizeof harness->ops,
                                      .create = shim_create,
                                      .configure = shim_configure,
                                      .start = shim_start,
                                      .process = shim_process,
                                      .flush = shim_flush,
                                      .stop = shim_stop,
                                      .destroy = shim_destroy };
    harness->plugin = *harness->original;
    harness->plugin.ops = &harness->ops;
}

static OpprofStatus link_ports(const OpprofHarness *harness, const char *from_stage,
                               const char *to_stage, const OpprofPort *ports, uint32_t count,
                               OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; i < count && status == OPPROF_OK; i++) {
        char from[160], to[160];

        snprintf(from, sizeof from, "%s-%u.%s", from_stage, harness->number, ports[i].name);
        snprintf(to, sizeof to, "%s-%u.%s", to_stage, harness->number, ports[i].name);
        status = OpprofPipelineLink(harness->pipeline, from, to, error);
    }
    return status;
}

static OpprofStatus add(const OpprofHarness *harness, const char *name, const OpprofPlugin *plugin,
                        const char *params, OpprofError **error)
{
    char id[32];

    snprintf(id, sizeof id, "%s-%u", name, harness->number);
    return AddPluginDescriptor(harness->pipeline, id, plugin, params, error);
}

static OpprofStatus build(OpprofHarness *harness, OpprofError **error)
{
    const OpprofHarnessOptions *options = &harness->options;
    OpprofStatus status = make_before(harness, error);

    make_after(harness);
    make_shim(harness);
    if (status == OPPROF_OK && harness->before.output_count > 0) {
        status = add(harness, "before", &harness->before, NULL, error);
    }
    if (status == OPPROF_OK) {
        status = add(harness, "stage", &harness->plugin, options->params_json, error);
    }
    if (status == OPPROF_OK && harness->after.input_count > 0) {
        status = add(harness, "after", &harness->after, NULL, error);
    }
    if (status == OPPROF_OK) {
        status = link_ports(harness, "before", "stage", harness->before_ports,
                            harness->before.output_count, error);
    }
    if (status == OPPROF_OK) {
        status = link_ports(harness, "stage", "after", harness->after_ports,
                            harness->after.input_count, error);
    }
    OpprofPipelineSetQueue(harness->pipeline, options->queue_batches, options->queue_bytes, 0);
    OpprofPipelineSetNow(harness->pipeline, options->now);
    OpprofPipelineSetTimeout(harness->pipeline, options->timeout_s);
    return status;
}

static OpprofStatus choose_directory(OpprofHarness *harness, OpprofError **error)
{
    const char *path = harness->options.output;

    if (path == NULL) {
        const OpprofStatus status = OpprofScratchMake(NULL, &harness->scratch, error);

        if (status != OPPROF_OK) {
            return status;
        }
        path = OpprofScratchPath(harness->scratch);
    }
    harness->directory = strdup(path);
    if (harness->directory == NULL) {
        return OpprofErrorNoMemory(error, "choose a directory for results");
    }
    return OpprofPipelineSetOutput(harness->pipeline, harness->directory, true, error);
}

OpprofStatus OpprofHarnessCreate(const OpprofPlugin *plugin, const OpprofHarnessOptions *options,
                                 OpprofHarness **ret_harness, OpprofError **error)
{
    OpprofHarness *harness = calloc(1, sizeof *harness);
    OpprofStatus status;

    *ret_harness = NULL;
    if (harness == NULL || (harness->pipeline = OpprofPipelineCreate()) == NULL) {
        free(harness);
        return OpprofErrorNoMemory(error, "create a harness");
    }
    harness->options = options != NULL ? *options : (OpprofHarnessOptions){ .params_json = NULL };
    harness->original = plugin;
    sem_init(&harness->looked, 0, 0);
    pthread_mutex_lock(&lock);
    harness->number = ++harness_count;
    harness->next = harnesses;
    harnesses = harness;
    pthread_mutex_unlock(&lock);
    status = choose_directory(harness, error);
    if (status == OPPROF_OK) {
        status = build(harness, error);
    }
    if (status != OPPROF_OK) {
        OpprofHarnessDestroy(harness);
        return status;
    }
    *ret_harness = harness;
    return OPPROF_OK;
}

/* ---- giving ---- */

uint32_t OpprofHarnessIntern(OpprofHarness *harness, const char *text)
{
    return harness->before_stage == NULL
               ? OPPROF_NA_STRING
               : OpprofStageIntern(harness->before_stage, text, strlen(text));
}

uint32_t OpprofHarnessClock(OpprofHarness *harness, const OpprofClock *clock)
{
    return harness->before_stage == NULL ? 0 : OpprofStageClock(harness->before_stage, clock);
}

uint32_t OpprofHarnessTrack(OpprofHarness *harness, const OpprofTrack *track)
{
    return harness->before_stage == NULL ? OPPROF_NA_U32
                                         : OpprofStageTrack(harness->before_stage, track);
}

const OpprofRecordType *OpprofHarnessInputType(const OpprofHarness *harness, uint32_t port)
{
    return port >= harness->original->input_count || harness->port_of_input[port] == PORTS_MAX
               ? NULL
               : harness->before_ports[harness->port_of_input[port]].record_type;
}

/* Records and blob move to pages that are then locked. False without memory. */
static bool lock_pages(Given *given)
{
    OpprofBatch *batch = given->batch;
    const size_t records = (size_t) batch->count * batch->type->size;
    char *pages;

    given->page_bytes = records + batch->blob_size + 1;
    pages =
        mmap(NULL, given->page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        return false;
    }
    given->pages = pages;
    memcpy(pages, batch->records, records);
    if (batch->blob_size > 0) {
        memcpy(pages + records, batch->blob, batch->blob_size);
    }
    batch->records = pages;
    batch->blob = batch->blob_size > 0 ? pages + records : batch->blob;
    return mprotect(pages, given->page_bytes, PROT_READ) == 0;
}

static uint32_t order_of(const OpprofHarness *harness, uint32_t partition)
{
    uint32_t highest = 0;

    for (size_t i = 0; i < harness->given_count; i++) {
        const Given *given = &harness->given[i];

        if (given->batch->partition == partition) {
            return given->order;
        }
        highest = given->order > highest ? given->order : highest;
    }
    return highest + 1;
}

static bool fill(OpprofHarness *harness, Given *given, const OpprofRecordType *type,
                 const OpprofHarnessRecords *records, uint32_t first, uint32_t count)
{
    OpprofText unused;

    given->pool = OpprofBatchPoolCreate(type, count, records->blob_size);
    given->batch = given->pool == NULL ? NULL : OpprofBatchPoolTake(given->pool);
    if (given->batch == NULL) {
        return false;
    }
    memcpy(given->batch->records, (const char *) records->records + (size_t) first * type->size,
           (size_t) count * type->size);
    given->batch->count = count;
    given->batch->clock = records->clock;
    if (records->partition != NULL) {
        given->batch->partition = OpprofHarnessIntern(harness, records->partition);
    }
    if (records->blob_size > 0 && OpprofBatchAppendText(given->batch, records->blob,
                                                        records->blob_size, &unused) != OPPROF_OK) {
        return false;
    }
    return (harness->options.flags & OPPROF_HARNESS_READ_ONLY) == 0 || lock_pages(given);
}

OpprofStatus OpprofHarnessGive(OpprofHarness *harness, uint32_t port,
                               const OpprofHarnessRecords *records, OpprofError **error)
{
    const OpprofRecordType *type = OpprofHarnessInputType(harness, port);
    const uint32_t step =
        harness->options.batch_records == 0 ? records->count : harness->options.batch_records;

    if (type == NULL) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Input %u is not connected", port);
    }
    for (uint32_t first = 0; first < records->count; first += step) {
        const uint32_t left = records->count - first;
        Given given = { .port = harness->port_of_input[port] };
        const bool good = OpprofGrow(&harness->given, &harness->given_capacity,
                                     harness->given_count + 1, sizeof *harness->given) &&
                          fill(harness, &given, type, records, first, left < step ? left : step);

        if (!good) {
            OpprofBatchUnref(given.batch);
            OpprofBatchPoolDestroy(given.pool);
            return OpprofErrorNoMemory(error, "give records to the plugin");
        }
        given.order = order_of(harness, given.batch->partition);
        harness->given[harness->given_count++] = given;
    }
    return OPPROF_OK;
}

/* ---- running ---- */

/* By the order of partitions, each in its own order: an insertion sort keeps equal ones as they
 * are. */
static void sort_partitions(OpprofHarness *harness, bool is_reversed)
{
    for (size_t i = 1; i < harness->given_count; i++) {
        const Given given = harness->given[i];
        size_t at = i;

        while (at > 0 && (is_reversed ? harness->given[at - 1].order < given.order
                                      : harness->given[at - 1].order > given.order)) {
            harness->given[at] = harness->given[at - 1];
            at--;
        }
        harness->given[at] = given;
    }
}

/* The partition that was given first comes last. */
static void rotate_partitions(OpprofHarness *harness)
{
    uint32_t last = 0;

    for (size_t i = 0; i < harness->given_count; i++) {
        last = harness->given[i].order > last ? harness->given[i].order : last;
    }
    for (size_t i = 0; i < harness->given_count; i++) {
        Given *given = &harness->given[i];
        given->order = given->order == 0 ? last : given->order - 1;
    }
    sort_partitions(harness, false);
}

OpprofStatus OpprofHarnessRun(OpprofHarness *harness, OpprofError **error)
{
    OpprofStatus status;

    if ((harness->options.flags & OPPROF_HARNESS_ROTATED) != 0) {
        rotate_partitions(harness);
    }
    if ((harness->options.flags & OPPROF_HARNESS_REVERSED) != 0) {
        sort_partitions(harness, true);
    }
    OpprofPipelineSetProgress(harness->pipeline, note_look, harness);
    status = RunAllPlugins(harness->pipeline, &harness->report, error);
    return harness->is_short_of_memory && status == OPPROF_OK
               ? OpprofErrorNoMemory(error, "keep what came out")
               : status;
}

const OpprofRunReport *OpprofHarnessReport(const OpprofHarness *harness)
{
    return &harness->report;
}

size_t OpprofHarnessCount(const OpprofHarness *harness, uint32_t port)
{
    return port < PORTS_MAX ? harness->lines[port].count : 0;
}

const char *OpprofHarnessLine(const OpprofHarness *harness, uint32_t port, size_t index)
{
    return index < OpprofHarnessCount(harness, port) ? harness->lines[port].texts[index] : NULL;
}

const char *OpprofHarnessPartition(const OpprofHarness *harness, uint32_t port, size_t index)
{
    return index < OpprofHarnessCount(harness, port)
               ? OpprofStageString(harness->after_stage, harness->lines[port].partitions[index])
               : NULL;
}

const char *OpprofHarnessDirectory(const OpprofHarness *harness)
{
    return harness->directory;
}

/* ---- the end ---- */

static void forget(OpprofHarness *harness)
{
    pthread_mutex_lock(&lock);
    for (OpprofHarness **at = &harnesses; *at != NULL; at = &(*at)->next) {
        if (*at == harness) {
            *at = harness->next;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

static uint32_t take_back(OpprofHarness *harness)
{
    uint32_t missing = 0;

    for (size_t i = 0; i < harness->given_count; i++) {
        Given *given = &harness->given[i];

        OpprofBatchUnref(given->batch);
        missing += OpprofBatchPoolInUse(given->pool);
        OpprofBatchPoolDestroy(given->pool);
        if (given->pages != NULL) {
            munmap(given->pages, given->page_bytes);
        }
    }
    free(harness->given);
    return missing;
}

uint32_t OpprofHarnessDestroy(OpprofHarness *harness)
{
    uint32_t missing;

    if (harness == NULL) {
        return 0;
    }
    OpprofPipelineDestroy(harness->pipeline);
    sem_destroy(&harness->looked);
    missing = take_back(harness);
    forget(harness);
    for (uint32_t port = 0; port < PORTS_MAX; port++) {
        for (size_t i = 0; i < harness->lines[port].count; i++) {
            free(harness->lines[port].texts[i]);
        }
        free(harness->lines[port].texts);
        free(harness->lines[port].partitions);
    }
    OpprofScratchRemove(harness->scratch);
    free(harness->directory);
    OpprofRunReportFinish(&harness->report);
    free(harness);
    return missing;
}
