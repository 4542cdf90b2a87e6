/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ascend-tables: the tables that an Ascend profiler leaves beside its trace, for all ranks. An
 * input without any costs nothing.
 * Tested by tests/plugins/collect-kineto/test_ascend_tables.sh.
 */
#include "collect-kineto/formats/ascend_folders.h"
#include "collect-kineto/formats/files.h"
#include "collect-kineto/tables/table_file.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/stage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_ROWS 256u

/* A file that is read. */
typedef struct Entry {
    char *path;
    uint32_t kind; /* of its table */
    uint32_t rank; /* interned */
} Entry;

typedef struct AscendTables {
    OpprofStage *stage;
    const char *input;
    Entry *entries; /* by kind, then by rank */
    size_t entry_count;
    size_t entry_room;
    TableType types[TABLE_KINDS];
    OpprofBatchPool *pools[TABLE_KINDS];
    size_t next;
    bool is_open; /* the file of the entry before `next` */
    bool has_trace;
    TableFile file;
    uint64_t rows;
} AscendTables;

static OpprofStatus no_memory(const AscendTables *self, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read the tables of '%s'", self->input);
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    AscendTables *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "read tables");
    }
    self->stage = stage;
    for (uint32_t i = 0; i < TABLE_KINDS; i++) {
        self->types[i].kind = &table_kinds[i];
    }
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    AscendTables *self = context;

    (void) error;
    self->input = OpprofParamsString(params, "input");
    return OPPROF_OK;
}

/* ---- the files ---- */

static uint32_t name_rank(const AscendTables *self, const int64_t *ranks, size_t index)
{
    char name[ASCEND_RANK_NAME];

    AscendRankName(ranks, index, name);
    return OpprofStageIntern(self->stage, name, strlen(name));
}

static bool add_entry(AscendTables *self, const char *path, uint32_t kind, uint32_t rank)
{
    Entry entry = { .kind = kind, .rank = rank, .path = strdup(path) };

    if (rank == OPPROF_NA_STRING || entry.path == NULL ||
        !OpprofGrow(&self->entries, &self->entry_room, self->entry_count + 1,
                    sizeof *self->entries)) {
        free(entry.path);
        return false;
    }
    self->entries[self->entry_count++] = entry;
    return true;
}

static bool list_files(AscendTables *self, const AscendFolders *folders)
{
    int64_t *ranks = AscendRanks(folders);
    bool is_good = ranks != NULL;

    for (uint32_t kind = 0; kind < TABLE_KINDS; kind++) {
        for (size_t i = 0; is_good && i < folders->file_count; i++) {
            const AscendFile *file = &folders->files[i];

            is_good = !AscendFits(table_kinds[kind].file, file->name) ||
                      add_entry(self, file->path, kind, name_rank(self, ranks, file->folder));
        }
    }
    free(ranks);
    return is_good;
}

/* ---- files that are not read ---- */

/* Whether a table, curves, the trace, or the database in its place, which the collector reads. */
static bool is_read(const char *name)
{
    bool result = AscendFits(ASCEND_TRACE, name) || AscendFits(ASCEND_DATABASE, name) ||
                  AscendFits(memory_record_kind.file, name);

    for (uint32_t kind = 0; !result && kind < TABLE_KINDS; kind++) {
        result = AscendFits(table_kinds[kind].file, name);
    }
    return result;
}

/* A name that several ranks have is named once. */
static void report_unread(const AscendTables *self, const AscendFolders *folders)
{
    char names[512] = "";
    size_t length = 0;
    size_t count = 0;

    for (size_t i = 0; i < folders->file_count; i++) {
        const char *name = folders->files[i].name;
        char quoted[280];

        snprintf(quoted, sizeof quoted, "'%s'", name);
        if (!is_read(name)) {
            count++;
            if (strstr(names, quoted) == NULL && length < sizeof names) {
                length += (size_t) snprintf(names + length, sizeof names - length, "%s%s",
                                            length == 0 ? "" : ", ", quoted);
            }
        }
    }
    if (count > 0) {
        OpprofStageWarn(self->stage, "%zu file(s) of the profiler hold what is not read: %s%s",
                        count, names, length < sizeof names ? "" : " …");
    }
}

/* Learns from the beginning of each file which columns its table has. */
static OpprofStatus learn_columns(AscendTables *self, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < self->entry_count && status == OPPROF_OK; i++) {
        TableFile file;

        status =
            TableFileOpen(&file, &self->types[self->entries[i].kind], self->entries[i].path, error);
        if (status == OPPROF_OK && !TableFileLearn(&file)) {
            status = no_memory(self, error);
        }
        TableFileClose(&file);
    }
    return status;
}

static OpprofStatus make_types(AscendTables *self, OpprofError **error)
{
    for (size_t i = 0; i < self->entry_count; i++) {
        const uint32_t kind = self->entries[i].kind;

        if (self->pools[kind] != NULL) {
            continue;
        }
        if (TableTypeMake(&self->types[kind])) {
            self->pools[kind] = OpprofBatchPoolCreate(&self->types[kind].type, BATCH_ROWS, 0);
        }
        if (self->pools[kind] == NULL) {
            return no_memory(self, error);
        }
    }
    return OPPROF_OK;
}

static bool has_trace(const char *input)
{
    TraceFiles files;
    const bool result = TraceFilesFind(input, &files, NULL) == OPPROF_OK;

    TraceFilesFinish(&files);
    return result;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    AscendTables *self = context;
    AscendFolders folders;
    OpprofStatus status = AscendFoldersFind(self->input, &folders, error);

    if (status == OPPROF_OK && !list_files(self, &folders)) {
        status = no_memory(self, error);
    }
    if (status == OPPROF_OK) {
        status = learn_columns(self, error);
    }
    if (status == OPPROF_OK) {
        status = make_types(self, error);
    }
    report_unread(self, &folders);
    self->has_trace = self->entry_count == 0 || has_trace(self->input);
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Tables: folders=%zu, files=%zu",
              folders.count, self->entry_count);
    AscendFoldersFinish(&folders);
    return status;
}

/* ---- reading ---- */

static OpprofStatus open_next(AscendTables *self, OpprofError **error)
{
    const Entry *entry = &self->entries[self->next];
    const OpprofStatus status =
        TableFileOpen(&self->file, &self->types[entry->kind], entry->path, error);

    if (status == OPPROF_OK) {
        self->file.rank = entry->rank;
        self->is_open = true;
        self->next++;
    }
    return status;
}

static void close_file(AscendTables *self)
{
    TableFileReport(&self->file, self->stage);
    OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(self->stage), "Table read: path=%s, rows=%" PRIu64,
              self->file.path, self->file.count);
    OpprofStageCount(self->stage, "rows of tables", self->file.count);
    self->rows += self->file.count;
    TableFileClose(&self->file);
    self->is_open = false;
}

/* A run of tables alone that have no rows has no results. */
static OpprofStatus end_of_files(AscendTables *self)
{
    if (self->rows == 0 && !self->has_trace) {
        OpprofStageIncomplete(self->stage,
                              "Nothing in '%s' is a row of a table: %zu file(s) of an Ascend "
                              "profiler's tables are empty, and there is no trace",
                              self->input, self->entry_count);
    }
    return OPPROF_END;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    AscendTables *self = context;
    OpprofBatch *out;
    OpprofStatus status;

    (void) port;
    (void) batch;
    if (!self->is_open && self->next == self->entry_count) {
        return end_of_files(self);
    }
    if (!self->is_open) {
        return open_next(self, error);
    }
    out = OpprofBatchPoolTake(self->pools[self->entries[self->next - 1].kind]);
    status =
        out == NULL ? no_memory(self, error) : TableFileFill(&self->file, self->stage, out, error);
    if (status != OPPROF_OK && status != OPPROF_END) {
        OpprofBatchUnref(out);
        return status;
    }
    if (status == OPPROF_END) {
        close_file(self);
    }
    OpprofStageProgress(self->stage, self->next, self->entry_count, "tables");
    return OpprofStagePush(self->stage, 0, out);
}

static void destroy(void *context)
{
    AscendTables *self = context;

    if (self->is_open) {
        TableFileClose(&self->file);
    }
    for (size_t i = 0; i < self->entry_count; i++) {
        free(self->entries[i].path);
    }
    free(self->entries);
    for (uint32_t i = 0; i < TABLE_KINDS; i++) {
        OpprofBatchPoolDestroy(self->pools[i]);
        TableTypeFinish(&self->types[i]);
    }
    free(self);
}

static const OpprofPort outputs[] = {
    { .name = "tables",
      .record_type = &opprof_tables_type,
      .summary = "The profiler's tables, all ranks in one." },
};

static const OpprofParam params[] = {
    { .name = "input",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Directory of an Ascend profiler, or one with those of several ranks." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "ascend-tables", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Reads the tables that an Ascend profiler leaves beside its trace.",
                     .help = "Reads kernel_details, op_statistic, step_trace_time, api_statistic, "
                             "operator_memory, dataset and minddata_pipeline_raw (CSV) in "
                             "ASCEND_PROFILER_OUTPUT, by their headings. An input without them "
                             "gives no tables.",
                     .kind = OPPROF_COLLECTOR, .outputs = outputs,
                     .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
