/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the records of a running simulator as lines. Tested by
 * tests/plugins/collect-sim/test_records.c. */
#include "records.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <opprof/kit/live_host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW_BYTES ((size_t) 256 << 10) /* read at once */
#define MOST_RECORD                                                                                \
    (sizeof(OpprofLiveRecord) + sizeof(OpprofLiveAccess) + OPPROF_LIVE_MOST_TEXT +                 \
     OPPROF_LIVE_PIECE)
#define MAGIC "OPRECLOG"
#define VERSION 1u
#define FORMS 3u
#define SUB_CORES 3u

/* The head of a file. The forms follow, each with a NUL, and zeros up to a multiple of 8 bytes. */
typedef struct Head {
    char magic[8];
    uint32_t version;
    uint16_t lengths[FORMS]; /* of the forms, with the NUL */
    uint16_t zero;
} Head;

struct SimRecords {
    int fd;
    SimRecordForms forms; /* in `head` */
    OpprofLiveLogs batch; /* current one; count: its remaining records */
    uint64_t base;        /* offset in the file of window[0] */
    uint64_t offset;      /* of the last record returned */
    uint64_t size;        /* of the file when it was opened */
    size_t start;         /* of the next record in the window */
    size_t end;           /* of the bytes in the window */
    char head[SIM_RECORDS_HEAD];
    char line[SIM_RECORD_LINE];
    uint8_t window[MOST_RECORD + WINDOW_BYTES + OPPROF_LIVE_AFTER];
    OpprofLiveMemory memories[SUB_CORES]; /* one file may contain several sub-cores' records */
    char path[];
};

/* ---- heads ---- */

static size_t padded(size_t bytes)
{
    return (bytes + 7) & ~(size_t) 7;
}

size_t SimRecordsHead(const SimRecordForms *forms, char *bytes)
{
    const char *const texts[FORMS] = { forms->miss, forms->fetch, forms->issue };
    Head head = { .magic = MAGIC, .version = VERSION };
    size_t used = sizeof head;

    memset(bytes, 0, SIM_RECORDS_HEAD);
    for (unsigned i = 0; i < FORMS; i++) {
        const size_t length = strlen(texts[i]) + 1;

        if (length > SIM_RECORDS_HEAD - used) {
            return 0;
        }
        memcpy(bytes + used, texts[i], length);
        head.lengths[i] = (uint16_t) length;
        used += length;
    }
    memcpy(bytes, &head, sizeof head);
    return padded(used);
}

/* Bytes of the head of a file; 0: it is not one. */
static size_t read_head(SimRecords *records, size_t there)
{
    const char **const forms[FORMS] = { &records->forms.miss, &records->forms.fetch,
                                        &records->forms.issue };
    size_t used = sizeof(Head);
    Head head;

    if (there < sizeof head) {
        return 0;
    }
    memcpy(&head, records->head, sizeof head);
    if (memcmp(head.magic, MAGIC, sizeof head.magic) != 0 || head.version != VERSION) {
        return 0;
    }
    for (unsigned i = 0; i < FORMS; i++) {
        *forms[i] = records->head + used;
        used += head.lengths[i];
        if (used > there || head.lengths[i] == 0 || records->head[used - 1] != '\0') {
            return 0;
        }
    }
    return padded(used);
}

/* ---- opening ---- */

static ssize_t read_at(const SimRecords *records, void *data, size_t size, uint64_t offset)
{
    ssize_t got;

    do {
        got = pread(records->fd, data, size, (off_t) offset);
    } while (got < 0 && errno == EINTR);
    return got;
}

static OpprofStatus fail(const SimRecords *records, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read records of '%s': %s", records->path,
                          strerror(errno));
}

static int open_file(const char *path)
{
    char *name = NULL;
    int fd;

    if (asprintf(&name, "%s" SIM_RECORDS_SUFFIX, path) < 0) {
        errno = ENOMEM;
        return -1;
    }
    fd = OpprofLiveOpen(name, O_NOFOLLOW);
    free(name);
    return fd;
}

static OpprofStatus open_records(SimRecords *records, OpprofError **error)
{
    struct stat about;
    ssize_t got;
    size_t head;

    records->fd = open_file(records->path);
    if (records->fd < 0 || fstat(records->fd, &about) != 0) {
        return fail(records, error);
    }
    records->size = (uint64_t) about.st_size;
    got = read_at(records, records->head, sizeof records->head, 0);
    if (got < 0) {
        return fail(records, error);
    }
    head = read_head(records, (size_t) got);
    records->base = head;
    return head > 0 ? OPPROF_OK
                    : OpprofErrorSet(error, OPPROF_E_DATA,
                                     "Records of '%s' were not written by this version of opprof",
                                     records->path);
}

OpprofStatus SimRecordsOpen(const char *path, SimRecords **ret_records, OpprofError **error)
{
    const size_t path_bytes = strlen(path) + 1;
    SimRecords *records = calloc(1, sizeof *records + path_bytes);
    OpprofStatus status;

    *ret_records = NULL;
    if (records == NULL) {
        return OpprofErrorNoMemory(error, "read '%s'", path);
    }
    memcpy(records->path, path, path_bytes);
    status = open_records(records, error);
    if (status == OPPROF_OK) {
        *ret_records = records;
    } else {
        SimRecordsClose(records);
    }
    return status;
}

/* ---- records ---- */

/* Reads more bytes into the window. OPPROF_END at the end of the file. */
static OpprofStatus slide(SimRecords *records, OpprofError **error)
{
    const size_t kept = records->end - records->start;
    const uint64_t from = records->base + records->end;
    const uint64_t left = records->size > from ? records->size - from : 0;
    ssize_t got;

    if (left == 0 || kept >= MOST_RECORD) {
        return OPPROF_END;
    }
    memmove(records->window, records->window + records->start, kept);
    records->base += records->start;
    records->start = 0;
    records->end = kept;
    got = read_at(records, records->window + kept, left < WINDOW_BYTES ? left : WINDOW_BYTES, from);
    if (got < 0) {
        return OpprofErrorSet(error, OPPROF_E_IO,
                              "Cannot read records of '%s' at byte %" PRIu64 ": %s", records->path,
                              from, strerror(errno));
    }
    records->end += (size_t) got;
    return got == 0 ? OPPROF_END : OPPROF_OK;
}

/* The rest is not a record. */
static OpprofStatus end(const SimRecords *records, OpprofError **error)
{
    const uint64_t at = records->base + records->start;

    return records->batch.count == 0 && records->start == records->end && at >= records->size
               ? OPPROF_END
               : OpprofErrorSet(error, OPPROF_E_DATA,
                                "Records of '%s' are cut or damaged at byte %" PRIu64
                                ": the lines from there on are missing",
                                records->path, at);
}

/* The head of a batch; 0 without a whole one. */
static size_t read_batch(SimRecords *records)
{
    OpprofLiveLogs batch;

    if (records->end - records->start < sizeof batch) {
        return 0;
    }
    memcpy(&batch, records->window + records->start, sizeof batch);
    if (batch.sub_core >= SUB_CORES) {
        return 0;
    }
    records->batch = batch;
    return sizeof batch;
}

/* A record and the length of its line, which may be 0. Returns its bytes; 0 without a whole one. */
static size_t read_record(SimRecords *records, size_t *ret_length)
{
    OpprofLiveLogs *batch = &records->batch;
    SimEntry entry;
    const size_t size =
        SimEntryRead(&records->memories[batch->sub_core], batch->log,
                     records->window + records->start, records->end - records->start, &entry);

    if (size > 0) {
        batch->count--;
        records->offset = records->base + records->start;
        *ret_length = SimRecordLine(&records->forms, &entry, records->line,
                                    sizeof records->line - OPPROF_LIVE_AFTER);
    }
    return size;
}

OpprofStatus SimRecordsNext(SimRecords *records, const char **ret_line, size_t *ret_length,
                            OpprofError **error)
{
    size_t length = 0;

    while (length == 0) {
        const size_t size =
            records->batch.count == 0 ? read_batch(records) : read_record(records, &length);
        const OpprofStatus status = size > 0 ? OPPROF_OK : slide(records, error);

        records->start += size;
        if (status != OPPROF_OK) {
            return status == OPPROF_END ? end(records, error) : status;
        }
    }
    *ret_line = records->line;
    *ret_length = length - 1;
    return OPPROF_OK;
}

uint64_t SimRecordsOffset(const SimRecords *records)
{
    return records->offset;
}

uint64_t SimRecordsSize(const SimRecords *records)
{
    return records->size;
}

void SimRecordsClose(SimRecords *records)
{
    if (records != NULL) {
        if (records->fd >= 0) {
            close(records->fd);
        }
        free(records);
    }
}
