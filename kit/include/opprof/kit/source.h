/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_SOURCE_H
#define OPPROF_KIT_SOURCE_H

/**
 * @file
 * From addresses of a kernel to lines of its source, with inlined calls, by the DWARF of its ELF
 * file. Experimental. [any thread]
 *
 * The process has one source per kernel, start address and toolkit, however many stages open it,
 * and each address is looked up once. Nothing is executed and no other file is read.
 */

#include <opprof/error.h>
#include <opprof/params.h>

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
    bool is_toolkit; /**< The path shows that the line is of the toolkit, not of the operator. */
} OpprofSourceLine;

/** The call stack of an address: its own line, then the line that this one was inlined into, and so
 * on, each once. Frames without a line and outer frames of the toolkit are left out; if all frames
 * with a line and the outermost frame are of the toolkit, the innermost one stays. */
typedef struct OpprofSourceStack {
    const char *text; /**< The lines' texts with newlines between, NUL-terminated. */
    size_t length;    /**< Bytes of `text`. */
    uint32_t count;   /**< Number of lines; 0: unknown. */
    const OpprofSourceLine *const *lines; /**< `count` lines, innermost first. */
} OpprofSourceStack;

/** How a kernel is opened. Zeroed: loaded at 0, without a toolkit. */
typedef struct OpprofSourceOptions {
    /** Address at which the kernel was loaded; addresses below it have no lines. */
    uint64_t start_pc;
    /** Name of the kernel in messages; NULL: its path. */
    const char *name;
    /** Part of the paths of the toolkit's sources, which are not the operator's; NULL: there is no
     * toolkit. */
    const char *toolkit;
    /** Directory from which the start is found, instead of `start_pc`; NULL: none. */
    const char *place;
    /** Finds the start in `place`; called once while a kernel is open for that directory. */
    uint64_t (*find_start)(const char *place);
} OpprofSourceOptions;

/**
 * Open a kernel: a 64-bit little-endian ELF file, linked or relocatable, of any machine. A kernel
 * without debug information opens as well; see OpprofSourceHasLines.
 *
 * @param path     ELF file.
 * @param options  How, or NULL for the default. The toolkit's text must stay; the rest is copied.
 * @param[out] ret_source  To be given to OpprofSourceClose.
 * @return OPPROF_OK, OPPROF_E_IO, OPPROF_E_DATA (no such ELF file, or broken) or OPPROF_E_MEMORY.
 */
OpprofStatus OpprofSourceOpen(const char *path, const OpprofSourceOptions *options,
                              OpprofSource **ret_source, OpprofError **error);

/** Name of the kernel in messages: its path, unless it was opened with a name. Borrowed. */
const char *OpprofSourcePath(const OpprofSource *source);

/** True if the kernel has debug information at all. */
bool OpprofSourceHasLines(const OpprofSource *source);

/**
 * Call stack of an address, never changing; NULL without memory. Borrowed from the source;
 * lock-free from the second time on.
 *
 * @param pc  The address, as the device sees it.
 */
const OpprofSourceStack *OpprofSourceLookup(OpprofSource *source, uint64_t pc);

/** The part of the debug information that could not be read so far, or NULL. Borrowed from the
 * source. */
const char *OpprofSourceProblem(OpprofSource *source);

/** Give the source back; the last user frees it with all stacks and lines. NULL is allowed. */
void OpprofSourceClose(OpprofSource *source);

/** Parameters of a stage that shows the texts of source files; see OpprofSourceFileOpen. */
#define OPPROF_SOURCE_FILE_PARAMS                                                                  \
    { .name = "source",                                                                            \
      .type = OPPROF_PARAM_LIST,                                                                   \
      .summary = "Directories with source files that are not where the kernel says." },            \
        { .name = "kernel",                                                                        \
          .type = OPPROF_PARAM_PATH,                                                               \
          .summary = "File beside which relative source files are looked for." },                  \
    {                                                                                              \
        .name = "beside", .type = OPPROF_PARAM_PATH,                                               \
        .summary = "Another file, or a directory, beside or in which they are."                    \
    }

/**
 * Open a source file that a kernel names. A path that is there counts; then, from the whole path to
 * the name alone, what is there in the directories `source`; and of a relative path, what is beside
 * `kernel` or `beside`.
 *
 * @param path    As the kernel has it. Borrowed for the call.
 * @param params  Of a stage with OPPROF_SOURCE_FILE_PARAMS; NULL: the path alone counts.
 * @return Descriptor of a file that can be read, to be closed; -1 with errno if there is none.
 */
int OpprofSourceFileOpen(const char *path, const OpprofParams *params);

#ifdef __cplusplus
}
#endif

#endif
