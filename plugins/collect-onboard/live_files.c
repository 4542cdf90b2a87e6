/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The raw files of profiled launches, in the form of the vendor's collector. Tested by
 * tests/refchip/test_board.sh and tests/refchip/test_traces.sh.
 */
#include "live_files.h"

#include "names.h"

#include <ctype.h>
#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/raw_names.h>
#include <opprof/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_FILE_BYTES (UINT64_C(1) << 30)
#define HEAD_BYTES 8u

static void report_io(const LiveLaunches *self, const LiveLaunch *launch, OpprofError *error)
{
    OpprofStageIncomplete(self->stage, "Raw data of '%s' are not complete: %s", launch->name,
                          OpprofErrorLine(error));
    OpprofErrorDestroy(error);
}

static LiveFile *open_file(const LiveLaunches *self, LiveLaunch *launch, const char *name)
{
    OpprofError *error = NULL;
    char path[512];
    LiveFile *file;

    for (uint32_t i = 0; i < launch->file_count; i++) {
        if (strcmp(launch->files[i].name, name) == 0) {
            return &launch->files[i];
        }
    }
    if (!OpprofGrow32(&launch->files, &launch->file_room, (size_t) launch->file_count + 1,
                      sizeof *launch->files)) {
        return NULL;
    }
    file = &launch->files[launch->file_count++];
    *file = (LiveFile){ .file = NULL };
    snprintf(file->name, sizeof file->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s", launch->launch.place, name);
    if (OpprofOutputFileCreate(OpprofStageOutput(self->stage), path, &file->file, &error) !=
        OPPROF_OK) {
        file->file = NULL;
        report_io(self, launch, error);
    }
    return file;
}

void LiveFilesWrite(const LiveLaunches *self, LiveLaunch *launch, const char *name,
                    const void *data, size_t size)
{
    LiveFile *file = open_file(self, launch, name);
    OpprofError *error = NULL;

    if (file != NULL && file->file != NULL &&
        OpprofOutputFileWrite(file->file, data, size, &error) != OPPROF_OK) {
        OpprofOutputFileDiscard(file->file);
        file->file = NULL;
        report_io(self, launch, error);
    }
}

/* ---- facts of a launch ---- */

static void put_mhz(char *text, size_t size, uint32_t mhz)
{
    if (mhz == 0) {
        snprintf(text, size, "NA");
    } else {
        snprintf(text, size, "%" PRIu32, mhz);
    }
}

typedef struct LiveFact {
    const char *fact;  /* name in chip files */
    const char *value; /* NULL: it is left out */
} LiveFact;

/* The facts in the form of the chip's files of facts; returns the bytes of the text. */
static size_t put_facts(const char *chip, const LiveFact *facts, size_t count, char *text,
                        size_t size)
{
    const OpprofRawForm form = OpprofRawFormOf(chip, NULL, 0);
    size_t length = 0;

    for (size_t i = 0; i < count && length < size; i++) {
        const char *key = OpprofRawKey(&form, facts[i].fact);
        if (key != NULL && facts[i].value != NULL) {
            length += (size_t) snprintf(text + length, size - length, "%s%c%s\n", key,
                                        form.separator, facts[i].value);
        }
    }
    return length < size ? length : size - 1;
}

void LiveFilesWriteClocks(const LiveLaunches *self, LiveLaunch *range)
{
    const char *chip = OpprofChipSoc(self->facts);
    char current[16], rated[16], text[256], name[256];
    const LiveFact facts[] = { { "current_freq", current }, { "rated_freq", rated } };

    put_mhz(current, sizeof current, range->outcome.current_mhz);
    put_mhz(rated, sizeof rated, range->outcome.rated_mhz);
    OpprofRawFileName(chip, "range_clocks", 0, name, sizeof name);
    LiveFilesWrite(self, range, name, text,
                   put_facts(chip, facts, OPPROF_COUNT(facts), text, sizeof text));
}

void LiveFilesWriteInfo(const LiveLaunches *self, LiveLaunch *launch)
{
    char current[16], rated[16], blocks[16], device[16], pid[16], name[OPPROF_LIVE_MOST_NAME + 1];
    char text[OPPROF_LIVE_MOST_NAME + 1024], file[128];
    size_t length = 0;

    for (; launch->name[length] != '\0'; length++) {
        const char c = launch->name[length];

        name[length] = iscntrl((unsigned char) c) || c == '=' ? '_' : c;
    }
    name[length] = '\0';
    put_mhz(current, sizeof current, launch->outcome.current_mhz);
    put_mhz(rated, sizeof rated, launch->outcome.rated_mhz);
    const char *const words[] = { "0", "1" };
    const bool is_joint = (launch->outcome.flags & OPPROF_LIVE_OUTCOME_JOINT) != 0;
    const bool is_collective = (launch->outcome.flags & OPPROF_LIVE_OUTCOME_COLLECTIVE) != 0;
    snprintf(blocks, sizeof blocks, "%" PRIu32, launch->blocks);
    snprintf(device, sizeof device, "%" PRIu32, launch->device);
    snprintf(pid, sizeof pid, "%" PRIu32, launch->pid);
    const LiveFact facts[] = {
        { "name", name },
        { "block_dim", blocks },
        { "soc", OpprofChipSoc(self->facts) },
        { "device_id", device },
        { "pid", pid },
        { "current_freq", launch->range != NULL ? NULL : current },
        { "rated_freq", launch->range != NULL ? NULL : rated },
        { "mc2", words[is_joint] },
        { "lccl", words[is_collective] },
        { "simt", words[launch->has_simt] },
    };
    const size_t size = put_facts(OpprofChipSoc(self->facts), facts, sizeof facts / sizeof facts[0],
                                  text, sizeof text);
    OpprofRawFileName(OpprofChipSoc(self->facts), "info", 0, file, sizeof file);
    LiveFilesWrite(self, launch, file, text, size);
}

/* ---- pieces of one size ---- */

static LiveChunk *chunk_of(LiveLaunch *launch, const LivePlanFile *file)
{
    LiveChunk *chunk;

    for (uint32_t i = 0; i < launch->chunk_count; i++) {
        if (launch->chunks[i].file.pass == file->pass &&
            launch->chunks[i].file.channel == file->channel) {
            return &launch->chunks[i];
        }
    }
    if (!OpprofGrow32(&launch->chunks, &launch->chunk_room, (size_t) launch->chunk_count + 1,
                      sizeof *launch->chunks)) {
        return NULL;
    }
    chunk = &launch->chunks[launch->chunk_count++];
    *chunk = (LiveChunk){ .file = *file };
    return chunk;
}

/* Files of a pass are numbered: a new one begins before one becomes too large. */
static void make_name(const LiveLaunch *launch, const LivePlanFile *file, char *name, size_t size)
{
    const uint64_t most = MOST_FILE_BYTES / (HEAD_BYTES + (uint64_t) file->chunk);
    const size_t stem = strcspn(file->name, "*");
    uint64_t written = 0;

    for (uint32_t i = 0; i < launch->chunk_count; i++) {
        written += launch->chunks[i].file.pass == file->pass ? launch->chunks[i].written : 0;
    }
    snprintf(name, size, "%.*s%" PRIu64, (int) stem, file->name, written / (most > 0 ? most : 1));
}

static void write_piece(const LiveLaunches *self, LiveLaunch *launch, LiveChunk *chunk)
{
    static const uint8_t zeros[65536];
    const LivePlanFile *file = &chunk->file;
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
    LiveFilesWrite(self, launch, name, head, sizeof head);
    LiveFilesWrite(self, launch, name, chunk->data, chunk->used);
    for (size_t at = chunk->used; at < file->chunk; at += sizeof zeros) {
        const size_t left = file->chunk - at;

        LiveFilesWrite(self, launch, name, zeros, left < sizeof zeros ? left : sizeof zeros);
    }
    chunk->used = 0;
    chunk->written++;
}

void LiveFilesTakeChunk(const LiveLaunches *self, LiveLaunch *launch, const LivePlanFile *file,
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

void LiveFilesEndChunks(const LiveLaunches *self, LiveLaunch *launch)
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
/* ---- the end ---- */

void LiveFilesFinish(const LiveLaunches *self, LiveLaunch *launch)
{
    for (uint32_t i = 0; i < launch->file_count; i++) {
        OpprofError *error = NULL;

        if (launch->files[i].file != NULL &&
            OpprofOutputFileFinish(launch->files[i].file, &error) != OPPROF_OK) {
            report_io(self, launch, error);
        }
        launch->files[i].file = NULL;
    }
}

void LiveFilesRemove(const LiveLaunches *self, const LiveLaunch *launch)
{
    const int folder = OpprofLiveFolderOpen(self->results, launch->launch.place, false);
    unsigned removed = 0;

    for (uint32_t i = 0; folder >= 0 && i < launch->file_count; i++) {
        const char *name = launch->files[i].name;

        if (!NamesIs(name, "code") && !NamesIs(name, "code_start")) {
            removed += unlinkat(folder, name, 0) == 0;
        }
    }
    if (folder >= 0) {
        close(folder);
    }
    OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(self->stage),
              "Removed raw files: folder=%s, files=%u", launch->launch.directory, removed);
}
