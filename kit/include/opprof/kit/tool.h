/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_TOOL_H
#define OPPROF_KIT_TOOL_H

/**
 * @file
 * Runs another program for a stage: a disassembler, an instrumenter, whatever the user or a vendor
 * has. It begins as if a shell had started it, in a process group of its own, and reads nothing. It
 * cannot hold up a run: it is ended, with what it started, when the run is to stop and when its
 * time is over. Experimental.
 */

#include <opprof/error.h>
#include <opprof/stage.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that are kept of the first line that a tool prints, with the NUL. */
#define OPPROF_TOOL_SAID 512u

/** Number of the descriptor at which a tool finds OpprofToolCall.file. */
#define OPPROF_TOOL_FILE 3

/** Takes what a tool prints, piece by piece; another status than OPPROF_OK ends the tool, and is
 * what OpprofToolRun returns. `text` is not ended by a NUL, and is borrowed for the call. */
typedef OpprofStatus OpprofToolTake(void *context, const char *text, size_t length,
                                    OpprofError **error);

/** A call of a tool. */
typedef struct OpprofToolCall {
    /** Its name, which is searched on PATH unless it has a slash, and arguments; NULL at the end.
     * Borrowed. */
    const char *const *words;
    int file;         /**< A descriptor that it has as OPPROF_TOOL_FILE; below 0: none. Borrowed. */
    uint32_t seconds; /**< It is ended after so long; 0: it may take as long as the run. */
    OpprofToolTake *take; /**< Takes its standard output; NULL: that is heard as errors are. */
    void *context;        /**< First argument of `take`. */
    char said[OPPROF_TOOL_SAID]; /**< Out: the first line that it printed as an error; "": none. */
} OpprofToolCall;

/**
 * Run a tool until it ends. A tool that fails is an error with its exit code and what it said.
 *
 * @param stage  Whose run it is for: a stop of the run ends it. NULL: only its time does.
 * @param call   `words`, `file`, `seconds`, `take` and `context` are in, `said` is out.
 * @return OPPROF_OK: its exit code was 0. OPPROF_E_NOT_FOUND: it cannot be run; OPPROF_E_DATA: it
 *         failed, or was ended; OPPROF_E_IO: there is no pipe for it; or what `take` returned.
 *         [any thread, one call at a time]
 */
OpprofStatus OpprofToolRun(const OpprofStage *stage, OpprofToolCall *call, OpprofError **error);

#ifdef __cplusplus
}
#endif

#endif
