/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a line of a source file. Tested by tests/plugins/report/test_report. */
#include "source_text.h"

#include <opprof/kit/source.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX (10 << 20) /* of a file that is read; sources are shorter */

/* NULL: it is not a file that can be read. */
static FILE *open_file(const char *path, const OpprofParams *params)
{
    const int fd = OpprofSourceFileOpen(path, params);
    struct stat info;
    FILE *file = NULL;

    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
        info.st_size <= FILE_BYTES_MAX) {
        file = fdopen(fd, "r");
    }
    if (file == NULL && fd >= 0) {
        close(fd);
    }
    return file;
}

static void trim(char *text)
{
    const size_t blanks = strspn(text, " \t");
    size_t length = strlen(text);

    while (length > blanks && strchr(" \t\r\n", text[length - 1]) != NULL) {
        length--;
    }
    memmove(text, text + blanks, length - blanks);
    text[length - blanks] = '\0';
}

static char *read_line(FILE *file, unsigned long number)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length = 0;

    for (unsigned long line = 0; line < number && length >= 0; line++) {
        length = getline(&text, &room, file);
    }
    if (length <= 0) {
        free(text);
        return NULL;
    }
    trim(text);
    OpprofTextTame(text, false);
    return text;
}

char *SourceTextOf(const char *place, const OpprofParams *params)
{
    const char *colon = strrchr(place, ':');
    const unsigned long number = colon == NULL ? 0 : strtoul(colon + 1, NULL, 10);
    char *path = number == 0 ? NULL : strndup(place, (size_t) (colon - place));
    FILE *file = path == NULL ? NULL : open_file(path, params);
    char *text = file == NULL ? NULL : read_line(file, number);

    if (file != NULL) {
        fclose(file);
    }
    free(path);
    return text;
}
