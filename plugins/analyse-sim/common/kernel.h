/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_KERNEL_H
#define ANALYSE_SIM_COMMON_KERNEL_H

/* The kernel whose instructions are analysed, from the parameters kernel, dump and result_dump. */

#include <opprof/kit/source.h>
#include <opprof/plugin.h>
#include <opprof/stage.h>

/* The parameters; `purpose` says what the kernel is for. */
#define KERNEL_PARAMS(purpose)                                                                     \
    { .name = "kernel",                                                                            \
      .type = OPPROF_PARAM_PATH,                                                                   \
      .summary = "ELF file of the kernel, " purpose "; aicore_binary.o in the dump directory "     \
                 "unless given." },                                                                \
        { .name = "dump",                                                                          \
          .type = OPPROF_PARAM_PATH,                                                               \
          .summary = "Dump directory, which names the kernel and the address it was loaded at." }, \
        { .name = "chip",                                                                          \
          .type = OPPROF_PARAM_STRING,                                                             \
          .default_value = "auto",                                                                 \
          .summary = "SoC or series whose file names the kernel in the dump directory." },         \
    {                                                                                              \
        .name = "result_dump", .type = OPPROF_PARAM_STRING,                                        \
        .summary = "Dump directory below the results, which exists when the first instructions "   \
                   "come; instead of dump."                                                        \
    }

/* The kernel of a stage, for all its instances. */
typedef struct Kernel Kernel;

/*
 * `lacking`: what a kernel that cannot be read costs, as the beginning of a message. `needs_lines`:
 * a kernel without debug information deserves a warning. NULL without memory. [instance 0]
 */
Kernel *KernelCreate(OpprofStage *stage, const OpprofParams *params, const char *lacking,
                     bool needs_lines);

/*
 * The kernel's lines, opened by the instance that asks first: a dump that the run makes does not
 * exist before its first instructions. NULL: no kernel. Returns false without memory. [any
 * instance]
 */
bool KernelLines(Kernel *kernel, OpprofSource **ret_source);

/* What prevents reading all lines so far, or NULL. [any instance] */
const char *KernelProblem(Kernel *kernel);

/* NULL is allowed. */
void KernelDestroy(Kernel *kernel);

#endif
