/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_CLOSE_H
#define BASE_CLOSE_H

#include <unistd.h>

/* Close a descriptor, unless it is that of a file that could not be opened. */
static inline void CloseOpened(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

#endif
