/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_CONTAINER_H
#define VIZ_INSIGHT_CONTAINER_H

#include <opprof/kit/spool.h>

#include <opprof/records/block.h>
#include <opprof/present.h>
#include <opprof/stage.h>

/*
 * visualize_data.bin, the container that MindStudio Insight imports: blocks one after another, each
 * with a header of 12 bytes, for source texts a path of 4096 bytes, the content, and zeros up to a
 * multiple of 4.
 */

#define BLOCK_HEADER_BYTES 12u
#define BLOCK_PATH_BYTES 4096u
#define BLOCK_BODY_MAX (UINT64_C(100) << 20) /* bytes of any content except a trace */
#define CONTAINER_MAX (UINT64_C(10) << 30)   /* bytes of the file */
#define BLOCK_RESERVED 0x5au

/* Bytes of a content that follow one another in the spool. */
typedef struct Piece {
    uint64_t offset;
    uint64_t length;
} Piece;

/* A block that waits for the end of the run. */
typedef struct HeldBlock {
    uint32_t type;
    uint32_t version;
    uint32_t order;  /* of arrival */
    uint32_t folder; /* interned, or OPPROF_NA_STRING */
    bool nameless;   /* events without a name must get one */
    char *path;      /* source texts: path of BLOCK_PATH_BYTES at most with its NUL; else NULL */
    bool is_open;    /* more pieces follow */
    char *file;      /* finished file with the content, or NULL: it is in the spool */
    uint64_t offset; /* in the file */
    Piece *pieces;   /* in the spool; one that is too long for the viewer has none */
    size_t piece_count;
    size_t piece_capacity;
    uint64_t length; /* of all */
} HeldBlock;

typedef struct Container {
    OpprofStage *stage;
    OpprofSpool spool;
    HeldBlock *blocks;
    uint32_t count;
    uint32_t capacity;
    uint64_t bytes;   /* of all blocks in their files, once they are written … */
    uint64_t written; /* … and of those so far */
} Container;

/* Header of a block whose content has `length` bytes. */
void ContainerPutHeader(unsigned char header[BLOCK_HEADER_BYTES], uint32_t type, uint32_t version,
                        uint64_t length);

/* Keep a block. One that the viewer would refuse is left out: the run is then incomplete. */
OpprofStatus ContainerAdd(Container *container, const OpprofBatch *batch, const OpprofBlock *block,
                          OpprofError **error);

/* Write the file `name` in each folder that has blocks. */
OpprofStatus ContainerWrite(Container *container, const char *name, OpprofError **error);

void ContainerFinish(Container *container);

#endif
