/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_FORMULA_H
#define OPPROF_KIT_FORMULA_H

/**
 * @file
 * The formulas of chip files. A formula is parsed once into a compact program and evaluated many
 * times. docs/chips/formulas.md describes the language, and when a value is absent. Experimental.
 *
 * A formula of reals calculates in double over an OpprofInputs: integers are exact below 2^53, and
 * a count that is shown as it is has all its bits. A formula of whole numbers calculates with 64
 * bits over an array of numbers: addresses and sizes, which doubles do not hold.
 */

#include <opprof/error.h>
#include <opprof/record.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPPROF_FORMULA_MAX_INPUTS 16384u /**< Most inputs of one set. */
#define OPPROF_FORMULA_MAX_LENGTH 8192u  /**< Most bytes of one formula. */
#define OPPROF_FORMULA_MAX_NAME 128u     /**< Most bytes of a name or key. */

/** A parsed formula. Opaque, immutable. */
typedef struct OpprofFormula OpprofFormula;

/** Numbers of a formula. */
typedef enum OpprofFormulaKind {
    OPPROF_FORMULA_REAL = 0,    /**< Doubles. */
    OPPROF_FORMULA_WHOLE = 1,   /**< Whole numbers from 0 to 2^64 - 1, which stay in this range. */
    OPPROF_FORMULA_WRAPPING = 2 /**< Whole numbers modulo 2^64. */
} OpprofFormulaKind;

/** Meaning of a name. */
typedef enum OpprofBindingKind {
    OPPROF_BIND_NOTHING = 0, /**< The name is unknown. */
    OPPROF_BIND_INPUT = 1,   /**< An input, given anew for each evaluation. */
    OPPROF_BIND_NUMBER = 2,  /**< A constant. */
    OPPROF_BIND_FORMULA = 3  /**< Another formula, inserted in its place as if in brackets. */
} OpprofBindingKind;

/** Answer to "what is this name?". */
typedef struct OpprofBinding {
    uint32_t kind;  /**< OpprofBindingKind. */
    uint32_t input; /**< OPPROF_BIND_INPUT: which one, from 0. */
    /** OPPROF_BIND_INPUT: set with OpprofInputsCount, never with OpprofInputsReal. */
    bool is_integer;
    double number;       /**< OPPROF_BIND_NUMBER of reals; an integer value counts as an integer. */
    uint64_t whole;      /**< OPPROF_BIND_NUMBER of whole numbers. */
    const char *formula; /**< OPPROF_BIND_FORMULA: its text, borrowed for the call. */
} OpprofBinding;

/** Say what `name` or `name(key)` stands for (key NULL: no brackets). OPPROF_OK, also for an
 * unknown name, which stays OPPROF_BIND_NOTHING, with a hint for the author in *ret_hint (static,
 * or of the context); a failure stops the parse. */
typedef OpprofStatus OpprofBind(void *context, const char *name, const char *key,
                                OpprofBinding *ret_binding, const char **ret_hint,
                                OpprofError **error);

/** The text of a formula. */
typedef struct OpprofFormulaText {
    const char *name; /**< Its name in messages ("aic_cube_ratio"). */
    const char *text;
    size_t length; /**< Bytes of the text. */
    uint32_t kind; /**< OpprofFormulaKind. */
} OpprofFormulaText;

/**
 * Parse a formula.
 *
 * @param text              Borrowed for the call.
 * @param bind              Called for every name that is not a function of the language, in the
 *                          order of the text.
 * @param context           First argument of `bind`.
 * @param[out] ret_formula  To be given to OpprofFormulaFree.
 * @return OPPROF_OK; OPPROF_E_DATA with the column; OPPROF_E_LIMIT (too long, too deep);
 *         OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofFormulaParse(const OpprofFormulaText *text, OpprofBind *bind, void *context,
                                OpprofFormula **ret_formula, OpprofError **error);

/** Free. NULL is allowed. [owner] */
void OpprofFormulaFree(OpprofFormula *formula);

/** True if every result is an integer, so that OpprofFormulaCount loses nothing. [any thread] */
bool OpprofFormulaIsInteger(const OpprofFormula *formula);

/** Inputs that the formula uses, `ret_count` of them, each once, in the text's order. Borrowed.
 * [any thread] */
const uint32_t *OpprofFormulaInputs(const OpprofFormula *formula, size_t *ret_count);

/** The value of a formula of whole numbers over `values`, those of the inputs. [any thread] */
uint64_t OpprofFormulaWhole(const OpprofFormula *formula, const uint64_t *values);

/** What formulas of reals are evaluated over, to be set by functions. One thread only. */
typedef struct OpprofInputs {
    double *nearest; /**< Value of each input as a double; NaN: absent. */
    uint64_t *exact; /**< Value of each integer; OPPROF_NA_U64: it is a real. */
    uint32_t count;  /**< Number of inputs. */
} OpprofInputs;

/** Allocate `count` inputs, at most OPPROF_FORMULA_MAX_INPUTS, all absent. False without memory.
 * [owner] */
bool OpprofInputsInit(OpprofInputs *inputs, uint32_t count);
/** Free what an OpprofInputs owns. A zeroed one is allowed. [owner] */
void OpprofInputsFinish(OpprofInputs *inputs);
/** Make one input absent. `input`: below the inputs' count. [owner] */
void OpprofInputsAbsent(OpprofInputs *inputs, uint32_t input);
/** Give an integer `input` its `value`; OPPROF_NA_U64 makes it absent. [owner] */
void OpprofInputsCount(OpprofInputs *inputs, uint32_t input, uint64_t value);
/** Give another `input` its `value`; any NaN or infinity makes it absent. [owner] */
void OpprofInputsReal(OpprofInputs *inputs, uint32_t input, double value);

/** The value of a formula of reals; OpprofNaF64() if it has none. Neither it nor `inputs`, all that
 * OpprofFormulaInputs lists, are checked: this runs for every cell of a table.
 * [any thread, with inputs of its own] */
double OpprofFormulaReal(const OpprofFormula *formula, const OpprofInputs *inputs);

/** The same as a count; OPPROF_NA_U64 if the formula has no value over `inputs`, or one that is
 * negative, fractional, or at least 2^64 - 1. Unchecked, too. [owner] */
uint64_t OpprofFormulaCount(const OpprofFormula *formula, const OpprofInputs *inputs);

/** Why a value is absent. */
typedef enum OpprofAbsence {
    OPPROF_PRESENT = 0,          /**< It is not. */
    OPPROF_ABSENT_INPUT = 1,     /**< An input is absent: *ret_input. */
    OPPROF_ABSENT_ZERO = 2,      /**< A division by zero. */
    OPPROF_ABSENT_NEGATIVE = 3,  /**< A diff() below zero. */
    OPPROF_ABSENT_SAID = 4,      /**< The formula says "na". */
    OPPROF_ABSENT_TOO_LARGE = 5, /**< Beyond the range of a double. */
    OPPROF_ABSENT_BITS = 6       /**< bits() of a number that is not an integer from 0 to 2^53. */
} OpprofAbsence;

/**
 * Why the value of a formula of reals is absent. Slower than an evaluation. [owner]
 *
 * @param inputs          Those of the evaluation.
 * @param[out] ret_input  The absent input, for OPPROF_ABSENT_INPUT; may be NULL.
 * @return The reason; OPPROF_PRESENT if the value is present.
 */
OpprofAbsence OpprofFormulaWhy(const OpprofFormula *formula, const OpprofInputs *inputs,
                               uint32_t *ret_input);

#ifdef __cplusplus
}
#endif

#endif
