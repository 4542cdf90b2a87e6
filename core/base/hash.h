/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

/* A seed that no input can predict; `somewhere` helps where the system gives no randomness. */
uint64_t HashSeed(const void *somewhere);

#endif
