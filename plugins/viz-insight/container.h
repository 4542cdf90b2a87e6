/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_CONTAINER_H
#define VIZ_INSIGHT_CONTAINER_H

#include <opprof/kit/spool.h>

#include <opprof/records/block.h>
#include <opprof/present.h>
#include <opprof/stage.h>

/*
 * visualize_data.bin, the container that MindStudio Insight imports: blocks one behind the other,
 * each a header of 12 bytes, for source texts a path of 4096 bytes, the content, and zeros up to a
 * multiple of 4.
 */

#define BLOCK_SOURCE 0x01u
#define BLOCK_TRACE 0x02u
#define BLOCK_FILES 0x03u
#define BLOCK_INSTRUCTIONS 0x04u
#define BLOCK_BASE_INFO 0x05u
#define BLOCK_LOAD_FIGURE 0x06u
#define BLOCK_LOAD_TABLE 0x07u
#define BLOCK_STORAGE_MAP 0x08u
#define BLOCK_STORAGE_TABLE 0x09u
#define BLOCK_OCCUPANCY 0x0cu
#define BLOCK_ROOFLINE 0x0du
#define BLOCK_CACHELINES 0x0eu
#define BLOCK_STALL_REASONS 0x0fu

#define BLOCK_HEADER_BYTES 12u
#define BLOCK_PATH_BYTES 4096u
#define BLOCK_BODY_MAX (UINT64_C(100) << 20) /* bytes of any content but a trace */
#define CONTAINER_MAX (UINT64_C(10) << 30)   /* bytes of the file */
#define BLOCK_VERSION 0x5au
#define BLOCK_RESERVED 0x5au

/* A block that waits for the end of the run. */
typedef struct HeldBlock {
    uint32_t type;
    uint32_t version;
    uint32_t order;  /* of arrival */
    uint32_t folder; /* interned, or OPPROF_NA_STRING */
    bool nameless;   /* events without a name are to be named */
    char *path;      /* source texts: path of BLOCK_PATH_BYTES at most with its NUL; else NULL */
    char *file;      /* finished file with the content, or NULL: it is in the spool */
    uint64_t offset;
    uint64_t length;
} HeldBlock;

typedef struct Container {
    OpprofStage *stage;
    OpprofSpool spool;
    HeldBlock *blocks;
    uint32_t count;
    uint32_t capacity;
} Container;

/* Header of a block whose content has `length` bytes. */
void ContainerPutHeader(unsigned char header[BLOCK_HEADER_BYTES], uint32_t type, uint32_t version,
                        uint64_t length);

/* Keep a block. One that the viewer would refuse is left out: the run is then incomplete. */
OpprofStatus ContainerAdd(Container *container, const OpprofBatch *batch, const OpprofBlock *block,
                          OpprofError **error);

/* Write the file `name` in each folder that a block is for; nothing when there is no block. */
OpprofStatus ContainerWrite(Container *container, const char *name, OpprofError **error);

void ContainerFinish(Container *container);

#endif
