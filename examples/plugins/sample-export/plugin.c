/* SPDX-License-Identifier: Apache-2.0 */
/* sample-export: writes every table as lines of text. */
#include <opprof/opprof.h>
#include <stdlib.h>

static const OpprofPort inputs[] = { { "tables", OPPROF_ANY_TABLE, NULL, OPPROF_PORT_MANY, 0, 0,
                                       "All." } };
typedef struct Self {
    OpprofStage *stage;
    OpprofOutputFile *file;
} Self;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Self *self = (Self *) calloc(1, sizeof *self);
    *ret_self = self;
    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create an instance");
    }
    self->stage = stage;
    return OPPROF_OK;
}

static OpprofStatus start(void *instance, OpprofError **error)
{
    Self *self = (Self *) instance;
    return OpprofOutputFileCreate(OpprofStageOutput(self->stage), "sample-export.txt", &self->file,
                                  error);
}

static OpprofStatus process(void *instance, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Self *self = (Self *) instance;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    for (uint32_t i = 0; i < batch->count; i++) {
        for (uint32_t f = 0; f < batch->type->field_count && status == OPPROF_OK; f++) {
            char number[OPPROF_TEXT_NUMBER];
            size_t length = 2;
            const char *text = OpprofFieldPrint(self->stage, batch, &batch->type->fields[f],
                                                OpprofBatchRecord(batch, i), number, &length);
            status = OpprofOutputFileWrite(self->file, text == NULL ? "NA" : text,
                                           text == NULL ? 2 : length, error);
            const char *end = f + 1 == batch->type->field_count ? "\n" : "\t";
            status =
                status == OPPROF_OK ? OpprofOutputFileWrite(self->file, end, 1, error) : status;
        }
    }
    return status;
}

static OpprofStatus flush(void *instance, OpprofError **error)
{
    Self *self = (Self *) instance;
    OpprofOutputFile *file = self->file;

    self->file = NULL; /* Finish releases it, even if it fails */
    return OpprofOutputFileFinish(file, error);
}

static OpprofStatus stop(void *instance, OpprofError **error)
{
    (void) error;
    OpprofOutputFileDiscard(((Self *) instance)->file); /* NULL after flush */
    return OPPROF_OK;
}
static void destroy(void *self)
{
    free(self);
}

static const OpprofPluginOps ops = {
    sizeof(OpprofPluginOps), 0, create, NULL, start, process, flush, stop, destroy, NULL
};

#ifdef __cplusplus
extern "C"
#endif
    OPPROF_EXPORT const OpprofPlugin opprof_plugin_v0;
const OpprofPlugin opprof_plugin_v0 = {
    sizeof(OpprofPlugin),
    OPPROF_ABI_MAJOR,
    OPPROF_ABI_MINOR,
    "sample-export",
    "0.1",
    "Apache-2.0",
    "Says in one sentence what it does.",
    NULL,
    OPPROF_EXPORTER,
    0,
    inputs,
    NULL,
    NULL,
    1,
    0,
    0,
    0,
    &ops,
    NULL,
    NULL,
    NULL,
};
