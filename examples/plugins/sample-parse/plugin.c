/* SPDX-License-Identifier: Apache-2.0 */
/* sample-parse: raw words become samples: the upper half is a name, the lower half a value. */
#include <opprof/opprof.h>

#include <stdlib.h>

typedef struct Raw {
    uint64_t word;
} Raw;
typedef struct Sample {
    double value;
    uint32_t name, reserved;
} Sample;

static const OpprofField raw_fields[] = { OPPROF_RECORD_FIELD(Raw, word, HEX, 0, NULL, "A word.",
                                                              NULL) };
static const OpprofField fields[] = {
    OPPROF_RECORD_FIELD(Sample, name, STRING, OPPROF_FIELD_KEY, NULL, "Name.", NULL),
    OPPROF_RECORD_NUMBER(Sample, value, F64, SUM, OPPROF_FIELD_WEIGHT, "us", "How much.", NULL),
};
static const OpprofRecordType raw_type =
    OPPROF_RECORD_TYPE(Raw, 1, "org.example.raw", "A raw word.", 0, raw_fields, NULL, NULL);
static const OpprofRecordType type =
    OPPROF_RECORD_TYPE(Sample, 1, "org.example.sample", "A sample.", OPPROF_RECORD_TABLE, fields,
                       "Samples", "samples");
static const OpprofPort inputs[] = { { "raw", "org.example.raw", &raw_type, 0, 0, 0,
                                       "Raw words." } };
static const OpprofPort outputs[] = { { "samples", NULL, &type, 0, 0, 0, "A record per word." } };

typedef struct Self {
    OpprofStage *stage;
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

static OpprofStatus process(void *instance, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Self *self = (Self *) instance;
    OpprofStatus status = OPPROF_OK;

    (void) port, (void) error;
    for (uint32_t i = 0; i < batch->count && status == OPPROF_OK; i++) {
        const Raw *raw = (const Raw *) OpprofBatchRecord(batch, i);
        char name[16];
        Sample sample = { (double) (raw->word & 0xffffffff), 0, 0 };

        snprintf(name, sizeof name, "unit%u", (unsigned) (raw->word >> 32) % 1000);
        sample.name = OpprofStageIntern(self->stage, name, strlen(name));
        status = OpprofStageAppend(self->stage, 0, batch->partition, &sample);
    }
    return status;
}

static void destroy(void *self)
{
    free(self);
}

static const OpprofPluginOps ops = {
    sizeof(OpprofPluginOps), 0, create, NULL, NULL, process, NULL, NULL, destroy, NULL
};

#ifdef __cplusplus
extern "C"
#endif
    OPPROF_EXPORT const OpprofPlugin opprof_plugin_v0;
const OpprofPlugin opprof_plugin_v0 = {
    sizeof(OpprofPlugin),
    OPPROF_ABI_MAJOR,
    OPPROF_ABI_MINOR,
    "sample-parse",
    "0.1",
    "Apache-2.0",
    "Says in one sentence what it does.",
    NULL,
    OPPROF_PARSER,
    0,
    inputs,
    outputs,
    NULL,
    1,
    1,
    0,
    0,
    &ops,
    NULL,
    NULL,
    NULL,
};
