/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formulas of whole numbers: the text up to the first NUL, after it the values. A formula is
 * refused with its column, or means the same in brackets.
 */
#include "fuzz/fuzz.h"

#include <opprof/kit/whole.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES 8u

/* Names that begin with a small letter are values, "K…" is a number, anything else is unknown. */
static bool bind(void *context, const char *name, OpprofWholeName *ret_name)
{
    (void) context;
    *ret_name = (OpprofWholeName){ .is_number = name[0] == 'K',
                                   .index = (uint32_t) (unsigned char) name[0] % VALUES,
                                   .number = strlen(name) };
    return name[0] == 'K' || (name[0] >= 'a' && name[0] <= 'z');
}

static void check_refusal(OpprofStatus status, OpprofError *error)
{
    FUZZ_REQUIRE(status == OPPROF_E_DATA);
    FUZZ_REQUIRE(error != NULL);
    FUZZ_REQUIRE(strncmp(OpprofErrorMessage(error), "Column ", 7) == 0);
    OpprofErrorDestroy(error);
}

static void compare(const char *text, bool wraps, const uint64_t *values)
{
    OpprofWhole *plain = NULL;
    OpprofWhole *in_brackets = NULL;
    OpprofError *error = NULL;
    const OpprofStatus status = OpprofWholeParse(text, wraps, bind, NULL, &plain, &error);
    char *longer = NULL;

    if (status != OPPROF_OK) {
        check_refusal(status, error);
        return;
    }
    FUZZ_REQUIRE(asprintf(&longer, "(%s)", text) >= 0);
    /* Two bytes and a bracket more may be too much. */
    if (OpprofWholeParse(longer, wraps, bind, NULL, &in_brackets, &error) == OPPROF_OK) {
        FUZZ_REQUIRE(OpprofWholeEvaluate(plain, values) ==
                     OpprofWholeEvaluate(in_brackets, values));
    } else {
        check_refusal(OPPROF_E_DATA, error);
    }
    OpprofWholeFree(in_brackets);
    OpprofWholeFree(plain);
    free(longer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size > 0 ? memchr(data, '\0', size) : NULL;
    const size_t length = nul == NULL ? size : (size_t) (nul - data);
    const size_t rest = nul == NULL ? 0 : size - length - 1;
    uint64_t values[VALUES] = { 0 };
    char *text = strndup((const char *) data, length);

    FUZZ_REQUIRE(text != NULL);
    if (rest > 0) {
        memcpy(values, nul + 1, rest < sizeof values ? rest : sizeof values);
    }
    compare(text, false, values);
    compare(text, true, values);
    free(text);
    return 0;
}
