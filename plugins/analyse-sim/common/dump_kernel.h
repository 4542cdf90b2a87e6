/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_DUMP_KERNEL_H
#define ANALYSE_SIM_COMMON_DUMP_KERNEL_H

#include <opprof/kit/source.h>

/*
 * Address at which the kernel of a dump was loaded: the one in its start file; if that is missing
 * or 0, the smallest address in the popped logs, which are read for that; 0: unknown.
 */
uint64_t DumpKernelStart(const char *dump);

/* Name of the kernel of a dump that sim-live made, as its start file has it, for free(); NULL:
 * unknown. */
char *DumpKernelName(const char *dump);

/* File names beside a dump's logs. */
typedef struct DumpNames {
    const char *file;  /* the kernel */
    const char *start; /* a text file whose first line is the load address */
} DumpNames;

/* As named by Ascend's tools, and by opprof's recordings. */
extern const DumpNames dump_usual_names;

/*
 * Open the kernel of a dump.
 *
 * kernel:  ELF file, or NULL: the one in the dump directory
 * dump:    directory, or NULL: the kernel was loaded at 0
 * names:   of what lies there; of a dump whose start has another name than the usual one, no logs
 * are read for it Returns as OpprofSourceOpen; also OPPROF_E_NOT_FOUND, without an error, when
 * `kernel` is NULL and the directory has none.
 */
OpprofStatus DumpKernelOpen(const char *kernel, const char *dump, const DumpNames *names,
                            OpprofSource **ret_source, OpprofError **error);

#endif
