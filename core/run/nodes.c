/* SPDX-License-Identifier: Apache-2.0 */
/* The stages and links of a pipeline, as they are added. Tested by tests/core/run/test_runner. */
#include "run/nodes.h"

#include "plugin/descriptor.h"
#include "run/stage_run.h"

#include <errno.h>
#include <opprof/grow.h>
#include <opprof/json.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ID 64 /* bytes of an id */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "build the pipeline");
}

bool StageIdIsGood(const char *text)
{
    size_t length = strnlen(text, MAX_ID + 1);

    return length > 0 && length <= MAX_ID &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               length;
}

static StageNode *find_node(const OpprofPipeline *pipeline, const char *id)
{
    for (uint32_t i = 0; i < pipeline->node_count; i++) {
        if (strcmp(pipeline->nodes[i]->id, id) == 0) {
            return pipeline->nodes[i];
        }
    }
    return NULL;
}

StageNode *NodesAppend(OpprofPipeline *pipeline, const char *id, const OpprofPlugin *plugin,
                       OpprofError **error)
{
    StageNode *node;

    if (!OpprofGrow32(&pipeline->nodes, &pipeline->node_capacity, (size_t) pipeline->node_count + 1,
                      sizeof(StageNode *))) {
        no_memory(error);
        return NULL;
    }
    node = StageNodeCreate(id, plugin, &pipeline->run);
    if (node == NULL) {
        no_memory(error);
        return NULL;
    }
    pipeline->nodes[pipeline->node_count++] = node;
    return node;
}

void NodesDropLast(OpprofPipeline *pipeline)
{
    StageNode *node = pipeline->nodes[--pipeline->node_count];

    StageNodeDestroyInstances(node);
    if (pipeline->given_up == 0) {
        StageNodeDestroy(node);
    }
}

OpprofStatus NodesAdd(OpprofPipeline *pipeline, const char *id, const OpprofPlugin *plugin,
                      const ParamInput *input, Problems *problems, OpprofError **error)
{
    StageNode *node = NodesAppend(pipeline, id, plugin, error);

    if (node == NULL) {
        return OPPROF_E_MEMORY;
    }
    node->params = ParamBuild(plugin->params, plugin->param_count, input, problems);
    if (node->params == NULL) {
        return problems->no_memory ? no_memory(error) : OPPROF_OK;
    }
    return StageNodeAddInstance(node, error);
}

static OpprofStatus check_new_id(const OpprofPipeline *pipeline, const char *id,
                                 OpprofError **error)
{
    if (id == NULL || !StageIdIsGood(id)) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                              "'%s' is not a stage id: use letters, digits, '_' and '-'",
                              id != NULL ? id : "");
    }
    if (find_node(pipeline, id) != NULL) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "A stage '%s' already exists", id);
    }
    return OPPROF_OK;
}

static OpprofStatus add_checked(OpprofPipeline *pipeline, const char *id,
                                const OpprofPlugin *plugin, json_t *given, OpprofError **error)
{
    const ParamInput input = { .given = given, .pointer = "params", .stage = id };
    Problems problems = { 0 };
    OpprofStatus status = NodesAdd(pipeline, id, plugin, &input, &problems, error);
    uint32_t before = pipeline->node_count;

    if (status == OPPROF_OK) {
        status = ProblemsToError(&problems, "The stage", error);
    }
    ProblemsFinish(&problems);
    if (status != OPPROF_OK && before > 0 && strcmp(pipeline->nodes[before - 1]->id, id) == 0) {
        NodesDropLast(pipeline);
    }
    return status;
}

OpprofStatus AddPluginDescriptor(OpprofPipeline *pipeline, const char *stage_id,
                                 const OpprofPlugin *plugin, const char *params_json,
                                 OpprofError **error)
{
    json_t *given = NULL;
    OpprofStatus status = check_new_id(pipeline, stage_id, error);

    if (status == OPPROF_OK) {
        status = DescriptorCheck(plugin, NULL, error);
    }
    if (status == OPPROF_OK && params_json != NULL) {
        status = OpprofJsonParse("params", params_json, strlen(params_json), &given, error);
    }
    if (status == OPPROF_OK) {
        status = add_checked(pipeline, stage_id, plugin, given, error);
    }
    json_decref(given);
    return status;
}

OpprofStatus AddPlugin(OpprofPipeline *pipeline, const char *stage_id, const char *plugin,
                       const char *params_json, OpprofError **error)
{
    const OpprofPlugin *found = NULL;
    const char *path = NULL;
    OpprofStatus status = RegistryFind(pipeline->registry, plugin, &found, &path, error);

    if (status == OPPROF_OK) {
        status = AddPluginDescriptor(pipeline, stage_id, found, params_json, error);
    }
    if (status == OPPROF_OK) {
        pipeline->nodes[pipeline->node_count - 1]->plugin_path = path;
    }
    return status;
}

OpprofStatus OpprofPipelineLink(OpprofPipeline *pipeline, const char *from, const char *to,
                                OpprofError **error)
{
    const bool has_room = OpprofGrow32(&pipeline->links, &pipeline->link_capacity,
                                       (size_t) pipeline->link_count + 1, sizeof *pipeline->links);
    PipelineLinkText link = { strdup(from), strdup(to) };

    if (!has_room || link.from == NULL || link.to == NULL) {
        free(link.from);
        free(link.to);
        return no_memory(error);
    }
    pipeline->links[pipeline->link_count++] = link;
    return OPPROF_OK;
}

OpprofStatus NodesAddOwn(OpprofPipeline *pipeline, const char *id, const OpprofPlugin *plugin,
                         const char *file, OpprofError **error)
{
    json_t *params;
    OpprofStatus status;

    errno = 0;
    params = json_pack("{s:s}", "file", file);
    if (params == NULL && errno == ENOMEM) {
        return no_memory(error);
    }
    status = params != NULL ? check_new_id(pipeline, id, error)
                            : OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                             "The name of a file is not UTF-8: '%s'", file);
    if (status == OPPROF_OK) {
        status = add_checked(pipeline, id, plugin, params, error);
    }
    if (status == OPPROF_OK) {
        pipeline->nodes[pipeline->node_count - 1]->is_own = true;
    }
    json_decref(params);
    return status;
}
