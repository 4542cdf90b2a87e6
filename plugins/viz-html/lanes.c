/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of the timelines. Tested by tests/plugins/viz-html/test_timeline. */
#include "lanes.h"

#include "limits.h"

#include <opprof/grow.h>

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define NOT_WANTED 1u
#define WANTED 2u /* without a number yet, or for ever */
#define FIRST_NUMBER 3u

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

static bool add_lane(Lanes *self, uint32_t track)
{
    const OpprofTrack *info = OpprofStageTrackInfo(self->stage, track);

    self->numbers[track] = NOT_WANTED;
    if (!is_wanted(self, info->document)) {
        return true;
    }
    if (!OpprofGrow32(&self->tracks, &self->capacity, (size_t) self->count + 1,
                      sizeof *self->tracks)) {
        return false;
    }
    self->numbers[track] = WANTED;
    self->tracks[self->count++] = track;
    return true;
}

bool LanesNote(Lanes *self, uint32_t track)
{
    if (track < self->number_count && self->numbers[track] != 0) {
        return true;
    }
    if (track == OPPROF_NA_U32 || OpprofStageTrackInfo(self->stage, track) == NULL) {
        return true;
    }
    return OpprofGrowCleared32(&self->numbers, &self->number_count, (size_t) track + 1,
                               sizeof *self->numbers) &&
           add_lane(self, track);
}

bool LanesWant(const Lanes *self, uint32_t track)
{
    return track < self->number_count && self->numbers[track] >= WANTED;
}

uint32_t LanesFind(const Lanes *self, uint32_t track)
{
    return track < self->number_count && self->numbers[track] >= FIRST_NUMBER
               ? self->numbers[track] - FIRST_NUMBER
               : LANE_NONE;
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

/* By document, process, thread, each by its rank first. */
static int compare_lanes(const void *one, const void *other, void *context)
{
    const OpprofTrack *a = OpprofStageTrackInfo(context, *(const uint32_t *) one);
    const OpprofTrack *b = OpprofStageTrackInfo(context, *(const uint32_t *) other);
    int order = compare_texts(a->document, b->document);

    if (order == 0) {
        order = (a->process_sort > b->process_sort) - (a->process_sort < b->process_sort);
    }
    order = order == 0 ? compare_texts(a->process, b->process) : order;
    if (order == 0) {
        order = (a->thread_sort > b->thread_sort) - (a->thread_sort < b->thread_sort);
    }
    return order == 0 ? compare_texts(a->thread, b->thread) : order;
}

/* Patterns of documents that match none would leave the page without timelines. */
static void warn_unmatched(const Lanes *self)
{
    if (self->count == 0 && self->number_count > 0) {
        const char *pattern = OpprofParamsElement(self->params, "documents", 0);

        OpprofStageWarn(self->stage,
                        "No timeline is on the page: parameter 'documents' ('%s') matches none",
                        pattern == NULL ? "" : pattern);
    }
}

void LanesSettle(Lanes *self)
{
    warn_unmatched(self);
    if (self->count > 0) {
        qsort_r(self->tracks, self->count, sizeof *self->tracks, compare_lanes, self->stage);
    }
    if (self->count > PAGE_LANES) {
        self->left_out = self->count - PAGE_LANES;
        self->count = PAGE_LANES;
    }
    for (uint32_t i = 0; i < self->count; i++) {
        self->numbers[self->tracks[i]] = FIRST_NUMBER + i;
    }
}

static void put_rank(OpprofJsonOut *json, const char *name, int32_t rank)
{
    if (rank >= 0) {
        TextMemberNumber(json, name, (uint64_t) rank);
    }
}

void LanesPut(const Lanes *self, OpprofJsonOut *json)
{
    for (uint32_t i = 0; i < self->count; i++) {
        const OpprofTrack *track = OpprofStageTrackInfo(self->stage, self->tracks[i]);

        OpprofJsonPutRaw(json, i == 0 ? "{" : ",\n{");
        TextMember(json, "document", track->document);
        TextMember(json, "process", track->process);
        TextMember(json, "process_name", track->process_name);
        TextMember(json, "thread", track->thread);
        TextMember(json, "thread_name", track->thread_name);
        put_rank(json, "process_sort", track->process_sort);
        put_rank(json, "thread_sort", track->thread_sort);
        OpprofJsonPutRaw(json, "}");
    }
}

void LanesFinish(Lanes *self)
{
    free(self->numbers);
    free(self->tracks);
}
