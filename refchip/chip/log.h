/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_LOG_H
#define REFCHIP_CHIP_LOG_H

/*
 * Where log entries go: to attached callbacks, and to dump files below CAMODEL_LOG_PATH while the
 * level of files is not "off". One LogCore belongs to the thread that simulates its core.
 */

#include "dvc.h"
#include <stdbool.h>

#define LOG_MOST_TEXT 232u

/* An entry of any type, waiting for its turn. */
typedef struct LogEntry {
    uint64_t time;
    uint64_t sequence; /* keeps entries of one time in order */
    uint64_t pc;       /* or address */
    uint64_t id;       /* of the instruction */
    uint64_t size;
    uint32_t type; /* DvcLogType */
    uint32_t request;
    uint32_t word;            /* the instruction */
    uint32_t pipe;            /* IsaPipe that it runs on */
    const char *op;           /* of icache, ccu and mte entries */
    const char *interface;    /* of mte entries */
    char text[LOG_MOST_TEXT]; /* operands */
} LogEntry;

typedef struct LogCore LogCore;

/* Whether entries of a type are wanted now. */
bool LogIsWanted(uint32_t type);

/* A core begins; NULL: its entries are not wanted, or there is no memory. */
LogCore *LogCoreOpen(uint32_t core, uint32_t sub_core);
/* Room for an entry, to be filled and put. NULL without memory. */
LogEntry *LogNew(LogCore *log);
void LogPut(LogCore *log, LogEntry *entry);
/* No later entry will be before `time`: deliver what comes before it. */
void LogAdvance(LogCore *log, uint64_t time);
/* The core is done: deliver the rest. NULL is allowed. */
void LogCoreClose(LogCore *log);

#endif
