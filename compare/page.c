/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A comparison as a page for the browser: the report page of the second results, with the
 * comparison in it. Tested by tests/compare/test_diff.sh and tests/plugins/viz-html/test_page.sh.
 */
#include "page.h"

#include "print.h"

#include <errno.h>
#include <opprof/output.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES (2u << 20) /* that a page takes of a comparison */

/* The largest changes of each table first, and as many as a page takes. NULL without memory. */
static char *json_for_page(const DiffFound *found)
{
    char *text = NULL;

    for (uint32_t rows = DIFF_JSON_ROWS; rows > 0; rows /= 3) {
        free(text);
        text = DiffJsonText(found, rows);
        if (text == NULL || strlen(text) <= PAGE_BYTES) {
            break;
        }
    }
    return text;
}

static OpprofStatus write_file(const char *path, const char *text, OpprofError **error)
{
    FILE *file = fopen(path, "we");
    const bool is_written = file != NULL && fputs(text, file) >= 0;
    const bool is_closed = file == NULL || fclose(file) == 0;

    return is_written && is_closed
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_IO, "Cannot write '%s': %s", path, strerror(errno));
}

/* The page of the second results, with the timeline of the first beside theirs. */
static OpprofStatus set_up(OpprofPipeline *pipeline, const DiffData *data, const char *comparison,
                           const char *folder, OpprofError **error)
{
    const struct {
        const char *name;
        const char *value;
    } settings[] = { { "input", data->sides[1].databases[0] },
                     { "title", "Comparison" },
                     { "results.side", "after" },
                     { "before.input", data->sides[0].databases[0] },
                     { "before.only", "timeline" },
                     { "before.side", "before" },
                     { "page.comparison", comparison } };
    OpprofStatus status =
        OpprofPipelineAddStage(pipeline, "before", "collect-results", "{}", error);

    if (status == OPPROF_OK) {
        status = OpprofPipelineAddStage(pipeline, "page", "html", "{}", error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < sizeof settings / sizeof settings[0]; i++) {
        status = OpprofPipelineSet(pipeline, settings[i].name, settings[i].value, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineLoad(pipeline, "show", error);
    }
    return status == OPPROF_OK ? OpprofPipelineSetOutput(pipeline, folder, true, error) : status;
}

/* Results that are incomplete make a page that says so. */
static OpprofStatus run(OpprofPipeline *pipeline, OpprofError **error)
{
    OpprofRunReport report = { 0 };
    OpprofStatus status = RunAllPlugins(pipeline, &report, error);
    const bool is_done =
        report.outcome == OPPROF_RUN_COMPLETE || report.outcome == OPPROF_RUN_INCOMPLETE;

    if (status == OPPROF_OK && !is_done) {
        status = OpprofErrorSet(error, OPPROF_E_CRASH, "The page was not written: %s",
                                report.reason != NULL ? report.reason : "the run failed");
    }
    OpprofRunReportFinish(&report);
    return status;
}

/* `out` itself notes that it takes no more; `errno` says why. */
static OpprofStatus copy_file(const char *path, FILE *out, OpprofError **error)
{
    char piece[1 << 16];
    FILE *file = fopen(path, "re");
    size_t length;
    bool is_read;

    if (file == NULL) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %s", path, strerror(errno));
    }
    do {
        length = fread(piece, 1, sizeof piece, file);
    } while (length > 0 && fwrite(piece, 1, length, out) == length && fflush(out) == 0);
    const int why = errno;

    is_read = ferror(file) == 0;
    fclose(file);
    errno = why;
    return is_read ? OPPROF_OK
                   : OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s' to its end", path);
}

static OpprofStatus make_page(const DiffFound *found, OpprofPipeline *pipeline, const char *folder,
                              FILE *out, OpprofError **error)
{
    char *json = json_for_page(found);
    char *comparison = NULL;
    char *page = NULL;
    OpprofStatus status;

    if (json == NULL || asprintf(&comparison, "%s/comparison.json", folder) < 0 ||
        asprintf(&page, "%s/report.html", folder) < 0) {
        status = OpprofErrorNoMemory(error, "make a page");
    } else {
        status = write_file(comparison, json, error);
    }
    if (status == OPPROF_OK) {
        status = set_up(pipeline, &found->data, comparison, folder, error);
    }
    if (status == OPPROF_OK) {
        status = run(pipeline, error);
    }
    if (status == OPPROF_OK) {
        status = copy_file(page, out, error);
    }
    free(json);
    free(comparison);
    free(page);
    return status;
}

OpprofStatus DiffPrintPage(const DiffFound *found, OpprofPipeline *pipeline, FILE *out,
                           OpprofError **error)
{
    OpprofScratch *scratch;
    OpprofStatus status = OpprofScratchMake(NULL, &scratch, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = make_page(found, pipeline, OpprofScratchPath(scratch), out, error);
    const int why = errno;

    OpprofScratchRemove(scratch);
    errno = why;
    return status;
}
