/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the streams of all cores of one launch, from any kind of file. Tested by tests/plugins/mc2/test_streams.sh. */
#include "biu_launch.h"

#include "names.h"
#include <opprof/grow.h>
#include <opprof/kit/raw_names.h>
#include <opprof/text.h>
#include <stdarg.h>
#include <stdlib.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define WORDS_AT_ONCE 512u
#define NAME_ROOM 64u
#define LIST_ROOM 120u
#define HELD_AT_ONCE 64u
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

static const char *const core_types[] = { "aic", "aiv0", "aiv1" };
static const char *const container_cores[] = { "cubecore", "veccore0", "veccore1" };

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

static uint32_t intern(const BiuLaunch *launch, const char *text)
{
    return OpprofStageIntern(launch->stage, text, strlen(text));
}

static const char *place_of(const BiuLaunch *launch)
{
    return OpprofStageString(launch->stage, launch->partition);
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
                        place_of(launch), info, mhz);
    } else {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' is missing or empty, so the clock of its cores is "
                              "unknown: the chip's %" PRIu64 " MHz are used",
                              place_of(launch), info, mhz);
    }
}

static bool choose_chip(BiuLaunch *launch)
{
    const bool is_auto = strcasecmp(launch->settings->chip, "auto") == 0;
    const char *name = is_auto ? launch->info.soc : launch->settings->chip;

    if (launch->soc != NULL || launch->failure != NULL) {
        return launch->soc != NULL;
    }
    if (name[0] == '\0') {
        char info[128];

        OpprofRawFileName("auto", "info", 0, info, sizeof info);
        OpprofErrorSet(
            &launch->failure, OPPROF_E_DATA,
            "The data of launch '%s' does not name its SoC: '%s' is missing, unreadable, cut, or "
            "names none",
            place_of(launch), info);
        OpprofErrorHint(&launch->failure,
                        "Name the chip with --set chip=, such as --set chip=Ascend950PR_9599");
        return false;
    }
    if (OpprofChipLoad(name, &launch->soc, &launch->failure) != OPPROF_OK) {
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

/* ---- events ---- */

static BiuEvent event_of(const BiuChannel *channel, BiuKind kind)
{
    const BiuLaunch *launch = channel->launch;

    return (BiuEvent){ .pc = OPPROF_NA_U64,
                       .kind = kind,
                       .source = channel->source,
                       .unit = channel->unit,
                       .group = channel->group,
                       .type = channel->type,
                       .block = OPPROF_NA_U32,
                       .source_device = channel->source_device,
                       .device = launch->folder.device,
                       .kernel = launch->folder.kernel,
                       .order = launch->folder.order };
}

/* False: launch->status gives the reason. */
static bool emit(BiuLaunch *launch, const BiuEvent *event)
{
    launch->status = OpprofStageAppend(launch->stage, launch->port, launch->partition, event);
    return launch->status == OPPROF_OK;
}

/* Events of a core without a stamp wait until all streams have ended. */
static bool hold(BiuChannel *channel, const BiuEvent *event)
{
    BiuLaunch *launch = channel->launch;
    uint64_t offset;

    launch->status =
        OpprofSpoolAppend(&channel->held, OpprofStageOutput(launch->stage), (const char *) event,
                          sizeof *event, &offset, &launch->reason);
    return launch->status == OPPROF_OK;
}

static const char *pipe_colour(uint32_t pipe)
{
    static const char *const colours[BIU_PIPES] = {
        "startup", "rail_idle",      "rail_response",       "thread_state_iowait",
        "yellow",  "rail_animation", "thread_state_unknown"
    };

    return colours[pipe % BIU_PIPES];
}

/* Names an instruction by the compiler's notes. */
static void name_instruction(BiuLaunch *launch, const LaneItem *item, BiuEvent *event)
{
    const Region *region = RegionMapFind(&launch->regions, item->pipe, item->id);
    char name[NAME_ROOM];

    snprintf(name, sizeof name, "Instr%u", item->id);
    event->name = intern(launch, region == NULL ? name : region->opcode);
    if (region == NULL) {
        return;
    }
    uint32_t place = OpprofMapFind(&launch->opcodes, event->name);
    event->pc = region->pc;
    if (place == OPPROF_MAP_NONE) {
        place = launch->opcodes.count;
        OpprofMapPut(&launch->opcodes, event->name, place); /* else its colour may change */
    }
    event->colour = intern(launch, PaletteName(place));
}

static void name_item(BiuLaunch *launch, const BiuChannel *channel, const LaneItem *item,
                      BiuEvent *event)
{
    const bool is_short = channel->source == BIU_SOURCE_GROUP;
    const char *pipe =
        is_short ? launch->facts.short_pipes[item->pipe] : launch->facts.pipes[item->pipe];
    char name[NAME_ROOM];

    event->pipe = intern(launch, pipe);
    event->name = event->pipe;
    event->colour = intern(launch, pipe_colour(item->pipe));
    switch (item->kind) {
    case LANE_MARK:
        snprintf(name, sizeof name, "MarkStamp%u", item->id);
        event->name = intern(launch, name);
        break;
    case LANE_REGION:
        snprintf(name, sizeof name, "Region%u", item->id);
        event->name = intern(launch, name);
        event->colour = intern(launch, PaletteName(item->id));
        break;
    case LANE_INSTRUCTION:
        name_instruction(launch, item, event);
        break;
    default:
        break;
    }
}

static bool take_item(void *context, const LaneItem *item)
{
    static const BiuKind kinds[] = { [LANE_STATE] = BIU_STATE,
                                     [LANE_MARK] = BIU_MARK,
                                     [LANE_CHECKPOINT] = BIU_CHECKPOINT,
                                     [LANE_REGION] = BIU_REGION,
                                     [LANE_INSTRUCTION] = BIU_INSTRUCTION };
    BiuChannel *channel = context;
    BiuEvent event = event_of(channel, kinds[item->kind]);

    event.start = item->start;
    event.end = item->end;
    event.block = item->block == WORD_NO_BLOCK ? OPPROF_NA_U32 : item->block;
    event.payload = item->id;
    event.pipe_number = item->pipe;
    event.is_cut = item->is_cut;
    name_item(channel->launch, channel, item, &event);
    if ((item->kind == LANE_MARK || item->kind == LANE_CHECKPOINT) &&
        !BiuFirstsNote(&channel->firsts, item->id, item->start)) {
        channel->launch->status = OPPROF_E_MEMORY;
        return false;
    }
    return channel->words.counts.stamps == 0 ? hold(channel, &event)
                                             : emit(channel->launch, &event);
}

/* ---- channels ---- */

static uint32_t unit_of(const BiuLaunch *launch, BiuSource source, uint32_t group, uint32_t type)
{
    char name[NAME_ROOM];

    if (source == BIU_SOURCE_CONTAINER || source == BIU_SOURCE_WINDOW) {
        snprintf(name, sizeof name, "core%u.%s", group, container_cores[type]);
    } else if (source == BIU_SOURCE_GROUP) {
        snprintf(name, sizeof name, "Group%u-%s", group, core_types[type]);
    } else {
        snprintf(name, sizeof name, "%u_core%u_group%u", type + 1,
                 MonitorCoreId((MonitorCore) type, group), group);
    }
    return intern(launch, name);
}

static LanesMode mode_of(const BiuLaunch *launch, BiuSource source)
{
    if (source == BIU_SOURCE_GROUP) {
        return LANES_CHECKPOINTS;
    }
    return launch->settings->shows_instructions ? LANES_INSTRUCTIONS : LANES_PIPES;
}

/* Passes on a word after a broken stamp. */
static void keep_word(void *context, const unsigned char *word, const unsigned char *end)
{
    BiuLaunch *launch = context;

    OpprofRawKeep(&launch->raw, launch->file,
                  launch->file_bytes + (uint64_t) (end - launch->piece) - 4, word, 4,
                  "a word after a broken start stamp, without a time");
}

/* NULL without memory. */
static BiuChannel *find_channel(BiuLaunch *launch, BiuSource source, uint32_t group, uint32_t type,
                                uint32_t device)
{
    for (size_t i = launch->channel_count; i > 0; i--) {
        BiuChannel *channel = launch->channels[i - 1];
        if (channel->source == source && channel->group == group && channel->type == type &&
            channel->source_device == device) {
            return channel;
        }
    }
    BiuChannel *channel = calloc(1, sizeof *channel);
    if (channel == NULL || !OpprofGrow(&launch->channels, &launch->channel_capacity,
                                       launch->channel_count + 1, sizeof(BiuChannel *))) {
        free(channel);
        return NULL;
    }
    channel->launch = launch;
    channel->source = source;
    channel->group = group;
    channel->type = type;
    channel->source_device = device;
    channel->unit = unit_of(launch, source, group, type);
    WordStreamInit(&channel->words, &launch->facts, launch->core_hz);
    channel->words.on_lost = keep_word;
    channel->words.context = launch;
    LanesInit(&channel->lanes, mode_of(launch, source), take_item, channel);
    const uint32_t size =
        type == 0 ? launch->facts.cube_record.size : launch->facts.vector_record.size;
    if (size > 0) { /* else the chip has no records of older monitors, and all are words */
        OpprofCutterBegin(&channel->pieces, size);
    }
    launch->channels[launch->channel_count++] = channel;
    return channel;
}

/* The blocks that ran on all cores of a device. Groups and containers are of a few cores only. */
static void note_blocks(const BiuChannel *channel, const Word *words, size_t count)
{
    unsigned char *blocks = channel->launch->blocks;

    for (size_t i = 0; i < count && channel->source == BIU_SOURCE_WINDOW; i++) {
        if (words[i].block < WORD_NO_BLOCK) {
            blocks[words[i].block / 8] |= (unsigned char) (1u << words[i].block % 8);
        }
    }
}

static bool feed_words(BiuChannel *channel, const unsigned char *bytes, size_t length)
{
    const unsigned char *end = bytes + length;
    Word words[WORDS_AT_ONCE];
    bool is_good = true;

    while (is_good && bytes < end) {
        const size_t count = WordStreamDecode(&channel->words, &bytes, end, words, WORDS_AT_ONCE);
        note_blocks(channel, words, count);
        is_good = LanesWords(&channel->lanes, words, count);
    }
    return is_good;
}

static bool take_chunk(void *context, uint32_t core, uint32_t type, const unsigned char *bytes,
                       size_t length)
{
    BiuLaunch *launch = context;
    BiuChannel *channel = find_channel(launch, BIU_SOURCE_CONTAINER, core, type, OPPROF_NA_U32);

    if (channel == NULL) {
        return false;
    }
    channel->file = launch->file;
    return feed_words(channel, bytes, length);
}

/* ---- older monitors ---- */

static bool put_cycles(BiuChannel *channel, const MonitorCycles *cycles)
{
    const uint64_t start = channel->records * channel->launch->settings->interval;
    const uint32_t absent = channel->type == 0 ? 0 : 2; /* the unit that such a core lacks */
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < MONITOR_PIPES; i++) {
        const uint16_t now = i == absent ? 0 : cycles->values[i];
        BiuEvent event = event_of(channel, BIU_CYCLES);
        event.payload = MonitorDelta(channel->before[i], now);
        channel->before[i] = now;
        event.start = start;
        event.end = start + event.payload;
        event.pipe_number = i;
        event.pipe = intern(channel->launch, monitor_pipes[i]);
        event.name = event.pipe;
        is_good = emit(channel->launch, &event);
    }
    return is_good;
}

static bool put_flow(BiuChannel *channel, const MonitorFlow *flow)
{
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < MONITOR_FLOWS; i++) {
        BiuEvent event = event_of(channel, BIU_FLOW);
        event.start = channel->records * channel->launch->settings->interval;
        event.end = event.start;
        event.payload = MonitorFlowValue(flow, i);
        event.pipe_number = i;
        event.pipe = intern(channel->launch, monitor_flows[i]);
        event.name = event.pipe;
        is_good = emit(channel->launch, &event);
    }
    return is_good;
}

static bool take_monitor(void *context, const unsigned char *records, size_t count)
{
    BiuChannel *channel = context;
    const BiuFacts *facts = &channel->launch->facts;
    const BiuRecord *layout = channel->type == 0 ? &facts->cube_record : &facts->vector_record;
    unsigned char bytes[MONITOR_BYTES];
    bool is_good = true;

    for (size_t i = 0; is_good && i < count; i++) {
        const unsigned char *record = records + i * layout->size;
        MonitorCycles cycles;
        MonitorFlow flow;
        if (MonitorGather(&layout->flow, record, bytes)) {
            MonitorReadFlow(bytes, &flow);
            is_good = put_flow(channel, &flow);
        }
        if (is_good && MonitorGather(&layout->cycles, record, bytes)) {
            MonitorReadCycles(bytes, &cycles);
            is_good = put_cycles(channel, &cycles);
        }
        channel->records++;
    }
    return is_good;
}

/* ---- files ---- */

static bool read_type(const char *text, uint32_t *ret_type)
{
    for (uint32_t i = 0; i < sizeof core_types / sizeof core_types[0]; i++) {
        if (strcmp(text, core_types[i]) == 0) {
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
                              place_of(launch), name, OpprofChipSoc(launch->soc));
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
            place_of(launch), name);
    }
    if (is_container) {
        launch->kind = FILE_CONTAINER;
        launch->container = (ContainerReader){ .cores = launch->facts.groups,
                                               .on_bad = keep_head,
                                               .context = launch };
        return true;
    }
    launch->kind = FILE_CHANNEL;
    launch->channel = find_channel(launch, its.source, its.group, its.type, its.device);
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
                              place_of(launch), pipe);
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
                              place_of(launch), launch->regions.skipped, launch->regions.lines,
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
                              place_of(launch), name, launch->file_bytes, launch->file_size);
    } else if (launch->kind == FILE_CONTAINER && ContainerRest(&launch->container) > 0) {
        OpprofStageIncomplete(
            launch->stage, "Launch '%s': '%s' ends within the chunk at byte %" PRIu64,
            place_of(launch), name, launch->file_bytes - ContainerRest(&launch->container));
    }
    if (launch->kind == FILE_CONTAINER && launch->container.bad > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': %" PRIu64 " %s of '%s' %s left out, the first at "
                              "byte %" PRIu64 ": the head names no core or too many bytes",
                              place_of(launch), launch->container.bad,
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
                   ? OpprofCutterFeed(&launch->channel->pieces, bytes, length, take_monitor,
                                      launch->channel)
                   : feed_words(launch->channel, bytes, length);
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

/* ---- end ---- */

/* The ids whose starts and ends do not match, as far as they fit. */
static void list_unpaired(const Lanes *lanes, char *list, size_t room)
{
    size_t used = 0;

    list[0] = '\0';
    for (uint32_t id = 0; id < LANE_IDS; id++) {
        if (!LanesIsUnpaired(lanes, id)) {
            continue;
        }
        if (used + 12 > room) {
            snprintf(list + used, room - used, " …");
            return;
        }
        used += (size_t) snprintf(list + used, room - used, "%s%u", used == 0 ? "" : ", ", id);
    }
}

/* Reports what is wrong with a stream, with its core and its file, the last one of several. */
OPPROF_PRINTF(3, 4)
static void report_stream(const BiuLaunch *launch, const BiuChannel *channel, const char *format,
                          ...)
{
    char what[LIST_ROOM + 128];
    va_list list;

    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    OpprofStageIncomplete(launch->stage, "Launch '%s', %s in '%s': %s", place_of(launch),
                          OpprofStageString(launch->stage, channel->unit),
                          OpprofStageString(launch->stage, channel->file), what);
}

static void report_words(const BiuLaunch *launch, const BiuChannel *channel)
{
    const WordCounts *words = &channel->words.counts;
    const LaneCounts *counts = &channel->lanes.counts;
    char list[LIST_ROOM];

    if (words->broken > 0) {
        report_stream(
            launch, channel, "%" PRIu64 " %s broken, %" PRIu64 " %s no time", words->broken,
            OPPROF_PLURAL(words->broken, "start stamp is", "start stamps are"), words->lost,
            OPPROF_PLURAL(words->lost, "word after it has", "words after them have"));
    }
    if (words->earlier > 0) {
        report_stream(launch, channel, "%" PRIu64 " %s repeated or earlier than the one before",
                      words->earlier,
                      OPPROF_PLURAL(words->earlier, "start stamp is", "start stamps are"));
    }
    if (channel->words.have > 0) {
        report_stream(launch, channel, "the last %u %s not a whole word", channel->words.have,
                      OPPROF_PLURAL(channel->words.have, "byte is", "bytes are"));
    }
    if (counts->unpaired > 0) {
        list_unpaired(&channel->lanes, list, sizeof list);
        report_stream(launch, channel, "%" PRIu64 " %s no partner: regions %s", counts->unpaired,
                      OPPROF_PLURAL(counts->unpaired, "start or stop has", "starts or stops have"),
                      list);
    }
    if (counts->backwards > 0) {
        report_stream(launch, channel, "%" PRIu64 " %s", counts->backwards,
                      OPPROF_PLURAL(counts->backwards, "span ends before it starts",
                                    "spans end before they start"));
    }
    if (counts->cut > 0) {
        report_stream(launch, channel, "%" PRIu64 " %s still busy at the end, where spans are cut",
                      counts->cut, OPPROF_PLURAL(counts->cut, "pipe was", "pipes were"));
    }
}

static bool end_channel(BiuLaunch *launch, BiuChannel *channel)
{
    if (channel->source == BIU_SOURCE_MONITOR) {
        if (channel->pieces.have > 0) {
            report_stream(launch, channel, "the last %u %s not a whole record",
                          channel->pieces.have,
                          OPPROF_PLURAL(channel->pieces.have, "byte is", "bytes are"));
        }
        OpprofStageCount(launch->stage, "records of monitors", channel->records);
        return true;
    }
    WordStreamEnd(&channel->words);
    const bool is_good = LanesEnd(&channel->lanes);
    report_words(launch, channel);
    OpprofStageCount(launch->stage, "words", channel->words.counts.words);
    OpprofStageCount(launch->stage, "marks", channel->lanes.counts.marks);
    OpprofStageCount(launch->stage, "items of kernels' ends", channel->lanes.counts.removed);
    return is_good;
}

/* ---- a common zero ---- */

/* Streams of words with any content; the stamped ones first. Returns their number, and how many are stamped. */
static size_t list_streams(const BiuLaunch *launch, const BiuChannel **list, size_t *ret_stamped)
{
    size_t count = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < launch->channel_count; i++) {
            const BiuChannel *channel = launch->channels[i];
            const bool is_stamped = channel->words.counts.stamps > 0;

            if (channel->source != BIU_SOURCE_MONITOR && channel->words.counts.words > 0 &&
                is_stamped == (pass == 0)) {
                list[count++] = channel;
            }
        }
        *ret_stamped = pass == 0 ? count : *ret_stamped;
    }
    return count;
}

static bool emit_moved(BiuLaunch *launch, BiuEvent *event, int64_t shift)
{
    const int64_t start = (int64_t) event->start + shift;

    event->end = event->end - event->start;
    event->start = start > 0 ? (uint64_t) start : 0;
    event->end += event->start;
    return emit(launch, event);
}

/* Emits the held events, moved in time. */
static bool give_held(BiuLaunch *launch, BiuChannel *channel, int64_t shift)
{
    const uint64_t count = channel->held.total / sizeof(BiuEvent);
    BiuEvent events[HELD_AT_ONCE];

    for (uint64_t at = 0; at < count; at += HELD_AT_ONCE) {
        const size_t some = count - at < HELD_AT_ONCE ? (size_t) (count - at) : HELD_AT_ONCE;

        launch->status = OpprofSpoolRead(&channel->held, at * sizeof events[0],
                                         some * sizeof events[0], (char *) events, &launch->reason);
        if (launch->status != OPPROF_OK) {
            return false;
        }
        for (size_t i = 0; i < some; i++) {
            if (!emit_moved(launch, &events[i], shift)) {
                return false;
            }
        }
    }
    OpprofSpoolFinish(&channel->held);
    return true;
}

/* The time of the common mark: a stamped core's own, else the latest of all. */
static uint64_t common_time(const BiuChannel *const *streams, size_t count, size_t stamped,
                            uint16_t mark)
{
    uint64_t time = 0;

    for (size_t i = 0; i < (stamped > 0 ? stamped : count); i++) {
        const uint64_t first = streams[i]->firsts.times[mark];
        time = first > time ? first : time;
    }
    return time;
}

static void tell_zero(const BiuLaunch *launch, size_t count, size_t stamped, int mark)
{
    if (count < 2 || stamped == count) {
        return;
    }
    if (mark < 0) {
        OpprofStageWarn(launch->stage,
                        "Launch '%s': %zu of %zu cores have no start stamp: their times count from "
                        "their own first word, not from a common zero",
                        place_of(launch), count - stamped, count);
    } else {
        OpprofStageWarn(
            launch->stage,
            "Launch '%s': %zu of %zu cores have no start stamp: their first marks %d, the first "
            "that all cores have, are assumed to be at the same time; the error is unknown",
            place_of(launch), count - stamped, count, mark);
    }
}

/*
 * Cores without stamps are aligned with the others at the first mark that all have; without one
 * each keeps its own zero.
 */
static bool align_streams(BiuLaunch *launch)
{
    const BiuChannel **streams = calloc(launch->channel_count + 1, sizeof *streams);
    const BiuFirsts **firsts = calloc(launch->channel_count + 1, sizeof *firsts);
    bool is_good = streams != NULL && firsts != NULL;
    uint64_t time = 0;
    size_t stamped = 0;
    uint16_t mark = 0;
    bool has_mark = false;

    if (is_good) {
        const size_t count = list_streams(launch, streams, &stamped);

        for (size_t i = 0; i < count; i++) {
            firsts[i] = &streams[i]->firsts;
        }
        has_mark = count > 1 && BiuFirstsCommon(firsts, count, &mark);
        time = has_mark ? common_time(streams, count, stamped, mark) : 0;
        tell_zero(launch, count, stamped, has_mark ? (int) mark : -1);
    }
    for (size_t i = 0; is_good && i < launch->channel_count; i++) {
        BiuChannel *channel = launch->channels[i];
        const bool moves = has_mark && channel->held.total > 0 && channel->words.counts.stamps == 0;

        is_good =
            give_held(launch, channel, moves ? (int64_t) (time - channel->firsts.times[mark]) : 0);
    }
    free(streams);
    free(firsts);
    return is_good;
}

/* Every block runs on a core, so one that no stream names has lost its stream. */
static void report_blocks(const BiuLaunch *launch)
{
    uint32_t seen = 0;
    uint32_t missing = 0;
    uint32_t first = 0;
    char info[128];

    for (uint32_t block = 0; block < WORD_NO_BLOCK; block++) {
        const bool is_seen = (launch->blocks[block / 8] >> block % 8 & 1) != 0;
        seen += is_seen;
        if (is_seen && block >= launch->info.blocks) {
            return; /* stamps count in another way */
        }
        if (!is_seen && block < launch->info.blocks) {
            first = missing++ == 0 ? block : first;
        }
    }
    if (seen > 0 && missing > 0) {
        OpprofRawFileName("auto", "info", 0, info, sizeof info);
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': no stream of a core names block %u; of %u blocks by "
                              "'%s' %u are missing like this: files of cores are lost",
                              place_of(launch), first, launch->info.blocks, info, missing);
    }
}

#define CORES_OF_GROUP ((1u << OPPROF_COUNT(core_types)) - 1)

/* A bit for each core of a channel's group that has a file. */
static uint32_t cores_of_group(const BiuLaunch *launch, const BiuChannel *of)
{
    uint32_t cores = 0;

    for (size_t i = 0; i < launch->channel_count; i++) {
        const BiuChannel *channel = launch->channels[i];
        if (channel->source == of->source && channel->source_device == of->source_device &&
            channel->group == of->group) {
            cores |= 1u << channel->type;
        }
    }
    return cores;
}

/*
 * A block of an operator that uses a cube core with both of its vector cores runs on all three, so where one group has files of
 * all, every group has.
 */
static void report_groups(const BiuLaunch *launch)
{
    const BiuChannel *whole = NULL;

    for (size_t i = 0; whole == NULL && i < launch->channel_count; i++) {
        const BiuChannel *channel = launch->channels[i];
        if (channel->source == BIU_SOURCE_GROUP &&
            cores_of_group(launch, channel) == CORES_OF_GROUP) {
            whole = channel;
        }
    }
    for (size_t i = 0; whole != NULL && i < launch->channel_count; i++) {
        const BiuChannel *channel = launch->channels[i];
        const bool is_next =
            channel->source == whole->source && channel->source_device == whole->source_device;
        const uint32_t cores = is_next ? cores_of_group(launch, channel) : CORES_OF_GROUP;
        const uint32_t before = cores & ((1u << channel->type) - 1);

        for (size_t type = 0; before == 0 && type < OPPROF_COUNT(core_types); type++) {
            if ((cores >> type & 1) == 0) {
                OpprofStageIncomplete(launch->stage,
                                      "Launch '%s': the %s of group %u has no file, while group %u "
                                      "has files of all its cores",
                                      place_of(launch), core_types[type], channel->group,
                                      whole->group);
            }
        }
    }
}

/* Two codes are known for marks of one pipe; which of them a chip uses deserves a report. */
static void report_codes(const BiuLaunch *launch)
{
    uint64_t codes[BIU_CONTROLS] = { 0 };

    for (size_t i = 0; i < launch->channel_count; i++) {
        for (uint32_t code = 0; code < BIU_CONTROLS; code++) {
            codes[code] += launch->channels[i]->words.counts.codes[code];
        }
    }
    for (uint32_t code = 0; launch->facts.has_words && code < BIU_CONTROLS; code++) {
        const uint8_t control = launch->facts.controls[code];
        for (uint32_t other = 0; control < BIU_PIPES && other < code; other++) {
            if (launch->facts.controls[other] == control && codes[code] + codes[other] > 0) {
                OpprofStageWarn(launch->stage,
                                "Launch '%s': %" PRIu64 " marks of %s have code %u, %" PRIu64
                                " code %u",
                                place_of(launch), codes[other], launch->facts.pipes[control], other,
                                codes[code], code);
            }
        }
    }
}

OpprofStatus BiuLaunchEnd(BiuLaunch *launch, OpprofError **error)
{
    bool is_good = close_file(launch);

    for (size_t i = 0; is_good && i < launch->channel_count; i++) {
        is_good = end_channel(launch, launch->channels[i]);
    }
    is_good = is_good && align_streams(launch);
    if (is_good) {
        report_codes(launch);
        report_blocks(launch);
        report_groups(launch);
    }
    if (is_good) {
        launch->status = OpprofStagePushOpen(launch->stage, launch->port, UINT64_MAX);
        is_good = launch->status == OPPROF_OK;
    }
    return is_good ? OPPROF_OK : failed(launch, error);
}
