/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_NOTES_H
#define REPORT_NOTES_H

#include <opprof/stage.h>
#include <stdbool.h>

/* A piece of advice; its texts are sanitized. */
typedef struct Note {
    uint32_t severity; /* OpprofSeverity */
    char *sentence;
    char *topic;
    char *subject; /* of the one with the largest gain, or the first; "" for the whole run */
    char *numbers; /* of the named one; "" for none */
    char *column;  /* that holds the value; "" for none */
    char *file;    /* that holds the column; "" for none */
    char *unit;    /* of the value; "" for none */
    double value;  /* NaN if none */
    double gain;   /* percent that could be saved at most; NaN: unknown */
    char *rule;    /* that says so; "" for none */
    char *todo;    /* "" for unknown */
    uint32_t said; /* number of occurrences, of a rule: of its subjects */
} Note;

/* Advice, each sentence and each rule once. Zeroed memory holds none. */
typedef struct Notes {
    Note *list;
    uint32_t count;
    uint32_t capacity;
    uint64_t left_out; /* more than are kept */
} Notes;

/* False without memory. */
bool NotesTake(Notes *notes, const OpprofStage *stage, const OpprofBatch *batch);
/* The largest gain first, then the most severe, then the most frequent. */
void NotesSort(Notes *notes);
void NotesFree(Notes *notes);

#endif
