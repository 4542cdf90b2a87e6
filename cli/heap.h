/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_HEAP_H
#define CLI_HEAP_H

/*
 * Tells the C library's allocator how this program uses memory. Does nothing where the allocator is
 * another one. [main, before there are threads]
 */
void HeapPrepare(void);

#endif
