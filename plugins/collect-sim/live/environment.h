/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_ENVIRONMENT_H
#define COLLECT_SIM_LIVE_ENVIRONMENT_H

#include <opprof/kit/live_host.h>

/* The environment of a program that runs on a simulator. */
typedef struct SimEnvironment {
    OpprofLiveVariable variables[9];
    size_t count;
    char *folder;       /* of the simulator's libraries */
    char *runtime;      /* in it */
    bool has_simulator; /* `runtime` is there; else the program's own libraries are used */
    char *chip;         /* see OPPROF_LIVE_CHIP; NULL: unknown */
} SimEnvironment;

/*
 * `soc`: SoC whose simulator is searched in the toolkit, NULL: none. `log_path`: for the dump files
 * of simulators without callbacks. Both are borrowed. Call SimEnvironmentFinish in every case.
 */
OpprofStatus SimEnvironmentMake(SimEnvironment *environment, const char *soc, const char *log_path,
                                OpprofError **error);
void SimEnvironmentFinish(SimEnvironment *environment);

#endif
