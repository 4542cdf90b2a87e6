/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of channels' files. Tested by tests/refchip/test_traces.sh. */
#include "live_chunks.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FILE_BYTES (UINT64_C(1) << 30)
#define HEAD_BYTES 8u

static LiveChunk *chunk_of(LiveLaunch *launch, const LivePlanFile *file)
{
    LiveChunk *chunk;

    for (uint32_t i = 0; i < launch->chunk_count; i++) {
        if (launch->chunks[i].file == file) {
            return &launch->chunks[i];
        }
    }
    if (!OpprofGrow32(&launch->chunks, &launch->chunk_room, (size_t) launch->chunk_count + 1,
                      sizeof *launch->chunks)) {
        return NULL;
    }
    chunk = &launch->chunks[launch->chunk_count++];
    *chunk = (LiveChunk){ .file = file };
    return chunk;
}

/* Files of a pass are numbered: a new one begins before one becomes too large. */
static void make_name(const LiveLaunch *launch, const LivePlanFile *file, char *name, size_t size)
{
    const uint64_t most = MOST_FILE_BYTES / (HEAD_BYTES + (uint64_t) file->chunk);
    const size_t stem = strcspn(file->name, "*");
    uint64_t written = 0;

    for (uint32_t i = 0; i < launch->chunk_count; i++) {
        written += launch->chunks[i].file->pass == file->pass ? launch->chunks[i].written : 0;
    }
    snprintf(name, size, "%.*s%" PRIu64, (int) stem, file->name, written / (most > 0 ? most : 1));
}

static void write_piece(const LiveLaunches *self, LiveLaunch *launch, LiveChunk *chunk)
{
    static const uint8_t zeros[65536];
    const LivePlanFile *file = chunk->file;
    const uint32_t used = (uint32_t) chunk->used;
    uint8_t head[HEAD_BYTES];
    char name[48];

    make_name(launch, file, name, sizeof name);
    for (unsigned i = 0; i < 2; i++) {
        head[i] = (uint8_t) (file->core >> 8 * i);
        head[2 + i] = (uint8_t) (file->part >> 8 * i);
    }
    for (unsigned i = 0; i < 4; i++) {
        head[4 + i] = (uint8_t) (used >> 8 * i);
    }
    LiveLaunchWrite(self, launch, name, head, sizeof head);
    LiveLaunchWrite(self, launch, name, chunk->data, chunk->used);
    for (size_t at = chunk->used; at < file->chunk; at += sizeof zeros) {
        const size_t left = file->chunk - at;

        LiveLaunchWrite(self, launch, name, zeros, left < sizeof zeros ? left : sizeof zeros);
    }
    chunk->used = 0;
    chunk->written++;
}

void LiveChunksTake(const LiveLaunches *self, LiveLaunch *launch, const LivePlanFile *file,
                    const void *data, size_t size)
{
    const uint8_t *bytes = data;
    LiveChunk *chunk = chunk_of(launch, file);

    while (size > 0) {
        size_t some =
            chunk == NULL || file->chunk - chunk->used > size ? size : file->chunk - chunk->used;

        if (chunk == NULL || !OpprofGrow(&chunk->data, &chunk->room, chunk->used + some, 1)) {
            OpprofStageIncomplete(
                self->stage, "Cannot keep the data of channel %" PRIu32 " for '%s': out of memory",
                file->channel, launch->name);
            return;
        }
        memcpy(chunk->data + chunk->used, bytes, some);
        chunk->used += some;
        bytes += some;
        size -= some;
        if (chunk->used == file->chunk) {
            write_piece(self, launch, chunk);
        }
    }
}

void LiveChunksFinish(const LiveLaunches *self, LiveLaunch *launch)
{
    for (uint32_t i = 0; i < launch->chunk_count; i++) {
        if (launch->chunks[i].used > 0) {
            write_piece(self, launch, &launch->chunks[i]);
        }
        free(launch->chunks[i].data);
    }
    free(launch->chunks);
    launch->chunks = NULL;
    launch->chunk_count = launch->chunk_room = 0;
}
