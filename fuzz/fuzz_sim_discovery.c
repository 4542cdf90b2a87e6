/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dump directories: which cores there are, which pieces their logs have, what they show of the chip,
 * and reading the pieces twice. A line of the input that begins with '>' names a file; what follows,
 * up to the next one, is in it. An '@' before the end of the name leaves the file's last newline out.
 */
#include "fuzz/fuzz.h"
#include "plugins/collect-sim/read/facts.h"
#include "plugins/collect-sim/lines/line.h"
#include "plugins/collect-sim/read/mte_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES_MAX 24u
#define NAME_MAX_BYTES 100u

typedef struct Scratch {
    char directory[64];
    char names[FILES_MAX][NAME_MAX_BYTES + 1];
    unsigned count;
} Scratch;

/* Names without slashes and NULs, as a directory has them. */
static bool is_name(const char *at, size_t length)
{
    return length > 0 && length <= NAME_MAX_BYTES && memchr(at, '/', length) == NULL &&
           memchr(at, '\0', length) == NULL && at[0] != '.';
}

static void write_file(Scratch *scratch, const char *name, size_t length, const char *text,
                       size_t size)
{
    const bool is_cut = length > 1 && name[length - 1] == '@';
    char path[256];
    int file;

    length -= is_cut;
    if (!is_name(name, length) || scratch->count == FILES_MAX) {
        return;
    }
    memcpy(scratch->names[scratch->count], name, length);
    scratch->names[scratch->count][length] = '\0';
    snprintf(path, sizeof path, "%s/%s", scratch->directory, scratch->names[scratch->count]);
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) {
        return;
    }
    scratch->count++;
    size -= is_cut && size > 0;
    FUZZ_REQUIRE(write(file, text, size) == (ssize_t) size);
    close(file);
}

static void write_files(Scratch *scratch, const char *text, size_t size)
{
    const char *end = text + size;

    while (text < end && *text == '>') {
        const char *name_end = memchr(text, '\n', (size_t) (end - text));
        const char *content, *next;

        if (name_end == NULL) {
            return;
        }
        content = name_end + 1;
        next = content < end && *content == '>'
                   ? content
                   : memmem(content, (size_t) (end - content), "\n>", 2);
        next = next == NULL ? end : next + (*next == '\n');
        write_file(scratch, text + 1, (size_t) (name_end - text - 1), content,
                   (size_t) (next - content));
        text = next;
    }
}

static void remove_files(Scratch *scratch)
{
    char path[256];

    for (unsigned i = 0; i < scratch->count; i++) {
        snprintf(path, sizeof path, "%s/%s", scratch->directory, scratch->names[i]);
        unlink(path);
    }
    rmdir(scratch->directory);
}

typedef struct Heard {
    uint64_t bytes;
    unsigned lacks;
} Heard;

static void hear_lack(void *context, const char *message)
{
    ((Heard *) context)->lacks++;
    FUZZ_REQUIRE(message[0] != '\0');
}

static void hear_bytes(void *context, uint64_t bytes)
{
    ((Heard *) context)->bytes += bytes;
}

static uint64_t read_log(SimFiles *files, Heard *heard)
{
    const SimLogEvents events = { .context = heard, .lack = hear_lack, .bytes = hear_bytes };
    const char *line;
    uint64_t lines = 0;
    size_t length;
    SimLog log;

    SimLogInit(&log, files, &events, SimLineTrim);
    while (SimLogNext(&log, &line, &length, NULL) == OPPROF_OK) {
        SimLine parsed;

        SimLineParse(line, length, &sim_watch_popped, &parsed);
        lines++;
    }
    SimLogFinish(&log);
    return lines;
}

/* Both readings see the same lines; what is lacking is reported in the first. */
static void read_twice(SimFiles *files)
{
    Heard first = { .bytes = 0 }, second = { .bytes = 0 };
    const uint64_t lines = read_log(files, &first);

    FUZZ_REQUIRE(read_log(files, &second) == lines);
    FUZZ_REQUIRE(first.bytes == files->bytes && second.bytes == first.bytes);
    FUZZ_REQUIRE(files->lost == NULL || files->count == 0 || first.lacks > 0);
}

static void look_through(const char *directory)
{
    FoundCores cores;
    SimClues clues;
    SimFiles mte;

    if (DiscoverCores(directory, 1 << 20, &cores, NULL) == OPPROF_OK) {
        FUZZ_REQUIRE(cores.count > 0);
        FUZZ_REQUIRE(SimCluesRead(&cores, &clues, NULL) == OPPROF_OK);
        for (uint32_t i = 0; i < cores.count; i++) {
            FUZZ_REQUIRE(strncmp(cores.cores[i].prefix, cores.cores[i].name,
                                 strlen(cores.cores[i].name)) == 0);
            read_twice(&cores.cores[i].popped);
            read_twice(&cores.cores[i].instr);
        }
        FoundCoresFinish(&cores);
    }
    if (MteFilesFind(directory, &(SimFacts){ .mte_file = "mte_log.dump" }, 0, 1 << 20, &mte,
                     NULL) == OPPROF_OK) {
        read_twice(&mte);
        SimFilesFinish(&mte);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Scratch scratch = { .directory = "/tmp/opprof-fuzz.XXXXXX" };

    FUZZ_REQUIRE(mkdtemp(scratch.directory) != NULL);
    write_files(&scratch, (const char *) data, size);
    look_through(scratch.directory);
    remove_files(&scratch);
    return 0;
}
