/* SPDX-License-Identifier: Apache-2.0 */
/* Losses of streams of pipe activity. Tested by tests/plugins/mc2/test_streams.sh and
 * test_damage.sh. */
#include "biu_missing.h"

#include "names.h"

#include <inttypes.h>
#include <opprof/text.h>
#include <stdarg.h>
#include <stdio.h>

#define LIST_ROOM 120u

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
OPPROF_PRINTF(2, 3)
static void report_stream(const BiuChannel *channel, const char *format, ...)
{
    char what[LIST_ROOM + 128];
    const BiuLaunch *launch = channel->launch;
    va_list list;

    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    OpprofStageIncomplete(launch->base.stage, "Launch '%s', %s in '%s': %s",
                          OpprofLaunchPlace(&launch->base),
                          OpprofStageString(launch->base.stage, channel->unit),
                          OpprofStageString(launch->base.stage, channel->file), what);
}

static void report_words(const BiuChannel *channel)
{
    const WordCounts *words = &channel->words.counts;
    const LaneCounts *counts = &channel->lanes.counts;
    char list[LIST_ROOM];

    if (words->broken > 0) {
        report_stream(channel, "%" PRIu64 " %s broken, %" PRIu64 " %s no time", words->broken,
                      OPPROF_PLURAL(words->broken, "start stamp is", "start stamps are"),
                      words->lost,
                      OPPROF_PLURAL(words->lost, "word after it has", "words after them have"));
    }
    if (words->earlier > 0) {
        report_stream(channel, "%" PRIu64 " %s repeated or earlier than the one before",
                      words->earlier,
                      OPPROF_PLURAL(words->earlier, "start stamp is", "start stamps are"));
    }
    const bool is_over = !channel->launch->base.is_stopped; /* else the rest was not read */

    if (is_over && channel->words.have > 0) {
        report_stream(channel, "the last %u %s not a whole word", channel->words.have,
                      OPPROF_PLURAL(channel->words.have, "byte is", "bytes are"));
    }
    if (counts->unpaired > 0) {
        list_unpaired(&channel->lanes, list, sizeof list);
        report_stream(channel, "%" PRIu64 " %s no partner: regions %s", counts->unpaired,
                      OPPROF_PLURAL(counts->unpaired, "start or stop has", "starts or stops have"),
                      list);
    }
    if (counts->backwards > 0) {
        report_stream(channel, "%" PRIu64 " %s", counts->backwards,
                      OPPROF_PLURAL(counts->backwards, "span ends before it starts",
                                    "spans end before they start"));
    }
    if (is_over && counts->cut > 0) {
        report_stream(channel, "%" PRIu64 " %s still busy at the end, where spans are cut",
                      counts->cut, OPPROF_PLURAL(counts->cut, "pipe was", "pipes were"));
    }
}

void BiuMissingOfStream(const BiuChannel *channel)
{
    const uint32_t rest = channel->pieces.have;

    if (channel->source != BIU_SOURCE_MONITOR) {
        report_words(channel);
    } else if (rest > 0 && !channel->launch->base.is_stopped) {
        report_stream(channel, "the last %u %s not a whole record", rest,
                      OPPROF_PLURAL(rest, "byte is", "bytes are"));
    }
}

/* Every block runs on a core, so one that no stream names has lost its stream. */
static void report_blocks(const BiuLaunch *launch)
{
    uint32_t seen = 0;
    uint32_t missing = 0;
    uint32_t first = 0;

    for (uint32_t block = 0; block < WORD_NO_BLOCK; block++) {
        const bool is_seen = (launch->blocks[block / 8] >> block % 8 & 1) != 0;
        seen += is_seen;
        if (is_seen && block >= launch->block_dim) {
            return; /* stamps count in another way */
        }
        if (!is_seen && block < launch->block_dim) {
            first = missing++ == 0 ? block : first;
        }
    }
    if (seen > 0 && missing > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "no stream of a core names block %u; of %u blocks by "
                            "'%s' %u are missing like this: files of cores are lost",
                            first, launch->block_dim,
                            OpprofLaunchFileName(&launch->base, "info", 0).text, missing);
    }
}

/* The last code of a kernel leaves the same marks on each core. */
static void report_ends(const BiuLaunch *launch)
{
    const BiuChannel *whole = NULL;

    for (size_t i = 0; whole == NULL && i < launch->channel_count; i++) {
        whole = launch->channels[i]->lanes.has_end ? launch->channels[i] : NULL;
    }
    for (size_t i = 0; whole != NULL && i < launch->channel_count; i++) {
        if (launch->channels[i]->source == whole->source && !launch->channels[i]->lanes.has_end) {
            char other[LIST_ROOM];

            snprintf(other, sizeof other, "%s", OpprofStageString(launch->base.stage, whole->unit));
            report_stream(launch->channels[i],
                          "the marks of the kernel's end are missing, which %s has: it was cut",
                          other);
        }
    }
}

#define CORES_OF_GROUP ((1u << OPPROF_COUNT(biu_core_types)) - 1)

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
 * A block of an operator that uses a cube core with both of its vector cores runs on all three, so
 * where one group has files of all, every group has.
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

        for (size_t type = 0; before == 0 && type < OPPROF_COUNT(biu_core_types); type++) {
            if ((cores >> type & 1) == 0) {
                OPPROF_LAUNCH_LACKS(&launch->base,
                                    "the %s of group %u has no file, while group %u "
                                    "has files of all its cores",
                                    biu_core_types[type], channel->group, whole->group);
            }
        }
    }
}

/* Cube cores that channels have words of; of an operator that uses none, vector cores. */
static uint32_t count_seen(const BiuLaunch *launch, bool *ret_is_cube)
{
    uint32_t cube = 0;
    uint32_t vector = 0;

    for (size_t i = 0; i < launch->channel_count; i++) {
        const BiuChannel *channel = launch->channels[i];

        if (channel->source == BIU_SOURCE_CONTAINER) {
            cube += channel->type == 0;
            vector += channel->type != 0;
        }
    }
    *ret_is_cube = cube > 0;
    return cube > 0 ? cube : vector;
}

/* "0, 9, 17": the cores that channels watch, of those that the chip has. */
static uint32_t list_watched(const BiuFacts *facts, char *list, size_t room)
{
    uint32_t count = 0;
    size_t used = 0;

    for (uint32_t i = 0; i < facts->group_core_count; i++) {
        if (facts->group_cores[i] < facts->cores && used + 16 < room) {
            used += (size_t) snprintf(list + used, room - used, "%s%u", count == 0 ? "" : ", ",
                                      facts->group_cores[i]);
            count++;
        }
    }
    return count;
}

/* The driver's channels watch a few cores of the chip: what the others did is not in the data. A
 * core runs one block at a time. */
static void report_unseen(const BiuLaunch *launch)
{
    const BiuFacts *facts = launch->facts;
    char list[LIST_ROOM] = "", others[64] = "the others are not seen";
    bool is_cube = false;
    const uint32_t seen = count_seen(launch, &is_cube);

    if (seen == 0 || facts->group_core_count == 0) {
        return;
    }
    const uint32_t watched = list_watched(facts, list, sizeof list);
    const uint32_t most = is_cube ? facts->cores : 2 * facts->cores;
    const uint32_t ran = launch->block_dim < most ? launch->block_dim : most;

    if (ran > seen) {
        snprintf(others, sizeof others, "%u of the %u that ran a block are not seen", ran - seen,
                 ran);
    }
    if (watched < facts->cores && (launch->block_dim == 0 || ran > seen)) {
        OPPROF_LAUNCH_WARNS(&launch->base, "the channels watch %u of %u cores (%s): %s", watched,
                            facts->cores, list, others);
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
    for (uint32_t code = 0;
         launch->facts != NULL && launch->facts->has_words && code < BIU_CONTROLS; code++) {
        const uint8_t control = launch->facts->controls[code];
        for (uint32_t other = 0; control < BIU_PIPES && other < code; other++) {
            if (launch->facts->controls[other] == control && codes[code] + codes[other] > 0) {
                OPPROF_LAUNCH_WARNS(
                    &launch->base, "%" PRIu64 " marks of %s have code %u, %" PRIu64 " code %u",
                    codes[other], launch->facts->pipes[control], other, codes[code], code);
            }
        }
    }
}

void BiuMissingOfLaunch(const BiuLaunch *launch)
{
    report_codes(launch);
    report_unseen(launch);
    if (launch->base.is_over && !launch->base.is_stopped) {
        report_blocks(launch);
        report_ends(launch);
        report_groups(launch);
    }
}
