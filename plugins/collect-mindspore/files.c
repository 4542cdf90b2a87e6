/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the files of MindSpore's profiler, and puts their slices in order.
 * Tested by tests/plugins/collect-mindspore/test_raw.sh.
 */
#include "collect-mindspore/files.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/form.h>
#include <opprof/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH 6u /* a job, profiler, PROF_…, device_0, data */

/* What files say, of which one suffices. */
#define OPERATORS "operators"
#define STEPS "steps"
#define AICPU "aicpu"
#define PIPELINE "pipeline"
#define QUEUE "queue"

static const FileKind file_kinds[FILE_KINDS] = {
    { "info.json.<device>", "info", 0, NULL, 0 },
    { "Framework.hash_dic.<device>.slice_<slice>", "hash_dic", 'B', NULL, 0 },
    { "Framework.host.<?vm.>point.<device>.slice_<slice>", "point", 'A', NULL, 0 },
    { "Framework.host.<?vm.>task_desc_info.<device>.slice_<slice>", "task_desc_info", 'A', NULL,
      0 },
    { "Framework.task_desc_info.<device>.slice_<slice>", "task_desc_info", 'B', NULL, 0 },
    { "Framework.host.vm.graph_desc_info.<device>.slice_<slice>", "graph_desc_info", 'A', NULL, 0 },
    { "Framework.host.graph_desc_info.<device>.slice_<slice>", "ge_graph_desc_info", 'A', NULL, 0 },
    { "Framework.tensor_data_info.<device>.slice_<slice>", "tensor_data_info", 'B', NULL, 0 },
    { "training_trace.<digits>.dev.profiler_default_tag.<device>.slice_<slice>", "training_trace",
      'A', STEPS, 0 },
    { "ts_track.data.<device>.slice_<slice>", "ts_track", 'B', STEPS, 0 },
    { "DATA_PREPROCESS.dev.AICPU.<device>.slice_<slice>", "aicpu", 'A', AICPU, 0 },
    { "DATA_PREPROCESS.AICPU.<device>.slice_<slice>", "aicpu", 'B', AICPU, 0 },
    { "hwts.log.data.<digits>.dev.profiler_default_tag.<device>.slice_<slice>", "hwts", 'A',
      OPERATORS, 0 },
    { "hwts.data.<device>.slice_<slice>", "hwts", 'B', OPERATORS, 0 },
    { "aicore.data.<device>.slice_<slice>", "aicore", 'B', NULL, 0 },
    /* What MindInsight's parsers made of them. */
    { "aicore_intermediate_<device>_detail.csv", "aicore_detail", 0, OPERATORS, 1 },
    { "aicore_intermediate_<device>_type.csv", "aicore_type", 0, OPERATORS, 1 },
    { "framework_raw_<device>.csv", "framework_raw", 0, OPERATORS, 1 },
    { "flops_<device>.txt", "flops", 0, OPERATORS, 1 },
    { "aicpu_intermediate_<device>.csv", "aicpu_table", 0, AICPU, 1 },
    { "step_trace_raw_<device>_detail_time.csv", "step_table", 0, STEPS, 1 },
    { "minddata_pipeline_raw_<device>.csv", "pipeline_table", 0, PIPELINE, 0 },
    { "pipeline_profiling_<device>.json", "pipeline_tree", 0, PIPELINE, 1 },
    { "device_queue_profiling_<device>.txt", "device_queue", 0, QUEUE, 0 },
    { "dataset_iterator_profiling_<device>.txt", "device_queue", 0, QUEUE, 1 },
    { "DATA_PREPROCESS.<?dev.>AICPUMI.<device>.slice_<slice>", "get_next_log", 0, "get_next", 0 },
    { "minddata_aicpu_<device>.txt", "get_next_us", 0, "get_next", 1 },
    { "minddata_getnext_profiling_<device>.txt", "get_next_ns", 0, NULL, 0 },
    { "minddata_cpu_utilization_<device>.json", "cpu", 0, NULL, 0 },
    { "gpu_op_detail_info_<device>.csv", "gpu_operators", 0, NULL, 0 },
    { "gpu_activity_data_<device>.csv", "gpu_activities", 0, NULL, 0 },
    { "ascend_cluster_analyse_<mode>_<digits>_<digits>_<device>.csv", "cluster", 0, NULL, 0 },
    { "hccl_raw_<device>.csv", "links", 0, NULL, 0 },
    { "flops_summary_<device>.json", "rank_facts", 0, "flops", 0 },
    { "memory_usage_summary_<device>.json", "rank_facts", 0, "memory", 0 },
    { "step_trace_profiling_<device>.txt", "gpu_steps", 0, STEPS, 0 },
};

/* Files that hold what no table has. */
static const char *const unread[] = {
    "DATA_PREPROCESS*.DP.*", "cpu_op_*_info_*.csv",        "dynamic_shape_info_*.json",
    "memory_usage_[0-9]*",   "pynative_op_intermediate_*", "step_trace_point_info*.json",
};

/* ---- names ---- */

enum { FIELD_DEVICE, FIELD_SLICE, FIELD_DIGITS, FIELD_MODE, FIELDS };

static const OpprofFormField form_fields[FIELDS] = {
    { .name = "device", .kind = OPPROF_FORM_DECIMAL, .use = OPPROF_FORM_REQUIRED },
    { .name = "slice", .kind = OPPROF_FORM_DECIMAL, .use = OPPROF_FORM_OPTIONAL },
    { .name = "digits", .kind = OPPROF_FORM_DECIMAL, .use = OPPROF_FORM_REPEATED },
    { .name = "mode", .kind = OPPROF_FORM_WORD, .use = OPPROF_FORM_OPTIONAL, .also = "-" },
};
static const OpprofFormLanguage form_language = { .fields = form_fields, .field_count = FIELDS };

bool FileNamesInit(FileNames *names, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    *names = (FileNames){ { NULL } };
    for (size_t i = 0; i < FILE_KINDS && status == OPPROF_OK; i++) {
        status = OpprofFormRead(&form_language, file_kinds[i].form, &names->forms[i], error);
    }
    return status == OPPROF_OK;
}

/* The kind of a file by its name; NULL: none. */
static const FileKind *kind_of(const FileNames *names, const char *path,
                               OpprofFormValue *ret_values)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;

    for (size_t i = 0; i < FILE_KINDS; i++) {
        if (OpprofFormMatch(names->forms[i], name, strlen(name), ret_values)) {
            return &file_kinds[i];
        }
    }
    return NULL;
}

/* Folders below which the profilers put theirs. */
static bool is_on_the_way(const char *name)
{
    static const char *const patterns[] = { "data", "profiler*", "PROF_*", "device_[0-9]*",
                                            "JOB*" };

    for (size_t i = 0; i < OPPROF_COUNT(patterns); i++) {
        if (fnmatch(patterns[i], name, 0) == 0) {
            return true;
        }
    }
    return false;
}

bool FileNamesKnow(const FileNames *names, const char *path)
{
    OpprofFormValue values[FIELDS];
    char folder[256];

    for (const char *at = path, *slash; (slash = strchr(at, '/')) != NULL; at = slash + 1) {
        snprintf(folder, sizeof folder, "%.*s", (int) (slash - at), at);
        if (!is_on_the_way(folder)) {
            return false;
        }
    }
    return kind_of(names, path, values) != NULL;
}

void FileNamesFinish(FileNames *names)
{
    for (size_t i = 0; i < FILE_KINDS; i++) {
        OpprofFormFree(names->forms[i]);
    }
}

/* ---- folders ---- */

typedef struct Search {
    OpprofStage *stage;
    const OpprofParams *params;
    FileNames names;
    Files *files;
    uint64_t left_out; /* of devices that are not asked for */
    uint64_t unread;
    char first_unread[256];
} Search;

static bool is_asked_for(const Search *search, uint64_t device)
{
    const size_t count = OpprofParamsCount(search->params, "device");
    char number[24];

    snprintf(number, sizeof number, "%" PRIu64, device);
    for (size_t i = 0; i < count; i++) {
        const char *asked = OpprofParamsElement(search->params, "device", i);

        if (strcmp(asked, "all") == 0 || strcmp(asked, number) == 0) {
            return true;
        }
    }
    return count == 0;
}

static void note_unread(Search *search, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;

    for (size_t i = 0; i < OPPROF_COUNT(unread); i++) {
        if (fnmatch(unread[i], name, 0) == 0) {
            if (search->unread++ == 0) {
                snprintf(search->first_unread, sizeof search->first_unread, "%s", name);
            }
            return;
        }
    }
}

/* Adds a file if its name is known. False without memory. */
static bool add_file(Search *search, const char *path, uint64_t size)
{
    Files *files = search->files;
    OpprofFormValue values[FIELDS];
    File file = { .size = size, .kind = kind_of(&search->names, path, values) };

    if (file.kind == NULL) {
        note_unread(search, path);
        return true;
    }
    file.device = values[FIELD_DEVICE].number;
    file.slice = values[FIELD_SLICE].text == NULL ? 0 : values[FIELD_SLICE].number;
    if (!is_asked_for(search, file.device)) {
        search->left_out++;
        return true;
    }
    file.path = strdup(path);
    if (file.path == NULL ||
        !OpprofGrow(&files->list, &files->room, files->count + 1, sizeof *files->list)) {
        free(file.path);
        return false;
    }
    files->list[files->count++] = file;
    return true;
}

static OpprofStatus search_folder(Search *search, const char *path, unsigned depth,
                                  OpprofError **error);

static OpprofStatus look_at(Search *search, const char *folder, const char *name, unsigned depth,
                            OpprofError **error)
{
    struct stat facts;
    char *path = NULL;
    OpprofStatus status = OPPROF_OK;

    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        return OpprofErrorNoMemory(error, "search '%s'", folder);
    }
    if (stat(path, &facts) != 0) {
        facts.st_mode = 0;
    }
    if (S_ISREG(facts.st_mode) && !add_file(search, path, (uint64_t) facts.st_size)) {
        status = OpprofErrorNoMemory(error, "search '%s'", folder);
    } else if (S_ISDIR(facts.st_mode) && depth > 0 && is_on_the_way(name)) {
        status = search_folder(search, path, depth - 1, error);
    }
    free(path);
    return status;
}

static OpprofStatus search_folder(Search *search, const char *path, unsigned depth,
                                  OpprofError **error)
{
    DIR *folder = opendir(path);
    OpprofStatus status = OPPROF_OK;
    const struct dirent *entry;

    if (folder == NULL) {
        if (errno == ENOTDIR || errno == ENOENT || depth == DEPTH) {
            return OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "Cannot read '%s': %s", path,
                                  strerror(errno));
        }
        OpprofStageIncomplete(search->stage, "Folder '%s' is left out: %s", path, strerror(errno));
        return OPPROF_OK;
    }
    while (status == OPPROF_OK && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            status = look_at(search, path, entry->d_name, depth, error);
        }
    }
    closedir(folder);
    return status;
}

/* The facts about the device of a folder "data" lie beside it. */
static OpprofStatus look_beside(Search *search, const char *input, OpprofError **error)
{
    char *path = realpath(input, NULL);
    char *slash = path == NULL ? NULL : strrchr(path, '/');
    OpprofStatus status = OPPROF_OK;

    if (slash != NULL && slash > path && strcmp(slash, "/data") == 0) {
        *slash = '\0';
        DIR *folder = opendir(path);
        const struct dirent *entry;

        while (folder != NULL && status == OPPROF_OK && (entry = readdir(folder)) != NULL) {
            if (fnmatch("info.json.*", entry->d_name, 0) == 0) {
                status = look_at(search, path, entry->d_name, 0, error);
            }
        }
        if (folder != NULL) {
            closedir(folder);
        }
    }
    free(path);
    return status;
}

static OpprofStatus search_input(Search *search, const char *input, OpprofError **error)
{
    struct stat facts;

    if (stat(input, &facts) == 0 && S_ISREG(facts.st_mode)) {
        return add_file(search, input, (uint64_t) facts.st_size)
                   ? OPPROF_OK
                   : OpprofErrorNoMemory(error, "read '%s'", input);
    }
    const OpprofStatus status = search_folder(search, input, DEPTH, error);
    return status == OPPROF_OK ? look_beside(search, input, error) : status;
}

static OpprofStatus nothing_found(const Search *search, const char *input, OpprofError **error)
{
    if (search->left_out > 0) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                       "'%s' has no files of the devices that are asked for", input);
        OpprofErrorHint(error, "Give device=all, or the numbers in the names of the files");
    } else {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "'%s' has no files of MindSpore's profiler",
                       input);
        OpprofErrorHint(error, "Give the folder that has files such as hwts.data.0.slice_0");
    }
    return OPPROF_E_NOT_FOUND;
}

/* ---- order ---- */

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_files(const void *a, const void *b)
{
    const File *left = a;
    const File *right = b;
    int result = compare(left->device, right->device);

    result = result != 0 ? result : compare((uintptr_t) left->kind, (uintptr_t) right->kind);
    result = result != 0 ? result : compare(left->slice, right->slice);
    return result != 0 ? result : strcmp(left->path, right->path);
}

static bool is_same_log(const File *a, const File *b)
{
    return a->device == b->device && a->kind == b->kind;
}

/* Whether other files of the device say the same as those that begin at `index`, and win. */
static bool is_covered(const Files *files, size_t index)
{
    const File *file = &files->list[index];

    for (size_t i = 0; file->kind->content != NULL && i < files->count; i++) {
        const File *other = &files->list[i];

        if (other->device == file->device && other->kind->content != NULL &&
            strcmp(other->kind->content, file->kind->content) == 0 &&
            other->kind->place < file->kind->place) {
            return true;
        }
    }
    return false;
}

/* Leaves out logs that others say better, and what is there twice. */
static void choose_files(OpprofStage *stage, Files *files)
{
    const File *kept = NULL;
    bool covered = false;

    for (size_t i = 0; i < files->count; i++) {
        File *file = &files->list[i];

        if (i == 0 || !is_same_log(file - 1, file)) {
            covered = is_covered(files, i);
        }
        file->is_out = covered;
        if (!covered && kept != NULL && is_same_log(kept, file) && kept->slice == file->slice) {
            OpprofStageIncomplete(stage, "'%s' is left out: '%s' is the same part of a log",
                                  file->path, kept->path);
            file->is_out = true;
        }
        if (file->is_out) {
            OpprofLog(OPPROF_LOG_INFO, OpprofStageId(stage), "Left out: path=%s", file->path);
        } else {
            kept = file;
        }
    }
}

static void take_out(Files *files)
{
    size_t count = 0;

    for (size_t i = 0; i < files->count; i++) {
        if (files->list[i].is_out) {
            free(files->list[i].path);
        } else {
            files->list[count++] = files->list[i];
        }
    }
    files->count = count;
}

/* Says where each log begins and ends, and where a slice is missing. */
static void mark_slices(OpprofStage *stage, Files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        File *file = &files->list[i];
        const File *before = i > 0 && is_same_log(file - 1, file) ? file - 1 : NULL;
        const uint64_t due = before == NULL ? 0 : before->slice + 1;

        file->is_first = before == NULL;
        file->is_last = i + 1 == files->count || !is_same_log(file, file + 1);
        file->place = before == NULL ? 1 : before->place + 1;
        file->has_gap = file->slice != due;
        files->bytes += file->size;
        if (file->has_gap) {
            OpprofStageIncomplete(stage, "%" PRIu64 " slice(s) are missing before '%s'",
                                  file->slice - due, file->path);
        }
    }
}

static void arrange(OpprofStage *stage, Files *files)
{
    qsort(files->list, files->count, sizeof *files->list, compare_files);
    choose_files(stage, files);
    take_out(files);
    mark_slices(stage, files);
}

OpprofStatus FilesFind(OpprofStage *stage, const char *input, const OpprofParams *params,
                       Files *ret_files, OpprofError **error)
{
    Search search = { .stage = stage, .params = params, .files = ret_files };
    OpprofStatus status = OPPROF_E_MEMORY;

    if (FileNamesInit(&search.names, error)) {
        status = search_input(&search, input, error);
    }
    FileNamesFinish(&search.names);
    if (status == OPPROF_OK && ret_files->count == 0) {
        status = nothing_found(&search, input, error);
    }
    if (status == OPPROF_OK && search.unread > 0) {
        OpprofStageWarn(stage,
                        "%" PRIu64 " file(s) of the profiler hold what is not read, such as "
                        "'%s'",
                        search.unread, search.first_unread);
    }
    if (status == OPPROF_OK) {
        arrange(stage, ret_files);
    }
    return status;
}

void FilesFinish(Files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->list[i].path);
    }
    free(files->list);
    *files = (Files){ .count = 0 };
}
