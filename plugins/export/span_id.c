/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for the ids of flags and arrows, for viewers that know no texts. Tested by
 * tests/plugins/export/test_trace_event. */
#include "span_id.h"

#include <opprof/intern.h>

#define MAX_DIGITS 16u
#define SEED UINT64_C(0x2545f4914f6cdd1d) /* fixed, so that results do not differ between runs */

static int digit_of(char character)
{
    if (character >= '0' && character <= '9') {
        return character - '0';
    }
    if (character >= 'a' && character <= 'f') {
        return character - 'a' + 10;
    }
    return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

static bool read_number(const char *text, size_t length, uint64_t *ret_number)
{
    if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text += 2;
        length -= 2;
    }
    *ret_number = 0;
    for (size_t i = 0; i < length; i++) {
        if (digit_of(text[i]) < 0) {
            return false;
        }
        *ret_number = *ret_number << 4 | (unsigned) digit_of(text[i]);
    }
    return length > 0 && length <= MAX_DIGITS;
}

bool SpanIdIsNumber(const char *text, size_t length)
{
    uint64_t number;

    return read_number(text, length, &number);
}

uint64_t SpanIdNumber(const char *text, size_t length)
{
    uint64_t number;

    if (!read_number(text, length, &number)) {
        number = OpprofInternHash(SEED, text, length);
    }
    return number;
}
