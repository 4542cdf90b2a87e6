/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells devices of one number apart that different processes of a file have.
 * Tested by tests/plugins/collect-kineto/test_merged.sh.
 */
#include "collect-kineto/rank/apart.h"

#include "collect-kineto/rank/faults.h"

#include <opprof/intern.h>
#include <stdlib.h>

#define SEED UINT64_C(0xa0761d6478bd642f) /* any odd number */

static Lane *lane_at(RankTrace *trace, uint32_t i)
{
    return ChunksAt(&trace->lanes.list, i);
}

static void set_apart(RankTrace *trace, int64_t device)
{
    for (uint32_t i = 0; i < trace->lanes.list.count; i++) {
        Lane *lane = lane_at(trace, i);

        lane->is_apart |= lane->device == device;
    }
}

/* Origins that threads of the host have, too. */
static bool note_origins(const RankTrace *trace, OpprofMap *origins)
{
    for (uint32_t i = 0; i < trace->threads.list.count; i++) {
        const uint32_t origin = LaneAt(&trace->threads, i)->origin;

        if (origin != 0 && !OpprofMapPut(origins, origin, 0)) {
            return false;
        }
    }
    return true;
}

/* Devices with several known origins. */
static bool find_origins(RankTrace *trace, const OpprofMap *origins)
{
    OpprofMap firsts = { 0 }; /* the first lane of each device */
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < trace->lanes.list.count; i++) {
        Lane *lane = lane_at(trace, i);
        uint32_t first;

        if (lane->origin == 0 || OpprofMapFind(origins, lane->origin) == OPPROF_MAP_NONE) {
            continue;
        }
        first = OpprofMapFind(&firsts, (uint64_t) lane->device);
        if (first == OPPROF_MAP_NONE) {
            is_good = OpprofMapPut(&firsts, (uint64_t) lane->device, i);
        } else if (lane_at(trace, first)->origin != lane->origin && !lane->is_apart) {
            set_apart(trace, lane->device);
        }
    }
    OpprofMapFinish(&firsts);
    return is_good;
}

/* By lane: the first one with its device and stream. NULL without memory. */
static uint32_t *find_twins(RankTrace *trace, bool *ret_has_any)
{
    const uint32_t count = trace->lanes.list.count;
    uint32_t *twins = calloc((size_t) count + 1, sizeof *twins);
    OpprofMap places = { 0 };
    bool is_good = twins != NULL;

    *ret_has_any = false;
    for (uint32_t i = 0; is_good && i < count; i++) {
        const Lane *lane = lane_at(trace, i);
        const int64_t parts[] = { lane->device, lane->stream };
        const uint64_t key = OpprofInternHash(SEED, parts, sizeof parts);
        const uint32_t first = OpprofMapFind(&places, key);

        twins[i] = first == OPPROF_MAP_NONE ? i : first;
        *ret_has_any |= first != OPPROF_MAP_NONE && lane->is_queue;
        is_good = first != OPPROF_MAP_NONE || OpprofMapPut(&places, key, i);
    }
    OpprofMapFinish(&places);
    if (!is_good) {
        free(twins);
        return NULL;
    }
    return twins;
}

/* Where the work of a stream's number ends, and of which lane it is. */
typedef struct StreamEnd {
    int64_t end_ns;
    uint32_t lane;
    bool has;
} StreamEnd;

static void find_overlaps(RankTrace *trace, const LinkedTrace *linked, const uint32_t *twins,
                          StreamEnd *ends)
{
    for (uint32_t i = 0; i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);
        const Lane *lane = lane_at(trace, work->lane);
        StreamEnd *stream = &ends[twins[work->lane]];
        const int64_t end_ns = work->start_ns + (int64_t) work->duration_ns;

        if (stream->has && lane->is_queue && !lane->is_apart && stream->lane != work->lane &&
            stream->end_ns - work->start_ns >= FAULTS_OVERLAP_NS) {
            set_apart(trace, lane->device);
        }
        if (!stream->has || end_ns > stream->end_ns) {
            *stream = (StreamEnd){ .end_ns = end_ns, .lane = work->lane, .has = true };
        }
    }
}

bool ApartFind(RankTrace *trace, const LinkedTrace *linked)
{
    OpprofMap origins = { 0 };
    StreamEnd *ends = NULL;
    bool has_twins = false;
    uint32_t *twins;
    bool is_good;

    is_good = note_origins(trace, &origins) && find_origins(trace, &origins);
    OpprofMapFinish(&origins);
    twins = is_good ? find_twins(trace, &has_twins) : NULL;
    is_good = twins != NULL;
    if (is_good && has_twins) {
        ends = calloc((size_t) trace->lanes.list.count + 1, sizeof *ends);
        is_good = ends != NULL;
    }
    if (ends != NULL) {
        find_overlaps(trace, linked, twins, ends);
    }
    free(ends);
    free(twins);
    return is_good;
}
