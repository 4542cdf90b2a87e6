/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel to be compiled with debug information. The tests know places by their @names. */
#include "ascend-toolkit/vec.h"

ALWAYS void inner(int number)
{
    AT(number); /* @inner */
}

ALWAYS void middle(int number)
{
    inner(number); /* @middle */
}

/* Two frames on one line. */
ALWAYS void narrow(int number) { AT(number); } ALWAYS void wide(int number) { narrow(number); } /* @narrow */

NEVER void kernel(void);
NEVER void kernel(void)
{
    AT(1);            /* @own */
    middle(2);        /* @outer */
    middle(3);        /* @again */
    toolkit_twice(4); /* @uses */
    wide(5);          /* @wide */
}

#include "ascend-toolkit/run.h"
