/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_NAMES_H
#define MC2_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Colours by number in the viewer's palette of these timelines. */
typedef enum PaletteColour {
    PALETTE_GRASS,
    PALETTE_GREEN,
    PALETTE_PINK,
    PALETTE_YELLOW,
    PALETTE_PURPLE,
    PALETTE_BLUE,
    PALETTE_ORANGE,
    PALETTE_CYAN,
    PALETTE_RED
} PaletteColour;

/* The viewer's word for a colour; numbers beyond the palette wrap around. */
const char *PaletteName(uint64_t number);

/* A name and its colour. */
typedef struct NamedColour {
    uint64_t id;
    const char *name;
    uint32_t colour;
} NamedColour;

#define BIU_CORE_TYPES 3u
/* The cores of a group. */
extern const char *const biu_core_types[BIU_CORE_TYPES];

/* Interface that AI cores call: its start for an even mark, its end for an
 * odd one. NULL: unknown. */
const NamedColour *ApiFind(uint32_t mark);
/* A communication task by the hash of its name; "INVALID_TYPE" if unknown. */
const NamedColour *TaskNameFind(uint64_t hash);
/* A type in the task scheduler's log, NULL: unknown. Its colour is its number. */
const char *TaskTypeName(uint64_t type);
/* A phase of a turn of the AI CPU, 0 to 5. */
const NamedColour *TurnPhase(uint32_t phase);
/* A part of a collective kernel's log, NULL: unknown. */
const NamedColour *LcclPhase(uint32_t log);
/* Enumerations of communication tasks; "INVALID_TYPE" if unknown. */
const char *TransportName(uint32_t value);
const char *DataTypeName(uint32_t value);
const char *LinkName(uint32_t value);

#define TURN_EXECUTE 4u  /* phase in which a turn's tasks run … */
#define TURN_FINALIZE 5u /* … and in which the last of them ends */
#define TURN_PHASES 6u
#define TASK_TYPE_AI_CORE 0u
#define TASK_TYPE_AI_CPU 1u
#define UNKNOWN_NAME "INVALID_TYPE"

#endif
