/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_FITTING_H
#define REPORT_FITTING_H

#include "content.h"
#include "page.h"

/*
 * Print the report: what ran (`title`, "" if unknown) and why it was slow, the most informative
 * sections, as many as fit, and the advice at the end.
 *
 * @return False without memory.
 */
bool ReportPrint(FILE *out, const PageStyle *style, const ReportLimits *limits, const char *title,
                 ReportContent *content);

#endif
