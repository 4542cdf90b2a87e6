/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_CHIP_CHOICE_H
#define OPPROF_KIT_CHIP_CHOICE_H

/**
 * @file
 * The one rule by which the chip of some data is chosen, from the chip that the user asks for and
 * the SoC that the data names. Experimental while the ABI's major number is 0.
 */

#include <opprof/kit/chip.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Whether the chip is left to the data.
 *
 * @param asked  The parameter `chip`; NULL or "auto", in upper or lower case: the data names it.
 *               [any thread]
 */
bool OpprofChipIsAuto(const char *asked);

/**
 * Load the chip of some data. "auto" is the data's SoC. A series is the data's SoC if it belongs to
 * the series, else the series' default SoC. A SoC is that SoC.
 *
 * @param asked               As OpprofChipIsAuto.
 * @param soc                 SoC that the data names; NULL or "": none.
 * @param[out] ret_chip       To be given to OpprofChipFree.
 * @param[out] ret_is_substitute  The data names another SoC than the chip that was loaded. May be
 *                                NULL.
 * @return OPPROF_OK; OPPROF_E_DATA: "auto", and the data names none; otherwise as OpprofChipLoad.
 *         [any thread]
 */
OpprofStatus OpprofChipChoose(const char *asked, const char *soc, OpprofChip **ret_chip,
                              bool *ret_is_substitute, OpprofError **error);

#ifdef __cplusplus
}
#endif

#endif
