/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows pipeline documents to those who describe them. Tested by tests/e2e/recognise.sh.
 */
#include "pipeline/config.h"

#include "pipeline/config_find.h"

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

void OpprofPipelineVisitDocuments(OpprofDocumentVisit *visit, void *context)
{
    size_t count = 0;
    char **names = ConfigList(&count);

    for (size_t i = 0; i < count; i++) {
        OpprofError *error = NULL;

        if (OpprofPipelineFindDocument(names[i], visit, context, &error) != OPPROF_OK) {
            const OpprofPipelineDocument document = { .name = names[i], .error = error };

            visit(context, &document);
        }
        OpprofErrorDestroy(error);
        free(names[i]);
    }
    free(names);
}
