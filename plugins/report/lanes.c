/* SPDX-License-Identifier: Apache-2.0 */
/* How busy each lane of the timelines was, and what values the curves had. Tested by
 * tests/plugins/report/test_timeline_lanes. */
#include "lanes.h"

#include <math.h>
#include <opprof/grow.h>
#include <opprof/records/activity.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stretches of a lane's work that are kept apart: slices may come by their ends, and reach back
 * over as many idle gaps. */
#define MOST_STRETCHES 1024u
/* Of all lanes: each of a hundred cores may have twenty. */
#define MOST_IN_ALL 131072u
/* Of a lane that had slices lately, when there are more than that. */
#define KEPT_STRETCHES 64u
/* Of others: what begins where the last slice ends does not reach into what was put together. */
#define KEPT_IDLE 1u

static const OpprofClock no_clock = { .name = "nanosecond", .hz = UINT64_C(1000000000) };

static const OpprofClock *clock_of(const OpprofStage *stage, const OpprofBatch *batch)
{
    const OpprofClock *clock = OpprofStageClockInfo(stage, batch->clock);

    return clock == NULL ? &no_clock : clock;
}

/* Whether the document lies in the folder of a launch, which ends with its
 * number: "add/1/trace". */
static bool is_of_launch(const char *document)
{
    const char *end = strrchr(document, '/');
    const char *from = end;

    while (from != NULL && from > document && from[-1] >= '0' && from[-1] <= '9') {
        from--;
    }
    return from != NULL && from < end && from > document && from[-1] == '/';
}

/* "core0/trace" repeats what "trace" shows, and each rank of a training has
 * a document of its own. */
static bool is_shown(const OpprofTrack *track)
{
    return track->thread != NULL &&
           (strchr(track->document, '/') == NULL || is_of_launch(track->document));
}

/* False without memory, or if the track does not exist. */
static bool add_track(Lanes *lanes, const OpprofStage *stage, uint32_t id)
{
    const OpprofTrack *info = OpprofStageTrackInfo(stage, id);

    if (info == NULL) {
        return false;
    }
    if (!is_shown(info)) {
        lanes->places[id] = UINT32_MAX;
        return true;
    }
    if (!OpprofGrow32(&lanes->tracks, &lanes->track_capacity, lanes->track_count + 1u,
                      sizeof *lanes->tracks)) {
        return false;
    }
    lanes->tracks[lanes->track_count++] = (LaneTrack){ .track = info,
                                                       .first_ps = INT64_MAX,
                                                       .last_ps = INT64_MIN,
                                                       .busy = { .limit = MOST_STRETCHES } };
    lanes->places[id] = lanes->track_count;
    return true;
}

/* *ret_track is NULL for one that is not shown. False without memory, or if the track does not
 * exist. */
static bool find_track(Lanes *lanes, const OpprofStage *stage, uint32_t id, LaneTrack **ret_track)
{
    if (!OpprofGrowCleared32(&lanes->places, &lanes->place_count, (size_t) id + 1,
                             sizeof *lanes->places) ||
        (lanes->places[id] == 0 && !add_track(lanes, stage, id))) {
        return false;
    }
    *ret_track = lanes->places[id] == UINT32_MAX ? NULL : &lanes->tracks[lanes->places[id] - 1];
    return true;
}

/* Keeps the order of times. */
static uint64_t unsigned_time(int64_t ps)
{
    return (uint64_t) ps ^ UINT64_C(1) << 63;
}

/* False without memory. */
static bool add_slice(Lanes *lanes, LaneTrack *track, int64_t start, int64_t duration)
{
    const uint32_t room = track->busy.capacity;
    int64_t end;

    if (__builtin_add_overflow(start, duration, &end)) {
        end = INT64_MAX;
    }
    end = end < start ? start : end;
    track->first_ps = start < track->first_ps ? start : track->first_ps;
    track->last_ps = end > track->last_ps ? end : track->last_ps;
    track->slices++;
    track->batch = lanes->batches;
    const bool is_added =
        OpprofBusyTimeAdd(&track->busy, unsigned_time(start), unsigned_time(end)) == OPPROF_OK;
    lanes->room += track->busy.capacity - room;
    return is_added;
}

/* Sums stay as they are; see OpprofBusyTimeFold. */
static void fold(Lanes *lanes)
{
    lanes->room = 0;
    for (uint32_t i = 0; i < lanes->track_count; i++) {
        LaneTrack *track = &lanes->tracks[i];

        OpprofBusyTimeFold(&track->busy,
                           track->batch > lanes->folded_at ? KEPT_STRETCHES : KEPT_IDLE);
        lanes->room += track->busy.capacity;
    }
    lanes->folded_at = lanes->batches;
    lanes->room_most = 2 * lanes->room;
}

/* Slices that show that nothing works, or what all lanes do together, are not work of a lane. */
static bool is_no_work(const OpprofStage *stage, uint32_t category)
{
    const char *text = OpprofStageString(stage, category);

    return text != NULL &&
           (strcmp(text, OPPROF_ACTIVITY_GAP) == 0 || strcmp(text, OPPROF_ACTIVITY_STATE) == 0);
}

bool LanesTakeSpans(Lanes *lanes, const OpprofStage *stage, const OpprofBatch *batch)
{
    const OpprofClock *clock = clock_of(stage, batch);

    lanes->batches++;
    for (uint32_t i = 0; i < batch->count; i++) {
        OpprofSpan span;
        LaneTrack *track;

        memcpy(&span, OpprofBatchRecord(batch, i), sizeof span);
        if (span.kind != OPPROF_SPAN_SLICE || is_no_work(stage, span.category)) {
            continue;
        }
        if (!find_track(lanes, stage, span.track, &track) ||
            (track != NULL && !add_slice(lanes, track, OpprofClockPicoseconds(clock, span.start),
                                         OpprofClockDuration(clock, span.duration)))) {
            return false;
        }
    }
    if (lanes->room > MOST_IN_ALL && lanes->room > lanes->room_most) {
        fold(lanes);
    }
    return true;
}

bool LanesTakeCounters(Lanes *lanes, const OpprofStage *stage, const OpprofBatch *batch)
{
    (void) stage;
    for (uint32_t i = 0; i < batch->count; i++) {
        OpprofCounter counter;
        uint64_t key;
        uint32_t at;

        memcpy(&counter, OpprofBatchRecord(batch, i), sizeof counter);
        if (!isfinite(counter.value)) {
            continue;
        }
        key = (uint64_t) counter.name << 32 | counter.series;
        at = OpprofMapFind(&lanes->curve_index, key);
        if (at == OPPROF_MAP_NONE) {
            at = lanes->curve_count;
            if (!OpprofGrow32(&lanes->curves, &lanes->curve_capacity, at + 1u,
                              sizeof *lanes->curves) ||
                !OpprofMapPut(&lanes->curve_index, key, at)) {
                return false;
            }
            lanes->curves[lanes->curve_count++] = (LaneCurve){ .name = counter.name,
                                                               .series = counter.series,
                                                               .most = counter.value };
        }
        lanes->curves[at].sum += counter.value;
        lanes->curves[at].samples++;
        lanes->curves[at].most = fmax(lanes->curves[at].most, counter.value);
    }
    return true;
}

/* ---- sums ---- */

/* Time from the first start to the last end in a process of a document. */
typedef struct Extent {
    int64_t first_ps;
    int64_t last_ps;
} Extent;

/* The sums while they are made. */
typedef struct Sums {
    OpprofTextMap by_process; /* document, a NUL, process: index into extents */
    Extent *extents;
    uint32_t *extent_of; /* by track: its extent */
    uint32_t extent_count;
    OpprofTextMap by_name; /* of a lane: index into list */
    Lane *list;
    uint32_t count;
} Sums;

static const char *name_of(const OpprofTrack *track)
{
    return track->thread_name != NULL ? track->thread_name : track->thread;
}

/* Index of the text, the next one if the map lacks it; OPPROF_MAP_NONE without memory. */
static uint32_t index_of(OpprofTextMap *map, const char *text, size_t length, uint32_t *count)
{
    const uint32_t found = OpprofTextMapFind(map, text, length);

    if (found != OPPROF_MAP_NONE) {
        return found;
    }
    return OpprofTextMapPut(map, text, length, *count, NULL) ? (*count)++ : OPPROF_MAP_NONE;
}

/* False without memory. */
static bool widen_extent(Sums *sums, const LaneTrack *track, uint32_t number)
{
    char *key = NULL;
    const int length =
        asprintf(&key, "%s%c%s", track->track->document, '\0', track->track->process);
    const uint32_t before = sums->extent_count;
    const uint32_t at =
        length < 0 ? OPPROF_MAP_NONE
                   : index_of(&sums->by_process, key, (size_t) length, &sums->extent_count);

    if (length >= 0) {
        free(key);
    }
    if (at == OPPROF_MAP_NONE) {
        return false;
    }
    if (at == before) {
        sums->extents[at] = (Extent){ INT64_MAX, INT64_MIN };
    }
    sums->extents[at].first_ps =
        track->first_ps < sums->extents[at].first_ps ? track->first_ps : sums->extents[at].first_ps;
    sums->extents[at].last_ps =
        track->last_ps > sums->extents[at].last_ps ? track->last_ps : sums->extents[at].last_ps;
    sums->extent_of[number] = at;
    return true;
}

/* False without memory. */
static bool add_to_lane(Sums *sums, const LaneTrack *track, const Extent *extent)
{
    const char *name = name_of(track->track);
    const uint32_t at = index_of(&sums->by_name, name, strlen(name), &sums->count);

    if (at == OPPROF_MAP_NONE) {
        return false;
    }
    sums->list[at].name = name;
    sums->list[at].busy_ps += (double) OpprofBusyTimeTotal(&track->busy);
    sums->list[at].whole_ps += (double) extent->last_ps - (double) extent->first_ps;
    sums->list[at].is_rough = sums->list[at].is_rough || track->busy.is_rough;
    sums->list[at].is_label = (track->track->flags & OPPROF_TRACK_LABELS) != 0;
    return true;
}

static int compare_lanes(const void *a, const void *b)
{
    const Lane *x = a;
    const Lane *y = b;
    const double left = x->busy_ps * y->whole_ps;
    const double right = y->busy_ps * x->whole_ps;

    return left != right ? (left > right ? -1 : 1) : strcmp(x->name, y->name);
}

Lane *LanesSum(const Lanes *lanes, uint32_t *ret_count)
{
    const size_t room = (size_t) lanes->track_count + 1;
    Sums sums = { .extents = calloc(room, sizeof *sums.extents),
                  .extent_of = calloc(room, sizeof *sums.extent_of),
                  .list = calloc(room, sizeof *sums.list) };
    bool is_good = sums.extents != NULL && sums.extent_of != NULL && sums.list != NULL;

    for (uint32_t i = 0; is_good && i < lanes->track_count; i++) {
        is_good = widen_extent(&sums, &lanes->tracks[i], i);
    }
    for (uint32_t i = 0; is_good && i < lanes->track_count; i++) {
        is_good = add_to_lane(&sums, &lanes->tracks[i], &sums.extents[sums.extent_of[i]]);
    }
    OpprofTextMapFinish(&sums.by_process);
    OpprofTextMapFinish(&sums.by_name);
    free(sums.extents);
    free(sums.extent_of);
    if (!is_good) {
        free(sums.list);
        return NULL;
    }
    qsort(sums.list, sums.count, sizeof *sums.list, compare_lanes);
    *ret_count = sums.count;
    return sums.list;
}

static int compare_curves(const void *a, const void *b, void *context)
{
    const LaneCurve *x = a;
    const LaneCurve *y = b;
    const OpprofStage *stage = context;
    const int by_name =
        strcmp(OpprofStageString(stage, x->name), OpprofStageString(stage, y->name));

    return by_name != 0
               ? by_name
               : strcmp(OpprofStageString(stage, x->series), OpprofStageString(stage, y->series));
}

void LanesSortCurves(Lanes *lanes, const OpprofStage *stage)
{
    if (lanes->curve_count > 0) {
        qsort_r(lanes->curves, lanes->curve_count, sizeof *lanes->curves, compare_curves,
                (void *) (uintptr_t) stage);
    }
}

void LanesFree(Lanes *lanes)
{
    for (uint32_t i = 0; i < lanes->track_count; i++) {
        OpprofBusyTimeFinish(&lanes->tracks[i].busy);
    }
    free(lanes->tracks);
    free(lanes->places);
    free(lanes->curves);
    OpprofMapFinish(&lanes->curve_index);
    *lanes = (Lanes){ .track_count = 0 };
}
