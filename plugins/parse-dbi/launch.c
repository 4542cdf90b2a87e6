/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch's files on their way into accesses and sums.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch.h"

#include "rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ACCESSES_A_LOOK 65536u /* between looks at whether the run should stop */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read instrumentation records");
}

static const char *place_of(const DbiLaunch *launch)
{
    return OpprofStageString(launch->stage, launch->partition);
}

static const char *file_of(const DbiLaunch *launch)
{
    return OpprofStageString(launch->stage, launch->file);
}

DbiLaunch *DbiLaunchCreate(OpprofStage *stage, DbiModel **models, const char *chip,
                           const char *op_type, uint32_t partition)
{
    DbiLaunch *launch = calloc(1, sizeof *launch);

    if (launch != NULL) {
        launch->stage = stage;
        launch->models = models;
        launch->chip = chip;
        launch->op_type = op_type;
        launch->partition = partition;
        launch->start_pc = OPPROF_NA_U64;
        launch->has_reader = OpprofStageHasReader(stage, OUTPUT_ACCESSES);
    }
    return launch;
}

void DbiLaunchFree(DbiLaunch *launch)
{
    if (launch != NULL) {
        MovesFinish(&launch->moves);
        OpprofBatchUnref(launch->batch);
        free(launch);
    }
}

/* ------------------------------------------------------------------ small files */

static void take_text(DbiText *text, const char *bytes, size_t length)
{
    const size_t room = sizeof text->bytes - text->length;
    const size_t taken = length < room ? length : room;

    memcpy(text->bytes + text->length, bytes, taken);
    text->length += taken;
}

const char *DbiValueOf(const DbiText *text, const char *key, size_t *ret_length)
{
    const size_t key_length = strlen(key);
    const char *at = text->bytes;
    const char *const end = at + text->length;
    const char *found = NULL;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t) (end - at));
        const char *stop = newline == NULL ? end : newline;
        const char *last = stop > at && stop[-1] == '\r' ? stop - 1 : stop;
        if ((size_t) (last - at) > key_length + 1 && memcmp(at, key, key_length) == 0 &&
            at[key_length] == '=') {
            found = at + key_length + 1;
            *ret_length = (size_t) (last - found);
        }
        at = newline == NULL ? end : newline + 1;
    }
    return found;
}

uint64_t DbiStartOf(const DbiText *text)
{
    char line[32];
    char *end = NULL;
    const size_t length = text->length < sizeof line - 1 ? text->length : sizeof line - 1;

    memcpy(line, text->bytes, length);
    line[length] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[strspn(line, "0123456789abcdefABCDEFxX")] != '\0') {
        return OPPROF_NA_U64;
    }
    const uint64_t value = strtoull(line, &end, 16);
    return *end != '\0' || value == 0 ? OPPROF_NA_U64 : value;
}

/* ------------------------------------------------------------------ chips */

void DbiModelsFree(DbiModel *models)
{
    while (models != NULL) {
        DbiModel *next = models->next;
        OpprofChipFree(models->chip);
        free(models->name);
        free(models);
        models = next;
    }
}

/* The chip that was asked for; where that is a series, the data's SoC if it is one of it. */
static OpprofStatus load_chip(const char *asked, const char *soc, OpprofChip **ret_chip,
                              OpprofError **error)
{
    OpprofChip *of_data = NULL;

    if (strcasecmp(asked, "auto") == 0) {
        if (soc[0] == '\0') {
            OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                           "The data does not name its SoC: 'op_basic_info.txt' is missing, cut, "
                           "or names none");
            OpprofErrorHint(error, "Say which chip it was with --set chip=");
            return OPPROF_E_NOT_FOUND;
        }
        return OpprofChipLoad(soc, ret_chip, error);
    }
    const OpprofStatus status = OpprofChipLoad(asked, ret_chip, error);
    if (status != OPPROF_OK || soc[0] == '\0' || strcasecmp(asked, OpprofChipSoc(*ret_chip)) == 0 ||
        OpprofChipLoad(soc, &of_data, NULL) != OPPROF_OK) {
        return status;
    }
    const bool is_same = strcmp(OpprofChipSeries(of_data), OpprofChipSeries(*ret_chip)) == 0;
    OpprofChipFree(is_same ? *ret_chip : of_data);
    *ret_chip = is_same ? of_data : *ret_chip;
    return OPPROF_OK;
}

static OpprofStatus make_model(const char *asked, const char *soc, DbiModel **ret_model,
                               OpprofError **error)
{
    DbiModel *model = calloc(1, sizeof *model);

    if (model == NULL || (model->name = strdup(soc)) == NULL) {
        DbiModelsFree(model);
        return no_memory(error);
    }
    OpprofStatus status = load_chip(asked, soc, &model->chip, error);
    if (status == OPPROF_OK) {
        status = DbiTablesLoad(model->chip, &model->tables, error);
    }
    if (status == OPPROF_OK) {
        status = MovePathsLoad(model->chip, &model->tables, &model->paths, error);
    }
    if (status != OPPROF_OK) {
        DbiModelsFree(model);
        return status;
    }
    *ret_model = model;
    return OPPROF_OK;
}

static OpprofStatus find_model(DbiLaunch *launch, OpprofError **error)
{
    char soc[128] = "";
    size_t length = 0;
    const char *value = DbiValueOf(&launch->info, "Run Soc Version", &length);
    DbiModel *made = NULL;

    if (value != NULL && length < sizeof soc) {
        memcpy(soc, value, length);
        soc[length] = '\0';
    }
    for (const DbiModel *at = *launch->models; at != NULL; at = at->next) {
        if (strcmp(at->name, soc) == 0) {
            launch->model = at;
            return OPPROF_OK;
        }
    }
    const OpprofStatus status = make_model(launch->chip, soc, &made, error);
    if (status == OPPROF_OK) {
        made->next = *launch->models;
        *launch->models = made;
        launch->model = made;
    }
    return status;
}

static uint32_t intern(const DbiLaunch *launch, const char *text)
{
    return OpprofStageIntern(launch->stage, text, strlen(text));
}

static bool use_model(DbiLaunch *launch)
{
    const DbiTables *tables = &launch->model->tables;

    for (uint32_t i = 0; i < tables->memory_count; i++) {
        launch->memories[i] = intern(launch, tables->memories[i]);
    }
    for (uint32_t i = 0; i < DBI_MAX_TYPES; i++) {
        const DbiLayout *layout = DbiLayoutOf(tables, i);
        launch->records[i] = layout == NULL ? OPPROF_NA_STRING : intern(launch, layout->name);
    }
    launch->access = (OpprofDbiAccess){ .pc = OPPROF_NA_U64,
                                        .start_pc = launch->start_pc,
                                        .record = OPPROF_NA_STRING,
                                        .chip = intern(launch, OpprofChipSoc(launch->model->chip)),
                                        .device = launch->device,
                                        .kernel = launch->kernel,
                                        .order = launch->order };
    return MovesInit(&launch->moves, &launch->model->paths, tables->area.slots);
}

/* All that depends on the chip, as soon as there are records. Without a chip the model stays NULL.
 */
static OpprofStatus set_up(DbiLaunch *launch, OpprofError **error)
{
    OpprofError *why = NULL;

    if (launch->is_set_up) {
        return OPPROF_OK;
    }
    launch->is_set_up = true;
    launch->start_pc = DbiStartOf(&launch->start);
    const OpprofStatus status = find_model(launch, &why);
    if (status == OPPROF_E_MEMORY) {
        OpprofErrorDestroy(why);
        return no_memory(error);
    }
    if (status != OPPROF_OK) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': its instrumentation records are left out: %s",
                              place_of(launch), OpprofErrorMessage(why));
        OpprofErrorDestroy(why);
        return OPPROF_OK;
    }
    return use_model(launch) ? OPPROF_OK : no_memory(error);
}

/* ------------------------------------------------------------------ accesses */

static OpprofStatus push_batch(DbiLaunch *launch)
{
    OpprofBatch *batch = launch->batch;

    launch->batch = NULL;
    return OpprofStagePush(launch->stage, OUTPUT_ACCESSES, batch);
}

/* A place for one more access; NULL: launch->status says why. */
static OpprofDbiAccess *next_access(DbiLaunch *launch)
{
    if (launch->batch != NULL && launch->batch->count == launch->batch->capacity) {
        launch->status = push_batch(launch);
        if (launch->status != OPPROF_OK) {
            return NULL;
        }
    }
    if (launch->batch == NULL) {
        launch->batch = OpprofStageNewBatch(launch->stage, OUTPUT_ACCESSES);
        if (launch->batch == NULL) {
            launch->status = OPPROF_E_MEMORY;
            return NULL;
        }
        launch->batch->partition = launch->partition;
    }
    return OpprofBatchAppend(launch->batch);
}

static bool take_run(void *context, const DbiRun *run)
{
    DbiLaunch *launch = context;

    MovesAdd(&launch->moves, launch->access.slot, launch->sub_block, run);
    launch->accesses += run->count;
    if (launch->accesses / ACCESSES_A_LOOK != (launch->accesses - run->count) / ACCESSES_A_LOOK &&
        OpprofStageStopRequested(launch->stage)) {
        launch->is_stopping = true;
        return false;
    }
    if (!launch->has_reader) {
        return true;
    }
    OpprofDbiAccess *out = next_access(launch);
    if (out == NULL) {
        return false;
    }
    *out = launch->access;
    out->src = run->src;
    out->dst = run->dst;
    out->src_bytes = run->src_bytes;
    out->dst_bytes = run->dst_bytes;
    out->src_step = run->src_step;
    out->dst_step = run->dst_step;
    out->count = (uint32_t) run->count;
    out->from = launch->memories[run->from];
    out->to = launch->memories[run->to];
    return true;
}

static void leave_out(DbiLeftOut *left_out, uint64_t offset)
{
    left_out->first = left_out->count == 0 ? offset : left_out->first;
    left_out->count++;
}

/* The record's memories are known, where they are not the rule's business. */
static bool has_memories(const DbiRecord *record)
{
    const bool by_rule = record->values[DBI_SIMT] != 0;

    return by_rule || (record->from != DBI_NO_MEMORY && record->to != DBI_NO_MEMORY);
}

static bool take_record(void *context, uint32_t slot, uint64_t offset, const DbiRecord *record)
{
    DbiLaunch *launch = context;
    const DbiSink sink = { .take = take_run, .context = launch };
    bool is_rough = false;

    launch->taken++;
    if (!has_memories(record)) {
        leave_out(&launch->nowhere, offset);
        return true;
    }
    launch->access.slot = slot;
    launch->access.pc = record->layout->has_pc ? record->values[DBI_PC] : OPPROF_NA_U64;
    launch->access.record = launch->records[record->layout - record->tables->layouts];
    launch->sub_block = record->values[DBI_SUB_BLOCK];
    launch->without_pc += !record->layout->has_pc;
    switch (DbiDecompose(record, &sink, &is_rough)) {
    case DBI_INVALID:
        leave_out(&launch->invalid, offset);
        break;
    case DBI_TOO_MANY:
        leave_out(&launch->implausible, offset);
        break;
    case DBI_STOPPED:
        return false;
    case DBI_GOOD:
        break;
    }
    if (is_rough) {
        leave_out(&launch->rough, offset);
    }
    return true;
}

/* ------------------------------------------------------------------ findings */

static void tell_overflow(const DbiLaunch *launch, const DbiFinding *finding)
{
    OpprofStageIncomplete(launch->stage,
                          "Launch '%s': '%s' at byte %" PRIu64 ": slot %u was full: %" PRIu64
                          " requests (records or settings) were lost while the kernel ran",
                          place_of(launch), file_of(launch), finding->offset, finding->slot,
                          finding->lost);
}

static void tell_finding(void *context, const DbiFinding *finding)
{
    const DbiLaunch *launch = context;
    char lost[96] = "";
    char value[48] = "";
    char slot[32] = "";

    if (finding->problem == DBI_OVERFLOWED) {
        tell_overflow(launch, finding);
        return;
    }
    if (finding->problem == DBI_BAD_MAGIC || finding->problem == DBI_UNKNOWN_TYPE) {
        snprintf(value, sizeof value, " (0x%" PRIx32 ")", finding->value);
    }
    if (finding->slot != UINT32_MAX) {
        snprintf(slot, sizeof slot, "slot %u: ", finding->slot);
    }
    if (finding->lost > 0) {
        snprintf(lost, sizeof lost, "; %" PRIu64 " %s left out", finding->lost,
                 finding->problem == DBI_UNCOUNTED || finding->problem == DBI_BEYOND
                     ? "bytes are"
                     : "records are");
    }
    OpprofStageIncomplete(launch->stage, "Launch '%s': '%s' at byte %" PRIu64 ": %s%s%s%s",
                          place_of(launch), file_of(launch), finding->offset, slot,
                          DbiProblemText(finding->problem), value, lost);
}

static void tell_left_out(const DbiLaunch *launch, const DbiLeftOut *left_out, const char *why)
{
    if (left_out->count > 0) {
        OpprofStageIncomplete(
            launch->stage,
            "Launch '%s': '%s' at byte %" PRIu64 ": %s; %" PRIu64 " such records are left out",
            place_of(launch), file_of(launch), left_out->first, why, left_out->count);
    }
}

static void tell_records(DbiLaunch *launch)
{
    const DbiLeftOut none = { 0, 0 };

    tell_left_out(launch, &launch->invalid, "no instruction can have such parameters");
    tell_left_out(launch, &launch->implausible,
                  "a record claims more accesses than any instruction makes");
    tell_left_out(launch, &launch->nowhere, "a record names a memory that does not exist");
    tell_left_out(launch, &launch->beyond, "a record is of a slot that does not exist");
    if (launch->rough.count > 0) {
        OpprofStageWarn(launch->stage,
                        "Launch '%s': '%s': %" PRIu64
                        " records do not say where all of their data lie: "
                        "bytes are right, addresses are approximate",
                        place_of(launch), file_of(launch), launch->rough.count);
    }
    if (launch->without_pc > 0) {
        OpprofStageWarn(launch->stage,
                        "Launch '%s': '%s': %" PRIu64
                        " records of nested loops carry no PC: they count "
                        "for blocks and buffers, not for instructions",
                        place_of(launch), file_of(launch), launch->without_pc);
    }
    if (launch->is_mixed_up) {
        OpprofStageWarn(
            launch->stage,
            "Launch '%s': the slots of '%s' do not come in order, using the file's order",
            place_of(launch), file_of(launch));
    }
    launch->invalid = launch->implausible = launch->nowhere = launch->beyond = none;
    launch->rough = none;
    launch->without_pc = 0;
    launch->is_mixed_up = false;
}

/* ------------------------------------------------------------------ chart */

static bool take_chart_record(DbiLaunch *launch, const unsigned char *bytes, uint64_t offset)
{
    DbiChartAccess access;

    DbiChartRead(&launch->model->tables, bytes, &access);
    launch->taken++;
    if (access.run.from == DBI_NO_MEMORY || access.run.to == DBI_NO_MEMORY) {
        leave_out(&launch->nowhere, offset);
        return true;
    }
    if (access.slot >= launch->moves.slots) {
        leave_out(&launch->beyond, offset);
        return true;
    }
    launch->is_mixed_up |= access.slot < launch->last_slot;
    launch->last_slot = access.slot;
    launch->access.slot = access.slot;
    launch->access.pc = access.pc;
    launch->access.record = OPPROF_NA_STRING;
    launch->sub_block = access.sub_block;
    return take_run(launch, &access.run);
}

static bool feed_chart(DbiLaunch *launch, const unsigned char *bytes, size_t length)
{
    const uint64_t before = launch->file_bytes;
    size_t at = 0;

    if (launch->have > 0) {
        const size_t wanted = DBI_CHART_RECORD - launch->have;
        at = length < wanted ? length : wanted;
        memcpy(launch->carry + launch->have, bytes, at);
        launch->have += (uint32_t) at;
        if (launch->have < DBI_CHART_RECORD) {
            return true;
        }
        launch->have = 0;
        if (!take_chart_record(launch, launch->carry, before + at - DBI_CHART_RECORD)) {
            return false;
        }
    }
    for (; length - at >= DBI_CHART_RECORD; at += DBI_CHART_RECORD) {
        if (!take_chart_record(launch, bytes + at, before + at)) {
            return false;
        }
    }
    memcpy(launch->carry, bytes + at, length - at);
    launch->have = (uint32_t) (length - at);
    return true;
}

static void end_chart(DbiLaunch *launch)
{
    if (launch->have > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' at byte %" PRIu64
                              ": the file ends in the middle of a record: %u of %u bytes are there",
                              place_of(launch), file_of(launch), launch->file_bytes - launch->have,
                              launch->have, DBI_CHART_RECORD);
    }
}

/* ------------------------------------------------------------------ files */

static DbiFile kind_of(const char *name)
{
    static const struct {
        const char *name;
        DbiFile kind;
    } kinds[] = {
        { "op_basic_info.txt", DBI_FILE_INFO }, { "pc_start_addr.txt", DBI_FILE_START },
        { "DbiArea.bin", DBI_FILE_AREA },       { "DbiPackets.bin", DBI_FILE_PACKETS },
        { "MemoryChart.bin", DBI_FILE_CHART },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return kinds[i].kind;
        }
    }
    return DBI_FILE_OTHER;
}

static bool flag_of(const DbiLaunch *launch, const char *key)
{
    size_t length = 0;
    const char *value = DbiValueOf(&launch->info, key, &length);

    return value != NULL && length == 1 && value[0] == '1';
}

static void refuse_second(DbiLaunch *launch)
{
    OpprofStageWarn(
        launch->stage,
        "Launch '%s': '%s' is another form of the records that were read already, skipping it",
        place_of(launch), file_of(launch));
    launch->kind = DBI_FILE_REFUSED;
}

/* Records of operators that communicate say nothing: these are never instrumented. */
static OpprofStatus begin_records(DbiLaunch *launch, OpprofError **error)
{
    launch->has_records_file = true;
    if (launch->file_size == 0) {
        OpprofStageIncomplete(launch->stage, "Launch '%s': '%s' is empty", place_of(launch),
                              file_of(launch));
        launch->kind = DBI_FILE_REFUSED;
        return OPPROF_OK;
    }
    if (flag_of(launch, "Is MC2") || flag_of(launch, "Is Lccl")) {
        OpprofStageWarn(launch->stage,
                        "Launch '%s': '%s' is of an operator that communicates, skipping it",
                        place_of(launch), file_of(launch));
        launch->kind = DBI_FILE_REFUSED;
        return OPPROF_OK;
    }
    const OpprofStatus status = set_up(launch, error);
    if (status != OPPROF_OK || launch->model == NULL) {
        launch->kind = DBI_FILE_REFUSED;
        return status;
    }
    if (launch->source != DBI_FILE_OTHER) {
        refuse_second(launch);
        return OPPROF_OK;
    }
    launch->source = launch->kind;
    launch->handler = (DbiHandler){ take_record, tell_finding, launch };
    launch->have = 0;
    if (launch->kind == DBI_FILE_AREA) {
        DbiAreaBegin(&launch->area, &launch->model->tables, &launch->handler);
    } else if (launch->kind == DBI_FILE_PACKETS) {
        DbiPacketsBegin(&launch->packets, &launch->model->tables, &launch->handler);
    }
    return OPPROF_OK;
}

static void end_file(DbiLaunch *launch)
{
    if (launch->file == OPPROF_NA_STRING) {
        return;
    }
    switch (launch->kind) {
    case DBI_FILE_AREA:
        DbiAreaEnd(&launch->area);
        tell_records(launch);
        break;
    case DBI_FILE_PACKETS:
        DbiPacketsEnd(&launch->packets);
        tell_records(launch);
        break;
    case DBI_FILE_CHART:
        end_chart(launch);
        tell_records(launch);
        break;
    case DBI_FILE_INFO:
    case DBI_FILE_START:
    case DBI_FILE_REFUSED:
    case DBI_FILE_OTHER:
        break;
    }
    launch->file = OPPROF_NA_STRING;
    launch->kind = DBI_FILE_OTHER;
}

static OpprofStatus begin_file(DbiLaunch *launch, const OpprofOnboardChunk *chunk,
                               OpprofError **error)
{
    end_file(launch);
    launch->file = chunk->file;
    launch->file_size = chunk->file_size;
    launch->file_bytes = 0;
    launch->kind = kind_of(file_of(launch));
    return launch->kind == DBI_FILE_AREA || launch->kind == DBI_FILE_PACKETS ||
                   launch->kind == DBI_FILE_CHART
               ? begin_records(launch, error)
               : OPPROF_OK;
}

/* False: a handler stopped; launch->status or launch->is_stopping says why. */
static bool feed_file(DbiLaunch *launch, const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *) text;

    switch (launch->kind) {
    case DBI_FILE_INFO:
        take_text(&launch->info, text, length);
        return true;
    case DBI_FILE_START:
        take_text(&launch->start, text, length);
        return true;
    case DBI_FILE_AREA:
        return DbiAreaFeed(&launch->area, bytes, length);
    case DBI_FILE_PACKETS:
        return DbiPacketsFeed(&launch->packets, bytes, length);
    case DBI_FILE_CHART:
        return feed_chart(launch, bytes, length);
    case DBI_FILE_REFUSED:
    case DBI_FILE_OTHER:
        break;
    }
    return true;
}

OpprofStatus DbiLaunchFeed(DbiLaunch *launch, const OpprofOnboardChunk *chunk, const char *bytes,
                           OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    launch->device = chunk->device;
    launch->kernel = chunk->kernel;
    launch->order = chunk->order;
    if (chunk->file == OPPROF_NA_STRING || launch->is_stopping) {
        return OPPROF_OK;
    }
    if (chunk->offset == 0 || chunk->file != launch->file) {
        status = begin_file(launch, chunk, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    const bool is_good = bytes == NULL || feed_file(launch, bytes, chunk->bytes.length);
    launch->file_bytes += chunk->bytes.length;
    if (is_good || launch->is_stopping) {
        return OPPROF_OK;
    }
    return launch->status == OPPROF_E_MEMORY ? no_memory(error) : launch->status;
}

/* ------------------------------------------------------------------ results */

static bool has_traffic(const MoveSums *sums)
{
    for (uint32_t from = 0; from < DBI_MAX_MEMORIES; from++) {
        for (uint32_t to = 0; to < DBI_MAX_MEMORIES; to++) {
            if (sums->totals[from][to].accesses > 0) {
                return true;
            }
        }
    }
    return false;
}

/* As the parameter says, or by the slots that hold anything. */
static OpprofDbiOp op_kind(const DbiLaunch *launch)
{
    bool has_cube = false;
    bool has_vector = false;

    if (strcmp(launch->op_type, "auto") != 0) {
        return strcmp(launch->op_type, "mix") == 0    ? OPPROF_DBI_MIX
               : strcmp(launch->op_type, "cube") == 0 ? OPPROF_DBI_CUBE
                                                      : OPPROF_DBI_VECTOR;
    }
    for (uint32_t slot = 0; slot < launch->moves.slots; slot++) {
        if (has_traffic(&launch->moves.sums[slot])) {
            has_cube |= slot % 3 == 2;
            has_vector |= slot % 3 != 2;
        }
    }
    return has_cube && has_vector ? OPPROF_DBI_MIX : has_cube ? OPPROF_DBI_CUBE : OPPROF_DBI_VECTOR;
}

static void fill_traffic(const DbiLaunch *launch, uint32_t slot, OpprofDbiOp kind, DbiTraffic *row)
{
    row->device = launch->device;
    row->kernel = launch->kernel;
    row->order = launch->order;
    row->block = OpprofDbiBlock(slot, kind);
    row->core = intern(launch, OpprofDbiCore(slot, kind));
    row->reserved = 0;
}

static uint64_t requests_of(const DbiLaunch *launch, const MoveSums *sums, uint32_t from,
                            uint32_t to)
{
    const uint64_t paths = launch->model->paths.routes[from][to];

    /* A path of several routes counts them all together. */
    for (uint64_t left = paths; left != 0; left &= left - 1) {
        const uint32_t path = (uint32_t) __builtin_ctzll(left);
        if (sums->bytes[path] == sums->totals[from][to].src_bytes) {
            return sums->requests[path];
        }
    }
    return OPPROF_NA_U64;
}

/* A row in *batch, which goes on when it is full. */
static OpprofStatus put_traffic(DbiLaunch *launch, OpprofBatch **batch, const DbiTraffic *row)
{
    OpprofStatus status = OPPROF_OK;

    if (*batch != NULL && (*batch)->count == (*batch)->capacity) {
        status = OpprofStagePush(launch->stage, OUTPUT_TRAFFIC, *batch);
        *batch = NULL;
    }
    if (status == OPPROF_OK && *batch == NULL) {
        *batch = OpprofStageNewBatch(launch->stage, OUTPUT_TRAFFIC);
        status = *batch == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    }
    DbiTraffic *out = status == OPPROF_OK ? OpprofBatchAppend(*batch) : NULL;
    if (out != NULL) {
        *out = *row;
        (*batch)->partition = launch->partition;
    }
    return status;
}

static OpprofStatus push_traffic(DbiLaunch *launch)
{
    const DbiTables *tables = &launch->model->tables;
    const OpprofDbiOp kind = op_kind(launch);
    OpprofBatch *batch = NULL;
    OpprofStatus status = OPPROF_OK;
    DbiTraffic row;

    for (uint32_t slot = 0; slot < launch->moves.slots; slot++) {
        const MoveSums *sums = &launch->moves.sums[slot];
        fill_traffic(launch, slot, kind, &row);
        for (uint32_t pair = 0;
             status == OPPROF_OK && pair < tables->memory_count * tables->memory_count; pair++) {
            const uint32_t from = pair / tables->memory_count;
            const uint32_t to = pair % tables->memory_count;
            const MoveTotal *total = &sums->totals[from][to];
            if (total->accesses > 0) {
                row.accesses = total->accesses;
                row.src_bytes = total->src_bytes;
                row.dst_bytes = total->dst_bytes;
                row.requests = requests_of(launch, sums, from, to);
                row.from = launch->memories[from];
                row.to = launch->memories[to];
                status = put_traffic(launch, &batch, &row);
            }
        }
    }
    if (batch == NULL || status != OPPROF_OK) {
        OpprofBatchUnref(batch);
        return status;
    }
    return OpprofStagePush(launch->stage, OUTPUT_TRAFFIC, batch);
}

static OpprofStatus put_move(DbiLaunch *launch, OpprofBatch **batch, OpprofDbiMove move)
{
    OpprofStatus status = OPPROF_OK;

    if (*batch != NULL && (*batch)->count == (*batch)->capacity) {
        status = OpprofStagePush(launch->stage, OUTPUT_MOVES, *batch);
        *batch = NULL;
    }
    if (status == OPPROF_OK && *batch == NULL) {
        *batch = OpprofStageNewBatch(launch->stage, OUTPUT_MOVES);
        status = *batch == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    }
    OpprofDbiMove *out = status == OPPROF_OK ? OpprofBatchAppend(*batch) : NULL;
    if (out != NULL) {
        *out = move;
        (*batch)->partition = launch->partition;
    }
    return status;
}

static OpprofStatus put_slot(DbiLaunch *launch, OpprofBatch **batch, uint32_t slot)
{
    const MoveSums *sums = &launch->moves.sums[slot];
    OpprofStatus status = OPPROF_OK;

    for (uint64_t left = sums->is_there; left != 0 && status == OPPROF_OK; left &= left - 1) {
        const uint32_t path = (uint32_t) __builtin_ctzll(left);
        status = put_move(
            launch, batch,
            (OpprofDbiMove){ .bytes = sums->bytes[path],
                             .requests = sums->requests[path],
                             .slot = slot,
                             .path = intern(launch, launch->model->paths.list[path].name) });
    }
    return status;
}

/* The sums, and the record that ends the launch. */
static OpprofStatus push_moves(DbiLaunch *launch)
{
    const bool has_records = launch->source != DBI_FILE_OTHER;
    OpprofBatch *batch = NULL;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t slot = 0; has_records && status == OPPROF_OK && slot < launch->moves.slots;
         slot++) {
        status = put_slot(launch, &batch, slot);
    }
    if (status == OPPROF_OK) {
        status =
            put_move(launch, &batch,
                     (OpprofDbiMove){ .bytes = 0,
                                      .requests = has_records ? launch->accesses : OPPROF_NA_U64,
                                      .slot = OPPROF_NA_U32,
                                      .path = OPPROF_NA_STRING });
    }
    if (status != OPPROF_OK) {
        OpprofBatchUnref(batch);
        return status;
    }
    batch->watermark = UINT64_MAX;
    return OpprofStagePush(launch->stage, OUTPUT_MOVES, batch);
}

static OpprofStatus push_last_access(DbiLaunch *launch)
{
    OpprofDbiAccess *last = next_access(launch);

    if (last == NULL) {
        return launch->status;
    }
    *last = (OpprofDbiAccess){ .src = OPPROF_NA_U64,
                               .dst = OPPROF_NA_U64,
                               .pc = OPPROF_NA_U64,
                               .start_pc = launch->start_pc,
                               .slot = OPPROF_NA_U32,
                               .chip = launch->access.chip,
                               .device = launch->device,
                               .kernel = launch->kernel,
                               .order = launch->order };
    launch->batch->watermark = UINT64_MAX;
    return push_batch(launch);
}

OpprofStatus DbiLaunchEnd(DbiLaunch *launch, OpprofError **error)
{
    end_file(launch);
    OpprofStatus status = launch->source != DBI_FILE_OTHER ? push_traffic(launch) : OPPROF_OK;
    if (status == OPPROF_OK) {
        status = push_moves(launch);
    }
    if (status == OPPROF_OK) {
        status = push_last_access(launch);
    }
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}
