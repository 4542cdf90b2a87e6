/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ascend-tables: the tables that an Ascend profiler leaves beside its trace, for all ranks. They
 * are read after the traces, from which their ranks have their names. An input without any costs
 * nothing.
 * Tested by tests/plugins/collect-kineto/test_ascend_tables.sh.
 */
#include "collect-kineto/formats/files.h"
#include "collect-kineto/tables/folder_ranks.h"
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
    const char *path; /* of the folders' */
    size_t folder;
    uint32_t kind; /* of its table */
} Entry;

typedef struct AscendTables {
    OpprofStage *stage;
    const char *input;
    AscendFolders folders;
    FolderRanks ranks;
    Entry *entries; /* by kind, then by directory */
    size_t entry_count;
    size_t entry_room;
    TableType types[TABLE_KINDS];
    OpprofBatchPool *pools[TABLE_KINDS];
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

static bool add_entry(AscendTables *self, const AscendFile *file, uint32_t kind)
{
    if (!OpprofGrow(&self->entries, &self->entry_room, self->entry_count + 1,
                    sizeof *self->entries)) {
        return false;
    }
    self->entries[self->entry_count++] =
        (Entry){ .path = file->path, .folder = file->folder, .kind = kind };
    return true;
}

static bool list_files(AscendTables *self)
{
    bool is_good = true;

    for (uint32_t kind = 0; kind < TABLE_KINDS; kind++) {
        for (size_t i = 0; is_good && i < self->folders.file_count; i++) {
            const AscendFile *file = &self->folders.files[i];

            is_good =
                !AscendFits(table_kinds[kind].file, file->name) || add_entry(self, file, kind);
        }
    }
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
static void report_unread(const AscendTables *self)
{
    const AscendFolders *folders = &self->folders;
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

static OpprofStatus start(void *context, OpprofError **error)
{
    AscendTables *self = context;
    OpprofStatus status = AscendFoldersFind(self->input, &self->folders, error);

    if (status == OPPROF_OK && !list_files(self)) {
        status = no_memory(self, error);
    }
    if (status == OPPROF_OK) {
        status = learn_columns(self, error);
    }
    if (status == OPPROF_OK) {
        status = make_types(self, error);
    }
    report_unread(self);
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Tables: folders=%zu, files=%zu",
              self->folders.count, self->entry_count);
    return status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    AscendTables *self = context;

    (void) port;
    return FolderRanksTake(&self->ranks, batch) ? OPPROF_OK : no_memory(self, error);
}

/* ---- reading ---- */

/* OPPROF_END after its last row. */
static OpprofStatus push_rows(AscendTables *self, TableFile *file, OpprofBatchPool *pool,
                              OpprofError **error)
{
    OpprofBatch *out = OpprofBatchPoolTake(pool);
    const OpprofStatus status =
        out == NULL ? no_memory(self, error) : TableFileFill(file, self->stage, out, error);

    if (OpprofFailed(status)) {
        OpprofBatchUnref(out);
        return status;
    }
    const OpprofStatus pushed = OpprofStagePush(self->stage, 0, out);
    return pushed == OPPROF_OK ? status : pushed;
}

static void close_file(AscendTables *self, TableFile *file)
{
    TableFileReport(file, self->stage);
    OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(self->stage), "Table read: path=%s, rows=%" PRIu64,
              file->path, file->count);
    OpprofStageCount(self->stage, "rows of tables", file->count);
    self->rows += file->count;
    TableFileClose(file);
}

/* OPPROF_END: the run is to stop. */
static OpprofStatus read_file(AscendTables *self, size_t index, OpprofError **error)
{
    const Entry *entry = &self->entries[index];
    TableFile file;
    OpprofStatus status = TableFileOpen(&file, &self->types[entry->kind], entry->path, error);
    bool is_stopped = false;

    if (status != OPPROF_OK) {
        return status;
    }
    file.rank = self->ranks.of[entry->folder].name;
    while (status == OPPROF_OK && !is_stopped) {
        status = push_rows(self, &file, self->pools[entry->kind], error);
        is_stopped = status == OPPROF_OK && OpprofStageStopRequested(self->stage);
    }
    close_file(self, &file);
    OpprofStageProgress(self->stage, index + 1, self->entry_count, "tables");
    return is_stopped ? OPPROF_END : status == OPPROF_END ? OPPROF_OK : status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    AscendTables *self = context;
    OpprofStatus status = FolderRanksName(&self->ranks, self->stage, &self->folders)
                              ? OPPROF_OK
                              : no_memory(self, error);
    size_t done = 0;

    while (status == OPPROF_OK && done < self->entry_count) {
        status = read_file(self, done, error);
        done += status == OPPROF_OK;
    }
    if (status == OPPROF_END) {
        OpprofStageIncomplete(self->stage,
                              "The run was stopped before %zu of %zu files of tables were read",
                              self->entry_count - done, self->entry_count);
    } else if (status == OPPROF_OK && self->entry_count > 0 && self->rows == 0 &&
               self->ranks.seat_count == 0) { /* such a run has no results */
        OpprofStageIncomplete(self->stage,
                              "Nothing in '%s' is a row of a table: %zu file(s) of an Ascend "
                              "profiler's tables are empty, and there is no trace",
                              self->input, self->entry_count);
    }
    return status == OPPROF_END ? OPPROF_OK : status;
}

static void destroy(void *context)
{
    AscendTables *self = context;

    free(self->entries);
    FolderRanksFinish(&self->ranks);
    AscendFoldersFinish(&self->folders);
    for (uint32_t i = 0; i < TABLE_KINDS; i++) {
        OpprofBatchPoolDestroy(self->pools[i]);
        TableTypeFinish(&self->types[i]);
    }
    free(self);
}

/* ---- module ---- */

static const OpprofPort inputs[] = {
    { .name = "files",
      .type = "rank.file",
      .record_type = &opprof_rank_file_type,
      .flags = OPPROF_PORT_OPTIONAL,
      .summary = "Ranks that have a trace, with their names." },
};

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
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "ascend-tables", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Reads the tables that an Ascend profiler leaves beside its trace.",
                     .help = "Reads kernel_details, op_statistic, step_trace_time, api_statistic, "
                             "operator_memory, dataset and minddata_pipeline_raw (CSV) in "
                             "ASCEND_PROFILER_OUTPUT, by their headings. An input without them "
                             "gives no tables.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
