/* SPDX-License-Identifier: Apache-2.0 */
/* Containers of register liveness: whatever the bytes are, they are read or refused, and no
 * register is of nowhere. */
#include "fuzz/fuzz.h"
#include "plugins/parse-dbi/liveness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Liveness liveness = { .count = 0 };
    const char *why = NULL;
    size_t where = 0;
    const LivenessOutcome outcome = LivenessRead(&liveness, data, size, &why, &where);

    FUZZ_REQUIRE(outcome != LIVENESS_NO_MEMORY);
    FUZZ_REQUIRE((outcome == LIVENESS_BAD) == (why != NULL) && where <= size);
    FUZZ_REQUIRE(outcome == LIVENESS_GOOD || (liveness.count == 0 && liveness.register_count == 0));
    for (size_t i = 0; i < liveness.register_count; i++) {
        const LiveRegister *one = &liveness.registers[i];

        FUZZ_REQUIRE(one->place < liveness.count && one->operation < 5);
        FUZZ_REQUIRE(one->survival <= liveness.count && LivenessLetter(one->kind) != '?');
    }
    LivenessFinish(&liveness);
    return 0;
}
