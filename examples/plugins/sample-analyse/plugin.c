/* SPDX-License-Identifier: Apache-2.0 */
/* sample-analyse: adds a column to samples: the value in milliseconds. */
#include <opprof/opprof.h>
#include <stdlib.h>

/* ---- the same in every analysis: the state ---- */
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

static void destroy(void *self)
{
    free(self);
}

/* ---- yours: the input, the output, the conversion; and the summary below ---- */
typedef struct Sample { /* the input */
    uint64_t time;
    double value;
    uint32_t name, reserved;
} Sample;
typedef struct Row { /* the output */
    double value, value_ms;
    uint32_t name, reserved;
} Row;

static const OpprofField sample_fields[] = {
    OPPROF_RECORD_FIELD(Sample, name, STRING, OPPROF_FIELD_KEY, NULL, "Name.", NULL),
    OPPROF_RECORD_FIELD(Sample, time, U64, 0, "ns", "When.", NULL),
    OPPROF_RECORD_FIELD(Sample, value, F64, 0, "us", "How much.", "not measured"),
};
static const OpprofField row_fields[] = {
    OPPROF_RECORD_FIELD(Row, name, STRING, OPPROF_FIELD_KEY, NULL, "Name.", NULL),
    OPPROF_RECORD_NUMBER(Row, value, F64, SUM, OPPROF_FIELD_WEIGHT, "us", "Amount.", "unmeasured"),
    OPPROF_RECORD_NUMBER(Row, value_ms, F64, SUM, 0, "ms", "The same in ms.", "not measured"),
};
static const OpprofRecordType in_type =
    OPPROF_RECORD_TYPE(Sample, 1, "org.example.sample", "A sample.", 0, sample_fields, NULL, NULL);
static const OpprofRecordType out_type =
    OPPROF_RECORD_TYPE(Row, 1, "org.example.sample-analyse", "A sample.", OPPROF_RECORD_TABLE,
                       row_fields, "Samples", "sample-analyse");
static const OpprofPort in[] = { { "in", "org.example.sample", &in_type, 0, 0, 0, "Samples." } };
static const OpprofPort out[] = { { "rows", NULL, &out_type, 0, 0, 0, "A row per sample." } };

static OpprofStatus process(void *me, uint32_t port, const OpprofBatch *batch, OpprofError **error)
{
    OpprofStage *stage = ((const Self *) me)->stage;
    OpprofStatus status = OPPROF_OK;
    (void) port, (void) error;
    for (uint32_t i = 0; i < batch->count && status == OPPROF_OK; i++) {
        const Sample *sample = (const Sample *) OpprofBatchRecord(batch, i);
        const double us = sample->value; /* absent is not zero */
        const Row row = { us, OpprofIsNaF64(us) ? us : us / 1e3, sample->name, 0 };

        status = OpprofStageAppend(stage, 0, batch->partition, &row);
    }
    return status;
}

/* ---- the same in every analysis: the descriptor ---- */
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
    "sample-analyse",
    "0.1",
    "Apache-2.0",
    "Says in one sentence what it does.",
    NULL,
    OPPROF_ANALYSIS,
    0,
    in,
    out,
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
