/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds or declares a core's pipes, warps, lanes and their tracks. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "core_lanes.h"

#include <opprof/grow.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t CoreMainTrack(CoreLanes *core, const char *thread, int32_t sort)
{
    const OpprofTrack track = {
        .document = OpprofStageString(core->shared->stage, core->shared->main.open.partition),
        .process = core->name,
        .thread = thread,
        .process_sort = PaletteCoreSort(core->shared->words.chip, core->name),
        .thread_sort = sort,
        .flags =
            OPPROF_TRACK_APART |
            (strcmp(thread, core->shared->words.roles.user_mark) == 0 ? OPPROF_TRACK_LABELS : 0)
    };

    return OpprofStageTrack(core->shared->stage, &track);
}

uint32_t CoreOwnTrack(CoreLanes *core, uint32_t number, const char *label, uint32_t thread)
{
    char process[NUMBER_ROOM];
    char thread_id[NUMBER_ROOM];
    char thread_name[256];
    const OpprofTrack track = { .document =
                                    OpprofStageString(core->shared->stage, core->own_document),
                                .process = process,
                                .process_name = label,
                                .thread = thread_id,
                                .thread_name = thread_name,
                                .process_sort = (int32_t) number,
                                .thread_sort = (int32_t) thread,
                                .flags =
                                    OPPROF_TRACK_NUMERIC_PROCESS | OPPROF_TRACK_NUMERIC_THREAD };

    snprintf(process, sizeof process, "%u", number);
    snprintf(thread_id, sizeof thread_id, "%u", thread);
    snprintf(thread_name, sizeof thread_name, "%s_%u", label, thread);
    return OpprofStageTrack(core->shared->stage, &track);
}

static Lane *add_lane(CoreLanes *core, uint32_t number, const char *label, bool reorders)
{
    Lane *lane;

    if (!OpprofGrow32(&core->lanes, &core->lane_capacity, (size_t) core->lane_count + 1,
                      sizeof(Lane *))) {
        return NULL;
    }
    lane = calloc(1, sizeof *lane);
    if (lane == NULL) {
        return NULL;
    }
    lane->number = number;
    lane->label_id = VocabularyIntern(&core->shared->words, label);
    lane->label = OpprofStageString(core->shared->stage, lane->label_id);
    lane->reorders = reorders;
    /* Threads below it are those of the digits of marks. */
    lane->first_thread =
        strcmp(label, core->shared->words.roles.user_mark) == 0 ? CORE_MARK_DIGITS : 1;
    core->lanes[core->lane_count++] = lane;
    return lane;
}

Lane *CoreAddPipeLane(CoreLanes *core, const char *pipe)
{
    PipeLook look = { .number = 0 };
    const bool has_look = PaletteOfPipe(core->shared->words.chip, pipe, &look);

    return add_lane(
        core, has_look ? look.number : core->shared->words.places.other_number + core->others++,
        pipe, true);
}

Lane *CoreAddMissLane(CoreLanes *core, const char *pipe)
{
    /* A lane without a number of its own: one below the others' numbers. */
    PipeLook look = { .number = core->shared->words.places.other_number - 1 };

    PaletteOfPipe(core->shared->words.chip, pipe, &look);
    return add_lane(core, look.number, pipe, true);
}

static PipeState *add_pipe(CoreLanes *core, uint32_t pipe)
{
    const char *name = OpprofStageString(core->shared->stage, pipe);
    const PipeLook look = VocabularyLook(&core->shared->words, name);
    PipeState *state;

    if (!OpprofGrow32(&core->pipes, &core->pipe_capacity, (size_t) core->pipe_count + 1,
                      sizeof(PipeState *))) {
        return NULL;
    }
    state = calloc(1, sizeof *state);
    if (state == NULL) {
        return NULL;
    }
    core->pipes[core->pipe_count++] = state;
    state->pipe = pipe;
    state->colour = VocabularyIntern(&core->shared->words, look.colour);
    state->is_scalar = pipe == core->shared->words.scalar;
    state->main_track = CoreMainTrack(core, name, look.sort);
    state->lane = CoreAddPipeLane(core, name);
    return state->main_track == OPPROF_NA_U32 || state->lane == NULL ? NULL : state;
}

PipeState *CoreFindPipe(CoreLanes *core, uint32_t pipe)
{
    PipeState **cached = &core->pipe_cache[pipe & (CORE_PIPE_CACHE - 1)];

    if (*cached != NULL && (*cached)->pipe == pipe) {
        return *cached;
    }
    for (uint32_t i = 0; i < core->pipe_count; i++) {
        if (core->pipes[i]->pipe == pipe) {
            *cached = core->pipes[i];
            return *cached;
        }
    }
    return add_pipe(core, pipe);
}

WarpState *CoreFindWarp(CoreLanes *core, unsigned warp)
{
    WarpState *state = &core->warps[warp];
    char label[NUMBER_ROOM];

    if (state->lane != NULL) {
        return state;
    }
    snprintf(label, sizeof label, "WARP_%u", warp);
    state->main_track =
        CoreMainTrack(core, label, core->shared->words.places.warp_sort + (int32_t) warp);
    state->lane = add_lane(core, core->shared->words.places.warp_number + warp, label, false);
    return state->lane == NULL || state->main_track == OPPROF_NA_U32 ? NULL : state;
}

static bool make_track_room(Lane *lane, uint32_t sub_lane)
{
    return OpprofGrow32(&lane->tracks, &lane->track_capacity, (size_t) sub_lane + 1,
                        sizeof *lane->tracks);
}

/* Sub-lanes come into use one by one, so the requested one exists or is the next to declare. */
uint32_t CoreSubLaneTrack(CoreLanes *core, Lane *lane, uint32_t sub_lane)
{
    uint32_t track;

    if (sub_lane < lane->track_count) {
        return lane->tracks[sub_lane];
    }
    if (!make_track_room(lane, sub_lane)) {
        return OPPROF_NA_U32;
    }
    track = CoreOwnTrack(core, lane->number, lane->label, lane->first_thread + sub_lane);
    if (track == OPPROF_NA_U32 && sub_lane > 0) {
        /* A run can have only a limited number of tracks. */
        track = lane->tracks[sub_lane - 1];
        lane->let_go = true;
    }
    lane->tracks[sub_lane] = track;
    lane->track_count = sub_lane + 1;
    return track;
}

OpprofStatus CoreLanesKeep(CoreLanes *core)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < core->lane_count; i++) {
        status = LaneKeep(core->lanes[i]);
    }
    return status;
}

bool CoreLanesLetGo(const CoreLanes *core)
{
    bool let_go = false;

    for (uint32_t i = 0; i < core->lane_count; i++) {
        let_go = let_go || core->lanes[i]->let_go || core->lanes[i]->is_full;
    }
    return let_go;
}

bool CoreLanesInit(CoreLanes *core, TimelineShared *shared, uint32_t partition)
{
    const char *place = OpprofStageString(shared->stage, partition);
    const char *slash = strrchr(place, '/');
    char *document;

    core->shared = shared;
    core->name = slash == NULL ? place : slash + 1;
    core->name_length = strlen(core->name);
    if (core->name_length > CORE_NAME_MAX || asprintf(&document, "%s/trace", place) < 0) {
        return false;
    }
    core->own_document = VocabularyIntern(&shared->words, document);
    free(document);
    return core->own_document != OPPROF_NA_STRING;
}

void CoreLanesFinish(CoreLanes *core)
{
    for (uint32_t i = 0; i < core->lane_count; i++) {
        LaneFinish(core->lanes[i]);
        free(core->lanes[i]);
    }
    free(core->lanes);
    for (uint32_t i = 0; i < core->pipe_count; i++) {
        free(core->pipes[i]);
    }
    free(core->pipes);
}
