/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ELF file with debug information: an error, a problem or lines, but neither a crash nor a hang.
 */
#include "fuzz/fuzz.h"

#include <opprof/kit/source.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOW_ADDRESSES 256u
#define FAR_ADDRESSES 64u

static void look_up(OpprofSource *source, uint64_t pc)
{
    const OpprofSourceStack *stack = OpprofSourceLookup(source, pc);

    FUZZ_REQUIRE(stack != NULL && strlen(stack->text) == stack->length);
    for (uint32_t i = 0; i < stack->count; i++) {
        FUZZ_REQUIRE(stack->lines[i]->line > 0);
        FUZZ_REQUIRE(stack->lines[i]->text[stack->lines[i]->file_length] == ':');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    OpprofSource *source;
    int fd = memfd_create("kernel", MFD_CLOEXEC);

    FUZZ_REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t) size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (OpprofSourceOpen(path, NULL, &source, NULL) == OPPROF_OK) {
        for (uint64_t pc = 0; pc < LOW_ADDRESSES; pc++) {
            look_up(source, pc);
        }
        for (uint64_t i = 0; i < FAR_ADDRESSES; i++) {
            look_up(source, i << 12);
            look_up(source, UINT64_C(1) << i);
        }
        OpprofSourceProblem(source);
        OpprofSourceClose(source);
    }
    close(fd);
    return 0;
}
