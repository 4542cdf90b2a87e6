/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-copies: copies by direction and kind of the host's memory, and how large they are.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <stdlib.h>
#include <string.h>

#define MEMCPY "Memcpy "
#define DIRECTION 4u /* "HtoD": so many letters after it */

enum { UP_TO_4_KIB, UP_TO_64_KIB, UP_TO_1_MIB, UP_TO_16_MIB, LARGER, SIZES };

static const uint64_t size_limits[SIZES] = { 4096, 65536, 1048576, 16777216, UINT64_MAX };

/* Kinds of the host's memory, as profilers write them in the names of copies. */
static const struct {
    const char *part;
    const char *memory;
} memories[] = { { "Pageable", "pageable" },
                 { "Pinned", "pinned" },
                 { "Managed", "managed" },
                 { "Unified", "managed" } };

/* Direction and memory of a name. */
typedef struct NameFacts {
    bool is_known;
    uint32_t direction;
    uint32_t memory;
} NameFacts;

/* Copies of one direction and memory. */
typedef struct CopySum {
    uint32_t direction;
    uint32_t memory;
    uint64_t count;
    uint64_t ns;
    uint64_t bytes;
    uint64_t bytes_ns; /* of those with known bytes */
    uint64_t sizes[SIZES];
} CopySum;

typedef struct RankCopies {
    ItemMap names; /* of NameFacts, by interned name */
    ItemMap sums;  /* of CopySum */
} RankCopies;

typedef struct Copies {
    Feed feed; /* first: see FeedCreate */
} Copies;

typedef struct CopyRow {
    uint32_t rank;
    uint32_t direction;
    uint32_t memory;
    uint32_t reserved;
    uint64_t count;
    double total_us;
    uint64_t bytes;
    double bandwidth;
    uint64_t sizes[SIZES];
} CopyRow;

#define COPY_SIZE(size, name_text, head, text)                                                     \
    {                                                                                              \
        .name = (name_text), .heading = (head), .kind = OPPROF_FIELD_U64,                          \
        .offset = (uint32_t) (offsetof(CopyRow, sizes) + (size) * sizeof(uint64_t)), .unit = "1",  \
        .meaning = (text)                                                                          \
    }

static const OpprofField fields[] = {
    OPPROF_FIELD(CopyRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(CopyRow, direction, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "HtoD: from host to device, and so on; fill: memory is set."),
    OPPROF_FIELD(CopyRow, memory, OPPROF_FIELD_STRING, .heading = "host_memory",
                 .flags = OPPROF_FIELD_KEY,
                 .meaning = "Kind of the host's memory: pageable, pinned or managed.",
                 .absent = "the host has no part in it, or the trace does not say"),
    OPPROF_FIELD(CopyRow, count, OPPROF_FIELD_U64, .unit = "1", .meaning = "Copies."),
    OPPROF_FIELD(CopyRow, total_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .heading = "total(us)", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Their durations, added up."),
    OPPROF_FIELD(CopyRow, bytes, OPPROF_FIELD_U64, .unit = "byte",
                 .meaning = "Bytes moved, as far as copies state them."),
    OPPROF_FIELD(CopyRow, bandwidth, OPPROF_FIELD_F64, .unit = "GB/s", .decimals = 4,
                 .heading = "bandwidth(GB/s)", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Those bytes over the time of these copies.",
                 .absent = "no copy states its bytes"),
    COPY_SIZE(UP_TO_4_KIB, "up_to_4_kib", "up_to_4_KiB", "Copies of at most 4 KiB."),
    COPY_SIZE(UP_TO_64_KIB, "up_to_64_kib", "up_to_64_KiB", "Larger ones of at most 64 KiB."),
    COPY_SIZE(UP_TO_1_MIB, "up_to_1_mib", "up_to_1_MiB", "Larger ones of at most 1 MiB."),
    COPY_SIZE(UP_TO_16_MIB, "up_to_16_mib", "up_to_16_MiB", "Larger ones of at most 16 MiB."),
    COPY_SIZE(LARGER, "larger", "larger", "Larger ones than all these."),
};

static const OpprofRecordType copy_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.copies",
    .summary = "Copies by direction and kind of the host's memory.",
    .size = sizeof(CopyRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Sizes of copies",
    .file_hint = "copies",
};

/* ---- collecting ---- */

static void read_name(OpprofStage *stage, uint32_t name, NameFacts *facts)
{
    const char *text = OpprofStageString(stage, name);
    const bool is_copy = strncmp(text, MEMCPY, sizeof MEMCPY - 1) == 0;
    const char *direction = is_copy                           ? text + sizeof MEMCPY - 1
                            : strncmp(text, "Memset", 6) == 0 ? "fill"
                                                              : "other";
    const char *memory = NULL;

    for (size_t i = 0; memory == NULL && i < OPPROF_COUNT(memories); i++) {
        memory = strstr(text, memories[i].part) == NULL ? NULL : memories[i].memory;
    }
    facts->is_known = true;
    facts->direction = OpprofStageIntern(
        stage, direction, is_copy && strlen(direction) > DIRECTION ? DIRECTION : strlen(direction));
    facts->memory =
        memory == NULL ? OPPROF_NA_STRING : OpprofStageIntern(stage, memory, strlen(memory));
}

static void add_size(CopySum *sum, const Activity *activity)
{
    uint32_t size = 0;

    if (activity->bytes == OPPROF_NA_U64) {
        return;
    }
    while (size + 1 < SIZES && activity->bytes > size_limits[size]) {
        size++;
    }
    sum->sizes[size]++;
    sum->bytes += activity->bytes;
    sum->bytes_ns += ActivityDuration(activity);
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    Copies *self = context;
    RankCopies *copies = rank->state;
    NameFacts *facts;
    CopySum *sum;

    if (activity->class != ACTIVITY_MEMORY) {
        return OPPROF_OK;
    }
    facts = ItemMapGet(&copies->names, activity->name, sizeof *facts);
    if (facts == NULL) {
        return OPPROF_E_MEMORY;
    }
    if (!facts->is_known) {
        read_name(self->feed.stage, activity->name, facts);
    }
    sum = ItemMapGet(&copies->sums, (uint64_t) facts->direction << 32 | facts->memory, sizeof *sum);
    if (sum == NULL || facts->direction == OPPROF_NA_STRING) {
        return OPPROF_E_MEMORY;
    }
    sum->direction = facts->direction;
    sum->memory = facts->memory;
    sum->count++;
    sum->ns += ActivityDuration(activity);
    add_size(sum, activity);
    return OPPROF_OK;
}

static void free_state(void *state)
{
    RankCopies *copies = state;

    ItemMapFree(&copies->names);
    ItemMapFree(&copies->sums);
}

/* ---- table ---- */

static int compare_sums(const void *a, const void *b, void *stage)
{
    const CopySum *left = *(const CopySum *const *) a;
    const CopySum *right = *(const CopySum *const *) b;

    if (left->ns != right->ns) {
        return left->ns < right->ns ? 1 : -1;
    }
    if (left->direction != right->direction) {
        return strcmp(OpprofStageString(stage, left->direction),
                      OpprofStageString(stage, right->direction));
    }
    return strcmp(OpprofStageString(stage, left->memory), OpprofStageString(stage, right->memory));
}

static OpprofStatus add_row(Copies *self, const FeedRank *rank, const CopySum *sum)
{
    CopyRow row = { .rank = rank->name,
                    .direction = sum->direction,
                    .memory = sum->memory,
                    .count = sum->count,
                    .total_us = Microseconds(sum->ns),
                    .bytes = sum->bytes,
                    .bandwidth = sum->bytes_ns == 0
                                     ? OpprofNaF64()
                                     : (double) sum->bytes / (double) sum->bytes_ns };

    memcpy(row.sizes, sum->sizes, sizeof row.sizes);
    return FeedHand(&self->feed, 0, rank, &row);
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Copies *self = context;
    const RankCopies *copies = rank->state;
    void **list = ItemMapSorted(&copies->sums, compare_sums, self->feed.stage);
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < copies->sums.count; i++) {
        status = add_row(self, rank, list[i]);
    }
    free(list);
    return status;
}

static const FeedPart parts[] = {
    { .size = sizeof(CopyRow), .table = 0 },
};

static const FeedOps feed_ops = {
    .size = sizeof(Copies),
    .state_size = sizeof(RankCopies),
    .take = take,
    .end_rank = end_rank,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = 1,
};

#define PARTIALS FEED_ROWS("copies-partial", "trace.copies", copy_type)

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    { .name = "copies",
      .record_type = &copy_type,
      .summary = "One row per rank, direction and kind of memory, the most time first." },
    PARTIALS,
};

static const OpprofParam params[] = { FEED_PARAMS };

FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "trace-copies",
                  .summary = "Shows copies by direction, kind of the host's memory, and size.");
