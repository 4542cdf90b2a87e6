/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_SERVER_H
#define COLLECT_SIM_LIVE_SERVER_H

/*
 * The collector's side of the socket: programs that connect, their messages taken apart and checked.
 * One thread. A client that breaks the rules is dropped, and the others never notice.
 */

#include <opprof/error.h>
#include <opprof/kit/live.h>

typedef struct LiveServer LiveServer;
typedef struct LiveClient LiveClient;

/* What clients say. Pointers are valid during the call; texts of a kernel's name are not NUL-terminated. */
typedef struct LiveEvents {
    void *context;
    void (*hello)(void *context, LiveClient *client, const OpprofLiveHello *hello);
    OpprofLiveVerdict (*launch)(void *context, LiveClient *client, const OpprofLiveLaunch *launch,
                                const char *name, size_t length);
    void (*kernel)(void *context, LiveClient *client, const OpprofLiveKernel *kernel,
                   const void *data, size_t size);
    void (*record)(void *context, LiveClient *client, uint32_t operator_id,
                   const OpprofLiveRecord *record, const char *first, const char *second);
    void (*finish)(void *context, LiveClient *client, const OpprofLiveFinish *finish);
    /* It is gone; `why` is NULL if it closed between two messages, else a sentence about it. */
    void (*gone)(void *context, LiveClient *client, const char *why);
} LiveEvents;

/* Take a whole message of a client apart: OPPROF_OK; OPPROF_E_DATA, and *ret_why says why not.
 * Nothing of a bad message reaches the events but records before the bad one. Answers are sent. */
OpprofStatus LiveMessageTake(LiveServer *server, LiveClient *client, const OpprofLiveHead *head,
                             const uint8_t *body, const char **ret_why);

/* Listen on a socket of a fresh name. Events are copied. */
OpprofStatus LiveServerCreate(const OpprofLiveWelcome *welcome, const LiveEvents *events,
                              LiveServer **ret_server, OpprofError **error);
void LiveServerDestroy(LiveServer *server);
/* For the environment of programs. */
const char *LiveServerName(const LiveServer *server);

/* Wait for at most so long, then read what clients have sent, up to some hundreds of KiB each. Returns
 * the number of clients that had something to say. */
unsigned LiveServerStep(LiveServer *server, int timeout_ms);
/* Clients that are connected. */
unsigned LiveServerClients(const LiveServer *server);

/* Numbers from 0, in the order of connections; never used again. */
uint32_t LiveClientId(const LiveClient *client);
uint32_t LiveClientPid(const LiveClient *client);

/* For tests: a client without a socket, which gets no answers. NULL without memory. */
LiveClient *LiveClientCreate(int fd, uint32_t id);
void LiveClientDestroy(LiveClient *client);

#endif
