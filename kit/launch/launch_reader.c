/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of a parser that reads raw files: their life, and the life of the parser's instance. */
#include "launch_reader.h"

#include <opprof/require.h>
#include <stdlib.h>
#include <string.h>

/* ---- launches ---- */

static void free_launch(void *item)
{
    OpprofLaunch *launch = item;

    if (launch->own != NULL) {
        if (launch->reader->parser->finish != NULL) {
            launch->reader->parser->finish(launch);
        }
        OpprofErrorDestroy(launch->failure);
        OpprofErrorDestroy(launch->own->error);
        free(launch->own->whole.bytes);
        free(launch->own->info.bytes);
        free(launch->own->start.bytes);
        free(launch->own);
    }
    free(launch);
}

static void *create_launch(void *instance, uint32_t partition)
{
    OpprofLaunchReader *reader = instance;
    const OpprofLaunchParser *parser = reader->parser;
    OpprofLaunch *launch = calloc(1, parser->launch_bytes);

    if (launch == NULL) {
        return NULL;
    }
    launch->reader = reader;
    launch->stage = reader->launches.stage;
    launch->partition = partition;
    launch->device = launch->kernel = launch->order = OPPROF_NA_STRING;
    launch->file.id = OPPROF_NA_STRING;
    launch->own = calloc(1, sizeof *launch->own);
    if (parser->raw_port != OPPROF_NA_U32) {
        OpprofRawKeeperBegin(&launch->raw, launch->stage, parser->raw_port, partition);
    }
    if (launch->own == NULL || (parser->begin != NULL && parser->begin(launch) != OPPROF_OK)) {
        free_launch(launch);
        return NULL;
    }
    return launch;
}

static OpprofStatus feed_launch(void *instance, void *item, const OpprofBatch *batch,
                                const void *record, OpprofError **error)
{
    const OpprofLaunchParser *parser = ((const OpprofLaunchReader *) instance)->parser;
    const OpprofOnboardChunk *chunk = record;
    OpprofLaunch *launch = item;

    launch->device = chunk->device;
    launch->kernel = chunk->kernel;
    launch->order = chunk->order;
    launch->is_range = launch->is_range || (chunk->flags & OPPROF_ONBOARD_CHUNK_RANGE) != 0;
    launch->is_over = launch->is_over || chunk->file == OPPROF_NA_STRING;
    const OpprofStatus status =
        LaunchFilesFeed(launch, chunk, OpprofBatchText(batch, chunk->bytes), error);
    return status == OPPROF_OK && launch->is_over &&
                   (parser->is_whole == NULL || parser->is_whole(launch))
               ? OPPROF_END
               : status;
}

static OpprofStatus end_launch(void *instance, void *item, OpprofError **failure,
                               OpprofError **error)
{
    const OpprofLaunchParser *parser = ((const OpprofLaunchReader *) instance)->parser;
    OpprofLaunch *launch = item;
    OpprofStatus status = LaunchFilesClose(launch, error);

    if (status == OPPROF_OK && (parser->flags & OPPROF_PARSER_NEEDS_CHIP) != 0) {
        status = OpprofLaunchChoose(launch, error);
        status = status == OPPROF_END ? OPPROF_OK : status;
    }
    if (status == OPPROF_OK) {
        status = parser->end(launch, failure, error);
    }
    if (status == OPPROF_OK && *failure == NULL && launch->failure != NULL &&
        (parser->flags & OPPROF_PARSER_LEAVES_OUT) == 0) {
        *failure = launch->failure;
        launch->failure = NULL;
    }
    OpprofRawKeeperEnd(&launch->raw);
    return status;
}

static const OpprofLaunchOps launch_ops = {
    .create = create_launch,
    .feed = feed_launch,
    .end = end_launch,
    .free = free_launch,
};

/* ---- instances ---- */

OpprofStatus OpprofLaunchReaderCreate(OpprofStage *stage, const OpprofLaunchParser *parser,
                                      void **ret_instance, OpprofError **error)
{
    OPPROF_REQUIRE(
        "launch-parser",
        stage != NULL && parser != NULL && ret_instance != NULL &&
            parser->instance_bytes >= sizeof(OpprofLaunchReader) &&
            parser->launch_bytes >= sizeof(OpprofLaunch) && parser->role_count <= 32 &&
            parser->end != NULL,
        "The parser has an end, at most 32 roles, and sizes that hold the reader's parts");

    OpprofLaunchReader *reader = calloc(1, parser->instance_bytes);

    if (reader == NULL) {
        return OpprofErrorNoMemory(error, "read raw files");
    }
    LaunchesInit(&reader->launches, stage, &launch_ops, reader);
    reader->parser = parser;
    *ret_instance = reader;
    return OPPROF_OK;
}

OpprofStatus OpprofLaunchReaderConfigure(void *instance, const OpprofParams *params,
                                         OpprofError **error)
{
    (void) error;
    ((OpprofLaunchReader *) instance)->chip = OpprofParamsString(params, "chip");
    return OPPROF_OK;
}

void OpprofLaunchReaderDestroy(void *instance)
{
    OpprofLaunchReader *reader = instance;

    if (reader != NULL) {
        LaunchesFinish(&reader->launches);
        LaunchModelsFree(reader->parser, reader->models);
        free(reader);
    }
}

/* ---- files ---- */

const char *OpprofLaunchPlace(const OpprofLaunch *launch)
{
    return OpprofStageString(launch->stage, launch->partition);
}

static uint32_t bit_of(const OpprofLaunch *launch, const char *role)
{
    const OpprofLaunchParser *parser = launch->reader->parser;

    for (size_t i = 0; i < parser->role_count; i++) {
        if (strcmp(parser->roles[i].role, role) == 0) {
            return UINT32_C(1) << i;
        }
    }
    return 0;
}

bool OpprofLaunchSaw(const OpprofLaunch *launch, const char *role)
{
    return (launch->own->seen & bit_of(launch, role)) != 0;
}

bool OpprofLaunchHas(const OpprofLaunch *launch, const char *role)
{
    return (launch->own->filled & bit_of(launch, role)) != 0;
}

OpprofFileName OpprofLaunchFileName(const OpprofLaunch *launch, const char *role, uint32_t number)
{
    const char *asked = launch->reader->chip == NULL ? "auto" : launch->reader->chip;
    OpprofFileName name;

    OpprofRawFileName(launch->chip == NULL ? asked : OpprofChipSoc(launch->chip), role, number,
                      name.text, sizeof name.text);
    return name;
}

void OpprofLaunchKeep(OpprofLaunch *launch, const unsigned char *record, size_t size,
                      const char *reason)
{
    OPPROF_REQUIRE("launch-record", launch != NULL && launch->own->piece != NULL,
                   "The record is one of those that take got");
    OpprofRawKeep(&launch->raw, launch->file.id,
                  launch->file.at + (uint64_t) (record - launch->own->piece), record, size, reason);
}
