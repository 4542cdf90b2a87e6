/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_CHIP_H
#define OPPROF_KIT_CHIP_H

/**
 * @file
 * Facts about chips. They are data: one JSON file per chip series in the installed `chips`
 * directory, and more in the directories of OPPROF_CHIP_PATH (colon-separated, looked at first).
 * See docs/chips/chip-files.md. A `path` is names of members with dots between. Experimental.
 * [any thread]
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
 *         are known); OPPROF_E_MEMORY.
 */
OpprofStatus OpprofChipLoad(const char *name, OpprofChip **ret_chip, OpprofError **error);

/** Check a parameter that names a chip before anything is read: as OpprofChipLoad, but "auto" is
 * good. */
OpprofStatus OpprofChipCheck(const char *name, OpprofError **error);

/**
 * Whether the parameter `chip` leaves the chip to the data: NULL or "auto", in any case.
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
 * @return As OpprofChipLoad; OPPROF_E_DATA also: "auto", and the data names none.
 */
OpprofStatus OpprofChipChoose(const char *asked, const char *soc, OpprofChip **ret_chip,
                              bool *ret_is_substitute, OpprofError **error);

/** Name of the SoC as the file spells it. Borrowed. */
const char *OpprofChipSoc(const OpprofChip *chip);
/** Name of the series ("910B"). Borrowed. */
const char *OpprofChipSeries(const OpprofChip *chip);

/** The text at a path ("simulator.pair_by"), NULL if absent or not a text. Borrowed. */
const char *OpprofChipText(const OpprofChip *chip, const char *path);
/** The number at a path in `ret_value`; false if absent or not a number. */
bool OpprofChipNumber(const OpprofChip *chip, const char *path, double *ret_value);
/** The truth value at a path; `otherwise` if absent. */
bool OpprofChipBool(const OpprofChip *chip, const char *path, bool otherwise);
/** Ticks a second of a `clock` ("core") under `clocks` (there in MHz); 0 if absent. */
uint64_t OpprofChipClock(const OpprofChip *chip, const char *clock);

/** The chip file that states the fact at a path ("pmu.groups"): of several the one that decides.
 * From an index on ("columns[4].unit") the path is ignored. NULL if no file does. Borrowed. */
const char *OpprofChipOrigin(const OpprofChip *chip, const char *path);

/**
 * Refuse a fact of the chip's files, as in "chip.json at /pmu/rounds: the list is empty". The error
 * names the file with the fact, or with the nearest one around a missing fact.
 *
 * @param format  What is wrong, as printf; cut after some 500 bytes.
 * @return OPPROF_E_DATA.
 */
OpprofStatus OpprofChipRefuse(const OpprofChip *chip, const char *path, OpprofError **error,
                              const char *format, ...) OPPROF_PRINTF(4, 5);

/** A piece of the facts: an object, an array, a text, a number or a truth value. Opaque; belongs to
 * the chip. Every function takes NULL for "not there", so that looking deeper needs no checks on
 * the way. */
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

/** The fact at a path, NULL if absent; the empty path gives all facts. */
const OpprofFact *OpprofChipFact(const OpprofChip *chip, const char *path);
/** Kind of a fact. */
OpprofFactKind OpprofFactGetKind(const OpprofFact *fact);
/** Member of an object by its full `name` (dots do not divide it), NULL if absent. */
const OpprofFact *OpprofFactMember(const OpprofFact *object, const char *name);
/** Number of elements of an array; 0 for anything else. */
size_t OpprofFactCount(const OpprofFact *array);
/** Element of an array by its `index` from 0, NULL out of range. */
const OpprofFact *OpprofFactAt(const OpprofFact *array, size_t index);
/** A text, NULL if it is not one. Borrowed. */
const char *OpprofFactText(const OpprofFact *fact);
/** A number in `ret_value`, unchanged when this is false: it is not one. */
bool OpprofFactNumber(const OpprofFact *fact, double *ret_value);
/** A truth value; `otherwise` if it is not one. */
bool OpprofFactBool(const OpprofFact *fact, bool otherwise);

/** Place in a walk over an object's members. Begin with zero. */
typedef struct OpprofFactWalk {
    void *place;  /**< For OpprofFactNext. */
    bool started; /**< For OpprofFactNext. */
} OpprofFactWalk;

/**
 * The next member of an object in the order of the file (members of a file it extends come first),
 * without comments (names that begin with "_" or "x-"). False at the end.
 *
 * @param walk                Zeroed before the first call.
 * @param ret_name, ret_fact  The member. Borrowed from the chip.
 */
bool OpprofFactNext(const OpprofFact *object, OpprofFactWalk *walk, const char **ret_name,
                    const OpprofFact **ret_fact);

/**
 * All known SoC names, sorted. Returns how many.
 *
 * @param[out] ret_names  Array of texts; free each text, then the array. NULL when there are none.
 */
size_t OpprofChipList(char ***ret_names);

/** All known series names in `ret_names`, as OpprofChipList; each is good for OpprofChipLoad.
 * Returns how many. */
size_t OpprofChipSeriesList(char ***ret_names);

/** The series whose chips may state something at a path, in `ret_names` as OpprofChipSeriesList,
 * for a module that must know whose facts fit what it sees: texts of files are searched, and only
 * files that seem to state it are read. Returns how many; one may state nothing there after all. */
size_t OpprofChipSeriesStating(const char *path, char ***ret_names);

/** A part of chip files whose names can be explained. */
typedef struct OpprofFactList {
    /** "dbi.rules": an object whose members have the names, or an array of objects with `names`. */
    const char *path;
    const char *what;   /**< Kind of such a name: "rule of instrumentation records". */
    const char *member; /**< Word for a value that is not an object: "file". NULL: "value". */
} OpprofFactList;

/**
 * For a plugin's `explain`: print the facts of a name, with the file that says it, or a line for
 * each name if it is "all".
 *
 * @param lists  `count` of them.
 * @param name   What is to be explained, or "all".
 * @param out    Open for writing. Borrowed.
 * @return OPPROF_OK; OPPROF_E_NOT_FOUND if no list has the name, with a message if one has a name
 *         that is near, else without, since others may know it; as OpprofChipLoad.
 */
OpprofStatus OpprofChipExplain(const char *chip, const OpprofFactList *lists, size_t count,
                               const char *name, FILE *out, OpprofError **error);

/** Give a use back, with all that was borrowed. NULL is allowed. */
void OpprofChipFree(OpprofChip *chip);

#ifdef __cplusplus
}
#endif

#endif
