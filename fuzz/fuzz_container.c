/* SPDX-License-Identifier: Apache-2.0 */
/* The strict reader of visualize_data.bin that the tests rely on. */
#include "fuzz/fuzz.h"
#include "tests/tools/container_reader.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FoundBlock found[32];
    OpprofError *error = NULL;
    size_t count = 0;
    OpprofStatus status = ContainerRead(data, size, found, 32, &count, &error);

    if ((status == OPPROF_OK) != (error == NULL)) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        /* A block that was accepted lies inside of the bytes. */
        if (found[i].content < data || found[i].content + found[i].length > data + size) {
            abort();
        }
    }
    OpprofErrorDestroy(error);
    return 0;
}
