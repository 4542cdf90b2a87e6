/* SPDX-License-Identifier: Apache-2.0 */
/* Reads Cannsim's instr.bin as the lines of dump files. Tested by
 * tests/plugins/collect-sim/test_cannsim.sh. */
#include "cannsim.h"
#include <errno.h>
#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/bytes.h>
#include <opprof/kit/live_host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT 200u /* bytes of a record's text, of which there are two */
#define WINDOW_RECORDS 256u
#define NEAR_RECORDS 16u /* up to this distance, what lies between is read, too */
#define PAD 64u          /* readable bytes after a line */
#define LINE (2 * TEXT + 128 + PAD)

const char *const cannsim_sub_cores[CANNSIM_SUB_CORES] = { "cubecore0", "veccore0", "veccore1" };

typedef struct Record {
    uint64_t tick;
    uint64_t pc;
    uint32_t core;
    uint32_t sub_core;
    const char *decoded; /* within the record, without NUL if they are full */
    const char *operands;
    size_t decoded_length;
    size_t operands_length;
} Record;

static Record read_record(const uint8_t *bytes)
{
    const char *texts = (const char *) bytes + 24;

    return (Record){
        .tick = OpprofLoadLe(bytes, 8),
        .core = (uint32_t) OpprofLoadLe(bytes + 8, 4),
        .sub_core = (uint32_t) OpprofLoadLe(bytes + 12, 4),
        .pc = OpprofLoadLe(bytes + 16, 8),
        .decoded = texts,
        .operands = texts + TEXT,
        .decoded_length = strnlen(texts, TEXT),
        .operands_length = strnlen(texts + TEXT, TEXT),
    };
}

static bool has(const char *text, size_t length, const char *part)
{
    return memmem(text, length, part, strlen(part)) != NULL;
}

/* Whether it is of a core, and its text one of an instruction. */
static bool is_whole(const Record *record)
{
    return record->core < 2 * CANNSIM_CORES && record->sub_core < CANNSIM_SUB_CORES &&
           (has(record->decoded, record->decoded_length, "(Binary: 0x") ||
            has(record->operands, record->operands_length, "(Binary: 0x"));
}

bool CannsimIsRecord(const void *bytes, size_t size)
{
    Record record;

    if (size < CANNSIM_RECORD) {
        return false;
    }
    record = read_record(bytes);
    return is_whole(&record);
}

/* ---- which records are of which log ---- */

static bool add_step(CannsimSteps *steps, uint64_t number)
{
    uint64_t left = number - steps->next;

    if (!OpprofGrow(&steps->bytes, &steps->capacity, steps->size + 10, 1)) {
        return false;
    }
    for (; left > 127; left >>= 7) {
        steps->bytes[steps->size++] = (uint8_t) (left | 128);
    }
    steps->bytes[steps->size++] = (uint8_t) left;
    steps->next = number + 1;
    steps->count++;
    return true;
}

/* The distance at a place in the steps, which moves on. */
static uint64_t take_step(const CannsimSteps *steps, size_t *at)
{
    uint64_t distance = 0;
    unsigned shift = 0;

    while (steps->bytes[*at] > 127) {
        distance |= (uint64_t) (steps->bytes[(*at)++] & 127) << shift;
        shift += 7;
    }
    return distance | (uint64_t) steps->bytes[(*at)++] << shift;
}

/* Up to `count` records from one on; the number of whole ones that are there, or -1. */
static ssize_t read_records(int fd, uint64_t number, size_t count, uint8_t *bytes)
{
    const size_t wanted = count * CANNSIM_RECORD;
    size_t got = 0;

    while (got < wanted) {
        const ssize_t more =
            pread(fd, bytes + got, wanted - got, (off_t) (number * CANNSIM_RECORD + got));

        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more < 0) {
            return -1;
        }
        if (more == 0) {
            break;
        }
        got += (size_t) more;
    }
    return (ssize_t) (got / CANNSIM_RECORD);
}

static int open_file(const char *path, uint64_t *ret_size, OpprofError **error)
{
    const int fd = OpprofLiveOpen(path, 0);
    struct stat about;

    if (fd < 0 || fstat(fd, &about) != 0) {
        OpprofErrorSet(error, errno == ENOENT ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                       "Cannot open '%s': %m", path);
    } else if (!S_ISREG(about.st_mode)) {
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': it is not a regular file", path);
    } else {
        *ret_size = (uint64_t) about.st_size;
        return fd;
    }
    if (fd >= 0) {
        close(fd);
    }
    return -1;
}

/* Records that are not of a core, and a part of one at the end. */
static void note_damage(CannsimFile *file, const char *path, uint64_t strange, uint64_t first,
                        uint64_t size)
{
    if (strange > 0) {
        snprintf(file->damage, sizeof file->damage,
                 "%" PRIu64 " %s of '%.300s' %s not of an instruction of a core, and left "
                 "out, the first at byte %" PRIu64,
                 strange, strange == 1 ? "record" : "records", path, strange == 1 ? "is" : "are",
                 first * CANNSIM_RECORD);
    } else if (size % CANNSIM_RECORD != 0) {
        snprintf(file->damage, sizeof file->damage,
                 "'%.300s' ends in the middle of a record, at byte %" PRIu64
                 ": the records from there on are missing",
                 path, size);
    }
}

static OpprofStatus sort_records(int fd, const char *path, uint64_t size, CannsimFile *file,
                                 OpprofError **error)
{
    uint8_t *window = malloc((size_t) WINDOW_RECORDS * CANNSIM_RECORD);
    uint64_t number = 0, strange = 0, first = 0;
    bool is_good = window != NULL;
    ssize_t got = 1;

    while (is_good && (got = read_records(fd, number, WINDOW_RECORDS, window)) > 0) {
        for (ssize_t i = 0; i < got && is_good; i++, number++) {
            const Record record = read_record(window + (size_t) i * CANNSIM_RECORD);

            if (is_whole(&record)) {
                const CannsimLog log = record.core < CANNSIM_CORES ? CANNSIM_INSTR : CANNSIM_POPPED;
                is_good = add_step(&file->logs[record.core % CANNSIM_CORES][record.sub_core][log],
                                   number);
            } else if (strange++ == 0) {
                first = number;
            }
        }
    }
    free(window);
    if (!is_good) {
        return OpprofErrorNoMemory(error, "look through '%s'", path);
    }
    note_damage(file, path, strange, first, size);
    return got < 0 ? OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", path) : OPPROF_OK;
}

OpprofStatus CannsimFileRead(const char *path, CannsimFile *ret_file, OpprofError **error)
{
    uint64_t size = 0;
    OpprofStatus status;

    *ret_file = (CannsimFile){ .damage = "" };
    const int fd = open_file(path, &size, error);
    if (fd < 0) {
        return errno == ENOENT || errno == ENOTDIR ? OPPROF_E_NOT_FOUND : OPPROF_E_IO;
    }
    status = sort_records(fd, path, size, ret_file, error);
    close(fd);
    if (status != OPPROF_OK) {
        CannsimFileFinish(ret_file);
    }
    return status;
}

void CannsimFileFinish(CannsimFile *file)
{
    for (unsigned core = 0; core < CANNSIM_CORES; core++) {
        for (unsigned sub = 0; sub < CANNSIM_SUB_CORES; sub++) {
            free(file->logs[core][sub][CANNSIM_POPPED].bytes);
            free(file->logs[core][sub][CANNSIM_INSTR].bytes);
        }
    }
    *file = (CannsimFile){ .damage = "" };
}

/* ---- lines ---- */

struct CannsimLines {
    int fd;
    const CannsimSteps *steps;
    size_t at;       /* of the next step */
    uint64_t number; /* of the record after the last one */
    uint64_t count;  /* lines returned */
    uint64_t first;  /* record at the beginning of the window */
    uint64_t held;   /* records in it */
    uint8_t window[WINDOW_RECORDS * CANNSIM_RECORD];
    char line[LINE];
    char path[];
};

OpprofStatus CannsimLinesOpen(const char *path, const CannsimSteps *steps, CannsimLines **ret_lines,
                              OpprofError **error)
{
    const size_t path_bytes = strlen(path) + 1;
    CannsimLines *lines = calloc(1, sizeof *lines + path_bytes);
    uint64_t size;

    *ret_lines = NULL;
    if (lines == NULL) {
        return OpprofErrorNoMemory(error, "read '%s'", path);
    }
    memcpy(lines->path, path, path_bytes);
    lines->steps = steps;
    lines->fd = open_file(path, &size, error);
    if (lines->fd < 0) {
        free(lines);
        return OPPROF_E_IO;
    }
    *ret_lines = lines;
    return OPPROF_OK;
}

/* The bytes of a record; NULL: they cannot be read. */
static const uint8_t *record_at(CannsimLines *lines, uint64_t number, uint64_t distance)
{
    if (number - lines->first >= lines->held) {
        const ssize_t got = read_records(
            lines->fd, number, distance <= NEAR_RECORDS ? WINDOW_RECORDS : 1, lines->window);

        lines->first = number;
        lines->held = got < 0 ? 0 : (uint64_t) got;
    }
    return lines->held == 0 ? NULL : lines->window + (number - lines->first) * CANNSIM_RECORD;
}

/* Where what follows the tick begins in a text that has one: "[info] [00000745] (PC: …". */
static size_t after_tick(const char *text, size_t length)
{
    const char *start = memmem(text, length, "(PC: ", 5);

    return start == NULL ? 0 : (size_t) (start - text);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* The texts may be the two halves of a line, or lack what is between them. */
static size_t join(const Record *record, char *line)
{
    const size_t skipped = after_tick(record->decoded, record->decoded_length);
    const char *decoded = record->decoded + skipped;
    const size_t length = record->decoded_length - skipped;
    const bool is_apart = record->decoded_length < TEXT && length > 0 &&
                          record->operands_length > 0 && !is_blank(decoded[length - 1]) &&
                          !is_blank(record->operands[0]);
    size_t used = (size_t) snprintf(line, LINE, "[info] [%08" PRIu64 "] ", record->tick);

    if (!has(decoded, length, "(PC: ")) {
        used += (size_t) snprintf(line + used, LINE - used, "(PC: 0x%08" PRIx64 ") ", record->pc);
    }
    memcpy(line + used, decoded, length);
    used += length;
    memcpy(line + used, "  ", 2);
    used += is_apart ? 2 : 0;
    memcpy(line + used, record->operands, record->operands_length);
    used += record->operands_length;
    memset(line + used, 0, PAD);
    return used;
}

OpprofStatus CannsimLinesNext(CannsimLines *lines, const char **ret_line, size_t *ret_length,
                              OpprofError **error)
{
    const uint8_t *bytes;
    uint64_t distance;
    Record record;

    if (lines->count == lines->steps->count) {
        return OPPROF_END;
    }
    distance = take_step(lines->steps, &lines->at);
    lines->number += distance;
    bytes = record_at(lines, lines->number, distance);
    if (bytes == NULL) {
        return OpprofErrorSet(error, OPPROF_E_IO,
                              "'%s' changed while it was read: it has no record at byte %" PRIu64,
                              lines->path, lines->number * CANNSIM_RECORD);
    }
    record = read_record(bytes);
    *ret_length = join(&record, lines->line);
    for (size_t i = 0; i < *ret_length; i++) {
        const unsigned char byte = (unsigned char) lines->line[i];
        lines->line[i] = (byte < ' ' && byte != '\t') || byte == 127 ? '?' : lines->line[i];
    }
    *ret_line = lines->line;
    lines->number++;
    lines->count++;
    return OPPROF_OK;
}

uint64_t CannsimLinesCount(const CannsimLines *lines)
{
    return lines->count;
}

uint64_t CannsimLinesPlace(const CannsimLines *lines)
{
    return lines->number == 0 ? 0 : (lines->number - 1) * CANNSIM_RECORD;
}

uint64_t CannsimLinesSize(const CannsimLines *lines)
{
    return lines->steps->count * CANNSIM_RECORD;
}

void CannsimLinesClose(CannsimLines *lines)
{
    if (lines != NULL) {
        close(lines->fd);
        free(lines);
    }
}
