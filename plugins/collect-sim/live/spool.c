/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the lines of log records to dump files. Tested by tests/refchip/test_live.sh. */
#include "spool.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Few large writes: page by page, they would take longer than all the rest. */
#define BUFFER_BYTES (64u << 10)
#define LINE_ROOM (LIVE_MOST_LINE + 64u) /* after a line something may be read */

/* ---- files ---- */

static void fail(LiveSpool *spool, const char *path, int number)
{
    if (!spool->failed) {
        spool->failed = true;
        snprintf(spool->reason, sizeof spool->reason, "Cannot write '%.160s': %s", path,
                 strerror(number));
    }
}

static SpoolFile create(LiveSpool *spool, const char *name)
{
    char *path = NULL;
    SpoolFile file = { .fd = -1 };

    if (asprintf(&path, "%s/%s", spool->directory, name) < 0) {
        fail(spool, name, ENOMEM);
        return file;
    }
    file.buffer = calloc(1, BUFFER_BYTES + LINE_ROOM);
    if (file.buffer == NULL) {
        fail(spool, path, ENOMEM);
    } else {
        file.fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
    }
    if (file.buffer != NULL && file.fd < 0) {
        fail(spool, path, errno);
        free(file.buffer);
        file.buffer = NULL;
    }
    free(path);
    return file;
}

static void write_all(LiveSpool *spool, const SpoolFile *file, const char *data, size_t size)
{
    while (size > 0 && !spool->failed) {
        const ssize_t written = write(file->fd, data, size);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            fail(spool, spool->directory, written < 0 ? errno : ENOSPC);
            return;
        }
        data += written;
        size -= (size_t) written;
    }
}

static void write_buffer(LiveSpool *spool, SpoolFile *file)
{
    write_all(spool, file, file->buffer, file->used);
    file->used = 0;
}

/* Which file of a core a record goes to. */
static unsigned kind_of(const OpprofLiveRecord *record)
{
    static const unsigned kinds[] = {
        [OPPROF_LIVE_POPPED] = 0, [OPPROF_LIVE_INSTR] = 1, [OPPROF_LIVE_MTE] = 2,
        [OPPROF_LIVE_MISS] = 3,   [OPPROF_LIVE_FETCH] = 3, [OPPROF_LIVE_ISSUE] = 4
    };

    return kinds[record->type];
}

static SpoolFile open_log(LiveSpool *spool, const OpprofLiveRecord *record)
{
    const char *const files[SPOOL_KINDS] = { "instr_popped_log.dump", "instr_log.dump", NULL,
                                             spool->facts->icache_file, spool->facts->ccu_file };
    const unsigned kind = kind_of(record);
    char prefix[64], name[160];

    if (record->type == OPPROF_LIVE_MTE) {
        snprintf(name, sizeof name, "core%u.%s", (unsigned) record->core, spool->facts->mte_file);
    } else {
        LiveCorePrefix(spool->facts, record, prefix, sizeof prefix);
        snprintf(name, sizeof name, "%s%s", prefix, files[kind]);
    }
    return create(spool, name);
}

/* Whether the chip has such logs. */
static bool has_file(const LiveSpool *spool, const OpprofLiveRecord *record)
{
    const unsigned kind = kind_of(record);
    const SimFacts *facts = spool->facts;

    return record->type == OPPROF_LIVE_MTE ? facts->mte_file != NULL
           : kind == 3                     ? facts->icache_file != NULL
                                           : kind < 3 || facts->ccu_file != NULL;
}

/* NULL: it has none. */
static SpoolFile *file_of(LiveSpool *spool, const OpprofLiveRecord *record)
{
    SpoolFile *file;

    if (record->core >= LIVE_CORES || spool->files == NULL || !has_file(spool, record)) {
        return NULL;
    }
    file = &spool->files[record->core]
                        [record->type == OPPROF_LIVE_MTE ? 0 : LiveSubCore(spool->facts, record)]
                        [kind_of(record)];
    if (file->buffer == NULL && !spool->failed) {
        *file = open_log(spool, record);
    }
    return file->buffer == NULL ? NULL : file;
}

/* Where the next line goes. NULL: without memory. */
static char *place_of(LiveSpool *spool, SpoolFile *file)
{
    if (file == NULL) {
        if (spool->line == NULL) {
            spool->line = calloc(1, LINE_ROOM);
        }
        return spool->line;
    }
    if (file->used > BUFFER_BYTES) {
        write_buffer(spool, file);
    }
    return file->buffer + file->used;
}

const char *LiveSpoolLine(LiveSpool *spool, const OpprofLiveRecord *record, const char *first,
                          const char *second, size_t *ret_length)
{
    SpoolFile *file = file_of(spool, record);
    char *line = place_of(spool, file);

    *ret_length =
        line == NULL ? 0 : LiveLine(spool->facts, record, first, second, line, LIVE_MOST_LINE);
    if (file == NULL || *ret_length == 0) {
        spool->left_out++;
    } else {
        file->used += *ret_length;
        spool->records++;
    }
    return line;
}

static void close_file(LiveSpool *spool, SpoolFile *file)
{
    if (file->buffer != NULL) {
        write_buffer(spool, file);
        if (close(file->fd) != 0) {
            fail(spool, spool->directory, errno);
        }
    }
    free(file->buffer);
    *file = (SpoolFile){ .fd = -1 };
}

static void write_start(LiveSpool *spool, uint64_t start_pc)
{
    SpoolFile file = create(spool, "pc_start_addr.txt");

    if (file.buffer != NULL) {
        file.used = (size_t) snprintf(file.buffer, BUFFER_BYTES, "0x%" PRIx64 "\n", start_pc);
    }
    close_file(spool, &file);
}

void LiveSpoolKernel(LiveSpool *spool, uint64_t start_pc, const void *data, size_t size)
{
    if (spool->kernel.buffer == NULL && !spool->failed) {
        spool->kernel = create(spool, "aicore_binary.o");
        if (start_pc != 0) {
            write_start(spool, start_pc);
        }
    }
    if (spool->kernel.buffer != NULL) {
        write_all(spool, &spool->kernel, data, size);
    }
}

/* ---- the directory ---- */

/* Make all folders of a relative path; the last one must be new. */
static int make_folders(const char *results, const char *relative)
{
    int at = open(results, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failure = at < 0 ? errno : 0;

    while (failure == 0 && *relative != '\0') {
        const size_t length = strcspn(relative, "/");
        const bool is_last = relative[length] == '\0';
        char name[256];
        int next;

        if (length >= sizeof name) {
            failure = ENAMETOOLONG;
            break;
        }
        memcpy(name, relative, length);
        name[length] = '\0';
        if (mkdirat(at, name, 0750) != 0 && (errno != EEXIST || is_last)) {
            failure = errno;
            break;
        }
        next = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        failure = next < 0 ? errno : 0;
        close(at);
        at = next;
        relative += length + !is_last;
    }
    if (at >= 0) {
        close(at);
    }
    return failure;
}

OpprofStatus LiveSpoolOpen(LiveSpool *spool, const char *results, const char *relative,
                           const SimFacts *facts, OpprofError **error)
{
    const int failure = make_folders(results, relative);

    memset(spool, 0, sizeof *spool);
    spool->facts = facts;
    if (failure != 0) {
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot make the directory '%s/%s': %s", results,
                       relative, strerror(failure));
        return OPPROF_E_IO;
    }
    spool->files = calloc(LIVE_CORES, sizeof *spool->files);
    if (spool->files == NULL) {
        return OpprofErrorNoMemory(error, "record an operator");
    }
    return asprintf(&spool->directory, "%s/%s", results, relative) < 0
               ? OpprofErrorNoMemory(error, "record an operator")
               : OPPROF_OK;
}

bool LiveSpoolClose(LiveSpool *spool)
{
    for (unsigned core = 0; spool->files != NULL && core < LIVE_CORES; core++) {
        for (unsigned sub = 0; sub < LIVE_SUB_CORES; sub++) {
            for (unsigned kind = 0; kind < SPOOL_KINDS; kind++) {
                close_file(spool, &spool->files[core][sub][kind]);
            }
        }
    }
    free(spool->files);
    spool->files = NULL;
    close_file(spool, &spool->kernel);
    return !spool->failed;
}

void LiveSpoolRemoveLogs(const LiveSpool *spool)
{
    DIR *directory = opendir(spool->directory);
    const struct dirent *entry;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const size_t length = strlen(entry->d_name);

        if (length > 5 && strncmp(entry->d_name, "core", 4) == 0 &&
            (strcmp(entry->d_name + length - 5, ".dump") == 0 ||
             strcmp(entry->d_name + length - 4, ".log") == 0)) {
            unlinkat(dirfd(directory), entry->d_name, 0);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
}

void LiveSpoolFinish(LiveSpool *spool)
{
    LiveSpoolClose(spool);
    free(spool->line);
    spool->line = NULL;
    free(spool->directory);
    spool->directory = NULL;
}
