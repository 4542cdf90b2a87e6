/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one plugin between made-up neighbours for the tests of the plugins in the tree. */
#include "tests/plugins/harness.h"

#include <check.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAGES_MAX 4
#define PORTS_MAX 4
#define FILES_MAX 64

/* A made-up neighbour. */
typedef struct Neighbour {
    char id[32];
    OpprofPlugin plugin;
    OpprofPort ports[PORTS_MAX];
    HarnessProduce *produce;
    HarnessConsume *consume;
} Neighbour;

static Neighbour neighbours[STAGES_MAX];
static int neighbour_count;
static char directory[256];
static OpprofPipeline *pipeline;
static OpprofRunReport report;
static OpprofError *error;
static char *error_text;
static char *files[FILES_MAX];
static int file_count;

static const char *const port_names[PORTS_MAX] = { "one", "two", "three", "four" };

/* What an instance needs of its neighbour. */
typedef struct Instance {
    OpprofStage *stage;
    Neighbour *neighbour;
    bool is_done;
} Instance;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **ret_error)
{
    Instance *self = calloc(1, sizeof *self);

    (void) ret_error;
    ck_assert_ptr_nonnull(self);
    self->stage = stage;
    for (int i = 0; i < neighbour_count; i++) {
        if (strcmp(neighbours[i].id, OpprofStageId(stage)) == 0) {
            self->neighbour = &neighbours[i];
        }
    }
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **ret_error)
{
    Instance *self = context;

    (void) port;
    if (batch != NULL) {
        self->neighbour->consume(self->stage, batch);
        return OPPROF_OK;
    }
    if (self->is_done) {
        return OPPROF_END;
    }
    self->is_done = true;
    return self->neighbour->produce(self->stage, ret_error);
}

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .destroy = free,
};

static Neighbour *add_neighbour(const char *id)
{
    Neighbour *neighbour = &neighbours[neighbour_count++];

    ck_assert_int_le(neighbour_count, STAGES_MAX);
    *neighbour = (Neighbour){ .plugin = { .struct_size = sizeof(OpprofPlugin),
                                          .abi_major = OPPROF_ABI_MAJOR,
                                          .abi_minor = OPPROF_ABI_MINOR,
                                          .name = "neighbour",
                                          .version = "1",
                                          .license = "Apache-2.0",
                                          .summary = "Stands beside the plugin under test.",
                                          .ops = &ops } };
    snprintf(neighbour->id, sizeof neighbour->id, "%s", id);
    return neighbour;
}

void HarnessSetup(void)
{
    const char *parent = getenv("TMPDIR");

    snprintf(directory, sizeof directory, "%s/opprof-test-XXXXXX",
             parent != NULL ? parent : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    neighbour_count = 0;
    pipeline = OpprofPipelineCreate();
    ck_assert_ptr_nonnull(pipeline);
    ck_assert_int_eq(OpprofPipelineSetOutput(pipeline, directory, true, NULL), OPPROF_OK);
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
}

void HarnessTeardown(void)
{
    char command[400];

    while (file_count > 0) {
        free(files[--file_count]);
    }
    free(error_text);
    error_text = NULL;
    OpprofRunReportFinish(&report);
    report = (OpprofRunReport){ 0 };
    OpprofErrorDestroy(error);
    error = NULL;
    OpprofPipelineDestroy(pipeline);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    ck_assert_int_eq(system(command), 0);
}

void HarnessPlugin(const char *id, const OpprofPlugin *plugin, const char *params)
{
    OpprofStatus status = AddPluginDescriptor(pipeline, id, plugin, params, &error);

    ck_assert_msg(status == OPPROF_OK, "%s", OpprofErrorMessage(error));
}

void HarnessTitle(const char *title)
{
    ck_assert_int_eq(OpprofPipelineSet(pipeline, "title", title, NULL), OPPROF_OK);
}

const char *HarnessRefusal(const char *id, const OpprofPlugin *plugin, const char *params)
{
    OpprofErrorDestroy(error); /* of an earlier refusal */
    error = NULL;
    free(error_text);
    ck_assert_int_ne(AddPluginDescriptor(pipeline, id, plugin, params, &error), OPPROF_OK);
    error_text = OpprofErrorText(error, false);
    return error_text;
}

void HarnessSource(const char *id, HarnessProduce *produce, const OpprofRecordType *const *types,
                   uint32_t type_count)
{
    Neighbour *neighbour = add_neighbour(id);

    ck_assert_uint_le(type_count, PORTS_MAX);
    for (uint32_t i = 0; i < type_count; i++) {
        neighbour->ports[i] = (OpprofPort){ .name = port_names[i],
                                            .record_type = types[i],
                                            .order = OPPROF_ORDER_END,
                                            .summary = "Made-up records." };
    }
    neighbour->produce = produce;
    neighbour->plugin.kind = OPPROF_COLLECTOR;
    neighbour->plugin.outputs = neighbour->ports;
    neighbour->plugin.output_count = type_count;
    HarnessPlugin(id, &neighbour->plugin, NULL);
}

void HarnessSink(const char *id, HarnessConsume *consume, const char *type)
{
    Neighbour *neighbour = add_neighbour(id);

    neighbour->ports[0] = (OpprofPort){
        .name = "in", .type = type, .flags = OPPROF_PORT_MANY, .summary = "Seen by the test."
    };
    neighbour->consume = consume;
    neighbour->plugin.kind = OPPROF_EXPORTER;
    neighbour->plugin.inputs = neighbour->ports;
    neighbour->plugin.input_count = 1;
    HarnessPlugin(id, &neighbour->plugin, NULL);
}

const char *HarnessRun(OpprofRunOutcome outcome)
{
    OpprofStatus status = RunAllPlugins(pipeline, &report, &error);

    error_text = OpprofErrorText(error, false);
    ck_assert_msg(status == OPPROF_OK, "%s", error_text);
    ck_assert_msg(report.outcome == outcome, "outcome %d: %s", (int) report.outcome,
                  report.reason != NULL ? report.reason : "");
    return report.reason != NULL ? report.reason : "";
}

const char *HarnessRunFailing(void)
{
    RunAllPlugins(pipeline, &report, &error);
    error_text = OpprofErrorText(error, false);
    return error == NULL ? "" : error_text;
}

void HarnessAbort(OpprofStage *stage)
{
    OpprofOutputFile *probe;

    ck_assert_int_eq(OpprofOutputFileCreate(OpprofStageOutput(stage), "probe", &probe, NULL),
                     OPPROF_OK);
    OpprofPipelineStop(pipeline, "a test");
    OpprofPipelineStop(pipeline, "a test");
    while (OpprofOutputFileWrite(probe, "x", 1, NULL) == OPPROF_OK) {
        sched_yield();
    }
    OpprofOutputFileDiscard(probe);
}

void HarnessStop(void)
{
    OpprofPipelineStop(pipeline, "a test");
}

char *HarnessFile(const char *relative, size_t *ret_length)
{
    char path[600];
    FILE *file;
    char *content;
    long size;

    snprintf(path, sizeof path, "%s/%s", directory, relative);
    file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size = ftell(file);
    rewind(file);
    content = malloc((size_t) size + 1);
    ck_assert_ptr_nonnull(content);
    ck_assert_uint_eq(fread(content, 1, (size_t) size, file), (size_t) size);
    content[size] = '\0';
    fclose(file);
    ck_assert_int_lt(file_count, FILES_MAX);
    files[file_count++] = content;
    if (ret_length != NULL) {
        *ret_length = (size_t) size;
    }
    return content;
}

const char *HarnessDirectory(void)
{
    return directory;
}

uint32_t HarnessIntern(OpprofStage *stage, const char *text)
{
    return OpprofStageIntern(stage, text, strlen(text));
}
