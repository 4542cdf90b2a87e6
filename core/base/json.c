/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JSON documents with the position of each mistake, and finds the name nearest to a
 * misspelt one.
 */
#include "base/printed.h"
#include "json_guard.h"

#include <opprof/json.h>
#include <opprof/require.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_NAME 128 /* bytes; longer words get no suggestion */
#define MAX_EDITS 4

static OpprofStatus check_size(const char *path, int fd, size_t *ret_size, OpprofError **error)
{
    struct stat info;

    if (fstat(fd, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", path);
    }
    if (S_ISDIR(info.st_mode)) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': it is a directory", path);
    }
    if (!S_ISREG(info.st_mode)) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': it is not a regular file",
                              path);
    }
    if (info.st_size == 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' is empty: expected a JSON object", path);
    }
    if (info.st_size > (off_t) OPPROF_JSON_MAX_SIZE) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT,
                              "'%s' is too large for a JSON document: %" PRIu64
                              " bytes, at most %u are read",
                              path, (uint64_t) info.st_size, OPPROF_JSON_MAX_SIZE);
    }
    *ret_size = (size_t) info.st_size;
    return OPPROF_OK;
}

static OpprofStatus read_all(const char *path, int fd, char *text, size_t size, size_t *ret_length,
                             OpprofError **error)
{
    size_t length = 0;

    while (length < size) {
        const ssize_t got = read(fd, text + length, size - length);
        if (got == 0) {
            break; /* it shrank: the parser decides whether the rest makes sense */
        }
        if (got > 0) {
            length += (size_t) got;
        } else if (errno != EINTR) {
            return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s' at byte %zu: %m", path,
                                  length);
        }
    }
    *ret_length = length;
    return OPPROF_OK;
}

static OpprofStatus load_open_file(const char *path, int fd, json_t **ret_root, OpprofError **error)
{
    size_t size = 0;
    size_t length = 0;
    OpprofStatus status = check_size(path, fd, &size, error);

    if (status != OPPROF_OK) {
        return status;
    }
    char *text = malloc(size);
    if (text == NULL) {
        return OpprofErrorNoMemory(error, "read '%s' (%zu bytes)", path, size);
    }
    status = read_all(path, fd, text, size, &length, error);
    if (status == OPPROF_OK) {
        status = OpprofJsonParse(path, text, length, ret_root, error);
    }
    free(text);
    return status;
}

OpprofStatus OpprofJsonLoad(const char *path, json_t **ret_root, OpprofError **error)
{
    OPPROF_REQUIRE("json-name-given", path != NULL, "The path, name, key or word is given");
    OPPROF_REQUIRE("json-result-given", ret_root != NULL, "The result pointer is given");
    *ret_root = NULL;
    /* Without O_NONBLOCK a named pipe would block for ever. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        return OpprofErrorSet(error, missing ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                              "Cannot open '%s': %m", path);
    }
    const OpprofStatus status = load_open_file(path, fd, ret_root, error);
    close(fd);
    return status;
}

OpprofStatus OpprofJsonParse(const char *name, const char *text, size_t length, json_t **ret_root,
                             OpprofError **error)
{
    OPPROF_REQUIRE("json-name-given", name != NULL, "The path, name, key or word is given");
    OPPROF_REQUIRE("json-text-given", text != NULL || length == 0,
                   "A text is NULL only if its length is 0");
    OPPROF_REQUIRE("json-result-given", ret_root != NULL, "The result pointer is given");

    json_error_t problem;

    *ret_root = NULL;
    errno = 0;
    json_t *root = JsonGuardLoad(text, length, JSON_REJECT_DUPLICATES, &problem);
    /* Without memory the parser says nothing, or blames the token it could not keep. */
    if (root == NULL && (errno == ENOMEM || problem.text[0] == '\0')) {
        return OpprofErrorNoMemory(error, "read the JSON document '%s'", name);
    }
    if (root == NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' line %d, column %d: not valid JSON: %s",
                              name, problem.line, problem.column, problem.text);
    }
    if (!json_is_object(root)) {
        json_decref(root);
        return OpprofErrorSet(
            error, OPPROF_E_DATA,
            "'%s' line 1, column 1: expected a JSON object ('{ … }'), found an array", name);
    }
    *ret_root = root;
    return OPPROF_OK;
}

json_t *OpprofJsonValue(const char *text, size_t length, size_t flags)
{
    OPPROF_REQUIRE("json-text-given", text != NULL || length == 0,
                   "A text is NULL only if its length is 0");

    json_error_t problem;

    return JsonGuardLoad(text, length, flags, &problem);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
    const unsigned ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Edits that turn one name into the other: insert, delete, replace, swap neighbours. `most` stands
 * for as many or more. */
static unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length,
                              unsigned most)
{
    unsigned rows[3][MAX_NAME + 1];
    unsigned *two_up = rows[0];
    unsigned *up = rows[1];
    unsigned *row = rows[2];
    unsigned least_up = 0;

    if (a_length >= b_length + most || b_length >= a_length + most) {
        return most;
    }
    for (size_t j = 0; j <= b_length; j++) {
        up[j] = (unsigned) j;
        two_up[j] = 0;
    }
    for (size_t i = 1; i <= a_length; i++) {
        unsigned least = (unsigned) i;
        row[0] = least;
        for (size_t j = 1; j <= b_length; j++) {
            const char x = lower(a[i - 1]);
            const char y = lower(b[j - 1]);
            row[j] = smallest(up[j] + 1, row[j - 1] + 1, up[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2])) {
                row[j] = smallest(row[j], two_up[j - 2] + 1, UINT32_MAX);
            }
            least = smallest(least, row[j], UINT32_MAX);
        }
        if (least >= most && least_up + 1 >= most) {
            return most; /* later rows go on from these two */
        }
        least_up = least;
        unsigned *free_row = two_up;
        two_up = up;
        up = row;
        row = free_row;
    }
    return up[b_length];
}

const char *OpprofNearestName(const char *word, const char *const *candidates, size_t count)
{
    OPPROF_REQUIRE("json-name-given", word != NULL && (candidates != NULL || count == 0),
                   "The path, name, key or word is given");

    const size_t length = strlen(word);
    const size_t third = length / 3;
    unsigned best = 1 + (unsigned) (third < 1 ? 1 : third > MAX_EDITS ? MAX_EDITS : third);
    const char *nearest = NULL;

    for (size_t i = 0; i < count && length <= MAX_NAME; i++) {
        const size_t other = candidates[i] == NULL ? SIZE_MAX : strlen(candidates[i]);
        if (other > MAX_NAME) {
            continue;
        }
        const unsigned edits = edit_distance(word, length, candidates[i], other, best);
        if (edits < best) {
            best = edits;
            nearest = candidates[i];
        }
    }
    return nearest;
}

static int write_piece(const char *piece, size_t size, void *out)
{
    return fwrite(piece, 1, size, out) == size ? 0 : -1;
}

/* jansson ignores that some of a key could not be written, but the stream does not. */
char *OpprofJsonText(const json_t *value, size_t flags)
{
    Printed printed;

    if (value == NULL || PrintedOpen(&printed) == NULL) {
        return NULL;
    }
    const bool is_whole = json_dump_callback(value, write_piece, printed.out, flags) == 0;
    char *text = PrintedTake(&printed);

    if (!is_whole) {
        free(text);
        text = NULL;
    }
    return text;
}

bool OpprofJsonIsComment(const char *key)
{
    OPPROF_REQUIRE("json-name-given", key != NULL, "The path, name, key or word is given");
    return key[0] == '_' || strncmp(key, "x-", 2) == 0;
}
