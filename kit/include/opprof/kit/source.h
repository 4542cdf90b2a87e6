/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_SOURCE_H
#define OPPROF_KIT_SOURCE_H

/**
 * @file
 * From addresses of a kernel to lines of its source, with inlined calls, by the DWARF of its ELF
 * file.
 *
 * There is one source a kernel and start address in the process, however many stages open it, and
 * each address is looked up once. Nothing is executed and no other file is read.
 */

#include <opprof/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The debug information of a kernel. Opaque; shared; any thread. */
typedef struct OpprofSource OpprofSource;

/** A line of source code. Equal lines of one OpprofSource are one object. */
typedef struct OpprofSourceLine {
    const char *text;     /**< "file:line", NUL-terminated. */
    uint32_t file_length; /**< Bytes of `text` that are the file's path. */
    uint32_t line;        /**< From 1. */
    uint32_t id;          /**< Counts the lines of the source from 0. */
    bool is_toolkit; /**< The path tells that the line is of the toolkit, not of the operator. */
} OpprofSourceLine;

/**
 * The call stack of an address: its own line, then the line that this one was inlined into, and so
 * on. A line is in it once. Frames without a line are left out, and so are outer frames of the
 * toolkit. If every frame that has a line is of the toolkit and so is the outermost frame, the
 * innermost one stays.
 */
typedef struct OpprofSourceStack {
    const char *text; /**< The lines' texts with newlines between, NUL-terminated. */
    size_t length;    /**< Bytes of `text`. */
    uint32_t count;   /**< Lines; 0: nothing is known. */
    const OpprofSourceLine *const *lines; /**< `count` lines, innermost first. */
} OpprofSourceStack;

/** Name of the kernel in a dump directory. */
#define OPPROF_SOURCE_KERNEL "aicore_binary.o"
/** Name of the file in a dump directory whose first line is the kernel's start address. */
#define OPPROF_SOURCE_START "pc_start_addr.txt"

/**
 * Open a kernel: a 64-bit little-endian ELF file, linked or relocatable, of any machine. A kernel
 * without debug information opens as well; see OpprofSourceHasLines.
 *
 * @param path      ELF file.
 * @param start_pc  Address at which the kernel was loaded; addresses below it have no lines.
 * @param[out] ret_source  To be given to OpprofSourceClose.
 * @return OPPROF_OK, OPPROF_E_IO, OPPROF_E_DATA (no such ELF file, or broken) or OPPROF_E_MEMORY.
 * [any thread]
 */
OpprofStatus OpprofSourceOpen(const char *path, uint64_t start_pc, OpprofSource **ret_source,
                              OpprofError **error);

/**
 * Open the kernel of a camodel dump. Its start address comes from OPPROF_SOURCE_START; where that
 * is missing or 0x0, it is the smallest address in the popped logs, which are read for that.
 *
 * @param kernel  ELF file, or NULL: OPPROF_SOURCE_KERNEL in the dump directory.
 * @param dump    Dump directory, or NULL: the kernel was loaded at 0.
 * @return As OpprofSourceOpen; also OPPROF_E_NOT_FOUND, without an error, when `kernel` is NULL and
 * there is no OPPROF_SOURCE_KERNEL. [any thread]
 */
OpprofStatus OpprofSourceOpenDump(const char *kernel, const char *dump, OpprofSource **ret_source,
                                  OpprofError **error);

/** Path of the kernel. Borrowed. [any thread] */
const char *OpprofSourcePath(const OpprofSource *source);

/** True if the kernel has debug information at all. [any thread] */
bool OpprofSourceHasLines(const OpprofSource *source);

/** Call stack of an address, never changing; NULL without memory. Borrowed from the source. [any
 * thread, lock-free from the second time on] */
const OpprofSourceStack *OpprofSourceLookup(OpprofSource *source, uint64_t pc);

/** What of the debug information could not be read so far, or NULL. Borrowed from the source. [any
 * thread] */
const char *OpprofSourceProblem(OpprofSource *source);

/** Give the source back; the last user frees it with all stacks and lines. NULL is allowed. [any
 * thread] */
void OpprofSourceClose(OpprofSource *source);

#ifdef __cplusplus
}
#endif

#endif
