/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_PARAMS_H
#define OPPROF_PARAMS_H

/**
 * @file
 * Parameters of a plugin: a table that the plugin declares, and the checked values that it gets at
 * Configure. Validation, defaults, `--inspect` and the documentation all come from the table. In
 * all functions, `name` is that of the parameter, and an `index` counts from 0. Experimental.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Type of a parameter. */
typedef enum OpprofParamType {
    OPPROF_PARAM_BOOL = 1,   /**< true or false. */
    OPPROF_PARAM_INT = 2,    /**< int64_t within min..max. */
    OPPROF_PARAM_DOUBLE = 3, /**< double within min..max. */
    OPPROF_PARAM_STRING = 4, /**< Any text. */
    OPPROF_PARAM_CHOICE = 5, /**< One of `choices`. */
    /** Bytes as a number or "64MiB", "4KiB", "1GiB"; read with OpprofParamsInt. */
    OPPROF_PARAM_SIZE = 6,
    /** Nanoseconds as "10ms", "2s", "5us"; read with OpprofParamsInt. */
    OPPROF_PARAM_DURATION = 7,
    OPPROF_PARAM_PATH = 8, /**< File or directory name. */
    /** Texts: a JSON array, or one text split at commas. Elements obey `choices`. */
    OPPROF_PARAM_LIST = 9
} OpprofParamType;

#define OPPROF_PARAM_REQUIRED 1u /**< Must be given; has no default. */
/** A LIST's text may have empty elements, which are left out. */
#define OPPROF_PARAM_SKIP_EMPTY 2u

/** One parameter. */
typedef struct OpprofParam {
    const char *name;          /**< snake_case. */
    uint32_t type;             /**< OpprofParamType. */
    uint32_t flags;            /**< OPPROF_PARAM_* flags. */
    const char *default_value; /**< As one would type it after --set; NULL: unset. */
    double min;                /**< Smallest value; min == max means no limits. */
    double max;                /**< Largest value. */
    const char *const
        *choices;        /**< NULL-terminated, for CHOICE and LIST (case-insensitive); else NULL. */
    const char *unit;    /**< Unit of a number, or NULL. */
    const char *summary; /**< One sentence. */
} OpprofParam;

/** Checked values. Opaque; valid until the stage is destroyed. All reads: [stage or main]. */
typedef struct OpprofParams OpprofParams;

/*
 * All but OpprofParamsHas ask for a parameter of the plugin's own table, of a type that the
 * function reads; anything else is a mistake in the plugin and aborts (require.h).
 */

/** True if the plugin's table has the parameter: for code that plugins with different tables share.
 * [stage or main] */
bool OpprofParamsHas(const OpprofParams *params, const char *name);
/** True if the parameter has a value, given or default. [stage or main] */
bool OpprofParamsIsSet(const OpprofParams *params, const char *name);
/** Value of a BOOL; false if unset. [stage or main] */
bool OpprofParamsBool(const OpprofParams *params, const char *name);
/** Value of an INT, SIZE (bytes) or DURATION (ns); 0 if unset. [stage or main] */
int64_t OpprofParamsInt(const OpprofParams *params, const char *name);
/** Value of a DOUBLE; 0 if unset. [stage or main] */
double OpprofParamsDouble(const OpprofParams *params, const char *name);
/** Value of a STRING, PATH or CHOICE (as spelt in the table); NULL if unset. Borrowed.
 * [stage or main] */
const char *OpprofParamsString(const OpprofParams *params, const char *name);
/** Number of elements of a LIST; 0 if unset. [stage or main] */
size_t OpprofParamsCount(const OpprofParams *params, const char *name);
/** Element of a LIST, NULL if out of range. Borrowed. [stage or main] */
const char *OpprofParamsElement(const OpprofParams *params, const char *name, size_t index);

/** "int", "size", … of an OpprofParamType; NULL if there is no such type. [any thread] */
const char *OpprofParamTypeName(uint32_t type);

/** Range of a number's values, such as "1 to 100 ms" or "at least 1KiB"; "" without limits. For
 * free(); NULL without memory. [any thread] */
char *OpprofParamRangeText(const OpprofParam *param);

#ifdef __cplusplus
}
#endif

#endif
