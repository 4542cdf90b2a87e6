/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MINDSPORE_LOG_H
#define PARSE_MINDSPORE_LOG_H

/* Logs in pieces: records are cut out of them, also across slices, and what is lost is counted. */

#include "parse-mindspore/device.h"

/* The format of a log that begins with some bytes; NULL: none is known. */
const Format *LogFormat(const char *kind, uint32_t generation, const void *bytes, size_t length);
/* Begin a log. `file` is borrowed for the run. */
void LogBegin(Log *log, const Format *format, uint32_t generation, const char *file);
/* Take the next bytes; after a gap it is unknown where in a record they begin. */
OpprofStatus LogFeed(Device *device, const unsigned char *bytes, size_t length, bool after_gap);
/* The log has ended: report what was lost, and emit its row of the table of sources. */
OpprofStatus LogEnd(Device *device);
void LogFinish(Log *log);

#endif
