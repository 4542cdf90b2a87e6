/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_SHARED_H
#define SIM_TIMELINE_SHARED_H

#include "cross_pairs.h"
#include "sheet.h"
#include "vocabulary.h"

#include <opprof/kit/source.h>

#define CORE_NAME_MAX 200u /* bytes of a core's name */
#define CODE_CACHE 4096u   /* slots, a power of two */

/* Call stack of an address as text. */
typedef struct CodeInfo {
    uint64_t pc;
    uint32_t code; /* interned; OPPROF_NA_STRING: the slot is free */
} CodeInfo;

/* Shared by the cores of one instance. */
typedef struct TimelineShared {
    OpprofStage *stage;
    Vocabulary words;
    Sheet main;       /* document "trace": instructions */
    Sheet main_marks; /* of other ports, whose order does not matter */
    Sheet main_misses;
    Sheet main_arrows; /* between cores */
    uint32_t port;     /* of the spans of instructions, marks, misses */
    uint32_t mark_port;
    uint32_t miss_port;
    bool has_reader;      /* of the spans */
    CrossPairs *cross;    /* of all instances */
    OpprofSource *source; /* of the kernel; NULL if none */
    CodeInfo codes[CODE_CACHE];
} TimelineShared;

#endif
