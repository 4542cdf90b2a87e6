/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library of gcc's address sanitizer that a program is linked with, which has to come before
 * all others. Tested by tests/kit/live/test_live_host.c and fuzz/fuzz_sanitizer.c.
 */
#include "kit/live/live_parts.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <opprof/require.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "libasan.so."
#define MOST_SEGMENTS 128u
#define MOST_ENTRIES 4096u /* of the table of what a program needs */

/* What of a program is looked at. */
typedef struct Program {
    int file;
    unsigned segment_count;
    ElfW(Phdr) segments[MOST_SEGMENTS];
} Program;

static bool read_at(int file, uint64_t at, void *data, size_t size)
{
    return at <= INT64_MAX && pread(file, data, size, (off_t) at) == (ssize_t) size;
}

/* False: it is no program of this kind of machine. */
static bool read_segments(Program *program)
{
    const unsigned char magic[] = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
                                    sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32 };
    ElfW(Ehdr) head;

    if (!read_at(program->file, 0, &head, sizeof head) ||
        memcmp(head.e_ident, magic, sizeof magic) != 0 || head.e_phentsize != sizeof(ElfW(Phdr))) {
        return false;
    }
    program->segment_count = head.e_phnum < MOST_SEGMENTS ? head.e_phnum : MOST_SEGMENTS;
    return read_at(program->file, head.e_phoff, program->segments,
                   program->segment_count * sizeof program->segments[0]);
}

/* Where in the file an address is; UINT64_MAX: nowhere. */
static uint64_t place_of(const Program *program, uint64_t address)
{
    for (unsigned i = 0; i < program->segment_count; i++) {
        const ElfW(Phdr) *segment = &program->segments[i];

        if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
            address - segment->p_vaddr < segment->p_filesz) {
            return segment->p_offset + (address - segment->p_vaddr);
        }
    }
    return UINT64_MAX;
}

/* The first entry of a kind, from *at on, which is then after it. */
static bool find_entry(const Program *program, const ElfW(Phdr) * table, ElfW(Sxword) tag,
                       unsigned *at, uint64_t *ret_value)
{
    const uint64_t count = table->p_filesz / sizeof(ElfW(Dyn));
    ElfW(Dyn) entry;

    for (; *at < count && *at < MOST_ENTRIES; (*at)++) {
        if (!read_at(program->file, table->p_offset + *at * sizeof entry, &entry, sizeof entry) ||
            entry.d_tag == DT_NULL) {
            return false;
        }
        if (entry.d_tag == tag) {
            *ret_value = entry.d_un.d_val;
            (*at)++;
            return true;
        }
    }
    return false;
}

/* Nothing in it parts the words of a list of libraries. */
static bool is_sanitizer(const char *name)
{
    const size_t prefix = sizeof PREFIX - 1;

    return strncmp(name, PREFIX, prefix) == 0 && name[prefix] != '\0' &&
           strspn(name + prefix, "0123456789.") == strlen(name + prefix);
}

bool LiveSanitizerOfFile(int file, char name[LIVE_SANITIZER_BYTES])
{
    Program program = { .file = file };
    uint64_t address, offset, texts;
    unsigned at = 0;
    ssize_t got;

    if (!read_segments(&program)) {
        return false;
    }
    for (unsigned i = 0; i < program.segment_count; i++) {
        const ElfW(Phdr) *table = &program.segments[i];

        if (table->p_type != PT_DYNAMIC || !find_entry(&program, table, DT_STRTAB, &at, &address)) {
            continue;
        }
        texts = place_of(&program, address);
        for (at = 0; texts != UINT64_MAX && find_entry(&program, table, DT_NEEDED, &at, &offset);) {
            got = pread(file, name, LIVE_SANITIZER_BYTES, (off_t) (texts + offset));
            if (got > 0 && memchr(name, '\0', (size_t) got) != NULL && is_sanitizer(name)) {
                return true;
            }
        }
        return false;
    }
    return false;
}

/* The file that starts as a program of this name. */
static int open_program(const char *word)
{
    const char *places = strchr(word, '/') != NULL ? "" : getenv("PATH");
    char path[PATH_MAX];
    int file = -1;

    while (file < 0 && places != NULL) {
        const int length = (int) strcspn(places, ":");

        snprintf(path, sizeof path, "%.*s%s%s", length, places, length == 0 ? "" : "/", word);
        if (access(path, X_OK) == 0) {
            file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* not everything ends */
        }
        places = places[length] == ':' ? places + length + 1 : NULL;
    }
    return file;
}

bool LiveSanitizerOf(const char *word, char name[LIVE_SANITIZER_BYTES])
{
    OPPROF_REQUIRE("live-text-given", word != NULL && name != NULL, "The text is given");

    const int file = open_program(word);
    struct stat about;
    const bool is_there = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
                          LiveSanitizerOfFile(file, name);

    if (file >= 0) {
        close(file);
    }
    return is_there;
}
