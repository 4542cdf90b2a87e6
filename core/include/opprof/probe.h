/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_PROBE_H
#define OPPROF_PROBE_H

/**
 * @file
 * How a collector recognises its input: a bounded look at a file or directory that is to be
 * profiled. Experimental. [main]
 *
 * A probe lists names and reads beginnings of files, and keeps the limits by itself:
 * OPPROF_PROBE_FILES names, OPPROF_PROBE_DEPTH folders deep, and OPPROF_PROBE_BYTES read for each
 * collector that asks.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPPROF_PROBE_BYTES (64u << 10) /**< Read for one collector, of all files together. */
#define OPPROF_PROBE_HEAD (16u << 10)  /**< Read of one file. */
#define OPPROF_PROBE_FILES 4096u       /**< Files that are listed. */
#define OPPROF_PROBE_DEPTH 5u          /**< Folders below the input whose files are listed. */

#define OPPROF_CERTAIN 100u /**< A signature or magic number that nothing else has. */
#define OPPROF_LIKELY 80u   /**< Names and contents fit. */
#define OPPROF_POSSIBLE 40u /**< Names fit, or something else explains the same files better. */

/** The look at one input. Opaque; valid during a call of OpprofInputKind.recognise. */
typedef struct OpprofProbe OpprofProbe;

/** A kind of input that a collector recognises. */
typedef struct OpprofInputKind {
    /** kebab-case, unique in the collector; what `accepts` of a pipeline names. */
    const char *name;
    /** Description of such an input, shown when nothing was recognised: "a directory with …". */
    const char *summary;
    /** Whether the input is of the kind: 0 for no, up to 100. Of several kinds and collectors the
     * highest wins; equal ones are an error that shows all. No instance is made for it. */
    uint32_t (*recognise)(OpprofProbe *probe);
} OpprofInputKind;

/** The input as it was given. Borrowed. */
const char *OpprofProbePath(const OpprofProbe *probe);

/** True for a directory, false for a file. */
bool OpprofProbeIsDirectory(const OpprofProbe *probe);

/** A regular file that holds something and whose name, or with a '/' in it path below the input,
 * matches the `pattern` as of fnmatch(), by `index` in natural order, the files of a folder before
 * those below it. Its path below the input (of an input that is a file: its name), or NULL.
 * Borrowed. */
const char *OpprofProbeFile(const OpprofProbe *probe, const char *pattern, size_t index);

/** The first bytes of a `file`, as OpprofProbeFile gave it: how many, OPPROF_PROBE_HEAD at most; 0
 * too when it cannot be read or OPPROF_PROBE_BYTES are used up. `ret_bytes` is never NULL, and
 * valid as long as the probe. Reading a file again costs nothing. */
size_t OpprofProbeHead(OpprofProbe *probe, const char *file, const void **ret_bytes);

#ifdef __cplusplus
}
#endif

#endif
