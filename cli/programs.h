/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_PROGRAMS_H
#define CLI_PROGRAMS_H

#include "options.h"

#include <opprof/error.h>
#include <stdbool.h>

/*
 * Choose the pipeline of a program after two dashes without one, by the devices and simulators that
 * are here. Refuse it where there are none, and a program without the two dashes before it: the
 * error has the commands that profile it. A file that some pipeline may read is no program here.
 *
 * @return OPPROF_OK; OPPROF_E_ARGUMENT; OPPROF_E_MEMORY.
 */
OpprofStatus ProgramsCheck(Options *options, OpprofError **error);
/* The same for an input that no pipeline reads. Otherwise `error` stays as it is. */
OpprofStatus ProgramsCheckUnread(const char *input, OpprofStatus status, OpprofError **error);
/* Whether a pipeline profiles programs; false for an unknown name. */
bool ProgramsRunIn(const char *pipeline);

#endif
