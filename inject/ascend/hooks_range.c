/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that stand before those of the runtime which wait for a stream or an event, look at
 * it or end it: launches of a range that are only recorded so far are made first. Tested by
 * tests/refchip/test_range.sh and tests/refchip/test_interface.sh.
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
WAIT(aclrtDestroyStreamForceImpl, CALL_ACL, stream, (AbiStream stream), stream)
WAIT(aclrtStreamQueryImpl, CALL_ACL, stream, (AbiStream stream, uint32_t *status), stream, status)
WAIT(rtStreamQuery, CALL_RT, stream, (AbiStream stream), stream)
/* An event of a recording would be another one each time that it is repeated. */
WAIT(aclrtRecordEventImpl, CALL_ACL, stream, (void *event, AbiStream stream), event, stream)
WAIT(rtEventRecord, CALL_RT, stream, (void *event, AbiStream stream), event, stream)
WAIT(aclrtStreamWaitEventImpl, CALL_ACL, stream, (AbiStream stream, void *event), stream, event)
WAIT(rtStreamWaitEvent, CALL_RT, stream, (AbiStream stream, void *event), stream, event)
WAIT(aclrtSynchronizeEventImpl, CALL_ACL, NULL, (void *event), event)
WAIT(aclrtSynchronizeEventWithTimeoutImpl, CALL_ACL, NULL, (void *event, int32_t ms), event, ms)
WAIT(rtEventSynchronize, CALL_RT, NULL, (void *event), event)
WAIT(rtEventSynchronizeWithTimeout, CALL_RT, NULL, (void *event, int32_t ms), event, ms)

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
