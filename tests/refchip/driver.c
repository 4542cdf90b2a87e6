/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of many ways for tests of the injection library: threads, devices, a fork, kernels that
 * are registered before main, and what a guest may have left behind.
 */
#include "refchip/abi.h"
#include "refchip/hal_abi.h"
#include "refchip/host_abi.h"
#include "tests/refchip/add_once.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4u

__attribute__((constructor)) static void before_main(void)
{
    if (getenv("DRIVER_EARLY") != NULL) {
        AddRegister();
    }
}

static void *run_thread(void *number)
{
    for (unsigned i = 0; i < 3; i++) {
        if (!AddOnce((int32_t) ((uintptr_t) number % 2))) {
            return (void *) 1;
        }
    }
    return NULL;
}

static bool run_threads(void)
{
    pthread_t threads[THREADS];
    bool is_good = true;

    for (uintptr_t i = 0; i < THREADS; i++) {
        is_good = pthread_create(&threads[i], NULL, run_thread, (void *) i) == 0 && is_good;
    }
    for (unsigned i = 0; i < THREADS; i++) {
        void *result;

        pthread_join(threads[i], &result);
        is_good = result == NULL && is_good;
    }
    return is_good;
}

/* A child that goes on without exec, after the parent has used the runtime
 * but started no stream. */
static bool run_fork(void)
{
    int status = 1;
    pid_t child;

    rtSetDevice(0);
    child = fork();
    if (child == 0) {
        _exit(AddOnce(0) ? 0 : 1);
    }
    return AddOnce(0) && waitpid(child, &status, 0) == child && status == 0;
}

/* As some do before they become a service: all descriptors are closed, and their numbers are then
 * those of a socket. */
static bool run_closed(void)
{
    int pair[2];
    char byte;
    bool is_good = AddOnce(0);

    for (int i = 3; i < 1024; i++) {
        close(i);
    }
    is_good = is_good && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0;
    while (is_good && dup(pair[0]) < 1000) {
    }
    is_good = is_good && AddOnce(0);
    return is_good && recv(pair[1], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

/* Without an environment, from before the first call of the runtime. */
static bool run_bare(void)
{
    return clearenv() == 0 && AddOnce(0);
}

/* Launches that need no memory, until somebody ends the thread. */
static void *launch_on(void *stream)
{
    uint64_t arguments[7] = { 0 };

    for (;;) {
        rtKernelLaunch(AddStub(), 1, arguments, sizeof arguments, NULL, stream);
        pthread_testcancel();
    }
    return NULL;
}

/* Threads that are cancelled while they launch leave nothing locked. */
static bool run_cancelled(void)
{
    AbiStream stream = NULL;
    bool is_good = rtSetDevice(0) == 0 && rtStreamCreate(&stream, 0) == 0;

    alarm(60);
    for (unsigned i = 0; i < 5 && is_good; i++) {
        pthread_t thread;

        is_good = pthread_create(&thread, NULL, launch_on, stream) == 0;
        usleep(5000);
        is_good = is_good && pthread_cancel(thread) == 0 && pthread_join(thread, NULL) == 0;
    }
    return is_good && AddOnce(0);
}

/* A number for the texts of the environment and where they lie. */
static uint64_t hash_environment(void)
{
    uint64_t hash = 0;

    for (char **entry = environ; *entry != NULL; entry++) {
        hash = hash * 31 + (uint64_t) (uintptr_t) *entry;
        for (const char *at = *entry; *at != '\0'; at++) {
            hash = hash * 31 + (unsigned char) *at;
        }
    }
    return hash;
}

/* Descriptors below 200 are the program's; the guest's are above, and closed by exec. */
static void print_descriptor(int number)
{
    if (number < 200) {
        printf("descriptor %d\n", number);
    } else if ((fcntl(number, F_GETFD) & FD_CLOEXEC) == 0) {
        printf("descriptor %d is not closed by exec\n", number);
    }
}

static void print_signals(void)
{
    struct sigaction action;
    sigset_t mask;

    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    for (int number = 1; number < SIGRTMAX; number++) {
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL) {
            printf("signal %d is handled\n", number);
        }
        if (sigismember(&mask, number) == 1) {
            printf("signal %d is blocked\n", number);
        }
    }
}

/* errno keeps its value over every call that the guest intercepts and that succeeds. */
static void print_errno(void)
{
    void *memory = NULL;
    int32_t device = 0;
    char byte = 0;

    errno = 77;
    rtGetDevice(&device);
    rtMalloc(&memory, 64, 0, 0);
    rtMemcpy(memory, 64, &byte, 1, 1);
    rtMemset(memory, 64, 0, 64);
    rtFree(memory);
    printf("errno %d\n", errno);
}

/* Print what a guest must not change: errno across calls, descriptors, signals, the environment,
 * mask and folder. */
static bool run_guest(void)
{
    const uint64_t environment = hash_environment();
    const mode_t mask = umask(0);
    char folder[4096] = "";
    DIR *descriptors;
    const struct dirent *entry;
    bool is_good;

    umask(mask);
    errno = 77;
    is_good = AddOnce(0);
    printf("errno %d\n", errno);
    descriptors = opendir("/proc/self/fd");
    while (descriptors != NULL && (entry = readdir(descriptors)) != NULL) {
        const int number = atoi(entry->d_name);

        if (entry->d_name[0] != '.' && number != dirfd(descriptors)) {
            print_descriptor(number);
        }
    }
    if (descriptors != NULL) {
        closedir(descriptors);
    }
    print_signals();
    print_errno();
    printf("environment %s, mask %03o, %s\n",
           hash_environment() == environment ? "as it was" : "changed", (unsigned) umask(mask),
           getcwd(folder, sizeof folder));
    return is_good;
}

/* ---- mstx, as its header does it: a table of pointers that a tool may fill ---- */

static uint64_t (*range_start)(const char *message, void *stream);
static void (*range_end)(uint64_t id);
static uint32_t (*tool_id)(void);

static int get_table(int module, void ***table, unsigned *size)
{
    static void *entries[5];

    entries[2] = (void *) &range_start;
    entries[3] = (void *) &range_end;
    entries[4] = (void *) &tool_id;
    *table = entries;
    *size = module == 1 ? 5 : 0;
    return module == 1 ? 0 : 1;
}

static uint64_t start_range(const char *message)
{
    return range_start == NULL ? 0 : range_start(message, NULL);
}

static void end_range(uint64_t id)
{
    if (range_end != NULL) {
        range_end(id);
    }
}

static void *add_in_thread(void *unused)
{
    (void) unused;
    return AddOnce(0) ? NULL : (void *) 1;
}

/* Launches outside of ranges, within one, two and another one, in a thread without, and by an
 * unknown name. */
static bool run_mstx(void)
{
    int (*init)(int (*)(int, void ***, unsigned *)) =
        (int (*)(int (*)(int, void ***, unsigned *))) dlsym(RTLD_DEFAULT, "InitInjectionMstx");
    uint64_t one, two;
    pthread_t thread;
    void *result = (void *) 1;
    bool is_good = init == NULL || init(get_table) == 0;

    is_good = is_good && AddOnce(0);
    one = start_range("one");
    is_good = is_good && AddOnce(0) && AddOnce(0);
    if (pthread_create(&thread, NULL, add_in_thread, NULL) == 0) {
        pthread_join(thread, &result);
    }
    two = start_range("two");
    is_good = is_good && result == NULL && AddOnce(0); /* in both */
    end_range(one);
    is_good = is_good && AddOnce(0); /* in the second */
    end_range(two);
    is_good = is_good && AddOnce(0) && start_range("no name") == 0 && AddOnce(0);
    return is_good && (init == NULL || (one != 0 && two != 0 && one != two));
}

/* A module that wants to hear of profiling prints what it hears. */
static int32_t hear(uint32_t type, void *data, uint32_t length)
{
    const MsprofCommandHandle *command = data;

    printf("type %u of %u bytes: command %u, switches 0x%llx, %u devices, the first is %u\n", type,
           length, command->type, (unsigned long long) command->profSwitch, command->devNums,
           command->devIdList[0]);
    return 0;
}

static bool run_heard(void)
{
    __typeof__(&MsprofRegisterCallback) call =
        (__typeof__(&MsprofRegisterCallback)) dlsym(RTLD_DEFAULT, "MsprofRegisterCallback");

    return call != NULL && call(61, hear) == 0 && AddOnce(0);
}

/* Say that an operator has run, then wait for the end. */
static bool run_wait(void)
{
    const bool is_good = AddOnce(0);

    puts("ready");
    fflush(stdout);
    while (is_good) {
        pause();
    }
    return false;
}

/* As programs do that save their work at Ctrl+C: goes on with what it does, and ends by itself; a
 * second one is counted. */
static bool run_interrupted(void)
{
    const struct timespec limit = { .tv_nsec = 300000000 };
    int number, count = 1;
    sigset_t interrupt;
    bool is_good;

    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, NULL);
    is_good = AddOnce(0);
    printf("ready %d\n", (int) getpid());
    fflush(stdout);
    is_good = is_good && sigwait(&interrupt, &number) == 0;
    is_good = is_good && AddOnce(0) && AddOnce(0);
    count += sigtimedwait(&interrupt, NULL, &limit) == SIGINT;
    printf("interrupts: %d\n", count);
    return is_good;
}

/* ---- the profiling channels, by hand ---- */

/* Events of a vector core: cycles of pipes, bytes, the L2 cache; the cube's are others, so that
 * they show. */
static const uint16_t vector_events[8] = { 8, 12, 13, 62, 61, 1286, 75, 5 };

static int open_counters(void)
{
    uint32_t setup[18] = { 3 };

    for (unsigned kind = 0; kind < 2; kind++) {
        uint32_t *block = setup + 1 + 8 * kind;

        block[0] = 5;
        block[2] = UINT32_MAX;
        block[3] = 8;
        memcpy(block + 4, vector_events, kind == 1 ? sizeof vector_events : 0);
    }
    return prof_drv_start(0, 53, &(prof_start_para){ 0, 0, 1, setup, sizeof setup });
}

static int open_tasks(void)
{
    uint32_t setup[9] = { 1, 1, 0, 0, 0, 0, 1, 0, 0 };

    return prof_drv_start(0, 50, &(prof_start_para){ 0, 0, 1, setup, sizeof setup });
}

static int open_l2(void)
{
    uint32_t setup[9] = { 8, 0xfb, 0xfc, 0xf6, 0xfd, 0x9c, 0x9d, 0x4f, 7 };

    return prof_drv_start(0, 47, &(prof_start_para){ 0, 0, 1, setup, sizeof setup });
}

/* Print what polls and reads give, until nothing is left. */
static void print_records(void)
{
    prof_poll_info ready[4];
    char data[4096];
    int count;

    while ((count = prof_channel_poll(ready, 4, 0)) > 0) {
        for (int i = 0; i < count; i++) {
            const int size = prof_channel_read(0, ready[i].channel_id, data, sizeof data);

            if (size <= 0) {
                printf("read %u %d\n", ready[i].channel_id, size);
                return;
            }
            printf("%u ", ready[i].channel_id);
            for (int k = 0; k < size; k++) {
                printf("%02x", (unsigned char) data[k]);
            }
            puts("");
        }
    }
    printf("poll %d\n", count);
}

/* A launch before the channels are open, one within, and one after. */
static bool run_profile(void)
{
    bool is_good = AddOnce(0);

    printf("start %d %d %d", open_counters() != 0, open_tasks() != 0, open_l2() != 0);
    printf(" again %d\n", open_tasks() != 0);
    is_good = AddOnce(0) && is_good;
    print_records();
    printf("stop %d %d %d\n", prof_stop(0, 53), prof_stop(0, 50), prof_stop(0, 47));
    is_good = AddOnce(0) && is_good;
    print_records();
    printf("stop %d\n", prof_stop(0, 53) != 0);
    return is_good;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*run)(void);
    } ways[] = { { "threads", run_threads },
                 { "fork", run_fork },
                 { "guest", run_guest },
                 { "heard", run_heard },
                 { "wait", run_wait },
                 { "mstx", run_mstx },
                 { "profile", run_profile },
                 { "closed", run_closed },
                 { "bare", run_bare },
                 { "cancelled", run_cancelled },
                 { "interrupted", run_interrupted } };
    bool is_good = false;

    AddRegister();
    if (argc < 2 || strcmp(argv[1], "once") == 0) {
        is_good = AddOnce(0);
    }
    for (unsigned i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(argv[1], ways[i].name) == 0) {
            is_good = ways[i].run();
        }
    }
    puts(is_good ? "verified" : "wrong");
    return is_good ? 0 : 1;
}
