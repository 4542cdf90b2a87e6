/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines the timelines have. Tested by tests/plugins/viz-html/test_timeline. */
#include "lanes.h"

#include "limits.h"

#include <opprof/grow.h>

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define NOT_WANTED 1u
#define FIRST_NUMBER 2u

static bool is_wanted(const Lanes *self, const char *document)
{
    const size_t count = OpprofParamsCount(self->params, "documents");

    for (size_t i = 0; i < count; i++) {
        if (fnmatch(OpprofParamsElement(self->params, "documents", i), document, 0) == 0) {
            return true;
        }
    }
    return false;
}

static bool make_room(Lanes *self, uint32_t track)
{
    const uint32_t before = self->number_count;

    if (track < before) {
        return true;
    }
    if (!OpprofGrow32(&self->numbers, &self->number_count, (size_t) track + 1,
                      sizeof *self->numbers)) {
        return false;
    }
    memset(self->numbers + before, 0, (self->number_count - before) * sizeof *self->numbers);
    return true;
}

static bool add_lane(Lanes *self, uint32_t track)
{
    const OpprofTrack *info = OpprofStageTrackInfo(self->stage, track);

    self->numbers[track] = NOT_WANTED;
    if (info == NULL || !is_wanted(self, info->document)) {
        return true;
    }
    if (self->count == PAGE_LANES) {
        self->left_out++;
        return true;
    }
    if (!OpprofGrow32(&self->tracks, &self->capacity, (size_t) self->count + 1,
                      sizeof *self->tracks)) {
        return false;
    }
    self->tracks[self->count] = track;
    self->numbers[track] = FIRST_NUMBER + self->count++;
    return true;
}

bool LanesFind(Lanes *self, uint32_t track, uint32_t *ret_lane)
{
    *ret_lane = LANE_NONE;
    if (track == OPPROF_NA_U32 || OpprofStageTrackInfo(self->stage, track) == NULL) {
        return true;
    }
    if (!make_room(self, track) || (self->numbers[track] == 0 && !add_lane(self, track))) {
        return false;
    }
    if (self->numbers[track] >= FIRST_NUMBER) {
        *ret_lane = self->numbers[track] - FIRST_NUMBER;
    }
    return true;
}

static void put_rank(Text *json, const char *name, int32_t rank)
{
    if (rank >= 0) {
        TextMemberNumber(json, name, (uint64_t) rank);
    }
}

void LanesPut(const Lanes *self, Text *json)
{
    for (uint32_t i = 0; i < self->count; i++) {
        const OpprofTrack *track = OpprofStageTrackInfo(self->stage, self->tracks[i]);

        TextPut(json, i == 0 ? "{" : ",\n{");
        TextMember(json, "document", track->document);
        TextMember(json, "process", track->process);
        TextMember(json, "process_name", track->process_name);
        TextMember(json, "thread", track->thread);
        TextMember(json, "thread_name", track->thread_name);
        put_rank(json, "process_sort", track->process_sort);
        put_rank(json, "thread_sort", track->thread_sort);
        TextPut(json, "}");
    }
}

void LanesFinish(Lanes *self)
{
    free(self->numbers);
    free(self->tracks);
}
