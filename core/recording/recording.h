/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RECORDING_RECORDING_H
#define RECORDING_RECORDING_H

#include <opprof/batch.h>
#include <opprof/clock.h>
#include <opprof/error.h>
#include <opprof/present.h>
#include <opprof/stage.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * A recording: the batches of one link in a file that describes itself; a file may hold several
 * recordings, one after another. docs/using/recordings.md
 * describes the format; what both sides of it share is here.
 */

#define RECORDING_MAGIC "OPPROFR\x1a"
#define RECORDING_MAGIC_BYTES 8
#define RECORDING_MAJOR 1
#define RECORDING_MINOR 1
#define RECORDING_HEAD 16       /* bytes before the first chunk */
#define RECORDING_CHUNK_HEAD 16 /* bytes of a chunk before what it holds */
#define RECORDING_NONE UINT32_MAX

/* CRC-32 (IEEE 802.3) of bytes after those that gave `crc`, 0 at first. */
uint32_t RecordingCrc(uint32_t crc, const void *data, size_t size);

/* Numbers that stand for things of the run, such as strings; a file has its own, counted from 1. */
typedef uint32_t RecordingMapId(void *context, uint32_t id);
typedef struct RecordingIds {
    RecordingMapId *string; /* never called with OPPROF_NA_STRING */
    RecordingMapId *track;  /* never called with OPPROF_NA_U32 */
    void *context;
} RecordingIds;

/* The blob of a batch as it was, and its copy of the same size. */
typedef struct RecordingBlobs {
    const char *from;
    char *to;
    uint32_t size;
} RecordingBlobs;

/* Replace the numbers of strings and tracks in `count` records, and in the arguments of spans. */
void RecordingMapRecords(const OpprofRecordType *type, void *records, uint32_t count,
                         const RecordingBlobs *blobs, const RecordingIds *ids);

/* ---- writing (recording_writer.c) ---- */

/* Whose batches they are. */
typedef struct RecordingLink {
    const char *link;           /* "stage.port" */
    const char *plugin;         /* module that gives them */
    const char *plugin_version; /* may be NULL */
    const char *opprof;         /* version of opprof */
    const OpprofRecordType *type;
} RecordingLink;

typedef struct RecordingWriter RecordingWriter;

/* Make a file, or empty an existing one. `stage` knows what the numbers in batches mean. */
OpprofStatus RecordingCreate(const char *path, const RecordingLink *link, const OpprofStage *stage,
                             RecordingWriter **ret_writer, OpprofError **error);
OpprofStatus RecordingWrite(RecordingWriter *writer, const OpprofBatch *batch, OpprofError **error);
/* How the link ended, and what it lacked (NULL: nothing). Without it the file counts as cut. */
OpprofStatus RecordingEnd(RecordingWriter *writer, uint32_t end, const char *reasons,
                          OpprofError **error);
/* Write what is buffered. NULL is allowed. */
OpprofStatus RecordingClose(RecordingWriter *writer, OpprofError **error);

/* ---- reading (recording_reader.c) ---- */

typedef struct Recording Recording;

/* A batch as it lies in the file; valid until the next one is read. Its numbers are the file's. */
typedef struct RecordingBatch {
    const OpprofRecordType *type; /* valid until RecordingDestroy */
    uint32_t partition;           /* string; 0: none */
    uint32_t clock;               /* 0: none */
    uint32_t count;
    uint32_t blob_size;
    uint64_t watermark;
    const char *records;
    const char *blob;
} RecordingBatch;

/* Take over an open file and read up to the type of the link. A file may hold several recordings;
 * this one begins at byte `from`. `path` is for messages. */
OpprofStatus RecordingOpen(FILE *file, const char *path, uint64_t from, Recording **ret_recording,
                           OpprofError **error);
/* Where it ends: at the next recording of the file, or with the file. Its batches cannot be read
 * any more then. */
uint64_t RecordingEndOf(Recording *recording);
void RecordingDestroy(Recording *recording); /* accepts NULL */
const RecordingLink *RecordingAbout(const Recording *recording);
/*
 * OPPROF_OK; OPPROF_END after the chunk that ends a whole recording; OPPROF_E_DATA: the file is cut
 * short or damaged from here on, and what came before is good; OPPROF_E_IO, OPPROF_E_MEMORY.
 */
OpprofStatus RecordingNext(Recording *recording, RecordingBatch *ret_batch, OpprofError **error);
/* After OPPROF_END: how the link had ended, an OpprofDataStreamEnd, and what it lacked, "" for
 * nothing. */
uint32_t RecordingHowEnded(const Recording *recording, const char **ret_reasons);

/* Meaning of numbers of the file; known for all in batches that were read. */
typedef struct RecordingCounts {
    uint32_t strings, tracks, clocks; /* the highest numbers */
} RecordingCounts;
RecordingCounts RecordingCountNames(const Recording *recording);
const char *RecordingString(const Recording *recording, uint32_t id, size_t *ret_length);
const OpprofTrack *RecordingTrack(const Recording *recording, uint32_t id);
const OpprofClock *RecordingClock(const Recording *recording, uint32_t id);

/* Bytes read, and of the file. */
uint64_t RecordingPlace(const Recording *recording, uint64_t *ret_size);
/* Chunks that this version does not know and may pass over. */
uint64_t RecordingUnknown(const Recording *recording);

#endif
