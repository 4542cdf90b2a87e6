/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of a parser that reads raw files: their life, and the life of the parser's instance. */
#include "launch_reader.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/require.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

/* ---- launches ---- */

static void free_launch(OpprofLaunch *launch)
{
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

static OpprofLaunch *create_launch(OpprofLaunchReader *reader, uint32_t partition)
{
    const OpprofLaunchParser *parser = reader->parser;
    OpprofLaunch *launch = calloc(1, parser->launch_bytes);

    if (launch == NULL) {
        return NULL;
    }
    launch->reader = reader;
    launch->stage = reader->stage;
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
    OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(launch->stage), "Launch '%s' begins",
              OpprofLaunchPlace(launch));
    return launch;
}

OpprofLaunch *OpprofLaunchesGet(OpprofLaunchReader *reader, uint32_t partition, OpprofError **error)
{
    OPPROF_REQUIRE("launch-reader-given", reader != NULL, "The reader of launches is given");

    OpprofLaunch *launch = NULL;

    for (size_t i = reader->count; i > 0; i--) { /* few are open at a time */
        if (reader->launches[i - 1]->partition == partition) {
            return reader->launches[i - 1];
        }
    }
    if (OpprofGrow(&reader->launches, &reader->capacity, reader->count + 1,
                   sizeof *reader->launches)) {
        launch = create_launch(reader, partition);
    }
    if (launch == NULL) {
        OpprofErrorNoMemory(error, "parse launch '%s'",
                            OpprofStageString(reader->stage, partition));
        return NULL;
    }
    reader->launches[reader->count++] = launch;
    return launch;
}

static OpprofStatus finish_parsing(OpprofLaunch *launch, OpprofError **failure, OpprofError **error)
{
    const OpprofLaunchParser *parser = launch->reader->parser;
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

/* Takes the launch out of the list. */
static void forget(OpprofLaunchReader *reader, const OpprofLaunch *launch)
{
    size_t at = 0;

    while (reader->launches[at] != launch) {
        at++;
    }
    reader->count--;
    memmove(&reader->launches[at], &reader->launches[at + 1],
            (reader->count - at) * sizeof *reader->launches);
}

static void count_failure(OpprofLaunchReader *reader, OpprofError *failure)
{
    reader->failed++;
    if (reader->first == NULL) {
        reader->first = failure;
    } else {
        OpprofErrorDestroy(failure);
    }
}

OpprofStatus OpprofLaunchesEnd(OpprofLaunch *launch, OpprofError **error)
{
    OPPROF_REQUIRE("launch-given", launch != NULL, "The launch is one that the reader began");

    OpprofLaunchReader *reader = launch->reader;
    const char *place = OpprofLaunchPlace(launch);
    OpprofError *failure = NULL;
    const OpprofStatus status = finish_parsing(launch, &failure, error);

    forget(reader, launch);
    free_launch(launch);
    if (failure != NULL) {
        OpprofErrorWrap(&failure, "Cannot parse launch '%s'", place);
        count_failure(reader, failure);
    } else if (status != OPPROF_OK) {
        OpprofErrorExplain(error, status, "Cannot parse launch '%s'", place);
    } else {
        reader->parsed++;
        OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(reader->stage), "Launch '%s' is parsed", place);
    }
    return status;
}

static OpprofStatus take_chunk(OpprofLaunch *launch, const OpprofOnboardChunk *chunk,
                               const char *bytes, OpprofError **error)
{
    const OpprofLaunchParser *parser = launch->reader->parser;

    launch->device = chunk->device;
    launch->kernel = chunk->kernel;
    launch->order = chunk->order;
    launch->is_range = launch->is_range || (chunk->flags & OPPROF_ONBOARD_CHUNK_RANGE) != 0;
    launch->is_over = launch->is_over || chunk->file == OPPROF_NA_STRING;
    const OpprofStatus status = LaunchFilesFeed(launch, chunk, bytes, error);
    OpprofErrorExplain(error, status, "Cannot parse launch '%s'", OpprofLaunchPlace(launch));
    return status == OPPROF_OK && launch->is_over &&
                   (parser->is_whole == NULL || parser->is_whole(launch))
               ? OpprofLaunchesEnd(launch, error)
               : status;
}

OpprofStatus OpprofLaunchesProcess(void *instance, uint32_t port, const OpprofBatch *batch,
                                   OpprofError **error)
{
    OPPROF_REQUIRE("launch-reader-given", instance != NULL, "The reader of launches is given");
    OPPROF_REQUIRE("launch-batch-given", batch != NULL, "The batch is given");

    OpprofStatus status = OPPROF_OK;

    (void) port;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const OpprofOnboardChunk *chunk = OpprofBatchRecord(batch, i);
        OpprofLaunch *launch = OpprofLaunchesGet(instance, batch->partition, error);

        if (launch == NULL) {
            return OPPROF_E_MEMORY;
        }
        status = take_chunk(launch, chunk, OpprofBatchText(batch, chunk->bytes), error);
    }
    return status;
}

OpprofStatus OpprofLaunchesEndAll(OpprofLaunchReader *reader, OpprofError **error)
{
    OPPROF_REQUIRE("launch-reader-given", reader != NULL, "The reader of launches is given");

    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && reader->count > 0) {
        OpprofStageIncomplete(reader->stage, "Launch '%s' was not read to its end",
                              OpprofLaunchPlace(reader->launches[0]));
        status = OpprofLaunchesEnd(reader->launches[0], error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(reader->stage),
              "Parsed launches: whole=%" PRIu64 ", left out=%" PRIu64, reader->parsed,
              reader->failed);
    return status;
}

/* What could not be parsed: an error if no launch could, else the run is incomplete. */
static OpprofStatus judge(OpprofLaunchReader *reader, OpprofError **error)
{
    if (reader->failed == 0) {
        return OPPROF_OK;
    }
    if (reader->parsed > 0) {
        const OpprofError *why = OpprofErrorCause(reader->first);

        OpprofStageIncomplete(reader->stage, "%" PRIu64 " %s left out: %s", reader->failed,
                              OPPROF_PLURAL(reader->failed, "launch is", "launches are"),
                              OpprofErrorLine(why != NULL ? why : reader->first));
        return OPPROF_OK;
    }
    if (error == NULL) {
        return OpprofErrorStatus(reader->first);
    }
    if (*error == NULL) {
        *error = reader->first;
        reader->first = NULL;
    }
    return OpprofErrorWrap(error, "No launch could be parsed");
}

OpprofStatus OpprofLaunchesFlush(void *instance, OpprofError **error)
{
    const OpprofStatus status = OpprofLaunchesEndAll(instance, error);

    return status == OPPROF_OK ? judge(instance, error) : status;
}

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
    reader->stage = stage;
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
        for (size_t i = 0; i < reader->count; i++) {
            free_launch(reader->launches[i]);
        }
        free(reader->launches);
        OpprofErrorDestroy(reader->first);
        LaunchModelsFree(reader->parser, reader->models);
        free(reader);
    }
}
