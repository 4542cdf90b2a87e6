/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that pass unprofiled, counted by what the program's library says of them. Tested by
 * tests/refchip/test_interface.sh. */
#include "kit/live/live_server.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REASONS 256u

#define NAMES_SAID 3u

/* The next name in quotes, of several with ", " between; NULL: there is none. Moves on. */
static const char *next_name(const char **at, char *name, size_t size)
{
    const char *end = **at == '\'' ? strstr(*at, "', ") : NULL;

    if (end == NULL) {
        return NULL;
    }
    snprintf(name, size, "%.*s", (int) (end - *at) - 1, *at + 1);
    *at = end + 3;
    return name;
}

/* The sentence with the wanted kernels, and of many the first. False: none of them is wanted. */
static bool choose_names(const LiveTally *tally, const char *text, char *chosen, size_t size)
{
    char name[OPPROF_LIVE_MOST_NAME + 1];
    const char *why = text;
    unsigned wanted = 0, others = 0;
    size_t used = 0;

    while (next_name(&why, name, sizeof name) != NULL) {
        if (!LiveNamesMatch(tally->names, name)) {
            others++;
        } else if (wanted++ < NAMES_SAID && used < size) {
            used += (size_t) snprintf(chosen + used, size - used, "'%s', ", name);
        }
    }
    if (wanted > NAMES_SAID && used < size) {
        used += (size_t) snprintf(chosen + used, size - used, "and %u more, ", wanted - NAMES_SAID);
    }
    if (used < size) {
        snprintf(chosen + used, size - used, "%s", why);
    }
    return wanted > 0 || others == 0;
}

void LiveTallyAdd(LiveTally *tally, const char *text, bool is_recorded)
{
    char chosen[OPPROF_LIVE_MOST_NOTE + 64];
    size_t length;
    uint32_t place;

    if (!choose_names(tally, text, chosen, sizeof chosen)) {
        tally->unnamed += !is_recorded;
        return;
    }
    length = strlen(chosen);
    *(is_recorded ? &tally->recorded : &tally->launches) += 1;
    place = OpprofTextMapFind(&tally->places, chosen, length);
    if (place == OPPROF_MAP_NONE && tally->count < MOST_REASONS &&
        OpprofGrow32(&tally->reasons, &tally->room, (size_t) tally->count + 1,
                     sizeof *tally->reasons) &&
        OpprofTextMapPut(&tally->places, chosen, length, tally->count,
                         &tally->reasons[tally->count].text)) {
        place = tally->count++;
        tally->reasons[place].launches = 0;
        tally->reasons[place].is_recorded = is_recorded;
    }
    if (place != OPPROF_MAP_NONE) {
        tally->reasons[place].launches++;
    }
}

static void report_recorded(const LiveTally *tally, OpprofStage *stage)
{
    if (tally->recorded == 0) {
        return;
    }
    OpprofStageCount(stage, "launches recorded", tally->recorded);
    for (uint32_t i = 0; i < tally->count; i++) {
        const LiveReason *reason = &tally->reasons[i];

        if (reason->is_recorded) {
            OpprofStageWarn(stage, "%" PRIu64 " %s when executed: %s", reason->launches,
                            OPPROF_PLURAL(reason->launches, "launch counts", "launches count"),
                            reason->text);
        }
    }
}

/* Where a reason's function begins: "by FUNCTION, why". 0: it has none. */
static size_t function_of(const char *text)
{
    static const char *const leads[] = { "by ", "executions by " };

    for (size_t i = 0; i < OPPROF_COUNT(leads); i++) {
        if (strncmp(text, leads[i], strlen(leads[i])) == 0 && strstr(text, ", ") != NULL) {
            return strlen(leads[i]);
        }
    }
    return 0;
}

/* Whether two reasons differ in the function alone. */
static bool is_alike(const LiveReason *a, const LiveReason *b)
{
    const size_t at = function_of(a->text);

    return !b->is_recorded && at > 0 && function_of(b->text) == at &&
           strcmp(strstr(a->text, ", "), strstr(b->text, ", ")) == 0;
}

/* One sentence for a reason and those like it: "by A (2), B, why". Their launches. */
static uint64_t print_reason(const LiveTally *tally, uint32_t first, FILE *out)
{
    const LiveReason *reason = &tally->reasons[first];
    const size_t at = function_of(reason->text);
    uint64_t launches = 0;
    unsigned alike = 0;

    for (uint32_t i = first + 1; i < tally->count; i++) {
        alike += is_alike(reason, &tally->reasons[i]);
    }
    if (alike == 0) {
        fputs(reason->text, out);
        return reason->launches;
    }
    fprintf(out, "%.*s", (int) at, reason->text);
    for (uint32_t i = first; i < tally->count; i++) {
        const LiveReason *other = &tally->reasons[i];

        if (is_alike(reason, other)) {
            fprintf(out, "%s%.*s", i == first ? "" : ", ", (int) strcspn(other->text + at, ","),
                    other->text + at);
            launches += other->launches;
            if (other->launches > 1) {
                fprintf(out, " (%" PRIu64 ")", other->launches);
            }
        }
    }
    fputs(strstr(reason->text, ", "), out);
    return launches;
}

static bool is_said(const LiveTally *tally, uint32_t reason)
{
    for (uint32_t i = 0; i < reason; i++) {
        if (!tally->reasons[i].is_recorded &&
            is_alike(&tally->reasons[i], &tally->reasons[reason])) {
            return true;
        }
    }
    return tally->reasons[reason].is_recorded;
}

void LiveTallyReport(const LiveTally *tally, OpprofStage *stage)
{
    uint64_t others = tally->launches;

    report_recorded(tally, stage);
    if (others == 0) {
        return;
    }
    OpprofStageCount(stage, "launches passed by", others);
    for (uint32_t i = 0; i < tally->count; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = is_said(tally, i) ? NULL : OpprofTextOpen(&text, &size);
        const uint64_t launches = out == NULL ? 0 : print_reason(tally, i, out);

        if (out != NULL && fclose(out) == 0) {
            others -= launches;
            OpprofStageIncomplete(stage, "%" PRIu64 " %s not profiled: %s", launches,
                                  OPPROF_PLURAL(launches, "launch is", "launches are"), text);
        }
        free(text);
    }
    if (others > 0) {
        OpprofStageIncomplete(stage, "%" PRIu64 " further %s not profiled", others,
                              OPPROF_PLURAL(others, "launch is", "launches are"));
    }
}

void LiveTallyFinish(LiveTally *tally)
{
    OpprofTextMapFinish(&tally->places);
    free(tally->reasons);
    *tally = (LiveTally){ .launches = 0 };
}
