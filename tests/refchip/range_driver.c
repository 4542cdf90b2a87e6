/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs with mstx ranges whose launches each add to their own memory, so that its end shows how
 * often they were made: one range, two, overlapping and empty ones, other streams and threads,
 * waits within a range.
 */
#include "refchip/abi.h"
#include "refchip/mstx_abi.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOATS 8192u
#define BYTES (FLOATS * 4)
#define MOST 256u

static const char stub, other_stub;
static float *x, *y;
static AbiStream stream, other;
static unsigned made; /* additions of y to x */

/* ---- mstx ---- */

static MstxStart *range_start;
static MstxEnd *range_end;
static MstxTool *tool_id;

static int get_table(int module, void ***table, unsigned *size)
{
    static void *entries[MSTX_CORE_SIZE] = { [MSTX_START] = (void *) &range_start,
                                             [MSTX_END] = (void *) &range_end,
                                             [MSTX_TOOL] = (void *) &tool_id };

    *table = entries;
    *size = module == MSTX_CORE ? MSTX_CORE_SIZE : 0;
    return module == MSTX_CORE ? 0 : 1;
}

static void open_mstx(void)
{
    __typeof__(&InitInjectionMstx) init =
        (__typeof__(init)) dlsym(RTLD_DEFAULT, "InitInjectionMstx");

    if (init != NULL) {
        init(get_table);
    }
}

static uint64_t start(const char *message)
{
    return range_start == NULL ? 0 : range_start(message, NULL);
}

static void end(uint64_t id)
{
    if (range_end != NULL) {
        range_end(id);
    }
}

/* ---- launches ---- */

static bool load(void)
{
    static char data[65536];
    const char *path = getenv("BOARD_KERNEL");
    FILE *in = path == NULL ? NULL : fopen(path, "rbe");
    rtDevBinary_t binary = { .magic = RT_MAGIC_VECTOR, .data = data };
    void *handle = NULL;

    if (in == NULL) {
        return false;
    }
    binary.length = fread(data, 1, sizeof data, in);
    fclose(in);
    return rtDevBinaryRegister(&binary, &handle) == 0 &&
           rtFunctionRegister(handle, &stub, "vector_add", NULL, 0) == 0 &&
           rtFunctionRegister(handle, &other_stub, "vector_add", NULL, 0) == 0;
}

static bool make(void)
{
    static float numbers[FLOATS], ones[FLOATS];

    for (unsigned i = 0; i < FLOATS; i++) {
        numbers[i] = (float) i;
        ones[i] = 1;
    }
    return rtSetDevice(0) == 0 && load() && rtStreamCreate(&stream, 0) == 0 &&
           rtStreamCreate(&other, 0) == 0 && rtMalloc((void **) &x, BYTES, 0, 0) == 0 &&
           rtMalloc((void **) &y, BYTES, 0, 0) == 0 && rtMemcpy(x, BYTES, numbers, BYTES, 1) == 0 &&
           rtMemcpy(y, BYTES, ones, BYTES, 1) == 0;
}

/* x += y on so many of the blocks' parts: with fewer blocks less of x changes, and the account
 * differs. */
static bool add(AbiStream on, unsigned blocks)
{
    uint64_t arguments[7] = { (uint64_t) (uintptr_t) x,
                              (uint64_t) (uintptr_t) y,
                              (uint64_t) (uintptr_t) x,
                              1,
                              BYTES / 4,
                              (uint64_t) BYTES / 4 / 32 << 16 | 16,
                              UINT64_C(0x2000080808010101) };

    made++;
    return rtKernelLaunch(&stub, blocks, arguments, sizeof arguments, NULL, on) == 0;
}

static bool check(void)
{
    static float result[FLOATS];
    bool is_good = rtStreamSynchronize(stream) == 0 && rtStreamSynchronize(other) == 0 &&
                   rtMemcpy(result, BYTES, x, BYTES, 2) == 0;

    for (unsigned i = 0; i < FLOATS / 4 && is_good; i++) {
        is_good = result[i] == (float) (i + made);
    }
    return is_good;
}

/* ---- ways ---- */

static bool run_one(void)
{
    uint64_t range;
    bool is_good = add(stream, 4);

    range = start("one");
    is_good = is_good && add(stream, 4) && add(stream, 2) && add(stream, 4);
    end(range);
    return is_good && add(stream, 4);
}

static bool run_two(void)
{
    uint64_t range = start("one");
    bool is_good = add(stream, 4) && add(stream, 2);

    end(range);
    range = start("two");
    is_good = is_good && add(stream, 1) && add(stream, 3);
    end(range);
    return is_good;
}

/* The second begins before the first has ended, and has a launch after it. */
static bool run_overlap(void)
{
    const uint64_t one = start("one");
    bool is_good = add(stream, 4);
    const uint64_t two = start("two");

    is_good = is_good && add(stream, 2);
    end(one);
    is_good = is_good && add(stream, 1);
    end(two);
    return is_good;
}

static bool run_empty(void)
{
    end(start("one"));
    return add(stream, 4);
}

static bool run_stream(void)
{
    const uint64_t range = start("one");
    bool is_good = add(stream, 4);

    is_good = is_good && rtKernelLaunch(&other_stub, 1, (uint64_t[7]){ 0 }, 56, NULL, other) == 0;
    is_good = is_good && add(stream, 2);
    end(range);
    return is_good;
}

/* Earlier work, on another stream, which ends when it is aborted. */
static bool run_busy(void)
{
    bool is_good = rtKernelLaunch(&other_stub, 1, (uint64_t[7]){ 0 }, 56, NULL, other) == 0;
    const uint64_t range = start("one");

    is_good = is_good && add(stream, 4) && add(stream, 2);
    end(range);
    return is_good && rtStreamAbort(other) == 0 &&
           (rtStreamSynchronizeWithTimeout(other, 10000), true);
}

/* Waits and copies see what was launched before. */
static bool run_wait(void)
{
    const uint64_t range = start("one");
    bool is_good = add(stream, 4) && check() && add(stream, 2) && add(stream, 4) && check();

    is_good = is_good && add(stream, 1);
    end(range);
    return is_good;
}

static void *add_in_thread(void *unused)
{
    (void) unused;
    return rtSetDevice(0) == 0 && add(stream, 3) ? NULL : (void *) 1;
}

/* Another thread launches on the stream that is recorded. */
static bool run_thread(void)
{
    const uint64_t range = start("one");
    bool is_good = add(stream, 4);
    pthread_t thread;
    void *result = (void *) 1;

    if (pthread_create(&thread, NULL, add_in_thread, NULL) == 0) {
        pthread_join(thread, &result);
    }
    is_good = is_good && result == NULL && add(stream, 2);
    end(range);
    return is_good;
}

/* A range that nobody ends. */
static bool run_open(void)
{
    start("one");
    return add(stream, 4) && add(stream, 2);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*run)(void);
    } ways[] = { { "one", run_one },     { "two", run_two },       { "overlap", run_overlap },
                 { "empty", run_empty }, { "wait", run_wait },     { "stream", run_stream },
                 { "open", run_open },   { "thread", run_thread }, { "busy", run_busy } };
    bool is_good;

    open_mstx();
    is_good = make();
    for (unsigned i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(argv[1], ways[i].name) == 0) {
            is_good = is_good && ways[i].run() && check();
        }
    }
    puts(is_good ? "verified" : "wrong");
    return is_good ? 0 : 1;
}
