/* SPDX-License-Identifier: Apache-2.0 */
/* A form, a line feed, and a text: what the form finds lies within the text, in its order, and a
 * text that is printed by what was found has the form. */
#include "fuzz/fuzz.h"
#include <opprof/kit/form.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const OpprofFormField fields[] = {
    { .name = "n", .kind = OPPROF_FORM_DECIMAL },
    { .name = "x", .kind = OPPROF_FORM_HEX },
    { .name = "a", .kind = OPPROF_FORM_ADDRESS },
    { .name = "d", .kind = OPPROF_FORM_DIGITS, .most = 3 },
    { .name = "h", .kind = OPPROF_FORM_HEX_DIGITS, .least = 8, .most = 8 },
    { .name = "w", .kind = OPPROF_FORM_WORD, .also = "_" },
    { .name = "s", .kind = OPPROF_FORM_WORD, .is_name = true },
    { .name = "r", .kind = OPPROF_FORM_REST },
    { .name = "p", .kind = OPPROF_FORM_HERE },
};
#define FIELDS (sizeof fields / sizeof fields[0])

static void require_within(const OpprofFormValue *values, const char *text, const char *end)
{
    for (size_t i = 0; i < FIELDS; i++) {
        FUZZ_REQUIRE(values[i].text == NULL ||
                     (values[i].text >= text && values[i].text + values[i].length <= end));
    }
}

/* Fields that were found, put into the form, have the form. */
static void require_printed(const OpprofForm *form, const OpprofFormValue *values)
{
    char *texts[FIELDS] = { NULL };
    OpprofFormValue again[FIELDS];
    char *printed;

    for (size_t i = 0; i < FIELDS; i++) {
        texts[i] = values[i].text == NULL ? NULL : strndup(values[i].text, values[i].length);
    }
    printed = OpprofFormPrint(form, (const char *const *) texts);
    FUZZ_REQUIRE(printed != NULL);
    FUZZ_REQUIRE(OpprofFormMatch(form, printed, strlen(printed), again));
    for (size_t i = 0; i < FIELDS; i++) {
        FUZZ_REQUIRE((again[i].text == NULL) == (values[i].text == NULL));
        FUZZ_REQUIRE(again[i].number == values[i].number);
        free(texts[i]);
    }
    free(printed);
}

static void try_language(const OpprofFormLanguage *language, const char *text, const char *line,
                         size_t length)
{
    OpprofForm *form = NULL;
    OpprofFormValue values[FIELDS];

    if (OpprofFormRead(language, text, &form, NULL) != OPPROF_OK) {
        return;
    }
    if (OpprofFormMatch(form, line, length, values)) {
        const char *after;

        require_within(values, line, line + length);
        if (!OpprofFormHas(form, 7) && !language->has_wildcards) {
            require_printed(form, values);
        }
        after = OpprofFormFind(form, line, length, values);
        FUZZ_REQUIRE(after != NULL && after <= line + length);
    } else if (OpprofFormFind(form, line, length, values) != NULL) {
        require_within(values, line, line + length);
    }
    OpprofFormFree(form);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *newline = size == 0 ? NULL : memchr(data, '\n', size);
    const size_t length = newline == NULL ? 0 : (size_t) (newline - data);

    if (newline == NULL || size > 4096) {
        return 0;
    }
    char *text = strndup((const char *) data, length);
    char *line = malloc(size - length); /* of its own, so that a look after its end is seen */
    FUZZ_REQUIRE(text != NULL && line != NULL);
    memcpy(line, newline + 1, size - length - 1);
    for (unsigned i = 0; i < 4; i++) {
        const OpprofFormLanguage language = { .fields = fields,
                                              .field_count = FIELDS,
                                              .has_blanks = (i & 1) != 0,
                                              .has_wildcards = (i & 2) != 0 };
        try_language(&language, text, line, size - length - 1);
    }
    free(text);
    free(line);
    return 0;
}
