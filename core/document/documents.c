/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Installed pipelines: shows them to those who describe them, and asks their collectors whether an
 * input is theirs. Tested by tests/e2e/recognise.sh.
 */
#include "run/pipeline.h"

#include "document/config.h"
#include "document/config_find.h"
#include "document/probe.h"

#include <opprof/json.h>

#include <stdlib.h>
#include <string.h>

/* ---- documents ---- */

OpprofStatus OpprofPipelineFindDocument(const char *file_or_name, OpprofDocumentVisit *visit,
                                        void *context, OpprofError **error)
{
    OpprofPipelineDocument document = { .name = file_or_name };
    json_t *root = NULL;
    char *path = NULL;
    OpprofStatus status = ConfigFind(file_or_name, &path, error);

    if (status == OPPROF_OK) {
        status = ConfigReadDocument(file_or_name, &root, error);
    }
    if (status == OPPROF_OK) {
        document.path = path;
        document.root = root;
        visit(context, &document);
    }
    json_decref(root);
    free(path);
    return status;
}

typedef struct Visitor {
    OpprofDocumentVisit *visit;
    void *context;
} Visitor;

/* A document that cannot be used is shown with the reason; a lack of memory is not the document's
 * fault. */
static OpprofStatus visit_document(void *context, const char *name, OpprofError **error)
{
    const Visitor *visitor = context;
    OpprofError *reason = NULL;
    const OpprofStatus status =
        OpprofPipelineFindDocument(name, visitor->visit, visitor->context, &reason);
    const OpprofPipelineDocument document = { .name = name, .error = reason };

    if (status != OPPROF_OK && status != OPPROF_E_MEMORY) {
        visitor->visit(visitor->context, &document);
    }
    OpprofErrorDestroy(reason);
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "read the pipeline '%s'", name)
                                     : OPPROF_OK;
}

OpprofStatus OpprofPipelineVisitDocuments(OpprofDocumentVisit *visit, void *context,
                                          OpprofError **error)
{
    return ConfigVisitAll(visit_document, &(Visitor){ visit, context }, error);
}

/* ---- inputs ---- */

/* One question to all. */
typedef struct Question {
    OpprofPipeline *pipeline;
    OpprofProbe *probe;
    OpprofCandidateVisit *visit;
    void *context;
} Question;

/* True when the value is or contains the variable that stands for the input. */
static bool has_input(const json_t *value)
{
    const char *text = json_string_value(value);
    const char *key;
    json_t *member;

    if (text != NULL) {
        return strstr(text, "${input}") != NULL;
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (has_input(json_array_get(value, i))) {
            return true;
        }
    }
    json_object_foreach((json_t *) (uintptr_t) value, key, member)
    {
        if (has_input(member)) {
            return true;
        }
    }
    return false;
}

/* A pipeline that does not say which kinds it accepts takes all of its collector's. */
static bool is_accepted(const json_t *root, const char *kind)
{
    const json_t *accepts = json_object_get(root, "accepts");

    for (size_t i = 0; i < json_array_size(accepts); i++) {
        const char *name = json_string_value(json_array_get(accepts, i));

        if (name != NULL && strcmp(name, kind) == 0) {
            return true;
        }
    }
    return accepts == NULL;
}

static void ask_collector(const Question *question, const char *name, const json_t *root,
                          const OpprofPlugin *plugin)
{
    ProbeRenew(question->probe);
    for (const OpprofInputKind *kind = plugin->input_kinds; kind != NULL && kind->name != NULL;
         kind++) {
        OpprofCandidate candidate = {
            .pipeline = name, .plugin = plugin->name, .kind = kind->name, .summary = kind->summary
        };

        if (is_accepted(root, kind->name)) {
            const uint32_t confidence = kind->recognise(question->probe);

            candidate.confidence = confidence < 100 ? confidence : 100;
            question->visit(question->context, &candidate);
        }
    }
}

/* The error is destroyed. A lack of memory says nothing about the pipeline and is returned. */
static OpprofStatus report_unusable(const Question *question, const char *name, const char *plugin,
                                    OpprofStatus why, OpprofError *error)
{
    const OpprofCandidate candidate = { .pipeline = name, .plugin = plugin, .error = error };

    if (why != OPPROF_E_MEMORY) {
        question->visit(question->context, &candidate);
    }
    OpprofErrorDestroy(error);
    return why == OPPROF_E_MEMORY ? why : OPPROF_OK;
}

/* The stages that read the input. OPPROF_OK or OPPROF_E_MEMORY. */
static OpprofStatus ask_stages(const Question *question, const char *name, const json_t *root)
{
    const json_t *stages = json_object_get(root, "stages");
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < json_array_size(stages); i++) {
        const json_t *stage = json_array_get(stages, i);
        const char *use = json_string_value(json_object_get(stage, "use"));
        const OpprofPlugin *plugin = NULL;
        OpprofError *error = NULL;

        if (use == NULL || !has_input(json_object_get(stage, "params"))) {
            continue;
        }
        status = RegistryLook(question->pipeline->registry, use, &plugin, NULL, &error);
        if (status != OPPROF_OK) {
            status = report_unusable(question, name, use, status, error);
        } else if (plugin->kind == OPPROF_COLLECTOR) {
            ask_collector(question, name, root, plugin);
        }
    }
    return status;
}

/* OPPROF_OK or OPPROF_E_MEMORY. */
static OpprofStatus ask_pipeline(void *context, const char *name, OpprofError **ignored)
{
    const Question *question = context;
    OpprofError *error = NULL;
    json_t *root = NULL;
    OpprofStatus status = ConfigReadDocument(name, &root, &error);

    (void) ignored;
    if (status != OPPROF_OK) {
        status = report_unusable(question, name, NULL, status, error);
    } else if (json_is_object(json_object_get(json_object_get(root, "vars"), "input"))) {
        status = ask_stages(question, name, root);
    }
    json_decref(root);
    return status;
}

OpprofStatus OpprofPipelineRecognise(OpprofPipeline *pipeline, const char *path,
                                     OpprofCandidateVisit *visit, void *context,
                                     OpprofError **error)
{
    Question question = { .pipeline = pipeline, .visit = visit, .context = context };
    OpprofStatus status = ProbeCreate(path, &question.probe, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = ConfigVisitAll(ask_pipeline, &question, error);
    ProbeDestroy(question.probe);
    return status == OPPROF_OK ? status : OpprofErrorNoMemory(error, "look at '%s'", path);
}
