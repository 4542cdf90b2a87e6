/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes the temporary files of runs that died before they could do so themselves.
 * Tested by tests/core/output/test_output.
 */
#include "output/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".part-"
#define NAME_KEPT 200 /* bytes of a name that its temporary name repeats: NAME_MAX is 255 */
#define RUN_PREFIX "OPPROF_"
#define DEPTH_MAX 8 /* directories below a run's; results are a few deep */

void LeftoverName(char *out, size_t size, const char *name, const char *letters)
{
    snprintf(out, size, ".%.*s" MARK "%s", NAME_KEPT, name, letters);
}

static bool is_leftover_name(const char *name)
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
static bool is_same_file(int directory, const char *name, const struct stat *locked)
{
    struct stat info;

    return fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
           info.st_dev == locked->st_dev && info.st_ino == locked->st_ino;
}

static void remove_if_dead(int directory, const char *name)
{
    struct stat info;
    const int fd =
        openat(directory, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (fd < 0) {
        return;
    }
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && is_same_file(directory, name, &info)) {
        (void) unlinkat(directory, name, 0);
    }
    close(fd);
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

/* In a directory, and down to that many levels below it. */
static void clean(int at, const char *name, unsigned depth)
{
    DIR *list = open_list(at, name);
    const struct dirent *entry;

    while (list != NULL && (entry = readdir(list)) != NULL) {
        if (is_leftover_name(entry->d_name)) {
            remove_if_dead(dirfd(list), entry->d_name);
        } else if (depth > 0 && entry->d_name[0] != '.') {
            clean(dirfd(list), entry->d_name, depth - 1);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
}

void LeftoversRemove(int directory)
{
    clean(directory, ".", 0);
}

void LeftoversRemoveBelow(int parent)
{
    DIR *list = open_list(parent, ".");
    const struct dirent *entry;

    while (list != NULL && (entry = readdir(list)) != NULL) {
        char record[sizeof entry->d_name + sizeof "/run.json"];

        if (strncmp(entry->d_name, RUN_PREFIX, strlen(RUN_PREFIX)) != 0) {
            continue;
        }
        snprintf(record, sizeof record, "%s/run.json", entry->d_name);
        if (faccessat(dirfd(list), record, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT) {
            clean(dirfd(list), entry->d_name, DEPTH_MAX);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
}
