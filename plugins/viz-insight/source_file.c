/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a source file for the viewer, which takes UTF-8 only. */
#include "source_file.h"

#include <errno.h>
#include <opprof/kit/source.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of the UTF-8 character at `text`, 0: it is not one. */
static size_t character_length(const unsigned char *text, size_t length)
{
    const size_t wanted = text[0] < 0x80                      ? 1
                          : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                          : (text[0] & 0xf0) == 0xe0          ? 3
                          : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                              : 0;

    if (wanted == 0 || wanted > length) {
        return 0;
    }
    for (size_t i = 1; i < wanted; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] >= 0xa0) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] >= 0x90)) {
        return 0; /* too long, a surrogate, or beyond Unicode */
    }
    return wanted;
}

static void clean(char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        const size_t bytes = character_length((const unsigned char *) text + i, length - i);

        if (bytes == 0) {
            text[i] = '?';
        } else if (text[i] == '\0') {
            text[i] = ' ';
        }
        i += bytes == 0 ? 1 : bytes;
    }
}

static OpprofStatus read_file(int fd, OpprofBatch *batch, OpprofText *ret_text,
                              const char **ret_why)
{
    struct stat info;
    size_t length = 0;
    char *room;

    if (fstat(fd, &info) != 0) {
        *ret_why = strerror(errno);
        return OPPROF_E_IO;
    }
    if (!S_ISREG(info.st_mode) || info.st_size > SOURCE_FILE_MAX) {
        *ret_why = S_ISREG(info.st_mode) ? "it is larger than 10 MiB" : "it is not a regular file";
        return OPPROF_E_IO;
    }
    room = OpprofBatchReserveText(batch, (size_t) info.st_size);
    if (room == NULL) {
        return OPPROF_E_MEMORY;
    }
    while (length < (size_t) info.st_size) {
        const ssize_t got = read(fd, room + length, (size_t) info.st_size - length);

        if (got < 0 && errno != EINTR) {
            *ret_why = strerror(errno);
            return OPPROF_E_IO;
        }
        if (got == 0) {
            break;
        }
        length += got > 0 ? (size_t) got : 0;
    }
    clean(room, length);
    *ret_text = OpprofBatchCommitText(batch, length);
    return OPPROF_OK;
}

OpprofStatus SourceFileRead(OpprofBatch *batch, OpprofText path, const OpprofParams *params,
                            OpprofText *ret_text, const char **ret_why)
{
    const char *text = OpprofBatchText(batch, path);
    char *name = text == NULL ? NULL : strndup(text, path.length);
    OpprofStatus status;
    int fd;

    if (name == NULL) {
        return OPPROF_E_MEMORY;
    }
    fd = OpprofSourceFileOpen(name, params);
    *ret_why = fd < 0 ? strerror(errno) : NULL;
    free(name);
    status = fd < 0 ? OPPROF_E_IO : read_file(fd, batch, ret_text, ret_why);
    if (fd >= 0) {
        close(fd);
    }
    return status;
}
