/* SPDX-License-Identifier: Apache-2.0 */
/*
 * l2-cache: runs the global memory accesses of an instrumented launch through a model of the chip's
 * L2 cache, and says what hit, what missed, and why.
 * Tested by tests/plugins/analyse-dbi/test_kernels.sh.
 */
#include "tables.h"

#include <opprof/grow.h>
#include <opprof/kit/block_cores.h>
#include <opprof/kit/facts.h>
#include <opprof/log.h>
#include <opprof/plugin.h>

#include <errno.h>
#include <inttypes.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SETS (1u << 20)
#define MIN_LINE 32u /* bytes */
#define MAX_LINE 65536u
#define LINES_A_LOOK (UINT64_C(1) << 20)         /* between checks whether the run should stop */
#define MAX_LINES_AFTER_STOP (UINT64_C(1) << 24) /* about a second; a stopped run ends soon */

/* A launch whose records are arriving. */
typedef struct CacheLaunch {
    struct CacheLaunch *next;
    TablePlace place;
    Model model;
    bool is_begun;   /* its chip is known */
    uint32_t global; /* interned name of the chip's memory, known after the first access */
    OpprofDbiOp op;  /* as the parser reports it */
    uint64_t late;   /* accesses that came when a stopped run had to end */
} CacheLaunch;

typedef struct L2Cache {
    OpprofStage *stage;
    const char *policy;
    uint64_t seed;
    uint32_t sets; /* 0: as the chip file states */
    uint32_t ways;
    uint32_t line;
    const char *op_type;
    BufferList named;
    char **names;
    CacheLaunch *launches;
    uint64_t modelled;   /* launches */
    uint64_t unlooked;   /* lines since the last check */
    uint64_t after_stop; /* lines since the run should stop */
} L2Cache;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "model the L2 cache");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(L2Cache), ret_self, error);
}

/* A whole number, decimal or 0x…, followed by `end`. */
static bool read_number(const char **at, char end, uint64_t *ret_number)
{
    char *after;

    errno = 0;
    *ret_number = strtoull(*at, &after, 0);
    if (errno != 0 || **at < '0' || **at > '9' || *after != end) {
        return false;
    }
    *at = after + 1;
    return true;
}

/* "NAME:ADDRESS:BYTES" */
static OpprofStatus read_buffer(L2Cache *self, size_t index, const char *text, OpprofError **error)
{
    char *colon = self->names[index] = strdup(text);
    uint64_t first, bytes;

    if (colon == NULL) {
        return no_memory(error);
    }
    colon = strchr(colon, ':');
    const char *at = colon == NULL ? "" : colon + 1;
    if (colon == self->names[index] || !read_number(&at, ':', &first) ||
        !read_number(&at, '\0', &bytes) || bytes == 0 || first + (bytes - 1) < first) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                       "Parameter 'buffers' has '%s', which is not NAME:ADDRESS:BYTES", text);
        return OPPROF_E_ARGUMENT;
    }
    *colon = '\0';
    self->named.list[index] = (Buffer){
        .name = self->names[index], .first = first, .last = first + (bytes - 1), .stride = INT64_MIN
    };
    return OPPROF_OK;
}

static int by_first(const void *a, const void *b)
{
    const Buffer *x = a;
    const Buffer *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* By address, as the model requires. */
static OpprofStatus sort_buffers(BufferList *named, OpprofError **error)
{
    if (named->count > 0) {
        qsort(named->list, named->count, sizeof *named->list, by_first);
    }
    for (size_t i = 1; i < named->count; i++) {
        if (named->list[i].first <= named->list[i - 1].last) {
            OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter 'buffers': '%s' and '%s' overlap",
                           named->list[i - 1].name, named->list[i].name);
            return OPPROF_E_ARGUMENT;
        }
    }
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    L2Cache *self = context;
    const size_t count = OpprofParamsCount(params, "buffers");
    OpprofStatus status = OPPROF_OK;

    self->policy = OpprofParamsString(params, "policy");
    self->seed = (uint64_t) OpprofParamsInt(params, "seed");
    self->sets = (uint32_t) OpprofParamsInt(params, "sets");
    self->ways = (uint32_t) OpprofParamsInt(params, "ways");
    self->line = (uint32_t) OpprofParamsInt(params, "line");
    self->op_type = OpprofParamsString(params, "op_type");
    self->named.list = calloc(count + 1, sizeof *self->named.list);
    self->names = calloc(count + 1, sizeof *self->names);
    if (self->named.list == NULL || self->names == NULL) {
        return no_memory(error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        self->named.count = i + 1;
        status = read_buffer(self, i, OpprofParamsElement(params, "buffers", i), error);
    }
    return status == OPPROF_OK ? sort_buffers(&self->named, error) : status;
}

/* ---- the chip's cache ---- */

typedef struct L2Facts {
    uint32_t line; /* bytes; 0: the chip file states no cache */
    uint32_t ways;
    uint32_t sets;
    uint32_t slices;
    uint8_t policy; /* CachePolicy */
    bool is_hashed;
} L2Facts;

static const OpprofFactField l2_fields[] = {
    { "line", OPPROF_FACT_IS_WHOLE, .least = MIN_LINE, .most = MAX_LINE, .unit = "bytes",
      OPPROF_FACT_IN(L2Facts, line) },
    { "ways", OPPROF_FACT_IS_WHOLE, .least = 1, .most = CACHE_MAX_WAYS,
      OPPROF_FACT_IN(L2Facts, ways) },
    { "sets", OPPROF_FACT_IS_WHOLE, .least = 1, .most = MAX_SETS, OPPROF_FACT_IN(L2Facts, sets) },
    { "slices", OPPROF_FACT_IS_WHOLE, .least = 1, .otherwise = 1, OPPROF_FACT_IN(L2Facts, slices) },
    { "hash", OPPROF_FACT_IS_CHOICE, .from = "'modulo','xor'", OPPROF_FACT_IN(L2Facts, is_hashed) },
    { "policy", OPPROF_FACT_IS_CHOICE, .from = "'lru','fifo','plru','random'",
      OPPROF_FACT_IN(L2Facts, policy) },
    { .name = NULL },
};

static bool check_l2(const void *object, OpprofFactReport *report)
{
    const L2Facts *l2 = object;

    if ((l2->line & (l2->line - 1)) != 0) {
        OpprofFactMistake(report, "line", "%u is not a power of two", l2->line);
    }
    if ((uint64_t) l2->sets * l2->ways > CACHE_MAX_LINES) {
        OpprofFactMistake(report, NULL, "more than %u lines", CACHE_MAX_LINES);
    }
    return true;
}

static const OpprofFactField cache_fields[] = {
    { "l2", OPPROF_FACT_IS_OBJECT, .of = l2_fields, .check = check_l2 },
    { .name = NULL },
};
static const OpprofFactTable cache_table = { .fields = cache_fields, .size = sizeof(L2Facts) };

/* NULL, or why there is no model: parameters may be wrong, or do not fit to
 * what the chip states. */
static const char *read_geometry(const L2Cache *self, const L2Facts *facts, CacheGeometry *geometry)
{
    const uint32_t line = self->line > 0 ? self->line : facts->line;

    *geometry = (CacheGeometry){ .ways = self->ways > 0 ? self->ways : facts->ways,
                                 .sets = self->sets > 0 ? self->sets : facts->sets,
                                 .slices = facts->slices,
                                 .is_hashed = facts->is_hashed,
                                 .policy = (CachePolicy) facts->policy,
                                 .seed = self->seed };
    if (line == 0 || geometry->ways == 0 || geometry->sets == 0) {
        return "the chip file states no L2 cache ('caches.l2': line, ways, sets)";
    }
    if ((line & (line - 1)) != 0 || line < MIN_LINE || line > MAX_LINE) {
        return "a line is a power of two from 32 to 65536 bytes";
    }
    if (geometry->ways > CACHE_MAX_WAYS || geometry->sets > MAX_SETS ||
        (uint64_t) geometry->sets * geometry->ways > CACHE_MAX_LINES) {
        return "an L2 cache has at most 64 ways, 1048576 sets and 67108864 lines";
    }
    if (strcmp(self->policy, "chip") != 0) {
        CachePolicyOf(self->policy, &geometry->policy); /* one of the parameter's choices */
    }
    geometry->line_shift = (uint32_t) __builtin_ctz(line);
    return NULL;
}

static OpprofStatus begin(L2Cache *self, CacheLaunch *launch, const OpprofDbiAccess *first,
                          OpprofError **error)
{
    const char *name = OpprofStageString(self->stage, first->chip);
    CacheGeometry geometry = { .ways = 0 };
    L2Facts facts;
    OpprofChip *chip = NULL;
    OpprofStatus status = OpprofChipLoad(name, &chip, error);

    if (status == OPPROF_OK) {
        status = OpprofFactsBind(chip, "caches", &cache_table, &facts, error);
    }
    if (status != OPPROF_OK) {
        OpprofChipFree(chip);
        return status;
    }
    const char *why = read_geometry(self, &facts, &geometry);
    if (why != NULL) {
        OpprofStageWarn(self->stage, "Launch '%s' on '%s': hits and misses are NA: %s",
                        OpprofStageString(self->stage, launch->place.partition), name, why);
    }
    OpprofChipFree(chip);
    launch->is_begun = true;
    bool is_good = ModelInit(&launch->model, &geometry, why == NULL);
    for (size_t i = 0; is_good && i < self->named.count; i++) {
        is_good =
            ModelNameBuffer(&launch->model, self->named.list[i].first, self->named.list[i].last);
    }
    return is_good ? OPPROF_OK : no_memory(error);
}

/* ---- launches ---- */

static CacheLaunch *find_launch(L2Cache *self, uint32_t partition)
{
    CacheLaunch *launch = self->launches;

    while (launch != NULL && launch->place.partition != partition) {
        launch = launch->next;
    }
    if (launch == NULL) {
        launch = calloc(1, sizeof *launch);
        if (launch != NULL) {
            launch->place = (TablePlace){ .stage = self->stage,
                                          .partition = partition,
                                          .start_pc = OPPROF_NA_U64 };
            launch->next = self->launches;
            self->launches = launch;
        }
    }
    return launch;
}

static void drop_launch(L2Cache *self, CacheLaunch *launch)
{
    CacheLaunch **at = &self->launches;

    while (*at != launch) {
        at = &(*at)->next;
    }
    *at = launch->next;
    ModelFinish(&launch->model);
    free(launch);
}

static void report_losses(const L2Cache *self, const CacheLaunch *launch)
{
    const char *place = OpprofStageString(self->stage, launch->place.partition);
    const Model *model = &launch->model;

    if (model->implausible > 0) {
        OpprofStageIncomplete(
            self->stage,
            "Launch '%s': %" PRIu64
            " %s longer than any that an instruction makes: left out of the L2 model",
            place, model->implausible,
            OPPROF_PLURAL(model->implausible, "access is", "accesses are"));
    }
    if (model->beyond > 0) {
        OpprofStageIncomplete(self->stage,
                              "Launch '%s': %" PRIu64
                              " %s beyond the first %u regions of memory: left out of the L2 model",
                              place, model->beyond,
                              OPPROF_PLURAL(model->beyond, "access lies", "accesses lie"),
                              MODEL_MAX_GRANULES);
    }
    if (model->too_many_pcs > 0) {
        OpprofStageIncomplete(
            self->stage,
            "Launch '%s': %" PRIu64
            " %s beyond %u instructions: counted for cores and buffers, not for instructions",
            place, model->too_many_pcs,
            OPPROF_PLURAL(model->too_many_pcs, "access goes", "accesses go"), MODEL_MAX_PCS);
    }
    if (launch->late > 0) {
        OpprofStageIncomplete(
            self->stage, "Launch '%s': the run was stopped: the L2 model lacks %" PRIu64 " %s",
            place, launch->late, OPPROF_PLURAL(launch->late, "access", "accesses"));
    }
}

static OpprofDbiOp op_of(const L2Cache *self, const CacheLaunch *launch)
{
    if (strcmp(self->op_type, "auto") == 0) {
        return launch->op;
    }
    return strcmp(self->op_type, "mix") == 0    ? OPPROF_DBI_MIX
           : strcmp(self->op_type, "cube") == 0 ? OPPROF_DBI_CUBE
                                                : OPPROF_DBI_VECTOR;
}

/* Takes ownership of the launch. */
static OpprofStatus finish_launch(L2Cache *self, CacheLaunch *launch, OpprofError **error)
{
    const char *place = OpprofStageString(self->stage, launch->place.partition);
    OpprofStatus status = OPPROF_OK;

    launch->place.op = op_of(self, launch);
    if (launch->is_begun) {
        report_losses(self, launch);
        self->modelled++;
        status = TablesEmit(&launch->place, &launch->model, &self->named);
    }
    drop_launch(self, launch);
    return OpprofErrorExplain(error, status, "Cannot model the cache of launch '%s'", place);
}

/* The chip's name for the memory after the cache, and the cores of its blocks. */
static OpprofStatus know_memory(L2Cache *self, CacheLaunch *launch, const OpprofDbiAccess *access,
                                OpprofError **error)
{
    OpprofChip *chip = NULL;

    if (launch->global != OPPROF_NA_STRING) {
        return OPPROF_OK;
    }
    const OpprofStatus status =
        OpprofChipLoad(OpprofStageString(self->stage, access->chip), &chip, error);
    if (status != OPPROF_OK) {
        return status;
    }
    const char *name = OpprofChipText(chip, "dbi.global");
    name = name == NULL ? "GM" : name; /* as in parse-dbi */
    launch->global = OpprofStageIntern(self->stage, name, strlen(name));
    launch->place.cores = OpprofBlockCoresOf(chip);
    OpprofChipFree(chip);
    return launch->global == OPPROF_NA_STRING ? no_memory(error) : OPPROF_OK;
}

/*
 * Batches in the queues of a stopped run are still modelled, but one damaged record can stand for
 * millions of lines: not for longer than MAX_LINES_AFTER_STOP.
 */
static bool model_access(L2Cache *self, CacheLaunch *launch, const OpprofDbiAccess *access,
                         bool is_load)
{
    Model *model = &launch->model;
    const uint64_t before = ModelLines(model);

    if (self->after_stop >= MAX_LINES_AFTER_STOP) {
        launch->late += access->count;
        return true;
    }
    const bool is_good = ModelAccess(model, access, is_load);
    self->unlooked += ModelLines(model) - before;
    if (self->unlooked >= LINES_A_LOOK) {
        self->after_stop += OpprofStageStopRequested(self->stage) ? self->unlooked : 0;
        self->unlooked = 0;
    }
    return is_good;
}

static OpprofStatus take(L2Cache *self, CacheLaunch *launch, const OpprofDbiAccess *access,
                         OpprofError **error)
{
    launch->place.device = access->device;
    launch->place.kernel = access->kernel;
    launch->place.order = access->order;
    if (access->start_pc != OPPROF_NA_U64) {
        launch->place.start_pc = access->start_pc;
    }
    if (access->count == 0) {
        launch->op = (OpprofDbiOp) access->op;
        return OPPROF_OK;
    }
    OpprofStatus status = know_memory(self, launch, access, error);
    const bool is_load = access->from == launch->global;
    if (status != OPPROF_OK || (!is_load && access->to != launch->global)) {
        return status;
    }
    if (!launch->is_begun) {
        status = begin(self, launch, access, error);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return model_access(self, launch, access, is_load) ? OPPROF_OK : no_memory(error);
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    L2Cache *self = context;
    CacheLaunch *launch = find_launch(self, batch->partition);
    OpprofStatus status = launch == NULL ? no_memory(error) : OPPROF_OK;

    (void) port;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = take(self, launch, OpprofBatchRecord(batch, i), error);
    }
    return status == OPPROF_OK && batch->watermark == UINT64_MAX
               ? finish_launch(self, launch, error)
               : status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    L2Cache *self = context;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && self->launches != NULL) {
        status = finish_launch(self, self->launches, error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage),
              "Modelled the cache: launches=%" PRIu64 ", policy=%s", self->modelled, self->policy);
    return status;
}

static void destroy(void *context)
{
    L2Cache *self = context;

    while (self->launches != NULL) {
        drop_launch(self, self->launches);
    }
    for (size_t i = 0; self->names != NULL && i < self->named.count; i++) {
        free(self->names[i]);
    }
    free(self->names);
    free(self->named.list);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "accesses",
      .type = "dbi.access",
      .record_type = &opprof_dbi_access_type,
      .summary = "Memory accesses; those of one launch in one order." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_PCS] = { .name = "instructions",
                     .record_type = &opprof_dbi_pc_type,
                     .summary = "Hits, misses and bytes of each instruction." },
    [OUTPUT_SETS] = { .name = "sets",
                      .record_type = &opprof_dbi_set_type,
                      .summary = "Hits and misses of each set: the cache heat map." },
    [OUTPUT_SUMMARY] = { .name = "summary",
                         .record_type = &dbi_summary_type,
                         .summary = "The model and its totals." },
    [OUTPUT_CORES] = { .name = "cores",
                       .record_type = &dbi_core_type,
                       .summary = "Hits and misses of each core." },
    [OUTPUT_BUFFERS] = { .name = "buffers",
                         .record_type = &dbi_buffer_type,
                         .summary = "Hits and misses of each buffer." },
    [OUTPUT_DISTANCES] = { .name = "distances",
                           .record_type = &dbi_distance_type,
                           .summary = "Reuse distances." },
};

static const char *const policies[] = { "chip", "lru", "fifo", "plru", "random", NULL };
static const char *const op_types[] = { "auto", "mix", "cube", "vector", NULL };

static const OpprofParam params[] = {
    { .name = "policy",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "chip",
      .choices = policies,
      .summary = "Which line leaves a full set; chip: as the chip file states." },
    { .name = "seed",
      .type = OPPROF_PARAM_INT,
      .default_value = "1",
      .min = 1,
      .max = 9007199254740992,
      .summary = "Seed of the policy random." },
    { .name = "line",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .max = 65536,
      .unit = "byte",
      .summary = "Size of a line; 0: as the chip file states." },
    { .name = "ways",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .max = CACHE_MAX_WAYS,
      .summary = "Lines of a set; 0: as the chip file states." },
    { .name = "sets",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .max = MAX_SETS,
      .summary = "Sets; 0: as the chip file states." },
    { .name = "buffers",
      .type = OPPROF_PARAM_LIST,
      .flags = OPPROF_PARAM_SKIP_EMPTY,
      .summary = "Names of buffers, each NAME:ADDRESS:BYTES; other memory is divided into regions "
                 "without gaps." },
    { .name = "op_type",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "auto",
      .choices = op_types,
      .summary = "Kinds of cores that ran, by which slots become blocks; auto: as the records' "
                 "parser reports." },
};

/* What the chip file may state here. Tested by tests/e2e/chip_mistakes.sh. */
static const OpprofChipTable chip_tables[] = {
    { .path = "caches", .table = &cache_table },
    { .path = NULL },
};

static OpprofStatus explain(const char *chip, const char *name, FILE *out, OpprofError **error)
{
    return OpprofFactsExplain(chip, chip_tables, name, out, error);
}

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = process,
    .flush = flush,
    .destroy = destroy,
    .explain = explain,
};

static const char *const chip_sections[] = { "caches", "cores", "dbi", NULL };

OPPROF_PLUGIN_DEFINE(
        .name = "l2-cache", .version = "1.0", .license = "Apache-2.0",
        .summary = "Models the L2 cache for the accesses of an instrumented launch.",
        .help =
            "Set-associative, write-back, write-allocate, without time. The cores' accesses are "
            "modelled one slot after another, since their real order is not recorded. A miss is "
            "compulsory (the first access of a line), a capacity miss (since its last access, more "
            "other lines were accessed than the cache holds), or a conflict miss (any other).",
        .kind = OPPROF_ANALYSIS, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
        .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
        .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops, .chip_sections = chip_sections,
        .chip_tables = chip_tables);
