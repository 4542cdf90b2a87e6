/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the kernel of a dump, of one that was there before the run or of one that the run makes.
 * Tested by tests/refchip/test_live.sh.
 */
#include "kernel.h"
#include <stdio.h>
#include <stdlib.h>

bool KernelComesLate(const OpprofParams *params)
{
    return OpprofParamsString(params, "result_dump") != NULL &&
           OpprofParamsString(params, "dump") == NULL;
}

OpprofStatus KernelOpen(OpprofStage *stage, const OpprofParams *params, OpprofSource **ret_source,
                        OpprofError **error)
{
    const char *kernel = OpprofParamsString(params, "kernel");
    char *dump = NULL;
    OpprofStatus status;

    if (!KernelComesLate(params)) {
        return OpprofSourceOpenDump(kernel, OpprofParamsString(params, "dump"), ret_source, error);
    }
    if (asprintf(&dump, "%s/%s", OpprofOutputDirectoryPath(OpprofStageOutput(stage)),
                 OpprofParamsString(params, "result_dump")) < 0) {
        return OpprofErrorNoMemory(error, "open the kernel");
    }
    status = OpprofSourceOpenDump(kernel, dump, ret_source, error);
    free(dump);
    return status;
}
