/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_MAP_LOOKS_H
#define VIZ_INSIGHT_MAP_LOOKS_H

#include <stdbool.h>

#define MAP_SUFFIXES 2u

/* Parts of the viewer's memory map. */
typedef struct MapLook {
    const char *layout;  /* of the chip's memories */
    const char *drawing; /* the viewer's picture */
    bool has_peaks;      /* shares of peaks are shown */
    bool has_memory_detail;
    const char *suffixes[MAP_SUFFIXES]; /* members after the values of a path; NULL: none */
} MapLook;

/* An unknown layout counts as its own picture, without what only some pictures have. Borrows the
 * name. */
MapLook MapLookOf(const char *layout);

/* The viewer's number of a path; -1: none. */
int MapPathNumber(const char *name);

#endif
