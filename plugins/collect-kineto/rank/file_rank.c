/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the rank of a trace in the names around it.
 * Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/rank/file_rank.h"

#include "collect-kineto/text/archive.h"
#include "collect-kineto/formats/files.h"

#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RANK_DIGITS_MAX 9 /* a larger number is a time or a process */

/* The number that ends at or before `end`; false if none, or a long one. */
static bool read_number(const char *at, const char *end, int64_t *ret_number)
{
    int64_t number = 0;
    int digits = 0;

    while (at < end && isdigit((unsigned char) *at) && digits <= RANK_DIGITS_MAX) {
        number = number * 10 + (*at++ - '0');
        digits++;
    }
    if (digits == 0 || digits > RANK_DIGITS_MAX) {
        return false;
    }
    *ret_number = number;
    return true;
}

/* "rank", perhaps a '-', '_' or '=', and a number, in a part of a path. */
static bool find_rank(const char *from, const char *end, int64_t *ret_rank)
{
    for (const char *at = from; at + 4 < end; at++) {
        if (strncasecmp(at, "rank", 4) == 0) {
            const char *number = at + 4 + (strchr("-_=", at[4]) != NULL);

            if (read_number(number, end, ret_rank)) {
                return true;
            }
        }
    }
    return false;
}

/* The number in "profiler_info_N.json". */
static bool read_info(const char *name, int64_t *ret_rank)
{
    static const char prefix[] = "profiler_info_";
    const char *number = name + sizeof prefix - 1;

    return strncmp(name, prefix, sizeof prefix - 1) == 0 &&
           read_number(number, number + strlen(number), ret_rank);
}

/* The search for that file among those of an archive. */
typedef struct InfoSearch {
    const char *directory;
    int64_t *ret_rank;
    bool is_found;
} InfoSearch;

static bool read_info_member(void *context, const char *path)
{
    InfoSearch *search = context;
    const size_t length = strlen(search->directory);

    if (!search->is_found && strncmp(path, search->directory, length) == 0 && path[length] == '/') {
        search->is_found = read_info(path + length + 1, search->ret_rank);
    }
    return true;
}

/* The number of that file in a directory of the archive that the trace is in, if it is in one. */
static bool find_packed_info(const char *trace, const char *directory, int64_t *ret_rank)
{
    InfoSearch search = { .directory = directory, .ret_rank = ret_rank };
    char *archive = ArchiveOf(trace);
    OpprofError *error = NULL;

    if (archive != NULL) {
        (void) ArchiveList(archive, read_info_member, &search, &error);
    }
    OpprofErrorDestroy(error);
    free(archive);
    return search.is_found;
}

/* The same in a directory. */
static bool find_info(const char *directory, int64_t *ret_rank)
{
    DIR *dir = opendir(directory);
    const struct dirent *entry;
    bool is_found = false;

    while (dir != NULL && !is_found && (entry = readdir(dir)) != NULL) {
        is_found = read_info(entry->d_name, ret_rank);
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return is_found;
}

/* The same for the directory above that of an Ascend trace. */
static bool find_info_above(const char *path, int64_t *ret_rank)
{
    static const char tail[] = ASCEND_OUTPUT;
    const char *slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : (size_t) (slash - path);
    const char *at = path + length - (length < sizeof tail - 1 ? length : sizeof tail - 1);
    char *directory;
    bool is_found;

    if (length < sizeof tail - 1 || strncmp(at, tail, sizeof tail - 1) != 0 ||
        (at > path && at[-1] != '/')) {
        return false;
    }
    directory = strndup(path, (size_t) (at - path));
    if (directory == NULL) {
        return false;
    }
    is_found = find_info(directory[0] == '\0' ? "." : directory, ret_rank);
    if (!is_found && directory[0] != '\0') {
        directory[strlen(directory) - 1] = '\0'; /* the slash */
        is_found = find_packed_info(path, directory, ret_rank);
    }
    free(directory);
    return is_found;
}

/* The path that was given may not say where the trace is. */
static bool find_ascend_info(const char *path, int64_t *ret_rank)
{
    char *real;
    bool is_found;

    if (find_info_above(path, ret_rank)) {
        return true;
    }
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    real = strcmp(name, ASCEND_TRACE) == 0 || fnmatch(ASCEND_DATABASE, name, 0) == 0
               ? realpath(path, NULL)
               : NULL;
    is_found = real != NULL && find_info_above(real, ret_rank);
    free(real);
    return is_found;
}

bool FileRankFind(const char *path, int64_t *ret_rank)
{
    const char *end = path + strlen(path);

    if (find_ascend_info(path, ret_rank)) {
        return true;
    }
    for (int part = 0; part < 3 && end > path; part++) {
        const char *from = memrchr(path, '/', (size_t) (end - path));

        if (find_rank(from == NULL ? path : from + 1, end, ret_rank)) {
            return true;
        }
        end = from == NULL ? path : from;
    }
    return false;
}
