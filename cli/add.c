/* SPDX-License-Identifier: Apache-2.0 */
/* The value of --add: a stage with its parameters. Tested by tests/e2e/recognise.sh. */
#include "add.h"

#include <opprof/json.h>

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Length of "PARAM=VALUE" up to the comma before the next one with a '='. */
static size_t pair_length(const char *text)
{
    size_t length = strcspn(text, ",");

    while (text[length] == ',') {
        const size_t piece = strcspn(text + length + 1, ",");

        if (memchr(text + length + 1, '=', piece) != NULL) {
            break;
        }
        length += 1 + piece;
    }
    return length;
}

/* False: there is no PARAM=VALUE, or it is not UTF-8; without memory errno is ENOMEM. */
static bool add_pair(json_t *params, const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    const size_t name_length = equals != NULL ? (size_t) (equals - text) : 0;
    char *name = name_length > 0 ? strndup(text, name_length) : NULL;
    bool is_good = false;

    if (name != NULL) {
        json_t *value = json_stringn(equals + 1, length - name_length - 1);

        is_good = value != NULL && json_object_set_new(params, name, value) == 0;
    }
    free(name);
    return is_good;
}

/* The parameters as JSON text to be given to free(); NULL: they are not right, or as above. */
static char *params_of(const char *text)
{
    json_t *params = json_object();
    bool is_good = params != NULL;
    char *json;

    while (is_good && *text == ',') {
        const size_t length = pair_length(text + 1);

        is_good = add_pair(params, text + 1, length);
        text += 1 + length;
    }
    json = is_good ? OpprofJsonText(params, JSON_COMPACT) : NULL;
    json_decref(params);
    return json;
}

OpprofStatus AddStage(OpprofPipeline *pipeline, const char *value, OpprofError **error)
{
    const size_t id_length = strcspn(value, "=,");
    const char *plugin = value[id_length] == '=' ? value + id_length + 1 : "";
    const size_t plugin_length = strcspn(plugin, ",");
    char *params = NULL;
    char *id = strndup(value, id_length);
    char *use = strndup(plugin, plugin_length);
    OpprofStatus status;

    errno = 0;
    params = params_of(plugin + plugin_length);
    if (id == NULL || use == NULL || (params == NULL && errno == ENOMEM)) {
        status = OpprofErrorNoMemory(error, "add a stage");
    } else if (params == NULL || id_length == 0 || plugin_length == 0) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "--add cannot take '%s'", value);
        OpprofErrorHint(error,
                        "Write ID=PLUGIN[,PARAM=VALUE]..., such as --add mine=my-metric,top=20");
        status = OPPROF_E_ARGUMENT;
    } else {
        status = OpprofPipelineAddStage(pipeline, id, use, params, error);
    }
    free(params);
    free(id);
    free(use);
    return status;
}
