/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_CHIP_H
#define OPPROF_KIT_CHIP_H

/**
 * @file
 * Facts about chips. They are data: one JSON file per chip series in the installed `chips`
 * directory, and more in the directories of OPPROF_CHIP_PATH (colon-separated, looked at first).
 * See docs/chips/chip-files.md. Experimental while the ABI's major number is 0.
 *
 * Each file is read once per process, when a chip that needs it is first asked for, and each chip
 * is made once: all loads of a SoC share it. Files that change later are not seen.
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Facts of one chip: its series file, what that extends, and the overrides of the SoC. Opaque,
 * immutable. */
typedef struct OpprofChip OpprofChip;

/**
 * Find a chip. Any number of threads may use it together, since it never changes.
 *
 * @param name  SoC name ("Ascend910B1") or series name ("910B": its default SoC); case does not
 *              matter.
 * @param[out] ret_chip  Shared; give this use of it back with OpprofChipFree.
 * @return OPPROF_OK; OPPROF_E_NOT_FOUND with the nearest names as hint; OPPROF_E_DATA (a chip file
 *         is wrong: the error names file and line or member, and all mistakes in facts whose tables
 *         are known); OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofChipLoad(const char *name, OpprofChip **ret_chip, OpprofError **error);

/**
 * Check a parameter that names a chip before anything is read: reports all that OpprofChipLoad
 * would.
 *
 * @param name  SoC or series; "auto" is good.
 * @return As OpprofChipLoad. [any thread]
 */
OpprofStatus OpprofChipCheck(const char *name, OpprofError **error);

/**
 * Whether the parameter `chip` leaves the chip to the data: NULL or "auto", in any case.
 * [any thread]
 *
 * @param asked  The parameter.
 */
bool OpprofChipIsAuto(const char *asked);

/**
 * Load the chip of some data, by the one rule: "auto" is the data's SoC. A series is the data's SoC
 * if it belongs to the series, else the series' default SoC. A SoC is that SoC.
 *
 * @param asked               The parameter `chip`.
 * @param soc                 SoC that the data names; NULL or "": none.
 * @param[out] ret_chip       As OpprofChipLoad.
 * @param[out] ret_is_substitute  The data names another SoC than the chip's. May be NULL.
 * @return As OpprofChipLoad; OPPROF_E_DATA also: "auto", and the data names none. [any thread]
 */
OpprofStatus OpprofChipChoose(const char *asked, const char *soc, OpprofChip **ret_chip,
                              bool *ret_is_substitute, OpprofError **error);

/** Name of the SoC as the file spells it. Borrowed. [any thread] */
const char *OpprofChipSoc(const OpprofChip *chip);
/** Name of the series ("910B"). Borrowed. [any thread] */
const char *OpprofChipSeries(const OpprofChip *chip);

/**
 * A text of the file by dotted path ("simulator.pair_by"), NULL if absent or not a text. Borrowed.
 * [any thread]
 *
 * @param path  Names of members with dots between.
 */
const char *OpprofChipText(const OpprofChip *chip, const char *path);
/**
 * A number by dotted path; false if absent or not a number. [any thread]
 *
 * @param path            As OpprofChipText.
 * @param[out] ret_value  The number; unchanged when this is false.
 */
bool OpprofChipNumber(const OpprofChip *chip, const char *path, double *ret_value);
/**
 * A truth value by dotted path; `otherwise` if absent. [any thread]
 *
 * @param path  As OpprofChipText.
 */
bool OpprofChipBool(const OpprofChip *chip, const char *path, bool otherwise);
/**
 * Ticks a second of a clock ("core") under `clocks` (given there in MHz); 0 if absent. [any thread]
 *
 * @param clock  Name of the clock.
 */
uint64_t OpprofChipClock(const OpprofChip *chip, const char *clock);

/**
 * The chip file that states the fact at a dotted path ("pmu.groups"): of several the one that
 * decides. From an index on ("columns[4].unit") the path is not looked at. NULL if no file does.
 * Borrowed. [any thread]
 *
 * @param path  As OpprofChipText.
 */
const char *OpprofChipOrigin(const OpprofChip *chip, const char *path);

/**
 * Refuse a fact of the chip's files, as in "chip.json at /pmu/rounds: the list is empty". The error
 * names the file with the fact, or, if the fact is missing, the file with the nearest fact around
 * it. [any thread]
 *
 * @param path    As OpprofChipOrigin.
 * @param error   Receives the error.
 * @param format  What is wrong, as printf; cut after some 500 bytes.
 * @return OPPROF_E_DATA.
 */
OpprofStatus OpprofChipRefuse(const OpprofChip *chip, const char *path, OpprofError **error,
                              const char *format, ...) OPPROF_PRINTF(4, 5);

/**
 * A piece of the facts: an object, an array, a text, a number or a truth value. Opaque; belongs to
 * the chip. Every function takes NULL for "not there", so that looking deeper needs no checks on
 * the way.
 */
typedef struct OpprofFact OpprofFact;

/** Kind of a fact. */
typedef enum OpprofFactKind {
    OPPROF_FACT_NONE = 0,   /**< Not there, or null. */
    OPPROF_FACT_OBJECT = 1, /**< Named members. */
    OPPROF_FACT_ARRAY = 2,  /**< Elements. */
    OPPROF_FACT_TEXT = 3,   /**< A text. */
    OPPROF_FACT_NUMBER = 4, /**< A number. */
    OPPROF_FACT_BOOL = 5    /**< A truth value. */
} OpprofFactKind;

/**
 * The fact at a dotted path ("pmu.groups"), NULL if absent; the empty path gives all facts.
 * [any thread]
 *
 * @param path  As OpprofChipText.
 */
const OpprofFact *OpprofChipFact(const OpprofChip *chip, const char *path);
/** Kind of a fact. [any thread] */
OpprofFactKind OpprofFactGetKind(const OpprofFact *fact);
/**
 * Member of an object by its full name (dots do not divide it), NULL if absent. [any thread]
 *
 * @param name  Name of the member.
 */
const OpprofFact *OpprofFactMember(const OpprofFact *object, const char *name);
/** Number of elements of an array; 0 for anything else. [any thread] */
size_t OpprofFactCount(const OpprofFact *array);
/**
 * Element of an array, NULL out of range. [any thread]
 *
 * @param index  From 0.
 */
const OpprofFact *OpprofFactAt(const OpprofFact *array, size_t index);
/** A text, NULL if it is not one. Borrowed. [any thread] */
const char *OpprofFactText(const OpprofFact *fact);
/**
 * A number; false if it is not one. [any thread]
 *
 * @param[out] ret_value  The number; unchanged when this is false.
 */
bool OpprofFactNumber(const OpprofFact *fact, double *ret_value);
/** A truth value; `otherwise` if it is not one. [any thread] */
bool OpprofFactBool(const OpprofFact *fact, bool otherwise);

/** Place in a walk over an object's members. Begin with zero. */
typedef struct OpprofFactWalk {
    void *place;  /**< For OpprofFactNext. */
    bool started; /**< For OpprofFactNext. */
} OpprofFactWalk;

/**
 * The next member of an object in the order of the file (members of a file it extends come first),
 * without comments (names that begin with "_" or "x-"). False at the end. [any thread]
 *
 * @param walk           Place of the walk, zeroed before the first call.
 * @param[out] ret_name  Name of the member. Borrowed from the chip.
 * @param[out] ret_fact  Its value. Borrowed from the chip.
 */
bool OpprofFactNext(const OpprofFact *object, OpprofFactWalk *walk, const char **ret_name,
                    const OpprofFact **ret_fact);

/**
 * All known SoC names, sorted.
 *
 * @param[out] ret_names  Array of texts; free each text, then the array. NULL when there are none.
 * @return How many. [any thread]
 */
size_t OpprofChipList(char ***ret_names);

/**
 * All known series names, sorted; each is good for OpprofChipLoad.
 *
 * @param[out] ret_names  As OpprofChipList.
 * @return How many. [any thread]
 */
size_t OpprofChipSeriesList(char ***ret_names);

/**
 * The series whose chips may state something at a dotted path ("simulator.logs"), sorted. As
 * OpprofChipSeriesList, but the texts of files are searched, and only files that seem to state it
 * are read: for a module that must know whose facts fit what it sees.
 *
 * @param[out] ret_names  As OpprofChipList.
 * @return How many; one of them may state nothing there after all. [any thread]
 */
size_t OpprofChipSeriesStating(const char *path, char ***ret_names);

/** A part of chip files whose names can be explained. */
typedef struct OpprofFactList {
    /** "dbi.rules": an object whose members have the names, or an array of objects with `names`. */
    const char *path;
    const char *what;   /**< Kind of such a name: "rule of instrumentation records". */
    const char *member; /**< Word for a value that is not an object: "file". NULL: "value". */
} OpprofFactList;

/**
 * For a plugin's `explain`: print the chip file's facts of a name, with the file that says it, or a
 * line for each name if it is "all".
 *
 * @param lists  `count` of them.
 * @param name   What is to be explained, or "all".
 * @param out    Open for writing. Borrowed.
 * @return OPPROF_OK; OPPROF_E_NOT_FOUND if no list has the name, with a message if one has a name
 *         that is near, else without, since others may know it; as OpprofChipLoad. [any thread]
 */
OpprofStatus OpprofChipExplain(const char *chip, const OpprofFactList *lists, size_t count,
                               const char *name, FILE *out, OpprofError **error);

/** Give a use back. What was borrowed from the chip must not be used any more. NULL is allowed.
 * [any thread] */
void OpprofChipFree(OpprofChip *chip);

#ifdef __cplusplus
}
#endif

#endif
