/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_FAULT_H
#define REFCHIP_CHIP_FAULT_H

/*
 * Faults injected at the n-th call of a function of the driver or the runtime. The calls are
 * counted by their places; `<effect>_<place>=N` in the configuration names effect and call.
 */

#include <stdint.h>

#define FAULT_PLACES(X)                                                                            \
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
    X(log)     /* an entry for a callback of the simulator */                                      \
    X(capture) /* its end */

#define FAULT_EFFECTS(X)                                                                           \
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

#define FAULT_PLACE(name) FAULT_AT_##name,
#define FAULT_EFFECT(name) FAULT_BY_##name,

typedef enum FaultPlace { FAULT_PLACES(FAULT_PLACE) FAULT_MOST_PLACES } FaultPlace;
typedef enum FaultEffect { FAULT_EFFECTS(FAULT_EFFECT) FAULT_MOST_EFFECTS } FaultEffect;

typedef enum FaultOutcome {
    FAULT_NONE = 0,
    FAULT_FAILS,
    FAULT_HANGS,
    FAULT_STICKS,
    FAULT_GARBAGE
} FaultOutcome;

/* A call at a place: signals are sent here, and the caller sees to the rest. [any thread] */
__attribute__((visibility("default"))) FaultOutcome RefchipFault(FaultPlace place, uint32_t device);

#endif
