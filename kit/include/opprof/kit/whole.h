/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_WHOLE_H
#define OPPROF_KIT_WHOLE_H

/**
 * @file
 * Formulas of whole numbers of 64 bits, for what records say: addresses, sizes and counts, which doubles do not hold. They
 * are parsed once and evaluated for each record. docs/chips/chip-files.md describes the language.
 * Experimental while the ABI's major number is 0.
 *
 * Sums and products that pass 2^64 stay at the top and differences below 0 at 0, unless the formula wraps. What is divided by 0 is 0.
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A parsed formula. Opaque, immutable. */
typedef struct OpprofWhole OpprofWhole;

/** What a name stands for. */
typedef struct OpprofWholeName {
    bool is_number;  /**< It is a number; else one of the values. */
    uint32_t index;  /**< Which of the values that a formula is evaluated over. */
    uint64_t number; /**< The number, with is_number. */
} OpprofWholeName;

/** Tell what a name stands for; false: nothing. */
typedef bool OpprofWholeBind(void *context, const char *name, OpprofWholeName *ret_name);

/**
 * Parse a formula.
 *
 * @param text            The formula, at most 1024 bytes.
 * @param wraps           Whether sums, differences and products are modulo 2^64.
 * @param bind            Called for each name, in the order of the text.
 * @param context         First argument of `bind`.
 * @param[out] ret_whole  To be given to OpprofWholeFree.
 * @return OPPROF_OK; OPPROF_E_DATA with the column; OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofWholeParse(const char *text, bool wraps, OpprofWholeBind *bind, void *context,
                              OpprofWhole **ret_whole, OpprofError **error);

/**
 * Its value over these values, which it indexes as `bind` said. [any thread]
 *
 * @param values  One for each `index` that `bind` gave.
 * @return The value.
 */
uint64_t OpprofWholeEvaluate(const OpprofWhole *whole, const uint64_t *values);

/** Free. NULL is allowed. [owner] */
void OpprofWholeFree(OpprofWhole *whole);

#ifdef __cplusplus
}
#endif

#endif
