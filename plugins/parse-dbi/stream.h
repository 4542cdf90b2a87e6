/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_STREAM_H
#define PARSE_DBI_STREAM_H

#include "record.h"

/*
 * The records of slots, from bytes that arrive in pieces. Faults are reported and left out; valid
 * records before them count.
 */

typedef enum DbiProblem {
    DBI_NOTHING,
    DBI_BAD_MAGIC,     /* a record does not begin with its magic number: the slot ends there */
    DBI_UNKNOWN_TYPE,  /* a record has a type that the chip file does not have: the same */
    DBI_CUT_RECORD,    /* a record is longer than the rest of its slot: the same */
    DBI_CUT_FILE,      /* the file ends where records should be */
    DBI_UNCOUNTED,     /* a slot holds bytes after the records that it counts */
    DBI_TOO_LONG,      /* a slot claims more bytes than it can have */
    DBI_OVERFLOWED,    /* a slot was full: requests were lost while the kernel ran */
    DBI_CONTRADICTION, /* the counts of a slot contradict each other: it is left out */
    DBI_AGAIN,         /* a second packet of a slot */
    DBI_BEYOND,        /* there is data for a slot that does not exist */
    DBI_BAD_PACKET,    /* lengths of a packet contradict each other: it is left out */
    DBI_OTHER_PACKET,  /* a packet's type is not that of records: it is left out */
    DBI_PROBLEMS
} DbiProblem;

/* A fault. */
typedef struct DbiFinding {
    DbiProblem problem;
    uint32_t slot;
    uint64_t offset; /* where in the file */
    /* records (bytes of DBI_UNCOUNTED and DBI_BEYOND) that do not count because of it */
    uint64_t lost;
    uint32_t value; /* the magic number or type found */
} DbiFinding;

/* Receiver of records and findings. */
typedef struct DbiHandler {
    /* A record; false: stop. */
    bool (*record)(void *context, uint32_t slot, uint64_t offset, DbiRecord *record);
    void (*finding)(void *context, const DbiFinding *finding);
    void *context;
    /* Bytes that are not understood; NULL: not requested. */
    void (*raw)(void *context, uint64_t offset, const unsigned char *bytes, size_t size,
                const char *reason);
} DbiHandler;

/* Records of one slot. */
typedef struct DbiStream {
    const DbiTables *tables;
    const DbiHandler *handler;
    uint32_t slot;
    uint64_t records_left; /* counted but not arrived yet */
    uint64_t bytes_left;   /* of the slot's data */
    uint64_t offset;       /* in the file, of the first byte that no record took */
    bool is_full;          /* what lies after the counted records was never written */
    unsigned char carry[DBI_RECORD_HEADER + DBI_MAX_BODY];
    uint32_t have;                                       /* bytes in carry */
    unsigned char raw[DBI_RECORD_HEADER + DBI_MAX_BODY]; /* the bytes where the slot is given up */
    uint32_t raw_have;
    uint32_t raw_wanted; /* 0: nothing is being gathered */
    uint64_t raw_offset;
    const char *raw_reason;
} DbiStream;

/* Begin the data of a slot at `offset` of the file. */
void DbiStreamBegin(DbiStream *stream, uint32_t slot, uint64_t count, uint64_t bytes,
                    uint64_t offset, bool is_full);

/*
 * Take up to `length` bytes of the slot's data; returns how many belonged to the slot, SIZE_MAX if
 * the handler stopped.
 */
size_t DbiStreamFeed(DbiStream *stream, const unsigned char *bytes, size_t length);

/* The slot's data is over: all of it arrived, or the file ended. */
void DbiStreamEnd(DbiStream *stream);

/* The name of a problem, for messages. */
const char *DbiProblemText(DbiProblem problem);

#endif
