/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and removes directories of inputs and results. */
#include "bench/tree.h"

#include "bench/bench.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES ((size_t) 256 << 10)
#define OPEN_DIRECTORIES 16

/* The call for each file of a walk: nftw() passes no context. */
static struct {
    char *buffer;
    double bytes;
} walk;

bool TreeMake(const char *name, char *path, size_t room)
{
    const char *parent = getenv("TMPDIR");

    snprintf(path, room, "%.40s/%.24s-XXXXXX", parent != NULL ? parent : "/tmp", name);
    if (mkdtemp(path) == NULL) {
        perror(path);
        path[0] = '\0';
        return false;
    }
    return true;
}

static int add_size(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    (void) path;
    (void) where;
    walk.bytes += kind == FTW_F ? (double) file->st_size : 0;
    return 0;
}

double TreeBytes(const char *path)
{
    walk.bytes = 0;
    nftw(path, add_size, OPEN_DIRECTORIES, FTW_PHYS);
    return walk.bytes;
}

/* Stops the walk where it fails. */
static int read_file(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    ssize_t got = -1;

    (void) file;
    (void) where;
    if (kind != FTW_F) {
        return 0;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (got = read(fd, walk.buffer, READ_BYTES)) > 0) {
        BenchKeep(walk.buffer);
    }
    if (fd >= 0) {
        close(fd);
    }
    return got != 0;
}

bool TreeRead(const char *path)
{
    walk.buffer = malloc(READ_BYTES);

    const bool is_good =
        walk.buffer != NULL && nftw(path, read_file, OPEN_DIRECTORIES, FTW_PHYS) == 0;
    free(walk.buffer);
    walk.buffer = NULL;
    return is_good;
}

static int remove_entry(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    (void) file;
    (void) kind;
    (void) where;
    return remove(path);
}

void TreeRemove(const char *path)
{
    if (path[0] != '\0') {
        nftw(path, remove_entry, OPEN_DIRECTORIES, FTW_PHYS | FTW_DEPTH);
    }
}
