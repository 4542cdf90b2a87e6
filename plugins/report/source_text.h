/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_SOURCE_TEXT_H
#define REPORT_SOURCE_TEXT_H

/*
 * The text of a line of source code without the blanks around it, for free(). NULL: the file cannot
 * be read or has no such line.
 *
 * `place` is FILE:LINE; a relative file is looked for in the current directory.
 */
char *SourceTextOf(const char *place);

#endif
