/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distributes overlapping slices over parallel tracks.
 * Tested by tests/plugins/export/test_perfetto.sh.
 */
#include "sub_tracks.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_TRACKS 4u

static void update(SubTracks *tracks, uint32_t node)
{
    for (node /= 2; node > 0; node /= 2) {
        const uint64_t left = tracks->tree[2 * node];
        const uint64_t right = tracks->tree[2 * node + 1];

        tracks->tree[node] = left < right ? left : right;
    }
}

/* Doubles the number of tracks; the new ones are free. */
static bool grow(SubTracks *tracks)
{
    const uint32_t capacity = tracks->capacity == 0 ? FIRST_TRACKS : tracks->capacity * 2;
    uint64_t *tree = calloc(2 * (size_t) capacity, sizeof *tree);

    if (tree == NULL) {
        return false;
    }
    if (tracks->capacity > 0) {
        memcpy(tree + capacity, tracks->tree + tracks->capacity, tracks->capacity * sizeof *tree);
    }
    free(tracks->tree);
    *tracks = (SubTracks){ .tree = tree, .capacity = capacity };
    for (uint32_t node = capacity - 1; node > 0; node--) {
        tree[node] = tree[2 * node] < tree[2 * node + 1] ? tree[2 * node] : tree[2 * node + 1];
    }
    return true;
}

uint32_t SubTracksPlace(SubTracks *tracks, uint64_t start, uint64_t end)
{
    uint32_t node = 1;

    if (tracks->capacity == 0 || tracks->tree[1] > start) {
        if (tracks->capacity == SUB_TRACKS_MAX) {
            return SUB_TRACKS_CROWDED;
        }
        if (!grow(tracks)) {
            return SUB_TRACKS_NO_MEMORY;
        }
    }
    while (node < tracks->capacity) {
        node = 2 * node + (tracks->tree[2 * node] > start);
    }
    tracks->tree[node] = end;
    update(tracks, node);
    return node - tracks->capacity;
}

void SubTracksFinish(SubTracks *tracks)
{
    free(tracks->tree);
    *tracks = (SubTracks){ .tree = NULL };
}
