/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_HEAP_H
#define CLI_HEAP_H

/*
 * Tunes the C library's allocator for this program's use of memory. Does nothing where the
 * allocator is another one. [main, before there are threads]
 */
void HeapPrepare(void);

#endif
