/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_LOG_WANTED_H
#define BASE_LOG_WANTED_H

#include <opprof/log.h>

#include <stdbool.h>

/* Whether a line of that level and tag is written, for callers whose line takes work to make.
 * [any thread] */
bool LogIsWanted(OpprofLogLevel level, const char *tag);

#endif
