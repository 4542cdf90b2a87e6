/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a module on recordings of real records. Tested by tests/harness/check.sh. */
#include "replay.h"

#include <dirent.h>
#include <opprof/opprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SOURCE "recorded"
#define CHECKED "checked"

/* ---- in the place of the stage that was recorded ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    (void) error;
    *ret_self = stage; /* it has nothing of its own, and never starts */
    return OPPROF_OK;
}

static void destroy(void *self)
{
    (void) self;
}

static OpprofStatus process(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    (void) self, (void) port, (void) batch, (void) error;
    return OPPROF_END;
}

static const OpprofPluginOps ops = {
    .struct_size = sizeof ops, .create = create, .process = process, .destroy = destroy
};

/* The port of the plugin that a recording is for; input_count: it has none of that name. */
static uint32_t port_of(const Replay *replay, const char *recording)
{
    const size_t length = strcspn(recording, "=");
    uint32_t port = 0;

    while (port < replay->plugin->input_count &&
           (strlen(replay->plugin->inputs[port].name) != length ||
            strncmp(replay->plugin->inputs[port].name, recording, length) != 0)) {
        port++;
    }
    return port;
}

/* ---- the run ---- */

static OpprofStatus add_recordings(const Replay *replay, OpprofPort *outputs, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < replay->count && status == OPPROF_OK; i++) {
        const uint32_t port = port_of(replay, replay->recordings[i]);
        char link[128];

        if (port == replay->plugin->input_count || port >= SAMPLE_INPUTS) {
            return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "There is no input for '%s'",
                                  replay->recordings[i]);
        }
        outputs[i] = (OpprofPort){ .name = replay->plugin->inputs[port].name,
                                   .record_type = replay->types->types[port],
                                   .order = replay->plugin->inputs[port].order,
                                   .summary = "Recorded." };
        snprintf(link, sizeof link, SOURCE ".%s", outputs[i].name);
        status = OpprofPipelineReplay(replay->pipeline, link,
                                      strchr(replay->recordings[i], '=') + 1, error);
    }
    return status;
}

/* What the plugin gives is written, so that it is asked for. */
static OpprofStatus tap_outputs(const Replay *replay, const char *directory, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; i < replay->plugin->output_count && status == OPPROF_OK; i++) {
        char port[128], file[512];

        snprintf(port, sizeof port, CHECKED ".%s", replay->plugin->outputs[i].name);
        snprintf(file, sizeof file, "%s/port%u", directory, i);
        status = OpprofPipelineTap(replay->pipeline, port, file, error);
    }
    return status;
}

static bool has_content(const char *directory)
{
    DIR *stream = opendir(directory);
    const struct dirent *entry;
    bool is_found = false;

    while (stream != NULL && !is_found && (entry = readdir(stream)) != NULL) {
        struct stat about;

        is_found = entry->d_name[0] != '.' && strcmp(entry->d_name, "run.json") != 0 &&
                   strcmp(entry->d_name, "INCOMPLETE.txt") != 0 &&
                   fstatat(dirfd(stream), entry->d_name, &about, 0) == 0 && about.st_size > 0;
    }
    if (stream != NULL) {
        closedir(stream);
    }
    return is_found;
}

static OpprofStatus run(const Replay *replay, const OpprofPlugin *source, const char *directory,
                        OpprofError **error)
{
    OpprofStatus status = AddPluginDescriptor(replay->pipeline, SOURCE, source, NULL, error);

    if (status == OPPROF_OK) {
        status =
            AddPluginDescriptor(replay->pipeline, CHECKED, replay->plugin, replay->params, error);
    }
    if (status == OPPROF_OK) {
        status = tap_outputs(replay, directory, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineSetOutput(replay->pipeline, directory, true, error);
    }
    return status == OPPROF_OK ? RunAllPlugins(replay->pipeline, NULL, error) : status;
}

OpprofStatus ReplayRun(const Replay *replay, bool *ret_has_rows, OpprofError **error)
{
    OpprofPort *outputs = calloc(replay->count, sizeof *outputs);
    OpprofScratch *scratch = NULL;
    OpprofStatus status = outputs == NULL ? OpprofErrorNoMemory(error, "replay recordings")
                                          : add_recordings(replay, outputs, error);
    const OpprofPlugin source = { .struct_size = sizeof source,
                                  .abi_major = OPPROF_ABI_MAJOR,
                                  .abi_minor = OPPROF_ABI_MINOR,
                                  .name = SOURCE,
                                  .version = "1.0",
                                  .license = "Apache-2.0",
                                  .summary = "Stands for what was recorded.",
                                  .kind = OPPROF_COLLECTOR,
                                  .outputs = outputs,
                                  .output_count = (uint32_t) replay->count,
                                  .ops = &ops };

    if (status == OPPROF_OK) {
        status = OpprofScratchMake(NULL, &scratch, error);
    }
    if (status == OPPROF_OK) {
        status = run(replay, &source, OpprofScratchPath(scratch), error);
        *ret_has_rows = has_content(OpprofScratchPath(scratch));
    }
    OpprofPipelineDestroy(replay->pipeline); /* `source` and `outputs` outlive it */
    OpprofScratchRemove(scratch);
    free(outputs);
    return status;
}
