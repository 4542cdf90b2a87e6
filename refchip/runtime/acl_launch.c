/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launches among the aclrt*Impl functions, with arguments in each of their forms. Tested by
 * tests/refchip/test_operators.sh and tests/refchip/test_calls.sh.
 */
#include "acl.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 4096u
#define MOST_PLACES 16u

/* A pointer among the arguments to data after them. */
typedef struct Place {
    uint32_t pointer; /* offsets in the block */
    uint32_t data;
} Place;

/* Arguments that are put together. */
typedef struct Args {
    Function *function;
    uint8_t *data; /* `own`, or the program's memory */
    size_t room;
    uint32_t size;
    bool is_final;
    Place places[MOST_PLACES];
    uint32_t place_count;
    uint8_t own[MOST_BYTES];
    struct Args *next;
} Args;

/* ---- arguments ---- */

/* All that were made: a program never frees them, and may launch with one again. */
static Args *_Atomic all_args;

AbiError aclrtKernelArgsInitImpl(void *function, void **args)
{
    Args *made = calloc(1, sizeof *made);

    if (made == NULL) {
        return ACL_ERROR_BAD_ALLOC;
    }
    made->function = function;
    made->data = made->own;
    made->room = MOST_BYTES;
    made->next = atomic_load(&all_args);
    while (!atomic_compare_exchange_weak(&all_args, &made->next, made)) {
    }
    *args = made;
    return 0;
}

AbiError aclrtKernelArgsGetHandleMemSizeImpl(void *function, size_t *size)
{
    (void) function;
    *size = sizeof(Args);
    return 0;
}

AbiError aclrtKernelArgsGetMemSizeImpl(void *function, size_t wanted, size_t *size)
{
    (void) function;
    *size = (wanted + 7) & ~(size_t) 7;
    return 0;
}

AbiError aclrtKernelArgsInitByUserMemImpl(void *function, void *args, void *memory, size_t size)
{
    Args *made = args;

    if (made == NULL || memory == NULL) {
        return ACL_ERROR_INVALID;
    }
    memset(made, 0, sizeof *made);
    made->function = function;
    made->data = memory;
    made->room = size;
    return 0;
}

/* Room for an argument, or for the data after them; NULL if none. */
static uint8_t *append(Args *args, size_t size)
{
    const size_t at = (args->size + 7) & ~7u;

    if (at > args->room || size > args->room - at) {
        return NULL;
    }
    memset(args->data + args->size, 0, at - args->size);
    args->size = (uint32_t) (at + size);
    return args->data + at;
}

AbiError aclrtKernelArgsAppendImpl(void *args, void *data, size_t size, void **parameter)
{
    Args *known = args;
    uint8_t *at;

    if (known == NULL || known->is_final) {
        return ACL_ERROR_INVALID;
    }
    at = append(known, size);
    if (at == NULL) {
        return ACL_ERROR_BAD_ALLOC;
    }
    memcpy(at, data, size);
    if (parameter != NULL) {
        *parameter = at;
    }
    return 0;
}

AbiError aclrtKernelArgsParaUpdateImpl(void *args, void *parameter, void *data, size_t size)
{
    const Args *known = args;
    uint8_t *at = parameter;

    if (known == NULL || at < known->data || at >= known->data + known->size ||
        size > (size_t) (known->data + known->size - at)) {
        return ACL_ERROR_INVALID;
    }
    memcpy(at, data, size);
    return 0;
}

AbiError aclrtKernelArgsAppendPlaceHolderImpl(void *args, void **parameter)
{
    Args *known = args;
    uint8_t *at;

    if (known == NULL || known->is_final || known->place_count == MOST_PLACES) {
        return ACL_ERROR_INVALID;
    }
    at = append(known, 8);
    if (at == NULL) {
        return ACL_ERROR_BAD_ALLOC;
    }
    memset(at, 0, 8);
    known->places[known->place_count++] = (Place){ .pointer = (uint32_t) (at - known->data) };
    *parameter = at;
    return 0;
}

/* After all arguments have been appended. */
AbiError aclrtKernelArgsGetPlaceHolderBufferImpl(void *args, void *parameter, size_t size,
                                                 void **buffer)
{
    Args *known = args;

    for (uint32_t i = 0; known != NULL && !known->is_final && i < known->place_count; i++) {
        if (known->data + known->places[i].pointer == (uint8_t *) parameter) {
            uint8_t *at = append(known, size);

            if (at == NULL) {
                return ACL_ERROR_BAD_ALLOC;
            }
            known->places[i].data = (uint32_t) (at - known->data);
            *buffer = at;
            return 0;
        }
    }
    return ACL_ERROR_INVALID;
}

AbiError aclrtKernelArgsFinalizeImpl(void *args)
{
    Args *known = args;

    if (known == NULL) {
        return ACL_ERROR_INVALID;
    }
    known->is_final = true;
    return 0;
}

/* ---- launches ---- */

static AbiError launch(Function *function, uint32_t blocks, rtArgsEx_t *args, AbiStream stream)
{
    if (function == NULL || function->is_cpu) {
        return ACL_ERROR_INVALID;
    }
    if (function->symbol != NULL) {
        return AclTranslate(
            rtKernelLaunchWithFlagV2(function->symbol, blocks, args, NULL, stream, 0, NULL));
    }
    return AclTranslate(
        function->has_key
            ? rtKernelLaunchWithHandleV2(function->handle, function->key, blocks, args, NULL,
                                         stream, NULL)
            : rtKernelLaunchWithFlagV2(function, blocks, args, NULL, stream, 0, NULL));
}

AbiError aclrtLaunchKernelImpl(void *function, uint32_t blocks, const void *args, size_t size,
                               AbiStream stream)
{
    rtArgsEx_t extended = { .argsSize = (uint32_t) size, .isNoNeedH2DCopy = 1 };

    memcpy(&extended.args, &args, sizeof args);
    return launch(function, blocks, &extended, stream);
}

AbiError aclrtLaunchKernelV2Impl(void *function, uint32_t blocks, const void *args, size_t size,
                                 void *config, AbiStream stream)
{
    (void) config;
    return aclrtLaunchKernelImpl(function, blocks, args, size, stream);
}

AbiError aclrtLaunchKernelWithConfigImpl(void *function, uint32_t blocks, AbiStream stream,
                                         void *config, void *args, void *reserve)
{
    Args *known = args;
    rtHostInputInfo_t infos[MOST_PLACES];
    rtArgsEx_t extended;

    (void) config;
    (void) reserve;
    if (known == NULL || !known->is_final) {
        return ACL_ERROR_INVALID;
    }
    extended = (rtArgsEx_t){ .args = known->data,
                             .argsSize = known->size,
                             .hostInputInfoPtr = infos,
                             .hostInputInfoNum = (uint16_t) known->place_count };
    for (uint32_t i = 0; i < known->place_count; i++) {
        infos[i] = (rtHostInputInfo_t){ known->places[i].pointer, known->places[i].data };
    }
    return launch(function, blocks, &extended, stream);
}

/* The vendor's runtime knows from the kernel how many there are; here a NULL ends them, and each
 * has 8 bytes. */
AbiError aclrtLaunchKernelWithArgsArrayImpl(void *function, uint32_t blocks, AbiStream stream,
                                            void *config, void **args)
{
    uint64_t block[MOST_BYTES / 8];
    rtArgsEx_t extended = { .args = block };

    (void) config;
    for (uint32_t i = 0; args != NULL && args[i] != NULL; i++) {
        if (i == MOST_BYTES / 8) {
            return ACL_ERROR_INVALID;
        }
        memcpy(&block[i], args[i], 8);
        extended.argsSize = 8 * (i + 1);
    }
    return launch(function, blocks, &extended, stream);
}

AbiError aclrtLaunchKernelWithHostArgsImpl(void *function, uint32_t blocks, AbiStream stream,
                                           void *config, void *args, size_t size,
                                           aclrtPlaceHolderInfo *places, size_t count)
{
    rtHostInputInfo_t infos[63];
    rtArgsEx_t extended = { .args = args,
                            .argsSize = (uint32_t) size,
                            .hostInputInfoPtr = infos,
                            .hostInputInfoNum = (uint16_t) count };

    (void) config;
    if (count > 63) {
        return ACL_ERROR_INVALID;
    }
    for (size_t i = 0; i < count; i++) {
        infos[i] = (rtHostInputInfo_t){ places[i].addrOffset, places[i].dataOffset };
    }
    return launch(function, blocks, &extended, stream);
}

static bool is_one(AbiDim3 block)
{
    return block.x == 1 && block.y == 1 && block.z == 1;
}

/* There are no threads on this chip: each element of the grid is a block. */
AbiError aclrtLaunchSIMTKernelWithArgsArrayImpl(void *function, AbiDim3 grid, AbiDim3 block,
                                                uint64_t memory, AbiStream stream, void *config,
                                                void **args)
{
    (void) memory;
    return is_one(block) ? aclrtLaunchKernelWithArgsArrayImpl(function, grid.x * grid.y * grid.z,
                                                              stream, config, args)
                         : ACL_ERROR_INVALID;
}

AbiError aclrtLaunchSIMTKernelWithHostArgsImpl(void *function, AbiDim3 grid, AbiDim3 block,
                                               uint64_t memory, AbiStream stream, void *config,
                                               void *args, size_t size,
                                               aclrtPlaceHolderInfo *places, size_t count)
{
    (void) memory;
    if (!is_one(block)) {
        return ACL_ERROR_INVALID;
    }
    return aclrtLaunchKernelWithHostArgsImpl(function, grid.x * grid.y * grid.z, stream, config,
                                             args, size, places, count);
}
