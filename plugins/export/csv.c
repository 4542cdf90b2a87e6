/* SPDX-License-Identifier: Apache-2.0 */
/* csv: writes every table as CSV, one file for each table, or for each value of the fields that its
 * file hint names. */
#include "advice_rows.h"
#include "table_file.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/map.h>
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 512u    /* open at a time */
#define KEY_FIELDS_MAX 4u /* fields that a file hint may name */

/* A file being written, and which records go to it. */
typedef struct TableFile {
    const OpprofRecordType *type;
    uint32_t key[KEY_FIELDS_MAX]; /* ids of the fields that the hint names */
    uint32_t partition;           /* of the batch that it was made for */
    char *path;
    OpprofOutputFile *file;
} TableFile;

typedef struct Csv {
    OpprofStage *stage;
    TableFile *files;
    uint32_t count;
    uint32_t capacity;
    uint32_t latest;        /* index of the file of the last record */
    OpprofTextMap finished; /* paths of files that are complete */
    uint64_t left_out;      /* records */
    AdviceRows advice;
} Csv;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "write tables");
}

/* Is "<name>" part of the hint? */
static bool hint_names(const char *hint, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = hint; at != NULL && (at = strchr(at, '<')) != NULL; at++) {
        if (strncmp(at + 1, name, length) == 0 && at[1 + length] == '>') {
            return true;
        }
    }
    return false;
}

static void load_key(const OpprofRecordType *type, const void *record, uint32_t key[KEY_FIELDS_MAX])
{
    uint32_t count = 0;

    memset(key, 0, KEY_FIELDS_MAX * sizeof *key);
    for (uint32_t i = 0; i < type->field_count && count < KEY_FIELDS_MAX; i++) {
        const OpprofField *field = &type->fields[i];

        if (field->kind == OPPROF_FIELD_STRING && hint_names(type->file_hint, field->name)) {
            memcpy(&key[count++], (const char *) record + field->offset, sizeof *key);
        }
    }
}

static bool is_file_of(const TableFile *file, const OpprofRecordType *type,
                       const uint32_t key[KEY_FIELDS_MAX])
{
    return file->type == type && memcmp(file->key, key, sizeof file->key) == 0;
}

static bool has_path(const Csv *self, const char *path)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (strcmp(self->files[i].path, path) == 0) {
            return true;
        }
    }
    return OpprofTextMapFind(&self->finished, path, strlen(path)) != OPPROF_MAP_NONE;
}

/* Two tables may ask for one path: the later one gets a number. Takes ownership of `path`; NULL
 * without memory. */
static char *free_path(const Csv *self, char *path)
{
    const size_t stem = strlen(path) - strlen(".csv");
    char *numbered = path;

    for (unsigned number = 2; numbered != NULL && has_path(self, numbered); number++) {
        if (numbered != path) {
            free(numbered);
        }
        if (asprintf(&numbered, "%.*s_%u.csv", (int) stem, path, number) < 0) {
            numbered = NULL;
        }
    }
    if (numbered != path) {
        if (numbered != NULL) {
            OpprofStageWarn(self->stage, "Two tables ask for file '%s', writing one to '%s'", path,
                            numbered);
        }
        free(path);
    }
    return numbered;
}

static bool make_room(Csv *self)
{
    return OpprofGrow32(&self->files, &self->capacity, (size_t) self->count + 1,
                        sizeof *self->files);
}

static OpprofStatus add_file(Csv *self, const OpprofBatch *batch, const void *record,
                             const uint32_t key[KEY_FIELDS_MAX], OpprofError **error)
{
    const OpprofRecordType *type = batch->type;
    TableFile file = { .type = type, .partition = batch->partition };
    char *path = TableFilePath(self->stage, type, record);
    OpprofStatus status;

    if (path != NULL) {
        file.path = free_path(self, path);
    }
    if (file.path == NULL || !make_room(self)) {
        free(file.path);
        return no_memory(error);
    }
    status = OpprofOutputFileCreate(OpprofStageOutput(self->stage), file.path, &file.file, error);
    if (status != OPPROF_OK) {
        free(file.path);
        return status;
    }
    memcpy(file.key, key, sizeof file.key);
    self->latest = self->count;
    self->files[self->count++] = file;
    return TableFileHead(file.file, type, error);
}

/* The file of a record, made at first use. *ret_file is NULL if no more files are allowed. */
static OpprofStatus find_file(Csv *self, const OpprofBatch *batch, const void *record,
                              OpprofOutputFile **ret_file, OpprofError **error)
{
    const OpprofRecordType *type = batch->type;
    uint32_t key[KEY_FIELDS_MAX];
    OpprofStatus status;

    *ret_file = NULL;
    load_key(type, record, key);
    if (self->count > 0 && is_file_of(&self->files[self->latest], type, key)) {
        *ret_file = self->files[self->latest].file;
        return OPPROF_OK;
    }
    for (uint32_t i = 0; i < self->count; i++) {
        if (is_file_of(&self->files[i], type, key)) {
            self->latest = i;
            *ret_file = self->files[i].file;
            return OPPROF_OK;
        }
    }
    if (self->count == FILES_MAX) {
        return OPPROF_OK;
    }
    status = add_file(self, batch, record, key, error);
    *ret_file = status == OPPROF_OK ? self->files[self->latest].file : NULL;
    return status;
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Csv), ret_self, error);
}

static OpprofStatus finish_file(Csv *self, TableFile *file, OpprofError **error)
{
    OpprofOutputFile *output = file->file;
    const bool is_known =
        OpprofTextMapPut(&self->finished, file->path, strlen(file->path), 0, NULL);

    file->file = NULL;
    free(file->path);
    file->path = NULL;
    const OpprofStatus status = OpprofOutputFileFinish(output, error);
    return status == OPPROF_OK && !is_known ? no_memory(error) : status;
}

/* A partition has no more rows for tables of the batch's type. */
static OpprofStatus finish_partition(Csv *self, const OpprofBatch *batch, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < self->count; i++) {
        TableFile *file = &self->files[i];

        if (status == OPPROF_OK && file->type == batch->type &&
            file->partition == batch->partition) {
            status = finish_file(self, file, error);
        } else {
            self->files[kept++] = *file;
        }
    }
    self->count = kept;
    self->latest = 0;
    return status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Csv *self = context;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    if (batch->type->file_hint != NULL && batch->type->file_hint[0] == '\0') {
        return OPPROF_OK; /* a table without a file of its own */
    }
    if (batch->type == &opprof_advice_type) {
        return AdviceRowsTake(&self->advice, self->stage, batch) ? OPPROF_OK : no_memory(error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const void *record = OpprofBatchRecord(batch, i);
        OpprofOutputFile *file;

        status = find_file(self, batch, record, &file, error);
        if (status == OPPROF_OK && file == NULL) {
            self->left_out++;
        } else if (status == OPPROF_OK) {
            status = TableFileRow(file, self->stage, batch, record, error);
        }
    }
    return status == OPPROF_OK && batch->watermark == UINT64_MAX
               ? finish_partition(self, batch, error)
               : status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Csv *self = context;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < self->count; i++) {
        OpprofOutputFile *file = self->files[i].file;

        self->files[i].file = NULL;
        status = OpprofOutputFileFinish(file, error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Wrote tables: files=%" PRIu32,
              self->count);
    if (status == OPPROF_OK) {
        status = AdviceRowsWrite(&self->advice, self->stage, error);
    }
    if (self->left_out > 0) {
        OpprofStageIncomplete(self->stage, "%llu %s in no file: the limit is %u files",
                              (unsigned long long) self->left_out,
                              OPPROF_PLURAL(self->left_out, "row is", "rows are"), FILES_MAX);
    }
    return status;
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Csv *self = context;

    (void) error;
    for (uint32_t i = 0; i < self->count; i++) {
        OpprofOutputFileDiscard(self->files[i].file);
        self->files[i].file = NULL;
    }
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Csv *self = context;

    for (uint32_t i = 0; i < self->count; i++) {
        free(self->files[i].path);
    }
    free(self->files);
    AdviceRowsFinish(&self->advice);
    OpprofTextMapFinish(&self->finished);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "tables",
      .type = OPPROF_ANY_TABLE,
      .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
      .summary = "Tables of any kind." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .stop = stop,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "csv", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Writes every table as a CSV file.",
                     .help =
                         "The table's record type states the name of the file and the columns. "
                         "Values that are absent are "
                         "written as NA. Rows are written in the order of arrival. A file is "
                         "complete when its table's producer says so, at the latest at the end.",
                     .kind = OPPROF_EXPORTER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .ops = &ops);
