/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes the temporary files of runs that died before they could do so themselves.
 * Tested by tests/core/output/test_output.
 */
#include "output/leftovers.h"

#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".part-"
#define NAME_KEPT 200 /* bytes of a name that its temporary name repeats: NAME_MAX is 255 */
#define RUN_PREFIX "OPPROF_"
#define DEPTH_MAX 8 /* directories below a run's; results are a few deep */
#define RECORD "run.json"
#define RECORD_MOST ((size_t) 16 << 20)

void LeftoverName(char *out, size_t size, const char *name, const char *letters)
{
    snprintf(out, size, ".%.*s" MARK "%s", NAME_KEPT, name, letters);
}

bool LeftoverIsName(const char *name)
{
    const size_t tail = strlen(MARK) + LEFTOVER_LETTERS;
    const size_t length = strlen(name);
    const char *mark = name + (length > tail ? length - tail : 0);

    return name[0] == '.' && length > tail + 1 && strncmp(mark, MARK, strlen(MARK)) == 0 &&
           strspn(mark + strlen(MARK), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == LEFTOVER_LETTERS;
}

bool LeftoverClaim(int fd)
{
    struct stat info;

    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return false;
    }
    return fstat(fd, &info) == 0 && info.st_nlink > 0;
}

/* The name must still be that of the file that was locked. */
static bool still_names(int directory, const char *name, const struct stat *locked)
{
    struct stat info;

    return fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && IsSameFile(&info, locked);
}

/* NULL when it cannot be read, or is a symbolic link. */
static DIR *open_list(int at, const char *name)
{
    const int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = fd < 0 ? NULL : fdopendir(fd);

    if (list == NULL && fd >= 0) {
        close(fd);
    }
    return list;
}

static void empty(int at, const char *name, unsigned depth)
{
    DIR *list = open_list(at, name);
    const struct dirent *entry;

    while (list != NULL && (entry = readdir(list)) != NULL) {
        const char *found = entry->d_name;

        if (strcmp(found, ".") == 0 || strcmp(found, "..") == 0 ||
            unlinkat(dirfd(list), found, 0) == 0 || depth == 0) {
            continue;
        }
        empty(dirfd(list), found, depth - 1);
        (void) unlinkat(dirfd(list), found, AT_REMOVEDIR);
    }
    if (list != NULL) {
        closedir(list);
    }
}

void LeftoverEmpty(int directory)
{
    empty(directory, ".", DEPTH_MAX);
}

/* Ours, without an owner that lives, and still under its name. */
static bool is_dead(int directory, const char *name, int fd, mode_t kind)
{
    struct stat info;

    return fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == kind && info.st_uid == geteuid() &&
           flock(fd, LOCK_EX | LOCK_NB) == 0 && still_names(directory, name, &info);
}

static void remove_directory_if_dead(int directory, const char *name)
{
    const int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0 && is_dead(directory, name, fd, S_IFDIR)) {
        LeftoverEmpty(fd);
        (void) unlinkat(directory, name, AT_REMOVEDIR);
    }
    CloseOpened(fd);
}

static void remove_if_dead(int directory, const char *name)
{
    const int fd =
        openat(directory, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (fd < 0 && errno == EISDIR) {
        remove_directory_if_dead(directory, name);
    }
    if (fd >= 0 && is_dead(directory, name, fd, S_IFREG)) {
        (void) unlinkat(directory, name, 0);
    }
    CloseOpened(fd);
}

/* In a directory, and down to that many levels below it: what begins so. */
static void clean(int at, const char *name, unsigned depth, const char *prefix)
{
    DIR *list = open_list(at, name);
    const struct dirent *entry;

    while (list != NULL && (entry = readdir(list)) != NULL) {
        if (LeftoverIsName(entry->d_name)) {
            if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
                remove_if_dead(dirfd(list), entry->d_name);
            }
        } else if (depth > 0 && entry->d_name[0] != '.') {
            clean(dirfd(list), entry->d_name, depth - 1, prefix);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
}

void LeftoversRemove(int directory)
{
    clean(directory, ".", 0, ".");
}

void LeftoversRemoveScratch(int directory)
{
    clean(directory, ".", 0, "." LEFTOVER_SCRATCH MARK);
}

/* -1: it cannot be read, and errno says why. */
static int open_record(int at, const char *path)
{
    const int fd = openat(at, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat info;

    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

/* Up to `size` bytes from the start of a record, and a NUL after them.
 * False when there are more. */
static bool read_start(int fd, char *text, size_t size)
{
    size_t filled = 0;
    ssize_t got = 1;

    while (got > 0 && filled < size) {
        got = pread(fd, text + filled, size - filled, (off_t) filled);
        filled += got > 0 ? (size_t) got : 0;
    }
    text[filled] = '\0';
    return got <= 0;
}

/* Text after the name of the record's own member; that of another object is indented further. */
static const char *find_outcome(const char *record)
{
    static const char name[] = "\n  \"outcome\": \"";
    const char *found = strstr(record, name);

    return found == NULL ? NULL : found + sizeof name - 1;
}

/* A run that dies leaves the record that it wrote before it ended. */
static bool says_unended(const char *outcome)
{
    return strncmp(outcome, "running\"", 8) == 0 || strncmp(outcome, "crashed\"", 8) == 0;
}

/*
 * Every run looks at all results beside its own, so of a record as little is read as will do: in
 * that of a run that ended, the outcome stands before all that is long.
 */
static bool is_unended(int record)
{
    char start[4096 + 1];
    const bool is_all = read_start(record, start, sizeof start - 1);
    const char *outcome = find_outcome(start);
    char *whole = NULL;
    bool unended;

    if (outcome == NULL && !is_all && (whole = malloc(RECORD_MOST + 1)) != NULL) {
        (void) read_start(record, whole, RECORD_MOST);
        outcome = find_outcome(whole);
    }
    unended = outcome != NULL && says_unended(outcome);
    free(whole);
    return unended;
}

void LeftoversRemoveUnended(int results)
{
    const int record = open_record(results, RECORD);

    if (record >= 0 && is_unended(record)) {
        clean(results, ".", DEPTH_MAX, ".");
    }
    CloseOpened(record);
}

void LeftoversRemoveBelow(int parent)
{
    DIR *list = open_list(parent, ".");
    const struct dirent *entry;

    while (list != NULL && (entry = readdir(list)) != NULL) {
        char path[sizeof entry->d_name + sizeof "/" RECORD];
        int record;

        if (strncmp(entry->d_name, RUN_PREFIX, strlen(RUN_PREFIX)) != 0) {
            continue;
        }
        snprintf(path, sizeof path, "%s/" RECORD, entry->d_name);
        record = open_record(dirfd(list), path);
        if (record >= 0 ? is_unended(record) : errno == ENOENT) {
            clean(dirfd(list), entry->d_name, DEPTH_MAX, ".");
        }
        CloseOpened(record);
    }
    if (list != NULL) {
        closedir(list);
    }
}
