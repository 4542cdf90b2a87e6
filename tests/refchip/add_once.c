/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of one kernel, for programs that test the injection library. */
#include "tests/refchip/add_once.h"

#include <stdio.h>
#include <stdlib.h>

#define FLOATS 8192u

static void *handle;
static AbiError registered = -1;

/* As generated code does it. */
static void register_kernel(void)
{
    const char *path = getenv("DRIVER_KERNEL"), *name = getenv("DRIVER_NAME");
    FILE *in = path == NULL ? NULL : fopen(path, "rbe");
    static char data[65536];
    const size_t size = in == NULL ? 0 : fread(data, 1, sizeof data, in);
    const rtDevBinary_t binary = { RT_MAGIC_VECTOR, 0, data, size };

    if (in != NULL) {
        fclose(in);
    }
    registered = rtDevBinaryRegister(&binary, &handle);
    if (registered == 0) {
        registered =
            rtFunctionRegister(handle, &registered, name == NULL ? "vector_add" : name, NULL, 0);
    }
}

void AddRegister(void)
{
    if (registered != 0) {
        register_kernel();
    }
}

const void *AddStub(void)
{
    return &registered;
}

bool AddOnce(int32_t device)
{
    static float data[FLOATS];
    const size_t bytes = sizeof data;
    float *result = malloc(bytes);
    void *memory[3] = { NULL, NULL, NULL };
    AbiStream stream = NULL;
    bool is_good = result != NULL && rtSetDevice(device) == 0 && rtStreamCreate(&stream, 0) == 0;

    for (unsigned i = 0; i < FLOATS; i++) {
        data[i] = (float) i;
    }
    for (unsigned i = 0; i < 3 && is_good; i++) {
        is_good = rtMalloc(&memory[i], bytes, 0, 0) == 0 &&
                  rtMemcpy(memory[i], bytes, data, bytes, 1) == 0;
    }
    if (is_good) {
        uint64_t arguments[7] = { (uint64_t) (uintptr_t) memory[0],
                                  (uint64_t) (uintptr_t) memory[1],
                                  (uint64_t) (uintptr_t) memory[2],
                                  1,
                                  8192,
                                  8192u / 32 << 16 | 16,
                                  UINT64_C(0x2000080808010101) };

        is_good = rtKernelLaunch(&registered, 4, arguments, sizeof arguments, NULL, stream) == 0 &&
                  rtStreamSynchronize(stream) == 0 &&
                  rtMemcpy(result, bytes, memory[2], bytes, 2) == 0;
    }
    for (unsigned i = 0; i < FLOATS && is_good; i++) {
        is_good = result[i] == 2 * data[i];
    }
    for (unsigned i = 0; i < 3; i++) {
        rtFree(memory[i]);
    }
    if (stream != NULL) {
        rtStreamDestroy(stream);
    }
    free(result);
    return is_good;
}
