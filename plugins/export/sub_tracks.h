/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_SUB_TRACKS_H
#define EXPORT_SUB_TRACKS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Which of several parallel tracks a slice goes to, so that no two slices of one track overlap: the
 * lowest free one. A tree of minima finds it in O(log n). Zeroed memory has none yet.
 */
typedef struct SubTracks {
    uint64_t *
        tree; /* node i has the children 2i and 2i + 1; leaves, the ends so far, start at `capacity` */
    uint32_t capacity; /* leaves, a power of two, or 0 */
} SubTracks;

#define SUB_TRACKS_MAX 65536u
#define SUB_TRACKS_NO_MEMORY UINT32_MAX
#define SUB_TRACKS_CROWDED (UINT32_MAX - 1) /* all of them are taken */

/* Number of the track, from 0, or one of the two above. */
uint32_t SubTracksPlace(SubTracks *tracks, uint64_t start, uint64_t end);
void SubTracksFinish(SubTracks *tracks);

#endif
