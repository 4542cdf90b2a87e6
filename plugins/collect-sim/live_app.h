/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_APP_H
#define COLLECT_SIM_LIVE_APP_H

/* The program that is profiled: its command line, its start, its end. */

#include <opprof/error.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct LiveApp {
    char **words; /* NULL-terminated */
    pid_t pid;    /* 0: not running */
    int status;   /* of wait, once it has ended */
    bool has_ended;
} LiveApp;

/* Split a command line as a shell does, with quotes and backslashes and nothing else. */
OpprofStatus LiveAppParse(LiveApp *app, const char *command, OpprofError **error);

/* What the program gets beside the environment of this process. */
typedef struct LiveAppPlace {
    const char *inject; /* path of the injection library */
    const char *socket; /* name of the abstract socket */
    const char *soc;    /* SoC whose simulator is looked for below ASCEND_HOME_PATH, or NULL */
} LiveAppPlace;

OpprofStatus LiveAppStart(LiveApp *app, const LiveAppPlace *place, OpprofError **error);
/* Whether it has ended; does not wait. */
bool LiveAppHasEnded(LiveApp *app);
/* Ask it to end (SIGINT), and after `grace_ms` make it (SIGKILL). Waits until it has. */
void LiveAppEnd(LiveApp *app, unsigned grace_ms);
void LiveAppFinish(LiveApp *app);

#endif
