/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_LOG_H
#define OPPROF_LOG_H

/**
 * @file
 * The run's narrative, on stderr. Failures travel as OpprofError and are reported once, by the
 * function that ends them; the log says what happened on the way. Never per record. Experimental.
 */

#include <opprof/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How much a line matters. */
typedef enum OpprofLogLevel {
    OPPROF_LOG_ERROR = 0,   /**< Something was lost. */
    OPPROF_LOG_WARNING = 1, /**< Unexpected but handled; the message says how. Default. */
    OPPROF_LOG_INFO = 2,    /**< One line per stage or file. */
    OPPROF_LOG_DEBUG = 3    /**< For debugging a plugin. */
} OpprofLogLevel;

/** Lines above this level are not printed. The environment variable OPPROF_LOG, such as
 * "dump:debug,trace:error", gives single tags (stages have their id) a level of their own.
 * [main, before threads run] */
void OpprofLogSetLevel(OpprofLogLevel level);

/** Send lines elsewhere, to `sink` with its `context`; NULL restores stderr. The sink gets whole
 * lines without newline and is called under a lock, one line at a time. [main, before threads run]
 */
void OpprofLogSetSink(void (*sink)(void *context, OpprofLogLevel level, const char *line),
                      void *context);

/** Write one line "level tag: message". Errno is kept. The `tag` is the id of a stage or a word of
 * the library; the `format` is as of printf, without a newline at its end. [any thread] */
void OpprofLog(OpprofLogLevel level, const char *tag, const char *format, ...) OPPROF_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif

#endif
