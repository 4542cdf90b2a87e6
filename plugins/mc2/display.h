/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_DISPLAY_H
#define MC2_DISPLAY_H

#include <opprof/error.h>

/* How users want their marks shown: names of ids, and whether blocks have spans. */

#define DISPLAY_MAX_NAMES 1024u
#define DISPLAY_MAX_TEXT 64u

typedef struct DisplayName {
    uint32_t id;
    char text[DISPLAY_MAX_TEXT + 1];
} DisplayName;

typedef struct Display {
    bool hides_blocks;
    DisplayName *names;
    size_t count;
    size_t skipped; /* entries that are wrong */
    bool is_over;   /* more than DISPLAY_MAX_NAMES: all are ignored */
} Display;

/*
 * Read a configuration: {"mc2_trace_config":{"enable_block_time":bool,"descid_display":{…}}}.
 * Fails with OPPROF_E_DATA (no JSON), OPPROF_E_IO, OPPROF_E_MEMORY.
 */
OpprofStatus DisplayLoad(const char *path, Display *ret_display, OpprofError **error);
/* The same for a text. */
OpprofStatus DisplayRead(const char *text, size_t length, Display *ret_display,
                         OpprofError **error);

/* Name of an id, NULL: none. */
const char *DisplayFind(const Display *display, uint32_t id);

void DisplayFinish(Display *display);

#endif
