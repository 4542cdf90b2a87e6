/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that stand before those of the runtime for lists of arguments, which it holds and
 * does not show: what goes in is noted, for launches that need one argument more. Tested by
 * tests/refchip/test_instrument.sh.
 */
#include "inject/ascend/hooks.h"

/* Note it, if the program itself made the call and it went well. */
#define NOTE(error, note)                                                                          \
    do {                                                                                           \
        const int saved_errno_ = errno;                                                            \
        if ((error) == 0 && HookIsOuter()) {                                                       \
            note;                                                                                  \
        }                                                                                          \
        errno = saved_errno_;                                                                      \
    } while (0)

AbiError aclrtKernelArgsInitImpl(void *function, void **args)
{
    AbiError error;

    MASKED(error, CALL_ACL(aclrtKernelArgsInitImpl, function, args));
    NOTE(error, ArgumentsNoteList(*args, NULL, 0));
    return error;
}

AbiError aclrtKernelArgsInitByUserMemImpl(void *function, void *args, void *memory, size_t size)
{
    AbiError error;

    MASKED(error, CALL_ACL(aclrtKernelArgsInitByUserMemImpl, function, args, memory, size));
    NOTE(error, ArgumentsNoteList(args, NULL, 0));
    return error;
}

AbiError aclrtKernelArgsAppendImpl(void *args, void *data, size_t size, void **parameter)
{
    void *own = NULL;
    AbiError error;

    parameter = parameter == NULL ? &own : parameter;
    MASKED(error, CALL_ACL(aclrtKernelArgsAppendImpl, args, data, size, parameter));
    NOTE(error, ArgumentsNoteArgument(args, data, size, *parameter));
    return error;
}

AbiError aclrtKernelArgsAppendPlaceHolderImpl(void *args, void **parameter)
{
    AbiError error;

    MASKED(error, CALL_ACL(aclrtKernelArgsAppendPlaceHolderImpl, args, parameter));
    NOTE(error, ArgumentsNotePointer(args, *parameter));
    return error;
}

AbiError aclrtKernelArgsGetPlaceHolderBufferImpl(void *args, void *parameter, size_t size,
                                                 void **buffer)
{
    AbiError error;

    MASKED(error, CALL_ACL(aclrtKernelArgsGetPlaceHolderBufferImpl, args, parameter, size, buffer));
    NOTE(error, ArgumentsNoteData(args, parameter, *buffer, size));
    return error;
}

AbiError aclrtKernelArgsParaUpdateImpl(void *args, void *parameter, void *data, size_t size)
{
    AbiError error;

    MASKED(error, CALL_ACL(aclrtKernelArgsParaUpdateImpl, args, parameter, data, size));
    NOTE(error, ArgumentsNoteChange(args, parameter, data, size));
    return error;
}

/* Of the data that some arguments would point to, only the runtime knows the place. */
AbiError rtCreateLaunchArgs(size_t size, size_t host_size, size_t host_count, void *data,
                            void **args)
{
    AbiError error;

    MASKED(error, CALL_RT(rtCreateLaunchArgs, size, host_size, host_count, data, args));
    if (host_count == 0) {
        NOTE(error, ArgumentsNoteList(*args, data, size));
    }
    return error;
}
