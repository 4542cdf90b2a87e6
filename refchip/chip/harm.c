/* SPDX-License-Identifier: Apache-2.0 */
/* Counts calls and harms those that are to be harmed. Tested by tests/refchip/test_phase_ends.sh. */
#include "harm.h"
#include "config.h"
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define HARM_NAME(name) #name,

static const char *const names[] = { HARM_PLACES(HARM_NAME) };

/* A line of the trace; one write, so that lines of several processes and threads do not mix. */
static void trace(HarmPlace place, uint32_t device, uint32_t number)
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

HarmOutcome RefchipHarm(HarmPlace place, uint32_t device)
{
    static atomic_uint counts[HARM_MOST_PLACES];
    const RefchipConfig *config = RefchipConfigGet();
    const uint32_t *harm = config->harm[place];
    uint32_t number;

    if (config->only != 0 && config->only != device + 1) {
        return HARM_NONE;
    }
    number = atomic_fetch_add(&counts[place], 1) + 1;
    trace(place, device, number);
    /* The process as a whole is meant, whichever thread it happens in. */
    if (number == harm[HARM_BY_interrupt]) {
        kill(getpid(), SIGINT);
    }
    if (number == harm[HARM_BY_crash]) {
        kill(getpid(), SIGSEGV);
    }
    if (number == harm[HARM_BY_orphan]) {
        kill(getppid(), SIGKILL);
    }
    if (number == harm[HARM_BY_halt]) {
        kill(getppid(), SIGSTOP);
    }
    return number == harm[HARM_BY_stuck]   ? HARM_STICKS
           : number == harm[HARM_BY_hang]  ? HARM_HANGS
           : number == harm[HARM_BY_error] ? HARM_FAILS
                                           : HARM_NONE;
}
