/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_LIVE_LIVE_SERVER_H
#define KIT_LIVE_LIVE_SERVER_H

/* Parts of the server: its connections, who is let in, and what they say. One thread uses them. */

#include "kit/live/live_parts.h"
#include <opprof/kit/live_records.h>
#include <opprof/map.h>
#include <sys/socket.h>

#define MOST_CLIENTS 256u
#define BUFFER_BYTES (sizeof(OpprofLiveHead) + OPPROF_LIVE_MOST_BYTES)

/* Why launches passed unprofiled. */
typedef struct LiveReason {
    const char *text;
    uint64_t launches;
    bool is_recorded; /* they are made later */
} LiveReason;

typedef struct LiveTally {
    const char *names; /* as of a filter: kernels that are wanted */
    OpprofTextMap places;
    LiveReason *reasons; /* of the first so many */
    uint32_t count;
    uint32_t room;
    uint64_t launches; /* of all */
    uint64_t recorded; /* not among them: launches that are recorded */
    uint64_t unnamed;  /* not among them: launches of kernels that are not wanted */
} LiveTally;

struct OpprofLiveClient {
    int fd; /* -1: none, in tests */
    uint32_t id;
    uint32_t pid;      /* as its process says */
    struct ucred peer; /* its process as this one sees it; 0: it does not */
    bool is_foreign;   /* of another user: never let in, and kept only until it says who it is */
    bool is_greeted;   /* it has the token; until then it is a stranger that counts for nothing */
    int64_t since_ms;  /* when it came */
    bool has_asked_plan;
    int64_t waited_ms; /* for room for its answers */
    size_t used;       /* bytes of `buffer` */
    uint8_t buffer[BUFFER_BYTES + OPPROF_LIVE_AFTER];
};

struct OpprofLiveServer {
    int fd;
    char name[48];
    uint8_t token[OPPROF_LIVE_TOKEN_BYTES];
    char token_text[2 * OPPROF_LIVE_TOKEN_BYTES + 1];
    OpprofLiveWelcome welcome;
    OpprofLiveEvents events;
    uint32_t next_id;
    bool has_refused; /* and said so */
    bool is_ending;   /* no launch is wanted any more */
    unsigned greeted; /* of the clients */
    unsigned foreign; /* of the clients */
    LiveTally tally;
    unsigned count;
    OpprofLiveClient *clients[MOST_CLIENTS];
};

/* ---- live_door.c ---- */

/* Report why a process is not served. Once: one that is not served may try again and again. */
void LiveDoorReport(OpprofLiveServer *server, const char *why);
/* See who is at the other end of a new client. False: it cannot be seen. */
bool LiveDoorSee(OpprofLiveClient *client);
/* Take a greeting: OPPROF_OK, and its process is let in; OPPROF_E_DATA, and *ret_why says why
 * not, if that is a fault. */
OpprofStatus LiveDoorGreet(OpprofLiveServer *server, OpprofLiveClient *client, const uint8_t *body,
                           size_t size, const char **ret_why);

/* ---- live_tally.c ---- */

/* A launch passed by: "'NAME', why", with as many kernels as it has, or what is known of it if they
 * are not; or it is recorded. */
void LiveTallyAdd(LiveTally *tally, const char *text, bool is_recorded);
/* The run is incomplete by these launches, if there are any. */
void LiveTallyReport(const LiveTally *tally, OpprofStage *stage);
void LiveTallyFinish(LiveTally *tally);

/* ---- live_messages.c ---- */

/* Take all whole messages of the buffer: *ret_count of them were taken. As LiveServerTake. */
OpprofStatus LiveMessagesTake(OpprofLiveServer *server, OpprofLiveClient *client,
                              unsigned *ret_count, const char **ret_why);

#endif
