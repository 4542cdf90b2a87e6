/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector from outside of the tree that recognises its inputs: files, or folders with files,
 * that begin with "RUNES". Its tables have a row for each word of the file. Tested by
 * tests/e2e/recognise.sh.
 */
#include <opprof/stage.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Rune {
    uint64_t number;
} Rune;

static const OpprofField fields[] = {
    { .name = "number",
      .kind = OPPROF_FIELD_U64,
      .offset = offsetof(Rune, number),
      .meaning = "Number." },
};

static const OpprofRecordType rune_type = { .struct_size = sizeof(OpprofRecordType),
                                            .name = "strange.rune",
                                            .version = 1,
                                            .size = sizeof(Rune),
                                            .fields = fields,
                                            .field_count = OPPROF_COUNT(fields),
                                            .flags = OPPROF_RECORD_TABLE,
                                            .title = "Runes",
                                            .file_hint = "runes" };

typedef struct Collector {
    OpprofStage *stage;
    const char *input;
} Collector;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Collector *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "collect runes");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Collector *self = context;

    (void) error;
    self->input = OpprofParamsString(params, "input");
    return OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Collector *self = context;
    const Rune rune = { .number = strlen(self->input) };

    (void) port;
    (void) batch;
    (void) error;
    OpprofStageAppend(self->stage, 0, 0, &rune);
    return OPPROF_END;
}

static uint32_t recognise(OpprofProbe *probe)
{
    const char *file;
    uint32_t confidence = 0;

    for (size_t i = 0; (file = OpprofProbeFile(probe, "*", i)) != NULL; i++) {
        const void *head;

        if (OpprofProbeHead(probe, file, &head) >= 5 && memcmp(head, "RUNES", 5) == 0) {
            confidence = OPPROF_CERTAIN;
        }
    }
    return confidence;
}

static const OpprofInputKind kinds[] = {
    { .name = "runes", .summary = "a file that begins with RUNES", .recognise = recognise },
    { .name = NULL },
};

static const OpprofParam params[] = {
    { .name = "input",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "File." },
};

static const OpprofPort outputs[] = {
    { .name = "runes", .record_type = &rune_type, .summary = "Runes." },
};

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                     .create = create,
                                     .configure = configure,
                                     .process = process,
                                     .destroy = free };

OPPROF_PLUGIN_DEFINE(.name = "runes", .version = "1", .license = "Apache-2.0",
                     .summary = "Reads runes.", .kind = OPPROF_COLLECTOR, .outputs = outputs,
                     .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops, .input_kinds = kinds);
