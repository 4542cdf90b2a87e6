/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_DUMP_KERNEL_H
#define ANALYSE_SIM_DUMP_KERNEL_H

#include <opprof/kit/source.h>

/* Address at which the kernel of a dump was loaded: in its start file; where that is missing or 0,
 * the smallest address in the popped logs, which are read for that; 0: unknown. */
uint64_t DumpKernelStart(const char *dump);

/*
 * Open the kernel of a dump.
 *
 * kernel:  ELF file, or NULL: the one in the dump directory
 * dump:    directory, or NULL: the kernel was loaded at 0
 * Returns as OpprofSourceOpen; also OPPROF_E_NOT_FOUND, without an error, when `kernel` is NULL and
 * the directory has none.
 */
OpprofStatus DumpKernelOpen(const char *kernel, const char *dump, OpprofSource **ret_source,
                            OpprofError **error);

#endif
