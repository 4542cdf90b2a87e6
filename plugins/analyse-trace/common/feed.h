/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_FEED_H
#define ANALYSE_TRACE_COMMON_FEED_H

#include "analyse-trace/common/rank_rows.h"
#include "analyse-trace/common/rules.h"

#include <opprof/stage.h>

/*
 * Shared by all analyses of ranks: spans in, device work out, rank by rank, in order of time; or
 * records of another type, rank by rank as they come.
 *
 * A source that sends its spans by start and sets watermarks costs nothing; spans out of order, or
 * without watermarks, are held until it is certain that nothing earlier follows, at the latest
 * until the end of the rank.
 */

/* A piece of device work, or an iteration. Nanoseconds are from tick 0 of the rank's clock. */
typedef struct Activity {
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t start_tick; /* in the rank's clock */
    uint64_t end_tick;
    uint32_t track;
    uint32_t name;
    ActivityClass class;
    /* The rest is OPPROF_NA_U64 or the absent double where the source does not state it. */
    uint64_t launch_start_ns;
    uint64_t launch_end_ns;
    uint64_t enqueued_tick;
    uint64_t correlation;
    uint64_t bytes;
    uint64_t peer;        /* rank that it communicates with */
    uint64_t launched;    /* pieces of work of the call, if several: 0 but for the first */
    uint64_t launched_ns; /* of all of them, added up */
    double bandwidth;
    uint32_t collective; /* operator and group that it is the kernel of; OPPROF_NA_STRING */
    uint32_t group;
    uint64_t sequence;      /* number in the group */
    uint32_t host_operator; /* what launched it; OPPROF_NA_STRING */
    uint32_t host_annotation;
    uint32_t host_module;
    uint64_t group_size;
    uint64_t in_bytes;
    uint64_t out_bytes;
} Activity;

static inline uint64_t ActivityDuration(const Activity *activity)
{
    return activity->end_ns - activity->start_ns;
}

/* A rank, which is a partition of the spans, while its spans arrive. */
typedef struct FeedRank {
    uint32_t name;  /* interned name of the partition */
    uint32_t clock; /* of its times */
    uint64_t hz;    /* of that clock */
    double us_a_tick;
    int64_t offset_ps; /* of that clock */
    void *state;       /* the analysis' state, zeroed at first */
    Activity *held;    /* not emitted yet */
    size_t held_count;
    size_t held_capacity;
} FeedRank;

/*
 * What an analysis knows of a rank, as records of one type. Its first half, `take` or `read` and
 * `end_rank`, hands them over; its second half, `accept` and `put`, makes the results from them
 * alone, since another run may have made them: see OPPROF_PORT_PARTIAL.
 */
typedef struct FeedPart {
    uint32_t size; /* of a record */
    /* The output port whose rows they are; they go there when all ranks are complete, sorted by
     * rank name. FEED_PORTS: `accept` takes them. */
    uint32_t table;
    OpprofStatus (*accept)(void *self, const FeedRank *rank, const void *record);
} FeedPart;

/*
 * Functions of an analysis. `self` is its struct, which begins with its Feed. There may be very
 * many ranks, one after another: end_rank hands over what is needed at the end. Errors may say why
 * in Feed.error. NULL: nothing.
 */
typedef struct FeedOps {
    size_t size;       /* of the struct */
    size_t state_size; /* of FeedRank.state */
    OpprofStatus (*configure)(void *self, const OpprofParams *params);
    OpprofStatus (*start)(void *self);
    OpprofStatus (*take)(void *self, FeedRank *rank, const Activity *activity);
    /* In place of `take`, and of FEED_PARAMS: a batch of records of another type. */
    OpprofStatus (*read)(void *self, FeedRank *rank, const OpprofBatch *batch);
    OpprofStatus (*end_rank)(void *self, FeedRank *rank); /* the state is freed afterwards */
    OpprofStatus (*put)(void *self); /* other tables, when all ranks are complete */
    void (*finish)(void *self);      /* what the struct owns */
    void (*free_state)(void *state); /* what the state owns */
    const FeedPart *parts;           /* with ports for each, after those that are not partial */
    uint32_t part_count;
    uint32_t first_part; /* output port of the first of them; its input port is 1 */
} FeedOps;

/* Interned keys of the arguments. */
typedef struct FeedKeys {
    uint32_t bandwidth;
    uint32_t bytes;
    uint32_t correlation;
    uint32_t enqueued;
    uint32_t launch_duration;
    uint32_t launch_start;
    uint32_t peer;
    uint32_t launched;
    uint32_t launched_duration;
    uint32_t host_operator;
    uint32_t host_annotation;
    uint32_t host_module;
    uint32_t collective;
    uint32_t group;
    uint32_t sequence;
    uint32_t group_size;
    uint32_t in_bytes;
    uint32_t out_bytes;
} FeedKeys;

#define FEED_PORTS 6u /* first output ports, which may have rows of ranks */

typedef struct Feed {
    OpprofStage *stage;
    const FeedOps *ops;
    const OpprofParams *params; /* of the stage */
    Rules rules;
    FeedKeys keys;
    FeedRank **ranks; /* ranks that are not complete, in order of appearance */
    size_t open_count;
    size_t open_capacity;
    uint64_t *over; /* a bit for each interned name: a rank of that name is complete */
    size_t over_words;
    size_t rank_count; /* of all spans so far */
    uint64_t given;    /* pieces of work and iterations, or records */
    RankRows rows[FEED_PORTS];
    OpprofError **error; /* of the current call */
} Feed;

/* Parameters that every analysis has; see FEED_PARAMS. */
#define FEED_PARAMS                                                                                \
    { .name = "computation",                                                                       \
      .type = OPPROF_PARAM_LIST,                                                                   \
      .default_value = "computation",                                                              \
      .summary = "Slices that are computation; see the README for how to say which." },            \
        { .name = "communication",                                                                 \
          .type = OPPROF_PARAM_LIST,                                                               \
          .default_value = "communication",                                                        \
          .summary = "Slices that are communication; checked before memory and computation." },    \
        { .name = "memory",                                                                        \
          .type = OPPROF_PARAM_LIST,                                                               \
          .default_value = "memory",                                                               \
          .summary = "Slices that are memory work; checked before computation." },                 \
        { .name = "other",                                                                         \
          .type = OPPROF_PARAM_LIST,                                                               \
          .default_value = "other",                                                                \
          .summary = "Slices that are device work of none of these classes; checked last." },      \
    {                                                                                              \
        .name = "steps", .type = OPPROF_PARAM_LIST, .default_value = "step",                       \
        .summary = "Slices that are one iteration each."                                           \
    }

/* The port of an analysis of spans. */
#define FEED_INPUT                                                                                 \
    {                                                                                              \
        .name = "spans", .type = "span", .record_type = &opprof_span_type,                         \
        .summary = "Timelines; a partition is a rank."                                             \
    }

/* That of an analysis of what hosts and devices did. */
#define FEED_PATH_INPUT                                                                            \
    {                                                                                              \
        .name = "path", .type = "host.path", .record_type = &opprof_path_event_type,               \
        .summary = "What hosts and devices did; a partition is a rank."                            \
    }

/* The input and the output of a part. */
#define FEED_PARTIAL(its_name, type_name, its_type, text)                                          \
    {                                                                                              \
        .name = (its_name), .type = (type_name), .record_type = &(its_type),                       \
        .flags = OPPROF_PORT_PARTIAL, .batch_records = 64, .summary = (text)                       \
    }
/* The same of a part that is rows. */
#define FEED_ROWS(its_name, type_name, its_type)                                                   \
    FEED_PARTIAL(its_name, type_name, its_type, "The rows of each rank.")

/* The type of a part that is not rows, and fields of it. */
#define FEED_TYPE(record, type_name, text, list)                                                   \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = (text), .size = sizeof(record), .fields = (list),                               \
        .field_count = OPPROF_COUNT(list)                                                          \
    }
#define FEED_FIELD(record, member, kind, text)                                                     \
    OPPROF_FIELD(record, member, OPPROF_FIELD_##kind, .meaning = (text))
#define FEED_NS(record, member, text)                                                              \
    OPPROF_FIELD(record, member, OPPROF_FIELD_U64, .unit = "ns", .meaning = (text))

/* How many rows, or other things, a table has: `least` to a million. */
#define FEED_PARAM_TOP(least, otherwise, text)                                                     \
    {                                                                                              \
        .name = "top", .type = OPPROF_PARAM_INT, .default_value = (otherwise), .min = (least),     \
        .max = 1000000, .summary = (text)                                                          \
    }

/* Put a row of the rank with that name aside, in `accept`. When all ranks are complete, the rows go
 * to the output port, sorted by rank name. */
static inline OpprofStatus FeedAddRow(Feed *feed, uint32_t port, uint32_t rank, const void *row,
                                      size_t size)
{
    return RankRowsAdd(&feed->rows[port], feed->stage, rank, row, size, feed->error);
}

/* Hand a record of a rank to the second half. Of `rank` name and clock are set. */
OpprofStatus FeedHand(Feed *feed, uint32_t part, const FeedRank *rank, const void *record);

/* A text that recordings may lack; "" then. */
static inline const char *FeedText(const OpprofStage *stage, uint32_t id)
{
    const char *text = OpprofStageString(stage, id);

    return text == NULL ? "" : text;
}

/* Somebody reads the rows of a table, or what a part has in their place. */
bool FeedWants(const Feed *feed, uint32_t part);

/* Intern a word, for FeedOps.start. False without memory. */
bool FeedIntern(const Feed *feed, const char *word, uint32_t *ret_id);

/* The operations of the plugin; FeedCreate makes the struct, zeroed but for its Feed. */
OpprofStatus FeedCreate(OpprofStage *stage, const FeedOps *ops, void **ret_self,
                        OpprofError **error);
OpprofStatus FeedConfigure(void *self, const OpprofParams *params, OpprofError **error);
OpprofStatus FeedStart(void *self, OpprofError **error);
OpprofStatus FeedProcess(void *self, uint32_t port, const OpprofBatch *batch, OpprofError **error);
OpprofStatus FeedFlush(void *self, OpprofError **error);
void FeedDestroy(void *self);

/*
 * The descriptor of an analysis of ranks: what it does (a FeedOps), its arrays of input ports and
 * output ports, and what else a descriptor states.
 */
#define FEED_DEFINE(feed_ops, input_ports, output_ports, ...)                                      \
    static OpprofStatus feed_create(OpprofStage *stage, void **ret_self, OpprofError **error)      \
    {                                                                                              \
        return FeedCreate(stage, &(feed_ops), ret_self, error);                                    \
    }                                                                                              \
    static const OpprofPluginOps feed_plugin_ops = { .struct_size = sizeof(OpprofPluginOps),       \
                                                     .create = feed_create,                        \
                                                     .configure = FeedConfigure,                   \
                                                     .start = FeedStart,                           \
                                                     .process = FeedProcess,                       \
                                                     .flush = FeedFlush,                           \
                                                     .destroy = FeedDestroy };                     \
    OPPROF_PLUGIN_DEFINE(.version = "1.0", .license = "Apache-2.0", .kind = OPPROF_ANALYSIS,       \
                         .inputs = (input_ports), .input_count = OPPROF_COUNT(input_ports),        \
                         .outputs = (output_ports), .output_count = OPPROF_COUNT(output_ports),    \
                         .ops = &feed_plugin_ops, __VA_ARGS__)
/* The same of an analysis of spans, with its array of parameters. */
#define FEED_DEFINE_SPANS(feed_ops, input_ports, output_ports, its_params, ...)                    \
    FEED_DEFINE(feed_ops, input_ports, output_ports, .params = (its_params),                       \
                .param_count = OPPROF_COUNT(its_params), __VA_ARGS__)

#endif
