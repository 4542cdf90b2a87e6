/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_IO_UNNAMED_FILE_H
#define KIT_IO_UNNAMED_FILE_H

/* A file without a name in a directory, which vanishes when it is closed. Its descriptor, or -1
 * with errno. */
int UnnamedFileOpen(const char *directory);

#endif
