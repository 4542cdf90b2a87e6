/* SPDX-License-Identifier: Apache-2.0 */
/* --inspect of a pipeline. Tested by tests/e2e/inspect.sh. */
#include "inspect_pipeline.h"

#include "vars.h"

#include "print/columns.h"
#include "print/plain_output.h"

#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

typedef struct Printing {
    OpprofPipeline *pipeline;
    FILE *out;
    size_t width; /* of names */
    bool lacks_memory;
} Printing;

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

/* ---- variables ---- */

static void measure_var(void *context, const Var *var)
{
    Printing *printing = context;

    printing->width = ColumnsMore(printing->width, ColumnsOf(var->name));
}

/* ", of: a, b" of what the variable or its parameter may be. */
static void put_choices(const Var *var, FILE *out)
{
    const char *const *names = var->param != NULL ? var->param->choices : NULL;
    const char *before = ", of: ";

    for (size_t i = 0; i < json_array_size(var->choices); i++, before = ", ") {
        fprintf(out, "%s%s", before, json_string_value(json_array_get(var->choices, i)));
    }
    for (size_t i = 0; var->choices == NULL && names != NULL && names[i] != NULL;
         i++, before = ", ") {
        fprintf(out, "%s%s", before, names[i]);
    }
}

/* "list, of: a, b; default x"; free(), NULL without memory. */
static char *details_of(const Var *var)
{
    char *otherwise = var->otherwise != NULL ? VarsText(var->otherwise) : NULL;
    const char *type = var->param != NULL ? OpprofParamTypeName(var->param->type) : NULL;
    char *range = var->param != NULL ? OpprofParamRangeText(var->param) : NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);

    if (out != NULL) {
        fputs(ColumnsOr(type, "text"), out);
        fprintf(out, "%s%s", ColumnsOr(range, "") == range ? ", " : "", ColumnsOr(range, ""));
        put_choices(var, out);
        fputs(var->is_required ? "; required" : "", out);
        if (otherwise != NULL) {
            fprintf(out, "; default %s", ColumnsOr(otherwise, "''"));
        }
    }
    if (out == NULL || fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    free(otherwise);
    free(range);
    return text;
}

static void print_var(void *context, const Var *var)
{
    Printing *printing = context;
    char *details = details_of(var);
    const char *summary =
        *var->help == '\0' && var->param != NULL ? var->param->summary : var->help;

    printing->lacks_memory = printing->lacks_memory || details == NULL || var->lacks_memory;
    ColumnsItem(var->name, printing->width, ColumnsOr(details, "-"), summary, printing->out);
    free(details);
}

/* ---- stages and links ---- */

static void print_stage(Printing *printing, const json_t *stage, size_t id_width, size_t use_width)
{
    const char *use = text_of(stage, "use");
    const OpprofPlugin *plugin = NULL;
    OpprofError *error = NULL;

    if (OpprofPipelineFindPlugin(printing->pipeline, use, &plugin, NULL, &error) ==
        OPPROF_E_MEMORY) {
        printing->lacks_memory = true;
    }
    ColumnsBlanks(COLUMNS_INDENT, printing->out);
    ColumnsCell(text_of(stage, "id"), id_width, printing->out);
    ColumnsCell(use, use_width, printing->out);
    ColumnsText(plugin != NULL ? plugin->summary : "not usable",
                COLUMNS_INDENT + id_width + 2 + use_width + 2, printing->out);
    OpprofErrorDestroy(error);
}

static void print_stages(Printing *printing, const json_t *stages)
{
    size_t id_width = 0;
    size_t use_width = 0;

    for (size_t i = 0; i < json_array_size(stages); i++) {
        const json_t *stage = json_array_get(stages, i);

        id_width = ColumnsMore(id_width, ColumnsOf(text_of(stage, "id")));
        use_width = ColumnsMore(use_width, ColumnsOf(text_of(stage, "use")));
    }
    fputs("\nStages:\n", printing->out);
    for (size_t i = 0; i < json_array_size(stages); i++) {
        print_stage(printing, json_array_get(stages, i), id_width, use_width);
    }
}

static void print_links(const json_t *links, FILE *out)
{
    fputs(json_array_size(links) > 0 ? "\nLinks, in addition to those that follow from types:\n"
                                     : "",
          out);
    for (size_t i = 0; i < json_array_size(links); i++) {
        const json_t *link = json_array_get(links, i);

        fputs("  ", out);
        PlainPut(out, text_of(link, "from"));
        fputs(" -> ", out);
        PlainPut(out, text_of(link, "to"));
        fputc('\n', out);
    }
}

static void print_document(void *context, const OpprofPipelineDocument *document)
{
    Printing *printing = context;
    const json_t *accepts = json_object_get(document->root, "accepts");

    PlainPut(printing->out, document->name);
    fputs(": pipeline\n", printing->out);
    ColumnsText(text_of(document->root, "description"), 0, printing->out);
    fputs("\nFile:    ", printing->out);
    PlainPut(printing->out, document->path);
    fputc('\n', printing->out);
    for (size_t i = 0; i < json_array_size(accepts); i++) {
        const char *kind = json_string_value(json_array_get(accepts, i));

        fprintf(printing->out, "%s%s", i == 0 ? "Accepts: " : ", ", ColumnsOr(kind, "?"));
    }
    fputs(json_array_size(accepts) > 0 ? "\n" : "", printing->out);
    VarsVisit(printing->pipeline, document->root, measure_var, printing);
    fputs(printing->width > 0 ? "\nVariables:\n" : "", printing->out);
    VarsVisit(printing->pipeline, document->root, print_var, printing);
    print_stages(printing, json_object_get(document->root, "stages"));
    print_links(json_object_get(document->root, "links"), printing->out);
}

OpprofStatus InspectPipeline(OpprofPipeline *pipeline, const char *name, FILE *out,
                             OpprofError **error)
{
    Printing printing = { .pipeline = pipeline, .out = out };
    const OpprofStatus status = OpprofPipelineFindDocument(name, print_document, &printing, error);

    return status == OPPROF_OK && printing.lacks_memory
               ? OpprofErrorNoMemory(error, "describe the pipeline '%s'", name)
               : status;
}
