/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_CANNSIM_H
#define COLLECT_SIM_READ_CANNSIM_H

/*
 * Cannsim's instr.bin (CANN 9): both logs of all cores in one file of records, from which the lines
 * of dump files are made. A record is little-endian: the tick (8 bytes), the core and the sub-core
 * (4 each), the address (8), and two texts of 200 bytes, what is decoded and its operands. Cores
 * from 32 on are instructions as they are issued, those below as they end.
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CANNSIM_FILE "instr.bin"
#define CANNSIM_RECORD 424u
#define CANNSIM_CORES 32u
#define CANNSIM_SUB_CORES 3u

/* Names of sub-cores, by their number. */
extern const char *const cannsim_sub_cores[CANNSIM_SUB_CORES];

typedef enum CannsimLog { CANNSIM_POPPED = 0, CANNSIM_INSTR, CANNSIM_LOGS } CannsimLog;

/* Which records of the file are of one log: distances, each in as few bytes as it needs. */
typedef struct CannsimSteps {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    uint64_t count; /* of records */
    uint64_t next;  /* the one after the last of them */
} CannsimSteps;

typedef struct CannsimFile {
    CannsimSteps logs[CANNSIM_CORES][CANNSIM_SUB_CORES][CANNSIM_LOGS];
    char damage[512]; /* what of the file does not count, as a sentence; "": nothing */
} CannsimFile;

/*
 * Read the file once, to find the records of each log. Memory: a byte for most records.
 *
 * @return OPPROF_OK; OPPROF_E_NOT_FOUND; OPPROF_E_IO; OPPROF_E_MEMORY. Otherwise than with
 *         OPPROF_OK the file is empty.
 */
OpprofStatus CannsimFileRead(const char *path, CannsimFile *ret_file, OpprofError **error);
void CannsimFileFinish(CannsimFile *file);

/* Whether bytes begin with a record of such a file. */
bool CannsimIsRecord(const void *bytes, size_t size);

/* The lines of one log. One thread at a time. */
typedef struct CannsimLines CannsimLines;

/* Open the file for one log, whose steps are borrowed. */
OpprofStatus CannsimLinesOpen(const char *path, const CannsimSteps *steps, CannsimLines **ret_lines,
                              OpprofError **error);
/* The next line, as SimLineReaderNext. */
OpprofStatus CannsimLinesNext(CannsimLines *lines, const char **ret_line, size_t *ret_length,
                              OpprofError **error);
/* How many lines were returned. */
uint64_t CannsimLinesCount(const CannsimLines *lines);
/* Byte in the file of the last record that was returned. */
uint64_t CannsimLinesPlace(const CannsimLines *lines);
/* Bytes of the log's records. */
uint64_t CannsimLinesSize(const CannsimLines *lines);
/* NULL is allowed. */
void CannsimLinesClose(CannsimLines *lines);

#endif
