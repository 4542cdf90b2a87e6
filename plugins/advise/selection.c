/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses among the advice of rules. Tested by tests/plugins/advise/test_advise. */
#include "selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.25  /* of the gain of advice whose place is taken */
#define SUBJECTS_SHOWN 5u /* of a rule; more are counted */

static int by_subject(const void *a, const void *b)
{
    const Finding *x = a;
    const Finding *y = b;
    const char *first = x->texts[FINDING_SUBJECT];
    const char *second = y->texts[FINDING_SUBJECT];

    return strcmp(first == NULL ? "" : first, second == NULL ? "" : second);
}

static void sort(Findings *findings, int (*compare)(const void *a, const void *b))
{
    if (findings->count > 0) {
        qsort(findings->list, findings->count, sizeof *findings->list, compare);
    }
}

/* What a rule says about a subject, or about all: the most that it could save. */
typedef struct Said {
    bool is_said;
    double gain_us; /* infinite: unknown */
} Said;

static void note_gain(Said *said, const Finding *finding)
{
    const double gain = isnan(finding->gain_us) ? INFINITY : finding->gain_us;

    said->gain_us = said->is_said && said->gain_us > gain ? said->gain_us : gain;
    said->is_said = true;
}

/* What explains little of the time does not take the place of what says where the most is. */
static bool takes_place(Said said, const Finding *finding)
{
    return said.is_said &&
           (isnan(finding->gain_us) || said.gain_us >= LEAST_SHARE * finding->gain_us);
}

/* Both are sorted by subject, those about the whole run first: each is about all subjects. */
static void drop(const Findings *speaker, Findings *victim)
{
    Said any = { .is_said = false };
    Said of_all = { .is_said = false };
    uint32_t at = 0;

    for (uint32_t i = 0; i < speaker->count; i++) {
        const Finding *finding = &speaker->list[i];

        if (!finding->is_dropped) {
            note_gain(&any, finding);
        }
        if (!finding->is_dropped && finding->texts[FINDING_SUBJECT] == NULL) {
            note_gain(&of_all, finding);
        }
    }
    for (uint32_t i = 0; i < victim->count; i++) {
        Finding *finding = &victim->list[i];
        Said same = finding->texts[FINDING_SUBJECT] == NULL ? any : of_all;

        while (at < speaker->count && by_subject(&speaker->list[at], finding) < 0) {
            at++;
        }
        if (at < speaker->count && by_subject(&speaker->list[at], finding) == 0 &&
            !speaker->list[at].is_dropped) {
            note_gain(&same, &speaker->list[at]);
        }
        finding->is_dropped = finding->is_dropped || takes_place(same, finding);
    }
}

/* What is left of a rule: some subjects, and the number of the others. */
static void shorten(Findings *findings, uint32_t most)
{
    Finding *last = NULL;
    uint32_t shown = 0;

    sort(findings, FindingsCompare);
    for (uint32_t i = 0; i < findings->count; i++) {
        Finding *finding = &findings->list[i];

        if (finding->is_dropped) {
            continue;
        }
        if (shown < most) {
            last = finding;
            shown++;
        } else {
            finding->is_dropped = true;
            last->more++;
        }
    }
    if (last != NULL) { /* else what could save more gave way, and so do the others */
        last->more += findings->beyond;
    }
}

static bool has_any(const Findings *findings)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        if (!findings->list[i].is_dropped) {
            return true;
        }
    }
    return false;
}

/* Rules that speak when all others are silent. */
static void drop_waiting(const Rules *rules, Findings *of_rules)
{
    bool is_silent = true;

    for (uint32_t i = 0; i < rules->count; i++) {
        is_silent = is_silent && (rules->list[i].waits || !has_any(&of_rules[i]));
    }
    for (uint32_t i = 0; i < rules->count && !is_silent; i++) {
        for (uint32_t f = 0; rules->list[i].waits && f < of_rules[i].count; f++) {
            of_rules[i].list[f].is_dropped = true;
        }
    }
}

/* A rule comes before those in whose place it speaks, so that a dropped piece drops nothing. */
void SelectionMake(const Rules *rules, Findings *of_rules)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        sort(&of_rules[i], by_subject);
    }
    for (uint32_t i = 0; i < rules->count; i++) {
        const Rule *rule = &rules->list[i];

        for (uint32_t d = 0; d < rule->dropped_count; d++) {
            drop(&of_rules[i], &of_rules[rule->dropped[d]]);
        }
    }
    drop_waiting(rules, of_rules);
    for (uint32_t i = 0; i < rules->count; i++) {
        shorten(&of_rules[i], rules->list[i].names_all ? UINT32_MAX : SUBJECTS_SHOWN);
    }
}
