/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_RULES_H
#define ANALYSE_TRACE_COMMON_RULES_H

#include <opprof/stage.h>

/* Class of a slice. ACTIVITY_OTHER keeps a device busy, but belongs to none of the classes before
 * it. */
typedef enum ActivityClass {
    ACTIVITY_COMPUTATION,
    ACTIVITY_COMMUNICATION,
    ACTIVITY_MEMORY,
    ACTIVITY_OTHER,
    ACTIVITY_CLASSES,
    ACTIVITY_STEP = ACTIVITY_CLASSES, /* an iteration of the host, no work */
    ACTIVITY_WAITING,                 /* no work either; only analyses that ask for it see it */
    ACTIVITY_NONE                     /* analyses of device time ignore it */
} ActivityClass;

/*
 * Which slices belong to which class. A rule is a shell pattern, matched against the category
 * without regard to case, or, with "process:", "thread:" or "name:" before it, against those.
 */
typedef enum RuleField {
    RULE_CATEGORY,
    RULE_PROCESS,
    RULE_THREAD,
    RULE_NAME,
    RULE_FIELDS
} RuleField;

typedef struct Rule {
    RuleField field;
    ActivityClass class;
    const char *pattern; /* borrowed from the parameters */
} Rule;

#define RULES_MAX 64u
#define RULE_CACHE 256u /* a power of two */

/* The rules that match the text of an id; a place of a cache. */
typedef struct RuleMatch {
    uint32_t id; /* plus 1; 0: empty */
    uint64_t rules;
} RuleMatch;

typedef struct Rules {
    Rule list[RULES_MAX]; /* the first that matches counts */
    uint32_t count;
    uint64_t used;                    /* bits of those that matched */
    uint64_t by_field[RULE_FIELDS];   /* bits of the rules for each field */
    RuleMatch strings[2][RULE_CACHE]; /* of categories, of names */
    RuleMatch tracks[RULE_CACHE];
} Rules;

/* Take the lists of parameters "communication", "memory", "computation", "other", "steps". */
OpprofStatus RulesInit(Rules *rules, const OpprofParams *params, OpprofError **error);

/* Class of a slice. */
ActivityClass RulesClass(Rules *rules, const OpprofStage *stage, const OpprofSpan *span);

/* At the end, when there were slices: warns of each list that is not the default and matched
 * nothing. */
void RulesWarnUnused(const Rules *rules, const OpprofParams *params, OpprofStage *stage);

/* Name of a class as tables show it; ACTIVITY_STEP and ACTIVITY_NONE have none. */
const char *ActivityClassName(ActivityClass class);

#endif
