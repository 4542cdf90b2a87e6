/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_HEAD_H
#define REPORT_HEAD_H

#include "content.h"
#include "page.h"

/*
 * The first lines of a report: what ran, if that is known, then how long it took, and the advice
 * that could save most, with what to do. Sorts the advice.
 */
void HeadPut(FILE *out, const PageStyle *style, const char *title, ReportContent *content);

#endif
