/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the list of requested metrics. Tested by tests/plugins/parse-pmu/test_records. */
#include "choices.h"

#include <opprof/kit/facts.h>
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

/* ---- what a chip file states ---- */

/* One name, or a list of them. */
typedef struct ChoiceNames {
    const char *only;
    const char **list;
    uint32_t count;
} ChoiceNames;

/* Texts are borrowed from the chip. */
typedef struct ChoiceFacts {
    const char *name;
    const OpprofFact *fact; /* NULL: chips of the series have none */
    ChoiceNames groups;     /* `only`: all */
    ChoiceNames view;
    ChoiceNames view_of_operands;
    const char *alone; /* what it stands for if nothing else is requested */
    const char *flag;
    const char *excludes;
    const char *refused;
    const char *unmade;
} ChoiceFacts;

typedef struct ChoicesFacts {
    ChoiceFacts *list;
    uint32_t count;
} ChoicesFacts;

#define ALL "'all'"
#define VIEWS "'occupancy','roofline'"
#define TEXT(text, member)                                                                         \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_TEXT, OPPROF_FACT_IN(ChoiceFacts, member)           \
    }
#define NAME(text, names, member)                                                                  \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_NAME, .from = (names),                              \
        OPPROF_FACT_IN(ChoiceFacts, member)                                                        \
    }
#define LIST(member, ...)                                                                          \
    .type = OPPROF_FACT_IS_LIST, .of = OPPROF_FACT_OF(.size = sizeof(const char *), __VA_ARGS__),  \
    OPPROF_FACT_ARRAY(ChoiceFacts, member.list, member.count)
#define VIEW(text, member)                                                                         \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_NAME, .from = VIEWS,                                \
        OPPROF_FACT_IN(ChoiceFacts, member.only),                                                  \
        .either = OPPROF_FACT_OF(LIST(member, .type = OPPROF_FACT_IS_NAME, .from = VIEWS))         \
    }

static const OpprofFactField choice_fields[] = {
    { .name = "groups",
      LIST(groups, .type = OPPROF_FACT_IS_TEXT),
      .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_NAME, .from = ALL,
                               OPPROF_FACT_IN(ChoiceFacts, groups.only)) },
    NAME("alone", ALL, alone),
    VIEW("view_of_operands", view_of_operands),
    VIEW("view", view),
    NAME("flag", "'kernel_scale','memory_detail','memory_detail_if_recorded','source','samples'",
         flag),
    NAME("excludes", "metrics.choices", excludes),
    TEXT("refused", refused),
    TEXT("unmade", unmade),
    { .name = NULL },
};
static const OpprofFactField any_choice = {
    .type = OPPROF_FACT_IS_NULL,
    .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_OBJECT, .of = choice_fields,
                             OPPROF_FACT_SELF(ChoiceFacts, fact)),
};
static const OpprofFactField choices_root = {
    .type = OPPROF_FACT_IS_MAP,
    .of = &any_choice,
    OPPROF_FACT_ARRAY(ChoicesFacts, list, count),
    OPPROF_FACT_KEY(ChoiceFacts, name),
};
const OpprofFactTable choices_table = { .root = &choices_root, .size = sizeof(ChoicesFacts) };

/* ---- finding ---- */

/* The choice with that name in upper or lower case; NULL if none. */
static const ChoiceFacts *find_choice(const ChoicesFacts *facts, const char *item)
{
    for (uint32_t i = 0; i < facts->count; i++) {
        if (strcasecmp(facts->list[i].name, item) == 0) {
            return &facts->list[i];
        }
    }
    return NULL;
}

static bool is_offered(const ChoiceFacts *choice)
{
    return choice != NULL && choice->fact != NULL && choice->refused == NULL;
}

static void hint_at_names(const ChoicesFacts *facts, OpprofError **error)
{
    char *names = NULL;

    for (uint32_t i = 0; i < facts->count; i++) {
        if (is_offered(&facts->list[i]) && !add_name(&names, facts->list[i].name)) {
            break;
        }
    }
    if (names != NULL) {
        OpprofErrorHint(error, "Metrics of this chip: %s", names);
    }
    free(names);
}

static OpprofStatus refuse(const ChoicesFacts *facts, const char *item, const char *why,
                           OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Metric '%s' is not available: %s", item, why);
    hint_at_names(facts, error);
    return OPPROF_E_ARGUMENT;
}

/* The choice of an item that this chip offers. */
static OpprofStatus take_choice(const OpprofChip *chip, const ChoicesFacts *facts, const char *item,
                                const ChoiceFacts **ret_choice, OpprofError **error)
{
    const ChoiceFacts *found = find_choice(facts, item);
    char why[128];

    *ret_choice = found;
    if (found == NULL) {
        return refuse(facts, item, "no such metric is known", error);
    }
    if (found->refused != NULL) {
        return refuse(facts, item, found->refused, error);
    }
    if (found->fact == NULL) {
        snprintf(why, sizeof why, "chips of the series '%s' have none", OpprofChipSeries(chip));
        return refuse(facts, item, why, error);
    }
    return OPPROF_OK;
}

static OpprofStatus refuse_both(const ChoicesFacts *facts, const ChoiceFacts *other,
                                OpprofError **error)
{
    char why[128];

    snprintf(why, sizeof why, "it excludes '%s', which is also requested", other->excludes);
    return refuse(facts, other->name, why, error);
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

static bool has_flag(const ChoiceFacts *facts, const char *wanted)
{
    return facts->flag != NULL && strcmp(facts->flag, wanted) == 0;
}

/* Whether a choice asks for tables, of which the chip file states none, and for nothing else. */
static bool lacks_tables(const OpprofChip *chip, const ChoiceFacts *facts)
{
    const OpprofFact *tables = OpprofChipFact(chip, "metrics.tables");

    if (facts->alone != NULL || facts->view.only != NULL || facts->view.count > 0 ||
        facts->view_of_operands.only != NULL || facts->view_of_operands.count > 0 ||
        facts->flag != NULL) {
        return false;
    }
    for (uint32_t i = 0; i < facts->groups.count; i++) {
        if (OpprofFactMember(tables, facts->groups.list[i]) != NULL) {
            return false;
        }
    }
    return facts->groups.count > 0;
}

/* A choice that is collected but has no module yet, or no table, gets a reason why nothing is made
 * of it. */
static bool add_unmade(const OpprofChip *chip, const ChoiceFacts *facts, Choices *choices)
{
    const char *why = facts->unmade;
    char *text = NULL;

    if (why == NULL && lacks_tables(chip, facts)) {
        why = "the chip file states no table of its groups in metrics.tables";
    }
    if (why == NULL) {
        return true;
    }
    if (asprintf(&text, "'%s' (%s)", facts->name, why) < 0) {
        return false;
    }
    const bool is_good = add_name(&choices->unmade, text);
    free(text);
    return is_good;
}

/* One, or a list of them. */
static bool add_names(const ChoiceNames *names, char **list)
{
    bool is_good = names->only == NULL || add_name(list, names->only);

    for (uint32_t i = 0; is_good && i < names->count; i++) {
        is_good = add_name(list, names->list[i]);
    }
    return is_good;
}

static bool apply(const OpprofChip *chip, const ChoiceFacts *facts, bool is_alone, Choices *choices)
{
    bool is_good = true;

    if (facts->groups.only != NULL || (is_alone && facts->alone != NULL)) {
        is_good = add_all_groups(chip, choices);
    }
    for (uint32_t i = 0; is_good && i < facts->groups.count; i++) {
        is_good = add_name(&choices->groups, facts->groups.list[i]);
    }
    choices->flags |= has_flag(facts, "kernel_scale")    ? OPPROF_PMU_LAUNCH_KERNEL_SCALE
                      : has_flag(facts, "memory_detail") ? OPPROF_PMU_LAUNCH_MEMORY_DETAIL
                                                         : 0;
    choices->takes_detail = choices->takes_detail || has_flag(facts, "memory_detail_if_recorded");
    choices->wants_source = choices->wants_source || has_flag(facts, "source");
    choices->wants_samples = choices->wants_samples || has_flag(facts, "samples");
    return is_good && add_names(&facts->view, &choices->views) &&
           add_names(&facts->view, &choices->all_views) &&
           add_names(&facts->view_of_operands, &choices->all_views);
}

/* True if the other item, which this one excludes, is also requested. */
static bool has_excluded(const ChoiceFacts *facts, const ChoiceItems *items)
{
    for (size_t i = 0; facts->excludes != NULL && i < items->count; i++) {
        if (strcasecmp(items->items[i], facts->excludes) == 0) {
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

static OpprofStatus resolve_item(const OpprofChip *chip, const ChoicesFacts *facts,
                                 const ChoiceItems *items, size_t item, Choices *choices,
                                 OpprofError **error)
{
    const ChoiceFacts *found;
    const OpprofStatus status = take_choice(chip, facts, items->items[item], &found, error);

    if (status != OPPROF_OK) {
        return status;
    }
    if (has_excluded(found, items)) {
        return refuse_both(facts, found, error);
    }
    return apply(chip, found, count_items(items) == 1, choices) && add_unmade(chip, found, choices)
               ? OPPROF_OK
               : no_memory(error);
}

/* An operator's basic facts are part of every choice. */
static OpprofStatus resolve_items(const OpprofChip *chip, const ChoiceItems *items,
                                  Choices *choices, OpprofError **error)
{
    ChoicesFacts facts;
    OpprofStatus status = OpprofFactsBind(chip, CHOICES_PATH, &choices_table, &facts, error);

    for (size_t i = 0; status == OPPROF_OK && i < items->count; i++) {
        if (items->items[i][0] != '\0') {
            status = resolve_item(chip, &facts, items, i, choices, error);
        }
    }
    OpprofFactsFree(&choices_table, &facts);
    return status;
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
    ChoicesFacts facts;

    OpprofFactsBind(chip, CHOICES_PATH, &choices_table, &facts, NULL); /* or it offers none */
    for (size_t i = 0; i < items->count; i++) {
        known[i] = known[i] || is_offered(find_choice(&facts, items->items[i]));
    }
    OpprofFactsFree(&choices_table, &facts);
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
    const ChoiceFacts *unused;
    ChoicesFacts facts;

    if (*why == NULL) {
        OpprofStatus reason = OpprofFactsBind(last, CHOICES_PATH, &choices_table, &facts, error);

        if (reason == OPPROF_OK) {
            reason = take_choice(last, &facts, item, &unused, error);
        }
        OpprofFactsFree(&choices_table, &facts);
        return reason;
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
        if (OpprofChipFact(chip, CHOICES_PATH) != NULL) {
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
