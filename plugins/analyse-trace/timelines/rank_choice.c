/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects what the choice of ranks rests on, and says which ones were chosen.
 * Tested by tests/plugins/analyse-trace/test_timelines.
 */
#include "analyse-trace/timelines/rank_choice.h"

#include "analyse-trace/common/rows.h"

#include <opprof/grow.h>
#include <opprof/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MOST 16u  /* ranks in a warning */
#define SUBJECT "rank " /* begins the subject of advice about a rank */

typedef struct TimelineRow {
    uint32_t rank;
    uint32_t why;
    double own_us;
} TimelineRow;

static const OpprofField fields[] = {
    OPPROF_FIELD(TimelineRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Rank that has a timeline."),
    OPPROF_FIELD(TimelineRow, why, OPPROF_FIELD_STRING, .heading = "reason",
                 .meaning = "slowest, median, fastest: by own_time(us); advice: some advice is "
                            "about it; named: the user named it."),
    OPPROF_FIELD(TimelineRow, own_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .heading = "own_time(us)",
                 .meaning = "Time in which it computed or was idle; in the rest of its time it "
                            "communicated or copied, and may have waited for other ranks."),
};

const OpprofRecordType rank_choice_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.timelines",
    .summary = "Ranks that have timelines, where not all have.",
    .size = sizeof(TimelineRow),
    .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Ranks with timelines",
    .file_hint = "timelines",
};

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "choose timelines");
}

/* ---- input ---- */

OpprofStatus RankChoiceTakeRank(RankChoice *choice, const BreakdownRow *row, OpprofError **error)
{
    if (strcmp(OpprofStageString(choice->stage, row->rank), BREAKDOWN_ALL) == 0) {
        return OPPROF_OK;
    }
    if (!OpprofGrow32(&choice->ranks, &choice->rank_capacity, (size_t) choice->rank_count + 1,
                      sizeof *choice->ranks) ||
        !OpprofMapPut(&choice->places, row->rank, choice->rank_count)) {
        return no_memory(error);
    }
    choice->ranks[choice->rank_count++] = (RankTime){ .rank = row->rank,
                                                      .advised = UINT32_MAX,
                                                      .can_be = row->kernel_us > 0,
                                                      .own_us = row->compute_us + row->idle_us };
    return OPPROF_OK;
}

OpprofStatus RankChoiceTakeAdvice(RankChoice *choice, const OpprofAdvice *advice,
                                  OpprofError **error)
{
    uint32_t *count = ItemMapGet(&choice->rules, advice->rule, sizeof *count);

    if (count == NULL ||
        !OpprofGrow32(&choice->advised, &choice->advised_capacity,
                      (size_t) choice->advised_count + 1, sizeof *choice->advised)) {
        return no_memory(error);
    }
    choice->advised[choice->advised_count++] = (Advised){ advice->subject, (*count)++ };
    return OPPROF_OK;
}

/* ---- the choice ---- */

static const char *name_at(const RankChoice *choice, uint32_t place)
{
    return OpprofStageString(choice->stage, choice->ranks[place].rank);
}

/* The rank of that name; NULL: there is none. */
static RankTime *find_rank(RankChoice *choice, const char *name)
{
    const uint32_t id = OpprofStageIntern(choice->stage, name, strlen(name));
    const uint32_t place = OpprofMapFind(&choice->places, id);

    return place == OPPROF_MAP_NONE ? NULL : &choice->ranks[place];
}

static void note_advised(RankChoice *choice)
{
    for (uint32_t i = 0; i < choice->advised_count; i++) {
        const Advised *advised = &choice->advised[i];
        const char *subject = OpprofStageString(choice->stage, advised->subject);
        RankTime *rank = strncmp(subject, SUBJECT, sizeof SUBJECT - 1) == 0
                             ? find_rank(choice, subject + sizeof SUBJECT - 1)
                             : NULL;

        if (rank != NULL && advised->place < rank->advised) {
            rank->advised = advised->place;
        }
    }
}

static void leave_lost(RankChoice *choice)
{
    for (uint32_t i = 0; i < choice->rank_count; i++) {
        RankTime *rank = &choice->ranks[i];

        rank->can_be = rank->can_be && OpprofMapFind(&choice->lost, rank->rank) == OPPROF_MAP_NONE;
    }
    if (choice->lost.count > 0) {
        OpprofStageWarn(choice->stage,
                        "Timelines of %u ranks, read last, could not be chosen, since those before "
                        "fill the file for them (parameter 'most_kept')",
                        choice->lost.count);
    }
}

static OpprofStatus refuse(const RankChoice *choice, const char *name, OpprofError **error)
{
    const char **names = calloc((size_t) choice->rank_count + 1, sizeof *names);
    const char *nearest;

    for (uint32_t i = 0; names != NULL && i < choice->rank_count; i++) {
        names[i] = name_at(choice, i);
    }
    nearest = names == NULL ? NULL : OpprofNearestName(name, names, choice->rank_count);
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "No timeline of rank '%s': the input has no such rank",
                   name);
    if (nearest != NULL) {
        OpprofErrorHint(error, "Did you mean '%s'?", nearest);
    }
    free(names);
    return OPPROF_E_ARGUMENT;
}

static OpprofStatus choose_named(RankChoice *choice, OpprofError **error)
{
    for (size_t i = 0; i < choice->wish.name_count; i++) {
        const char *name = TimelineWishName(&choice->wish, i);
        RankTime *rank = find_rank(choice, name);

        if (rank == NULL) {
            return refuse(choice, name, error);
        }
        rank->why = "named";
    }
    return OPPROF_OK;
}

OpprofStatus RankChoiceMake(RankChoice *choice, OpprofError **error)
{
    if (choice->wish.name_count > 0) {
        return choose_named(choice, error);
    }
    note_advised(choice);
    leave_lost(choice);
    return TimelinesChoose(choice->ranks, choice->rank_count, choice->wish.most) == OPPROF_OK
               ? OPPROF_OK
               : no_memory(error);
}

bool RankChoiceHas(const RankChoice *choice, uint32_t rank)
{
    const uint32_t place = OpprofMapFind(&choice->places, rank);

    return place != OPPROF_MAP_NONE && choice->ranks[place].why != NULL;
}

/* ---- results ---- */

/* "997 (slowest), 500 (median) …" */
static void list_ranks(const RankChoice *choice, char *out, size_t size)
{
    size_t length = 0;
    uint32_t named = 0;

    out[0] = '\0';
    for (uint32_t i = 0; i < choice->rank_count && length < size; i++) {
        const RankTime *rank = &choice->ranks[i];

        if (rank->why == NULL || named > NAMED_MOST) {
            continue;
        }
        length += (size_t) (named < NAMED_MOST
                                ? snprintf(out + length, size - length, "%s%s (%s)",
                                           named == 0 ? "" : ", ", name_at(choice, i), rank->why)
                                : snprintf(out + length, size - length, " …"));
        named++;
    }
}

static void report_choice(const RankChoice *choice, uint32_t count)
{
    char names[512];

    list_ranks(choice, names, sizeof names);
    OpprofStageWarn(choice->stage,
                    "%u of %u ranks have timelines%s%s; the tables have all. --set timelines=all "
                    "gives all timelines, --set timelines=3,17 those of ranks 3 and 17",
                    count, choice->rank_count, count == 0 ? "" : ": ", names);
}

OpprofStatus RankChoicePut(const RankChoice *choice, uint32_t port)
{
    Rows rows = { .stage = choice->stage, .port = port };
    uint32_t count = 0;

    for (uint32_t i = 0; i < choice->rank_count; i++) {
        const RankTime *rank = &choice->ranks[i];
        TimelineRow *row = rank->why == NULL ? NULL : RowsNext(&rows);

        if (row != NULL) {
            *row = (TimelineRow){ .rank = rank->rank,
                                  .why = RowsText(&rows, rank->why),
                                  .own_us = rank->own_us };
        }
        count += rank->why != NULL;
    }
    report_choice(choice, count);
    return RowsEnd(&rows);
}

void RankChoiceFinish(RankChoice *choice)
{
    OpprofMapFinish(&choice->places);
    OpprofMapFinish(&choice->lost);
    ItemMapFree(&choice->rules);
    free(choice->ranks);
    free(choice->advised);
}
