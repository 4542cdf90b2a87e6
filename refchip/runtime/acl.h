/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_RUNTIME_ACL_H
#define REFCHIP_RUNTIME_ACL_H

/* Shared by the files of the aclrt*Impl functions. They lie in one library, not always
 * libruntime.so. */

#include "refchip/abi.h"
#include <stdbool.h>

/* A kernel in a binary; its address is the stub that stands for it. */
typedef struct Function {
    void *handle;
    char name[256];
    uint64_t key;
    bool has_key;
    bool is_cpu;
    const void *symbol; /* that was registered for it, or NULL */
    struct Function *next;
} Function;

/* An error of an rt* function as aclrt* functions have it. */
static inline AbiError AclTranslate(AbiError error)
{
    return error == RT_ERROR_MEMORY  ? ACL_ERROR_BAD_ALLOC
           : error == RT_ERROR_VALUE ? ACL_ERROR_INVALID
                                     : error;
}

#endif
