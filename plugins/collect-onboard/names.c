/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognises raw files by their names, and reads what they say about a launch.
 * Tested by tests/plugins/collect-onboard/test_ranges.sh.
 */
#include "names.h"
#include "raw_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANY_CHIP "auto"
#define MAX_TEXT (64u << 10) /* bytes of a file of facts that are read */

const char **NamesExpand(const OpprofParams *params, const char *parameter, const char *chip,
                         size_t *ret_count)
{
    const size_t count = OpprofParamsCount(params, parameter);
    const char *const *patterns = NULL;
    size_t room = count + 1;

    for (size_t i = 0; i < count; i++) {
        room += OpprofRawPatterns(chip, OpprofParamsElement(params, parameter, i), &patterns);
    }
    const char **list = calloc(room, sizeof *list);
    *ret_count = 0;
    for (size_t i = 0; list != NULL && i < count; i++) {
        const char *element = OpprofParamsElement(params, parameter, i);
        const size_t more = OpprofRawPatterns(chip, element, &patterns);
        for (size_t k = 0; k < more; k++) {
            list[(*ret_count)++] = patterns[k];
        }
        if (more == 0) {
            list[(*ret_count)++] = element;
        }
    }
    return list;
}

bool NamesIs(const char *file, const char *role)
{
    const char *its = OpprofRawRole(ANY_CHIP, file, NULL);

    return its != NULL && strcmp(its, role) == 0;
}

/* The beginning of a file, at most `room` bytes; 0 if it cannot be read. */
static size_t read_beginning(const char *directory, const char *name, char *text, size_t room)
{
    char *path = NULL;
    uint64_t size = 0;
    int reason = 0;
    int fd = -1;
    ssize_t got = 0;

    if (asprintf(&path, "%s/%s", directory, name) < 0) {
        return 0;
    }
    if (RawFileOpen(path, &fd, &size, &reason) == NULL) {
        got = RawFileRead(fd, text, size < room ? (size_t) size : room, 0);
        close(fd);
    }
    free(path);
    return got < 0 ? 0 : (size_t) got;
}

char *NamesFact(const char *directory, const char *fact)
{
    const char *const *names = NULL;
    const size_t count = OpprofRawPatterns(ANY_CHIP, "info", &names);
    char *text = malloc(MAX_TEXT);
    char *value = NULL;

    for (size_t i = 0; text != NULL && value == NULL && i < count; i++) {
        const size_t length = read_beginning(directory, names[i], text, MAX_TEXT);
        const OpprofRawForm form = OpprofRawFormOf(ANY_CHIP, text, length);
        size_t size = 0;
        const char *at = OpprofRawValue(&form, fact, text, length, &size);
        value = at == NULL ? NULL : strndup(at, size);
    }
    free(text);
    return value;
}
