/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_LIVE_LIVE_PARTS_H
#define KIT_LIVE_LIVE_PARTS_H

/* Parts of OpprofLiveRun: the program, its server, names and paths. One thread uses them. */

#include <opprof/kit/live_host.h>
#include <time.h>

/* Not a status from wait: this process ignores the ends of its children (SIGCHLD). */
#define OPPROF_LIVE_STATUS_UNKNOWN (-1)

/* Milliseconds of a clock that nobody sets. */
static inline int64_t LiveNowMs(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- live_app.c ---- */

/*
 * Split a command line as a shell does, with quotes and backslashes and nothing else. Returns
 * OPPROF_OK, OPPROF_E_ARGUMENT, OPPROF_E_MEMORY.
 *
 * @param command  The command line. Copied.
 */
OpprofStatus LiveAppParse(OpprofLiveApp *app, const char *command, OpprofError **error);
/*
 * Start it with the injection library preloaded. Returns OPPROF_OK, OPPROF_E_ARGUMENT,
 * OPPROF_E_MEMORY.
 *
 * @param place  What it gets. Borrowed for the call.
 */
OpprofStatus LiveAppStart(OpprofLiveApp *app, const OpprofLiveAppPlace *place, OpprofError **error);
/* Whether it has ended; does not wait. */
bool LiveAppHasEnded(OpprofLiveApp *app);
/*
 * Send it a signal, unless it has ended.
 *
 * @param number  Number of the signal.
 */
void LiveAppSignal(OpprofLiveApp *app, int number);
/* Free. */
void LiveAppFinish(OpprofLiveApp *app);

/* ---- live_server.c, and its parts in live_server.h ---- */

/*
 * Listen on a socket of a fresh name.
 *
 * @param welcome         The first message to clients, with `events` for theirs. Both are copied.
 * @param[out] ret_server  To be given to LiveServerDestroy.
 * @return OPPROF_OK, OPPROF_E_IO, OPPROF_E_MEMORY.
 */
OpprofStatus LiveServerCreate(const OpprofLiveWelcome *welcome, const OpprofLiveEvents *events,
                              OpprofLiveServer **ret_server, OpprofError **error);
/* Drop all clients and free. NULL is allowed. */
void LiveServerDestroy(OpprofLiveServer *server);
/* Name of the socket, for the environment of programs. Borrowed. */
const char *LiveServerName(const OpprofLiveServer *server);
/* What programs prove with that they were started with this environment: 128 bits as text. */
const char *LiveServerToken(const OpprofLiveServer *server);
/*
 * Clients that are connected and have said who they are.
 *
 * @return How many.
 */
unsigned LiveServerClients(const OpprofLiveServer *server);
/*
 * Connections of this user that have not said who they are.
 *
 * @return How many.
 */
unsigned LiveServerStrangers(const OpprofLiveServer *server);
/*
 * No launch is wanted any more: further questions get that answer, and do not reach the events.
 */
void LiveServerRefuse(OpprofLiveServer *server);
/*
 * Send a signal to the processes that are connected, but for some.
 *
 * @param number  Number of the signal.
 * @param but     The process that does not get it; 0: none.
 * @param group   The group whose processes do not get it; 0: none.
 */
void LiveServerSignal(const OpprofLiveServer *server, int number, pid_t but, pid_t group);
/* ---- live_messages.c ---- */

/*
 * Take a whole message of a client apart: OPPROF_OK; OPPROF_E_DATA, and *ret_why says why not.
 * Of a bad message, only the records before the bad one reach the events. OPPROF_LIVE_AFTER bytes
 * after it are readable. Answers are sent.
 *
 * @param client        Who sent it.
 * @param head          Its head.
 * @param body          As many bytes as the head says.
 * @param[out] ret_why  Why not.
 */
OpprofStatus LiveServerTake(OpprofLiveServer *server, OpprofLiveClient *client,
                            const OpprofLiveHead *head, const uint8_t *body, const char **ret_why);

/* ---- live_client.c ---- */

/*
 * A client on a descriptor, or for tests with -1 one that gets no answers. NULL without memory.
 *
 * @param id  Its number.
 */
OpprofLiveClient *LiveClientCreate(int fd, uint32_t id);
/* Close it and free. */
void LiveClientDestroy(OpprofLiveClient *client);

/* ---- live_sanitizer.c ---- */

#define LIVE_SANITIZER_BYTES 32u

/*
 * The library of gcc's address sanitizer that a program is linked with.
 *
 * @param word       How it is started: a path, or a name to be found on PATH.
 * @param[out] name  The library's name.
 * @return Whether it is.
 */
bool LiveSanitizerOf(const char *word, char name[LIVE_SANITIZER_BYTES]);
/* The same of an open file, which may contain anything. */
bool LiveSanitizerOfFile(int file, char name[LIVE_SANITIZER_BYTES]);

/* ---- live_filter.c ---- */

/* Whether a list of names is valid: entries of letters, digits, '_' and '*' with '|' between. */
bool LiveNamesAreGood(const char *names);
/*
 * Whether a kernel's name begins with an entry, or an entry with '*' matches it. NULL: any name
 * does.
 *
 * @param name  The kernel's name, NUL-terminated.
 */
bool LiveNamesMatch(const char *names, const char *name);

/* ---- live_paths.c ---- */

/*
 * A path that messages and file systems accept: no control characters, 2048 bytes, 255 of each
 * name.
 *
 * @return OPPROF_OK; OPPROF_E_ARGUMENT.
 */
OpprofStatus LivePathCheckName(const char *path, OpprofError **error);
/*
 * A file that only the user and root can change or replace: nobody else may write to it, to a
 * directory above it, or to one that a link on the way leads through.
 *
 * @return OPPROF_OK; OPPROF_E_ARGUMENT: others can; OPPROF_E_IO: it cannot be looked at;
 *         OPPROF_E_MEMORY.
 */
OpprofStatus LivePathCheckFile(const char *path, OpprofError **error);
/*
 * A directory of results: as LivePathCheckFile, no part of the path is a symbolic link, and it can
 * be read and written.
 *
 * @param path  From the root or the working directory.
 * @return OPPROF_OK; OPPROF_E_ARGUMENT; OPPROF_E_IO; OPPROF_E_MEMORY.
 */
OpprofStatus LivePathCheckResults(const char *path, OpprofError **error);

/* ---- live_folder.c ---- */

/*
 * Open the directory of results. It is held before it is checked: what is checked then is what is
 * held.
 *
 * @param results  Its path.
 * @return OPPROF_OK; OPPROF_E_IO.
 */
OpprofStatus LiveRunHold(OpprofLiveRun *run, const char *results, OpprofError **error);
/* Close it. */
void LiveRunLetGo(OpprofLiveRun *run);

#endif
