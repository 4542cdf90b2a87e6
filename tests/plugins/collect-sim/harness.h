/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_COLLECT_SIM_HARNESS_H
#define TESTS_PLUGINS_COLLECT_SIM_HARNESS_H

/* Runs collect-sim in a pipeline whose other end keeps what it gets as lines of text. */

#include <opprof/opprof.h>
#include <stddef.h>

typedef struct TextList {
    char **lines;
    size_t count;
    size_t capacity;
} TextList;

typedef struct Collected {
    /* core, PC, id, start, end, pipe, name, detail, warp, scheduler; tabs between them */
    TextList rows;
    TextList marks;        /* core, name, PC, end PC, start, end, detail */
    TextList misses;       /* core, tick, PC, address, detail */
    TextList ends;         /* core, instructions, marks, misses, cores */
    uint64_t out_of_order; /* rows and misses that come before their partition's last one or a
                              watermark */
    uint64_t wrong_clock;  /* batches whose clock is not called "core" */
    uint64_t hz;           /* of the clock */
    OpprofStatus status;
    OpprofRunOutcome outcome;
    char *reason; /* why it is not complete */
    char *record; /* run.json */
    char *error;  /* the whole chain; NULL: none */
} Collected;

/* Run with these parameters, a JSON object. */
Collected *CollectSim(const char *params_json);
/* The same, but the run is asked to stop when so many rows have come. */
Collected *CollectSimStopped(const char *params_json, size_t rows);
void CollectedFree(Collected *collected);

void TextListAdd(TextList *list, const char *line);
void TextListSort(TextList *list);
void TextListFinish(TextList *list);

#endif
