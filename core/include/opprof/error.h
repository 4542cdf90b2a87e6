/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_ERROR_H
#define OPPROF_ERROR_H

/**
 * @file
 * Errors for people: a chain of causes, innermost first in time, printed outermost first.
 * Experimental. [any thread]
 *
 * Every fallible function ends in `OpprofError **error`. It may be NULL (the caller does not care)
 * or point to a NULL or to an earlier error, which then becomes the cause of the new one. Message
 * grammar: what failed, on what ('quoted'), where, why; what to do goes into the hint. A `format`
 * is as of printf; the text is copied, without control characters. `file` and `line` are of the
 * source.
 */

#include <opprof/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
/** Lets the compiler check printf arguments. */
#define OPPROF_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define OPPROF_PRINTF(format_index, first)
#endif

/** A chain of causes. Opaque; one owner; not shared between threads without hand-over. */
typedef struct OpprofError OpprofError;

/** Record a failure and return its status, so that "fail and return" is one expression. The caller
 * owns *error. Without memory a static error takes its place. */
#define OpprofErrorSet(error, status, ...)                                                         \
    OpprofErrorSetAt((error), (status), __FILE__, __LINE__, __VA_ARGS__)

/** Record that there was no memory for something: "Cannot read 'x': out of memory" of the literal
 * format "read '%s'" and its argument. Returns OPPROF_E_MEMORY. */
#define OpprofErrorNoMemory(error, ...) OPPROF_ERROR_NO_MEMORY((error), __VA_ARGS__, "")

/** @cond The "" at the end leaves no empty list of arguments, which C11 and C++17 do not have. */
#define OPPROF_ERROR_NO_MEMORY(error, doing, ...)                                                  \
    OpprofErrorSetAt(error, OPPROF_E_MEMORY, __FILE__, __LINE__,                                   \
                     "Cannot " doing ": out of memory%s", __VA_ARGS__)
/** @endcond */

/** Put a sentence of context around *error, keeping its status. Returns that status. */
#define OpprofErrorWrap(error, ...) OpprofErrorWrapAt((error), __FILE__, __LINE__, __VA_ARGS__)

/** Say what could not be done because a call returned `status`: a sentence of context around
 * *error, or, where the call left no reason, the sentence and the name of the status: "Cannot draw
 * 'x': out of memory". Returns the status; one that is not a failure passes, and
 * nothing is said. */
#define OpprofErrorExplain(error, status, ...)                                                     \
    OpprofErrorExplainAt((error), (status), __FILE__, __LINE__, __VA_ARGS__)

/** Hand a chain on to the caller, with its hints: what is in *error already becomes its innermost
 * cause. `reason` is what a call left, owned by *error afterwards. Returns its status; OPPROF_OK
 * for NULL, and then nothing is done. */
OpprofStatus OpprofErrorPass(OpprofError **error, OpprofError *reason);

/** Called by OpprofErrorSet. Returns `status`. */
OpprofStatus OpprofErrorSetAt(OpprofError **error, OpprofStatus status, const char *file, int line,
                              const char *format, ...) OPPROF_PRINTF(5, 6);

/** Called by OpprofErrorWrap. Returns the status of the error; OPPROF_OK without one, and then
 * nothing is done. */
OpprofStatus OpprofErrorWrapAt(OpprofError **error, const char *file, int line, const char *format,
                               ...) OPPROF_PRINTF(4, 5);

/** Called by OpprofErrorExplain. Returns `status`. */
OpprofStatus OpprofErrorExplainAt(OpprofError **error, OpprofStatus status, const char *file,
                                  int line, const char *format, ...) OPPROF_PRINTF(5, 6);

/** Say what to do about the outermost cause of *error; the last hint given to a cause wins. */
void OpprofErrorHint(OpprofError **error, const char *format, ...) OPPROF_PRINTF(2, 3);

/** Status of the outermost cause; OPPROF_OK for NULL. */
OpprofStatus OpprofErrorStatus(const OpprofError *error);

/** Message of the outermost cause, "" for NULL. Borrowed, valid until the error is destroyed. */
const char *OpprofErrorMessage(const OpprofError *error);

/** The messages of the whole chain in one line, for messages that name the reason at their end:
 * "Cannot load 'x': it is not JSON"; "" for NULL. Made at the first call; without memory the
 * message of the innermost cause. Borrowed, valid until the error is destroyed.
 * [the owner's thread] */
const char *OpprofErrorLine(const OpprofError *error);

/** Hint of the outermost cause, or NULL. Borrowed. */
const char *OpprofErrorGetHint(const OpprofError *error);

/** The cause below, or NULL at the innermost. Borrowed. */
const OpprofError *OpprofErrorCause(const OpprofError *error);

/** The whole chain as text: the outermost message, then lines of "because: …" and "hint: …";
 * also, `with_source`, file and line of each cause. For free(), without a newline at the end; NULL
 * without memory. */
char *OpprofErrorText(const OpprofError *error, bool with_source);

/** Free a chain. NULL is allowed. */
void OpprofErrorDestroy(OpprofError *error);

#ifdef __cplusplus
}
#endif

#endif
