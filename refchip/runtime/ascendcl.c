/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libascendcl.so: the public aclrt* functions, which forward to aclrt*Impl of another library.
 * Tested by tests/refchip/test_operators.sh.
 */
#include "refchip/abi.h"

#define FORWARD(type, name, parameters, arguments)                                                 \
    type name parameters                                                                           \
    {                                                                                              \
        return name##Impl arguments;                                                               \
    }

ABI_ACL(FORWARD)

AbiError aclInit(const char *config)
{
    (void) config;
    return 0;
}

AbiError aclFinalize(void)
{
    return 0;
}
