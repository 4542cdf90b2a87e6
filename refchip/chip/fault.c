/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts calls, and injects the faults that the configuration names. Tested by
 * tests/refchip/test_phase_ends.sh and tests/refchip/test_phase_guests.sh.
 */
#include "fault.h"
#include "config.h"
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MOST_FILES 1024

#define FAULT_NAME(name) #name,

static const char *const names[] = { FAULT_PLACES(FAULT_NAME) };

/* A line of the trace; one write, so that lines of several processes and threads do not mix. */
static void trace(FaultPlace place, uint32_t device, uint32_t number)
{
    const char *path = RefchipConfigGet()->trace;
    char text[64];
    const int length = snprintf(text, sizeof text, "%s %u %u\n", names[place], (unsigned) number,
                                (unsigned) device);
    const int fd = path[0] == '\0'
                       ? -1
                       : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd >= 0) {
        (void) !write(fd, text, (size_t) length);
        close(fd);
    }
}

/* Make the parent's later writes to files fail. */
static void fill_disk_of_parent(void)
{
    const struct rlimit none = { 0, 0 };

    prlimit(getppid(), RLIMIT_FSIZE, &none, NULL);
}

/* Whether a descriptor is the process's connection to its collector. */
static bool is_connection(int fd, const char *name)
{
    struct sockaddr_un peer = { .sun_family = AF_UNSPEC };
    socklen_t size = sizeof peer;

    return getpeername(fd, (struct sockaddr *) &peer, &size) == 0 && peer.sun_family == AF_UNIX &&
           peer.sun_path[0] == '\0' &&
           strncmp(peer.sun_path + 1, name, sizeof peer.sun_path - 1) == 0;
}

static void send_noise(void)
{
    const char *name = getenv("OPPROF_LIVE_SOCKET");
    unsigned char noise[256];

    memset(noise, 0xff, sizeof noise);
    for (int fd = 3; name != NULL && fd < MOST_FILES; fd++) {
        if (is_connection(fd, name)) {
            (void) !send(fd, noise, sizeof noise, MSG_NOSIGNAL);
        }
    }
}

static void send_visitor(void)
{
    const char *command = getenv("REFCHIP_VISITOR");

    if (command != NULL && system(command) != 0) {
        fputs("refchip: the visitor failed\n", stderr);
    }
}

/* Faults of the whole process. */
static void signal_process(const uint32_t *faults, uint32_t number)
{
    if (number == faults[FAULT_BY_interrupt]) {
        kill(getpid(), SIGINT);
    }
    if (number == faults[FAULT_BY_crash]) {
        kill(getpid(), SIGSEGV);
    }
    if (number == faults[FAULT_BY_orphan]) {
        kill(getppid(), SIGKILL);
    }
    if (number == faults[FAULT_BY_halt]) {
        kill(getppid(), SIGSTOP);
    }
    if (number == faults[FAULT_BY_full]) {
        fill_disk_of_parent();
    }
    if (number == faults[FAULT_BY_visit]) {
        send_visitor();
    }
    if (number == faults[FAULT_BY_garble]) {
        send_noise();
    }
}

FaultOutcome RefchipFault(FaultPlace place, uint32_t device)
{
    static atomic_uint counts[FAULT_MOST_PLACES];
    const RefchipConfig *config = RefchipConfigGet();
    const uint32_t *faults = config->faults[place];
    uint32_t number;

    if (config->only != 0 && config->only != device + 1) {
        return FAULT_NONE;
    }
    number = atomic_fetch_add(&counts[place], 1) + 1;
    trace(place, device, number);
    signal_process(faults, number);
    return number == faults[FAULT_BY_stuck]     ? FAULT_STICKS
           : number == faults[FAULT_BY_garbage] ? FAULT_GARBAGE
           : number == faults[FAULT_BY_hang]    ? FAULT_HANGS
           : number == faults[FAULT_BY_error]   ? FAULT_FAILS
                                                : FAULT_NONE;
}
