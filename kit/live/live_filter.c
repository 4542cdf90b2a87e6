/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches are wanted. Tested by tests/kit/live/test_live_host.c. */
#include "kit/live/live_parts.h"
#include <ctype.h>
#include <fnmatch.h>
#include <opprof/grow.h>
#include <opprof/require.h>
#include <stdlib.h>
#include <string.h>

/* Counts of a process on a device. */
typedef struct OpprofLiveCount {
    uint32_t client;    /* its number */
    uint32_t device;    /* as the program calls it */
    uint32_t skipped;   /* launches that were let pass first */
    uint32_t collected; /* launches that were wanted */
} OpprofLiveCount;

#define MOST_NAMES 1023u

bool LiveNamesAreGood(const char *names)
{
    OPPROF_REQUIRE("live-text-given", names != NULL, "The text is given");

    size_t entry = 0;

    for (const char *at = names; *at != '\0'; at++) {
        if (*at == '|') {
            if (entry == 0) {
                return false;
            }
            entry = 0;
        } else if (isalnum((unsigned char) *at) || *at == '_' || *at == '*') {
            entry++;
        } else {
            return false;
        }
    }
    return entry > 0 && strlen(names) < MOST_NAMES;
}

bool LiveNamesMatch(const char *names, const char *name)
{
    OPPROF_REQUIRE("live-text-given", name != NULL, "The text is given");

    char entry[MOST_NAMES + 1];

    if (names == NULL || *names == '\0') {
        return true;
    }
    while (*names != '\0') {
        const size_t length = strcspn(names, "|");

        if (length > 0 && length <= MOST_NAMES) {
            memcpy(entry, names, length);
            entry[length] = '\0';
            if (strncmp(name, entry, length) == 0 || fnmatch(entry, name, 0) == 0) {
                return true;
            }
        }
        names += length + (names[length] == '|');
    }
    return false;
}

static OpprofLiveCount *find_count(const OpprofLiveFilter *filter, uint32_t client, uint32_t device)
{
    for (uint32_t i = 0; i < filter->count_count; i++) {
        OpprofLiveCount *count = &filter->counts[i];

        if (count->client == client && count->device == device) {
            return count;
        }
    }
    return NULL;
}

static OpprofLiveCount *get_count(OpprofLiveFilter *filter, uint32_t client, uint32_t device)
{
    OpprofLiveCount *count = find_count(filter, client, device);

    if (count == NULL && OpprofGrow32((void **) &filter->counts, &filter->count_room,
                                      filter->count_count + 1, sizeof *filter->counts)) {
        count = &filter->counts[filter->count_count++];
        *count = (OpprofLiveCount){ .client = client, .device = device };
    }
    return count;
}

OpprofLiveDecision OpprofLiveFilterAsk(OpprofLiveFilter *filter, uint32_t client, uint32_t device,
                                       const char *name)
{
    OPPROF_REQUIRE("live-text-given", name != NULL, "The text is given");
    OPPROF_REQUIRE("live-filter-given", filter != NULL, "The filter is given");

    OpprofLiveCount *count = get_count(filter, client, device);

    filter->launches++;
    if (count == NULL) {
        return OPPROF_LIVE_PASS;
    }
    if (count->skipped < filter->launch_skip) {
        count->skipped++;
        filter->skipped++;
        return OPPROF_LIVE_PASS;
    }
    if (!LiveNamesMatch(filter->names, name)) {
        filter->unnamed++;
        return OPPROF_LIVE_PASS;
    }
    if (count->collected >= filter->launch_count) {
        filter->beyond++;
        return OPPROF_LIVE_PASS;
    }
    count->collected++;
    return OPPROF_LIVE_COLLECT;
}

bool OpprofLiveFilterIsFull(const OpprofLiveFilter *filter, uint32_t client, uint32_t device)
{
    OPPROF_REQUIRE("live-filter-given", filter != NULL, "The filter is given");

    const OpprofLiveCount *count = find_count(filter, client, device);

    return count != NULL && count->collected >= filter->launch_count;
}

void OpprofLiveFilterFinish(OpprofLiveFilter *filter)
{
    OPPROF_REQUIRE("live-filter-given", filter != NULL, "The filter is given");
    free(filter->counts);
    filter->counts = NULL;
    filter->count_count = filter->count_room = 0;
}
