/* SPDX-License-Identifier: Apache-2.0 */
/* Log records as lines of dump files. Tested by tests/plugins/collect-sim/test_live_parts.c. */
#include "live_spool.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LINE (2 * OPPROF_LIVE_MOST_TEXT + 256)

/* ---- lines ---- */

typedef struct Line {
    char *text;
    size_t room;
    size_t used; /* above room: it did not fit */
} Line;

__attribute__((format(printf, 2, 3))) static void put(Line *line, const char *format, ...)
{
    va_list list;
    int length;

    if (line->used >= line->room) {
        return;
    }
    va_start(list, format);
    length = vsnprintf(line->text + line->used, line->room - line->used, format, list);
    va_end(list);
    line->used = length < 0 ? line->room : line->used + (size_t) length;
}

/* Text from outside: nothing that could end the line. */
static void put_text(Line *line, const char *text, size_t length)
{
    if (line->used >= line->room || length >= line->room - line->used) {
        line->used = line->room;
        return;
    }
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char) text[i];

        line->text[line->used++] = c < ' ' || c == 127 ? '?' : (char) c;
    }
}

static void put_instr(Line *line, const OpprofLiveRecord *record, const char *first,
                      const char *second)
{
    put(line, "[info] [%08" PRIu64 "] ", record->time);
    put_text(line, first, record->first_length);
    if (record->second_length > 0) {
        put(line, "  ");
        put_text(line, second, record->second_length);
    }
}

static void put_mte(Line *line, const OpprofLiveRecord *record, const char *first,
                    const char *second)
{
    put(line, "[info] %" PRIu64 ": ", record->time);
    put_text(line, first, record->first_length);
    put(line, " ");
    put_text(line, second, record->second_length);
    put(line, ", addr: 0x%" PRIx64 ", size: %" PRIu64 ", instr_id: %" PRIu64 ", req_id: %" PRIu32,
        record->address, record->size, record->id, record->request);
}

/* A miss in the form of the chip's file, whose fields stand in '<' and '>'. */
static void put_miss(Line *line, const char *form, const OpprofLiveRecord *record)
{
    const bool bracketed =
        form[0] == '['; /* then ticks have leading zeros, as in all logs of that form */
    unsigned digits = 0;

    put(line, "[info] ");
    while (*form != '\0') {
        const size_t plain = strcspn(form, "<");
        const size_t field = strcspn(form + plain, ">");

        put_text(line, form, plain);
        form += plain;
        if (*form == '\0') {
            break;
        }
        if (strncmp(form, "<tick>", field + 1) == 0) {
            put(line, bracketed ? "%08" PRIu64 : "%" PRIu64, record->time);
        } else if (strncmp(form, "<pc>", field + 1) == 0) {
            put(line, "0x%08" PRIx64, record->address);
        } else if (strncmp(form, "<hex8>", field + 1) == 0) {
            put(line, "%08" PRIX32, (uint32_t) record->size);
        } else if (strncmp(form, "<digits>", field + 1) == 0) {
            put(line, "%" PRIu32, digits++ == 0 ? record->request % 1000 : record->is_last);
        }
        form += field + (form[field] == '>');
    }
}

size_t LiveLine(const SimFacts *facts, const OpprofLiveRecord *record, const char *first,
                const char *second, char *text, size_t room)
{
    Line line = { .text = text, .room = room };

    switch (record->type) {
    case OPPROF_LIVE_POPPED:
    case OPPROF_LIVE_INSTR:
        put_instr(&line, record, first, second);
        break;
    case OPPROF_LIVE_MTE:
        put_mte(&line, record, first, second);
        break;
    case OPPROF_LIVE_MISS:
        put_miss(&line, facts->icache_miss, record);
        break;
    case OPPROF_LIVE_FETCH:
        put(&line, "[info] %" PRIu64 ": lookup_tag is fetch req addr:0x%08" PRIx64, record->time,
            record->address);
        break;
    default:
        put(&line, "[info] %" PRIu64 ": ccu do issue success.issue isa pc :0x%08" PRIx64,
            record->time, record->address);
        break;
    }
    put(&line, "\n");
    return line.used < room ? line.used : 0;
}

/* ---- files ---- */

static void fail(LiveSpool *spool, const char *path, int number)
{
    if (!spool->failed) {
        spool->failed = true;
        snprintf(spool->reason, sizeof spool->reason, "Cannot write '%.160s': %s", path,
                 strerror(number));
    }
}

static FILE *create(LiveSpool *spool, const char *name)
{
    char *path = NULL;
    FILE *file = NULL;
    int fd;

    if (asprintf(&path, "%s/%s", spool->directory, name) < 0) {
        fail(spool, name, ENOMEM);
        return NULL;
    }
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
    if (fd >= 0) {
        file = fdopen(fd, "w");
    }
    if (file == NULL) {
        fail(spool, path, errno);
        if (fd >= 0) {
            close(fd);
        }
    }
    free(path);
    return file;
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

static FILE *open_log(LiveSpool *spool, const OpprofLiveRecord *record)
{
    static const char *const subs[] = { "cubecore0", "veccore0", "veccore1" };
    const char *const files[SPOOL_KINDS] = { "instr_popped_log.dump", "instr_log.dump", NULL,
                                             spool->facts->icache_file, "ccu_log.dump" };
    const unsigned kind = kind_of(record);
    char name[160];

    if (record->type == OPPROF_LIVE_MTE) {
        snprintf(name, sizeof name, "core%u.mte_log.dump", (unsigned) record->core);
    } else {
        snprintf(name, sizeof name, "core%u.%s.%s", (unsigned) record->core, subs[record->sub_core],
                 files[kind]);
    }
    return create(spool, name);
}

void LiveSpoolRecord(LiveSpool *spool, const OpprofLiveRecord *record, const char *first,
                     const char *second)
{
    char line[MOST_LINE];
    FILE **file;
    size_t length;

    if (record->core >= SPOOL_CORES) {
        spool->left_out++;
        return;
    }
    file = &spool->files[record->core][record->type == OPPROF_LIVE_MTE ? 0 : record->sub_core]
                        [kind_of(record)];
    if (*file == NULL) {
        *file = spool->failed ? NULL : open_log(spool, record);
    }
    length = LiveLine(spool->facts, record, first, second, line, sizeof line);
    if (length == 0 || *file == NULL) {
        spool->left_out++;
        return;
    }
    if (fwrite(line, 1, length, *file) != length) {
        fail(spool, spool->directory, errno);
    }
    spool->records++;
}

static void write_start(LiveSpool *spool, uint64_t start_pc)
{
    FILE *file = create(spool, "pc_start_addr.txt");

    if (file != NULL && (fprintf(file, "0x%" PRIx64 "\n", start_pc) < 0 || fclose(file) != 0)) {
        fail(spool, "pc_start_addr.txt", errno);
    }
}

void LiveSpoolKernel(LiveSpool *spool, uint64_t start_pc, const void *data, size_t size)
{
    if (spool->kernel == NULL && !spool->failed) {
        spool->kernel = create(spool, "aicore_binary.o");
        if (start_pc != 0) {
            write_start(spool, start_pc);
        }
    }
    if (spool->kernel != NULL && fwrite(data, 1, size, spool->kernel) != size) {
        fail(spool, "aicore_binary.o", errno);
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
    return asprintf(&spool->directory, "%s/%s", results, relative) < 0
               ? OpprofErrorNoMemory(error, "record an operator")
               : OPPROF_OK;
}

static void close_file(LiveSpool *spool, FILE **file)
{
    if (*file != NULL && fclose(*file) != 0) {
        fail(spool, spool->directory, errno);
    }
    *file = NULL;
}

bool LiveSpoolClose(LiveSpool *spool)
{
    for (unsigned core = 0; core < SPOOL_CORES; core++) {
        for (unsigned sub = 0; sub < 3; sub++) {
            for (unsigned kind = 0; kind < SPOOL_KINDS; kind++) {
                close_file(spool, &spool->files[core][sub][kind]);
            }
        }
    }
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
    free(spool->directory);
    spool->directory = NULL;
}
