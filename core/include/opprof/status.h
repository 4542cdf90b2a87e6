/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_STATUS_H
#define OPPROF_STATUS_H

/**
 * @file
 * Status codes: what a caller does next. What a person reads is the OpprofError beside it.
 * Experimental.
 */

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Outcome of a call. Values from OPPROF_E_ARGUMENT on are failures; those below it are not. */
typedef enum OpprofStatus {
    OPPROF_OK = 0,           /**< Done. */
    OPPROF_END = 1,          /**< Nothing more will come; all that was pushed has been popped. */
    OPPROF_AGAIN = 2,        /**< Nothing now; calling again may give something. */
    OPPROF_CLOSED = 3,       /**< The run was aborted; give up at once and return this. */
    OPPROF_E_ARGUMENT = 16,  /**< A parameter, option or pipeline document is wrong. */
    OPPROF_E_MEMORY = 17,    /**< An allocation failed. */
    OPPROF_E_IO = 18,        /**< A file or directory could not be read or written. */
    OPPROF_E_DATA = 19,      /**< Input was read but makes no sense. */
    OPPROF_E_NOT_FOUND = 20, /**< A named thing does not exist. */
    OPPROF_E_LOAD = 21,      /**< A plugin could not be loaded. */
    OPPROF_E_ABI = 22,       /**< A plugin was built for another ABI. */
    OPPROF_E_LIMIT = 23,     /**< A documented limit was passed. */
    OPPROF_E_CONTRACT = 24,  /**< A caller broke the rules of a function. */
    OPPROF_E_CRASH = 25      /**< A stage ended in a way it should not have. */
} OpprofStatus;

/** True for every failure. [any thread] */
static inline bool OpprofFailed(OpprofStatus status)
{
    return status >= OPPROF_E_ARGUMENT;
}

/** Short lower-case name of a status, such as "bad data"; never NULL. Borrowed. [any thread] */
const char *OpprofStatusName(OpprofStatus status);

#ifdef __cplusplus
}
#endif

#endif
