/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_MSTX_ABI_H
#define REFCHIP_MSTX_ABI_H

/*
 * The part of mstx's interface that the injection library and programs on the reference chip know:
 * tables of functions, and what their places mean. Declarations only.
 */

#include <stdint.h>

/* Tables are as long as their header knows functions: that of CANN 8.1 ends before MSTX_TOOL, and
 * in no other does this place have another meaning. */
enum { MSTX_CORE = 1, MSTX_START = 2, MSTX_END = 3, MSTX_TOOL = 4, MSTX_CORE_SIZE = 5 };
enum { MSTX_DOMAIN = 2, DOMAIN_CREATE = 1, DOMAIN_DESTROY = 2, DOMAIN_START = 4, DOMAIN_END = 5 };

typedef uint64_t MstxStart(const char *message, void *stream);
typedef void MstxEnd(uint64_t id);
typedef void MstxTool(uint64_t *id);
typedef void *MstxDomainCreate(const char *name);
typedef void MstxDomainDestroy(void *domain);
typedef uint64_t MstxDomainStart(void *domain, const char *message, void *stream);
typedef void MstxDomainEnd(void *domain, uint64_t id);
/* Each entry of a table points to a function pointer. */
typedef int MstxGetTable(int module, void ***table, unsigned *size);

/* mstx calls this at its first use; 0: the tables are filled. */
__attribute__((visibility("default"))) int InitInjectionMstx(MstxGetTable *get_table);

#endif
