/* SPDX-License-Identifier: Apache-2.0 */
/* The statistics of a run's stages, as a table. Tested by tests/e2e/output_errors.sh. */
#include "stages.h"

#include "progress.h"

#include <inttypes.h>
#include <string.h>

#define LONG_RUN_NS UINT64_C(10000000000)
#define LIMITING_SHARE 0.75 /* of the time of a run, by one thread */

static size_t longest(const OpprofRunReport *report, bool plugins, size_t least)
{
    for (size_t i = 0; i < report->stage_count; i++) {
        size_t length = strlen(plugins ? report->stages[i].plugin : report->stages[i].id);

        least = length > least ? length : least;
    }
    return least;
}

static void print_rate(const OpprofRunReport *report, const OpprofStageReport *stage, FILE *out)
{
    uint64_t records = stage->records_in > 0 ? stage->records_in : stage->records_out;
    char rate[48] = "-";

    if (records > 0 && report->elapsed_ns > 0) {
        ProgressAmount(rate, sizeof rate,
                       (uint64_t) ((double) records * 1e9 / (double) report->elapsed_ns), "rec/s");
    }
    fprintf(out, "  %14s", rate);
}

void StagesPrint(const OpprofRunReport *report, FILE *out)
{
    int ids = (int) longest(report, false, strlen("stage"));
    int plugins = (int) longest(report, true, strlen("plugin"));

    fprintf(out, "%-*s  %-*s  %3s  %12s  %12s  %8s  %8s  %8s  %14s\n", ids, "stage", plugins,
            "plugin", "thr", "records in", "records out", "busy s", "wait in", "wait out", "rate");
    for (size_t i = 0; i < report->stage_count; i++) {
        const OpprofStageReport *stage = &report->stages[i];

        fprintf(out, "%-*s  %-*s  %3" PRIu32 "  %12" PRIu64 "  %12" PRIu64 "  %8.3f  %8.3f  %8.3f",
                ids, stage->id, plugins, stage->plugin, stage->instances, stage->records_in,
                stage->records_out, (double) stage->busy_ns / 1e9, (double) stage->wait_in_ns / 1e9,
                (double) stage->wait_out_ns / 1e9);
        print_rate(report, stage, out);
        fprintf(out, "%s%s\n", stage->bottleneck ? "  < bottleneck" : "",
                stage->failed ? "  FAILED" : "");
    }
    fprintf(out, "%.3f s\n", (double) report->elapsed_ns / 1e9);
}

void StagesPrintLimit(const OpprofRunReport *report, FILE *out)
{
    for (size_t i = 0; i < report->stage_count; i++) {
        const OpprofStageReport *stage = &report->stages[i];

        if (stage->bottleneck && report->elapsed_ns >= LONG_RUN_NS &&
            (double) stage->busiest_ns >= LIMITING_SHARE * (double) report->elapsed_ns) {
            fprintf(out, "Stage '%s' (%s) was busy for %.0f %% of %.1f s; -v shows all stages\n",
                    stage->id, stage->plugin,
                    100 * (double) stage->busiest_ns / (double) report->elapsed_ns,
                    (double) report->elapsed_ns / 1e9);
        }
    }
}
