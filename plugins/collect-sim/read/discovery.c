/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the cores of a dump directory by the names of its files. Tested by
 * tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "discovery.h"
#include "cannsim_cores.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <opprof/grow.h>
#include <opprof/kit/live_host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const sub_cores[] = { "veccore", "cubecore", "mixcore" };
static const char *const kinds[] = { "icache_log.dump", "ifu.icache_log.dump", "instr_log.dump",
                                     "instr_popped_log.dump" };

/* A file of a core. */
typedef struct Clue {
    char *prefix;
    size_t name_length; /* of the prefix, without its separator */
    char *file;         /* its name, if a chip's file states its form; else NULL */
    SimLogKind kind;    /* of that */
} Clue;

typedef struct Clues {
    const char *directory;
    uint64_t max_size;        /* of a file */
    const SimLogNames *names; /* of files; NULL: Ascend's */
    Clue *clues;
    size_t count;
    size_t capacity;
    bool has_icache_log_suffix;
    bool has_icache_log;
    bool has_whole_core;  /* a core with two files */
    char unreadable[256]; /* the first file that cannot be looked at */
    int failure;          /* why; 0: none */
} Clues;

static size_t digits(const char *at)
{
    size_t count = 0;

    while (isdigit((unsigned char) at[count])) {
        count++;
    }
    return count;
}

/* ".veccore0" and the like; 0 if none. */
static size_t sub_core_length(const char *at)
{
    for (size_t i = 0; *at == '.' && i < sizeof sub_cores / sizeof sub_cores[0]; i++) {
        const size_t length = strlen(sub_cores[i]);

        if (strncmp(at + 1, sub_cores[i], length) == 0 && digits(at + 1 + length) > 0) {
            return 1 + length + digits(at + 1 + length);
        }
    }
    return 0;
}

/* Length of "core<N>[.<sub-core>]" at the start of a file name that continues like one of a core's;
 * 0: it does not. */
static size_t core_name_length(const char *file)
{
    size_t length;

    if (strncmp(file, "core", 4) != 0 || digits(file + 4) == 0 || digits(file + 4) > 9) {
        return 0;
    }
    length = 4 + digits(file + 4);
    length += sub_core_length(file + length);
    return file[length] == '.' || file[length] == '_' ? length : 0;
}

static bool is_clue(const char *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kind, kinds[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool DiscoverIsLog(const char *file)
{
    const size_t length = core_name_length(file);

    return length > 0 && is_clue(file + length + 1);
}

static bool add_clue(Clues *clues, const char *file, size_t name_length)
{
    Clue *clue;

    if (!OpprofGrow(&clues->clues, &clues->capacity, clues->count + 1, sizeof *clues->clues)) {
        return false;
    }
    clue = &clues->clues[clues->count++];
    *clue = (Clue){ .prefix = strndup(file, name_length + 1), .name_length = name_length };
    return clue->prefix != NULL;
}

static bool is_empty(Clues *clues, int directory, const char *file)
{
    struct stat about;

    if (fstatat(directory, file, &about, 0) == 0) {
        return about.st_size == 0;
    }
    if (errno != ENOENT && clues->failure == 0) {
        clues->failure = errno;
        snprintf(clues->unreadable, sizeof clues->unreadable, "%s", file);
    }
    return true;
}

/* "core3." or "core3.matrix0.", whatever the file is called. */
static bool add_named(Clues *clues, const char *file, SimLogKind kind, const SimLogName *name)
{
    Clue *clue;
    int length;

    if (!OpprofGrow(&clues->clues, &clues->capacity, clues->count + 1, sizeof *clues->clues)) {
        return false;
    }
    clue = &clues->clues[clues->count];
    *clue = (Clue){ .kind = kind, .file = strdup(file) };
    length = asprintf(&clue->prefix, "core%u%s%.*s.", (unsigned) name->core,
                      name->sub_length == 0 ? "" : ".", (int) name->sub_length, name->sub);
    if (length < 0 || clue->file == NULL) {
        free(length < 0 ? NULL : clue->prefix);
        free(clue->file);
        return false;
    }
    clue->name_length = (size_t) length - 1;
    clues->count++;
    return true;
}

static bool take_named(Clues *clues, int directory, const char *file)
{
    for (unsigned kind = 0; kind <= SIM_LOG_ICACHE; kind++) {
        SimLogName name;

        if (SimLogNamesMatch(clues->names, (SimLogKind) kind, file, &name)) {
            return is_empty(clues, directory, file) ||
                   add_named(clues, file, (SimLogKind) kind, &name);
        }
    }
    return true;
}

/* The name of the dump file for a file of records; NULL: it is not a file of records. */
static char *recorded_name(const char *file)
{
    const size_t suffix = strlen(SIM_RECORDS_SUFFIX);
    const size_t length = strlen(file);

    return length > suffix && strcmp(file + length - suffix, SIM_RECORDS_SUFFIX) == 0
               ? strndup(file, length - suffix)
               : NULL;
}

/* `name` is that of the dump file. */
static bool take_standard(Clues *clues, int directory, const char *file, const char *name)
{
    const size_t length = core_name_length(name);

    if (length == 0) {
        return true;
    }
    if (strcmp(name + length + 1, "ifu.icache_log.log") == 0 ||
        strcmp(name + length + 1, "icache_log.log") == 0) {
        clues->has_icache_log_suffix = true;
    }
    if (!is_clue(name + length + 1) || is_empty(clues, directory, file)) {
        return true;
    }
    clues->has_icache_log |= strstr(name + length + 1, "icache_log.dump") != NULL;
    return add_clue(clues, name, length);
}

static bool take_file(Clues *clues, int directory, const char *file)
{
    char *recorded;
    bool is_good;

    if (clues->names != NULL) {
        return take_named(clues, directory, file);
    }
    recorded = recorded_name(file);
    is_good = take_standard(clues, directory, file, recorded == NULL ? file : recorded);
    free(recorded);
    return is_good;
}

static OpprofStatus read_directory(const char *path, Clues *clues, OpprofError **error)
{
    DIR *directory = OpprofLiveOpenDirectory(path);
    struct dirent *entry;
    OpprofStatus status = OPPROF_OK;

    if (directory == NULL) {
        const bool is_missing = errno == ENOENT || errno == ENOTDIR;

        OpprofErrorSet(error, is_missing ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                       "Cannot read dump directory '%s': %s", path, strerror(errno));
        OpprofErrorHint(error, "Set dump to the directory with files such as "
                               "core0.veccore0.instr_log.dump");
        return is_missing ? OPPROF_E_NOT_FOUND : OPPROF_E_IO;
    }
    errno = 0;
    while (status == OPPROF_OK && (entry = readdir(directory)) != NULL) {
        if (!take_file(clues, dirfd(directory), entry->d_name)) {
            status = OpprofErrorNoMemory(error, "look through '%s'", path);
        }
        errno = 0;
    }
    if (status == OPPROF_OK && errno != 0) {
        status = OpprofErrorSet(error, OPPROF_E_IO, "Cannot read dump directory '%s': %s", path,
                                strerror(errno));
    }
    closedir(directory);
    return status;
}

/* By core name, then by prefix: '.' and '_' differ only there. */
static int compare_clues(const void *left, const void *right)
{
    const Clue *a = left;
    const Clue *b = right;
    const size_t shorter = a->name_length < b->name_length ? a->name_length : b->name_length;
    const int order = memcmp(a->prefix, b->prefix, shorter);

    if (order != 0) {
        return order;
    }
    if (a->name_length != b->name_length) {
        return a->name_length < b->name_length ? -1 : 1;
    }
    if (strcmp(a->prefix, b->prefix) != 0 || a->file == NULL || b->file == NULL) {
        return strcmp(a->prefix, b->prefix);
    }
    return strcmp(a->file, b->file);
}

const char *SubCoreName(const char *core_name)
{
    const char *dot = strchr(core_name, '.');

    return dot == NULL ? "" : dot + 1;
}

/* A missing log gets the name that it would have. */
static char *file_name(const Clues *clues, const Clue *clue, const Clue *end, SimLogKind kind)
{
    static const char *const standard[] = { "instr_popped_log.dump", "instr_log.dump" };
    char *name = NULL;

    if (clues->names == NULL) {
        return asprintf(&name, "%s%s", clue->prefix, standard[kind]) < 0 ? NULL : name;
    }
    for (const Clue *other = clue; other < end; other++) {
        if (other->kind == kind) {
            return strdup(other->file);
        }
    }
    SimLogName its;
    SimLogNamesMatch(clues->names, clue->kind, clue->file, &its);
    return SimLogNamesFile(clues->names, kind, &its);
}

/* From its existing, non-empty files, up to `end`. */
static OpprofStatus fill_core(FoundCore *core, const Clues *clues, const Clue *clue,
                              const Clue *end, OpprofError **error)
{
    const char *directory = clues->directory;
    OpprofStatus status;

    core->prefix = strdup(clue->prefix);
    core->name = strndup(clue->prefix, clue->name_length);
    for (unsigned kind = 0; kind < SIM_LOG_KINDS; kind++) {
        const bool is_there =
            clues->names == NULL ? kind <= SIM_LOG_INSTR : clues->names->forms[kind] != NULL;
        core->files[kind] = is_there ? file_name(clues, clue, end, (SimLogKind) kind) : NULL;
        if (is_there && core->files[kind] == NULL) {
            return OpprofErrorNoMemory(error, "look through '%s'", directory);
        }
    }
    if (core->prefix == NULL || core->name == NULL) {
        return OpprofErrorNoMemory(error, "look through '%s'", directory);
    }
    core->number = (uint32_t) strtoul(core->name + 4, NULL, 10);
    core->has_sub = SubCoreName(core->name)[0] != '\0';
    status = SimFilesFind(directory, "", core->files[SIM_LOG_POPPED], clues->max_size,
                          &core->popped, error);
    if (status == OPPROF_OK) {
        status = SimFilesFind(directory, "", core->files[SIM_LOG_INSTR], clues->max_size,
                              &core->instr, error);
    }
    return status;
}

/* One core for each run of equal prefixes. Cores with a single file are reported when they are
 * read. */
static OpprofStatus make_cores(Clues *clues, FoundCores *cores, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    cores->cores = calloc(clues->count + 1, sizeof *cores->cores);
    if (cores->cores == NULL) {
        return OpprofErrorNoMemory(error, "look through '%s'", clues->directory);
    }
    for (size_t i = 0, next; i < clues->count && status == OPPROF_OK; i = next) {
        for (next = i + 1; next < clues->count; next++) {
            if (strcmp(clues->clues[next].prefix, clues->clues[i].prefix) != 0) {
                break;
            }
        }
        FoundCore *core = &cores->cores[cores->count++];
        status = fill_core(core, clues, &clues->clues[i], &clues->clues[next], error);
        clues->has_whole_core |=
            clues->names == NULL ? next - i >= 2 : core->popped.bytes > 0 && core->instr.bytes > 0;
    }
    return status;
}

static OpprofStatus no_core(const Clues *clues, const FoundCores *cores, OpprofError **error)
{
    const char *directory = clues->directory;
    const SimLogNames *names = clues->names;
    const FoundCore *core = cores->cores;

    if (clues->failure != 0) {
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot access '%s/%s': %s", directory,
                       clues->unreadable, strerror(clues->failure));
    }
    if (names != NULL) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                       "Dump directory '%s' has no core: no two files in it are called '%s' and "
                       "'%s' and have content",
                       directory, OpprofFormText(names->forms[SIM_LOG_POPPED]),
                       OpprofFormText(names->forms[SIM_LOG_INSTR]));
        OpprofErrorHint(error, "The chip's file names them in simulator.logs");
        return OPPROF_E_NOT_FOUND;
    }
    if (cores->count == 0) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                       "Dump directory '%s' has no core: no file in it is a dump file with content",
                       directory);
    } else {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                       "Dump directory '%s' has no core: no core has two dump files with content, "
                       "of %s the file '%s' is missing or empty",
                       directory, core->name,
                       core->files[core->popped.bytes == 0 ? SIM_LOG_POPPED : SIM_LOG_INSTR]);
    }
    OpprofErrorHint(error, "A core has at least two of <core>.instr_popped_log.dump, "
                           "<core>.instr_log.dump and an icache_log.dump, where <core> is core0 or "
                           "core0.veccore0");
    return OPPROF_E_NOT_FOUND;
}

static OpprofStatus discover(const char *directory, const SimLogNames *names,
                             uint64_t max_file_size, FoundCores *ret_cores, OpprofError **error)
{
    Clues clues = { .directory = directory, .max_size = max_file_size, .names = names };
    OpprofStatus status = read_directory(directory, &clues, error);

    *ret_cores = (FoundCores){ .has_icache_log_suffix = clues.has_icache_log_suffix,
                               .has_icache_log = clues.has_icache_log };
    if (status == OPPROF_OK) {
        if (clues.count > 0) {
            qsort(clues.clues, clues.count, sizeof *clues.clues, compare_clues);
        }
        status = make_cores(&clues, ret_cores, error);
    }
    if (status == OPPROF_OK && !clues.has_whole_core) {
        status = no_core(&clues, ret_cores, error);
    }
    if (status != OPPROF_OK) {
        FoundCoresFinish(ret_cores);
    }
    for (size_t i = 0; i < clues.count; i++) {
        free(clues.clues[i].prefix);
        free(clues.clues[i].file);
    }
    free(clues.clues);
    return status;
}

OpprofStatus DiscoverCores(const char *directory, uint64_t max_file_size, FoundCores *ret_cores,
                           OpprofError **error)
{
    OpprofError *why = NULL;
    OpprofStatus status = discover(directory, NULL, max_file_size, ret_cores, &why);

    if (status == OPPROF_E_NOT_FOUND) {
        status = CannsimDiscover(directory, max_file_size, ret_cores, error);
        if (status != OPPROF_OK) {
            FoundCoresFinish(ret_cores);
        }
        if (status != OPPROF_END) {
            OpprofErrorDestroy(why);
            return status;
        }
        status = OPPROF_E_NOT_FOUND;
    }
    OpprofErrorPass(error, why);
    return status;
}

OpprofStatus DiscoverNamed(const char *directory, const SimLogNames *names, uint64_t max_file_size,
                           FoundCores *ret_cores, OpprofError **error)
{
    return discover(directory, names, max_file_size, ret_cores, error);
}

static void finish_core(FoundCore *core)
{
    free(core->name);
    free(core->prefix);
    for (unsigned kind = 0; kind < SIM_LOG_KINDS; kind++) {
        free(core->files[kind]);
    }
    SimFilesFinish(&core->popped);
    SimFilesFinish(&core->instr);
    SimFilesFinish(&core->icache);
    SimFilesFinish(&core->ccu);
    *core = (FoundCore){ .name = NULL };
}

void FoundCoresFinish(FoundCores *cores)
{
    for (uint32_t i = 0; i < cores->count; i++) {
        finish_core(&cores->cores[i]);
    }
    free(cores->cores);
    free(cores->damage);
    *cores = (FoundCores){ .count = 0 };
}
