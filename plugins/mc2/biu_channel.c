/* SPDX-License-Identifier: Apache-2.0 */
/* The stream of one core: its words or records become events. Tested by
 * tests/plugins/mc2/test_streams.sh. */
#include "biu_channel.h"

#include "biu_missing.h"
#include "names.h"

#include <opprof/grow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_AT_ONCE 512u
#define NAME_ROOM 64u

static const char *const container_cores[] = { "cubecore", "veccore0", "veccore1" };

static uint32_t intern(const BiuLaunch *launch, const char *text)
{
    return OpprofStageIntern(launch->base.stage, text, strlen(text));
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
                       .device = launch->base.device,
                       .kernel = launch->base.kernel,
                       .order = launch->base.order };
}

bool BiuEmit(BiuLaunch *launch, const BiuEvent *event)
{
    launch->status =
        OpprofStageAppend(launch->base.stage, BIU_OUTPUT_EVENTS, launch->base.partition, event);
    return launch->status == OPPROF_OK;
}

/* Events of a core without a stamp wait until all streams have ended. */
static bool hold(BiuChannel *channel, const BiuEvent *event)
{
    BiuLaunch *launch = channel->launch;
    uint64_t offset;

    launch->status =
        OpprofSpoolAppend(&channel->held, OpprofStageOutput(launch->base.stage),
                          (const char *) event, sizeof *event, &offset, &launch->reason);
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
        is_short ? launch->facts->short_pipes[item->pipe] : launch->facts->pipes[item->pipe];
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
                                             : BiuEmit(channel->launch, &event);
}

/* ---- channels ---- */

static uint32_t unit_of(const BiuLaunch *launch, BiuSource source, uint32_t group, uint32_t type)
{
    char name[NAME_ROOM];

    if (source == BIU_SOURCE_CONTAINER && group < launch->facts->group_core_count) {
        group = launch->facts->group_cores[group];
    }
    if (source == BIU_SOURCE_CONTAINER || source == BIU_SOURCE_WINDOW) {
        snprintf(name, sizeof name, "core%u.%s", group, container_cores[type]);
    } else if (source == BIU_SOURCE_GROUP) {
        snprintf(name, sizeof name, "Group%u-%s", group, biu_core_types[type]);
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

    OpprofRawKeep(&launch->base.raw, launch->base.file.id,
                  launch->base.file.at + (uint64_t) (end - launch->piece) - 4, word, 4,
                  "a word after a broken start stamp, without a time");
}

BiuChannel *BiuChannelFind(BiuLaunch *launch, BiuSource source, uint32_t group, uint32_t type,
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
    WordStreamInit(&channel->words, launch->facts, launch->core_hz);
    channel->words.on_lost = keep_word;
    channel->words.context = launch;
    LanesInit(&channel->lanes, mode_of(launch, source), take_item, channel);
    const uint32_t size =
        type == 0 ? launch->facts->cube_record.size : launch->facts->vector_record.size;
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

bool BiuChannelWords(BiuChannel *channel, const unsigned char *bytes, size_t length)
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
        is_good = BiuEmit(channel->launch, &event);
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
        is_good = BiuEmit(channel->launch, &event);
    }
    return is_good;
}

bool BiuChannelMonitor(void *context, const unsigned char *records, size_t count)
{
    BiuChannel *channel = context;
    const BiuFacts *facts = channel->launch->facts;
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

/* ---- end ---- */

bool BiuChannelEnd(BiuChannel *channel)
{
    OpprofStage *stage = channel->launch->base.stage;
    bool is_good = true;

    if (channel->source == BIU_SOURCE_MONITOR) {
        OpprofStageCount(stage, "records of monitors", channel->records);
    } else {
        WordStreamEnd(&channel->words);
        is_good = LanesEnd(&channel->lanes);
        OpprofStageCount(stage, "words", channel->words.counts.words);
        OpprofStageCount(stage, "marks", channel->lanes.counts.marks);
        OpprofStageCount(stage, "items of kernels' ends", channel->lanes.counts.removed);
    }
    BiuMissingOfStream(channel);
    return is_good;
}
