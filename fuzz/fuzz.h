/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

/**
 * @file
 * Entry point of fuzz targets. Configured with --enable-fuzz libFuzzer calls it with what it makes
 * up; otherwise replay.c calls it with each file of the target's corpus, which `make check` does.
 */

#include <stddef.h>
#include <stdint.h>

/** Try one input. Returns 0; whatever is wrong ends the process. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Ends the process when something that must hold does not. */
#define FUZZ_REQUIRE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            __builtin_trap();                                                                      \
        }                                                                                          \
    } while (0)

#endif
