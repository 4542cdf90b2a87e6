/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_PAGE_H
#define COMPARE_PAGE_H

#include "compare.h"

#include <opprof/pipeline.h>
#include <stdio.h>

/*
 * Run `pipeline`, an empty one, to make the report page of the second results with the comparison
 * in it.
 *
 * @return OPPROF_E_CRASH: the run failed. Else what pipelines and files fail with.
 */
OpprofStatus DiffPrintPage(const DiffFound *found, OpprofPipeline *pipeline, FILE *out,
                           OpprofError **error);

#endif
