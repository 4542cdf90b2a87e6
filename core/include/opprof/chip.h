/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_CHIP_H
#define OPPROF_CHIP_H

/**
 * @file
 * Facts about chips. They are data: one JSON file a chip series in the installed `chips` directory, and
 * more in the directories of OPPROF_CHIP_PATH (colon-separated, looked at first). See docs/chips.md.
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Facts of one chip: its series file, what that extends, and the overrides of the SoC. Opaque, immutable. */
typedef struct OpprofChip OpprofChip;

/**
 * Find a chip.
 *
 * @param name  SoC name ("Ascend910B1") or series name ("910B": its default SoC); case does not matter.
 * @param[out] ret_chip  To be given to OpprofChipFree.
 * @return OPPROF_OK; OPPROF_E_NOT_FOUND with the nearest names as hint; OPPROF_E_DATA (a chip file is
 *         wrong: the error names file and line or member); OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofChipLoad(const char *name, OpprofChip **ret_chip, OpprofError **error);

/** Name of the SoC as the file spells it. Borrowed. */
const char *OpprofChipSoc(const OpprofChip *chip);
/** Name of the series ("910B"). Borrowed. */
const char *OpprofChipSeries(const OpprofChip *chip);

/**
 * A text of the file by dotted path ("simulator.pair_by"), NULL if absent or no text. Borrowed. [any thread]
 */
const char *OpprofChipText(const OpprofChip *chip, const char *path);
/** A number by dotted path; false if absent or no number. [any thread] */
bool OpprofChipNumber(const OpprofChip *chip, const char *path, double *ret_value);
/** A truth value by dotted path; `otherwise` if absent. [any thread] */
bool OpprofChipBool(const OpprofChip *chip, const char *path, bool otherwise);
/** Ticks a second of a clock ("core") under `clocks` (given there in MHz); 0 if absent. [any thread] */
uint64_t OpprofChipClock(const OpprofChip *chip, const char *clock);

/**
 * All SoC names that are known, sorted.
 *
 * @param[out] ret_names  Array of texts; free each text, then the array. NULL when there are none.
 * @return How many. [any thread]
 */
size_t OpprofChipList(char ***ret_names);

/** Free. NULL is allowed. */
void OpprofChipFree(OpprofChip *chip);

#ifdef __cplusplus
}
#endif

#endif
