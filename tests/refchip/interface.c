/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that use the runtime as others do: captures and models, launches by every name,
 * contexts, memory that devices share, mstx of two ages. Each adds to its own memory in place, so
 * that its end shows how often every kernel ran. INTERFACE_KERNEL names the kernel's file,
 * INTERFACE_SECOND that of the same one by the name vector_sum.
 */
#include "refchip/abi.h"
#include "refchip/mstx_abi.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOATS 1024u
#define BYTES (FLOATS * sizeof(float))

static const char *path;
static float *x, *y; /* x += y, and y is 1 */
static AbiStream stream, other;
static void *handle, *function;
static const char stub, second_stub;
static unsigned added;
static uint64_t block[7];

static bool load(const char *file)
{
    static char data[65536];
    FILE *in = file == NULL ? NULL : fopen(file, "rbe");
    rtDevBinary_t binary = { .magic = RT_MAGIC_VECTOR, .data = data };

    if (in == NULL) {
        return false;
    }
    binary.length = fread(data, 1, sizeof data, in);
    fclose(in);
    return rtDevBinaryRegister(&binary, &handle) == 0;
}

static bool make(int32_t policy)
{
    float numbers[FLOATS], ones[FLOATS];

    for (unsigned i = 0; i < FLOATS; i++) {
        numbers[i] = (float) i;
        ones[i] = 1;
    }
    if (aclrtCreateStream(&stream) != 0 || aclrtCreateStream(&other) != 0 ||
        aclrtMalloc((void **) &x, BYTES, policy) != 0 || aclrtMalloc((void **) &y, BYTES, 0) != 0 ||
        aclrtMemcpy(x, BYTES, numbers, BYTES, 1) != 0 ||
        aclrtMemcpy(y, BYTES, ones, BYTES, 1) != 0 || !load(path) ||
        rtFunctionRegister(handle, &stub, "vector_add", NULL, 0) != 0) {
        return false;
    }
    block[0] = block[2] = (uint64_t) (uintptr_t) x;
    block[1] = (uint64_t) (uintptr_t) y;
    block[3] = 1;
    block[4] = BYTES;
    block[5] = (uint64_t) BYTES / 32 << 16 | 16;
    block[6] = UINT64_C(0x2000080808010101);
    return true;
}

static bool add_to(AbiStream on)
{
    return rtKernelLaunch(&stub, 1, block, sizeof block, NULL, on) == 0;
}

static bool add_second(void)
{
    return rtKernelLaunch(&second_stub, 1, block, sizeof block, NULL, stream) == 0;
}

/* Whether x is what it was, and 1 more for each addition. */
static bool check(void)
{
    float result[FLOATS];
    bool is_good = aclrtSynchronizeStream(stream) == 0 && aclrtSynchronizeStream(other) == 0 &&
                   aclrtMemcpy(result, BYTES, x, BYTES, 2) == 0;

    for (unsigned i = 0; i < FLOATS && is_good; i++) {
        is_good = result[i] == (float) (i + added);
        if (!is_good) {
            printf("number %u is %g, not %u\n", i, (double) result[i], i + added);
        }
    }
    return is_good;
}

/* ---- mstx: tables as long as the header of a toolkit knows functions ---- */

static MstxStart *range_start;
static MstxEnd *range_end;
static MstxTool *tool_id;
static MstxDomainCreate *domain_create;
static MstxDomainDestroy *domain_destroy;
static MstxDomainStart *domain_start;
static MstxDomainEnd *domain_end;
static unsigned core_size;

static int get_table(int module, void ***table, unsigned *size)
{
    static void *core[MSTX_CORE_SIZE] = { [MSTX_START] = (void *) &range_start,
                                          [MSTX_END] = (void *) &range_end,
                                          [MSTX_TOOL] = (void *) &tool_id };
    static void *domains[] = { [DOMAIN_CREATE] = (void *) &domain_create,
                               [DOMAIN_DESTROY] = (void *) &domain_destroy,
                               [DOMAIN_START] = (void *) &domain_start,
                               [DOMAIN_END] = (void *) &domain_end };

    *table = module == MSTX_CORE ? core : domains;
    *size = module == MSTX_CORE ? core_size : sizeof domains / sizeof domains[0];
    return module == MSTX_CORE || module == MSTX_DOMAIN ? 0 : 1;
}

/* ---- captures and models ---- */

/* Three additions, the last on a stream that joins. When the capture has ended, its event counts
 * for nothing: a launch on that stream is one as usual. */
static bool capture(int32_t mode)
{
    void *model = NULL, *event = NULL;
    uint32_t status = 7;

    if (!add_to(stream) || aclrtSynchronizeStream(stream) != 0 ||
        aclmdlRICaptureBegin(stream, mode) != 0 || !add_to(stream) || !add_to(stream) ||
        aclmdlRICaptureGetInfo(stream, &status, &model) != 0 || status != CAPTURE_STATUS_ACTIVE ||
        aclrtSynchronizeStream(stream) != ACL_ERROR_CAPTURED ||
        aclrtMemcpy(y, 4, y, 4, 3) != (mode == CAPTURE_RELAXED ? 0 : ACL_ERROR_FORBIDDEN) ||
        aclrtCreateEvent(&event) != 0 || aclrtRecordEvent(event, stream) != 0 ||
        aclrtSynchronizeEvent(event) != ACL_ERROR_EVENT_CAPTURED ||
        aclrtStreamWaitEvent(other, event) != 0 || !add_to(other) ||
        aclmdlRICaptureEnd(stream, &model) != 0 || aclrtStreamWaitEvent(other, event) != 0 ||
        !add_to(other) || aclrtSynchronizeEvent(event) != 0 || aclrtSynchronizeStream(other) != 0) {
        return false;
    }
    for (unsigned i = 0; i < 5; i++) {
        if (aclmdlRIExecuteAsync(model, stream) != 0) {
            return false;
        }
    }
    added = 2 + 5 * 3;
    return check() && aclmdlRIDestroy(model) == 0;
}

static bool run_capture(void)
{
    return make(0) && capture(CAPTURE_GLOBAL);
}

static bool run_relaxed(void)
{
    return make(0) && capture(CAPTURE_RELAXED);
}

/* A graph of three kernels on one stream, and another of one; each is executed several times. */
static bool run_graphs(void)
{
    void *three = NULL, *one = NULL;

    if (!make(0) || !load(getenv("INTERFACE_SECOND")) ||
        rtFunctionRegister(handle, &second_stub, "vector_sum", NULL, 0) != 0 || !add_to(stream) ||
        aclmdlRICaptureBegin(stream, CAPTURE_GLOBAL) != 0 || !add_to(stream) || !add_second() ||
        !add_to(stream) || aclmdlRICaptureEnd(stream, &three) != 0 ||
        rtStreamBeginCapture(other, CAPTURE_RELAXED) != 0 || !add_to(other) ||
        rtStreamEndCapture(other, &one) != 0) {
        return false;
    }
    for (unsigned i = 0; i < 5; i++) {
        if (aclmdlRIExecuteAsync(three, stream) != 0) {
            return false;
        }
    }
    added = 1 + 5 * 3 + 3;
    return aclrtSynchronizeStream(stream) == 0 && rtModelExecute(one, other, 0) == 0 &&
           rtModelExecuteSync(one, other, 0, 10000) == 0 && aclmdlRIExecute(one, 10000) == 0 &&
           check() && aclmdlRIDestroy(three) == 0 && rtModelDestroy(one) == 0;
}

static void count_call(void *calls)
{
    ++*(unsigned *) calls;
}

/* Functions of the host are called as often as without opprof: in a graph, in a range, and as they
 * are. */
static bool run_callbacks(void)
{
    __typeof__(&InitInjectionMstx) init =
        (__typeof__(init)) dlsym(RTLD_DEFAULT, "InitInjectionMstx");
    unsigned calls = 0;
    void *model = NULL;
    uint64_t id = 0;
    bool is_good;

    core_size = 5;
    added = 6;
    is_good = (init == NULL || init(get_table) == 0) && make(0);
    id = init == NULL ? 0 : range_start("calls", NULL);
    is_good = is_good && add_to(stream) &&
              aclrtLaunchCallback(count_call, &calls, 0, stream) == 0 && add_to(stream);
    if (id != 0) {
        range_end(id);
    }
    is_good = is_good && aclmdlRICaptureBegin(stream, CAPTURE_RELAXED) == 0 && add_to(stream) &&
              rtCallbackLaunch(count_call, &calls, stream, true) == 0 && add_to(stream) &&
              aclmdlRICaptureEnd(stream, &model) == 0 && aclmdlRIExecuteAsync(model, stream) == 0 &&
              aclmdlRIExecuteAsync(model, stream) == 0 && check();
    return is_good && calls == 3;
}

static void *add_elsewhere(void *unused)
{
    (void) unused;
    return aclrtSetDevice(0) == 0 && add_to(other) ? &added : NULL;
}

/* Another thread launches while a capture is open that forbids it to wait. */
static bool run_beside(void)
{
    void *model = NULL, *result = NULL;
    pthread_t thread;

    if (!make(0) || aclmdlRICaptureBegin(stream, CAPTURE_GLOBAL) != 0 || !add_to(stream) ||
        pthread_create(&thread, NULL, add_elsewhere, NULL) != 0) {
        return false;
    }
    pthread_join(thread, &result);
    added = 2;
    return result != NULL && aclmdlRICaptureEnd(stream, &model) == 0 &&
           aclrtSynchronizeStream(other) == 0 && aclmdlRIExecuteAsync(model, stream) == 0 &&
           check();
}

/* The first kernel runs in a graph of two streams alone, and in one that is never executed. */
static bool run_recorded(void)
{
    void *model = NULL, *unused = NULL, *event = NULL;

    added = 3;
    return make(0) && load(getenv("INTERFACE_SECOND")) && aclrtCreateEvent(&event) == 0 &&
           rtFunctionRegister(handle, &second_stub, "vector_sum", NULL, 0) == 0 &&
           aclmdlRICaptureBegin(stream, CAPTURE_GLOBAL) == 0 && add_to(stream) &&
           aclmdlRICaptureEnd(stream, &unused) == 0 && aclmdlRIDestroy(unused) == 0 &&
           aclmdlRICaptureBegin(stream, CAPTURE_GLOBAL) == 0 && add_to(stream) &&
           aclrtRecordEvent(event, stream) == 0 && aclrtStreamWaitEvent(other, event) == 0 &&
           add_to(other) && aclmdlRICaptureEnd(stream, &model) == 0 &&
           aclmdlRIExecuteAsync(model, stream) == 0 && add_second() && check();
}

/* Streams that are bound to a model, by each layer; the models run by all names. */
static bool run_models(void)
{
    void *first = NULL, *second = NULL;
    uint32_t id = 0;

    if (!make(0) || rtModelCreate(&first, 0) != 0 || rtModelBindStream(first, stream, 0) != 0 ||
        !add_to(stream) || rtModelUnbindStream(first, stream) != 0 ||
        rtModelLoadComplete(first) != 0 || aclmdlRIBuildBegin(&second, 0) != 0 ||
        aclmdlRIBindStream(second, stream, 0) != 0 || !add_to(stream) || !add_to(stream) ||
        aclmdlRIEndTask(second, stream) != 0 || aclmdlRIBuildEnd(second, NULL) != 0 ||
        aclmdlRIExecuteAsync(second, other) != 0 || aclrtSynchronizeStream(other) != 0 ||
        aclmdlRIUnbindStream(second, stream) != 0 || !add_to(stream)) {
        return false;
    }
    added = 1 + 2 + 1 + 2 + 2 + 1 + 1;
    return rtModelExecute(first, stream, 0) == 0 && aclrtSynchronizeStream(stream) == 0 &&
           aclmdlRIExecute(second, 10000) == 0 && aclmdlRIExecuteAsync(second, stream) == 0 &&
           rtModelGetId(first, &id) == 0 && aclrtSynchronizeStream(stream) == 0 &&
           aclmdlExecute(id, NULL, NULL) == 0 && aclmdlExecuteAsync(id, NULL, NULL, stream) == 0 &&
           check();
}

/* ---- launches by every name ---- */

/* Nine launches. */
static bool by_names(void)
{
    rtArgsEx_t args = { .args = block, .argsSize = sizeof block };
    void *list = NULL, *binary = NULL, *memory = NULL;

    return rtsBinaryLoadFromFile(path, NULL, &binary) == 0 &&
           rtsFuncGetByName(binary, "vector_add", &function) == 0 &&
           aclrtMalloc(&memory, sizeof block, 0) == 0 &&
           aclrtMemcpy(memory, sizeof block, block, sizeof block, 1) == 0 &&
           rtCreateLaunchArgs(sizeof block, 0, 0, block, &list) == 0 &&
           rtKernelLaunchWithFlag(&stub, 1, &args, NULL, stream, 0) == 0 &&
           rtVectorCoreKernelLaunch(&stub, 1, &args, NULL, stream, 0, NULL) == 0 &&
           rtVectorCoreKernelLaunchWithHandle(handle, 0, 1, &args, NULL, stream, NULL) == 0 &&
           rtLaunchKernelByFuncHandle(function, 1, list, stream) == 0 &&
           rtLaunchKernelByFuncHandleV2(function, 1, list, stream, NULL) == 0 &&
           rtLaunchKernelByFuncHandleV3(function, 1, &args, stream, NULL) == 0 &&
           rtsLaunchKernelWithConfig(function, 1, stream, NULL, list, NULL) == 0 &&
           rtsLaunchKernelWithDevArgs(function, 1, stream, NULL, memory, sizeof block, NULL) == 0 &&
           rtsLaunchKernelWithHostArgs(function, 1, stream, NULL, block, sizeof block, NULL, 0) ==
               0;
}

static bool run_launches(void)
{
    char task[64] = { 0 };

    added = 9;
    return make(0) && by_names() && rtFftsPlusTaskLaunch(task, stream) == 0 &&
           rtFftsPlusTaskLaunchWithFlag(task, stream, 3) == 0 &&
           rtFftsPlusTaskLaunchWithFlag(NULL, stream, 3) == RT_ERROR_VALUE &&
           rtMultipleTaskInfoLaunch(task, stream) == 0 &&
           rtStarsTaskLaunch(task, sizeof task, stream) == 0 &&
           rtKernelLaunchEx(task, sizeof task, 0, stream) == 0 &&
           aclopExecuteV2("Add", 0, NULL, NULL, 0, NULL, NULL, NULL, stream) == 0 &&
           aclopCompileAndExecute("Add", 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, NULL, stream) ==
               0 &&
           rtsLaunchCpuKernel(function, 1, stream, NULL, task) == 0 && check();
}

/* A stub of which nobody but the runtime knows. */
static bool run_unknown(void)
{
    void *library = dlopen("libruntime.so", RTLD_LAZY | RTLD_NOLOAD);
    __typeof__(&rtFunctionRegister) unseen = NULL;

    if (library != NULL) {
        unseen = (__typeof__(unseen)) dlsym(library, "rtFunctionRegister");
    }
    added = 2;
    return make(0) && unseen != NULL && unseen(handle, &second_stub, "vector_add", NULL, 0) == 0 &&
           add_to(stream) && add_second() && check();
}

/* ---- devices ---- */

/* The second device by its context alone; which of the driver's it is, this does not say. */
static bool run_contexts(void)
{
    void *first = NULL, *second = NULL, *now = NULL;
    int32_t device = 7;
    bool is_good;

    added = 2;
    is_good = aclrtCreateContext(&second, 1) == 0 && aclrtCreateContext(&first, 0) == 0 &&
              aclrtSetCurrentContext(second) == 0 && aclrtGetDevice(&device) == 0 && device == 1 &&
              aclrtGetCurrentContext(&now) == 0 && now == second && make(0) && add_to(stream) &&
              add_to(stream) && check();
    return is_good && aclrtSetCurrentContext(first) == 0 && aclrtGetDevice(&device) == 0 &&
           device == 0 && aclrtDestroyContext(first) == 0 && aclrtDestroyContext(second) == 0 &&
           aclrtResetDeviceForce(1) == 0;
}

static bool run_shared(void)
{
    static const int32_t policies[] = { 7, 4 | 0x1000, 3 };
    static const uint32_t types[] = { 0x2000, 0x4000, 0x8000, 0x20000, 0x10 };
    bool is_good = true;

    for (unsigned i = 0; i < 3 && is_good; i++) {
        added = 1;
        is_good = make(policies[i]) && add_to(stream) && check();
    }
    for (unsigned i = 0; i < 5 && is_good; i++) {
        is_good = rtMalloc((void **) &x, BYTES, types[i], 0) == 0;
        block[0] = block[2] = (uint64_t) (uintptr_t) x;
        is_good = is_good && add_to(stream) && aclrtSynchronizeStream(stream) == 0;
    }
    return is_good;
}

/* ---- ranges ---- */

/* Five launches, of which the second and the fourth are within ranges. */
static bool in_ranges(unsigned size)
{
    __typeof__(&InitInjectionMstx) init =
        (__typeof__(init)) dlsym(RTLD_DEFAULT, "InitInjectionMstx");
    uint64_t id = 0, tool = 0;
    void *domain = NULL;
    bool is_good;

    core_size = size;
    added = 5;
    is_good = (init == NULL || init(get_table) == 0) && make(0) && add_to(stream);
    id = init == NULL ? 1 : range_start("plain", NULL);
    is_good = is_good && id != 0 && add_to(stream);
    if (init != NULL) {
        range_end(id);
        domain = domain_create("domain");
    }
    is_good = is_good && add_to(stream);
    id = init == NULL ? 1 : domain_start(domain, "inner", NULL);
    is_good = is_good && id != 0 && add_to(stream);
    if (init != NULL) {
        domain_end(domain, id);
        domain_destroy(domain);
    }
    if (tool_id != NULL) {
        tool_id(&tool);
    }
    return is_good && add_to(stream) && check() &&
           (tool_id != NULL) == (init != NULL && size > 4) && (tool_id == NULL || tool != 0);
}

static bool run_old_mstx(void)
{
    return in_ranges(4);
}

static bool run_new_mstx(void)
{
    return in_ranges(5);
}

/* All launches by names in a range, the arguments of the last gone before it ends. */
static bool run_named(void)
{
    __typeof__(&InitInjectionMstx) init =
        (__typeof__(init)) dlsym(RTLD_DEFAULT, "InitInjectionMstx");
    aclrtLaunchKernelAttr mode = { 1, { 0 } };
    aclrtLaunchKernelCfg config = { &mode, 1 };
    uint64_t id = 0;
    void *binary = NULL, *upper = NULL;
    bool is_good;

    core_size = 5;
    added = 10;
    is_good = (init == NULL || init(get_table) == 0) && make(0) &&
              aclrtBinaryLoadFromFile(path, NULL, &binary) == 0 &&
              aclrtBinaryGetFunction(binary, "vector_add", &upper) == 0;
    id = init == NULL ? 0 : range_start("named", NULL);
    is_good =
        is_good && by_names() &&
        aclrtLaunchKernelWithHostArgs(upper, 1, stream, &config, block, sizeof block, NULL, 0) == 0;
    memset(block, 0, sizeof block);
    memset(&config, 0, sizeof config);
    if (id != 0) {
        range_end(id);
    }
    return is_good && check();
}

/* Kernels of two names in a range, and a launch that fails. */
static bool run_mixed(void)
{
    __typeof__(&InitInjectionMstx) init =
        (__typeof__(init)) dlsym(RTLD_DEFAULT, "InitInjectionMstx");
    uint64_t id = 0;
    bool is_good;

    core_size = 5;
    added = 4;
    is_good = (init == NULL || init(get_table) == 0) && make(0) &&
              load(getenv("INTERFACE_SECOND")) &&
              rtFunctionRegister(handle, &second_stub, "vector_sum", NULL, 0) == 0;
    id = init == NULL ? 0 : range_start("mixed", NULL);
    is_good = is_good && add_to(stream) && add_second() &&
              rtKernelLaunch(&path, 1, block, sizeof block, NULL, stream) != 0 && add_second() &&
              add_to(stream);
    if (id != 0) {
        range_end(id);
    }
    return is_good && check();
}

/* ---- order ---- */

/* Additions and what looks at them in between, by each call that has a place in the order. */
static bool run_order(void)
{
    uint64_t id = 0;
    __typeof__(&InitInjectionMstx) init =
        (__typeof__(init)) dlsym(RTLD_DEFAULT, "InitInjectionMstx");
    float seen[8] = { 0 };
    void *event = NULL, *sources[1], *targets[1];
    size_t size = 4, failed = 0;
    uint32_t status = 1;

    core_size = 5;
    if (!make(0) || aclrtCreateEvent(&event) != 0 || (init != NULL && init(get_table) != 0)) {
        return false;
    }
    sources[0] = x;
    id = init == NULL ? 0 : range_start("order", NULL);
    targets[0] = &seen[2];
    added = 8;
    if (!add_to(stream) || aclrtRecordEvent(event, stream) != 0 ||
        aclrtSynchronizeEvent(event) != 0 || aclrtMemcpy(&seen[0], 4, x, 4, 2) != 0 ||
        !add_to(stream) || aclrtMemcpyAsyncWithCondition(&seen[1], 4, x, 4, 2, stream) != 0 ||
        !add_to(stream) ||
        aclrtMemcpyBatchAsync(targets, &size, sources, &size, 1, NULL, NULL, 0, &failed, stream) !=
            0 ||
        !add_to(stream) || aclrtMemcpy2dAsync(&seen[3], 4, x, 4, 4, 1, 2, stream) != 0 ||
        !add_to(stream) || aclrtRecordEvent(event, stream) != 0 ||
        aclrtStreamWaitEvent(other, event) != 0 ||
        aclrtMemcpyAsync(&seen[4], 4, x, 4, 2, other) != 0 || aclrtSynchronizeStream(other) != 0 ||
        !add_to(stream)) {
        return false;
    }
    while (status != 0) {
        if (aclrtStreamQuery(stream, &status) != 0) {
            return false;
        }
    }
    targets[0] = &seen[6];
    if (aclrtMemcpy2d(&seen[5], 4, x, 4, 4, 1, 2) != 0 || !add_to(stream) ||
        aclrtSynchronizeEventWithTimeout(event, 10000) != 0 ||
        aclrtSynchronizeStream(stream) != 0 ||
        aclrtMemcpyBatch(targets, &size, sources, &size, 1, NULL, NULL, 0, &failed) != 0 ||
        aclrtMemsetAsync(&x[1], 4, 0, 4, stream) != 0 || !add_to(stream)) {
        return false;
    }
    if (id != 0) {
        range_end(id);
    }
    if (aclrtSynchronizeStream(stream) != 0 || aclrtMemcpy(&seen[7], 4, &x[1], 4, 2) != 0) {
        return false;
    }
    for (unsigned i = 0; i < 7; i++) {
        if (seen[i] != (float) (i + 1)) {
            printf("look %u saw %g\n", i, (double) seen[i]);
            return false;
        }
    }
    return seen[7] == 1;
}

#define WAYS 6u

static float *slots; /* of the device: one for each way to write */
static atomic_bool is_done;

static AbiError write_slot(unsigned way, const float *source)
{
    void *sources[] = { (void *) (uintptr_t) source }, *targets[] = { &slots[way] };
    size_t size = 4, failed = 0;

    switch (way) {
    case 0:
        return aclrtMemcpyAsync(&slots[way], 4, source, 4, 1, other);
    case 1:
        return aclrtMemcpyAsyncWithCondition(&slots[way], 4, source, 4, 1, other);
    case 2:
        return aclrtMemcpyBatchAsync(targets, &size, sources, &size, 1, NULL, NULL, 0, &failed,
                                     other);
    case 3:
        return aclrtMemcpy2dAsync(&slots[way], 4, source, 4, 4, 1, 1, other);
    case 4:
        return aclrtMemcpyBatch(targets, &size, sources, &size, 1, NULL, NULL, 0, &failed);
    default:
        return aclrtMemcpy2d(&slots[way], 4, source, 4, 4, 1, 1);
    }
}

/* What was written stays. */
static void *write_slots(void *result)
{
    bool is_good = aclrtSetDevice(0) == 0;

    for (unsigned round = 1; is_good && (round < 3 || !atomic_load(&is_done)); round++) {
        const float number = (float) round;
        float seen[WAYS] = { 0 };

        for (unsigned way = 0; way < WAYS && is_good; way++) {
            is_good = write_slot(way, &number) == 0;
        }
        is_good = is_good && aclrtSynchronizeStream(other) == 0 &&
                  aclrtMemcpy(seen, sizeof seen, slots, sizeof seen, 2) == 0;
        for (unsigned way = 0; way < WAYS && is_good; way++) {
            is_good = seen[way] == number;
            if (!is_good) {
                printf("way %u wrote %g, and %g is there\n", way, (double) number,
                       (double) seen[way]);
            }
        }
    }
    return is_good ? result : NULL;
}

/* A thread writes to memory of its own while another one launches. */
static bool run_meanwhile(void)
{
    void *result = NULL;
    pthread_t thread;
    bool is_good = make(0) && aclrtMalloc((void **) &slots, WAYS * sizeof *slots, 0) == 0 &&
                   pthread_create(&thread, NULL, write_slots, &added) == 0;

    if (!is_good) {
        return false;
    }
    for (added = 0; added < 4 && is_good; added++) {
        is_good = add_to(stream);
    }
    atomic_store(&is_done, true);
    pthread_join(thread, &result);
    return is_good && result != NULL && check();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*run)(void);
    } programs[] = {
        { "capture", run_capture },     { "relaxed", run_relaxed },
        { "beside", run_beside },       { "graphs", run_graphs },
        { "callbacks", run_callbacks }, { "models", run_models },
        { "launches", run_launches },   { "contexts", run_contexts },
        { "shared", run_shared },       { "old-mstx", run_old_mstx },
        { "new-mstx", run_new_mstx },   { "order", run_order },
        { "meanwhile", run_meanwhile }, { "unknown", run_unknown },
        { "recorded", run_recorded },   { "named", run_named },
        { "mixed", run_mixed },
    };

    path = getenv("INTERFACE_KERNEL");
    for (size_t i = 0; i < sizeof programs / sizeof programs[0] && argc == 2 && path != NULL; i++) {
        if (strcmp(argv[1], programs[i].name) == 0) {
            const bool is_good =
                (strcmp(argv[1], "contexts") == 0 || aclrtSetDevice(0) == 0) && programs[i].run();

            puts(is_good ? "verified" : "wrong");
            return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
        }
    }
    return 2;
}
