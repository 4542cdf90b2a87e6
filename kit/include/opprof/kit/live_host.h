/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LIVE_HOST_H
#define OPPROF_KIT_LIVE_HOST_H

/**
 * @file
 * What a collector of running programs needs on its side of `opprof/kit/live.h`: the program itself, the
 * socket that it and its children talk to, and which of their launches are wanted. One thread uses them.
 * Experimental while the ABI's major number is 0.
 */

#include <opprof/error.h>
#include <opprof/kit/live.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A program that is profiled. */
typedef struct OpprofLiveApp {
    char **words;   /**< Its command line, NULL-terminated. */
    pid_t pid;      /**< 0: not running. */
    int status;     /**< Of wait, once it has ended. */
    bool has_ended; /**< It has. */
} OpprofLiveApp;

/** What the program gets beside the environment of this process. */
typedef struct OpprofLiveAppPlace {
    const char *inject; /**< Path of the injection library. */
    const char *socket; /**< Name of the abstract socket. */
    const char *soc;    /**< SoC whose simulator is looked for below ASCEND_HOME_PATH, or NULL. */
    const char *
        log_path; /**< CAMODEL_LOG_PATH, for dump files of simulators without callbacks, or NULL. */
    bool is_simulated; /**< It runs on a simulator, which has one device. */
} OpprofLiveAppPlace;

/** Split a command line as a shell does, with quotes and backslashes and nothing else. */
OpprofStatus OpprofLiveAppParse(OpprofLiveApp *app, const char *command, OpprofError **error);
/** Start it with the injection library preloaded. */
OpprofStatus OpprofLiveAppStart(OpprofLiveApp *app, const OpprofLiveAppPlace *place,
                                OpprofError **error);
/** Whether it has ended; does not wait. */
bool OpprofLiveAppHasEnded(OpprofLiveApp *app);
/** Ask it to end (SIGINT), and after `grace_ms` make it (SIGKILL). Waits until it has. */
void OpprofLiveAppEnd(OpprofLiveApp *app, unsigned grace_ms);
/** Free. */
void OpprofLiveAppFinish(OpprofLiveApp *app);

/** A socket that programs connect to. Opaque. */
typedef struct OpprofLiveServer OpprofLiveServer;
/** A process that is connected. Opaque. */
typedef struct OpprofLiveClient OpprofLiveClient;

/** What clients say. Pointers are valid during the call; a kernel's name is not NUL-terminated. */
typedef struct OpprofLiveEvents {
    void *context; /**< First argument of all. */
    void (*hello)(void *context, OpprofLiveClient *client,
                  const OpprofLiveHello *hello); /**< It has connected. */
    OpprofLiveVerdict (*launch)(void *context, OpprofLiveClient *client,
                                const OpprofLiveLaunch *launch, const char *name,
                                size_t length); /**< It asks about a launch. */
    void (*kernel)(void *context, OpprofLiveClient *client, const OpprofLiveKernel *kernel,
                   const void *data, size_t size); /**< A piece of a kernel's file. */
    void (*record)(void *context, OpprofLiveClient *client, uint32_t operator_id,
                   const OpprofLiveRecord *record, const char *first,
                   const char *second); /**< A record of the simulator's log. */
    void (*finish)(void *context, OpprofLiveClient *client,
                   const OpprofLiveFinish *finish); /**< An operator has ended. */
    /** It is gone; `why` is NULL if it closed between two messages, else a sentence about it. */
    void (*gone)(void *context, OpprofLiveClient *client, const char *why);
    /** A message of another kind. OPPROF_OK, or OPPROF_E_DATA and why not. NULL: there are none. */
    OpprofStatus (*other)(void *context, OpprofLiveClient *client, const OpprofLiveHead *head,
                          const uint8_t *body, const char **ret_why);
} OpprofLiveEvents;

/** Take a whole message of a client apart: OPPROF_OK; OPPROF_E_DATA, and *ret_why says why not.
 * Nothing of a bad message reaches the events but records before the bad one. Answers are sent. */
OpprofStatus OpprofLiveServerTake(OpprofLiveServer *server, OpprofLiveClient *client,
                                  const OpprofLiveHead *head, const uint8_t *body,
                                  const char **ret_why);

/** Listen on a socket of a fresh name. Welcome and events are copied. */
OpprofStatus OpprofLiveServerCreate(const OpprofLiveWelcome *welcome,
                                    const OpprofLiveEvents *events, OpprofLiveServer **ret_server,
                                    OpprofError **error);
/** Drop all clients and free. NULL is allowed. */
void OpprofLiveServerDestroy(OpprofLiveServer *server);
/** For the environment of programs. */
const char *OpprofLiveServerName(const OpprofLiveServer *server);

/** Wait for at most so long, then read what clients have sent, up to some hundreds of KiB each. Returns
 * the number of clients that had something to say. */
unsigned OpprofLiveServerStep(OpprofLiveServer *server, int timeout_ms);
/** Clients that are connected. */
unsigned OpprofLiveServerClients(const OpprofLiveServer *server);

/** Number of a client, from 0 in the order of connections; never used again. */
uint32_t OpprofLiveClientId(const OpprofLiveClient *client);
/** Process of a client. */
uint32_t OpprofLiveClientPid(const OpprofLiveClient *client);
/** Answer a client's question. For `other`; the rest is answered by the server. */
void OpprofLiveClientAnswer(const OpprofLiveClient *client, uint32_t type, const void *body,
                            size_t size);

/** For tests: a client on a descriptor, or with -1 one that gets no answers. NULL without memory. */
OpprofLiveClient *OpprofLiveClientCreate(int fd, uint32_t id);
/** Close it and free. */
void OpprofLiveClientDestroy(OpprofLiveClient *client);

/** What a process had on a device. */
typedef struct OpprofLiveCount {
    uint32_t client;    /**< Number of the client. */
    uint32_t device;    /**< As the program calls it. */
    uint32_t skipped;   /**< Launches that were let pass first. */
    uint32_t collected; /**< Launches that were wanted. */
} OpprofLiveCount;

/** Which launches are wanted: by name, after some are skipped, up to a number; each process and device
 * counts by itself. */
typedef struct OpprofLiveFilter {
    const char *names;       /**< '|' between; NULL: any. Borrowed. */
    uint32_t launch_count;   /**< Collect so many. */
    uint32_t launch_skip;    /**< After so many that ask. */
    OpprofLiveCount *counts; /**< Owned. */
    uint32_t count_count;    /**< Of them. */
    uint32_t count_room;     /**< Of the array. */
    uint64_t launches;       /**< That asked. */
    uint64_t matches;        /**< Of those, whose name is wanted. */
} OpprofLiveFilter;

/** Whether a list is one: entries of letters, digits, '_' and '*' with '|' between. */
bool OpprofLiveNamesAreGood(const char *names);
/** Whether a kernel's name begins with an entry, or an entry with '*' matches it. NULL: any name does. */
bool OpprofLiveNamesMatch(const char *names, const char *name);
/** A launch asks. Without memory the answer is OPPROF_LIVE_PASS. */
OpprofLiveDecision OpprofLiveFilterAsk(OpprofLiveFilter *filter, uint32_t client, uint32_t device,
                                       const char *name);
/** Whether a process has all that it may have on a device. */
bool OpprofLiveFilterIsFull(const OpprofLiveFilter *filter, uint32_t client, uint32_t device);
/** Free. */
void OpprofLiveFilterFinish(OpprofLiveFilter *filter);

#ifdef __cplusplus
}
#endif

#endif
