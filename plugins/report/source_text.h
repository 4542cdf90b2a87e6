/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_SOURCE_TEXT_H
#define REPORT_SOURCE_TEXT_H

#include <opprof/params.h>

/*
 * The text of a line of source code without the blanks around it, for free(). NULL: the file cannot
 * be read or has no such line.
 *
 * `place` is FILE:LINE; the file is looked for as the parameters of the stage say
 * (OpprofSourceFileOpen).
 */
char *SourceTextOf(const char *place, const OpprofParams *params);

#endif
