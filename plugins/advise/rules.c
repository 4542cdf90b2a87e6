/* SPDX-License-Identifier: Apache-2.0 */
/* Reads rules, and orders them. Tested by tests/plugins/advise/test_advise. */
#include "rules.h"

#include <opprof/present.h>
#include <stdlib.h>
#include <string.h>

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read rules");
}

/* ---- heads ---- */

static OpprofStatus read_severity(Rule *rule, OpprofError **error)
{
    static const char *const names[] = { "note", "hint", "problem" };
    const char *text = OpprofQuestionHead(rule->question, "severity");

    rule->severity = RULES_BY_GAIN;
    if (text == NULL) {
        return OPPROF_OK;
    }
    for (uint32_t i = 0; i < OPPROF_COUNT(names); i++) {
        if (strcmp(text, names[i]) == 0) {
            rule->severity = i;
            return OPPROF_OK;
        }
    }
    return OpprofErrorSet(error, OPPROF_E_DATA,
                          "The rule '%s' has the severity '%s', which is not note, hint or problem",
                          rule->question->path, text);
}

static OpprofStatus read_when(Rule *rule, OpprofError **error)
{
    const char *when = OpprofQuestionHead(rule->question, "when");

    rule->waits = when != NULL;
    return when == NULL || strcmp(when, "silent") == 0
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_DATA,
                                "The rule '%s' speaks when '%s', which is not 'silent'",
                                rule->question->path, when);
}

static OpprofStatus read_subjects(Rule *rule, OpprofError **error)
{
    const char *subjects = OpprofQuestionHead(rule->question, "subjects");

    rule->names_all = subjects != NULL;
    return subjects == NULL || strcmp(subjects, "all") == 0
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_DATA,
                                "The rule '%s' has the subjects '%s', which is not 'all'",
                                rule->question->path, subjects);
}

static OpprofStatus read_rule(Rule *rule, const OpprofQuestion *question, OpprofError **error)
{
    OpprofStatus status;

    *rule = (Rule){ .question = question,
                    .topic = OpprofQuestionHead(question, "topic"),
                    .todo = OpprofQuestionHead(question, "todo") };
    if (rule->topic == NULL || rule->topic[0] == '\0') {
        rule->topic = question->name;
    }
    if (OpprofQuestionHead(question, "title") == NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "The rule '%s' has no title", question->path);
    }
    status = read_severity(rule, error);
    if (status == OPPROF_OK) {
        status = read_subjects(rule, error);
    }
    return status == OPPROF_OK ? read_when(rule, error) : status;
}

/* ---- order ---- */

static uint32_t find(const Rules *rules, const char *name)
{
    uint32_t i = 0;

    while (i < rules->count && strcmp(rules->list[i].question->name, name) != 0) {
        i++;
    }
    return i;
}

/* A name of no rule is nothing wrong: rules of other families may not be there. False without
 * memory. */
static bool read_dropped(const Rules *rules, Rule *rule)
{
    const char *text = OpprofQuestionHead(rule->question, "instead-of");
    char *copy = strdup(text == NULL ? "" : text);
    char *rest = copy;
    char *name;

    rule->dropped = calloc(rules->count, sizeof *rule->dropped);
    while (copy != NULL && rule->dropped != NULL && rule->dropped_count < rules->count &&
           (name = strsep(&rest, ", \t")) != NULL) {
        const uint32_t other = *name == '\0' ? rules->count : find(rules, name);

        if (other < rules->count) {
            rule->dropped[rule->dropped_count++] = other;
        }
    }
    free(copy);
    return copy != NULL && rule->dropped != NULL;
}

/* How often each rule is dropped by others. */
static void count_droppers(const Rules *rules, uint32_t *ret_counts)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        for (uint32_t d = 0; d < rules->list[i].dropped_count; d++) {
            ret_counts[rules->list[i].dropped[d]]++;
        }
    }
}

static OpprofStatus report_cycle(const Rules *rules, const uint32_t *droppers, OpprofError **error)
{
    uint32_t i = 0;

    while (droppers[i] == 0 || droppers[i] == UINT32_MAX) {
        i++;
    }
    OpprofErrorSet(error, OPPROF_E_DATA,
                   "Rules take each other's place ('instead-of'), such as '%s'",
                   rules->list[i].question->path);
    OpprofErrorHint(error, "Of two rules only one can take the place of the other");
    return OPPROF_E_DATA;
}

/* Take the first rule that no rule still to come takes the place of; rules->count: a cycle. */
static uint32_t take_next(const Rules *rules, uint32_t *droppers)
{
    uint32_t next = 0;

    while (next < rules->count && droppers[next] != 0) {
        next++;
    }
    if (next < rules->count) {
        droppers[next] = UINT32_MAX; /* taken */
        for (uint32_t d = 0; d < rules->list[next].dropped_count; d++) {
            droppers[rules->list[next].dropped[d]]--;
        }
    }
    return next;
}

/* The list in the new order; what rules drop gets the new numbers. */
static void renumber(Rules *rules, const uint32_t *order, Rule *sorted, uint32_t *places)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        sorted[i] = rules->list[order[i]];
        places[order[i]] = i;
    }
    memcpy(rules->list, sorted, rules->count * sizeof *sorted);
    for (uint32_t i = 0; i < rules->count; i++) {
        for (uint32_t d = 0; d < rules->list[i].dropped_count; d++) {
            rules->list[i].dropped[d] = places[rules->list[i].dropped[d]];
        }
    }
}

static OpprofStatus sort(Rules *rules, OpprofError **error)
{
    uint32_t *droppers = calloc(rules->count, sizeof *droppers);
    uint32_t *order = calloc(rules->count, sizeof *order);
    Rule *sorted = calloc(rules->count, sizeof *sorted);
    OpprofStatus status =
        droppers == NULL || order == NULL || sorted == NULL ? no_memory(error) : OPPROF_OK;

    if (status == OPPROF_OK) {
        count_droppers(rules, droppers);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < rules->count; i++) {
        order[i] = take_next(rules, droppers);
        if (order[i] == rules->count) {
            status = report_cycle(rules, droppers, error);
        }
    }
    if (status == OPPROF_OK) {
        renumber(rules, order, sorted, droppers);
    }
    free(droppers);
    free(order);
    free(sorted);
    return status;
}

/* ---- files ---- */

/* A folder is searched as those of the environment are, a file is a rule. */
static OpprofStatus read_paths(Rules *rules, const char *const *paths, size_t count,
                               OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        status = OpprofQuestionsReadPath(&opprof_rules, paths[i], &rules->questions, error);
    }
    return status;
}

OpprofStatus RulesLoad(Rules *rules, const char *const *paths, size_t path_count,
                       OpprofError **error)
{
    OpprofStatus status = read_paths(rules, paths, path_count, error);

    if (status == OPPROF_OK) {
        status = OpprofQuestionsLoad(&opprof_rules, &rules->questions, error);
    }
    if (status != OPPROF_OK || rules->questions.count == 0) {
        return status;
    }
    rules->list = calloc(rules->questions.count, sizeof *rules->list);
    if (rules->list == NULL) {
        return no_memory(error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < rules->questions.count; i++) {
        status = read_rule(&rules->list[rules->count++], &rules->questions.list[i], error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < rules->count; i++) {
        status = read_dropped(rules, &rules->list[i]) ? OPPROF_OK : no_memory(error);
    }
    return status == OPPROF_OK ? sort(rules, error) : status;
}

bool RulesName(void *context, const char *table, const char *column)
{
    const Rules *rules = context;

    for (uint32_t i = 0; i < rules->count; i++) {
        const OpprofQuestion *question = rules->list[i].question;

        if (OpprofQuestionNames(question, table) &&
            (column == NULL || OpprofQuestionNames(question, column))) {
            return true;
        }
    }
    return false;
}

void RulesFree(Rules *rules)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        free(rules->list[i].dropped);
    }
    free(rules->list);
    OpprofQuestionsFree(&rules->questions);
    *rules = (Rules){ .count = 0 };
}
