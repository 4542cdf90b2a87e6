/* SPDX-License-Identifier: Apache-2.0 */
/* Opens, cuts and closes the files of a launch. Tested by tests/kit/launch/test_launch_reader. */
#include "launch_reader.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE_MAX (UINT64_C(1) << 20) /* bytes, unless the parser's table says otherwise */

/* False without memory. Bytes beyond `most` are left out, and *ret_is_longer is set. */
static bool take_text(LaunchText *text, const char *bytes, size_t length, uint64_t most,
                      bool *ret_is_longer)
{
    const uint64_t room = most - text->length;
    const size_t taken = length < room ? length : (size_t) room;

    *ret_is_longer = *ret_is_longer || taken < length;
    if (!OpprofGrow(&text->bytes, &text->capacity, text->length + taken + 1, 1)) {
        return false;
    }
    memcpy(text->bytes + text->length, bytes, taken);
    text->length += taken;
    return true;
}

/* A function of the parser may leave the words to the reader. */
static OpprofStatus explain(const OpprofLaunch *launch, OpprofStatus status, OpprofError **error)
{
    if (status == OPPROF_E_MEMORY && (error == NULL || *error == NULL)) {
        OpprofErrorNoMemory(error, "read '%s'", launch->file.name);
    }
    return status;
}

/* ---- opening ---- */

static uint32_t bit_of(const OpprofLaunch *launch, const OpprofRoleReader *role)
{
    return UINT32_C(1) << (role - launch->reader->parser->roles);
}

/* By the chip file's name of the role, or the parser's own pattern. NULL: no file of the parser. */
static const OpprofRoleReader *role_of(const OpprofLaunch *launch, const char *role,
                                       const char *file)
{
    const OpprofLaunchParser *parser = launch->reader->parser;

    for (size_t i = 0; i < parser->role_count; i++) {
        const OpprofRoleReader *its = &parser->roles[i];

        if (its->files != NULL ? fnmatch(its->files, file, 0) == 0
                               : role != NULL && strcmp(its->role, role) == 0) {
            return its;
        }
    }
    return NULL;
}

/* The file is left out, since another one says the same. */
static void refuse_second(OpprofLaunch *launch)
{
    OPPROF_FILE_LACKS(launch, "is left out: another file of its kind was read already");
}

static void open_info(OpprofLaunch *launch)
{
    struct OpprofLaunchOwn *own = launch->own;

    if (own->is_info_used) {
        OPPROF_FILE_LACKS(launch, "is left out: it comes after files that need it");
    } else if (own->has_info) {
        refuse_second(launch);
    } else {
        own->kind = LAUNCH_FILE_INFO;
        own->has_info = true;
    }
}

static void open_start(OpprofLaunch *launch)
{
    if (launch->own->has_start) {
        refuse_second(launch);
        return;
    }
    launch->own->kind = LAUNCH_FILE_START;
    launch->own->has_start = true;
}

/* Whether the parser wants the file. */
static OpprofStatus admit(OpprofLaunch *launch, const OpprofRoleReader *role, OpprofError **error)
{
    struct OpprofLaunchOwn *own = launch->own;
    const uint32_t bit = bit_of(launch, role);
    const bool is_second = (own->seen & bit) != 0;

    own->seen |= bit;
    own->filled |= launch->file.size > 0 ? bit : 0;
    if (role->take == NULL && role->begin == NULL) {
        return OPPROF_END; /* only noted */
    }
    if ((role->flags & OPPROF_ROLE_INSTRUMENTED) != 0 && OpprofLaunchCommunicates(launch)) {
        OPPROF_FILE_WARNS(launch, "is of an operator that communicates, skipping it");
        return OPPROF_END;
    }
    if (is_second && (role->flags & OPPROF_ROLE_ONCE) != 0) {
        refuse_second(launch);
        return OPPROF_END;
    }
    if (launch->file.size == 0 && (role->flags & OPPROF_ROLE_MAY_BE_EMPTY) == 0) {
        OPPROF_FILE_LACKS(launch, "is empty");
    }
    return (role->flags & OPPROF_ROLE_NEEDS_CHIP) != 0 ? OpprofLaunchChoose(launch, error)
                                                       : OPPROF_OK;
}

static OpprofStatus open_of_parser(OpprofLaunch *launch, const OpprofRoleReader *role,
                                   OpprofError **error)
{
    struct OpprofLaunchOwn *own = launch->own;
    OpprofStatus status = admit(launch, role, error);

    launch->file.record_bytes = role->record_bytes;
    if (status == OPPROF_OK && role->begin != NULL) {
        status = role->begin(launch, error);
    }
    if (status != OPPROF_OK) {
        return status == OPPROF_END ? OPPROF_OK : explain(launch, status, error);
    }
    own->kind = LAUNCH_FILE_OF_PARSER;
    own->role = role;
    own->whole.length = 0;
    if (launch->file.record_bytes > 1) {
        OpprofCutterBegin(&own->cutter, launch->file.record_bytes);
    }
    return OPPROF_OK;
}

static OpprofStatus open_file(OpprofLaunch *launch, const OpprofOnboardChunk *chunk,
                              OpprofError **error)
{
    uint32_t number = 0;
    const char *name = OpprofStageString(launch->stage, chunk->file);
    const char *chip = launch->reader->chip == NULL ? "auto" : launch->reader->chip;
    const char *role_name = OpprofRawRole(chip, name, &number);
    const OpprofRoleReader *role = role_of(launch, role_name, name);

    launch->file = (OpprofLaunchFile){
        .name = name, .id = chunk->file, .number = number, .size = chunk->file_size
    };
    launch->own->kind = LAUNCH_FILE_NONE;
    launch->own->bytes = 0;
    launch->own->is_stopped = false;
    launch->own->cutter.have = 0;
    OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(launch->stage),
              "Launch '%s': file '%s', bytes=%" PRIu64, OpprofLaunchPlace(launch), name,
              chunk->file_size);
    if (role != NULL) {
        return open_of_parser(launch, role, error);
    }
    if (role_name != NULL && strcmp(role_name, "info") == 0) {
        open_info(launch);
    } else if (role_name != NULL && strcmp(role_name, "code_start") == 0) {
        open_start(launch);
    }
    return OPPROF_OK;
}

/* ---- reading ---- */

static bool take_records(void *context, const unsigned char *records, size_t count)
{
    OpprofLaunch *launch = context;
    struct OpprofLaunchOwn *own = launch->own;

    own->piece = records;
    own->status = own->role->take(launch, records, count, &own->error);
    launch->file.at += (uint64_t) count * (own->cutter.size > 1 ? own->cutter.size : 1);
    return own->status == OPPROF_OK;
}

/* What `take` returned; after OPPROF_END the rest of the file is not read. */
static OpprofStatus taken(OpprofLaunch *launch, OpprofError **error)
{
    struct OpprofLaunchOwn *own = launch->own;
    const OpprofStatus status = own->status;

    own->status = OPPROF_OK;
    if (status == OPPROF_END) {
        own->is_stopped = OpprofStageStopRequested(launch->stage);
        own->kind = own->is_stopped ? own->kind : LAUNCH_FILE_NONE;
        return OPPROF_OK;
    }
    if (own->error != NULL) {
        OpprofErrorPass(error, own->error);
        own->error = NULL;
        return status;
    }
    return explain(launch, status, error);
}

static OpprofStatus take_of_parser(OpprofLaunch *launch, const char *bytes, size_t length,
                                   OpprofError **error)
{
    struct OpprofLaunchOwn *own = launch->own;
    const OpprofRoleReader *role = own->role;
    const unsigned char *raw = (const unsigned char *) bytes;

    if ((role->flags & OPPROF_ROLE_WHOLE) != 0) {
        const uint64_t most = role->most_bytes == 0 ? WHOLE_MAX : role->most_bytes;
        bool is_longer = false;

        if (!take_text(&own->whole, bytes, length, most, &is_longer)) {
            return explain(launch, OPPROF_E_MEMORY, error);
        }
        if (is_longer) {
            OPPROF_FILE_LACKS(launch, "is left out: it is longer than %" PRIu64 " MiB", most >> 20);
            own->kind = LAUNCH_FILE_NONE;
        }
        return OPPROF_OK;
    }
    if (launch->file.record_bytes > 1) {
        OpprofCutterFeed(&own->cutter, raw, length, take_records, launch);
    } else {
        own->cutter.size = 1;
        take_records(launch, raw, length);
    }
    return taken(launch, error);
}

static OpprofStatus take_bytes(OpprofLaunch *launch, const char *bytes, size_t length,
                               OpprofError **error)
{
    struct OpprofLaunchOwn *own = launch->own;
    bool unused = false;

    switch (own->kind) {
    case LAUNCH_FILE_INFO:
        if (!take_text(&own->info, bytes, length, LAUNCH_INFO_MAX, &own->is_info_long)) {
            return explain(launch, OPPROF_E_MEMORY, error);
        }
        break;
    case LAUNCH_FILE_START:
        if (!take_text(&own->start, bytes, length, LAUNCH_START_MAX, &unused)) {
            return explain(launch, OPPROF_E_MEMORY, error);
        }
        break;
    case LAUNCH_FILE_OF_PARSER:
        return take_of_parser(launch, bytes, length, error);
    case LAUNCH_FILE_NONE:
        break;
    }
    return OPPROF_OK;
}

/* ---- closing ---- */

/* The end of a file that was not read: it is not damaged. */
static void report_stop(OpprofLaunch *launch)
{
    launch->is_stopped = true;
    launch->own->is_info_cut |= launch->own->kind == LAUNCH_FILE_INFO;
    OPPROF_LAUNCH_LACKS(launch,
                        "the run was stopped after %" PRIu64 " of %" PRIu64 " bytes of '%s'",
                        launch->own->bytes, launch->file.size, launch->file.name);
}

static void report_end(OpprofLaunch *launch)
{
    const struct OpprofLaunchOwn *own = launch->own;

    if (own->bytes < launch->file.size) {
        OPPROF_FILE_LACKS(launch, "ends at byte %" PRIu64 " of %" PRIu64, own->bytes,
                          launch->file.size);
    } else if (own->kind == LAUNCH_FILE_OF_PARSER && launch->file.record_bytes > 1 &&
               own->cutter.have > 0) {
        OPPROF_FILE_LACKS(launch, "ends within %s at byte %" PRIu64 ": %u of %u bytes are there",
                          own->role->record == NULL ? "a record" : own->role->record,
                          launch->file.at, own->cutter.have, own->cutter.size);
    }
}

/* A file that is read as a whole; one that was not read to its end would look damaged. */
static OpprofStatus take_whole(OpprofLaunch *launch, OpprofError **error)
{
    struct OpprofLaunchOwn *own = launch->own;

    if ((own->role->flags & OPPROF_ROLE_WHOLE) != 0 && own->whole.length > 0) {
        own->cutter.size = 1;
        take_records(launch, (const unsigned char *) own->whole.bytes, own->whole.length);
        return taken(launch, error);
    }
    return OPPROF_OK;
}

OpprofStatus LaunchFilesClose(OpprofLaunch *launch, OpprofError **error)
{
    struct OpprofLaunchOwn *own = launch->own;
    OpprofStatus status = OPPROF_OK;

    if (own->kind != LAUNCH_FILE_NONE) {
        const bool is_stopped = own->is_stopped || (own->bytes < launch->file.size &&
                                                    OpprofStageStopRequested(launch->stage));
        launch->file.is_whole = !is_stopped && own->bytes >= launch->file.size;
        if (is_stopped) {
            report_stop(launch);
        } else {
            report_end(launch);
        }
        if (own->kind == LAUNCH_FILE_OF_PARSER && !is_stopped) {
            status = take_whole(launch, error);
        }
    }
    if (status == OPPROF_OK && own->kind == LAUNCH_FILE_OF_PARSER && own->role->end != NULL) {
        status = own->role->end(launch, error);
        status = status == OPPROF_END ? OPPROF_OK : explain(launch, status, error);
    }
    launch->file = (OpprofLaunchFile){ .name = NULL, .id = OPPROF_NA_STRING };
    own->kind = LAUNCH_FILE_NONE;
    return status;
}

/* What is on its way when the run is stopped may take long: some parsers take no more than so much
 * of it. */
static bool is_wanted(OpprofLaunch *launch, size_t length)
{
    struct OpprofLaunchOwn *own = launch->own;
    const uint64_t most = launch->reader->parser->after_stop;

    if (own->is_stopped) {
        return false;
    }
    own->after_stop += most > 0 && OpprofStageStopRequested(launch->stage) ? length : 0;
    return own->after_stop <= most;
}

OpprofStatus LaunchFilesFeed(OpprofLaunch *launch, const OpprofOnboardChunk *chunk,
                             const char *bytes, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (chunk->file != launch->file.id || chunk->offset == 0) {
        status = LaunchFilesClose(launch, error);
        if (status == OPPROF_OK && chunk->file != OPPROF_NA_STRING) {
            status = open_file(launch, chunk, error);
        }
    }
    if (status == OPPROF_OK && bytes != NULL && chunk->bytes.length > 0 &&
        launch->own->kind != LAUNCH_FILE_NONE && is_wanted(launch, chunk->bytes.length)) {
        launch->own->bytes += chunk->bytes.length;
        status = take_bytes(launch, bytes, chunk->bytes.length, error);
    }
    return status;
}
