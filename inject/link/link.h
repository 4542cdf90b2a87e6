/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_LINK_LINK_H
#define INJECT_LINK_LINK_H

/*
 * Parts of the injection library for all that it profiles: the connection, notes, forks, calls. It
 * is a guest in a foreign process: it links nothing but the C library, keeps errno, writes to no
 * descriptor of the program, and when anything fails the program goes on unprofiled.
 */

#include <opprof/kit/live.h>
#include <pthread.h>
#include <stdbool.h>

/* ---- forks.c: processes that are copies of others ---- */

/* If this process is a copy that has not been seen yet, forget what was the parent's. Cheap. */
void ForkNotice(void);
/* See ON_FORK. */
void ForkAdd(void (*function)(void));
/*
 * In a new child process, which has its parent's memory but not its connection, device or threads,
 * call the function, before anything else of this library. Once a file.
 */
#define ON_FORK(function)                                                                          \
    __attribute__((constructor)) static void watch_forks(void)                                     \
    {                                                                                              \
        ForkAdd(function);                                                                         \
    }

/* ---- link.c: the connection to the collector ---- */

/* Whether there is, or may come to be, a collector. Cheap. [any thread] */
bool LinkIsWanted(void);
/* Connect at the first call of the process. False: no collector. `soc` may be NULL. [any thread] */
bool LinkOpen(const char *soc, bool has_logs, const OpprofLiveWelcome **ret_welcome);
/* Send a message of two parts. False: the link is lost, for good. [any thread] */
bool LinkSend(uint32_t type, const void *first, size_t first_size, const void *second,
              size_t second_size);
/* A message of two parts. Borrowed. */
typedef struct LinkMessage {
    uint32_t type;
    const void *first;
    size_t first_size;
    const void *second; /* NULL: nothing more */
    size_t second_size;
} LinkMessage;

/* Send and wait for the answer. */
bool LinkAsk(const LinkMessage *question, uint32_t answer_type, void *answer, size_t answer_size);
/* The same for an answer of any size, to be freed. */
bool LinkAskBytes(uint32_t type, const void *question, size_t size, uint32_t answer_type,
                  uint8_t **ret_answer, size_t *ret_size);

/* ---- mute.c: a program that forbids itself the calls of the connection ---- */

/* Called where errno says why a message was lost. True: the program forbids itself that, which is
 * said; the descriptor stays open. */
bool MuteBegin(int descriptor, const LinkMessage *lost);
/* A launch is not asked about, since that is so. Cheap. [any thread] */
void MuteCount(void);

/* ---- notes.c ---- */

/* A sentence to the collector about an operator; 0: about the process. */
__attribute__((format(printf, 3, 4))) void Note(uint32_t operator_id, OpprofLiveSeverity severity,
                                                const char *format, ...);

/* The same about the process, as it is. */
void NoteText(OpprofLiveSeverity severity, const char *text);

/* ---- calls.c: what belongs to the calling thread ---- */

/* How deep the thread is in calls of ours or of an outer hook; such inner calls are not the
 * program's. */
int *CallDepth(void);
/* The device that the thread has chosen, as the program calls it. */
int32_t *CallDevice(void);

/* What needs memory of its own for each thread. */
typedef enum CallRoomId { CALL_BOARD = 0, CALL_MC2, CALL_RANGES, CALL_ROOMS } CallRoomId;

/*
 * Memory of the calling thread: zeroed when it is first asked for, freed when the thread ends. NULL
 * without memory. It is not thread-local storage, for which the stacks of all threads of the
 * program would need room.
 */
void *CallRoom(CallRoomId which, size_t size);
/* The same if it was asked for before, else NULL. */
void *CallRoomIfThere(CallRoomId which);

#endif
