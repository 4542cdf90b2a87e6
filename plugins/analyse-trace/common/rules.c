/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides by patterns whether a slice is communication, memory, computation, other work or none.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/rules.h"

#include <fnmatch.h>
#include <opprof/records/activity.h>
#include <string.h>

/* Lists in the order in which they are checked. */
static const struct {
    const char *param;
    const char *usual; /* its default */
    ActivityClass class;
} lists[] = {
    { "waiting", OPPROF_ACTIVITY_WAITING, ACTIVITY_WAITING },
    { "communication", OPPROF_ACTIVITY_COMMUNICATION, ACTIVITY_COMMUNICATION },
    { "memory", OPPROF_ACTIVITY_MEMORY, ACTIVITY_MEMORY },
    { "computation", OPPROF_ACTIVITY_COMPUTATION, ACTIVITY_COMPUTATION },
    { "other", "other", ACTIVITY_OTHER },
    { "steps", OPPROF_ACTIVITY_STEP, ACTIVITY_STEP },
};

static const struct {
    const char *prefix;
    RuleField field;
} fields[] = {
    { "category:", RULE_CATEGORY },
    { "process:", RULE_PROCESS },
    { "thread:", RULE_THREAD },
    { "name:", RULE_NAME },
};

static Rule parse_rule(const char *text, ActivityClass class)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const size_t length = strlen(fields[i].prefix);

        if (strncmp(text, fields[i].prefix, length) == 0) {
            return (Rule){ fields[i].field, class, text + length };
        }
    }
    return (Rule){ RULE_CATEGORY, class, text };
}

OpprofStatus RulesInit(Rules *rules, const OpprofParams *params, OpprofError **error)
{
    *rules = (Rules){ .count = 0 };
    for (size_t list = 0; list < sizeof lists / sizeof lists[0]; list++) {
        if (!OpprofParamsHas(params, lists[list].param)) {
            continue;
        }
        for (size_t i = 0; i < OpprofParamsCount(params, lists[list].param); i++) {
            const Rule rule =
                parse_rule(OpprofParamsElement(params, lists[list].param, i), lists[list].class);

            if (rules->count == RULES_MAX) {
                return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                      "Cannot use more than %u patterns of slices", RULES_MAX);
            }
            rules->by_field[rule.field] |= UINT64_C(1) << rules->count;
            rules->list[rules->count++] = rule;
        }
    }
    return OPPROF_OK;
}

static uint64_t match_text(const Rules *rules, RuleField field, const char *text)
{
    uint64_t matches = 0;

    for (uint32_t i = 0; i < rules->count; i++) {
        if (rules->list[i].field == field &&
            fnmatch(rules->list[i].pattern, text, FNM_CASEFOLD) == 0) {
            matches |= UINT64_C(1) << i;
        }
    }
    return matches;
}

static RuleMatch *find_place(RuleMatch *cache, uint32_t id)
{
    return &cache[id & (RULE_CACHE - 1)];
}

static uint64_t match_string(Rules *rules, const OpprofStage *stage, RuleField field, uint32_t id)
{
    RuleMatch *place = find_place(rules->strings[field == RULE_NAME], id);

    if (rules->by_field[field] == 0 || id == OPPROF_NA_STRING) {
        return 0;
    }
    if (place->id != id + 1) {
        *place = (RuleMatch){ id + 1, match_text(rules, field, OpprofStageString(stage, id)) };
    }
    return place->rules;
}

static uint64_t match_track(Rules *rules, const OpprofStage *stage, uint32_t id)
{
    RuleMatch *place = find_place(rules->tracks, id);
    const OpprofTrack *track;

    if ((rules->by_field[RULE_PROCESS] | rules->by_field[RULE_THREAD]) == 0) {
        return 0;
    }
    if (place->id != id + 1) {
        track = OpprofStageTrackInfo(stage, id);
        *place = (RuleMatch){ id + 1, 0 };
        if (track != NULL) {
            place->rules = match_text(rules, RULE_PROCESS, track->process);
            place->rules |=
                match_text(rules, RULE_THREAD, track->thread == NULL ? "" : track->thread);
        }
    }
    return place->rules;
}

ActivityClass RulesClass(Rules *rules, const OpprofStage *stage, const OpprofSpan *span)
{
    const uint64_t matches = match_string(rules, stage, RULE_CATEGORY, span->category) |
                             match_string(rules, stage, RULE_NAME, span->name) |
                             match_track(rules, stage, span->track);

    rules->used |= matches;
    return matches == 0 ? ACTIVITY_NONE : rules->list[__builtin_ctzll(matches)].class;
}

/* True if a pattern of the class matched. */
static bool is_used(const Rules *rules, ActivityClass class)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        if (rules->list[i].class == class && (rules->used >> i & 1) != 0) {
            return true;
        }
    }
    return false;
}

void RulesWarnUnused(const Rules *rules, const OpprofParams *params, OpprofStage *stage)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const char *param = lists[i].param;

        if (!OpprofParamsHas(params, param) || OpprofParamsCount(params, param) == 0 ||
            strcmp(OpprofParamsElement(params, param, 0), lists[i].usual) == 0 ||
            is_used(rules, lists[i].class)) {
            continue;
        }
        OpprofStageWarn(stage, "Parameter '%s': no slice matches '%s'%s", param,
                        OpprofParamsElement(params, param, 0),
                        OpprofParamsCount(params, param) > 1 ? " or another of its patterns" : "");
    }
}

const char *ActivityClassName(ActivityClass class)
{
    switch (class) {
    case ACTIVITY_COMPUTATION:
        return "COMPUTATION";
    case ACTIVITY_COMMUNICATION:
        return "COMMUNICATION";
    case ACTIVITY_MEMORY:
        return "MEMORY";
    case ACTIVITY_OTHER:
        return "OTHER";
    case ACTIVITY_STEP:
    case ACTIVITY_WAITING:
    case ACTIVITY_NONE:
    default:
        return "";
    }
}
