/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the tables of a critical path.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_writer.h"
#include "analyse-trace/common/rows.h"
#include "analyse-trace/path/path_draw.h"

#include <opprof/records/activity.h>
#include <stdlib.h>
#include <string.h>

static const char *const part_words[PATH_PARTS] = {
    [PATH_HOST] = "host",
    [PATH_DATA_LOADING] = "data_loading",
    [PATH_LAUNCH] = "launch_delay",
    [PATH_QUEUE] = "kernel_gap",
    [PATH_COMPUTATION] = OPPROF_ACTIVITY_COMPUTATION,
    [PATH_COMMUNICATION] = OPPROF_ACTIVITY_COMMUNICATION,
    [PATH_MEMORY] = OPPROF_ACTIVITY_MEMORY,
    [PATH_OUTSIDE] = "outside_operators",
    [PATH_WAIT] = "wait",
};

typedef struct PartRow {
    uint32_t rank;
    uint32_t part;
    double time_us;
    double percent;
    uint64_t count;
    double half_gain_us;
    double whole_gain_us;
    double length_us;
} PartRow;

typedef struct NameRow {
    uint32_t rank;
    uint32_t part;
    uint32_t name;
    uint32_t short_name;
    uint32_t demangled;
    uint32_t reserved;
    double time_us;
    double percent;
    uint64_t count;
    double length_us;
} NameRow;

typedef struct RankRow {
    uint32_t rank;
    uint32_t reserved;
    double time_us;
    double percent;
    uint64_t count;
    uint64_t entered;
} RankRow;

#define PATH_TIME(type, member, head, text, ...)                                                   \
    OPPROF_FIELD(type, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE, .unit = "us",     \
                 .decimals = 4, .heading = (head), .flags = OPPROF_FIELD_ALONE, .meaning = (text), \
                 __VA_ARGS__)
#define PATH_LENGTH(type, more)                                                                    \
    OPPROF_FIELD(type, length_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE, .unit = "us",  \
                 .decimals = 4, .heading = "path(us)",                                             \
                 .flags = OPPROF_FIELD_ALONE | OPPROF_FIELD_WHOLE | (more),                        \
                 .meaning = "Length of the rank's path: from its first moment to its last one.")
#define GAIN_IS_ABSENT                                                                             \
    "the trace does not record who waited for whom, or the rank communicates with others"

static const OpprofField part_fields[] = {
    OPPROF_FIELD(PartRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER,
                 .meaning = "Rank, or 'all': the path through all ranks."),
    OPPROF_FIELD(
        PartRow, part, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
        .meaning =
            "host: operators and calls; launch_delay: from a call to its work; kernel_gap: from "
            "one piece of work to the one that waited for it; outside_operators: the host, outside "
            "of all operators and calls; data_loading: the host loads data; wait: places where the "
            "path moves from one rank to one that waited for it; computation: work of that class; "
            "communication: work of that class; memory: work of that class"),
    OPPROF_FIELD(PartRow, time_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .heading = "time(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Time of the path that it takes."),
    OPPROF_FIELD(PartRow, percent, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "%",
                 .decimals = 4, .heading = "share(%)",
                 .meaning = "That time as a part of the path's length."),
    OPPROF_FIELD(PartRow, count, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .heading = "pieces", .meaning = "Pieces of the path."),
    PATH_TIME(PartRow, half_gain_us, "gain_if_half(us)",
              "How much shorter the longest path would be if all of this part took half its time.",
              .absent = GAIN_IS_ABSENT),
    PATH_TIME(PartRow, whole_gain_us, "gain_if_none(us)", "The same if it took no time at all.",
              .absent = GAIN_IS_ABSENT),
    PATH_LENGTH(PartRow, 0),
};

static const OpprofField name_fields[] = {
    OPPROF_FIELD(NameRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER,
                 .meaning = "Rank, or 'all': the path through all ranks."),
    OPPROF_FIELD(NameRow, part, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Part of the path."),
    OPPROF_FIELD(NameRow, name, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Operator, call or work; of launch_delay the work that begins, of "
                            "kernel_gap the work before, of outside_operators the operator or "
                            "call after it."),
    OPPROF_FIELD(NameRow, time_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .heading = "time(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Time of the path."),
    OPPROF_FIELD(NameRow, percent, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "%",
                 .decimals = 4, .heading = "share(%)",
                 .meaning = "That time as a part of the path's length."),
    OPPROF_FIELD(NameRow, count, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .heading = "pieces", .meaning = "Pieces of the path."),
    PATH_LENGTH(NameRow, OPPROF_FIELD_HIDDEN),
    ROWS_SHORT_NAME(NameRow, short_name, "short_name"),
    ROWS_DEMANGLED_NAME(NameRow, demangled, "demangled"),
};

static const OpprofField rank_fields[] = {
    OPPROF_FIELD(RankRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY, .meaning = "Rank."),
    OPPROF_FIELD(RankRow, time_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_SUM, .unit = "us",
                 .decimals = 4, .heading = "time(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Time of the path through all ranks that lies on this rank."),
    OPPROF_FIELD(RankRow, percent, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "%",
                 .decimals = 4, .heading = "share(%)",
                 .meaning = "That time as a part of the path's length."),
    OPPROF_FIELD(RankRow, count, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .heading = "pieces", .meaning = "Pieces of the path."),
    OPPROF_FIELD(RankRow, entered, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "How often the path enters it from another rank."),
};

const OpprofRecordType path_part_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.critical-path",
    .summary = "The parts of the longest path of each rank.",
    .size = sizeof(PartRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = part_fields,
    .field_count = OPPROF_COUNT(part_fields),
    .title = "Critical path",
    .file_hint = "critical_path",
};

const OpprofRecordType path_name_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.critical-path-names",
    .summary = "What takes most of the longest path.",
    .size = sizeof(NameRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = name_fields,
    .field_count = OPPROF_COUNT(name_fields),
    .title = "Critical path by name",
    .file_hint = "critical_path_names",
};

const OpprofRecordType path_rank_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.critical-path-ranks",
    .summary = "Which ranks the longest path through all of them is on.",
    .size = sizeof(RankRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = rank_fields,
    .field_count = OPPROF_COUNT(rank_fields),
    .title = "Critical path by rank",
    .file_hint = "critical_path_ranks",
};

static double length_us(const Path *path)
{
    return (double) path->found.length * path->us_a_tick;
}

static double percent_of(const Path *path, uint64_t ticks)
{
    return path->found.length == 0 ? 0 : 100.0 * (double) ticks / (double) path->found.length;
}

static double half_us(const Path *path, uint64_t half_ticks)
{
    return (double) half_ticks / 2 * path->us_a_tick;
}

static double gain_us(const Path *path, uint64_t half_ticks)
{
    return path->found.has_gains ? half_us(path, half_ticks) : OpprofNaF64();
}

OpprofStatus PathWriteParts(const PathWriter *writer, const Path *path)
{
    const PathFound *found = &path->found;

    for (int part = 0; part < PATH_PARTS; part++) {
        const PathSum *sum = &found->parts[part];
        const PartRow row = { .rank = path->rank,
                              .part = writer->part_ids[part],
                              .time_us = (double) sum->ticks * path->us_a_tick,
                              .percent = percent_of(path, sum->ticks),
                              .count = sum->count,
                              .half_gain_us = gain_us(path, found->half_gains[part]),
                              .whole_gain_us = gain_us(path, found->whole_gains[part]),
                              .length_us = length_us(path) };
        const OpprofStatus status =
            sum->count == 0 ? OPPROF_OK
                            : OpprofStageAppend(writer->stage, OUTPUT_PARTS, path->rank, &row);

        if (status != OPPROF_OK) {
            return status;
        }
    }
    return OPPROF_OK;
}

static int compare_sums(const void *a, const void *b, void *stage)
{
    const PathNameSum *left = *(const PathNameSum *const *) a;
    const PathNameSum *right = *(const PathNameSum *const *) b;

    if (left->sum.ticks != right->sum.ticks) {
        return left->sum.ticks < right->sum.ticks ? 1 : -1;
    }
    if (left->part != right->part) {
        return left->part < right->part ? -1 : 1;
    }
    return strcmp(OpprofStageString(stage, left->name), OpprofStageString(stage, right->name));
}

OpprofStatus PathWriteNames(const PathWriter *writer, const Path *path)
{
    OpprofStatus status = OPPROF_OK;
    ItemMap names = { .count = 0 };
    void **list = PathFoundNames(&path->found, &names)
                      ? ItemMapSorted(&names, compare_sums, writer->stage)
                      : NULL;

    if (list == NULL) {
        status = OPPROF_E_MEMORY;
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < names.count && i < writer->top; i++) {
        const PathNameSum *sum = list[i];
        const NameRow row = { .rank = path->rank,
                              .part = writer->part_ids[sum->part],
                              .name = sum->name,
                              .short_name = RowsShortName(writer->stage, sum->name),
                              .demangled = RowsDemangledName(writer->stage, sum->name),
                              .time_us = (double) sum->sum.ticks * path->us_a_tick,
                              .percent = percent_of(path, sum->sum.ticks),
                              .count = sum->sum.count,
                              .length_us = length_us(path) };

        status = OpprofStageAppend(writer->stage, OUTPUT_NAMES, path->rank, &row);
    }
    free(list);
    ItemMapFree(&names);
    return status;
}

/* ---- all ranks ---- */

/* The ranks by time on the path; equal ones keep their order. */
static int compare_ranks(const void *a, const void *b, void *context)
{
    const RankSum *sums = context;
    const RankSum *left = &sums[*(const uint32_t *) a];
    const RankSum *right = &sums[*(const uint32_t *) b];

    if (left->sum.ticks != right->sum.ticks) {
        return left->sum.ticks < right->sum.ticks ? 1 : -1;
    }
    return (left > right) - (left < right);
}

static OpprofStatus put_ranks(const PathWriter *writer, const Path *path, const PathRanks *all,
                              const RankSum *sums)
{
    const uint32_t count = all->rank_count;
    uint32_t *order = reallocarray(NULL, (size_t) count + 1, sizeof *order);
    OpprofStatus status = order == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; order != NULL && i < count; i++) {
        order[i] = i;
    }
    if (order != NULL) {
        qsort_r(order, count, sizeof *order, compare_ranks, (void *) (uintptr_t) sums);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < count; i++) {
        const RankSum *sum = &sums[order[i]];
        const RankRow row = { .rank = all->ranks[order[i]].name,
                              .time_us = (double) sum->sum.ticks * path->us_a_tick,
                              .percent = percent_of(path, sum->sum.ticks),
                              .count = sum->sum.count,
                              .entered = sum->entered };

        if (sum->sum.count > 0) {
            status = OpprofStageAppend(writer->stage, OUTPUT_RANKS, path->rank, &row);
        }
    }
    free(order);
    return status;
}

OpprofStatus PathWriteRanks(const PathWriter *writer, const Path *path, const PathRanks *all,
                            const RankSum *sums)
{
    const OpprofStatus status = put_ranks(writer, path, all, sums);

    return status == OPPROF_OK ? PathDrawAll(writer, path, all) : status;
}

/* ---- life ---- */

bool PathWriterStart(PathWriter *writer)
{
    for (size_t i = 0; i < PATH_PARTS; i++) {
        writer->part_ids[i] =
            OpprofStageIntern(writer->stage, part_words[i], strlen(part_words[i]));
        if (writer->part_ids[i] == OPPROF_NA_STRING) {
            return false;
        }
    }
    return true;
}
