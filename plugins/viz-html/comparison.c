/* SPDX-License-Identifier: Apache-2.0 */
/* The comparison with another run that a page shows. Tested by tests/plugins/viz-html/test_html. */
#include "comparison.h"

#include "limits.h"

#include <opprof/json.h>

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

static OpprofStatus put(const char *path, const json_t *root, OpprofJsonOut *json,
                        OpprofError **error)
{
    char *text = OpprofJsonText(root, JSON_COMPACT);
    const size_t length = text == NULL ? 0 : strlen(text);

    if (length > PAGE_COMPARISON_BYTES) {
        free(text);
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Comparison '%s' has %zu bytes; a page has room for %u", path, length,
                              PAGE_COMPARISON_BYTES);
    }
    TextSafe(json, text, length);
    free(text);
    return text == NULL || json->is_short ? OpprofErrorNoMemory(error, "read comparison '%s'", path)
                                          : OPPROF_OK;
}

OpprofStatus ComparisonRead(const char *path, OpprofJsonOut *ret_json, OpprofError **error)
{
    json_t *root = NULL;
    OpprofStatus status = OpprofJsonLoad(path, &root, error);

    if (status != OPPROF_OK) {
        return status;
    }
    if (!json_is_string(json_object_get(root, "opprof_diff"))) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "'%s' is not a comparison: it has no member 'opprof_diff'", path);
        OpprofErrorHint(error, "Make one with opprof-run's comparison of two results in JSON");
        status = OPPROF_E_DATA;
    } else {
        status = put(path, root, ret_json, error);
    }
    json_decref(root);
    return status;
}
