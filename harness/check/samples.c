/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up parameters and records. Tested by tests/harness/check.sh. */
#include "samples.h"

#include <opprof/json.h>
#include <opprof/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTITIONS 3
#define ROWS 40 /* records of a partition */

/* ---- types ---- */

typedef struct SampleRow {
    uint64_t count;
    double value;
    uint32_t name;
    uint32_t reserved;
} SampleRow;

static const OpprofField row_fields[] = {
    OPPROF_FIELD(SampleRow, name, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "A name."),
    OPPROF_FIELD(SampleRow, count, OPPROF_FIELD_U64, .unit = "1", .meaning = "A count."),
    OPPROF_FIELD(SampleRow, value, OPPROF_FIELD_F64, .unit = "us", .meaning = "A time.",
                 .absent = "made up"),
};
static const OpprofRecordType row_type =
    OPPROF_RECORD_TYPE(SampleRow, 1, "opprof.sample", "A made-up row.", OPPROF_RECORD_TABLE,
                       row_fields, "Sample", "sample");

/* Types still to be found. */
typedef struct Search {
    const OpprofPlugin *plugin;
    SampleTypes *types;
} Search;

static void match_inputs(void *context, const OpprofPluginFile *file)
{
    const Search *search = context;

    for (uint32_t i = 0; i < search->plugin->input_count && i < SAMPLE_INPUTS; i++) {
        const OpprofPort *input = &search->plugin->inputs[i];

        for (uint32_t o = 0; file->plugin != NULL && o < file->plugin->output_count; o++) {
            const OpprofRecordType *type = file->plugin->outputs[o].record_type;

            if (search->types->types[i] == NULL && type != NULL &&
                strcmp(type->name, input->type) == 0) {
                search->types->types[i] = type;
            }
        }
    }
}

void SampleTypesFind(OpprofPipeline *pipeline, const OpprofPlugin *plugin, SampleTypes *ret_types)
{
    const OpprofRecordType *const waist[] = { &opprof_span_type, &opprof_counter_type,
                                              &opprof_advice_type };
    Search search = { .plugin = plugin, .types = ret_types };
    bool is_complete = true;

    *ret_types = (SampleTypes){ .missing = NULL };
    for (uint32_t i = 0; i < plugin->input_count && i < SAMPLE_INPUTS; i++) {
        const OpprofPort *input = &plugin->inputs[i];

        ret_types->types[i] = input->record_type;
        for (size_t w = 0; w < sizeof waist / sizeof waist[0]; w++) {
            if (strcmp(waist[w]->name, input->type) == 0) {
                ret_types->types[i] = waist[w];
            }
        }
        if (strcmp(input->type, OPPROF_ANY_TABLE) == 0 ||
            strcmp(input->type, OPPROF_ANY_RECORD) == 0) {
            ret_types->types[i] = &row_type;
        }
        is_complete = is_complete && ret_types->types[i] != NULL;
    }
    if (!is_complete) {
        OpprofPipelineVisitPlugins(pipeline, match_inputs, &search, NULL);
    }
    for (uint32_t i = 0; i < plugin->input_count && i < SAMPLE_INPUTS; i++) {
        if (ret_types->types[i] == NULL && (plugin->inputs[i].flags & OPPROF_PORT_OPTIONAL) == 0) {
            ret_types->missing = plugin->inputs[i].type;
        }
    }
}

/* ---- parameters ---- */

static char *json_text(const char *text)
{
    const size_t length = strlen(text);
    char *json = malloc(OPPROF_TEXT_JSON_ROOM(length) + 1);

    if (json != NULL) {
        *OpprofTextPutJson(json, text, length) = '\0';
    }
    return json;
}

static char *sample_value(const OpprofParam *param, const char *empty)
{
    char *json = NULL;

    switch (param->type) {
    case OPPROF_PARAM_BOOL:
        return strdup("true");
    case OPPROF_PARAM_INT:
    case OPPROF_PARAM_DOUBLE:
    case OPPROF_PARAM_SIZE:
    case OPPROF_PARAM_DURATION:
        return asprintf(&json, "%.0f", param->min < param->max ? param->min : 1.0) < 0 ? NULL
                                                                                       : json;
    case OPPROF_PARAM_CHOICE:
        return json_text(param->choices[0]);
    case OPPROF_PARAM_LIST:
        return json_text(param->choices != NULL ? param->choices[0] : "x");
    case OPPROF_PARAM_PATH:
        return json_text(empty);
    default:
        return strdup("\"x\"");
    }
}

static char *given_value(const char *name, const char *const *given, size_t count)
{
    const size_t length = strlen(name);

    for (size_t i = count; i > 0; i--) {
        if (strncmp(given[i - 1], name, length) == 0 && given[i - 1][length] == '=') {
            return json_text(given[i - 1] + length + 1);
        }
    }
    return NULL;
}

char *SampleParams(const OpprofPlugin *plugin, const char *const *given, size_t given_count,
                   const char *empty)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);
    const char *before = "{";

    for (uint32_t i = 0; out != NULL && i < plugin->param_count; i++) {
        const OpprofParam *param = &plugin->params[i];
        char *value = given_value(param->name, given, given_count);

        if (value == NULL && (param->flags & OPPROF_PARAM_REQUIRED) != 0) {
            value = sample_value(param, empty);
        }
        if (value != NULL) {
            fprintf(out, "%s\"%s\": %s", before, param->name, value);
            before = ", ";
        }
        free(value);
    }
    if (out != NULL) {
        fputs(before[0] == '{' ? "{}" : "}", out);
    }
    return out != NULL && fclose(out) == 0 ? text : NULL;
}

static bool is_number(uint32_t type)
{
    return type == OPPROF_PARAM_INT || type == OPPROF_PARAM_DOUBLE || type == OPPROF_PARAM_SIZE ||
           type == OPPROF_PARAM_DURATION;
}

char *SampleWrongValue(const OpprofParam *param, unsigned index)
{
    char *json = NULL;

    if (index == 0) {
        return strdup("{\"no\": \"such type\"}");
    }
    if (index == 1 && (param->type == OPPROF_PARAM_BOOL || is_number(param->type))) {
        return strdup("\"no such value\"");
    }
    if (index == 1 && param->choices != NULL) {
        return strdup("\"no such choice\"");
    }
    if (index >= 1 && index <= 2 && is_number(param->type) && param->min < param->max) {
        const double value = index == 1 ? param->min - 1 : param->max * 2 + 1;

        return asprintf(&json, "%.0f", value) < 0 ? NULL : json;
    }
    if (index == 2 && is_number(param->type) && param->min < param->max) {
        return asprintf(&json, "%.0f", param->max * 2 + 1) < 0 ? NULL : json;
    }
    return NULL;
}

/* ---- records ---- */

typedef struct Maker {
    OpprofHarness *harness;
    const OpprofRecordType *type;
    const char *partition;
    uint32_t row;
    bool with_absent;
    uint64_t ticks; /* of the field before */
} Maker;

#define SAMPLE_TEXT "made up"

static void put_absent(const OpprofField *field, unsigned char *at)
{
    const uint64_t all = UINT64_MAX, nan = OPPROF_NA_F64_BITS, least = UINT64_C(1) << 63;
    const uint32_t zero = 0, small = UINT32_C(0x80000000);

    switch (field->kind) {
    case OPPROF_FIELD_I16:
        memcpy(at, &all, sizeof(int16_t));
        break;
    case OPPROF_FIELD_U32:
    case OPPROF_FIELD_TRACK:
    case OPPROF_FIELD_TEXT:
        memcpy(at, &all, sizeof(uint32_t));
        break;
    case OPPROF_FIELD_I32:
        memcpy(at, &small, sizeof small);
        break;
    case OPPROF_FIELD_STRING:
        memcpy(at, &zero, sizeof zero);
        break;
    case OPPROF_FIELD_I64:
        memcpy(at, &least, sizeof least);
        break;
    case OPPROF_FIELD_F64:
        memcpy(at, &nan, sizeof nan);
        break;
    default:
        memcpy(at, &all, sizeof all);
        break;
    }
}

static uint32_t make_track(const Maker *maker)
{
    const OpprofTrack track = { .document = maker->partition, /* as batches of spans require */
                                .process = maker->partition,
                                .thread = maker->row % 2 == 0 ? "even" : "odd",
                                .process_sort = -1,
                                .thread_sort = -1 };

    return OpprofHarnessTrack(maker->harness, &track);
}

static uint32_t make_narrow(const Maker *maker, const OpprofField *field)
{
    static const char *const names[] = { "alpha", "beta", "gamma", "delta" };

    switch (field->kind) {
    case OPPROF_FIELD_STRING:
        /* a batch is for one folder */
        return OpprofHarnessIntern(maker->harness, strcmp(field->name, "folder") == 0
                                                       ? maker->partition
                                                       : names[maker->row % 4]);
    case OPPROF_FIELD_TRACK:
        return make_track(maker);
    default:
        /* counts of what lies in a blob, and kinds: the first of them, of nothing */
        return strcmp(field->name, "kind") == 0 ? 1 : 0;
    }
}

static void put_value(Maker *maker, const OpprofField *field, unsigned char *at)
{
    const uint32_t narrow = make_narrow(maker, field);
    const int16_t small = (int16_t) (maker->row % 3);
    const double number = maker->row * 0.5;
    uint64_t wide = maker->row;

    switch (field->kind) {
    case OPPROF_FIELD_I16:
        memcpy(at, &small, sizeof small);
        break;
    case OPPROF_FIELD_U32:
    case OPPROF_FIELD_I32:
    case OPPROF_FIELD_STRING:
    case OPPROF_FIELD_TRACK:
        memcpy(at, &narrow, sizeof narrow);
        break;
    case OPPROF_FIELD_TEXT:
        /* arguments of spans are bytes that mean something */
        if (strcmp(field->name, "args") == 0) {
            put_absent(field, at);
        } else {
            memcpy(at, &(OpprofText){ 0, sizeof SAMPLE_TEXT - 1 }, sizeof(OpprofText));
        }
        break;
    case OPPROF_FIELD_F64:
        memcpy(at, &number, sizeof number);
        break;
    case OPPROF_FIELD_TICK:
        maker->ticks += maker->ticks == 0 ? 1000 + (uint64_t) maker->row * 10 : 5;
        wide = maker->ticks;
        memcpy(at, &wide, sizeof wide);
        break;
    default:
        memcpy(at, &wide, sizeof wide);
        break;
    }
}

static void make_record(Maker *maker, unsigned char *record)
{
    maker->ticks = 0;
    for (uint32_t f = 0; f < maker->type->field_count; f++) {
        const OpprofField *field = &maker->type->fields[f];

        if (maker->with_absent && field->absent != NULL && maker->row % 2 == 0) {
            put_absent(field, record + field->offset);
        } else {
            put_value(maker, field, record + field->offset);
        }
    }
}

static OpprofStatus give_port(OpprofHarness *harness, uint32_t port, bool with_absent,
                              OpprofError **error)
{
    static const char *const partitions[PARTITIONS] = { "core0", "core1", "core2" };
    const OpprofRecordType *type = OpprofHarnessInputType(harness, port);
    const OpprofClock clock = { .name = "sample", .hz = 1000000000 };
    unsigned char *records = calloc(ROWS, type->size);
    OpprofStatus status = OPPROF_OK;

    if (records == NULL) {
        return OpprofErrorNoMemory(error, "make records");
    }
    for (uint32_t p = 0; p < PARTITIONS && status == OPPROF_OK; p++) {
        for (uint32_t row = 0; row < ROWS; row++) {
            Maker maker = { .harness = harness,
                            .type = type,
                            .partition = partitions[p],
                            .row = row,
                            .with_absent = with_absent };
            make_record(&maker, records + (size_t) row * type->size);
        }
        status =
            OpprofHarnessGive(harness, port,
                              &(OpprofHarnessRecords){ .records = records,
                                                       .count = ROWS,
                                                       .partition = partitions[p],
                                                       .clock = OpprofHarnessClock(harness, &clock),
                                                       .blob = SAMPLE_TEXT,
                                                       .blob_size = sizeof SAMPLE_TEXT - 1 },
                              error);
    }
    free(records);
    return status;
}

OpprofStatus SampleGive(OpprofHarness *harness, const OpprofPlugin *plugin, bool with_absent,
                        OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t port = 0; port < plugin->input_count && status == OPPROF_OK; port++) {
        if (OpprofHarnessInputType(harness, port) != NULL) {
            status = give_port(harness, port, with_absent, error);
        }
    }
    return status;
}
