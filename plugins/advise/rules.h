/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADVISE_RULES_H
#define ADVISE_RULES_H

#include <opprof/questions.h>
#include <stdint.h>

/* A rule, with what its head says. Texts are the question's. */
typedef struct Rule {
    const OpprofQuestion *question;
    const char *topic;
    const char *todo;  /* NULL: the rows may have it */
    uint32_t severity; /* OpprofSeverity; RULES_BY_GAIN */
    bool waits;        /* speaks only where no other rule does */
    bool names_all;    /* of its subjects, not only some */
    uint32_t *dropped; /* rules whose advice it takes the place of, by their numbers */
    uint32_t dropped_count;
} Rule;

#define RULES_BY_GAIN UINT32_MAX

/* All rules, each before those that it takes the place of. Zeroed memory holds none. */
typedef struct Rules {
    OpprofQuestions questions;
    Rule *list;
    uint32_t count;
} Rules;

/* Read the rules of all folders; those of `paths`, files or folders, come first. */
OpprofStatus RulesLoad(Rules *rules, const char *const *paths, size_t path_count,
                       OpprofError **error);
/* An OpprofResultsWanted: a rule names the table, and the column besides. */
bool RulesName(void *rules, const char *table, const char *column);
void RulesFree(Rules *rules);

#endif
