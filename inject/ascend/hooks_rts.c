/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that stand before the runtime's launches by further names. Tested by
 * tests/refchip/test_interface.sh.
 */
#include "inject/ascend/hooks.h"

AbiError rtsBinaryLoadFromFile(const char *path, void *options, void **handle)
{
    LOAD(CALL_RT(rtsBinaryLoadFromFile, path, options, handle),
         KernelsAddBinaryFile(*handle, path));
}

AbiError rtsFuncGetByName(void *handle, const char *name, void **function)
{
    LOAD(CALL_RT(rtsFuncGetByName, handle, name, function),
         KernelsAddFunction(*function, handle, name, 0));
}

AbiError rtKernelLaunchWithFlag(const void *stub, uint32_t blocks, rtArgsEx_t *args, rtSmDesc_t *sm,
                                AbiStream stream, uint32_t flags)
{
    Launch launch = {
        .function = stub, .blocks = blocks, .stream = stream, .sm = sm, .rt_flags = flags
    };

    HookNoteArgs(&launch, args);
    LAUNCH(launch, CALL_RT(rtKernelLaunchWithFlag, stub, blocks, args, sm, stream, flags));
}

AbiError rtVectorCoreKernelLaunch(const void *stub, uint32_t blocks, rtArgsEx_t *args,
                                  rtSmDesc_t *sm, AbiStream stream, uint32_t flags,
                                  const rtTaskCfgInfo_t *config)
{
    Launch launch = { .function = stub,
                      .blocks = blocks,
                      .stream = stream,
                      .sm = sm,
                      .rt_flags = flags,
                      .rt_config = config };

    HookNoteArgs(&launch, args);
    LAUNCH(launch,
           CALL_RT(rtVectorCoreKernelLaunch, stub, blocks, args, sm, stream, flags, config));
}

AbiError rtVectorCoreKernelLaunchWithHandle(void *handle, uint64_t key, uint32_t blocks,
                                            rtArgsEx_t *args, rtSmDesc_t *sm, AbiStream stream,
                                            const rtTaskCfgInfo_t *config)
{
    Launch launch = { .handle = handle,
                      .key = key,
                      .blocks = blocks,
                      .stream = stream,
                      .sm = sm,
                      .rt_config = config };

    HookNoteArgs(&launch, args);
    LAUNCH(launch, CALL_RT(rtVectorCoreKernelLaunchWithHandle, handle, key, blocks, args, sm,
                           stream, config));
}

AbiError rtLaunchKernelByFuncHandle(void *function, uint32_t blocks, void *args, AbiStream stream)
{
    Launch launch = { .function = function,
                      .is_by_function = true,
                      .blocks = blocks,
                      .stream = stream,
                      .handle_args = args };

    LAUNCH(launch, CALL_RT(rtLaunchKernelByFuncHandle, function, blocks, args, stream));
}

AbiError rtLaunchKernelByFuncHandleV2(void *function, uint32_t blocks, void *args, AbiStream stream,
                                      const rtTaskCfgInfo_t *config)
{
    Launch launch = { .function = function,
                      .is_by_function = true,
                      .blocks = blocks,
                      .stream = stream,
                      .handle_args = args,
                      .rt_config = config };

    LAUNCH(launch, CALL_RT(rtLaunchKernelByFuncHandleV2, function, blocks, args, stream, config));
}

AbiError rtLaunchKernelByFuncHandleV3(void *function, uint32_t blocks, const rtArgsEx_t *args,
                                      AbiStream stream, const rtTaskCfgInfo_t *config)
{
    Launch launch = { .function = function,
                      .is_by_function = true,
                      .blocks = blocks,
                      .stream = stream,
                      .rt_config = config };

    HookNoteArgs(&launch, args);
    LAUNCH(launch, CALL_RT(rtLaunchKernelByFuncHandleV3, function, blocks, args, stream, config));
}

AbiError rtsLaunchKernelWithConfig(void *function, uint32_t blocks, AbiStream stream, void *config,
                                   void *args, void *reserve)
{
    Launch launch = { .function = function,
                      .is_by_function = true,
                      .blocks = blocks,
                      .stream = stream,
                      .config = config,
                      .handle_args = args };

    LAUNCH(launch,
           CALL_RT(rtsLaunchKernelWithConfig, function, blocks, stream, config, args, reserve));
}

AbiError rtsLaunchKernelWithDevArgs(void *function, uint32_t blocks, AbiStream stream, void *config,
                                    const void *args, uint32_t size, void *reserve)
{
    Launch launch = { .function = function,
                      .is_by_function = true,
                      .blocks = blocks,
                      .stream = stream,
                      .config = config,
                      .args = args,
                      .args_size = size,
                      .has_device_args = true };

    LAUNCH(launch, CALL_RT(rtsLaunchKernelWithDevArgs, function, blocks, stream, config, args, size,
                           reserve));
}

AbiError rtsLaunchKernelWithHostArgs(void *function, uint32_t blocks, AbiStream stream,
                                     void *config, void *args, uint32_t size,
                                     rtHostInputInfo_t *places, uint32_t count)
{
    aclrtPlaceHolderInfo *same = (aclrtPlaceHolderInfo *) (void *) places; /* two names of one */
    Launch launch = { .function = function,
                      .is_by_function = true,
                      .blocks = blocks,
                      .stream = stream,
                      .config = config,
                      .args = args,
                      .args_size = size,
                      .places = same,
                      .place_count = count };

    LAUNCH(launch, CALL_RT(rtsLaunchKernelWithHostArgs, function, blocks, stream, config, args,
                           size, places, count));
}
