/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_NAMES_H
#define COLLECT_KINETO_RANK_NAMES_H

#include "collect-kineto/text/chunks.h"
#include "collect-kineto/formats/vocabulary.h"

#include <opprof/map.h>

/* Kind of the named thing: the same letters may have several meanings. */
typedef enum NameKind { NAME_WORK, NAME_CALL, NAME_STEP, NAME_TEXT, NAME_KINDS } NameKind;

/* Longer names are cut, and beyond this many bytes of different names new ones are called
 * NAMES_OTHER. */
#define NAME_BYTES_MAX (64u << 10)
#define NAMES_BYTES_MAX (8u << 20)
#define NAMES_OTHER "(other names)"

#define NAMES_RECENT 256u /* a power of two: names that are found without a search */

/* A name and its meaning in the vocabulary. */
typedef struct Name {
    const char *text; /* ends with NUL, which does not count */
    uint32_t length;
    uint8_t kind;     /* NameKind */
    uint16_t meaning; /* WorkClass, CallKind and CALL_ flags, or whether it is a step */
} Name;

/* Distinct names of a trace. */
typedef struct Names {
    Chunks list;                      /* of Name; 0 is NAMES_OTHER */
    OpprofTextMap places[NAME_KINDS]; /* in list, of the names of a kind */
    char *scratch;                    /* NAME_BYTES_MAX bytes, for names with escapes */
    size_t bytes;                     /* of all texts */
    uint32_t recent[NAMES_RECENT];    /* index of a name, by its length and its end; 0: none yet */
    bool is_full;
} Names;

/* False without memory. */
bool NamesInit(Names *names);
void NamesFinish(Names *names);

/*
 * Find or add a name.
 *
 * ret_meaning:  as in Name, also for a name that is not kept
 * Returns its index, or UINT32_MAX without memory.
 */
uint32_t NamesGet(Names *names, const Vocabulary *vocabulary, NameKind kind, JsonText text,
                  uint16_t *ret_meaning);

static inline const Name *NamesAt(const Names *names, uint32_t index)
{
    return CHUNKS_AT(&names->list, index, const Name);
}

#endif
