/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of one launch that hold streams of its cores, of any kind. Tested by tests/plugins/mc2/test_streams.sh. */
#include "biu_launch.h"

#include "biu_channel.h"
#include "biu_lacks.h"
#include "biu_zero.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/chip_choice.h>
#include <opprof/kit/raw_names.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define AFTER_STOP ((uint64_t) 1 << 20) /* bytes of a launch */

enum {
    FILE_OTHER,
    FILE_BASIC_INFO,
    FILE_START_PC,
    FILE_REGIONS,
    FILE_TUNE,
    FILE_CONTAINER,
    FILE_CHANNEL
};

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "parse pipe activity");
}

BiuLaunch *BiuLaunchCreate(OpprofStage *stage, const BiuSettings *settings, uint32_t port,
                           uint32_t partition)
{
    BiuLaunch *launch = calloc(1, sizeof *launch);

    if (launch != NULL) {
        launch->stage = stage;
        launch->settings = settings;
        launch->port = port;
        launch->partition = partition;
    }
    return launch;
}

void BiuLaunchFree(BiuLaunch *launch)
{
    if (launch == NULL) {
        return;
    }
    for (size_t i = 0; i < launch->channel_count; i++) {
        LanesFinish(&launch->channels[i]->lanes);
        BiuFirstsFinish(&launch->channels[i]->firsts);
        OpprofSpoolFinish(&launch->channels[i]->held);
        free(launch->channels[i]);
    }
    free(launch->channels);
    RegionMapFinish(&launch->regions);
    OpprofMapFinish(&launch->opcodes);
    OpprofErrorDestroy(launch->failure);
    OpprofErrorDestroy(launch->reason);
    OpprofChipFree(launch->soc);
    free(launch->text);
    free(launch);
}

/* ---- chip ---- */

/* Without a clock in the data, that of the chip is used; the cores may have had another. */
static void tell_clock(const BiuLaunch *launch)
{
    const uint64_t mhz = launch->core_hz / 1000000;
    char info[128];

    OpprofRawFileName("auto", "info", 0, info, sizeof info);
    if (launch->info.is_there) {
        OpprofStageWarn(launch->stage,
                        "Launch '%s': '%s' states no clock of the cores, using the chip's %" PRIu64
                        " MHz",
                        BiuLaunchName(launch), info, mhz);
    } else {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' is missing or empty, so the clock of its cores is "
                              "unknown: the chip's %" PRIu64 " MHz are used",
                              BiuLaunchName(launch), info, mhz);
    }
}

static bool choose_chip(BiuLaunch *launch)
{
    if (launch->soc != NULL || launch->failure != NULL) {
        return launch->soc != NULL;
    }
    if (OpprofChipChoose(launch->settings->chip, launch->info.soc, &launch->soc, NULL,
                         &launch->failure) != OPPROF_OK) {
        return false;
    }
    if (BiuFactsLoad(launch->soc, &launch->facts, &launch->failure) != OPPROF_OK) {
        OpprofChipFree(launch->soc);
        launch->soc = NULL;
        return false;
    }
    const bool is_said = launch->info.core_mhz >= 1 && launch->info.core_mhz <= 1e6;
    launch->core_hz = is_said ? (uint64_t) (launch->info.core_mhz * 1e6) : launch->facts.core_hz;
    if (!is_said) {
        tell_clock(launch);
    }
    const OpprofClock clock = { .name = "core", .hz = launch->core_hz };
    OpprofStageSetClock(launch->stage, launch->port, OpprofStageClock(launch->stage, &clock));
    return true;
}

/* ---- files ---- */

static bool read_type(const char *text, uint32_t *ret_type)
{
    for (uint32_t i = 0; i < BIU_CORE_TYPES; i++) {
        if (strcmp(text, biu_core_types[i]) == 0) {
            *ret_type = i;
            return true;
        }
    }
    return false;
}

/* A number of at most four digits in a field of the name. */
static bool read_field(const BiuLaunch *launch, const char *name, const char *field,
                       uint32_t *ret_number)
{
    size_t length = 0;
    const char *text = OpprofRawField(launch->settings->chip, name, field, &length);

    *ret_number = 0;
    for (size_t i = 0; text != NULL && i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || length > 4) {
            return false;
        }
        *ret_number = *ret_number * 10 + (uint32_t) (text[i] - '0');
    }
    return text != NULL;
}

/* What the name of a file says of its channel. */
typedef struct ChannelName {
    BiuSource source;
    uint32_t group;
    uint32_t type;
    uint32_t device;
} ChannelName;

/* The channel of a file of one core; false: the file is not one. */
static bool read_name(const BiuLaunch *launch, const char *name, const char *role,
                      ChannelName *ret_name)
{
    char type[8] = "";
    size_t length = 0;
    const char *core = OpprofRawField(launch->settings->chip, name, "core", &length);

    ret_name->source = strcmp(role, "pipe_groups") == 0     ? BIU_SOURCE_GROUP
                       : strcmp(role, "pipe_monitors") == 0 ? BIU_SOURCE_MONITOR
                                                            : BIU_SOURCE_WINDOW;
    if (!read_field(launch, name, "group", &ret_name->group) || core == NULL ||
        length >= sizeof type) {
        return false;
    }
    if (!read_field(launch, name, "device", &ret_name->device)) {
        ret_name->device = OPPROF_NA_U32;
    }
    memcpy(type, core, length);
    return read_type(type, &ret_name->type);
}

static uint32_t text_kind(const BiuLaunch *launch, const char *name)
{
    const char *role = OpprofRawRole(launch->settings->chip, name, NULL);

    return role == NULL                      ? FILE_OTHER
           : strcmp(role, "info") == 0       ? FILE_BASIC_INFO
           : strcmp(role, "code_start") == 0 ? FILE_START_PC
           : strcmp(role, "region_map") == 0 ? FILE_REGIONS
           : strcmp(role, "tune_log") == 0   ? FILE_TUNE
                                             : FILE_OTHER;
}

/* Data that the chip does not have is left out. */
static bool is_described(BiuLaunch *launch, const char *name, BiuSource source)
{
    const bool is_there =
        source == BIU_SOURCE_MONITOR ? launch->facts.has_monitors : launch->facts.has_words;

    if (!is_there) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' is left out: the chip file of '%s' does not "
                              "describe such records",
                              BiuLaunchName(launch), name, OpprofChipSoc(launch->soc));
    }
    return is_there;
}

/* Passes on the invalid head of a piece. */
static void keep_head(void *context, uint64_t offset, const unsigned char *head)
{
    BiuLaunch *launch = context;

    OpprofRawKeep(&launch->raw, launch->file, offset, head, CONTAINER_HEAD_BYTES,
                  "the head of a piece is invalid");
}

static bool open_channel(BiuLaunch *launch, const char *name)
{
    ChannelName its = { .source = BIU_SOURCE_GROUP, .device = OPPROF_NA_U32 };
    const char *role = OpprofRawRole(launch->settings->chip, name, NULL);
    const bool is_container = role != NULL && strcmp(role, "pipe_words") == 0;

    if (role == NULL || strncmp(role, "pipe_", strlen("pipe_")) != 0 ||
        (!is_container && !read_name(launch, name, role, &its))) {
        return true;
    }
    if (!choose_chip(launch) || !is_described(launch, name, its.source)) {
        return true;
    }
    if (launch->file_size == 0) {
        OpprofStageIncomplete(
            launch->stage,
            "Launch '%s': '%s' is empty: its core did nothing, or the stream was lost",
            BiuLaunchName(launch), name);
    }
    if (is_container) {
        launch->kind = FILE_CONTAINER;
        launch->container = (ContainerReader){ .cores = launch->facts.groups,
                                               .on_bad = keep_head,
                                               .context = launch };
        return true;
    }
    launch->kind = FILE_CHANNEL;
    launch->channel = BiuChannelFind(launch, its.source, its.group, its.type, its.device);
    if (launch->channel != NULL) {
        launch->channel->file = launch->file;
    }
    return launch->channel != NULL;
}

static bool open_file(BiuLaunch *launch, const OpprofOnboardChunk *chunk)
{
    const char *name = OpprofStageString(launch->stage, chunk->file);

    launch->file = chunk->file;
    launch->file_size = chunk->file_size;
    launch->file_bytes = 0;
    launch->channel = NULL;
    launch->kind = text_kind(launch, name);
    return launch->kind != FILE_OTHER || open_channel(launch, name);
}

static bool take_chunk(void *context, uint32_t core, uint32_t type, const unsigned char *bytes,
                       size_t length)
{
    BiuLaunch *launch = context;
    BiuChannel *channel = BiuChannelFind(launch, BIU_SOURCE_CONTAINER, core, type, OPPROF_NA_U32);

    if (channel == NULL) {
        return false;
    }
    channel->file = launch->file;
    return BiuChannelWords(channel, bytes, length);
}

/* ---- text files ---- */

static bool take_line(BiuLaunch *launch, const char *line, size_t length)
{
    uint32_t pipe = 0;

    if (launch->kind == FILE_REGIONS) {
        return RegionMapLine(&launch->regions, line, length, launch->info.start_pc);
    }
    if (RegionTuneLine(line, length, &pipe)) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': pipe %u had more instructions than the compiler has "
                              "marks: some are not shown",
                              BiuLaunchName(launch), pipe);
    }
    return true;
}

static bool close_text(BiuLaunch *launch)
{
    const char *text = launch->text;
    size_t left = launch->text_length;
    bool is_good = true;

    if (launch->kind == FILE_BASIC_INFO) {
        LaunchInfoBasic(&launch->info, launch->settings->chip, text, left);
        LaunchInfoTell(launch->stage, launch->partition, launch->file, text, left);
    } else if (launch->kind == FILE_START_PC) {
        LaunchInfoStart(&launch->info, text, left);
    }
    while (is_good && left > 0 && (launch->kind == FILE_REGIONS || launch->kind == FILE_TUNE)) {
        const char *end = memchr(text, '\n', left);
        const size_t whole = end == NULL ? left : (size_t) (end - text);
        const size_t line = whole > 0 && text[whole - 1] == '\r' ? whole - 1 : whole;
        is_good = take_line(launch, text, line);
        text += end == NULL ? whole : whole + 1;
        left -= end == NULL ? whole : whole + 1;
    }
    if (launch->kind == FILE_REGIONS && launch->regions.skipped > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': %" PRIu64 " of %" PRIu64
                              " lines of '%s' are not understood",
                              BiuLaunchName(launch), launch->regions.skipped, launch->regions.lines,
                              OpprofStageString(launch->stage, launch->file));
    }
    free(launch->text);
    launch->text = NULL;
    launch->text_length = 0;
    launch->text_capacity = 0;
    return is_good;
}

/* Reports what was cut off or invalid in the file that ends. */
static void check_end(BiuLaunch *launch)
{
    const char *name = OpprofStageString(launch->stage, launch->file);

    if (launch->file_bytes < launch->file_size) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' ends at byte %" PRIu64 " of %" PRIu64,
                              BiuLaunchName(launch), name, launch->file_bytes, launch->file_size);
    } else if (launch->kind == FILE_CONTAINER && ContainerRest(&launch->container) > 0) {
        OpprofStageIncomplete(
            launch->stage, "Launch '%s': '%s' ends within the chunk at byte %" PRIu64,
            BiuLaunchName(launch), name, launch->file_bytes - ContainerRest(&launch->container));
    }
    if (launch->kind == FILE_CONTAINER && launch->container.bad > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': %" PRIu64 " %s of '%s' %s left out, the first at "
                              "byte %" PRIu64 ": the head names no core, no bytes or too many",
                              BiuLaunchName(launch), launch->container.bad,
                              OPPROF_PLURAL(launch->container.bad, "chunk", "chunks"), name,
                              OPPROF_PLURAL(launch->container.bad, "is", "are"),
                              launch->container.bad_at);
    }
}

static bool close_file(BiuLaunch *launch)
{
    if (launch->file == OPPROF_NA_STRING) {
        return true;
    }
    check_end(launch);
    const bool is_good = close_text(launch);
    launch->file = OPPROF_NA_STRING;
    launch->kind = FILE_OTHER;
    return is_good;
}

static bool take_text(BiuLaunch *launch, const unsigned char *bytes, size_t length)
{
    const size_t most =
        launch->kind == FILE_REGIONS ? 64 * (size_t) LAUNCH_TEXT_MAX : (size_t) LAUNCH_TEXT_MAX;
    const size_t room = most - launch->text_length;
    const size_t taken = length < room ? length : room;

    if (!OpprofGrow(&launch->text, &launch->text_capacity, launch->text_length + taken + 1, 1)) {
        return false;
    }
    memcpy(launch->text + launch->text_length, bytes, taken);
    launch->text_length += taken;
    return true;
}

static bool take_bytes(BiuLaunch *launch, const unsigned char *bytes, size_t length)
{
    switch (launch->kind) {
    case FILE_OTHER:
        return true;
    case FILE_CONTAINER:
        return ContainerFeed(&launch->container, bytes, length, take_chunk, launch);
    case FILE_CHANNEL:
        return launch->channel->source == BIU_SOURCE_MONITOR
                   ? OpprofCutterFeed(&launch->channel->pieces, bytes, length, BiuChannelMonitor,
                                      launch->channel)
                   : BiuChannelWords(launch->channel, bytes, length);
    default:
        return take_text(launch, bytes, length);
    }
}

static OpprofStatus failed(BiuLaunch *launch, OpprofError **error)
{
    if (launch->reason != NULL && error != NULL && *error == NULL) {
        *error = launch->reason;
        launch->reason = NULL;
        return launch->status;
    }
    return launch->status != OPPROF_OK && launch->status != OPPROF_E_MEMORY ? launch->status
                                                                            : no_memory(error);
}

/* Each word of a damaged stream can be an event, so that what is on its way when the run is stopped may take a minute. */
static bool is_wanted(BiuLaunch *launch, size_t length)
{
    launch->after_stop += OpprofStageStopRequested(launch->stage) ? length : 0;
    return launch->after_stop <= AFTER_STOP;
}

OpprofStatus BiuLaunchFeed(BiuLaunch *launch, const OpprofOnboardChunk *chunk,
                           const unsigned char *bytes, OpprofError **error)
{
    bool is_good = true;

    launch->folder = *chunk;
    if (chunk->file != launch->file) {
        is_good = close_file(launch);
        if (is_good && chunk->file != OPPROF_NA_STRING) {
            is_good = open_file(launch, chunk);
        }
    }
    if (is_good && bytes != NULL && chunk->file != OPPROF_NA_STRING &&
        is_wanted(launch, chunk->bytes.length)) {
        launch->piece = bytes;
        is_good = take_bytes(launch, bytes, chunk->bytes.length);
        launch->file_bytes += chunk->bytes.length;
    }
    return is_good ? OPPROF_OK : failed(launch, error);
}

OpprofStatus BiuLaunchEnd(BiuLaunch *launch, OpprofError **error)
{
    bool is_good = close_file(launch);

    for (size_t i = 0; is_good && i < launch->channel_count; i++) {
        is_good = BiuChannelEnd(launch->channels[i]);
    }
    is_good = is_good && BiuZeroAlign(launch);
    if (is_good) {
        BiuLacksOfLaunch(launch);
    }
    if (is_good) {
        launch->status = OpprofStagePushOpen(launch->stage, launch->port, UINT64_MAX);
        is_good = launch->status == OPPROF_OK;
    }
    return is_good ? OPPROF_OK : failed(launch, error);
}
