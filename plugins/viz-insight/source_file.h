/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_SOURCE_FILE_H
#define VIZ_INSIGHT_SOURCE_FILE_H

#include <opprof/batch.h>
#include <opprof/params.h>

#define SOURCE_FILE_MAX (UINT32_C(10) << 20) /* largest file that is shown */

/*
 * Append a source file to the blob of the batch, after its path. It is looked for as the parameters
 * of the stage say (OpprofSourceFileOpen). Bytes that are not UTF-8 become
 * question marks, NULs become blanks, since the viewer takes neither. OPPROF_E_IO: it is not a
 * regular file, is too large or cannot be read; *ret_why gives the reason until the next call.
 */
OpprofStatus SourceFileRead(OpprofBatch *batch, OpprofText path, const OpprofParams *params,
                            OpprofText *ret_text, const char **ret_why);

#endif
