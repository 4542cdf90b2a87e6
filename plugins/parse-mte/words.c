/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what a chip's file says about lines of memory transfer engines.
 * Tested by tests/plugins/parse-mte/test_line.c.
 */
#include "words.h"
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

static bool add_form(MteWords *words, const char *text)
{
    if (text == NULL || words->form_count == MTE_FORMS ||
        OpprofFormRead(&language, text, &words->forms[words->form_count], NULL) != OPPROF_OK) {
        return false;
    }
    words->form_count++;
    return true;
}

static bool read_forms(MteWords *words, const OpprofFact *line)
{
    bool is_good = OpprofFactText(line) == NULL || add_form(words, OpprofFactText(line));

    for (size_t i = 0; is_good && i < OpprofFactCount(line); i++) {
        is_good = add_form(words, OpprofFactText(OpprofFactAt(line, i)));
    }
    return is_good;
}

static void read_keys(MteWords *words, const OpprofFact *keys)
{
    static const char *const numbers[MTE_NUMBERS] = { "instruction", "request", "size" };

    for (unsigned number = 0; number < MTE_NUMBERS; number++) {
        const OpprofFact *texts = OpprofFactMember(keys, numbers[number]);
        for (size_t i = 0; i < OpprofFactCount(texts) && i < MTE_KEYS; i++) {
            words->keys[number][i] = OpprofFactText(OpprofFactAt(texts, i));
        }
    }
}

MteWords *MteWordsCreate(const OpprofChip *chip, const char *path)
{
    const OpprofFact *requests = OpprofChipFact(chip, path);
    const OpprofFact *interface = OpprofFactMember(requests, "interface");
    MteWords *words = calloc(1, sizeof *words);

    if (words == NULL || !read_forms(words, OpprofFactMember(requests, "line"))) {
        MteWordsDestroy(words);
        return NULL;
    }
    read_keys(words, OpprofFactMember(requests, "keys"));
    words->end = OpprofFactText(OpprofFactMember(interface, "end"));
    words->inside = OpprofFactText(OpprofFactMember(interface, "inside"));
    words->separator = OpprofFactText(OpprofFactMember(interface, "separator"));
    words->reads = OpprofFactMember(requests, "reads");
    words->writes = OpprofFactMember(requests, "writes");
    words->units = OpprofFactMember(requests, "units");
    return words;
}

void MteWordsDestroy(MteWords *words)
{
    if (words != NULL) {
        for (uint32_t i = 0; i < words->form_count; i++) {
            OpprofFormFree(words->forms[i]);
        }
        free(words);
    }
}

/* "UB*" stands for every text that begins with UB. */
static bool is_unit(const char *pattern, const char *unit, size_t length)
{
    const size_t known = strcspn(pattern, "*");

    return (pattern[known] == '*' ? known <= length : known == length) &&
           memcmp(pattern, unit, known) == 0;
}

const char *MteWordsUnit(const MteWords *words, const char *unit, size_t length)
{
    OpprofFactWalk walk = { 0 };
    const OpprofFact *name;
    const char *pattern;

    while (words->units != NULL && OpprofFactNext(words->units, &walk, &pattern, &name)) {
        if (is_unit(pattern, unit, length) && OpprofFactText(name) != NULL) {
            return OpprofFactText(name);
        }
    }
    return "other";
}
