/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for a header of the toolkit: the path says so. */
#define ALWAYS static inline __attribute__((always_inline))
#define NEVER __attribute__((noinline, used))
#define AT(number) __asm__ volatile(".globl at_%c0\nat_%c0: nop" : : "i"(number))

ALWAYS void toolkit_add(int number)
{
    AT(number); /* @add */
}

ALWAYS void toolkit_twice(int number)
{
    toolkit_add(number); /* @twice */
}
