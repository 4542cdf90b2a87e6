/* SPDX-License-Identifier: Apache-2.0 */
/* What the loader reads of a file before it hands the file to the dynamic linker. */
#include "fuzz/fuzz.h"
#include "plugin/module_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[64];
    OpprofError *error = NULL;

    if (file < 0) {
        file = memfd_create("module", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t) size) {
        return 0;
    }
    if (ModuleFileCheck(path, &error) != OPPROF_OK && error == NULL) {
        __builtin_trap(); /* a refusal without a reason */
    }
    OpprofErrorDestroy(error);
    return 0;
}
