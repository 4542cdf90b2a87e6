/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs in which the library of an address sanitizer is looked for: a name that is found is one
 * word of a list of libraries.
 */
#include "fuzz/fuzz.h"
#include "kit/live/live_parts.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int file = memfd_create("program", MFD_CLOEXEC);
    char name[LIVE_SANITIZER_BYTES];

    FUZZ_REQUIRE(file >= 0 && write(file, data, size) == (ssize_t) size);
    if (LiveSanitizerOfFile(file, name)) {
        FUZZ_REQUIRE(memchr(name, '\0', sizeof name) != NULL);
        FUZZ_REQUIRE(strpbrk(name, " :$/") == NULL && strncmp(name, "libasan.so.", 11) == 0);
    }
    close(file);
    return 0;
}
