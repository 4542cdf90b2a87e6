/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CORE_SCRATCH_H
#define TESTS_CORE_SCRATCH_H

/* A directory of a test's own, and files in it. */

#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[PATH_MAX];

static inline void make_scratch(void)
{
    char working[PATH_MAX / 2];

    ck_assert_ptr_nonnull(getcwd(working, sizeof working));
    snprintf(scratch, sizeof scratch, "%s/scratch-XXXXXX", working);
    ck_assert_ptr_nonnull(mkdtemp(scratch));
}

static inline int remove_entry(const char *path, const struct stat *info, int kind,
                               struct FTW *place)
{
    (void) info;
    (void) kind;
    (void) place;
    return remove(path);
}

static inline void remove_scratch(void)
{
    nftw(scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* "<scratch>/<name>"; each of the last few results stays valid. */
static inline const char *in_scratch(const char *name)
{
    static char paths[8][PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 8];

    ck_assert_int_lt(snprintf(path, PATH_MAX, "%s/%s", scratch, name), PATH_MAX);
    return path;
}

static inline const char *write_scratch(const char *name, const void *data, size_t size)
{
    const char *path = in_scratch(name);
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static inline const char *write_text(const char *name, const char *text)
{
    return write_scratch(name, text, strlen(text));
}

/* The file with a NUL after it, to be freed. */
static inline char *read_whole(const char *path, size_t *ret_size)
{
    struct stat info;
    FILE *file = fopen(path, "rb");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fstat(fileno(file), &info), 0);
    char *data = malloc((size_t) info.st_size + 1);
    ck_assert_ptr_nonnull(data);
    *ret_size = fread(data, 1, (size_t) info.st_size, file);
    ck_assert_uint_eq(*ret_size, (size_t) info.st_size);
    data[*ret_size] = '\0';
    fclose(file);
    return data;
}

/* Permission bits, without following a link; 0 if none. */
static inline unsigned mode_of(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 ? info.st_mode & 07777 : 0;
}

static inline bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

#endif
