/* SPDX-License-Identifier: Apache-2.0 */
/* The installed pipelines, for people. Tested by tests/e2e/recognise.sh. */
#include "documents.h"

#include "print/columns.h"
#include "print/plain_output.h"

#include <opprof/grow.h>
#include <opprof/json.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

/* ---- list ---- */

static size_t longest_key(json_t *object)
{
    const char *key;
    json_t *value;
    size_t longest = 0;

    json_object_foreach(object, key, value)
    {
        longest = strlen(key) > longest ? strlen(key) : longest;
    }
    return longest;
}

static void print_vars(json_t *vars, FILE *out)
{
    const size_t width = longest_key(vars);
    const char *name;
    json_t *var;

    json_object_foreach(vars, name, var)
    {
        const bool is_required = json_is_true(json_object_get(var, "required"));

        if (!OpprofJsonIsComment(name)) {
            fputs("    ", out);
            ColumnsCell(name, width, out);
            PlainPut(out, text_of(var, "help"));
            fputs(is_required ? " (required)\n" : "\n", out);
        }
    }
}

/* Output of a listing, and whether anything was printed. */
typedef struct Listing {
    FILE *out;
    bool has_any;
} Listing;

static void print_document(void *context, const OpprofPipelineDocument *document)
{
    Listing *listing = context;

    fputs(listing->has_any ? "" : "pipelines:\n", listing->out);
    listing->has_any = true;
    fputs("  ", listing->out);
    PlainPut(listing->out, document->name);
    if (document->root == NULL) {
        fprintf(listing->out, ": not usable: %s\n", OpprofErrorLine(document->error));
        return;
    }
    fputs(": ", listing->out);
    PlainPut(listing->out, text_of(document->root, "description"));
    fputc('\n', listing->out);
    print_vars(json_object_get(document->root, "vars"), listing->out);
}

OpprofStatus DocumentsList(FILE *out, OpprofError **error)
{
    Listing listing = { .out = out };
    const OpprofStatus status = OpprofPipelineVisitDocuments(print_document, &listing, error);

    fputs(status != OPPROF_OK || listing.has_any ? "" : "pipelines: none installed\n", out);
    return status;
}

/* ---- names ---- */

typedef struct Names {
    char **list;
    size_t count;
    size_t capacity;
    bool lacks_memory;
} Names;

static void add_name(void *context, const OpprofPipelineDocument *document)
{
    Names *names = context;
    char *copy = strdup(document->name);

    if (copy != NULL &&
        OpprofGrow(&names->list, &names->capacity, names->count + 1, sizeof *names->list)) {
        names->list[names->count++] = copy;
    } else {
        free(copy);
        names->lacks_memory = true;
    }
}

static OpprofStatus collect_names(Names *names, OpprofError **error)
{
    const OpprofStatus status = OpprofPipelineVisitDocuments(add_name, names, error);

    if (status == OPPROF_OK && names->lacks_memory) {
        return OpprofErrorNoMemory(error, "list the pipelines");
    }
    return status;
}

static void finish_names(Names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->list[i]);
    }
    free(names->list);
}

static OpprofStatus is_listed(const char *name, bool *ret_is_there, OpprofError **error)
{
    Names names = { .count = 0 };
    const OpprofStatus status = collect_names(&names, error);

    for (size_t i = 0; i < names.count; i++) {
        *ret_is_there = *ret_is_there || strcmp(names.list[i], name) == 0;
    }
    finish_names(&names);
    return status;
}

static void note_document(void *context, const OpprofPipelineDocument *document)
{
    bool *is_there = context;

    *is_there = document->root != NULL;
}

OpprofStatus DocumentsHave(const char *name, bool *ret_is_there, OpprofError **error)
{
    OpprofError *reason = NULL;
    OpprofStatus status;

    *ret_is_there = false;
    if (strchr(name, '/') != NULL) {
        return OPPROF_OK;
    }
    status = OpprofPipelineFindDocument(name, note_document, ret_is_there, &reason);
    OpprofErrorDestroy(reason);
    if (status == OPPROF_E_MEMORY) {
        return OpprofErrorNoMemory(error, "find '%s'", name);
    }
    /* an existing one may lack what it extends */
    return *ret_is_there ? OPPROF_OK : is_listed(name, ret_is_there, error);
}

char *DocumentsNearest(const char *word)
{
    Names names = { .count = 0 };
    OpprofError *unused = NULL;
    const char *nearest;
    char *copy;

    collect_names(&names, &unused);
    OpprofErrorDestroy(unused);
    nearest = OpprofNearestName(word, (const char *const *) names.list, names.count);
    copy = nearest != NULL ? strdup(nearest) : NULL;
    finish_names(&names);
    return copy;
}
