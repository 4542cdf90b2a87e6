/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that launches in every way that the runtime has, with arguments in every form. Its
 * kernel copies the argument block that it sees, so that each byte of it is compared. CALLS_KERNEL
 * names the kernel's file.
 */
#include "refchip/abi.h"
#include "refchip/hal_abi.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 16u /* of the block that are copied, with the block's address after them */
#define OUT_BYTES ((WORDS + 1) * 8)

static char image[65536];
static size_t image_size;
static void *out; /* in the memory of the device: what the kernel saw */
static AbiStream stream;
static void *handle; /* of the binary, by each of the two layers */
static void *acl_handle;
static void *function;
static const char stub, symbol;

static bool read_image(void)
{
    const char *path = getenv("CALLS_KERNEL");
    FILE *in = path == NULL ? NULL : fopen(path, "rbe");

    image_size = in == NULL ? 0 : fread(image, 1, sizeof image, in);
    if (in != NULL) {
        fclose(in);
    }
    return image_size > 0;
}

static bool prepare(void)
{
    rtDevBinary_t binary = { .magic = RT_MAGIC_VECTOR, .data = image };

    if (!read_image()) {
        return false;
    }
    binary.length = image_size;
    return aclrtSetDevice(0) == 0 && aclrtCreateStream(&stream) == 0 &&
           aclrtMalloc(&out, OUT_BYTES, 0) == 0 && rtDevBinaryRegister(&binary, &handle) == 0 &&
           rtFunctionRegister(handle, &stub, "echo", NULL, 0) == 0 &&
           rtRegisterFuncSymbol(handle, &symbol, "echo", NULL) == 0 &&
           aclrtBinaryLoadFromData(image, image_size, NULL, &acl_handle) == 0 &&
           aclrtBinaryGetFunction(acl_handle, "echo", &function) == 0;
}

/* The block that every launch is to see: where to copy to, how much, numbers. */
static void fill(uint64_t block[WORDS], uint64_t salt)
{
    block[0] = (uint64_t) (uintptr_t) out;
    block[1] = WORDS;
    for (uint64_t i = 2; i < WORDS; i++) {
        block[i] = salt * 1000 + i;
    }
}

/* Wait for the launch and compare what it saw; in `pointer` (0: none) it saw the address of word
 * `data`. */
static bool check(AbiError error, const uint64_t block[WORDS], unsigned pointer, unsigned data)
{
    uint64_t saw[WORDS + 1] = { 0 };

    if (error != 0 || aclrtSynchronizeStream(stream) != 0 ||
        aclrtMemcpy(saw, sizeof saw, out, OUT_BYTES, 2) != 0) {
        return false;
    }
    for (unsigned i = 0; i < WORDS; i++) {
        const uint64_t wanted = pointer != 0 && i == pointer ? saw[WORDS] + 8 * data : block[i];

        if (saw[i] != wanted) {
            printf("word %u is 0x%llx, not 0x%llx\n", i, (unsigned long long) saw[i],
                   (unsigned long long) wanted);
            return false;
        }
    }
    return aclrtMemset(out, OUT_BYTES, 0, OUT_BYTES) == 0;
}

#define POINTER 4u
#define DATA 12u

/* ---- rt* ---- */

static bool by_stub(void)
{
    uint64_t block[WORDS];

    fill(block, 1);
    return check(rtKernelLaunch(&stub, 1, block, sizeof block, NULL, stream), block, 0, 0);
}

static bool by_symbol(void)
{
    uint64_t block[WORDS];
    void *found = NULL;
    rtArgsEx_t args = { .args = block, .argsSize = sizeof block };
    const rtArgsSizeInfo_t sizes = { NULL, 1 };

    fill(block, 2);
    if (rtSetExceptionExtInfo(&sizes) != 0 ||
        !check(rtKernelLaunchWithFlagV2(&symbol, 1, &args, NULL, stream, 0, NULL), block, 0, 0)) {
        return false;
    }
    return aclrtGetFuncBySymbol(&symbol, &found) == 0 &&
           check(
               aclrtLaunchKernelWithHostArgs(found, 1, stream, NULL, block, sizeof block, NULL, 0),
               block, 0, 0);
}

/* Inputs after the arguments, and a tiling after those: both are pointers among the arguments. */
static bool with_host_inputs(void)
{
    uint64_t block[WORDS];
    rtHostInputInfo_t input = { 8 * POINTER, 8 * DATA };
    rtArgsEx_t args = {
        .args = block, .argsSize = sizeof block, .hostInputInfoPtr = &input, .hostInputInfoNum = 1
    };

    fill(block, 3);
    return check(rtKernelLaunchWithFlagV2(&stub, 1, &args, NULL, stream, 0, NULL), block, POINTER,
                 DATA);
}

static bool with_tiling(void)
{
    uint64_t block[WORDS];
    rtTaskCfgInfo_t config = { .schemMode = 1 };
    rtArgsEx_t args = { .args = block,
                        .argsSize = sizeof block,
                        .tilingAddrOffset = 8 * POINTER,
                        .tilingDataOffset = 8 * DATA,
                        .hasTiling = 1 };

    fill(block, 4);
    return check(rtKernelLaunchWithHandleV2(handle, 0, 1, &args, NULL, stream, &config), block,
                 POINTER, DATA);
}

static bool by_handle(void)
{
    uint64_t block[WORDS];
    rtArgsEx_t args = { .args = block, .argsSize = sizeof block };

    fill(block, 5);
    return check(rtKernelLaunchWithHandle(handle, 0, 1, &args, NULL, stream, NULL), block, 0, 0);
}

/* A block that is on the device already. */
static bool on_device(void)
{
    uint64_t block[WORDS];
    void *memory = NULL;
    bool is_good;

    fill(block, 6);
    if (aclrtMallocForTaskScheduler(&memory, sizeof block, 0, NULL) != 0 ||
        aclrtMemcpy(memory, sizeof block, block, sizeof block, 1) != 0) {
        return false;
    }
    rtArgsEx_t args = { .args = memory, .argsSize = sizeof block, .isNoNeedH2DCopy = 1 };

    is_good = check(rtKernelLaunchWithHandle(handle, 0, 1, &args, NULL, stream, NULL), block, 0, 0);
    is_good =
        is_good && check(aclrtLaunchKernel(function, 1, memory, sizeof block, stream), block, 0, 0);
    is_good = is_good && check(aclrtLaunchKernelV2(function, 1, memory, sizeof block, NULL, stream),
                               block, 0, 0);
    return aclrtFreeWithDevSync(memory) == 0 && is_good;
}

/* ---- aclrt* ---- */

static bool with_places(void)
{
    uint64_t block[WORDS];
    aclrtPlaceHolderInfo place = { 8 * POINTER, 8 * DATA };

    fill(block, 7);
    return check(
        aclrtLaunchKernelWithHostArgs(function, 1, stream, NULL, block, sizeof block, &place, 1),
        block, POINTER, DATA);
}

/* Append the words up to DATA, one of them a placeholder; the rest is its data. */
static bool append(void *args, const uint64_t block[WORDS])
{
    void *place = NULL, *data = NULL, *changed = NULL;
    uint64_t wrong = 0;
    AbiError error = 0;

    for (unsigned i = 0; i < DATA && error == 0; i++) {
        if (i == POINTER) {
            error = aclrtKernelArgsAppendPlaceHolder(args, &place);
        } else if (i == 2) { /* wrong at first, and put right below */
            error = aclrtKernelArgsAppend(args, &wrong, 8, &changed);
        } else {
            uint64_t word = block[i];

            error = aclrtKernelArgsAppend(args, &word, 8, NULL);
        }
    }
    if (error != 0 ||
        aclrtKernelArgsGetPlaceHolderBuffer(args, place, (WORDS - DATA) * 8, &data) != 0) {
        return false;
    }
    memcpy(data, block + DATA, (WORDS - DATA) * 8);
    wrong = block[2];
    return aclrtKernelArgsParaUpdate(args, changed, &wrong, 8) == 0 &&
           aclrtKernelArgsFinalize(args) == 0;
}

static bool with_handle(void)
{
    uint64_t block[WORDS];
    void *args = NULL;

    fill(block, 8);
    return aclrtKernelArgsInit(function, &args) == 0 && append(args, block) &&
           check(aclrtLaunchKernelWithConfig(function, 1, stream, NULL, args, NULL), block, POINTER,
                 DATA);
}

static bool with_own_memory(void)
{
    static uint64_t memory[4 * WORDS];
    uint64_t block[WORDS];
    size_t size = 0, room = 0;
    void *args = NULL;
    bool is_good;

    fill(block, 9);
    is_good = aclrtKernelArgsGetHandleMemSize(function, &size) == 0 &&
              aclrtKernelArgsGetMemSize(function, sizeof block, &room) == 0 &&
              room <= sizeof memory && (args = malloc(size)) != NULL &&
              aclrtKernelArgsInitByUserMem(function, args, memory, sizeof memory) == 0 &&
              append(args, block) &&
              check(aclrtLaunchKernelWithConfig(function, 1, stream, NULL, args, NULL), block,
                    POINTER, DATA);
    free(args);
    return is_good;
}

static bool with_array(void)
{
    uint64_t block[WORDS];
    void *args[WORDS + 1] = { NULL };

    fill(block, 10);
    for (unsigned i = 0; i < WORDS; i++) {
        args[i] = &block[i];
    }
    return check(aclrtLaunchKernelWithArgsArray(function, 1, stream, NULL, args), block, 0, 0);
}

/* This chip has no threads in a block; two launches of one program are reported once. */
static bool simt_array(void)
{
    const AbiDim3 one = { 1, 1, 1 };
    uint64_t block[WORDS];
    void *args[WORDS + 1] = { NULL };
    bool is_good = true;

    for (unsigned i = 0; i < WORDS; i++) {
        args[i] = &block[i];
    }
    for (unsigned times = 0; times < 2 && is_good; times++) {
        fill(block, 15 + times);
        is_good =
            check(aclrtLaunchSIMTKernelWithArgsArray(function, one, one, 0, stream, NULL, args),
                  block, 0, 0);
    }
    return is_good;
}

static bool simt_host(void)
{
    const AbiDim3 one = { 1, 1, 1 };
    uint64_t block[WORDS];
    aclrtPlaceHolderInfo place = { 8 * POINTER, 8 * DATA };
    bool is_good = true;

    for (unsigned times = 0; times < 2 && is_good; times++) {
        fill(block, 17 + times);
        is_good = check(aclrtLaunchSIMTKernelWithHostArgs(function, one, one, 0, stream, NULL,
                                                          block, sizeof block, &place, 1),
                        block, POINTER, DATA);
    }
    return is_good;
}

static bool by_entry(void)
{
    uint64_t block[WORDS];
    void *binary = aclrtCreateBinary(image, image_size), *loaded = NULL, *found = NULL;

    fill(block, 11);
    return binary != NULL && aclrtBinaryLoad(binary, &loaded) == 0 &&
           aclrtDestroyBinary(binary) == 0 &&
           aclrtBinaryGetFunctionByEntry(loaded, 0, &found) == 0 &&
           check(
               aclrtLaunchKernelWithHostArgs(found, 1, stream, NULL, block, sizeof block, NULL, 0),
               block, 0, 0) &&
           aclrtBinaryUnLoad(loaded) == 0;
}

/* ---- beside launches ---- */

/* A function of the AICPU is available; its launch is not an operator, and here it fails. */
static bool on_aicpu(void)
{
    uint64_t block[WORDS];
    void *found = NULL;
    int64_t type = 0;

    fill(block, 12);
    return aclrtRegisterCpuFunc(acl_handle, "echo", "echo", &found) == 0 &&
           aclrtGetFunctionAttribute(found, 1, &type) == 0 && type == ACL_KERNEL_AICPU &&
           aclrtLaunchKernelWithHostArgs(found, 1, stream, NULL, block, sizeof block, NULL, 0) != 0;
}

/* Memory that is reserved and mapped; the kernel writes to it. */
static bool mapped(void)
{
    uint64_t block[WORDS], saw[WORDS] = { 0 };
    rtDrvMemHandle_t physical = { .pg_num = 1 };
    void *memory = NULL;
    bool is_good;

    fill(block, 13);
    if (rtReserveMemAddress(&memory, 4096, 0, NULL, 0) != 0 ||
        aclrtMapMem(memory, 4096, 0, &physical, 0) != 0) {
        return false;
    }
    block[0] = (uint64_t) (uintptr_t) memory;
    is_good = rtKernelLaunch(&stub, 1, block, sizeof block, NULL, stream) == 0 &&
              aclrtSynchronizeStream(stream) == 0 &&
              aclrtMemcpy(saw, sizeof saw, memory, sizeof saw, 2) == 0 &&
              memcmp(saw, block, sizeof saw) == 0;
    return aclrtUnmapMem(memory) == 0 && rtReleaseMemAddress(memory) == 0 && is_good;
}

/* Launches that are recorded, and then made as often as the model is executed. */
static bool captured(void)
{
    uint64_t block[WORDS];
    void *model = NULL;
    bool is_good = aclmdlRICaptureBegin(stream, 0) == 0;

    fill(block, 14);
    is_good = is_good && rtKernelLaunch(&stub, 1, block, sizeof block, NULL, stream) == 0 &&
              aclrtSynchronizeStream(stream) != 0 && aclmdlRICaptureEnd(stream, &model) == 0;
    for (unsigned i = 0; i < 2 && is_good; i++) {
        is_good = check(aclmdlRIExecuteAsync(model, stream), block, 0, 0);
    }
    return is_good && aclmdlRIDestroy(model) == 0;
}

/* ---- what a program asks of the chip ---- */

static int show_chip(void)
{
    char name[64] = "", driver_name[64] = "";
    int64_t all = 0, cube = 0, vector = 0, aicore = 0;
    uint32_t cores = 0, devices = 0, status = 1;
    int32_t count = 0;

    if (rtGetSocVersion(name, sizeof name) != 0 || halGetSocVersion(0, driver_name, 64) != 0 ||
        rtGetAiCoreCount(&cores) != 0 || rtGetDeviceInfo(0, 4, 3, &aicore) != 0 ||
        aclrtGetDeviceInfo(0, ACL_DEVICE_AI_CORES, &all) != 0 ||
        aclrtGetDeviceInfo(0, ACL_DEVICE_CUBE_CORES, &cube) != 0 ||
        aclrtGetDeviceInfo(0, ACL_DEVICE_VECTOR_CORES, &vector) != 0 ||
        rtGetDeviceCount(&count) != 0 || aclrtGetDeviceCount(&devices) != 0) {
        return 1;
    }
    printf("%s %s %s %u %d %d %d %d, %d %u devices, status of the last %d\n", name,
           aclrtGetSocName(), driver_name, cores, (int) aicore, (int) all, (int) cube, (int) vector,
           count, devices, rtDeviceStatusQuery(devices - 1, &status));
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*run)(void);
    } ways[] = {
        { "stub", by_stub },       { "symbol", by_symbol },  { "inputs", with_host_inputs },
        { "tiling", with_tiling }, { "handle", by_handle },  { "device", on_device },
        { "places", with_places }, { "args", with_handle },  { "own-memory", with_own_memory },
        { "array", with_array },   { "entry", by_entry },    { "aicpu", on_aicpu },
        { "mapped", mapped },      { "captured", captured }, { "simt-array", simt_array },
        { "simt-host", simt_host }
    };
    const unsigned apart = 3; /* of these run only when they are named: the last ones */
    const unsigned count = sizeof ways / sizeof ways[0];
    bool is_good;

    if (argc > 1 && strcmp(argv[1], "chip") == 0) {
        return show_chip();
    }
    is_good = prepare();
    for (unsigned i = 0; i < count && is_good; i++) {
        if (argc > 1 ? strcmp(argv[1], ways[i].name) != 0 : i >= count - apart) {
            continue;
        }
        is_good = ways[i].run();
        printf("%s: %s\n", ways[i].name, is_good ? "right" : "wrong");
    }
    puts(is_good ? "verified" : "wrong");
    return is_good ? 0 : 1;
}
