/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_VOCABULARY_H
#define SIM_TIMELINE_VOCABULARY_H

#include "cross_flags.h"
#include "palette.h"

#include "analyse-sim/common/process_bytes.h"

#include <opprof/stage.h>

#define NAME_CACHE 1024u    /* slots, a power of two */
#define CATEGORY_CACHE 256u /* slots, a power of two */

/* How an instruction's name affects its drawing. */
typedef struct NameInfo {
    uint32_t name; /* interned; 0: the slot is free */
    RowKind kind;
    CrossKind cross;
    uint32_t simt_colour; /* interned */
    NameFacts facts;
} NameInfo;

/* Category of the arrows from one lane to another. */
typedef struct CategoryInfo {
    uint32_t from; /* interned names of the lanes; 0: the slot is free */
    uint32_t to;
    uint32_t category;
} CategoryInfo;

/* Ids of all texts that a timeline repeats, so that no row looks one up. One per instance. */
typedef struct Vocabulary {
    OpprofStage *stage;
    const InstructionFacts *chip; /* NULL: not looked up yet */
    uint32_t chip_name;           /* interned */
    CrossRule cross;              /* the chip's */
    LanePlaces places;
    PipeRoles roles;
    uint32_t main_document;
    uint32_t code;
    uint32_t detail;
    uint32_t pc_addr;
    uint32_t process_bytes;
    uint32_t cache_time;
    uint32_t ccu_time;
    uint32_t trace_start;
    uint32_t trace_stop;
    uint32_t empty;
    uint32_t flow;
    uint32_t scalar;
    uint32_t other_colour;
    uint32_t set_colour;
    uint32_t wait_colour;
    uint32_t cache_miss_colour;
    uint32_t user_mark_colour;
    NameInfo names[NAME_CACHE];
    CategoryInfo categories[CATEGORY_CACHE];
} Vocabulary;

/* False if the string table has no room. */
bool VocabularyInit(Vocabulary *words, OpprofStage *stage);

/* Later words are of this chip, interned; OPPROF_NA_STRING: of any chip. False without memory. */
bool VocabularyUse(Vocabulary *words, uint32_t chip);

/* Look of a pipe, including pipes without one of their own. */
PipeLook VocabularyLook(const Vocabulary *words, const char *pipe);

/* Never NULL. Valid until the next call. */
const NameInfo *VocabularyName(Vocabulary *words, uint32_t name);

/* "<from>To<to>", interned. */
uint32_t VocabularyCategory(Vocabulary *words, uint32_t from, uint32_t to);

/* Id of a NUL-terminated text. */
uint32_t VocabularyIntern(Vocabulary *words, const char *text);

#endif
