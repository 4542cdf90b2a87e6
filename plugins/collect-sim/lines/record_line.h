/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_RECORD_LINE_H
#define COLLECT_SIM_LINES_RECORD_LINE_H

/*
 * Prints log records of a running simulator as lines of its dump files, so that a running operator
 * and its dump are the same text for all readers.
 */

#include "collect-sim/read/entry.h"

/* How records of the instruction cache and the control unit are printed: forms of the chip's file;
 * "": none. */
typedef struct SimRecordForms {
    const char *miss;
    const char *fetch;
    const char *issue;
} SimRecordForms;

/* Room for any line that a record makes, and for what may be read after it. */
#define SIM_RECORD_LINE (OPPROF_LIVE_MOST_TEXT + 2048u)

/* Print the line of a record, with its newline and a NUL. Returns its length; 0: it does not fit,
 * or has no form. */
size_t SimRecordLine(const SimRecordForms *forms, const SimEntry *entry, char *line, size_t room);

/*
 * The text of a record as printed in its line, without control characters. It is the record's own,
 * or in `scratch`, which has room for OPPROF_LIVE_MOST_TEXT + OPPROF_LIVE_AFTER bytes.
 */
const char *SimRecordText(const SimEntry *entry, char *scratch);

#endif
