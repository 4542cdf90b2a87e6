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
        .summary = "Dump directory below the results of each launch, which exists when its first " \
                   "instructions come; instead of dump."                                           \
    }

/* The kernel of a launch, for all instances of a stage. */
typedef struct Kernel Kernel;

typedef struct KernelOptions {
    const OpprofParams *params;
    /* what a kernel that cannot be read costs, as the beginning of a message */
    const char *lacking;
    uint32_t folder;  /* of the launch, interned; OPPROF_NA_STRING: the output directory itself */
    bool needs_lines; /* a kernel without debug information deserves a warning */
} KernelOptions;

/* Texts are borrowed. NULL without memory. [any instance] */
Kernel *KernelCreate(OpprofStage *stage, const KernelOptions *options);

/*
 * The kernel's lines, opened by the instance that asks first: a dump that the run makes does not
 * exist before its first instructions. NULL: no kernel. Returns false without memory.
 * [any instance]
 */
bool KernelLines(Kernel *kernel, OpprofSource **ret_source);

/* Name of the kernel as the dump of the parameters has it, for free(); NULL: unknown. */
char *KernelName(const Kernel *kernel);

/* The problem that prevents reading all lines so far, or NULL. [any instance] */
const char *KernelProblem(Kernel *kernel);

/* NULL is allowed. */
void KernelDestroy(Kernel *kernel);

#endif
