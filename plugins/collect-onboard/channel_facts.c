/* SPDX-License-Identifier: Apache-2.0 */
/* What a chip file may state of profiling channels. Tested by tests/e2e/chip_mistakes.sh. */
#include "channel_facts.h"

#include "perfmon_facts.h"

#define WHOLE(text, ...)                                                                           \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_WHOLE, __VA_ARGS__                                  \
    }
#define NUMBER(text, structure, member, ...)                                                       \
    WHOLE(text, OPPROF_FACT_IN(structure, member), __VA_ARGS__)
#define FLAG(text, member)                                                                         \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_BOOL, OPPROF_FACT_IN(ChannelFacts, member)          \
    }
/* The words of a channel's user data: numbers, or names of what stands there. */
#define WORDS(names, structure)                                                                    \
    {                                                                                              \
        .name = "data", .type = OPPROF_FACT_IS_LIST, .flags = OPPROF_FACT_REQUIRED,                \
        .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE, .most = UINT32_MAX,                     \
                             OPPROF_FACT_IN(ChannelWord, number),                                  \
                             .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_CHOICE,               \
                                                      .from = (names), .otherwise = -1,            \
                                                      OPPROF_FACT_IN(ChannelWord, name))),         \
        OPPROF_FACT_ARRAY(structure, words, word_count)                                            \
    }
#define OBJECT(text, fields, structure, member)                                                    \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_OBJECT, .of = (fields),                             \
        OPPROF_FACT_IN(ChannelsFacts, member), OPPROF_FACT_SELF(structure, fact)                   \
    }

static const OpprofFactField channel_fields[] = {
    NUMBER("channel", ChannelFacts, channel, .flags = OPPROF_FACT_REQUIRED, .most = UINT32_MAX),
    NUMBER("kind", ChannelFacts, kind, .most = 255),
    NUMBER("period", ChannelFacts, period, .most = UINT32_MAX),
    NUMBER("slots", ChannelFacts, slots, .most = CHANNEL_MOST_EVENTS),
    FLAG("joint", is_joint),
    FLAG("own_pass", has_own_pass),
    NUMBER("kernel_scale_tag", ChannelFacts, kernel_scale_tag, .most = UINT32_MAX),
    { "events", OPPROF_FACT_IS_LIST,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE, .most = 65535, .size = sizeof(uint32_t)),
      OPPROF_FACT_ARRAY(ChannelFacts, events, event_count) },
    WORDS("'cube16','vector16','core32','l2','tag'", ChannelFacts),
    { .name = NULL },
};
static const OpprofFactField trace_fields[] = {
    NUMBER("channel", TraceFacts, channel, .flags = OPPROF_FACT_REQUIRED, .most = 65535),
    NUMBER("count", TraceFacts, count, .flags = OPPROF_FACT_REQUIRED, .least = 1, .most = 30),
    WORDS("'mode','loss'", TraceFacts),
    NUMBER("loss_since", TraceFacts, loss_since, .most = UINT32_MAX),
    NUMBER("chunk", TraceFacts, chunk, .flags = OPPROF_FACT_REQUIRED, .least = 1,
           .most = UINT32_MAX, .unit = "bytes"),
    { .name = NULL },
};
static const OpprofFactField fields[] = {
    OBJECT("counters", channel_fields, ChannelFacts, counters),
    OBJECT("tasks", channel_fields, ChannelFacts, tasks),
    OBJECT("aicpu", channel_fields, ChannelFacts, aicpu),
    OBJECT("l2", channel_fields, ChannelFacts, l2),
    OBJECT("trace", trace_fields, TraceFacts, trace),
    NUMBER("command", ChannelsFacts, command, .least = 0),
    NUMBER("clear_bytes", ChannelsFacts, clear_bytes, .most = 0x1p40, .unit = "bytes"),
    { .name = NULL },
};
const OpprofFactTable channels_table = { .fields = fields, .size = sizeof(ChannelsFacts) };

const OpprofChipTable onboard_chip_tables[] = {
    { .path = "channels", .table = &channels_table },
    { .path = "perfmon", .table = &perfmon_table },
    { .path = NULL },
};
