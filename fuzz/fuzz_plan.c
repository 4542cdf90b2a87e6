/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector's plan, as a profiled program reads it. Whatever is let through lies within the bytes
 * that came, so a channel's user data can be copied.
 */
#include "fuzz/fuzz.h"
#include "inject/ascend/board.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Plan plan;
    static volatile uint8_t sum;                   /* so that the bytes are looked at */
    uint8_t *bytes = malloc(size == 0 ? 1 : size); /* so that reading past it shows */

    FUZZ_REQUIRE(bytes != NULL);
    memcpy(bytes, data, size);
    if (PlanRead(&plan, bytes, size)) {
        FUZZ_REQUIRE(plan.head.pass_count <= OPPROF_LIVE_MOST_PASSES);
        for (uint32_t i = 0; i < plan.head.pass_count; i++) {
            FUZZ_REQUIRE(plan.passes[i].count <= OPPROF_LIVE_MOST_CHANNELS);
            for (uint32_t k = 0; k < plan.passes[i].count; k++) {
                const PlanChannel *channel = &plan.passes[i].channels[k];

                FUZZ_REQUIRE(channel->head.user_bytes <= OPPROF_LIVE_MOST_USER_BYTES);
                for (uint32_t b = 0; b < channel->head.user_bytes; b++) {
                    sum = (uint8_t) (sum ^ channel->user[b]);
                }
            }
        }
    }
    free(bytes);
    return 0;
}
