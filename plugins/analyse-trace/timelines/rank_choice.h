/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_TIMELINES_RANK_CHOICE_H
#define ANALYSE_TRACE_TIMELINES_RANK_CHOICE_H

#include "analyse-trace/common/breakdown.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/timelines/choice.h"

#include <opprof/stage.h>

/* What a piece of advice is about, interned, and its place among those of its rule. */
typedef struct Advised {
    uint32_t subject;
    uint32_t place;
} Advised;

/* What is known of the ranks, and which are chosen. Zeroed but for stage and wish it has none. */
typedef struct RankChoice {
    OpprofStage *stage;
    TimelineWish wish;
    RankTime *ranks; /* as the breakdown lists them */
    uint32_t rank_count;
    uint32_t rank_capacity;
    OpprofMap places; /* in the ranks, by interned name */
    OpprofMap lost;   /* ranks without a whole timeline, by interned name; the owner's to fill */
    Advised *advised;
    uint32_t advised_count;
    uint32_t advised_capacity;
    ItemMap rules; /* uint32_t: advice of each rule */
} RankChoice;

/* Note a rank, by its breakdown, and what advice is about. OPPROF_OK or OPPROF_E_MEMORY. */
OpprofStatus RankChoiceTakeRank(RankChoice *choice, const BreakdownRow *row, OpprofError **error);
OpprofStatus RankChoiceTakeAdvice(RankChoice *choice, const OpprofAdvice *advice,
                                  OpprofError **error);

/* Choose, when all is noted. OPPROF_E_ARGUMENT if the user names a rank that does not exist. */
OpprofStatus RankChoiceMake(RankChoice *choice, OpprofError **error);

/* Whether the rank of that interned name is chosen. */
bool RankChoiceHas(const RankChoice *choice, uint32_t rank);

/* Push a row for each chosen rank, and say on the screen which these are. */
OpprofStatus RankChoicePut(const RankChoice *choice, uint32_t port);

/* Type of these rows. */
extern const OpprofRecordType rank_choice_type;

/* A zeroed one is allowed. */
void RankChoiceFinish(RankChoice *choice);

#endif
