/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variables of a pipeline, and the parameters that they stand for. Tested by
 * tests/e2e/inspect.sh.
 */
#include "vars.h"

#include <opprof/json.h>
#include <opprof/text.h>

#include <stdlib.h>
#include <string.h>

/* True for the text "${NAME}". */
static bool is_variable(const json_t *value, const char *name)
{
    const char *text = json_string_value(value);
    const size_t length = strlen(name);

    return text != NULL && strncmp(text, "${", 2) == 0 && strncmp(text + 2, name, length) == 0 &&
           strcmp(text + 2 + length, "}") == 0;
}

static const OpprofParam *find_param(const OpprofPlugin *plugin, const char *name)
{
    for (uint32_t i = 0; i < plugin->param_count; i++) {
        if (strcmp(plugin->params[i].name, name) == 0) {
            return &plugin->params[i];
        }
    }
    return NULL;
}

/*
 * The parameter of a stage that takes the variable, into *ret_param. OPPROF_OK or why its module is
 * not usable.
 */
static OpprofStatus param_of_stage(OpprofPipeline *pipeline, const json_t *stage, const char *var,
                                   const OpprofParam **ret_param)
{
    const char *use = json_string_value(json_object_get(stage, "use"));
    json_t *params = json_object_get(stage, "params");
    const OpprofPlugin *plugin = NULL;
    OpprofStatus status = OPPROF_OK;
    const char *name;
    json_t *value;

    json_object_foreach(params, name, value)
    {
        if (*ret_param == NULL && use != NULL && is_variable(value, var)) {
            status = OpprofPipelineFindPlugin(pipeline, use, &plugin, NULL, NULL);
            *ret_param = status == OPPROF_OK ? find_param(plugin, name) : NULL;
        }
    }
    return status;
}

static void find_param_of(OpprofPipeline *pipeline, const json_t *root, Var *var)
{
    const json_t *stages = json_object_get(root, "stages");

    for (size_t i = 0; var->param == NULL && i < json_array_size(stages); i++) {
        var->lacks_memory |= param_of_stage(pipeline, json_array_get(stages, i), var->name,
                                            &var->param) == OPPROF_E_MEMORY;
    }
}

void VarsVisit(OpprofPipeline *pipeline, const json_t *root, VarVisit *visit, void *context)
{
    const char *name;
    json_t *object;

    json_object_foreach(json_object_get(root, "vars"), name, object)
    {
        const char *help = json_string_value(json_object_get(object, "help"));
        const json_t *otherwise = json_object_get(object, "default");
        Var var = { .name = name,
                    .help = help != NULL ? help : "",
                    .is_required = json_is_true(json_object_get(object, "required")),
                    .otherwise = json_is_null(otherwise) ? NULL : otherwise,
                    .choices = json_object_get(object, "choices") };

        if (!OpprofJsonIsComment(name)) {
            find_param_of(pipeline, root, &var);
            visit(context, &var);
        }
    }
}

static char *join_array(const json_t *array)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);

    for (size_t i = 0; out != NULL && i < json_array_size(array); i++) {
        const char *element = json_string_value(json_array_get(array, i));

        fprintf(out, "%s%s", i > 0 ? "," : "", element != NULL ? element : "");
    }
    return out != NULL && fclose(out) == 0 ? text : NULL;
}

char *VarsText(const json_t *value)
{
    if (json_is_string(value)) {
        return strdup(json_string_value(value));
    }
    return json_is_array(value) ? join_array(value) : OpprofJsonText(value, JSON_ENCODE_ANY);
}
