/* SPDX-License-Identifier: Apache-2.0 */
/* Wakes the main thread. Tested by tests/core/run/test_wake. */
#include "run/wake.h"

#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool WakeInit(Wake *wake)
{
    wake->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    atomic_init(&wake->rings, 0);
    atomic_init(&wake->is_asleep, false);
    return wake->fd >= 0;
}

void WakeFinish(Wake *wake)
{
    if (wake->fd >= 0) {
        close(wake->fd);
        wake->fd = -1;
    }
}

/* Each side stores first and looks second, so that one of them sees the other. */
void WakeRing(Wake *wake)
{
    const uint64_t one = 1;

    atomic_fetch_add(&wake->rings, 1);
    if (atomic_exchange(&wake->is_asleep, false)) {
        ssize_t written = write(wake->fd, &one, sizeof one);

        (void) written; /* a full eventfd wakes just as well */
    }
}

void WakeSleep(Wake *wake, int wait_ms)
{
    struct pollfd ring = { .fd = wake->fd, .events = POLLIN };
    uint64_t count;

    atomic_store(&wake->is_asleep, true);
    if (atomic_exchange(&wake->rings, 0) == 0 && poll(&ring, 1, wait_ms) > 0) {
        ssize_t taken = read(wake->fd, &count, sizeof count);

        (void) taken; /* whatever it was: the caller looks at the state anyway */
        (void) atomic_exchange(&wake->rings,
                               0); /* an exchange sees what was stored before each ring */
    }
    atomic_store(&wake->is_asleep, false);
}
