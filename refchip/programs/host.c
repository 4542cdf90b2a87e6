/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the sample programs of the reference chip. Tested by
 * tests/refchip/test_operators.sh. */
#include "host.h"
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_KERNEL_BYTES (1u << 20)

static void *handle;
static void *function;
static char kernel_name[128];
static char kernel_path[PATH_MAX + 160];

static bool fail(const char *what, AbiError error)
{
    fprintf(stderr, "%s failed with %d\n", what, (int) error);
    return false;
}

static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *ret_value)
{
    char *end;

    *ret_value = strtoull(text, &end, 0);
    if (*text == '\0' || *text == '-' || *end != '\0' || *ret_value < least || *ret_value > most) {
        fprintf(stderr, "'%s' is not a number from %llu to %llu\n", text,
                (unsigned long long) least, (unsigned long long) most);
        return false;
    }
    return true;
}

static bool take_number(int option, HostOptions *options)
{
    uint64_t number = 0;

    switch (option) {
    case 's':
        return read_number(optarg, 1, 1u << 24, &options->size);
    case 'D':
        if (!read_number(optarg, 0, 63, &number)) {
            return false;
        }
        options->device = (int32_t) number;
        return true;
    case 'r':
        if (!read_number(optarg, 1, 1u << 20, &number)) {
            return false;
        }
        options->repeat = (uint32_t) number;
        return true;
    default:
        if (!read_number(optarg, 1, 128, &number)) {
            return false;
        }
        options->blocks = (uint32_t) number;
        return true;
    }
}

bool HostParse(HostOptions *options, int argc, char **argv)
{
    static const struct option known[] = { { "size", required_argument, NULL, 's' },
                                           { "double-buffer", no_argument, NULL, 'd' },
                                           { "relu", no_argument, NULL, 'R' },
                                           { "simt", no_argument, NULL, 'S' },
                                           { "launch", required_argument, NULL, 'l' },
                                           { "device", required_argument, NULL, 'D' },
                                           { "repeat", required_argument, NULL, 'r' },
                                           { "blocks", required_argument, NULL, 'b' },
                                           { "kernel", required_argument, NULL, 'k' },
                                           { "processes", no_argument, NULL, 'p' },
                                           { "rank-table", required_argument, NULL, 't' },
                                           { NULL, 0, NULL, 0 } };
    int option;

    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (option == 'd') {
            options->is_double = true;
        } else if (option == 'p') {
            options->has_processes = true;
        } else if (option == 't') {
            options->rank_table = optarg;
        } else if (option == 'R') {
            options->is_relu = true;
        } else if (option == 'S') {
            options->is_simt = true;
        } else if (option == 'l') {
            options->launch = optarg;
        } else if (option == 'k') {
            options->kernel = optarg;
        } else if (option == '?') {
            fprintf(
                stderr,
                "usage: %s [--size N] [--double-buffer] [--blocks N] [--device N] [--repeat N]\n"
                "       [--launch FUNCTION] [--kernel FILE] [--relu] [--simt] [--processes]\n"
                "       [--rank-table FILE]\n",
                argv[0]);
            return false;
        } else if (!take_number(option, options)) {
            return false;
        }
    }
    return true;
}

/* ../kernels beside this program. */
static bool find_kernel(const HostOptions *options, const char *name)
{
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    snprintf(kernel_name, sizeof kernel_name, "%s", name);
    if (options->kernel != NULL) {
        snprintf(kernel_path, sizeof kernel_path, "%s", options->kernel);
        return true;
    }
    if (length < 0) {
        perror("/proc/self/exe");
        return false;
    }
    self[length] = '\0';
    snprintf(kernel_path, sizeof kernel_path, "%s/kernels/%s.o", dirname(dirname(self)), name);
    return true;
}

/* The bytes of the kernel file; to be freed. */
static void *read_kernel(size_t *ret_size)
{
    FILE *in = fopen(kernel_path, "rbe");
    void *data = malloc(MOST_KERNEL_BYTES);

    *ret_size = in == NULL || data == NULL ? 0 : fread(data, 1, MOST_KERNEL_BYTES, in);
    if (in != NULL) {
        fclose(in);
    }
    return data;
}

static bool is_launch(const HostOptions *options, const char *name)
{
    return strcmp(options->launch, name) == 0;
}

static AbiError load_data(const HostOptions *options)
{
    size_t size;
    void *data = read_kernel(&size);
    const rtDevBinary_t binary = { RT_MAGIC_MIX, 0, data, size };
    AbiError error;

    if (is_launch(options, "binary-data")) {
        error = aclrtBinaryLoadFromData(data, size, NULL, &handle);
    } else if (is_launch(options, "entry")) {
        void *image = aclrtCreateBinary(data, size);

        error = aclrtBinaryLoad(image, &handle);
        aclrtDestroyBinary(image);
    } else if (is_launch(options, "rt-stub") || is_launch(options, "rt-flag")) {
        error = rtDevBinaryRegister(&binary, &handle);
    } else {
        error = rtRegisterAllKernel(&binary, &handle);
    }
    free(data);
    return error;
}

static bool load(const HostOptions *options)
{
    const bool is_rt = strncmp(options->launch, "rt-", 3) == 0;
    AbiError error;

    if (is_rt || is_launch(options, "binary-data") || is_launch(options, "entry")) {
        error = load_data(options);
    } else {
        error = aclrtBinaryLoadFromFile(kernel_path, NULL, &handle);
    }
    if (error != 0) {
        fprintf(stderr, "Kernel file '%s': ", kernel_path);
        return fail("loading", error);
    }
    if (is_rt) {
        error = rtFunctionRegister(handle, kernel_name, kernel_name, NULL, 0);
        return error == 0 || fail("rtFunctionRegister", error);
    }
    error = is_launch(options, "entry") ? aclrtBinaryGetFunctionByEntry(handle, 0, &function)
                                        : aclrtBinaryGetFunction(handle, kernel_name, &function);
    return error == 0 || fail("finding the kernel", error);
}

bool HostOpen(const HostOptions *options, const char *name)
{
    AbiError error = aclInit(NULL);

    if (error != 0) {
        return fail("aclInit", error);
    }
    error = aclrtSetDevice(options->device);
    if (error != 0) {
        return fail("aclrtSetDevice", error);
    }
    return find_kernel(options, name) && load(options);
}

void *HostUpload(const void *data, size_t size)
{
    void *memory = NULL;
    AbiError error = aclrtMalloc(&memory, size, 0);

    if (error == 0) {
        error = data == NULL ? aclrtMemset(memory, size, 0, size)
                             : aclrtMemcpy(memory, size, data, size, 1);
    }
    if (error != 0) {
        fail("memory of the device", error);
        return NULL;
    }
    return memory;
}

bool HostDownload(void *target, const void *memory, size_t size)
{
    const AbiError error = aclrtMemcpy(target, size, memory, size, 2);

    return error == 0 || fail("aclrtMemcpy", error);
}

/* A copy of the arguments, for launch functions that want to write to them. */
typedef struct Block {
    uint64_t data[16];
} Block;

static AbiError launch_with_handle(const HostOptions *options, Block *block, size_t size,
                                   AbiStream stream)
{
    void *args = NULL;
    AbiError error = aclrtKernelArgsInit(function, &args);

    for (size_t i = 0; i < size / 8 && error == 0; i++) {
        error = aclrtKernelArgsAppend(args, &block->data[i], 8, NULL);
    }
    if (error == 0) {
        error = aclrtKernelArgsFinalize(args);
    }
    return error != 0
               ? error
               : aclrtLaunchKernelWithConfig(function, options->blocks, stream, NULL, args, NULL);
}

static AbiError launch_on_device(const HostOptions *options, Block *block, size_t size,
                                 AbiStream stream)
{
    void *args = HostUpload(block, size);

    if (args == NULL) {
        return ACL_ERROR_BAD_ALLOC;
    }
    return is_launch(options, "device-args")
               ? aclrtLaunchKernel(function, options->blocks, args, size, stream)
               : aclrtLaunchKernelV2(function, options->blocks, args, size, NULL, stream);
}

static AbiError launch_rt(const HostOptions *options, Block *block, size_t size, AbiStream stream)
{
    rtArgsEx_t args = { .args = block, .argsSize = (uint32_t) size };

    if (is_launch(options, "rt-stub")) {
        return rtKernelLaunch(kernel_name, options->blocks, block, (uint32_t) size, NULL, stream);
    }
    if (is_launch(options, "rt-flag")) {
        return rtKernelLaunchWithFlagV2(kernel_name, options->blocks, &args, NULL, stream, 0, NULL);
    }
    if (is_launch(options, "rt-handle-v2")) {
        return rtKernelLaunchWithHandleV2(handle, 0, options->blocks, &args, NULL, stream, NULL);
    }
    return rtKernelLaunchWithHandle(handle, 0, options->blocks, &args, NULL, stream, NULL);
}

static AbiError launch(const HostOptions *options, const uint64_t *arguments, size_t size,
                       AbiStream stream)
{
    Block block = { { 0 } };

    memcpy(block.data, arguments, size);
    if (strncmp(options->launch, "rt-", 3) == 0) {
        return launch_rt(options, &block, size, stream);
    }
    if (is_launch(options, "config")) {
        return launch_with_handle(options, &block, size, stream);
    }
    if (strncmp(options->launch, "device-args", 11) == 0) {
        return launch_on_device(options, &block, size, stream);
    }
    if (is_launch(options, "simt")) {
        return aclrtLaunchSIMTKernelWithHostArgs(function, (AbiDim3){ options->blocks, 1, 1 },
                                                 (AbiDim3){ 1, 1, 1 }, 0, stream, NULL, &block,
                                                 size, NULL, 0);
    }
    return aclrtLaunchKernelWithHostArgs(function, options->blocks, stream, NULL, &block, size,
                                         NULL, 0);
}

bool HostLaunchOn(const HostOptions *options, uint64_t *arguments, uint32_t count, AbiStream stream)
{
    const AbiError error = launch(options, arguments, 8 * (size_t) count, stream);

    return error == 0 || fail("the launch", error);
}

bool HostLaunch(const HostOptions *options, const uint64_t *arguments, uint32_t count)
{
    AbiStream stream = NULL;
    AbiError error = count > 16 ? ACL_ERROR_INVALID : aclrtCreateStream(&stream);

    for (uint32_t i = 0; i < options->repeat && error == 0; i++) {
        error = launch(options, arguments, 8 * (size_t) count, stream);
    }
    if (error != 0) {
        return fail("the launch", error);
    }
    error = aclrtSynchronizeStream(stream);
    if (error != 0) {
        return fail("aclrtSynchronizeStream", error);
    }
    error = aclrtDestroyStream(stream);
    return error == 0 || fail("aclrtDestroyStream", error);
}

int HostEnd(bool is_right, uint64_t place, double got, double wanted)
{
    if (!is_right) {
        printf("wrong: element %llu is %g, not %g\n", (unsigned long long) place, got, wanted);
        return 1;
    }
    puts("verified");
    aclFinalize();
    return fflush(stdout) == 0 ? 0 : 1;
}

float HostNumber(uint64_t place, uint32_t salt)
{
    const uint64_t mixed = (place + 1) * UINT64_C(2654435761) + salt * UINT64_C(40503);

    return (float) (mixed >> 7 & 15) - 8;
}
