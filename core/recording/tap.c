/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the records of a port to a file while they pass. Tested by
 * tests/e2e/pipeline_errors.sh.
 */
#include "output/output.h"
#include "recording/tap.h"

#include "base/write_file.h"
#include "recording/hex_view.h"
#include "run/pipeline.h"

#include <errno.h>
#include <opprof/print.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAP_BUFFER (64u << 10)

/* One line per record, fields separated by tabs, in the order of the field table. */
typedef struct Tap {
    OpprofStage *stage;
    const char *path; /* NULL: standard output */
    int fd;
    bool is_hex;                  /* byte by byte instead */
    const OpprofRecordType *type; /* whose heading was printed */
    size_t used;
    char buffer[TAP_BUFFER];
} Tap;

static OpprofStatus tap_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Tap *tap = calloc(1, sizeof *tap);

    if (tap == NULL) {
        return OpprofErrorNoMemory(error, "set up the tap");
    }
    tap->stage = stage;
    tap->fd = -1;
    *ret_self = tap;
    return OPPROF_OK;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);

    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static OpprofStatus tap_configure(void *self, const OpprofParams *params, OpprofError **error)
{
    Tap *tap = self;
    const char *file = OpprofParamsString(params, "file");

    (void) error;
    tap->path = file != NULL && strcmp(file, "-") != 0 ? file : NULL;
    tap->is_hex = tap->path != NULL && ends_with(tap->path, ".hex");
    return OPPROF_OK;
}

static OpprofStatus tap_start(void *self, OpprofError **error)
{
    Tap *tap = self;

    if (tap->path != NULL) {
        const OpprofStatus status =
            OutputDirectoryCheckOther(OpprofStageOutput(tap->stage), tap->path, error);

        return status == OPPROF_OK ? WriteFileOpen(tap->path, &tap->fd, error) : status;
    }
    tap->fd = STDOUT_FILENO;
    return OPPROF_OK;
}

static OpprofStatus tap_drain(Tap *tap, OpprofError **error)
{
    size_t done = 0;

    while (done < tap->used) {
        ssize_t written = write(tap->fd, tap->buffer + done, tap->used - done);
        if (written < 0 && errno != EINTR) {
            tap->used = 0;
            return OpprofErrorSet(error, OPPROF_E_IO, "Cannot write '%s': %s",
                                  tap->path != NULL ? tap->path : "standard output",
                                  strerror(errno));
        }
        done += written > 0 ? (size_t) written : 0;
    }
    tap->used = 0;
    return OPPROF_OK;
}

/* A byte as \t, \n, \\ or \xNN; there is room. */
static void put_escaped(Tap *tap, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";

    tap->buffer[tap->used++] = '\\';
    if (byte == '\t' || byte == '\n' || byte == '\\') {
        tap->buffer[tap->used++] = byte == '\t' ? 't' : byte == '\n' ? 'n' : '\\';
    } else {
        tap->buffer[tap->used++] = 'x';
        tap->buffer[tap->used++] = digits[byte >> 4];
        tap->buffer[tap->used++] = digits[byte & 15];
    }
}

/* What would break the line or the columns, or drive a terminal, is shown as escapes. */
static OpprofStatus tap_text(Tap *tap, const char *text, size_t length, OpprofError **error)
{
    while (length > 0) {
        bool plain;
        const size_t taken = OpprofTextNext(text, length, &plain);
        OpprofStatus status = OPPROF_OK;

        if (tap->used + 4 * taken > TAP_BUFFER) {
            status = tap_drain(tap, error);
        }
        if (status != OPPROF_OK) {
            return status;
        }
        for (size_t i = 0; i < taken; i++) {
            if (plain && text[i] != '\\') {
                tap->buffer[tap->used++] = text[i];
            } else {
                put_escaped(tap, (unsigned char) text[i]);
            }
        }
        text += taken;
        length -= taken;
    }
    return OPPROF_OK;
}

static OpprofStatus tap_byte(Tap *tap, char byte, OpprofError **error)
{
    OpprofStatus status = tap->used == TAP_BUFFER ? tap_drain(tap, error) : OPPROF_OK;

    if (status == OPPROF_OK) {
        tap->buffer[tap->used++] = byte;
    }
    return status;
}

static OpprofStatus put_field(Tap *tap, const OpprofBatch *batch, const OpprofField *field,
                              const char *record, OpprofError **error)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t length;
    const char *text = OpprofFieldPrint(tap->stage, batch, field, record, number, &length);

    return text == NULL ? tap_text(tap, "NA", 2, error) : tap_text(tap, text, length, error);
}

static OpprofStatus put_heading(Tap *tap, const OpprofRecordType *type, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    tap->type = type;
    for (uint32_t f = 0; f < type->field_count && status == OPPROF_OK; f++) {
        const char *name = type->fields[f].name;

        status = f > 0 ? tap_byte(tap, '\t', error) : OPPROF_OK;
        status = status == OPPROF_OK ? tap_text(tap, name, strlen(name), error) : status;
    }
    return status == OPPROF_OK ? tap_byte(tap, '\n', error) : status;
}

static OpprofStatus put_hex(Tap *tap, const OpprofBatch *batch, uint32_t index, OpprofError **error)
{
    char *view = NULL;
    size_t size = 0, done = 0;
    FILE *out = open_memstream(&view, &size);
    OpprofStatus status = OPPROF_OK;

    if (out != NULL) {
        HexViewPrint(out, tap->stage, batch, index);
    }
    if (out == NULL || fclose(out) != 0) {
        free(view);
        return OpprofErrorNoMemory(error, "print a record");
    }
    while (done < size && status == OPPROF_OK) {
        const size_t room = TAP_BUFFER - tap->used;
        const size_t part = size - done < room ? size - done : room;

        memcpy(tap->buffer + tap->used, view + done, part);
        tap->used += part;
        done += part;
        status = tap->used == TAP_BUFFER ? tap_drain(tap, error) : OPPROF_OK;
    }
    free(view);
    return status;
}

static OpprofStatus tap_process(void *self, uint32_t port, const OpprofBatch *batch,
                                OpprofError **error)
{
    Tap *tap = self;
    const OpprofRecordType *type = batch->type;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    for (uint32_t i = 0; tap->is_hex && i < batch->count && status == OPPROF_OK; i++) {
        status = put_hex(tap, batch, i, error);
    }
    if (tap->is_hex) {
        return status;
    }
    if (tap->type != type) {
        status = put_heading(tap, type, error);
    }
    for (uint32_t i = 0; i < batch->count && status == OPPROF_OK; i++) {
        for (uint32_t f = 0; f < type->field_count && status == OPPROF_OK; f++) {
            status = f > 0 ? tap_byte(tap, '\t', error) : OPPROF_OK;
            if (status == OPPROF_OK) {
                status =
                    put_field(tap, batch, &type->fields[f], OpprofBatchRecord(batch, i), error);
            }
        }
        status = status == OPPROF_OK ? tap_byte(tap, '\n', error) : status;
    }
    return status;
}

static OpprofStatus tap_flush(void *self, OpprofError **error)
{
    return tap_drain(self, error);
}

static OpprofStatus tap_stop(void *self, OpprofError **error)
{
    Tap *tap = self;

    if (tap->path != NULL && tap->fd >= 0 && close(tap->fd) != 0) {
        tap->fd = -1;
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot write '%s': %s", tap->path,
                              strerror(errno));
    }
    tap->fd = -1;
    return OPPROF_OK;
}

static const OpprofPort tap_inputs[] = {
    { .name = "records",
      .type = OPPROF_ANY_RECORD,
      .flags = OPPROF_PORT_MANY,
      .summary = "What is tapped." },
};

static const OpprofParam tap_params[] = {
    { .name = "file",
      .type = OPPROF_PARAM_PATH,
      .default_value = "-",
      .summary = "File to write; - is standard output." },
};

static const OpprofPluginOps tap_ops = {
    .struct_size = sizeof tap_ops,
    .create = tap_create,
    .configure = tap_configure,
    .start = tap_start,
    .process = tap_process,
    .flush = tap_flush,
    .stop = tap_stop,
    .destroy = free,
};

const OpprofPlugin tap_plugin = {
    .struct_size = sizeof tap_plugin,
    .abi_major = OPPROF_ABI_MAJOR,
    .abi_minor = OPPROF_ABI_MINOR,
    .name = "tap",
    .version = OPPROF_VERSION,
    .license = "Apache-2.0",
    .summary = "Writes the records of a port as lines of tab-separated text.",
    .kind = OPPROF_EXPORTER,
    .inputs = tap_inputs,
    .input_count = OPPROF_COUNT(tap_inputs),
    .params = tap_params,
    .param_count = OPPROF_COUNT(tap_params),
    .ops = &tap_ops,
};
