/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_KERNEL_H
#define ANALYSE_SIM_KERNEL_H

/* The kernel whose instructions are analysed, by the parameters kernel, dump and result_dump. */

#include <opprof/kit/source.h>
#include <opprof/stage.h>

/* The parameter of a dump directory that the run itself makes. */
#define KERNEL_RESULT_DUMP_PARAM                                                                   \
    {                                                                                              \
        .name = "result_dump", .type = OPPROF_PARAM_STRING,                                        \
        .summary = "Dump directory below the results, which is there when the first instructions " \
                   "come; instead of dump."                                                        \
    }

/* Whether the kernel is not there yet at start, but when the first instructions come. */
bool KernelComesLate(const OpprofParams *params);
/* Open it; as OpprofSourceOpenDump. */
OpprofStatus KernelOpen(OpprofStage *stage, const OpprofParams *params, OpprofSource **ret_source,
                        OpprofError **error);

#endif
