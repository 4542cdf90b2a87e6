/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the tool that instruments a kernel, in a folder of its own. It may take a minute.
 * Tested by tests/refchip/test_instrument.sh.
 */
#include "instrumenter.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <opprof/kit/tool.h>
#include <opprof/output.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_WORDS 24u
#define MOST_FILE_BYTES (INT64_C(1) << 30)

/* The folder of one order, and the arguments of the tool. */
typedef struct Call {
    OpprofScratch *folder;
    char kernel[PATH_MAX];
    char output[PATH_MAX];
    char map[PATH_MAX];
    char log[PATH_MAX];
    char *words[MOST_WORDS + 1];
    uint32_t count;
} Call;

const char *InstrumentKindName(uint32_t kind)
{
    static const char *const names[OPPROF_LIVE_INSTRUMENTS] = { "blocks", "memory", "operands",
                                                                "warps",  "start",  "regions" };

    return kind < OPPROF_LIVE_INSTRUMENTS ? names[kind] : "?";
}

/* ---- the call ---- */

__attribute__((format(printf, 2, 3))) static bool add_word(Call *call, const char *format, ...)
{
    va_list list;
    bool is_good = call->count < MOST_WORDS;

    if (is_good) {
        va_start(list, format);
        is_good = vasprintf(&call->words[call->count], format, list) >= 0;
        va_end(list);
        if (!is_good) {
            call->words[call->count] = NULL;
        }
    }
    call->count += is_good;
    return is_good;
}

/* A tool set by name takes the arguments of refchip-as. */
static bool add_usual_words(Call *call, const InstrumentOrder *order)
{
    return add_word(call, "%s", order->tool) &&
           add_word(call, "--instrument=%s", InstrumentKindName(order->area->kind)) &&
           add_word(call, "--argument=%" PRIu32, order->argument) &&
           add_word(call, "--slot=%" PRIu64, order->area->slot_bytes) &&
           add_word(call, "--gap=%" PRIu32, order->area->gap) &&
           add_word(call, "--map=%s", call->map) &&
           (order->area->kind != OPPROF_LIVE_INSTRUMENT_REGIONS ||
            (add_word(call, "--log=%s", call->log) &&
             add_word(call, "--pipes=%s", order->pipes))) &&
           add_word(call, "%s", call->kernel) && add_word(call, "%s", call->output);
}

/* A word of the chip file, with names in braces replaced. */
static bool add_fact_word(Call *call, const char *word, uint32_t argument)
{
    char number[16];
    const struct {
        const char *name;
        const char *value;
    } values[] = { { "{argument}", number },
                   { "{kernel}", call->kernel },
                   { "{output}", call->output },
                   { "{map}", call->map } };

    snprintf(number, sizeof number, "%" PRIu32, argument);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        const char *at = strstr(word, values[i].name);

        if (at != NULL) {
            return add_word(call, "%.*s%s%s", (int) (at - word), word, values[i].value,
                            at + strlen(values[i].name));
        }
    }
    return add_word(call, "%s", word);
}

/* The chip file's words. False: it has none for this kind, or no memory. */
static bool add_fact_words(Call *call, const InstrumentOrder *order)
{
    char path[64];
    const OpprofFact *tool, *words;
    const char *map;
    bool is_good;

    snprintf(path, sizeof path, "dbi.live.tools.%s", InstrumentKindName(order->area->kind));
    tool = OpprofChipFact(order->chip, path);
    words = OpprofFactMember(tool, "words");
    map = OpprofFactText(OpprofFactMember(tool, "map"));
    is_good = OpprofFactCount(words) > 0;
    for (size_t i = 0; i < OpprofFactCount(words) && is_good; i++) {
        const char *word = OpprofFactText(OpprofFactAt(words, i));

        is_good = word != NULL && add_fact_word(call, word, order->argument);
    }
    if (is_good && map != NULL && strncmp(map, "{output}", 8) == 0) {
        const int length = snprintf(call->map, sizeof call->map, "%s%s", call->output, map + 8);

        is_good = length > 0 && (size_t) length < sizeof call->map;
    }
    return is_good;
}

static bool put_path(const Call *call, char *path, const char *name)
{
    const int length = snprintf(path, PATH_MAX, "%s/%s", OpprofScratchPath(call->folder), name);

    return length > 0 && length < PATH_MAX;
}

static OpprofStatus make_folder(Call *call, OpprofError **error)
{
    const OpprofStatus status = OpprofScratchMake(NULL, &call->folder, error);

    if (status == OPPROF_OK && !(put_path(call, call->kernel, "kernel0.o") &&
                                 put_path(call, call->output, "kernel0Stub.o") &&
                                 put_path(call, call->map, "kernel0Stub.o.bbbmap") &&
                                 put_path(call, call->log, "tune.log"))) {
        OpprofErrorSet(error, OPPROF_E_LIMIT,
                       "The path of the temporary directory '%s' is too long",
                       OpprofScratchPath(call->folder));
        OpprofScratchRemove(call->folder);
        return OPPROF_E_LIMIT;
    }
    return status;
}

static void finish_call(Call *call)
{
    for (uint32_t i = 0; i < call->count; i++) {
        free(call->words[i]);
    }
    OpprofScratchRemove(call->folder);
}

/* ---- files ---- */

static bool write_all(const char *path, const uint8_t *data, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    size_t done = 0;

    while (fd >= 0 && done < size) {
        const ssize_t got = write(fd, data + done, size - done);

        if (got < 0 && errno != EINTR) {
            break;
        }
        done += got > 0 ? (size_t) got : 0;
    }
    return fd >= 0 && close(fd) == 0 && done == size;
}

/* NULL: empty, or errno says why it cannot be read. */
static void *read_all(const char *path, size_t *ret_size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat about;
    uint8_t *data = NULL;
    size_t done = 0;

    errno = fd < 0 ? errno : 0;
    if (fd >= 0 && fstat(fd, &about) == 0 && about.st_size > MOST_FILE_BYTES) {
        errno = EFBIG;
    } else if (fd >= 0 && fstat(fd, &about) == 0 && about.st_size > 0 &&
               (data = malloc((size_t) about.st_size)) != NULL) {
        ssize_t got;

        while (done < (size_t) about.st_size &&
               ((got = read(fd, data + done, (size_t) about.st_size - done)) > 0 ||
                (got < 0 && errno == EINTR))) {
            done += got > 0 ? (size_t) got : 0;
        }
        if (done < (size_t) about.st_size) {
            free(data);
            data = NULL;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    *ret_size = done;
    return data;
}

static OpprofStatus left_no(const char *what, const Call *call, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' left no %s: %s", call->words[0], what,
                          errno == 0 ? "the file is empty" : strerror(errno));
}

static OpprofStatus make(const Call *call, const InstrumentOrder *order, Instrumented *made,
                         OpprofError **error)
{
    OpprofStatus status;

    if (!write_all(call->kernel, order->kernel, order->kernel_size)) {
        return OpprofErrorSet(error, OPPROF_E_IO, "'%s' cannot be written: %s", call->kernel,
                              strerror(errno));
    }
    OpprofToolCall tool = { .words = (const char *const *) call->words,
                            .file = -1,
                            .seconds = order->seconds };
    status = OpprofToolRun(order->stage, &tool, error);
    if (status != OPPROF_OK) {
        return status;
    }
    made->data = read_all(call->output, &made->size);
    if (made->data == NULL) {
        return left_no("kernel", call, error);
    }
    made->log = read_all(call->log, &made->log_size);
    made->map = read_all(call->map, &made->map_size);
    if (made->map == NULL && order->area->kind == OPPROF_LIVE_INSTRUMENT_BLOCKS) {
        status = left_no("map of basic blocks", call, error);
        InstrumentedFinish(made);
    }
    return status;
}

OpprofStatus InstrumentKernel(const InstrumentOrder *order, Instrumented *ret_made,
                              OpprofError **error)
{
    Call call = { .count = 0 };
    OpprofStatus status;

    *ret_made = (Instrumented){ .data = NULL };
    status = make_folder(&call, error);
    if (status != OPPROF_OK) {
        return status;
    }
    if (order->tool != NULL ? !add_usual_words(&call, order) : !add_fact_words(&call, order)) {
        status = OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                                "No known tool instruments kernels of %s for this",
                                OpprofChipSoc(order->chip));
    } else {
        status = make(&call, order, ret_made, error);
    }
    finish_call(&call);
    return status;
}

void InstrumentedFinish(Instrumented *made)
{
    free(made->data);
    free(made->map);
    free(made->log);
    *made = (Instrumented){ .data = NULL };
}
