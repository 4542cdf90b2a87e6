/* SPDX-License-Identifier: Apache-2.0 */
/* sample-collect: reads lines "NAME VALUE" of a file. */
#include <opprof/opprof.h>
#include <stdlib.h>

typedef struct Sample { /* the record: change it and its table of fields */
    uint64_t time;
    double value;
    uint32_t name, reserved;
} Sample;

static const OpprofField fields[] = {
    OPPROF_RECORD_FIELD(Sample, name, STRING, OPPROF_FIELD_KEY, NULL, "Name.", NULL),
    OPPROF_RECORD_FIELD(Sample, time, U64, OPPROF_FIELD_MOMENT, "ns", "When.", NULL),
    OPPROF_RECORD_NUMBER(Sample, value, F64, SUM, OPPROF_FIELD_WEIGHT, "us", "How much.",
                         "not measured"),
};
static const OpprofRecordType type =
    OPPROF_RECORD_TYPE(Sample, 1, "org.example.sample", "A sample.", OPPROF_RECORD_TABLE, fields,
                       "Samples", "samples");
static const OpprofPort outputs[] = { { "samples", NULL, &type, 0, 0, 0, "A record per line." } };
static const OpprofParam params[] = { { "input", OPPROF_PARAM_PATH, OPPROF_PARAM_REQUIRED, NULL, 0,
                                        0, NULL, NULL, "Text file to read." } };
typedef struct Self {
    OpprofStage *stage;
    const char *path;
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

static OpprofStatus configure(void *self, const OpprofParams *params_given, OpprofError **error)
{
    (void) error;
    ((Self *) self)->path = OpprofParamsString(params_given, "input");
    return OPPROF_OK;
}

static OpprofStatus process(void *instance, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Self *self = (Self *) instance;
    FILE *file = fopen(self->path, "r");
    OpprofStatus status = OPPROF_OK;
    char name[64];
    Sample sample = { 0, 0, 0, 0 };
    int words = EOF;

    (void) port, (void) batch; /* called without a batch until it returns OPPROF_END */
    if (file == NULL) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s'", self->path);
    }
    while (status == OPPROF_OK && (words = fscanf(file, "%63s %lf", name, &sample.value)) == 2) {
        sample.name = OpprofStageIntern(self->stage, name, strlen(name));
        sample.time++;
        status = OpprofStageAppend(self->stage, 0, 0, &sample);
    }
    if (status == OPPROF_OK && (words != EOF || ferror(file))) { /* the rest is lost: say so */
        OpprofStageIncomplete(self->stage, "'%s' cannot be read beyond its line %d", self->path,
                              (int) sample.time);
    }
    fclose(file);
    return status == OPPROF_OK ? OPPROF_END : status;
}

static const OpprofPluginOps ops = {
    sizeof(OpprofPluginOps), 0, create, configure, NULL, process, NULL, NULL, free, NULL
};

#ifdef __cplusplus
extern "C"
#endif
    OPPROF_EXPORT const OpprofPlugin opprof_plugin_v0;
const OpprofPlugin opprof_plugin_v0 = {
    sizeof(OpprofPlugin),
    OPPROF_ABI_MAJOR,
    OPPROF_ABI_MINOR,
    "sample-collect",
    "0.1",
    "Apache-2.0",
    "Says in one sentence what it does.",
    NULL,
    OPPROF_COLLECTOR,
    0,
    NULL,
    outputs,
    params,
    0,
    1,
    1,
    0,
    &ops,
    NULL,
    NULL,
    NULL,
};
