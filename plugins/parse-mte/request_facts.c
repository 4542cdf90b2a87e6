/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what a chip's file says about lines of memory transfer engines.
 * Tested by tests/plugins/parse-mte/test_line.c.
 */
#include "request_facts.h"
#include <stdlib.h>
#include <string.h>

static const OpprofFormField fields[MTE_FIELDS] = {
    [MTE_TICK] = { .name = "tick", .kind = OPPROF_FORM_DECIMAL, .use = OPPROF_FORM_REQUIRED },
    [MTE_INTERFACE] = { .name = "interface", .kind = OPPROF_FORM_REST },
    [MTE_PAIRS] = { .name = "pairs", .kind = OPPROF_FORM_REST },
    [MTE_UNIT] = { .name = "unit", .kind = OPPROF_FORM_WORD, .also = "_" },
    [MTE_WAY] = { .name = "way", .kind = OPPROF_FORM_WORD, .also = "_<>-" },
    [MTE_INSTRUCTION] = { .name = "instruction", .kind = OPPROF_FORM_DECIMAL },
    [MTE_REQUEST] = { .name = "request", .kind = OPPROF_FORM_DECIMAL },
    [MTE_SIZE] = { .name = "size", .kind = OPPROF_FORM_DECIMAL },
    [MTE_ANY] = { .name = "any", .kind = OPPROF_FORM_REST, .use = OPPROF_FORM_REPEATED },
};
static const OpprofFormLanguage language = { .fields = fields,
                                             .field_count = MTE_FIELDS,
                                             .has_blanks = true };

static bool add_form(MteFacts *facts, const char *text)
{
    if (text == NULL || facts->form_count == MTE_FORMS ||
        OpprofFormRead(&language, text, &facts->forms[facts->form_count], NULL) != OPPROF_OK) {
        return false;
    }
    facts->form_count++;
    return true;
}

static bool read_forms(MteFacts *facts, const OpprofFact *line)
{
    bool is_good = OpprofFactText(line) == NULL || add_form(facts, OpprofFactText(line));

    for (size_t i = 0; is_good && i < OpprofFactCount(line); i++) {
        is_good = add_form(facts, OpprofFactText(OpprofFactAt(line, i)));
    }
    return is_good;
}

static void read_keys(MteFacts *facts, const OpprofFact *keys)
{
    static const char *const numbers[MTE_NUMBERS] = { "instruction", "request", "size" };

    for (unsigned number = 0; number < MTE_NUMBERS; number++) {
        const OpprofFact *texts = OpprofFactMember(keys, numbers[number]);
        for (size_t i = 0; i < OpprofFactCount(texts) && i < MTE_KEYS; i++) {
            facts->keys[number][i] = OpprofFactText(OpprofFactAt(texts, i));
        }
    }
}

MteFacts *MteFactsCreate(const OpprofChip *chip, const char *path)
{
    const OpprofFact *requests = OpprofChipFact(chip, path);
    const OpprofFact *interface = OpprofFactMember(requests, "interface");
    MteFacts *facts = calloc(1, sizeof *facts);

    if (facts == NULL || !read_forms(facts, OpprofFactMember(requests, "line"))) {
        MteFactsDestroy(facts);
        return NULL;
    }
    read_keys(facts, OpprofFactMember(requests, "keys"));
    facts->end = OpprofFactText(OpprofFactMember(interface, "end"));
    facts->inside = OpprofFactText(OpprofFactMember(interface, "inside"));
    facts->separator = OpprofFactText(OpprofFactMember(interface, "separator"));
    facts->reads = OpprofFactMember(requests, "reads");
    facts->writes = OpprofFactMember(requests, "writes");
    facts->units = OpprofFactMember(requests, "units");
    return facts;
}

void MteFactsDestroy(MteFacts *facts)
{
    if (facts != NULL) {
        for (uint32_t i = 0; i < facts->form_count; i++) {
            OpprofFormFree(facts->forms[i]);
        }
        free(facts);
    }
}

/* "UB*" stands for every text that begins with UB. */
static bool is_unit(const char *pattern, const char *unit, size_t length)
{
    const size_t known = strcspn(pattern, "*");

    return (pattern[known] == '*' ? known <= length : known == length) &&
           memcmp(pattern, unit, known) == 0;
}

const char *MteFactsUnit(const MteFacts *facts, const char *unit, size_t length)
{
    OpprofFactWalk walk = { 0 };
    const OpprofFact *name;
    const char *pattern;

    while (facts->units != NULL && OpprofFactNext(facts->units, &walk, &pattern, &name)) {
        if (is_unit(pattern, unit, length) && OpprofFactText(name) != NULL) {
            return OpprofFactText(name);
        }
    }
    return "other";
}
