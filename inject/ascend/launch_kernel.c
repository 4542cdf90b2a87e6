/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opprof-launch-kernel: launches the kernel that a document describes, once. It is the program that
 * is profiled where a collector is given such a document instead of a program. It opens the runtime
 * itself, so that it runs with any. Tested by tests/refchip/test_config.sh.
 */
#include "inject/ascend/kernel_file.h"
#include "refchip/abi.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2 };

__attribute__((format(printf, 1, 2))) static bool fail(const char *format, ...)
{
    va_list list;

    fputs("opprof-launch-kernel: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputs("\n", stderr);
    return false;
}

/* ---- the runtime ---- */

static void *runtime;

/* libascendcl.so of the search path, else of the toolkit. */
static bool open_runtime(void)
{
    const char *home = getenv("ASCEND_HOME_PATH");
    char path[PATH_MAX];

    runtime = dlopen("libascendcl.so", RTLD_LAZY | RTLD_GLOBAL);
    if (runtime == NULL && home != NULL) {
        snprintf(path, sizeof path, "%s/lib64/libascendcl.so", home);
        runtime = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
    }
    return runtime != NULL ||
           fail("Cannot open libascendcl.so: %s. Add its folder to LD_LIBRARY_PATH", dlerror());
}

/* Call a function of the runtime; false: it has none, or the call failed. */
#define CALL(name, ...)                                                                            \
    ({                                                                                             \
        __typeof__(&name) call_ = (__typeof__(&name)) dlsym(runtime, #name);                       \
        const AbiError error_ = call_ == NULL ? 0 : call_(__VA_ARGS__);                            \
        (call_ != NULL || fail("libascendcl.so has no " #name)) &&                                 \
            (error_ == 0 || fail(#name " failed with %d", (int) error_));                          \
    })

/* ---- data ---- */

/* The bytes of an argument: of its file, or zeros. To be freed. */
static void *read_data(const KernelArgument *argument)
{
    FILE *in = argument->data_path == NULL ? NULL : fopen(argument->data_path, "rbe");
    void *data = calloc(1, argument->bytes);
    bool is_good = data != NULL && (argument->data_path == NULL || in != NULL);

    if (in != NULL) {
        is_good = is_good && fread(data, 1, argument->bytes, in) == argument->bytes;
        fclose(in);
    }
    if (!is_good) {
        fail("Cannot read the %llu bytes of '%s'", (unsigned long long) argument->bytes,
             argument->data_path == NULL ? "an argument" : argument->data_path);
        free(data);
        return NULL;
    }
    return data;
}

static bool upload(const KernelArgument *argument, void **ret_memory)
{
    void *data = read_data(argument);
    const bool is_good = data != NULL && CALL(aclrtMalloc, ret_memory, argument->bytes, 0) &&
                         CALL(aclrtMemcpy, *ret_memory, argument->bytes, data, argument->bytes, 1);

    free(data);
    return is_good;
}

static bool save(const char *directory, const KernelFile *file, uint32_t number, const void *memory)
{
    const KernelArgument *argument = &file->arguments[number];
    void *data = malloc(argument->bytes);
    char path[PATH_MAX];
    FILE *out;
    bool is_good =
        data != NULL && CALL(aclrtMemcpy, data, argument->bytes, memory, argument->bytes, 2);

    snprintf(path, sizeof path, "%s/%u.bin", directory, (unsigned) number);
    out = is_good ? fopen(path, "wbe") : NULL;
    is_good = out != NULL && fwrite(data, 1, argument->bytes, out) == argument->bytes;
    if (out != NULL && fclose(out) != 0) {
        is_good = false;
    }
    free(data);
    return is_good || fail("Cannot write '%s'", path);
}

/* ---- the launch ---- */

static bool find_function(const KernelFile *file, void **ret_function)
{
    void *handle = NULL;

    return CALL(aclrtBinaryLoadFromFile, file->kernel_path, NULL, &handle) &&
           (file->has_key ? CALL(aclrtBinaryGetFunctionByEntry, handle, file->key, ret_function)
                          : CALL(aclrtBinaryGetFunction, handle, file->kernel_name, ret_function));
}

static bool launch(const KernelFile *file, void *const *memory)
{
    void *function = NULL;
    AbiStream stream = NULL;
    uint64_t block[KERNEL_FILE_MOST_ARGUMENTS];

    for (uint32_t i = 0; i < file->argument_count; i++) {
        block[i] = (uint64_t) (uintptr_t) memory[i];
    }
    return find_function(file, &function) && CALL(aclrtCreateStream, &stream) &&
           CALL(aclrtLaunchKernelWithHostArgs, function, file->blocks, stream, NULL, block,
                8 * (size_t) file->argument_count, NULL, 0) &&
           CALL(aclrtSynchronizeStream, stream) && CALL(aclrtDestroyStream, stream);
}

static bool run(const KernelFile *file, const char *outputs)
{
    void *memory[KERNEL_FILE_MOST_ARGUMENTS] = { NULL };
    bool is_good = open_runtime() && CALL(aclInit, NULL) && CALL(aclrtSetDevice, file->device);

    for (uint32_t i = 0; i < file->argument_count && is_good; i++) {
        is_good = upload(&file->arguments[i], &memory[i]);
    }
    is_good = is_good && launch(file, memory);
    for (uint32_t i = 0; outputs != NULL && i < file->argument_count && is_good; i++) {
        is_good = file->arguments[i].kind != KERNEL_OUTPUT || save(outputs, file, i, memory[i]);
    }
    return is_good && CALL(aclFinalize);
}

int main(int argc, char **argv)
{
    const bool checks = argc == 3 && strncmp(argv[1], "check=", 6) == 0;
    const char *outputs = argc == 3 && strncmp(argv[1], "outputs=", 8) == 0 ? argv[1] + 8 : NULL;
    KernelFile file;
    int code = EXIT_USAGE;

    if (argc != 2 && !checks && outputs == NULL) {
        fputs("usage: opprof-launch-kernel [check=ca|check=onboard|outputs=DIR] FILE\n"
              "Launches the kernel that FILE describes, once; DIR gets its outputs, by their "
              "number.\n",
              stderr);
        return EXIT_USAGE;
    }
    if (!KernelFileRead(&file, argv[argc - 1])) {
        fail("'%s': %s", argv[argc - 1], file.why);
    } else if (checks && strcmp(argv[1] + 6, file.is_on_device ? "onboard" : "ca") != 0) {
        fail("'%s': its mode is %s, not %s", argv[argc - 1], file.is_on_device ? "onboard" : "ca",
             argv[1] + 6);
    } else {
        code = checks || run(&file, outputs) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    KernelFileFinish(&file);
    return code;
}
