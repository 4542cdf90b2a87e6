/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the list of requested metrics. Tested by tests/plugins/parse-pmu/test_records. */
#include "choices.h"

#include <opprof/records/onboard.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read the list of metrics");
}

/* Add a name unless it is there; false without memory. */
static bool add_name(char **list, const char *name)
{
    char *longer = NULL;

    if (OpprofPmuListHas(*list, name)) {
        return true;
    }
    if (asprintf(&longer, "%s%s%s", *list == NULL ? "" : *list,
                 *list == NULL || **list == '\0' ? "" : ",", name) < 0) {
        return false;
    }
    free(*list);
    *list = longer;
    return true;
}

/* ---- finding ---- */

/* The choice with that name in upper or lower case, and the chip's spelling; NULL if none. */
static const OpprofFact *find_choice(const OpprofChip *chip, const char *item,
                                     const char **ret_name)
{
    const OpprofFact *choices = OpprofChipFact(chip, "metrics.choices");
    OpprofFactWalk walk = { 0 };
    const OpprofFact *fact;

    while (OpprofFactGetKind(choices) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(choices, &walk, ret_name, &fact)) {
        if (strcasecmp(*ret_name, item) == 0) {
            return fact;
        }
    }
    return NULL;
}

static void hint_at_names(const OpprofChip *chip, OpprofError **error)
{
    const OpprofFact *choices = OpprofChipFact(chip, "metrics.choices");
    OpprofFactWalk walk = { 0 };
    char *names = NULL;
    const char *name;
    const OpprofFact *fact;

    while (OpprofFactGetKind(choices) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(choices, &walk, &name, &fact)) {
        if (OpprofFactGetKind(fact) == OPPROF_FACT_OBJECT &&
            OpprofFactMember(fact, "refused") == NULL && !add_name(&names, name)) {
            break;
        }
    }
    if (names != NULL) {
        OpprofErrorHint(error, "Metrics of this chip: %s", names);
    }
    free(names);
}

static OpprofStatus refuse(const OpprofChip *chip, const char *item, const char *why,
                           OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Metric '%s' is not available: %s", item, why);
    hint_at_names(chip, error);
    return OPPROF_E_ARGUMENT;
}

/* The choice of an item that this chip offers. */
static OpprofStatus take_choice(const OpprofChip *chip, const char *item,
                                const OpprofFact **ret_choice, const char **ret_name,
                                OpprofError **error)
{
    const OpprofFact *choice = find_choice(chip, item, ret_name);
    char why[128];

    *ret_choice = choice;
    if (choice == NULL) {
        return refuse(chip, item, "no such metric is known", error);
    }
    if (OpprofFactMember(choice, "refused") != NULL) {
        return refuse(chip, item, OpprofFactText(OpprofFactMember(choice, "refused")), error);
    }
    if (OpprofFactGetKind(choice) != OPPROF_FACT_OBJECT) {
        snprintf(why, sizeof why, "chips of the series '%s' have none", OpprofChipSeries(chip));
        return refuse(chip, item, why, error);
    }
    return OPPROF_OK;
}

static OpprofStatus refuse_both(const OpprofChip *chip, const char *item, const OpprofFact *choice,
                                OpprofError **error)
{
    char why[128];

    snprintf(why, sizeof why, "it excludes '%s', which is also requested",
             OpprofFactText(OpprofFactMember(choice, "excludes")));
    return refuse(chip, item, why, error);
}

/* ---- resolving ---- */

static bool add_all_groups(const OpprofChip *chip, Choices *choices)
{
    const OpprofFact *groups = OpprofChipFact(chip, "pmu.groups");
    const OpprofFact *tables = OpprofChipFact(chip, "metrics.tables");
    const OpprofFact *objects[] = { groups, tables };
    const char *name;
    const OpprofFact *fact;

    choices->all_groups = true;
    for (size_t i = 0; i < 2; i++) {
        OpprofFactWalk walk = { 0 };
        while (OpprofFactGetKind(objects[i]) == OPPROF_FACT_OBJECT &&
               OpprofFactNext(objects[i], &walk, &name, &fact)) {
            if (!add_name(&choices->groups, name)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_all(const OpprofFact *fact)
{
    const char *text = OpprofFactText(fact);
    return text != NULL && strcmp(text, "all") == 0;
}

static uint32_t flag_of(const OpprofFact *choice)
{
    const char *flag = OpprofFactText(OpprofFactMember(choice, "flag"));

    return flag == NULL                         ? 0
           : strcmp(flag, "kernel_scale") == 0  ? OPPROF_PMU_LAUNCH_KERNEL_SCALE
           : strcmp(flag, "memory_detail") == 0 ? OPPROF_PMU_LAUNCH_MEMORY_DETAIL
                                                : 0;
}

/* Whether a choice asks for tables, of which the chip file states none, and for nothing else. */
static bool lacks_tables(const OpprofChip *chip, const OpprofFact *choice)
{
    static const char *const others[] = { "alone", "view", "view_of_operands", "flag" };
    const OpprofFact *groups = OpprofFactMember(choice, "groups");
    const OpprofFact *tables = OpprofChipFact(chip, "metrics.tables");

    for (size_t i = 0; i < OPPROF_COUNT(others); i++) {
        if (OpprofFactMember(choice, others[i]) != NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < OpprofFactCount(groups); i++) {
        const char *name = OpprofFactText(OpprofFactAt(groups, i));

        if (name != NULL && OpprofFactMember(tables, name) != NULL) {
            return false;
        }
    }
    return OpprofFactGetKind(groups) == OPPROF_FACT_ARRAY;
}

/* A choice that is collected but has no module yet, or no table, gets a reason why nothing is made
 * of it. */
static bool add_unmade(const OpprofChip *chip, const char *name, const OpprofFact *choice,
                       Choices *choices)
{
    const char *why = OpprofFactText(OpprofFactMember(choice, "unmade"));
    char *text = NULL;

    if (why == NULL && lacks_tables(chip, choice)) {
        why = "the chip file states no table of its groups in metrics.tables";
    }
    if (why == NULL) {
        return true;
    }
    if (asprintf(&text, "'%s' (%s)", name, why) < 0) {
        return false;
    }
    const bool is_good = add_name(&choices->unmade, text);
    free(text);
    return is_good;
}

/* One, or a list of them. */
static bool add_views(const OpprofFact *views, char **list)
{
    const char *only = OpprofFactText(views);
    bool is_good = only == NULL || add_name(list, only);

    for (size_t i = 0; is_good && i < OpprofFactCount(views); i++) {
        const char *name = OpprofFactText(OpprofFactAt(views, i));
        is_good = name == NULL || add_name(list, name);
    }
    return is_good;
}

static bool has_flag(const OpprofFact *choice, const char *wanted)
{
    const char *flag = OpprofFactText(OpprofFactMember(choice, "flag"));

    return flag != NULL && strcmp(flag, wanted) == 0;
}

static bool apply(const OpprofChip *chip, const OpprofFact *choice, bool is_alone, Choices *choices)
{
    const OpprofFact *groups = OpprofFactMember(choice, "groups");
    bool is_good = true;

    if (is_all(groups) || (is_alone && is_all(OpprofFactMember(choice, "alone")))) {
        is_good = add_all_groups(chip, choices);
    }
    for (size_t i = 0; is_good && i < OpprofFactCount(groups); i++) {
        const char *name = OpprofFactText(OpprofFactAt(groups, i));
        is_good = name == NULL || add_name(&choices->groups, name);
    }
    choices->flags |= flag_of(choice);
    choices->takes_detail = choices->takes_detail || has_flag(choice, "memory_detail_if_recorded");
    choices->wants_source = choices->wants_source || has_flag(choice, "source");
    choices->wants_samples = choices->wants_samples || has_flag(choice, "samples");
    return is_good && add_views(OpprofFactMember(choice, "view"), &choices->views) &&
           add_views(OpprofFactMember(choice, "view"), &choices->all_views) &&
           add_views(OpprofFactMember(choice, "view_of_operands"), &choices->all_views);
}

/* True if the other item, which this one excludes, is also requested. */
static bool has_excluded(const OpprofFact *choice, const ChoiceItems *items)
{
    const char *excluded = OpprofFactText(OpprofFactMember(choice, "excludes"));

    for (size_t i = 0; excluded != NULL && i < items->count; i++) {
        if (strcasecmp(items->items[i], excluded) == 0) {
            return true;
        }
    }
    return false;
}

static OpprofStatus check_length(const ChoiceItems *items, OpprofError **error)
{
    size_t length = 0;

    for (size_t i = 0; i < items->count; i++) {
        length += strlen(items->items[i]) + (i > 0);
    }
    return length <= CHOICES_MAX_LENGTH
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                "The list of metrics has %zu letters, more than %u", length,
                                CHOICES_MAX_LENGTH);
}

static size_t count_items(const ChoiceItems *items)
{
    size_t count = 0;

    for (size_t i = 0; i < items->count; i++) {
        count += items->items[i][0] != '\0';
    }
    return count;
}

/* An operator's basic facts are part of every choice. */
static OpprofStatus resolve_items(const OpprofChip *chip, const ChoiceItems *items,
                                  Choices *choices, OpprofError **error)
{
    const size_t count = count_items(items);

    for (size_t i = 0; i < items->count; i++) {
        const OpprofFact *choice;
        const char *name;
        if (items->items[i][0] == '\0') {
            continue;
        }
        const OpprofStatus status = take_choice(chip, items->items[i], &choice, &name, error);
        if (status != OPPROF_OK) {
            return status;
        }
        if (has_excluded(choice, items)) {
            return refuse_both(chip, name, choice, error);
        }
        if (!apply(chip, choice, count == 1, choices) || !add_unmade(chip, name, choice, choices)) {
            return no_memory(error);
        }
    }
    return OPPROF_OK;
}

OpprofStatus ChoicesResolve(const OpprofChip *chip, const ChoiceItems *items, Choices *ret_choices,
                            OpprofError **error)
{
    *ret_choices = (Choices){
        .groups = strdup(""), .views = strdup(""), .all_views = strdup(""), .unmade = strdup("")
    };
    OpprofStatus status = ret_choices->groups == NULL || ret_choices->views == NULL ||
                                  ret_choices->all_views == NULL || ret_choices->unmade == NULL
                              ? no_memory(error)
                              : check_length(items, error);
    if (status == OPPROF_OK && count_items(items) == 0) {
        status = add_all_groups(chip, ret_choices) ? OPPROF_OK : no_memory(error);
    } else if (status == OPPROF_OK) {
        status = resolve_items(chip, items, ret_choices, error);
    }
    if (status != OPPROF_OK) {
        ChoicesFree(ret_choices);
    }
    return status;
}

void ChoicesFree(Choices *choices)
{
    free(choices->groups);
    free(choices->views);
    free(choices->all_views);
    free(choices->unmade);
    *choices = (Choices){ .groups = NULL };
}

/* ---- checking without a chip ---- */

/* Clears the items that the chip knows, and its SoCs in `names`. */
static void cross_out(const OpprofChip *chip, const ChoiceItems *items, bool *known, char **names,
                      size_t name_count)
{
    const OpprofFact *socs = OpprofChipFact(chip, "socs");
    const char *unused;

    for (size_t i = 0; i < items->count; i++) {
        const OpprofFact *choice = find_choice(chip, items->items[i], &unused);
        known[i] = known[i] || (OpprofFactGetKind(choice) == OPPROF_FACT_OBJECT &&
                                OpprofFactMember(choice, "refused") == NULL);
    }
    for (size_t i = 0; i < name_count; i++) {
        if (names[i] != NULL && OpprofFactMember(socs, names[i]) != NULL) {
            free(names[i]);
            names[i] = NULL;
        }
    }
}

static bool are_known(const ChoiceItems *items, const bool *known)
{
    size_t i = 0;

    while (i < items->count && (known[i] || items->items[i][0] == '\0')) {
        i++;
    }
    return i == items->count;
}

/* The item may be one of a chip that cannot be loaded for the reason `why`, which is passed on;
 * NULL: no chip is so. */
static OpprofStatus refuse_unknown(const OpprofChip *last, const char *item, OpprofError **why,
                                   OpprofError **error)
{
    const OpprofFact *unused;
    const char *name;

    if (*why == NULL) {
        return take_choice(last, item, &unused, &name, error);
    }
    const OpprofStatus status = OpprofErrorPass(error, *why);

    *why = NULL;
    if (status == OPPROF_E_MEMORY) {
        return status;
    }
    return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                          "Metric '%s' is not available: no chip whose facts are right has it",
                          item);
}

static OpprofStatus check_items(const ChoiceItems *items, bool *known, OpprofError **error)
{
    char **names = NULL;
    const size_t count = OpprofChipList(&names);
    OpprofChip *last = NULL;
    OpprofError *why = NULL;
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < count && !are_known(items, known); i++) {
        OpprofChip *chip = NULL;
        if (names[i] == NULL ||
            OpprofChipLoad(names[i], &chip, why == NULL ? &why : NULL) != OPPROF_OK) {
            continue;
        }
        cross_out(chip, items, known, names, count);
        if (OpprofChipFact(chip, "metrics.choices") != NULL) {
            OpprofChipFree(last);
            last = chip;
        } else {
            OpprofChipFree(chip);
        }
    }
    for (size_t i = 0; status == OPPROF_OK && last != NULL && i < items->count; i++) {
        if (!known[i] && items->items[i][0] != '\0') {
            status = refuse_unknown(last, items->items[i], &why, error);
        }
    }
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
    }
    free(names);
    OpprofChipFree(last);
    OpprofErrorDestroy(why);
    return status;
}

OpprofStatus ChoicesCheck(const ChoiceItems *items, OpprofError **error)
{
    bool *known = calloc(items->count + 1, sizeof *known);

    if (known == NULL) {
        return no_memory(error);
    }
    OpprofStatus status = check_length(items, error);
    if (status == OPPROF_OK && items->count > 0) {
        status = check_items(items, known, error);
    }
    free(known);
    return status;
}
