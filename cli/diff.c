/* SPDX-License-Identifier: Apache-2.0 */
/* opprof-run --diff: what differs between two results. Tested by tests/compare/test_diff.sh. */
#include "diff.h"

#include "diff_text.h"

#include "compare/page.h"
#include "compare/print.h"
#include "compare/words.h"

static OpprofStatus print(const DiffFound *found, const DiffOptions *options, FILE *out,
                          OpprofError **error)
{
    bool is_good;

    switch (options->format) {
    case DIFF_JSON:
        is_good = DiffPrintJson(found, out);
        break;
    case DIFF_MARKDOWN:
        is_good = DiffPrintMarkdown(found, out);
        break;
    case DIFF_PAGE:
        return DiffPrintPage(found, options->pipeline, out, error);
    case DIFF_TEXT:
    default:
        is_good = DiffPrintText(found, options->columns, out);
        break;
    }
    return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "print");
}

OpprofStatus Diff(const DiffOptions *options, FILE *out, DiffOutcome *ret_outcome,
                  OpprofError **error)
{
    DiffFound found;
    OpprofStatus status =
        DiffFind(&found, options->a, options->b, options->rules, options->rule_count, error);

    if (status == OPPROF_OK) {
        status = print(&found, options, out, error);
    }
    *ret_outcome = status == OPPROF_OK ? DiffOutcomeOf(&found) : DIFF_DONE;
    DiffFoundFree(&found);
    return status;
}
