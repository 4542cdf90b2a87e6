/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the files that an input names. Tested by the targets that use it,
 * fuzz/fuzz_sim_discovery.c and fuzz/fuzz_onboard_discovery.c.
 */
#include "fuzz/marked_files.h"

#include "fuzz/fuzz.h"
#include "document/probe.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_MAX_BYTES 120u

/* Parts that a directory may have: neither empty nor "." nor "..". */
static bool is_path(const char *at, size_t length)
{
    const char *end = at + length;

    if (length == 0 || length > NAME_MAX_BYTES || memchr(at, '\0', length) != NULL) {
        return false;
    }
    while (at < end) {
        const char *slash = memchr(at, '/', (size_t) (end - at));
        const size_t part = (size_t) ((slash == NULL ? end : slash) - at);

        if (part == 0 || (part <= 2 && memcmp(at, "..", part) == 0)) {
            return false;
        }
        at += part + (slash != NULL);
    }
    return true;
}

/* Folders on the way to a file; what is a file already stays one. */
static void make_folders(char *path, size_t root)
{
    for (char *at = strchr(path + root, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
}

static void write_file(MarkedFiles *files, const char *name, size_t length, const char *text,
                       size_t size)
{
    const bool is_cut = length > 1 && name[length - 1] == '@';
    char path[sizeof files->directory + NAME_MAX_BYTES + 2];
    int file;

    length -= is_cut;
    if (!is_path(name, length) || files->count == MARKED_FILES_MAX) {
        return;
    }
    snprintf(path, sizeof path, "%s/%.*s", files->directory, (int) length, name);
    make_folders(path, strlen(files->directory) + 1);
    files->count++;
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) {
        return; /* a folder, or below a file */
    }
    size -= is_cut && size > 0;
    FUZZ_REQUIRE(write(file, text, size) == (ssize_t) size);
    close(file);
}

/* The first line from `text` on that begins with '>', else the end. */
static const char *next_mark(const char *text, const char *end)
{
    const char *found;

    if (text < end && *text == '>') {
        return text;
    }
    found = text < end ? memmem(text, (size_t) (end - text), "\n>", 2) : NULL;
    return found == NULL ? end : found + 1;
}

void MarkedFilesWrite(MarkedFiles *files, const char *text, size_t size)
{
    const char *end = text + size;
    const bool has_memory = access("/dev/shm", W_OK) == 0; /* files in memory are made faster */

    *files = (MarkedFiles){ .count = 0 };
    snprintf(files->directory, sizeof files->directory, "%s/opprof-fuzz.XXXXXX",
             has_memory ? "/dev/shm" : "/tmp");
    FUZZ_REQUIRE(mkdtemp(files->directory) != NULL);
    text = next_mark(text, end);
    while (text < end) {
        const char *name_end = memchr(text, '\n', (size_t) (end - text));
        const char *next;

        if (name_end == NULL) {
            return;
        }
        next = next_mark(name_end + 1, end);
        write_file(files, text + 1, (size_t) (name_end - text - 1), name_end + 1,
                   (size_t) (next - name_end - 1));
        text = next;
    }
}

void MarkedFilesRecognise(const MarkedFiles *files, const OpprofInputKind *kinds)
{
    OpprofProbe *probe = NULL;

    FUZZ_REQUIRE(ProbeCreate(files->directory, &probe, NULL) == OPPROF_OK);
    for (; kinds->name != NULL; kinds++) {
        FUZZ_REQUIRE(kinds->recognise(probe) <= OPPROF_CERTAIN);
    }
    ProbeDestroy(probe);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void) about;
    (void) kind;
    (void) place;
    return remove(path);
}

void MarkedFilesRemove(MarkedFiles *files)
{
    nftw(files->directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
