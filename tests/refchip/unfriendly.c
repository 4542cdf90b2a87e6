/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that are hard to be a guest in, each by a name. What one does and prints must be the
 * same with and without the injection library. UNFRIENDLY_PEAK names a file that gets the peaks of
 * its memory and of that of its children. Run by tests/refchip/test_unfriendly.sh.
 */
#include "refchip/abi.h"
#include "tests/refchip/add_once.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 5000u
#define STACK (64u << 10)
#define LOADS 1000u
#define IMAGE_BYTES (64u << 10)
#define NOBODY 65534

static char *self;
static int peak = -1; /* the file that gets it; -1: not open */

static int open_peak(void)
{
    const char *path = getenv("UNFRIENDLY_PEAK");

    return path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void write_peak(void)
{
    static const int whose[] = { RUSAGE_SELF, RUSAGE_CHILDREN };
    struct rusage usage;

    peak = peak < 0 ? open_peak() : peak;
    for (unsigned i = 0; i < sizeof whose / sizeof whose[0]; i++) {
        if (peak >= 0 && getrusage(whose[i], &usage) == 0) {
            dprintf(peak, "%ld\n", usage.ru_maxrss);
        }
    }
}

/* ---- threads ---- */

static void *run_add(void *unused)
{
    (void) unused;
    return AddOnce(0) ? NULL : (void *) 1;
}

static void *do_nothing(void *unused)
{
    return unused;
}

static bool start(pthread_t *thread, size_t stack, void *(*run)(void *) )
{
    pthread_attr_t attributes;
    int failure;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    failure = pthread_create(thread, &attributes, run, NULL);
    pthread_attr_destroy(&attributes);
    if (failure != 0) {
        printf("a thread with %zu bytes of stack does not start: %s\n", stack, strerror(failure));
    }
    return failure == 0;
}

static bool end(pthread_t thread)
{
    void *result = (void *) 1;

    return pthread_join(thread, &result) == 0 && result == NULL;
}

/* The smallest stacks that there are; and small ones, from which kernels are launched. */
static bool run_stacks(void)
{
    pthread_t thread;
    bool is_good = true;

    for (unsigned i = 0; i < 20 && is_good; i++) {
        is_good = start(&thread, (size_t) PTHREAD_STACK_MIN, do_nothing) && end(thread) &&
                  start(&thread, STACK, run_add) && end(thread);
    }
    return is_good;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *unused)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return unused;
}

/* All at the same time, while the first one launches. */
static bool run_threads(void)
{
    static pthread_t threads[THREADS];
    unsigned count = 0;
    bool is_good;

    pthread_mutex_lock(&gate);
    while (count < THREADS && start(&threads[count], (size_t) PTHREAD_STACK_MIN, wait_at_gate)) {
        count++;
    }
    is_good = AddOnce(0);
    pthread_mutex_unlock(&gate);
    for (unsigned i = 0; i < count; i++) {
        is_good = end(threads[i]) && is_good;
    }
    printf("%u threads\n", count);
    return is_good;
}

/* ---- processes ---- */

static pid_t copy_by_clone(void)
{
    return (pid_t) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static bool ends_well(pid_t child)
{
    int status = 1;

    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* Copies of the process that go on without exec, by fork and by what calls no handlers of it, at
 * the same time as their parent. */
static bool run_copies(void)
{
    pid_t (*const ways[])(void) = { fork, _Fork, copy_by_clone };
    pid_t children[sizeof ways / sizeof ways[0]];
    bool is_good = rtSetDevice(0) == 0;

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        children[i] = ways[i]();
        if (children[i] == 0) {
            _exit(AddOnce(0) ? 0 : 1);
        }
    }
    is_good = AddOnce(0) && is_good;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        is_good = ends_well(children[i]) && is_good;
    }
    return is_good;
}

/* Children that share their parent's memory until they are another program. */
static bool run_vfork(void)
{
    char *const words[] = { self, (char *) (uintptr_t) "once", NULL };
    pid_t child;

    if (!AddOnce(0)) {
        return false;
    }
    fflush(stdout);
    child = vfork();
    if (child == 0) {
        execv(self, words);
        _exit(1);
    }
    return ends_well(child) && posix_spawn(&child, self, NULL, NULL, words, environ) == 0 &&
           ends_well(child) && AddOnce(0);
}

static bool run_exec(void)
{
    char *const words[] = { self, (char *) (uintptr_t) "once", NULL };

    if (AddOnce(0)) {
        execv(self, words);
    }
    return false;
}

static char **others; /* words after its own */

/* Another program, which gets what this one's children get. */
static bool run_start(void)
{
    pid_t child;

    if (!AddOnce(0)) {
        return false;
    }
    fflush(stdout);
    child = fork();
    if (child == 0) {
        execvp(others[0], others);
        _exit(1);
    }
    return ends_well(child);
}

/* Whether a sanitizer has come into it. */
static bool run_loaded(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[4096];
    bool has_any = false;

    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        has_any = has_any || strstr(line, "asan") != NULL;
    }
    if (maps != NULL) {
        fclose(maps);
    }
    printf("a sanitizer is %s\n", has_any ? "loaded" : "not loaded");
    return AddOnce(0);
}

/* The daemon launches while the program waits until it has ended. */
static bool run_daemon(void)
{
    int ends[2];
    char said = 0;

    if (!AddOnce(0) || pipe(ends) != 0) {
        return false;
    }
    fflush(stdout);
    if (fork() == 0) {
        setsid();
        if (fork() != 0) {
            _exit(0);
        }
        close(ends[0]);
        said = AddOnce(0) ? 'y' : 'n';
        write_peak();
        _exit(write(ends[1], &said, 1) == 1 ? 0 : 1);
    }
    close(ends[1]);
    return read(ends[0], &said, 1) == 1 && said == 'y' && wait(NULL) > 0;
}

/* ---- descriptors, users, system calls ---- */

static int open_data(const char *name)
{
    return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/* As daemons do: no descriptor stays, and the lowest ones become files of data. They get nothing
 * but the program's own, whatever happens to its user and its connection. */
static bool run_data(void)
{
    bool is_good = close_range(0, ~0u, 0) == 0;

    for (int i = 0; i < 3; i++) {
        char name[] = "data0";

        name[4] = (char) ('0' + i);
        is_good = open_data(name) == i && is_good;
    }
    is_good = AddOnce(0) && is_good;
    close_range(3, ~0u, 0);
    return AddOnce(0) && write(2, "data\n", 5) == 5 && is_good;
}

/* Another user from the first call on, with a file of data as standard error. */
static bool run_user(void)
{
    const int data = open_data("data2");

    peak = open_peak(); /* which the other user may not */
    if (data < 0 || dup2(data, 2) != 2) {
        return false;
    }
    if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) {
        return false;
    }
    return AddOnce(0) && write(2, "data\n", 5) == 5;
}

/* No sockets from the middle on: the kernel says so. */
static bool run_seccomp(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_recvfrom, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_connect, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog program = { sizeof filter / sizeof filter[0], filter };

    return AddOnce(0) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 && AddOnce(0) && AddOnce(0);
}

/* ---- signals ---- */

static volatile sig_atomic_t ticks;

static void count_tick(int number)
{
    ticks += number == SIGALRM;
}

/* Handlers of its own for all signals, and one that interrupts each call. */
static bool run_handlers(void)
{
    const struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };
    struct sigaction action = { .sa_handler = count_tick }, now;
    bool is_good = true;

    for (int number = 1; number < SIGRTMAX; number++) {
        sigaction(number, &action, NULL);
    }
    setitimer(ITIMER_REAL, &often, NULL);
    for (unsigned i = 0; i < 20; i++) {
        is_good = AddOnce(0) && is_good;
    }
    setitimer(ITIMER_REAL, &never, NULL);
    for (int number = 1; number < SIGRTMAX; number++) {
        if (number != SIGKILL && number != SIGSTOP && sigaction(number, NULL, &now) == 0) {
            is_good = now.sa_handler == count_tick && is_good;
        }
    }
    return is_good && ticks > 0;
}

/* ---- kernels ---- */

/* Of a file that is mostly padding, so that one which stays would be seen. */
static bool run_kernels(void)
{
    FILE *in = fopen(getenv("DRIVER_KERNEL"), "rbe");
    static char data[IMAGE_BYTES];
    bool is_good = in != NULL && fread(data, 1, sizeof data, in) > 0;

    if (in != NULL) {
        fclose(in);
    }
    is_good = is_good && AddOnce(0);
    for (unsigned i = 0; i < LOADS && is_good; i++) {
        const rtDevBinary_t binary = { RT_MAGIC_VECTOR, 0, data, sizeof data };
        void *handle = NULL;

        data[sizeof data - 1] = (char) i; /* each is another one */
        is_good = rtDevBinaryRegister(&binary, &handle) == 0 &&
                  rtFunctionRegister(handle, &data[i], "vector_add", NULL, 0) == 0 &&
                  rtDevBinaryUnRegister(handle) == 0;
    }
    return is_good && AddOnce(0);
}

static bool run_once(void)
{
    return AddOnce(0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*run)(void);
    } ways[] = { { "stacks", run_stacks },   { "threads", run_threads },
                 { "copies", run_copies },   { "vfork", run_vfork },
                 { "exec", run_exec },       { "daemon", run_daemon },
                 { "data", run_data },       { "user", run_user },
                 { "seccomp", run_seccomp }, { "handlers", run_handlers },
                 { "kernels", run_kernels }, { "once", run_once },
                 { "start", run_start },     { "loaded", run_loaded } };
    bool is_good = false;

    self = argv[0];
    others = argc > 2 ? argv + 2 : NULL;
    AddRegister();
    for (unsigned i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(argv[1], ways[i].name) == 0) {
            is_good = ways[i].run();
        }
    }
    write_peak();
    printf("%s %s\n", argc > 1 ? argv[1] : "nothing", is_good ? "verified" : "wrong");
    return is_good ? 0 : 1;
}
