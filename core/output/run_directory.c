/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of a run's results. Tested by tests/core/output/test_output. */
#include "output/run_directory.h"

#include "base/files.h"
#include "base/printed.h"
#include "output/directories.h"
#include "output/leftovers.h"

#include <opprof/intern.h>
#include <opprof/log.h>
#include <opprof/require.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LETTERS_OF_RUN 16

/* "parent/name" without doubled slashes and "."; relative ones from the working directory. */
static char *absolute_path(const char *parent, const char *name)
{
    char *working = parent[0] == '/' ? NULL : getcwd(NULL, 0);
    Printed printed;
    char *path;

    if (parent[0] != '/' && working == NULL) {
        return NULL;
    }
    FILE *out = PrintedOpen(&printed);
    const char *parts[] = { working == NULL ? "" : working, parent, name };
    for (size_t i = 0; out != NULL && i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *at = parts[i] + strspn(parts[i], "/"); *at != '\0';
             at += strspn(at, "/")) {
            const size_t length = strcspn(at, "/");
            if (length != 1 || at[0] != '.') {
                fprintf(out, "/%.*s", (int) length, at);
            }
            at += length;
        }
    }
    free(working);
    path = PrintedTake(&printed);
    if (path != NULL && *path == '\0') { /* the root itself */
        free(path);
        path = strdup("/");
    }
    return path;
}

static void warn_if_open_to_others(int fd, const char *path)
{
    struct stat info;

    if (fstat(fd, &info) == 0 && (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        OpprofLog(OPPROF_LOG_WARNING, "output",
                  "Others can write into '%s' (mode %04o): results there may be tampered with",
                  path, (unsigned) info.st_mode & 07777);
    }
}

/* Unless the error already says what to do. */
static void hint_at_place(OpprofError **error)
{
    if (error != NULL && OpprofErrorGetHint(*error) == NULL) {
        OpprofErrorHint(error, "Choose another output directory");
    }
}

static bool run_name(char *name, size_t size)
{
    const time_t now = time(NULL);
    struct tm local;
    char stamp[32];
    char letters[LETTERS_OF_RUN + 1];

    if (localtime_r(&now, &local) == NULL ||
        strftime(stamp, sizeof stamp, "%Y%m%d%H%M%S", &local) == 0 ||
        !RandomLetters(letters, sizeof letters)) {
        return false;
    }
    return snprintf(name, size, "OPPROF_%s_%s", stamp, letters) < (int) size;
}

/* A new directory below `parent_fd`. */
static OpprofStatus make_run_directory(int parent_fd, const char *parent, char *name, size_t size,
                                       int *ret_fd, OpprofError **error)
{
    char shown[PATH_MAX];
    unsigned made = 0;

    snprintf(shown, sizeof shown, "%s/", parent);
    for (int i = 0; i < MAX_TRIES; i++) {
        if (!run_name(name, size)) {
            return OpprofErrorSet(error, OPPROF_E_IO,
                                  "Cannot choose a name for the results in '%s': %m", parent);
        }
        const OpprofStatus status =
            DirectoryOpen(&(DirectoryPlace){ parent_fd, shown, name, DIRECTORY_LINKS_NONE }, ret_fd,
                          &made, error);
        if (status != OPPROF_OK || made > 0) {
            return status;
        }
        close(*ret_fd); /* another user's */
        *ret_fd = -1;
    }
    return OpprofErrorSet(error, OPPROF_E_IO, "All names tried in '%s' are taken", parent);
}

static OpprofStatus check_writable(int fd, const char *path, OpprofError **error)
{
    return faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_IO, "Cannot write results into '%s': %m", path);
}

/*
 * Two runs at a time would replace each other's results. What cannot be locked (a directory that
 * may not be read, a file system without locks) is used as it is, and so is a temporary directory,
 * which is locked by who made it.
 */
static OpprofStatus claim(OpprofOutputDirectory *directory, const char *path, OpprofError **error)
{
    const char *slash = strrchr(path, '/');

    if (LeftoverIsName(slash == NULL ? path : slash + 1)) {
        return OPPROF_OK;
    }
    directory->claim_fd = openat(directory->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory->claim_fd < 0 || flock(directory->claim_fd, LOCK_EX | LOCK_NB) == 0 ||
        errno != EWOULDBLOCK) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_IO, "Another run is writing its results into '%s'", path);
    OpprofErrorHint(error, "Wait until it has ended, or choose another output directory");
    return OPPROF_E_IO;
}

/* Opens or makes what the caller named, and in it the run's directory unless `flat`. */
static OpprofStatus open_directory(OpprofOutputDirectory *directory, const char *parent, bool flat,
                                   OpprofError **error)
{
    char name[64] = "";
    int parent_fd = -1;
    OpprofStatus status =
        DirectoryOpen(&(DirectoryPlace){ AT_FDCWD, "", parent, DIRECTORY_LINKS_ABOVE }, &parent_fd,
                      &directory->made, error);

    if (status != OPPROF_OK) {
        return status;
    }
    warn_if_open_to_others(parent_fd, parent);
    directory->flat = flat;
    ScratchRemoveDead();
    if (flat) {
        directory->fd = parent_fd;
        status = claim(directory, parent, error);
        if (status == OPPROF_OK) {
            LeftoversRemoveUnended(parent_fd);
            status = check_writable(parent_fd, parent, error);
        }
    } else {
        directory->made++;
        LeftoversRemoveBelow(parent_fd);
        status = make_run_directory(parent_fd, parent, name, sizeof name, &directory->fd, error);
        close(parent_fd);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    directory->path = absolute_path(parent, name);
    if (directory->path == NULL) {
        return OpprofErrorSet(error, errno == ENOMEM ? OPPROF_E_MEMORY : OPPROF_E_IO,
                              "Cannot find the absolute path of '%s': %m", parent);
    }
    return OPPROF_OK;
}

OpprofStatus OutputDirectoryCreate(const char *parent, bool flat,
                                   OpprofOutputDirectory **ret_directory, OpprofError **error)
{
    *ret_directory = NULL;
    if (parent == NULL || parent[0] == '\0') {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                              "The path of the output directory is empty");
    }
    OpprofOutputDirectory *directory = calloc(1, sizeof *directory);
    if (directory == NULL) {
        return OpprofErrorNoMemory(error, "make the output directory");
    }
    directory->root = directory;
    directory->fd = directory->claim_fd = -1;
    pthread_mutex_init(&directory->lock, NULL);
    const OpprofStatus status = open_directory(directory, parent, flat, error);
    if (status != OPPROF_OK) {
        hint_at_place(error);
        OutputDirectoryDestroy(directory);
        return status;
    }
    *ret_directory = directory;
    return OPPROF_OK;
}

void OutputDirectoryDestroy(OpprofOutputDirectory *directory)
{
    if (directory == NULL) {
        return;
    }
    for (size_t i = 0; i < FILE_LISTS; i++) {
        while (directory->files[i] != NULL) {
            OpprofOutputFileDiscard(directory->files[i]);
        }
    }
    CloseOpened(directory->fd);
    CloseOpened(directory->claim_fd);
    InputsFinish(&directory->inputs);
    for (OpprofOutputDirectory *view = directory->views, *next; view != NULL; view = next) {
        next = view->next_view;
        free(view);
    }
    for (size_t i = 0; i < directory->finished_count; i++) {
        free(directory->finished[i].path);
    }
    for (const OutputLine *line = atomic_load(&directory->lines), *next; line != NULL;
         line = next) {
        next = line->next;
        free((void *) (uintptr_t) line);
    }
    pthread_mutex_destroy(&directory->lock);
    free(directory->finished);
    OpprofTextMapFinish(&directory->cleaned);
    free(directory->path);
    free(directory);
}

OpprofOutputDirectory *OutputDirectoryView(OpprofOutputDirectory *directory, const char *owner)
{
    OpprofOutputDirectory *view = calloc(1, sizeof *view);

    if (view != NULL) {
        view->root = directory;
        view->owner = owner;
        pthread_mutex_lock(&directory->lock);
        view->next_view = directory->views;
        directory->views = view;
        pthread_mutex_unlock(&directory->lock);
    }
    return view;
}

uint64_t OutputDirectoryBytes(const OpprofOutputDirectory *view)
{
    return atomic_load_explicit(&view->written, memory_order_relaxed);
}

void OutputDirectoryAbandon(OpprofOutputDirectory *directory)
{
    atomic_store(&directory->is_abandoned, true);
}

bool OutputDirectoryAddInput(OpprofOutputDirectory *directory, const char *path)
{
    return InputsAdd(&directory->inputs, directory->fd, path);
}

OpprofStatus OutputDirectoryCheckOther(const OpprofOutputDirectory *view, const char *path,
                                       OpprofError **error)
{
    struct stat info;

    if (stat(path, &info) != 0 || !InputsHave(&view->root->inputs, &info)) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Cannot write '%s': the run reads it", path);
    OpprofErrorHint(error, "Name another file");
    return OPPROF_E_ARGUMENT;
}

void OutputDirectoryRemoveFile(OpprofOutputDirectory *directory, const char *name)
{
    struct stat info;

    if (fstatat(directory->fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode)) {
        (void) unlinkat(directory->fd, name, 0);
    }
}

static int compare_records(const void *a, const void *b)
{
    const OutputRecord *x = a;
    const OutputRecord *y = b;
    const int by_path = strcmp(x->path, y->path);

    return by_path != 0 ? by_path : (x->order > y->order) - (x->order < y->order);
}

/* Sorted by path; of a file that was replaced only the last is kept. */
static void sort_finished(OpprofOutputDirectory *directory)
{
    OutputRecord *files = directory->finished;
    size_t kept = 0;

    if (directory->finished_count < 2) {
        return;
    }
    qsort(files, directory->finished_count, sizeof *files, compare_records);
    for (size_t i = 0; i < directory->finished_count; i++) {
        if (kept > 0 && strcmp(files[kept - 1].path, files[i].path) == 0) {
            free(files[--kept].path);
        }
        files[kept++] = files[i];
    }
    directory->finished_count = kept;
}

void OutputDirectoryFiles(OpprofOutputDirectory *directory, const OutputRecord **ret_files,
                          size_t *ret_count)
{
    pthread_mutex_lock(&directory->lock);
    sort_finished(directory);
    *ret_files = directory->finished;
    *ret_count = directory->finished_count;
    pthread_mutex_unlock(&directory->lock);
}

void OutputDirectoryRemoveEmpty(OpprofOutputDirectory *directory)
{
    /* Refused when something is in one, as it should be. */
    for (; directory->made > 0 && rmdir(directory->path) == 0; directory->made--) {
        *strrchr(directory->path, '/') = '\0';
    }
}

OpprofStatus OutputDirectoryCheckPlace(const OpprofOutputDirectory *directory, OpprofError **error)
{
    struct stat there, own;
    OpprofStatus status = OPPROF_OK;

    if (stat(directory->path, &there) != 0) {
        status = OpprofErrorSet(error, OPPROF_E_IO, "The results are not in '%s' any more: %m",
                                directory->path);
    } else if (fstat(directory->fd, &own) == 0 && !IsSameFile(&own, &there)) {
        status = OpprofErrorSet(error, OPPROF_E_IO,
                                "The results are not in '%s' any more: something else is there",
                                directory->path);
    }
    if (status != OPPROF_OK) {
        OpprofErrorHint(error, "Leave the output directory where it is until the run has ended");
    }
    return status;
}

const char *OpprofOutputDirectoryPath(const OpprofOutputDirectory *directory)
{
    OPPROF_REQUIRE("output-given", directory != NULL,
                   "The output directory is available from the start call onwards");
    return directory->root->path;
}

const OutputLine *OutputDirectoryLines(const OpprofOutputDirectory *directory)
{
    return atomic_load(&directory->lines);
}

int OutputDirectoryDescriptor(const OpprofOutputDirectory *directory)
{
    return directory->fd;
}
