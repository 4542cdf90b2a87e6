/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the records of a port to a file while they pass. Tested by
 * tests/e2e/pipeline_errors.sh.
 */
#include "output/output.h"
#include "recording/readers.h"

#include "base/names.h"
#include "base/write_file.h"
#include "recording/hex_view.h"
#include "run/pipeline.h"

#include <opprof/print.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One line per record, fields separated by tabs, in the order of the field table. */
typedef struct Tap {
    OpprofStage *stage;
    const char *path; /* NULL: standard output */
    FILE *out;
    bool is_hex;                  /* byte by byte instead */
    const OpprofRecordType *type; /* whose heading was printed */
} Tap;

static OpprofStatus tap_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Tap), ret_self, error);
}

static OpprofStatus tap_configure(void *self, const OpprofParams *params, OpprofError **error)
{
    Tap *tap = self;
    const char *file = OpprofParamsString(params, "file");

    (void) error;
    tap->path = file != NULL && strcmp(file, "-") != 0 ? file : NULL;
    tap->is_hex = tap->path != NULL && NameEndsWith(tap->path, ".hex");
    return OPPROF_OK;
}

static OpprofStatus cannot_write(const Tap *tap, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_IO, "Cannot write '%s': %m",
                          tap->path != NULL ? tap->path : "standard output");
}

static OpprofStatus tap_start(void *self, OpprofError **error)
{
    Tap *tap = self;
    OpprofStatus status = OPPROF_OK;

    if (tap->path != NULL) {
        status = OutputDirectoryCheckOther(OpprofStageOutput(tap->stage), tap->path, error);
        return status == OPPROF_OK ? WriteFileOpen(tap->path, &tap->out, error) : status;
    }
    const int fd = dup(STDOUT_FILENO);
    tap->out = fd < 0 ? NULL : fdopen(fd, "w");
    if (tap->out == NULL) {
        status = cannot_write(tap, error);
        close(fd);
    }
    return status;
}

/* A byte as \t, \n, \\ or \xNN. */
static void put_escaped(FILE *out, unsigned char byte)
{
    if (byte == '\t' || byte == '\n' || byte == '\\') {
        fprintf(out, "\\%c", byte == '\t' ? 't' : byte == '\n' ? 'n' : '\\');
    } else {
        fprintf(out, "\\x%02x", byte);
    }
}

/* Bytes that would break the line or the columns, or drive a terminal, are shown as escapes. */
static void put_text(FILE *out, const char *text, size_t length)
{
    while (length > 0) {
        bool plain;
        const size_t taken = OpprofTextNext(text, length, &plain);

        for (size_t i = 0; i < taken; i++) {
            if (plain && text[i] != '\\') {
                putc_unlocked(text[i], out);
            } else {
                put_escaped(out, (unsigned char) text[i]);
            }
        }
        text += taken;
        length -= taken;
    }
}

static void put_heading(FILE *out, const OpprofRecordType *type)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        fputs(f > 0 ? "\t" : "", out);
        put_text(out, type->fields[f].name, strlen(type->fields[f].name));
    }
    fputc('\n', out);
}

static void put_record(const Tap *tap, const OpprofBatch *batch, uint32_t index)
{
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        char number[OPPROF_TEXT_NUMBER];
        size_t length;
        const char *text = OpprofFieldPrint(tap->stage, batch, &batch->type->fields[f],
                                            OpprofBatchRecord(batch, index), number, &length);

        if (f > 0) {
            putc_unlocked('\t', tap->out);
        }
        put_text(tap->out, text != NULL ? text : "NA", text != NULL ? length : 2);
    }
    putc_unlocked('\n', tap->out);
}

static OpprofStatus tap_process(void *self, uint32_t port, const OpprofBatch *batch,
                                OpprofError **error)
{
    Tap *tap = self;

    (void) port;
    if (!tap->is_hex && tap->type != batch->type) {
        tap->type = batch->type;
        put_heading(tap->out, batch->type);
    }
    for (uint32_t i = 0; i < batch->count && !ferror(tap->out); i++) {
        if (tap->is_hex) {
            HexViewPrint(tap->out, tap->stage, batch, i);
        } else {
            put_record(tap, batch, i);
        }
    }
    return ferror(tap->out) ? cannot_write(tap, error) : OPPROF_OK;
}

static OpprofStatus tap_flush(void *self, OpprofError **error)
{
    Tap *tap = self;

    return fflush(tap->out) != 0 ? cannot_write(tap, error) : OPPROF_OK;
}

static OpprofStatus tap_stop(void *self, OpprofError **error)
{
    Tap *tap = self;
    FILE *out = tap->out;

    tap->out = NULL;
    return fclose(out) != 0 ? cannot_write(tap, error) : OPPROF_OK;
}

static void tap_destroy(void *self)
{
    Tap *tap = self;

    if (tap->out != NULL) {
        fclose(tap->out);
    }
    free(tap);
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
    .destroy = tap_destroy,
};

const OpprofPlugin tap_plugin = {
    OWN_PLUGIN,
    .name = "tap",
    .summary = "Writes the records of a port as lines of tab-separated text.",
    .kind = OPPROF_EXPORTER,
    .inputs = tap_inputs,
    .input_count = OPPROF_COUNT(tap_inputs),
    .params = tap_params,
    .param_count = OPPROF_COUNT(tap_params),
    .ops = &tap_ops,
};
