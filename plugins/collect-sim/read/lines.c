/* SPDX-License-Identifier: Apache-2.0 */
/* Reads text files line by line through a window of fixed size. Tested by
 * tests/plugins/collect-sim/test_lines. */
#include "lines.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <opprof/compiler.h>
#include <opprof/kit/live_host.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define WINDOW_BYTES (256u << 10)      /* read at once; fits the second-level cache */
#define KEPT_BYTES (SIM_LINE_MOST + 2) /* the longest line and its CR LF */
#define PAD_BYTES 64u                  /* promised after each line */
#define BLOCK_BYTES 64u                /* one bit of a mask each */

/*
 * buffer:  [ done | line begins at `start` … | looked at until `scanned` | … `end` )  pad
 * `mask` has a bit for each newline at or after `start` in the block of 64 bytes at `block`. So
 * one search finds all newlines of a block, and most calls only take the next bit.
 */
struct SimLineReader {
    char *buffer;
    size_t start;
    size_t block;
    size_t scanned;
    size_t end;
    uint64_t mask;
    uint64_t base; /* file offset of buffer[0] */
    uint64_t line; /* file offset of the line given last */
    uint64_t size; /* of the file when it was opened */
    SimLineReaderCounts counts;
    bool skipping;   /* inside of a line that is too long */
    bool is_special; /* a NUL byte was read, or the line given last has no end */
    bool failed;
    int failed_errno; /* 0: the file shrank */
    int fd;
    char path[];
};

#ifdef __SSE2__

static inline uint64_t newlines_of_16(const char *bytes)
{
    const __m128i part = _mm_loadu_si128((const __m128i *) (const void *) bytes);

    return (unsigned) _mm_movemask_epi8(_mm_cmpeq_epi8(part, _mm_set1_epi8('\n')));
}

/* Which of 64 bytes are newlines; the first byte is the lowest bit. */
static inline uint64_t newline_mask(const char *bytes)
{
    return newlines_of_16(bytes) | newlines_of_16(bytes + 16) << 16 |
           newlines_of_16(bytes + 32) << 32 | newlines_of_16(bytes + 48) << 48;
}

#else

/* The same without SSE2. */
static uint64_t newline_mask(const char *bytes)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t mask = 0;

    for (unsigned i = 0; i < BLOCK_BYTES; i += 8) {
        uint64_t part;
        memcpy(&part, bytes + i, sizeof part);
        part = le64toh(part) ^ ones * '\n';
        /* The upper bit of each byte that is now 0, and no other. */
        const uint64_t zero = ~(((part & ones * 0x7f) + ones * 0x7f) | part | ones * 0x7f);
        mask |= (zero >> 7) * UINT64_C(0x0102040810204080) >> 56 << i;
    }
    return mask;
}

#endif

static OpprofStatus refuse(const char *path, const char *why, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': it is %s", path, why);
}

static OpprofStatus check_regular(const char *path, int fd, uint64_t *ret_size, OpprofError **error)
{
    struct stat info;

    if (fstat(fd, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", path);
    }
    if (S_ISDIR(info.st_mode)) {
        return refuse(path, "a directory", error);
    }
    if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)) {
        return refuse(path, "a pipe or socket, not a regular file", error);
    }
    if (!S_ISREG(info.st_mode)) {
        return refuse(path, "a device, not a regular file", error);
    }
    *ret_size = (uint64_t) info.st_size;
    return OPPROF_OK;
}

static SimLineReader *create_reader(const char *path, int fd, uint64_t size)
{
    const size_t path_bytes = strlen(path) + 1;
    SimLineReader *reader = calloc(1, sizeof *reader + path_bytes);
    char *buffer = malloc(KEPT_BYTES + WINDOW_BYTES + PAD_BYTES);

    if (reader == NULL || buffer == NULL) {
        free(reader);
        free(buffer);
        return NULL;
    }
    reader->buffer = buffer;
    reader->size = size;
    reader->fd = fd;
    memcpy(reader->path, path, path_bytes);
    return reader;
}

OpprofStatus SimLineReaderOpen(const char *path, SimLineReader **ret_reader, OpprofError **error)
{
    uint64_t size = 0;

    *ret_reader = NULL;
    /* Without O_NONBLOCK a named pipe would block for ever. */
    const int fd = OpprofLiveOpen(path, 0);
    if (fd < 0) {
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        return OpprofErrorSet(error, missing ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                              "Cannot open '%s': %m", path);
    }
    const OpprofStatus status = check_regular(path, fd, &size, error);
    if (status != OPPROF_OK) {
        close(fd);
        return status;
    }
    SimLineReader *reader = create_reader(path, fd, size);
    if (reader == NULL) {
        close(fd);
        return OpprofErrorNoMemory(error, "read '%s'", path);
    }
    (void) posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL); /* only advice */
    *ret_reader = reader;
    return OPPROF_OK;
}

static OpprofStatus report_failure(const SimLineReader *reader, OpprofError **error)
{
    const uint64_t at = reader->base + reader->end;

    if (reader->failed_errno == 0) {
        return OpprofErrorSet(error, OPPROF_E_IO,
                              "Cannot read '%s' at byte %" PRIu64
                              ": it shrank while it was read, from %" PRIu64 " bytes",
                              reader->path, at, reader->size);
    }
    errno = reader->failed_errno;
    return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s' at byte %" PRIu64 ": %m",
                          reader->path, at);
}

static void count_too_long(SimLineReader *reader, size_t start)
{
    if (reader->counts.too_long++ == 0) {
        reader->counts.first_too_long = reader->base + start;
    }
}

/* Moves the unfinished line to the front. One that is already too long is dropped instead. */
static void make_room(SimLineReader *reader)
{
    size_t kept = reader->end - reader->start;

    if (kept >= KEPT_BYTES && !reader->skipping) {
        count_too_long(reader, reader->start);
        reader->skipping = true;
    }
    if (reader->skipping) {
        reader->start = reader->end;
        kept = 0;
    }
    memmove(reader->buffer, reader->buffer + reader->start, kept);
    reader->base += reader->start;
    reader->start = 0;
    reader->scanned = kept;
    reader->end = kept;
}

/* Gets more bytes into the window, which holds no further newline. Rare, so kept out of the path of
 * each line. */
static __attribute__((noinline)) OpprofStatus slide(SimLineReader *reader, OpprofError **error)
{
    if (reader->failed) {
        return report_failure(reader, error);
    }
    const uint64_t left = reader->size - (reader->base + reader->end);
    if (left == 0) {
        return OPPROF_END;
    }
    make_room(reader);
    const size_t wanted = left < WINDOW_BYTES ? (size_t) left : WINDOW_BYTES;
    ssize_t got;
    do {
        got = pread(reader->fd, reader->buffer + reader->end, wanted,
                    (off_t) (reader->base + reader->end));
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        reader->failed = true;
        reader->failed_errno = got < 0 ? errno : 0;
        return report_failure(reader, error);
    }
    reader->is_special =
        reader->is_special || memchr(reader->buffer + reader->end, '\0', (size_t) got) != NULL;
    reader->end += (size_t) got;
    memset(reader->buffer + reader->end, 0, PAD_BYTES);
    reader->counts.bytes += (uint64_t) got;
    return OPPROF_OK;
}

/* Always inline: a call would give SimLineReaderNext a stack frame. */
static OPPROF_ALWAYS_INLINE void scan_block(SimLineReader *reader)
{
    const size_t left = reader->end - reader->scanned;

    reader->block = reader->scanned;
    reader->mask = newline_mask(reader->buffer + reader->block);
    if (left >= BLOCK_BYTES) {
        reader->scanned += BLOCK_BYTES;
        return;
    }
    reader->mask &= (UINT64_C(1) << left) - 1; /* after the end is nothing of the file */
    reader->scanned = reader->end;
}

/* Text after the last newline. */
static __attribute__((noinline)) OpprofStatus give_rest(SimLineReader *reader,
                                                        const char **ret_line, size_t *ret_length)
{
    const size_t start = reader->start;
    const size_t length = reader->end - start;

    reader->start = reader->end;
    if (length > 0 || reader->skipping) {
        reader->counts.ends_cut = true;
    }
    if (length == 0 || reader->skipping) {
        return OPPROF_END;
    }
    if (length > SIM_LINE_MOST) {
        count_too_long(reader, start);
        return OPPROF_END;
    }
    reader->line = reader->base + start;
    reader->is_special = true;
    reader->counts.lines++;
    *ret_line = reader->buffer + start;
    *ret_length = length;
    return OPPROF_OK;
}

/* Take the line that ends at the first newline of the mask; false: it is to be skipped. */
static inline bool take_line(SimLineReader *reader, const char **ret_line, size_t *ret_length)
{
    const size_t start = reader->start;
    const size_t newline = reader->block + (unsigned) __builtin_ctzll(reader->mask);
    size_t length = newline - start;

    length -= length > 0 && reader->buffer[newline - 1] == '\r';
    if (length > SIM_LINE_MOST || reader->skipping) {
        return false;
    }
    reader->mask &= reader->mask - 1;
    reader->start = newline + 1;
    reader->line = reader->base + start;
    reader->counts.lines++;
    *ret_line = reader->buffer + start;
    *ret_length = length;
    return true;
}

/* The first newline of the mask ends a line that is too long. */
static void skip_line(SimLineReader *reader)
{
    if (!reader->skipping) {
        count_too_long(reader, reader->start);
    }
    reader->skipping = false;
    reader->start = reader->block + (unsigned) __builtin_ctzll(reader->mask) + 1;
    reader->mask &= reader->mask - 1;
}

/* The next line, if it is not a whole one in the window. */
static __attribute__((noinline)) OpprofStatus
next_rare(SimLineReader *reader, const char **ret_line, size_t *ret_length, OpprofError **error)
{
    for (;;) {
        while (reader->mask == 0) {
            if (reader->scanned < reader->end) {
                scan_block(reader);
                continue;
            }
            const OpprofStatus status = slide(reader, error);
            if (status != OPPROF_OK) {
                return status == OPPROF_END ? give_rest(reader, ret_line, ret_length) : status;
            }
        }
        if (take_line(reader, ret_line, ret_length)) {
            return OPPROF_OK;
        }
        skip_line(reader);
    }
}

/* Ends in calls only, so that an ordinary line costs no stack frame. */
OpprofStatus SimLineReaderNext(SimLineReader *reader, const char **ret_line, size_t *ret_length,
                               OpprofError **error)
{
    while (reader->mask == 0 && reader->scanned < reader->end) {
        scan_block(reader);
    }
    return reader->mask != 0 && take_line(reader, ret_line, ret_length)
               ? OPPROF_OK
               : next_rare(reader, ret_line, ret_length, error);
}

bool SimLineReaderIsPlain(const SimLineReader *reader)
{
    return !reader->is_special;
}

uint64_t SimLineReaderOffset(const SimLineReader *reader)
{
    return reader->line;
}

uint64_t SimLineReaderSize(const SimLineReader *reader)
{
    return reader->size;
}

void SimLineReaderGetCounts(const SimLineReader *reader, SimLineReaderCounts *ret_counts)
{
    *ret_counts = reader->counts;
}

void SimLineReaderClose(SimLineReader *reader)
{
    if (reader != NULL) {
        close(reader->fd);
        free(reader->buffer);
        free(reader);
    }
}
