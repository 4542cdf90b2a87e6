/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that pass unprofiled, counted by what the program's library says of them. Tested by
 * tests/refchip/test_interface.sh. */
#include "kit/live/live_server.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REASONS 256u

static bool is_wanted(const LiveTally *tally, const char *text)
{
    const char *end = *text == '\'' ? strstr(text, "', ") : NULL;
    char name[OPPROF_LIVE_MOST_NAME + 1];

    if (end == NULL) {
        return true;
    }
    snprintf(name, sizeof name, "%.*s", (int) (end - text) - 1, text + 1);
    return LiveNamesMatch(tally->names, name);
}

void LiveTallyAdd(LiveTally *tally, const char *text)
{
    const size_t length = strlen(text);
    uint32_t place;

    if (!is_wanted(tally, text)) {
        tally->unnamed++;
        return;
    }
    tally->launches++;
    place = OpprofTextMapFind(&tally->places, text, length);
    if (place == OPPROF_MAP_NONE && tally->count < MOST_REASONS &&
        OpprofGrow32(&tally->reasons, &tally->room, (size_t) tally->count + 1,
                     sizeof *tally->reasons) &&
        OpprofTextMapPut(&tally->places, text, length, tally->count,
                         &tally->reasons[tally->count].text)) {
        place = tally->count++;
        tally->reasons[place].launches = 0;
    }
    if (place != OPPROF_MAP_NONE) {
        tally->reasons[place].launches++;
    }
}

void LiveTallyReport(const LiveTally *tally, OpprofStage *stage)
{
    uint64_t others = tally->launches;

    if (others == 0) {
        return;
    }
    OpprofStageCount(stage, "launches passed by", others);
    for (uint32_t i = 0; i < tally->count; i++) {
        const LiveReason *reason = &tally->reasons[i];

        others -= reason->launches;
        OpprofStageIncomplete(stage, "%" PRIu64 " %s not profiled: %s", reason->launches,
                              OPPROF_PLURAL(reason->launches, "launch is", "launches are"),
                              reason->text);
    }
    if (others > 0) {
        OpprofStageIncomplete(stage, "%" PRIu64 " further %s not profiled", others,
                              OPPROF_PLURAL(others, "launch is", "launches are"));
    }
}

void LiveTallyFinish(LiveTally *tally)
{
    OpprofTextMapFinish(&tally->places);
    free(tally->reasons);
    *tally = (LiveTally){ .launches = 0 };
}
