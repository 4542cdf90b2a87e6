/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the traces of a run.
 * Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/formats/files.h"

#include "collect-kineto/text/archive.h"

#include <opprof/grow.h>

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define ASCEND_PYTORCH "_ascend_pt" /* ends of names of directories, by framework */
#define ASCEND_MINDSPORE "_ascend_ms"
#define XLA_RUNS "plugins/profile" /* in a directory of logs: a directory per recording */
#define XLA_TRACE ".trace.json.gz"
#define XLA_COPY "perfetto_trace.json.gz" /* the same trace again, for another viewer */

static bool ends_with(const char *name, const char *suffix)
{
    const size_t length = strlen(name);
    const size_t suffix_length = strlen(suffix);

    return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

/* The same, whatever the case. */
static bool ends_like(const char *name, const char *suffix)
{
    const size_t length = strlen(name);
    const size_t suffix_length = strlen(suffix);

    return length > suffix_length && strcasecmp(name + length - suffix_length, suffix) == 0;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

static bool is_database(const char *name)
{
    return fnmatch(ASCEND_DATABASE, name, 0) == 0;
}

bool TraceFilesIsMember(const char *name)
{
    static const char *const suffixes[] = {
        ".json",
        ".gz",
        ".sqlite",
#ifdef HAVE_ZSTD
        ".zst",
#endif
    };

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (ends_like(name, suffixes[i])) {
            return true;
        }
    }
    return is_database(name_of(name));
}

static int is_trace_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (TraceFilesIsMember(entry->d_name) || ends_like(entry->d_name, ".zip"));
}

/* Files that may be traces under names that none has. */
static int is_other_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && !is_trace_name(entry);
}

static bool append(TraceFiles *files, char *path)
{
    if (path == NULL ||
        !OpprofGrow(&files->paths, &files->capacity, files->count + 1, sizeof(char *))) {
        free(path);
        return false;
    }
    files->paths[files->count++] = path;
    return true;
}

/* Notes a file that is not read. False without memory. */
static bool append_unread(TraceFiles *files, const char *directory, const char *name)
{
    struct stat facts;
    char *path = NULL;

    if (asprintf(&path, "%s/%s", directory, name) < 0) {
        return false;
    }
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        free(path);
        return true;
    }
    if (!OpprofGrow(&files->unread, &files->unread_capacity, files->unread_count + 1,
                    sizeof(char *))) {
        free(path);
        return false;
    }
    files->unread[files->unread_count++] = path;
    return true;
}

/* An archive whose files are looked at. */
typedef struct Unfolding {
    TraceFiles *files;
    bool is_of_ascend; /* it has a directory of an Ascend profiler */
} Unfolding;

/* Hidden files are something else, as in a directory: macOS packs one beside each file. */
static bool append_member(void *context, const char *path)
{
    Unfolding *unfolding = context;
    const char *name = name_of(path);

    unfolding->is_of_ascend |= strstr(path, "/" ASCEND_OUTPUT "/") != NULL;
    return name[0] == '.' || !TraceFilesIsMember(path) || append(unfolding->files, strdup(path));
}

/* Whether a file from `from` on is wanted. */
typedef bool IsWanted(const TraceFiles *files, size_t from, const char *path);

/* Puts the wanted files from `from` on before the others, in their order. Returns the end of the
 * wanted ones. */
static size_t gather(TraceFiles *files, size_t from, IsWanted *is_wanted)
{
    size_t end = from;

    for (size_t i = from; i < files->count; i++) {
        char *path = files->paths[i];

        if (is_wanted(files, from, path)) {
            files->paths[i] = files->paths[end];
            files->paths[end++] = path;
        }
    }
    return end;
}

static void drop_from(TraceFiles *files, size_t end)
{
    for (size_t i = end; i < files->count; i++) {
        free(files->paths[i]);
    }
    files->count = end;
}

/* A trace, or the database of a directory without one. */
static bool is_ascend(const TraceFiles *files, size_t from, const char *path)
{
    const char *name = name_of(path);
    const size_t length = (size_t) (name - path);
    bool result = ends_with(path, "/" ASCEND_OUTPUT "/" ASCEND_TRACE);

    if (result || !is_database(name)) {
        return result;
    }
    result = true;
    for (size_t i = from; result && i < files->count; i++) {
        result = strncmp(files->paths[i], path, length) != 0 ||
                 strcmp(files->paths[i] + length, ASCEND_TRACE) != 0;
    }
    return result;
}

/* Not a copy of a trace that is in the same directory. */
static bool is_original(const TraceFiles *files, size_t from, const char *path)
{
    const size_t length = (size_t) (name_of(path) - path);
    bool result = true;

    if (strcmp(path + length, XLA_COPY) != 0) {
        return true;
    }
    for (size_t i = from; result && i < files->count; i++) {
        const char *other = files->paths[i];

        result = !ends_with(other, XLA_TRACE) || strncmp(other, path, length) != 0 ||
                 strchr(other + length, '/') != NULL;
    }
    return result;
}

static void drop_copies(TraceFiles *files, size_t from)
{
    drop_from(files, gather(files, from, is_original));
}

static int compare_paths(const void *a, const void *b)
{
    return strverscmp(*(char *const *) a, *(char *const *) b);
}

/*
 * Replaces an archive, the last entry, by the traces in it. An archive that cannot be listed stays,
 * so that its reader reports the reason. False without memory.
 */
static bool unfold_last(TraceFiles *files)
{
    const size_t at = --files->count;
    char *path = files->paths[at];
    Unfolding unfolding = { .files = files };
    OpprofError *error = NULL;
    const OpprofStatus status = ArchiveList(path, append_member, &unfolding, &error);

    OpprofErrorDestroy(error);
    if (OpprofFailed(status) && status != OPPROF_E_MEMORY) {
        return append(files, path);
    }
    if (unfolding.is_of_ascend) { /* its other files are not traces, as in a directory */
        drop_from(files, gather(files, at, is_ascend));
    }
    drop_copies(files, at);
    if (files->count > at) {
        qsort(files->paths + at, files->count - at, sizeof *files->paths, compare_paths);
    }
    free(path);
    return status == OPPROF_OK;
}

/*
 * Appends DIRECTORY/NAME if that is a file, or what is in it. One that must be there but cannot be
 * looked at, or is a pipe or a device, is for its reader to report. False without memory.
 */
static bool append_entry(TraceFiles *files, const char *directory, const char *name, bool must_be)
{
    struct stat facts;
    char *path = NULL;

    if (asprintf(&path, "%s/%s", directory, name) < 0) {
        return false;
    }
    const bool is_seen = stat(path, &facts) == 0;
    if (is_seen ? S_ISDIR(facts.st_mode) : !must_be && errno == ENOENT) {
        free(path);
        return true;
    }
    if (!append(files, path)) {
        return false;
    }
    return !ends_like(name, ".zip") || (is_seen && !S_ISREG(facts.st_mode)) || unfold_last(files);
}

static OpprofStatus out_of_memory(const char *input, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "look for traces in '%s'", input);
}

static bool is_of_ascend(const char *name)
{
    return ends_with(name, ASCEND_PYTORCH) || ends_with(name, ASCEND_MINDSPORE);
}

static int is_ascend_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && is_of_ascend(entry->d_name);
}

static int is_database_name(const struct dirent *entry)
{
    return is_database(entry->d_name);
}

/* The database in a profiler's directory that holds what a trace would. False without memory. */
static bool append_database(TraceFiles *files, const char *output)
{
    struct dirent **entries = NULL;
    const int count = scandir(output, &entries, is_database_name, versionsort);
    bool is_good = true;

    for (int i = 0; i < count; i++) {
        is_good = is_good && (i > 0 || append_entry(files, output, entries[i]->d_name, false));
        free(entries[i]);
    }
    free(entries);
    return is_good;
}

/* The trace of one Ascend directory, or else its database, if it is one. False without memory. */
static bool append_ascend(TraceFiles *files, const char *directory, bool must_be)
{
    const size_t before = files->count;
    char *output = NULL;
    bool is_good = append_entry(files, directory, ASCEND_OUTPUT "/" ASCEND_TRACE, false);

    if (!is_good || files->count > before ||
        asprintf(&output, "%s/" ASCEND_OUTPUT, directory) < 0) {
        return is_good && files->count > before;
    }
    is_good = append_database(files, output);
    free(output);
    if (is_good && files->count == before && must_be) {
        is_good = append_entry(files, directory, ASCEND_OUTPUT "/" ASCEND_TRACE, true);
    }
    return is_good;
}

/* Appends the traces of the directories that are given. False without memory. */
static bool append_ascends(TraceFiles *files, const char *input, struct dirent **entries, int count,
                           bool must_be)
{
    bool is_good = true;

    for (int i = 0; i < count && is_good; i++) {
        char *path = NULL;

        is_good = asprintf(&path, "%s/%s", input, entries[i]->d_name) >= 0;
        is_good = is_good && append_ascend(files, path, must_be);
        free(path);
    }
    return is_good;
}

/*
 * The same of all directories below one. Where some have a trace, the others are ranks whose trace
 * is missing. False without memory.
 */
static bool append_siblings(TraceFiles *files, const char *input)
{
    struct dirent **entries = NULL;
    const size_t from = files->count;
    const int count = scandir(input, &entries, is_ascend_name, versionsort);
    bool is_good = append_ascends(files, input, entries, count, false);

    if (is_good && files->count > from && files->count - from < (size_t) count) {
        drop_from(files, from);
        is_good = append_ascends(files, input, entries, count, true);
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return is_good;
}

/* Directories of recordings that began while the program ran. */
static int is_dynamic_name(const struct dirent *entry)
{
    return fnmatch("rank[0-9]*_start*", entry->d_name, 0) == 0;
}

/* The same of all directories below those. False without memory. */
static bool append_dynamic(TraceFiles *files, const char *input)
{
    struct dirent **entries = NULL;
    const int count = scandir(input, &entries, is_dynamic_name, versionsort);
    bool is_good = true;

    for (int i = 0; i < count; i++) {
        char *path = NULL;

        if (asprintf(&path, "%s/%s", input, entries[i]->d_name) < 0) {
            path = NULL;
        }
        is_good = is_good && path != NULL && append_siblings(files, path);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return is_good;
}

/* Nothing else that an Ascend profiler writes is a trace. */
static OpprofStatus no_ascend(const char *input, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                   "Directory '%s' of an Ascend profiler has no " ASCEND_OUTPUT "/" ASCEND_TRACE,
                   input);
    OpprofErrorHint(
        error,
        "Make it of the recording: torch_npu.profiler.profiler.analyse('%s') of PyTorch, or "
        "mindspore.profiler.profiler.analyse of MindSpore",
        input);
    return OPPROF_E_NOT_FOUND;
}

/* Whether an Ascend profiler recorded something below a directory. */
static bool has_ascends(const char *input)
{
    struct dirent **entries = NULL;
    const int count = scandir(input, &entries, is_ascend_name, NULL);

    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return count > 0;
}

/* Traces of an Ascend profiler in and below a directory. `name`: the directory's own, whatever it
 * is called by. */
static OpprofStatus list_ascend(const char *input, const char *name, TraceFiles *files,
                                OpprofError **error)
{
    bool is_good = append_ascend(files, input, false);

    if (is_good && files->count == 0 && strcmp(name, ASCEND_OUTPUT) == 0) {
        is_good = append_entry(files, input, ASCEND_TRACE, false) &&
                  (files->count > 0 || append_database(files, input));
    }
    if (is_good && files->count == 0 && (is_of_ascend(name) || strcmp(name, ASCEND_OUTPUT) == 0)) {
        return no_ascend(input, error);
    }
    if (is_good && files->count == 0) {
        is_good = append_siblings(files, input) && append_dynamic(files, input);
    }
    return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "look for traces in '%s'", input);
}

/* Notes the files directly in a directory that are not read. False without memory. */
static bool append_others(const char *directory, TraceFiles *files)
{
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, is_other_name, versionsort);
    bool is_good = true;

    for (int i = 0; i < count; i++) {
        is_good = is_good && append_unread(files, directory, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return is_good;
}

/* Appends the traces directly in a directory. */
static OpprofStatus append_traces(const char *directory, TraceFiles *files, OpprofError **error)
{
    const size_t from = files->count;
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, is_trace_name, versionsort);
    bool is_good = true;

    if (count < 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot list directory '%s': %s", directory,
                              strerror(errno));
    }
    for (int i = 0; i < count; i++) {
        is_good = is_good && append_entry(files, directory, entries[i]->d_name, true);
        free(entries[i]);
    }
    free(entries);
    drop_copies(files, from);
    is_good = is_good && append_others(directory, files);
    return is_good ? OPPROF_OK : out_of_memory(directory, error);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Appends the traces of one recording; what is not a directory is not one. */
static OpprofStatus append_run(const char *path, TraceFiles *files, OpprofError **error)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) ? append_traces(path, files, error)
                                                             : OPPROF_OK;
}

/* Two recordings: their times begin at 0 each, so they would seem to be simultaneous. */
static OpprofStatus several_runs(const char *input, const char *last, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_DATA, "Directory '%s' has more than one recording", input);
    OpprofErrorHint(error, "Give the directory of one of them, such as '%s'", last);
    return OPPROF_E_DATA;
}

/* The traces of the recording below a directory of XLA's logs, as JAX and TensorBoard have them.
 * `runs`: the directory of recordings. */
static OpprofStatus list_runs(const char *input, const char *runs, TraceFiles *files,
                              OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    struct dirent **entries = NULL;
    const int count = scandir(runs, &entries, is_visible, versionsort);

    for (int i = 0; i < count; i++) {
        const size_t before = files->count;
        char *path = NULL;

        if (status == OPPROF_OK && asprintf(&path, "%s/%s", runs, entries[i]->d_name) < 0) {
            path = NULL;
            status = out_of_memory(runs, error);
        }
        status = status == OPPROF_OK ? append_run(path, files, error) : status;
        if (status == OPPROF_OK && before > 0 && files->count > before) {
            status = several_runs(input, path, error);
        }
        free(path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static OpprofStatus list_logs(const char *input, TraceFiles *files, OpprofError **error)
{
    OpprofStatus status;
    char *runs = NULL;

    if (asprintf(&runs, "%s%s", input, ends_with(input, "/" XLA_RUNS) ? "" : "/" XLA_RUNS) < 0) {
        return out_of_memory(input, error);
    }
    status = list_runs(input, runs, files, error);
    free(runs);
    return status;
}

/* ---- a directory of directories ---- */

#define FOLDERS_NAMED 8u

static bool has_traces(const char *folder)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_trace_name, NULL);

    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return count > 0;
}

/* Directories in a directory that have traces. */
typedef struct Folders {
    char *first;
    char names[512]; /* of the first ones, for messages */
    size_t count;
} Folders;

static bool find_folders(const char *input, Folders *ret_folders)
{
    struct dirent **entries = NULL;
    const int count = scandir(input, &entries, is_visible, versionsort);
    size_t length = 0;
    bool is_good = true;

    *ret_folders = (Folders){ .first = NULL };
    for (int i = 0; i < count; i++) {
        char *folder = NULL;

        is_good = is_good && asprintf(&folder, "%s/%s", input, entries[i]->d_name) >= 0;
        if (is_good && has_traces(folder)) {
            if (ret_folders->count < FOLDERS_NAMED && length < sizeof ret_folders->names) {
                length += (size_t) snprintf(ret_folders->names + length,
                                            sizeof ret_folders->names - length, "%s'%s'",
                                            ret_folders->count == 0 ? "" : ", ", folder);
            }
            if (ret_folders->count++ == 0) {
                ret_folders->first = folder;
                folder = NULL;
            }
        }
        free(is_good ? folder : NULL);
        free(entries[i]);
    }
    free(entries);
    return is_good;
}

/* The traces of the only directory below one that has some: profilers put those of a host into a
 * directory. Several may be hosts of a job, or recordings that have nothing to do with each
 * other. */
static OpprofStatus list_folders(const char *input, TraceFiles *files, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    Folders folders;

    if (!find_folders(input, &folders)) {
        status = out_of_memory(input, error);
    } else if (folders.count == 1) {
        status = append_traces(folders.first, files, error);
    } else if (folders.count > 1) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                       "Directory '%s' has no traces, but %zu directories in it have: %s%s", input,
                       folders.count, folders.names, folders.count > FOLDERS_NAMED ? " …" : "");
        OpprofErrorHint(error, "Give one of them, or put the traces of one job into one directory");
        status = OPPROF_E_NOT_FOUND;
    }
    free(folders.first);
    return status;
}

/* Traces in a directory, or else those of recordings below it. */
static OpprofStatus list_directory(const char *input, TraceFiles *files, OpprofError **error)
{
    OpprofStatus status = append_traces(input, files, error);

    if (status == OPPROF_OK && files->count == 0) {
        status = list_logs(input, files, error);
    }
    if (status == OPPROF_OK && files->count == 0 && has_ascends(input)) {
        return no_ascend(input, error);
    }
    if (status == OPPROF_OK && files->count == 0) {
        status = list_folders(input, files, error);
    }
    if (status == OPPROF_OK && files->count == 0) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "Cannot find traces in directory '%s'", input);
        OpprofErrorHint(error, "Traces are files whose names end with " TRACE_NAMES);
        return OPPROF_E_NOT_FOUND;
    }
    return status;
}

static OpprofStatus find_file(const char *input, TraceFiles *files, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (!append(files, strdup(input))) {
        return out_of_memory(input, error);
    }
    if (ArchiveIs(input) && !unfold_last(files)) {
        status = out_of_memory(input, error);
    } else if (files->count == 0) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "Cannot find traces in archive '%s'", input);
        OpprofErrorHint(error, "Traces in archives are files whose names end with " TRACE_NAMES);
        status = OPPROF_E_NOT_FOUND;
    }
    if (status != OPPROF_OK) {
        TraceFilesFinish(files);
    }
    return status;
}

static OpprofStatus list_named(const char *input, const char *name, TraceFiles *files,
                               OpprofError **error)
{
    OpprofStatus status = list_ascend(input, name, files, error);

    if (status == OPPROF_OK && files->count == 0) {
        status = list_directory(input, files, error);
    }
    if (status != OPPROF_OK) {
        TraceFilesFinish(files);
    }
    return status;
}

char *TraceFilesPlain(const char *input)
{
    size_t length = strlen(input);

    while (length > 1 && input[length - 1] == '/') {
        length--;
    }
    return strndup(input, length);
}

static OpprofStatus find_in_directory(const char *input, TraceFiles *files, OpprofError **error)
{
    char *plain = TraceFilesPlain(input);
    char *real = realpath(input, NULL);
    OpprofStatus status;

    status = plain == NULL ? out_of_memory(input, error)
                           : list_named(plain, name_of(real == NULL ? plain : real), files, error);
    free(plain);
    free(real);
    return status;
}

OpprofStatus TraceFilesFind(const char *input, TraceFiles *ret_files, OpprofError **error)
{
    struct stat facts;

    *ret_files = (TraceFiles){ .paths = NULL };
    if (stat(input, &facts) != 0) {
        return OpprofErrorSet(error, errno == ENOENT ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                              "Cannot read traces from '%s': %s", input, strerror(errno));
    }
    if (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) {
        /* a pipe could be read only once, and opening one waits for its writer, whatever is asked
         * meanwhile */
        OpprofErrorSet(error, OPPROF_E_IO,
                       "Cannot read traces from '%s': it is neither a file nor a directory", input);
        OpprofErrorHint(error, "Write the trace to a file, compressed or not");
        return OPPROF_E_IO;
    }
    if (S_ISREG(facts.st_mode)) {
        return find_file(input, ret_files, error);
    }
    return find_in_directory(input, ret_files, error);
}

uint64_t TraceFilesBytes(const TraceFiles *files)
{
    uint64_t bytes = 0;
    struct stat facts;

    for (size_t i = 0; i < files->count; i++) {
        bytes += stat(files->paths[i], &facts) == 0 ? (uint64_t) facts.st_size : 0;
    }
    return bytes;
}

void TraceFilesFinish(TraceFiles *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->paths[i]);
    }
    free(files->paths);
    for (size_t i = 0; i < files->unread_count; i++) {
        free(files->unread[i]);
    }
    free(files->unread);
    *files = (TraceFiles){ .paths = NULL };
}
