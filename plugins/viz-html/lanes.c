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

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

/* By document, process, thread, each by its rank first. */
static int compare_lanes(const void *one, const void *other, void *context)
{
    const Lanes *self = context;
    const uint32_t x = *(const uint32_t *) one;
    const uint32_t y = *(const uint32_t *) other;
    const OpprofTrack *a = OpprofStageTrackInfo(self->stage, self->tracks[x]);
    const OpprofTrack *b = OpprofStageTrackInfo(self->stage, self->tracks[y]);
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

bool LanesSettle(Lanes *self, uint32_t **ret_numbers)
{
    uint32_t *order = malloc((self->count + 1) * sizeof *order);
    uint32_t *tracks = malloc((self->count + 1) * sizeof *tracks);
    uint32_t *numbers = malloc((self->count + 1) * sizeof *numbers);

    *ret_numbers = numbers;
    if (order == NULL || tracks == NULL || numbers == NULL) {
        free(order);
        free(tracks);
        return false;
    }
    for (uint32_t i = 0; i < self->count; i++) {
        order[i] = i;
    }
    if (self->count > 0) {
        qsort_r(order, self->count, sizeof *order, compare_lanes, self);
    }
    for (uint32_t i = 0; i < self->count; i++) {
        tracks[i] = self->tracks[order[i]];
        numbers[order[i]] = i;
    }
    free(order);
    free(self->tracks);
    self->tracks = tracks;
    self->capacity = self->count;
    return true;
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
