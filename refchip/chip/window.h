/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_WINDOW_H
#define REFCHIP_CHIP_WINDOW_H

/*
 * Registers of cores that a process maps, and the monitor after some of them: while it is on, a
 * core writes what its pipes do as words into a buffer of its own. Functions with the prefix
 * Refchip are the driver's way in.
 */

#include "config.h"
#include "execute.h"

#define WINDOW_BYTES (3u << 20)  /* of a core */
#define WINDOW_STRIDE (1u << 20) /* of a sub-core */
#define WINDOW_SUB_CORES 3u
#define WINDOW_ENABLE 0xb000u   /* bit 0: on */
#define WINDOW_BASE_LOW 0xb00cu /* address of the buffer */
#define WINDOW_BASE_HIGH 0xb010u
#define WINDOW_LENGTH 0xb014u  /* its bytes; a ring */
#define WINDOW_POINTER 0xb01cu /* next word to be written */
#define WINDOW_CLEAR 0xb024u   /* bit 0: begin again at the start; taken down by the core */
#define WINDOW_COUNT 0xb028u   /* words written */

/* Registers of a core, WINDOW_BYTES of them. NULL: there is no such core, or no memory.
 * [any thread] */
__attribute__((visibility("default"))) void *RefchipWindowMap(uint32_t device, uint32_t core);
/* They keep their values, as registers do. False: they are not mapped. [any thread] */
__attribute__((visibility("default"))) bool RefchipWindowUnmap(uint32_t device, uint32_t core);

/* Begin or end of a pipe's work, or a mark. */
typedef struct WindowEvent {
    uint64_t time; /* cycle */
    /* number in a word: 0 SCALAR, 1 VECTOR, 2 CUBE, 3 MTE1, 4 MTE2, 5 MTE3, 6 FIXP */
    uint32_t pipe;
    uint16_t mark; /* 0: none */
    bool is_end;
} WindowEvent;

/* Events of a block that the monitor of a sub-core sees. */
typedef struct WindowTrace {
    WindowEvent *events;
    size_t count;
    size_t room;
    uint64_t tick; /* of the scheduler's clock, when the launch began */
} WindowTrace;

/* Words as a monitor writes them. */
typedef struct WindowList {
    uint32_t *words; /* to be freed */
    size_t count;
    size_t room;
} WindowList;

/* Whether a sub-core's monitor is on now. */
bool WindowIsOn(uint32_t device, uint32_t core, uint32_t sub_core);
/* Note an event; without memory the trace ends here. */
void WindowNote(WindowTrace *trace, const WindowEvent *event);
/* The words of a block; without memory the list ends early. */
void WindowListWords(WindowTrace *trace, uint32_t block, uint64_t start, WindowList *list);
/* The block has ended: a stamp, its events in the order of time, as words. */
void WindowWrite(WindowTrace *trace, const RefchipLaunch *launch, uint32_t core, uint32_t sub_core,
                 uint32_t block, uint64_t start);

#endif
