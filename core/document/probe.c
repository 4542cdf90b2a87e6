/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bounded look at an input, for collectors that recognise theirs. Tested by
 * tests/core/document/test_probe.
 */
#include "document/probe.h"

#include "base/names.h"

#include <opprof/grow.h>
#include <opprof/require.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file, and its first bytes once they were read. */
typedef struct ProbeFile {
    char *path; /* below the input */
    char *head; /* NULL: not read */
    size_t size;
} ProbeFile;

struct OpprofProbe {
    char *path;
    char *directory; /* that paths of files are below */
    bool is_directory;
    ProbeFile *files;
    size_t count;
    size_t capacity;
    size_t bytes_read;
};

/* ---- names ---- */

static char *join(const char *parent, const char *name)
{
    char *path = NULL;

    if (*parent == '\0') {
        return strdup(name);
    }
    return asprintf(&path, "%s/%s", parent, name) < 0 ? NULL : path;
}

/* Takes `path`. False without memory. */
static bool add_file(OpprofProbe *probe, char *path)
{
    if (path == NULL ||
        !OpprofGrow(&probe->files, &probe->capacity, probe->count + 1, sizeof *probe->files)) {
        free(path);
        return false;
    }
    probe->files[probe->count++] = (ProbeFile){ .path = path };
    return true;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool stat_below(const OpprofProbe *probe, const char *path, struct stat *info)
{
    char *whole = join(probe->directory, path);
    const bool is_there = whole != NULL && stat(whole, info) == 0;

    free(whole);
    return is_there;
}

/* Files first, or folders; false without memory. */
static bool list_folder(OpprofProbe *probe, const char *folder, unsigned depth);

static bool list_entry(OpprofProbe *probe, const char *folder, const char *name, bool wants_files,
                       unsigned depth)
{
    char *path = join(folder, name);
    struct stat info;
    bool is_good = path != NULL;

    if (is_good && probe->count < OPPROF_PROBE_FILES && stat_below(probe, path, &info)) {
        if (wants_files && S_ISREG(info.st_mode) && info.st_size > 0) {
            return add_file(probe, path);
        }
        if (!wants_files && S_ISDIR(info.st_mode) && depth < OPPROF_PROBE_DEPTH) {
            is_good = list_folder(probe, path, depth + 1);
        }
    }
    free(path);
    return is_good;
}

/* A folder that cannot be listed has no files. */
static bool list_folder(OpprofProbe *probe, const char *folder, unsigned depth)
{
    char *whole = *folder == '\0' ? strdup(probe->directory) : join(probe->directory, folder);
    struct dirent **entries = NULL;
    const int count = whole == NULL ? 0 : scandir(whole, &entries, is_visible, versionsort);
    bool is_good = whole != NULL;

    for (int i = 0; i < count && is_good; i++) {
        is_good = list_entry(probe, folder, entries[i]->d_name, true, depth);
    }
    for (int i = 0; i < count && is_good; i++) {
        is_good = list_entry(probe, folder, entries[i]->d_name, false, depth);
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    free(whole);
    return is_good;
}

/* ---- life ---- */

static OpprofStatus no_memory(const char *path, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "look at '%s'", path);
}

/* The file is the only one, in the directory that it is in. */
static bool list_file(OpprofProbe *probe)
{
    const char *slash = strrchr(probe->path, '/');

    probe->directory = NameDirectory(probe->path);
    return probe->directory != NULL &&
           add_file(probe, strdup(slash == NULL ? probe->path : slash + 1));
}

OpprofStatus ProbeCreate(const char *path, OpprofProbe **ret_probe, OpprofError **error)
{
    OpprofProbe *probe;
    struct stat info;
    bool is_good;

    *ret_probe = NULL;
    if (stat(path, &info) != 0) {
        return OpprofErrorSet(
            error, errno == ENOENT || errno == ENOTDIR ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
            "Cannot access '%s': %s", path, strerror(errno));
    }
    if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        OpprofErrorSet(error, OPPROF_E_IO,
                       "Cannot access '%s': it is neither a file nor a directory", path);
        OpprofErrorHint(error, "Write what a pipe or a device gives to a file first");
        return OPPROF_E_IO;
    }
    if (access(path, R_OK) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot access '%s': %s", path, strerror(errno));
    }
    probe = calloc(1, sizeof *probe);
    if (probe == NULL) {
        return no_memory(path, error);
    }
    probe->path = strdup(path);
    probe->is_directory = S_ISDIR(info.st_mode);
    is_good = probe->path != NULL;
    if (is_good && probe->is_directory) {
        probe->directory = strdup(path);
        is_good = probe->directory != NULL && list_folder(probe, "", 0);
    } else if (is_good) {
        is_good = list_file(probe);
    }
    if (!is_good) {
        ProbeDestroy(probe);
        return no_memory(path, error);
    }
    *ret_probe = probe;
    return OPPROF_OK;
}

void ProbeDestroy(OpprofProbe *probe)
{
    if (probe == NULL) {
        return;
    }
    for (size_t i = 0; i < probe->count; i++) {
        free(probe->files[i].path);
        free(probe->files[i].head);
    }
    free(probe->files);
    free(probe->path);
    free(probe->directory);
    free(probe);
}

void ProbeRenew(OpprofProbe *probe)
{
    probe->bytes_read = 0;
}

size_t ProbeBytesRead(const OpprofProbe *probe)
{
    return probe->bytes_read;
}

/* ---- what collectors ask ---- */

const char *OpprofProbePath(const OpprofProbe *probe)
{
    OPPROF_REQUIRE("probe-given", probe != NULL, "The probe is the one that recognise was given");
    return probe->path;
}

bool OpprofProbeIsDirectory(const OpprofProbe *probe)
{
    OPPROF_REQUIRE("probe-given", probe != NULL, "The probe is the one that recognise was given");
    return probe->is_directory;
}

static bool is_match(const char *pattern, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (strchr(pattern, '/') != NULL) {
        return fnmatch(pattern, path, FNM_PATHNAME) == 0;
    }
    return fnmatch(pattern, slash == NULL ? path : slash + 1, 0) == 0;
}

const char *OpprofProbeFile(const OpprofProbe *probe, const char *pattern, size_t index)
{
    OPPROF_REQUIRE("probe-given", probe != NULL, "The probe is the one that recognise was given");
    OPPROF_REQUIRE("probe-file-given", pattern != NULL, "The file or its pattern is a text");
    for (size_t i = 0; i < probe->count; i++) {
        if (is_match(pattern, probe->files[i].path) && index-- == 0) {
            return probe->files[i].path;
        }
    }
    return NULL;
}

static ProbeFile *find_file(OpprofProbe *probe, const char *path)
{
    for (size_t i = 0; i < probe->count; i++) {
        if (strcmp(probe->files[i].path, path) == 0) {
            return &probe->files[i];
        }
    }
    return NULL;
}

/* Up to `size` bytes from the start of a regular file. */
static size_t read_start(const char *path, char *out, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info;
    size_t have = 0;

    if (fd < 0) {
        return 0;
    }
    while (have < size && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        const ssize_t got = read(fd, out + have, size - have);

        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            break;
        }
        have += got > 0 ? (size_t) got : 0;
    }
    close(fd);
    return have;
}

/* Its bytes count against what may be read; a file that no room is left for is not read. */
static void read_head(OpprofProbe *probe, ProbeFile *file)
{
    const size_t left = OPPROF_PROBE_BYTES - probe->bytes_read;
    const size_t wanted = left < OPPROF_PROBE_HEAD ? left : OPPROF_PROBE_HEAD;
    char *path = join(probe->directory, file->path);

    file->head = path != NULL && wanted > 0 ? malloc(wanted) : NULL;
    if (file->head != NULL) {
        file->size = read_start(path, file->head, wanted);
        probe->bytes_read += file->size;
    }
    free(path);
}

size_t OpprofProbeHead(OpprofProbe *probe, const char *path, const void **ret_bytes)
{
    OPPROF_REQUIRE("probe-given", probe != NULL, "The probe is the one that recognise was given");
    OPPROF_REQUIRE("probe-file-given", path != NULL && ret_bytes != NULL,
                   "The file or its pattern is a text");

    ProbeFile *file = find_file(probe, path);

    *ret_bytes = "";
    if (file == NULL) {
        return 0;
    }
    if (file->head == NULL) {
        read_head(probe, file);
    }
    if (file->head != NULL) {
        *ret_bytes = file->head;
    }
    return file->head != NULL ? file->size : 0;
}
