/* SPDX-License-Identifier: Apache-2.0 */
/* What a chip file may state of profiling channels. Tested by tests/e2e/chip_mistakes.sh. */
#include "channel_facts.h"

#include "perfmon_facts.h"

#define WHOLE(text, ...)                                                                           \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_WHOLE, __VA_ARGS__                                  \
    }
#define FLAG(text)                                                                                 \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_BOOL                                                \
    }
/* The words of a channel's user data: numbers, or names of what stands there. */
#define WORDS(names)                                                                               \
    {                                                                                              \
        .name = "data", .type = OPPROF_FACT_IS_LIST, .flags = OPPROF_FACT_REQUIRED,                \
        .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE, .most = UINT32_MAX,                     \
                             .either =                                                             \
                                 OPPROF_FACT_OF(.type = OPPROF_FACT_IS_CHOICE, .from = (names)))   \
    }

static const OpprofFactField channel_fields[] = {
    WHOLE("channel", .flags = OPPROF_FACT_REQUIRED, .most = UINT32_MAX),
    WHOLE("kind", .most = 255),
    WHOLE("period", .most = UINT32_MAX),
    WHOLE("slots", .most = 64),
    FLAG("joint"),
    FLAG("own_pass"),
    WHOLE("kernel_scale_tag", .most = UINT32_MAX),
    { "events", OPPROF_FACT_IS_LIST,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE, .most = 65535) },
    WORDS("'cube16','vector16','core32','l2','tag'"),
    { .name = NULL },
};
static const OpprofFactField trace_fields[] = {
    WHOLE("channel", .flags = OPPROF_FACT_REQUIRED, .most = 65535),
    WHOLE("count", .flags = OPPROF_FACT_REQUIRED, .least = 1, .most = 30),
    WORDS("'mode','loss'"),
    WHOLE("loss_since", .most = UINT32_MAX),
    WHOLE("chunk", .flags = OPPROF_FACT_REQUIRED, .least = 1, .most = UINT32_MAX, .unit = "bytes"),
    { .name = NULL },
};
static const OpprofFactField fields[] = {
    { "counters", OPPROF_FACT_IS_OBJECT, .of = channel_fields },
    { "tasks", OPPROF_FACT_IS_OBJECT, .of = channel_fields },
    { "aicpu", OPPROF_FACT_IS_OBJECT, .of = channel_fields },
    { "l2", OPPROF_FACT_IS_OBJECT, .of = channel_fields },
    { "trace", OPPROF_FACT_IS_OBJECT, .of = trace_fields },
    WHOLE("command", .least = 0),
    WHOLE("clear_bytes", .unit = "bytes"),
    { .name = NULL },
};
static const OpprofFactTable table = { .fields = fields };

const OpprofChipTable onboard_chip_tables[] = {
    { .path = "channels", .table = &table },
    { .path = "perfmon", .table = &perfmon_table },
    { .path = NULL },
};
