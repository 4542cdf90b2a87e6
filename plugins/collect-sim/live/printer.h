/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_PRINTER_H
#define COLLECT_SIM_LIVE_PRINTER_H

/* Prints the dump files that an operator's records stand for, and removes the records. */

#include "collect-sim/read/source.h"
#include <dirent.h>

typedef struct LivePrinter {
    const char *directory; /* of the operator, borrowed */
    DIR *files;
    SimSource source; /* current file, or not open */
    char *path;       /* of its dump file */
    int fd;
    size_t used;  /* bytes that are not written yet, … */
    char *buffer; /* … of these */
    bool is_done;
    char reason[256]; /* why something is missing in the dump files; "": nothing is */
} LivePrinter;

/* In an open directory, which it takes and closes; negative: it could not be opened. */
void LivePrinterStart(LivePrinter *printer, int folder, const char *directory);
/* A bounded piece of work. False: there is no more. */
bool LivePrinterStep(LivePrinter *printer);
/* Stop printing; the rest stays as records. */
void LivePrinterFinish(LivePrinter *printer);

#endif
