/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the kernel and its load address in a dump directory. */
#include "dump_kernel.h"

#include <fcntl.h>
#include <opprof/kit/live_host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KERNEL_FILE "aicore_binary.o"
/* Its first line is the kernel's start address, its second one may be the name. */
#define START_FILE "pc_start_addr.txt"
#define TOOLKIT "ascend-toolkit" /* part of the paths of the toolkit's sources */
#define PC_MARK "(PC: 0x"
#define PC_DIGITS 16u
#define WINDOW_BYTES (256u << 10)
#define START_LINE_MAX 64u
#define NAME_FILE_MAX 1024u /* bytes of the start file in which the name is looked for */

const DumpNames dump_usual_names = { .file = KERNEL_FILE, .start = START_FILE };

static char *file_of(const char *dump, const char *name)
{
    char *path;

    return asprintf(&path, "%s/%s", dump, name) < 0 ? NULL : path;
}

static int open_regular(const char *path)
{
    struct stat info;
    const int fd = OpprofLiveOpen(path, 0);

    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

/* First line of the file as a hexadecimal number; 0 if it is not one. */
static uint64_t named_start(const char *path)
{
    char line[START_LINE_MAX + 1];
    const int fd = open_regular(path);
    ssize_t length = fd < 0 ? -1 : read(fd, line, START_LINE_MAX);
    uint64_t start;
    char *end;

    if (fd >= 0) {
        close(fd);
    }
    if (length <= 0) {
        return 0;
    }
    line[length] = '\0';
    start = strtoull(line, &end, 16);
    return line[0] == '-' || end == line || strchr("\r\n \t", *end) == NULL ? 0 : start;
}

char *DumpKernelName(const char *dump)
{
    char text[NAME_FILE_MAX + 1];
    char *path = file_of(dump, START_FILE);
    const int fd = path == NULL ? -1 : open_regular(path);
    const ssize_t length = fd < 0 ? -1 : read(fd, text, NAME_FILE_MAX);
    const char *name;

    if (fd >= 0) {
        close(fd);
    }
    free(path);
    if (length <= 0) {
        return NULL;
    }
    text[length] = '\0';
    name = text + strcspn(text, "\n");
    name += *name == '\n';
    return name[0] == '\0' ? NULL : strndup(name, strcspn(name, "\r\n"));
}

/* Value of lower-case hexadecimal digits up to `end`; UINT64_MAX without any. */
static uint64_t read_pc(const char *at, const char *end)
{
    uint64_t value = 0;
    unsigned digits = 0;

    for (; at < end && digits < PC_DIGITS; at++, digits++) {
        if (*at >= '0' && *at <= '9') {
            value = value << 4 | (uint64_t) (*at - '0');
        } else if (*at >= 'a' && *at <= 'f') {
            value = value << 4 | (uint64_t) (*at - 'a' + 10);
        } else {
            break;
        }
    }
    return digits == 0 ? UINT64_MAX : value;
}

/* Smallest address in a part of a log. */
static uint64_t smallest_in(const char *text, size_t length)
{
    const char *end = text + length;
    uint64_t smallest = UINT64_MAX;

    while ((text = memmem(text, (size_t) (end - text), PC_MARK, strlen(PC_MARK))) != NULL) {
        uint64_t pc;

        text += strlen(PC_MARK);
        pc = read_pc(text, end);
        smallest = pc < smallest ? pc : smallest;
    }
    return smallest;
}

static uint64_t smallest_of_file(int fd, char *window)
{
    uint64_t smallest = UINT64_MAX;
    size_t kept = 0;
    ssize_t got;

    while ((got = read(fd, window + kept, WINDOW_BYTES - kept)) > 0) {
        const size_t filled = kept + (size_t) got;
        const char *newline = memrchr(window, '\n', filled);
        /* Reads whole lines; a line that fills the window is not a record. */
        const size_t whole = newline == NULL ? 0 : (size_t) (newline + 1 - window);
        const uint64_t pc = smallest_in(window, whole);

        smallest = pc < smallest ? pc : smallest;
        kept = filled - whole == WINDOW_BYTES ? 0 : filled - whole;
        memmove(window, window + whole, kept);
    }
    const uint64_t pc = smallest_in(window, kept);
    return pc < smallest ? pc : smallest;
}

static bool is_popped_log(const char *name)
{
    const size_t length = strlen(name);

    return strstr(name, "instr_popped_log") != NULL && length > 5 &&
           strcmp(name + length - 5, ".dump") == 0;
}

static uint64_t smallest_of_dump(DIR *directory, const char *dump, char *window)
{
    uint64_t smallest = UINT64_MAX;
    const struct dirent *entry;

    while ((entry = readdir(directory)) != NULL) {
        char *path = is_popped_log(entry->d_name) ? file_of(dump, entry->d_name) : NULL;
        const int fd = path == NULL ? -1 : open_regular(path);

        if (fd >= 0) {
            const uint64_t pc = smallest_of_file(fd, window);

            smallest = pc < smallest ? pc : smallest;
            close(fd);
        }
        free(path);
    }
    return smallest == UINT64_MAX ? 0 : smallest;
}

uint64_t DumpKernelStart(const char *dump)
{
    char *path = file_of(dump, START_FILE);
    uint64_t start = path == NULL ? 0 : named_start(path);
    DIR *directory = start == 0 ? OpprofLiveOpenDirectory(dump) : NULL;
    char *window = directory == NULL ? NULL : malloc(WINDOW_BYTES);

    if (window != NULL) {
        start = smallest_of_dump(directory, dump, window);
    }
    if (directory != NULL) {
        closedir(directory);
    }
    free(window);
    free(path);
    return start;
}

/* Opens a kernel: if its start file has the usual name, the start address is only looked for when
 * needed. */
static OpprofSourceOptions options_of(const char *dump, const DumpNames *names)
{
    OpprofSourceOptions options = { .toolkit = TOOLKIT };

    if (dump != NULL && strcmp(names->start, START_FILE) != 0) {
        char *path = file_of(dump, names->start);
        options.start_pc = path == NULL ? 0 : named_start(path);
        free(path);
    } else {
        options.place = dump;
        options.find_start = DumpKernelStart;
    }
    return options;
}

/* Also a link to nowhere. */
static bool is_there(const char *path)
{
    const int fd = OpprofLiveOpen(path, O_PATH | O_NOFOLLOW);

    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0;
}

OpprofStatus DumpKernelOpen(const char *kernel, const char *dump, const DumpNames *names,
                            OpprofSource **ret_source, OpprofError **error)
{
    const OpprofSourceOptions options = options_of(dump, names);
    char *own = kernel == NULL && dump != NULL ? file_of(dump, names->file) : NULL;
    OpprofStatus status = OPPROF_E_NOT_FOUND;

    *ret_source = NULL;
    if (kernel == NULL && dump != NULL && own == NULL) {
        return OpprofErrorNoMemory(error, "read kernel '%s'", names->file);
    }
    if (kernel != NULL || (own != NULL && is_there(own))) {
        status = OpprofSourceOpen(kernel != NULL ? kernel : own, &options, ret_source, error);
    }
    free(own);
    return status;
}
