/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings of the fuzz targets that run pipelines: a run takes milliseconds, most of which are not
 * spent in what is to be tried. Linked into a target they hold; options of the command line and of
 * ASAN_OPTIONS come after them. libFuzzer and AddressSanitizer define the functions:
 * https://llvm.org/docs/LibFuzzer.html,
 * https://github.com/google/sanitizers/wiki/AddressSanitizerFlags.
 */
#include "fuzz/quick_runs.h"

#include "fuzz/fuzz.h"

#include <opprof/plugin.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STACK_BYTES (512u << 10)
#define MEMORY "/dev/shm"

int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__asan_default_options(void);

/* The account of rare features takes as long as many runs. */
static const char *const options[] = { "-entropic=0", "-reduce_inputs=0" };

/*
 * The quarantine need not hold more than what a run frees, since more only costs cache misses, and
 * each thread would map a stack for signals. To learn where memory was allocated, run the input of
 * a crash again with ASAN_OPTIONS=malloc_context_size=30.
 */
__attribute__((used)) const char *__asan_default_options(void)
{
    return "quarantine_size_mb=2:thread_local_quarantine_size_kb=64:malloc_context_size=1:use_"
           "sigaltstack=0";
}

void FuzzMakeDirectory(char path[FUZZ_DIRECTORY_BYTES])
{
    const char *parent = access(MEMORY, W_OK) == 0 ? MEMORY : "/tmp";

    snprintf(path, FUZZ_DIRECTORY_BYTES, "%s/opprof-fuzz-XXXXXX", parent);
    FUZZ_REQUIRE(mkdtemp(path) != NULL);
}

static void stay_on(int processor)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one); /* where that is forbidden, runs only take longer */
}

/*
 * A stage of a small input waits for the one before it, so that a run takes no longer on one
 * processor, while to wake a thread on another one takes half as long as the run. Jobs that start
 * together have numbers next to each other.
 */
static void stay_on_one_processor(void)
{
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return;
    }
    int left = (int) getpid() % CPU_COUNT(&allowed);
    for (int processor = 0; processor < CPU_SETSIZE; processor++) {
        if (CPU_ISSET(processor, &allowed) && left-- == 0) {
            stay_on(processor);
        }
    }
}

/* Each run starts a thread for each stage, and AddressSanitizer clears the shadow of each stack, in
 * time that grows with its size. */
static void make_stacks_small(void)
{
    pthread_attr_t attributes;

    FUZZ_REQUIRE(pthread_attr_init(&attributes) == 0);
    FUZZ_REQUIRE(pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0);
    FUZZ_REQUIRE(pthread_setattr_default_np(&attributes) == 0);
    pthread_attr_destroy(&attributes);
}

static void put_options(int *argc, char ***argv)
{
    const size_t count = OPPROF_COUNT(options);
    const size_t given = (size_t) *argc;
    char **all = calloc(given + count + 1, sizeof *all);

    FUZZ_REQUIRE(all != NULL);
    all[0] = (*argv)[0];
    for (size_t i = 0; i < count; i++) {
        all[i + 1] = strdup(options[i]);
    }
    memcpy(all + 1 + count, *argv + 1, (given - 1) * sizeof *all);
    *argc = (int) (given + count);
    *argv = all;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    put_options(argc, argv);
    stay_on_one_processor();
    make_stacks_small();
    if (access(MEMORY, W_OK) == 0) {
        setenv("TMPDIR", MEMORY, 0); /* each run looks there for what dead ones left */
    }
    return 0;
}
