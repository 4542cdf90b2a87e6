/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the ready pipelines and their variables. Tested by
 * tests/e2e/pipeline_errors.sh.
 */
#include <opprof/json.h>
#include "pipeline/config.h"

#include <opprof/pipeline.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

static int longest_key(json_t *object)
{
    const char *key;
    json_t *value;
    size_t longest = 0;

    json_object_foreach(object, key, value)
    {
        longest = strlen(key) > longest ? strlen(key) : longest;
    }
    return (int) longest;
}

static void print_vars(json_t *vars, FILE *out)
{
    const int width = longest_key(vars);
    const char *name;
    json_t *var;

    json_object_foreach(vars, name, var)
    {
        bool required = json_is_true(json_object_get(var, "required"));

        fprintf(out, "    %-*s  %s%s\n", width, name, text_of(var, "help"),
                required ? " (required)" : "");
    }
}

static void print_document(const char *name, FILE *out)
{
    OpprofError *error = NULL;
    json_t *root = NULL;
    char *path = NULL;
    OpprofStatus status = ConfigFind(name, &path, &error);

    if (status == OPPROF_OK) {
        status = OpprofJsonLoad(path, &root, &error);
    }
    if (status == OPPROF_OK) {
        fprintf(out, "  %s: %s\n", name, text_of(root, "description"));
        print_vars(json_object_get(root, "vars"), out);
    } else {
        fprintf(out, "  %s: not usable: %s\n", name, OpprofErrorMessage(error));
    }
    OpprofErrorDestroy(error);
    json_decref(root);
    free(path);
}

void OpprofPipelineListDocuments(FILE *out)
{
    size_t count = 0;
    char **names = ConfigList(&count);

    fprintf(out, "pipelines%s\n", count > 0 ? ":" : ": none installed");
    for (size_t i = 0; i < count; i++) {
        print_document(names[i], out);
        free(names[i]);
    }
    free(names);
}
