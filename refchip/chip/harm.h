/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_HARM_H
#define REFCHIP_CHIP_HARM_H

/*
 * What may go wrong at the n-th call of a function of the driver or the runtime. The calls are
 * counted by their places; `<effect>_<place>=N` in the configuration says what happens at which.
 */

#include <stdint.h>

#define HARM_PLACES(X)                                                                             \
    X(malloc)                                                                                      \
    X(free)                                                                                        \
    X(copy)                                                                                        \
    X(load)  /* of a kernel's file */                                                              \
    X(run)   /* of a kernel, in its stream */                                                      \
    X(wait)  /* for a stream, or a device */                                                       \
    X(start) /* of a channel */                                                                    \
    X(stop)  /* of a channel */                                                                    \
    X(read)  /* of a channel */                                                                    \
    X(poll)                                                                                        \
    X(map) /* of a core's registers */                                                             \
    X(unmap)                                                                                       \
    X(barrier) /* of ranks, in its stream */                                                       \
    X(gather)  /* of their parts, by the AI CPU, in its stream */                                  \
    X(log)     /* an entry for a callback of the simulator */

#define HARM_EFFECTS(X)                                                                            \
    X(error)     /* the call fails */                                                              \
    X(hang)      /* it ends when its stream is aborted: those of streams */                        \
    X(stuck)     /* `run`: it never ends */                                                        \
    X(interrupt) /* the process gets SIGINT */                                                     \
    X(crash)     /* … gets SIGSEGV */                                                            \
    X(orphan)    /* … loses its parent */                                                        \
    X(halt)      /* … 's parent is stopped, until somebody lets it go on */                      \
    X(full)      /* … 's parent cannot write to files any more */                                \
    X(visit)     /* … runs the shell command REFCHIP_VISITOR, and waits for it */                \
    X(garble)    /* … sends noise on its connection to the collector */                          \
    X(garbage)   /* `log`: entries that make no sense come before it */

#define HARM_PLACE(name) HARM_AT_##name,
#define HARM_EFFECT(name) HARM_BY_##name,

typedef enum HarmPlace { HARM_PLACES(HARM_PLACE) HARM_MOST_PLACES } HarmPlace;
typedef enum HarmEffect { HARM_EFFECTS(HARM_EFFECT) HARM_MOST_EFFECTS } HarmEffect;

typedef enum HarmOutcome {
    HARM_NONE = 0,
    HARM_FAILS,
    HARM_HANGS,
    HARM_STICKS,
    HARM_GARBAGE
} HarmOutcome;

/* A call at a place: signals are sent here, and the caller sees to the rest. [any thread] */
__attribute__((visibility("default"))) HarmOutcome RefchipHarm(HarmPlace place, uint32_t device);

#endif
