/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that stand before those of the runtime which wait for a stream or end it: launches
 * of a range that are only recorded so far are made first. Tested by tests/refchip/test_range.sh.
 */
#include "inject/ascend/hooks.h"
#include "inject/ascend/range.h"

#define WAIT(name, call, touched, parameters, ...)                                                 \
    AbiError name parameters                                                                       \
    {                                                                                              \
        AbiError error;                                                                            \
                                                                                                   \
        RangeTouch(touched);                                                                       \
        MASKED(error, call(name, __VA_ARGS__));                                                    \
        return error;                                                                              \
    }
WAIT(rtStreamSynchronize, CALL_RT, stream, (AbiStream stream), stream)
WAIT(rtStreamSynchronizeWithTimeout, CALL_RT, stream, (AbiStream stream, int32_t ms), stream, ms)
WAIT(rtStreamDestroy, CALL_RT, stream, (AbiStream stream), stream)
WAIT(rtDeviceSynchronizeWithTimeout, CALL_RT, NULL, (int32_t ms), ms)
WAIT(aclrtSynchronizeStreamImpl, CALL_ACL, stream, (AbiStream stream), stream)
WAIT(aclrtSynchronizeStreamWithTimeoutImpl, CALL_ACL, stream, (AbiStream stream, int32_t ms),
     stream, ms)
WAIT(aclrtDestroyStreamImpl, CALL_ACL, stream, (AbiStream stream), stream)
WAIT(aclrtSynchronizeDeviceWithTimeoutImpl, CALL_ACL, NULL, (int32_t ms), ms)

AbiError rtDeviceSynchronize(void)
{
    AbiError error;

    RangeTouch(NULL);
    MASKED(error, CALL_RT(rtDeviceSynchronize));
    return error;
}

AbiError aclrtSynchronizeDeviceImpl(void)
{
    AbiError error;

    RangeTouch(NULL);
    MASKED(error, CALL_ACL(aclrtSynchronizeDeviceImpl));
    return error;
}
