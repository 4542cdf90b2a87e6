/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows pipeline documents to those who describe them. Tested by tests/e2e/recognise.sh.
 */
#include "document/config.h"

#include "document/config_find.h"

#include <opprof/pipeline.h>

#include <stdlib.h>

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
