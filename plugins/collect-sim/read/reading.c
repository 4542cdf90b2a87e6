/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports what readers find lacking, and their progress.
 * Tested by tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "reading.h"

static void report_lack(void *context, const char *message)
{
    const Reading *reading = context;

    OpprofStageIncomplete(reading->stage, "%s", message);
}

/* The totals of all instances are added up, so only one reports the size of the whole. */
static void report_bytes(void *context, uint64_t bytes)
{
    Reading *reading = context;

    reading->done += bytes;
    reading->core_done += bytes;
    OpprofStageProgress(reading->stage, reading->done,
                        OpprofStageInstance(reading->stage, NULL) == 0 ? reading->work->bytes : 0,
                        "bytes");
}

static void ignore_bytes(void *context, uint64_t bytes)
{
    (void) context;
    (void) bytes;
}

SimLogEvents ReadingEvents(Reading *reading)
{
    return (SimLogEvents){ .context = reading, .lack = report_lack, .bytes = report_bytes };
}

SimLogEvents ReadingQuietEvents(Reading *reading)
{
    return (SimLogEvents){ .context = reading, .lack = report_lack, .bytes = ignore_bytes };
}

void ReadingSkip(Reading *reading, const WorkCore *core)
{
    const uint64_t all = core->bytes / 2;

    if (reading->core_done < all) {
        report_bytes(reading, all - reading->core_done);
    }
}
