/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the text that the viewer shows for an instruction. */
#include "instr_source.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define VALUE "=0x"
#define OTHER_VALUE ":0x"

/* Spellings of the operands of flags, on different chips. */
typedef struct FlagForm {
    const char *set;
    const char *wait;
    const char *labels[3]; /* before the setting pipe, the waiting pipe, the flag */
} FlagForm;

static const FlagForm forms[] = {
    { "SET_FLAG", "WAIT_FLAG", { "PIPE:", ",TRIGGERPIPE:", ",FLAGID:" } },
    { "set_event", "wait_event", { "pipe_type:", ",tigger_pipe:", ",event_id:" } },
};

typedef struct Part {
    const char *text;
    size_t length;
} Part;

static bool equals(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* Letters and digits after a label; moves *at past them. */
static bool read_word(const char *label, const char **at, const char *end, Part *ret_word)
{
    const size_t length = strlen(label);
    const char *start;

    if ((size_t) (end - *at) < length || memcmp(*at, label, length) != 0) {
        return false;
    }
    start = *at + length;
    for (*at = start; *at < end && isalnum((unsigned char) **at); (*at)++) {
    }
    *ret_word = (Part){ .text = start, .length = (size_t) (*at - start) };
    return ret_word->length > 0;
}

static char *put(char *out, const char *text, size_t length)
{
    memcpy(out, text, length);
    return out + length;
}

/* NULL when the operands are not those of a flag. */
static char *put_flag(char *out, const char *name, size_t name_length, const char *detail,
                      size_t detail_length)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const bool waits = equals(name, name_length, forms[i].wait);
        const char *at = detail;
        Part words[3];

        if (!waits && !equals(name, name_length, forms[i].set)) {
            continue;
        }
        for (size_t w = 0; w < 3; w++) {
            if (!read_word(forms[i].labels[w], &at, detail + detail_length, &words[w])) {
                return NULL;
            }
        }
        out = put(out, name, name_length);
        *out++ = ' ';
        out = put(out, words[!waits].text, words[!waits].length);
        out = put(out, " ID:", 4);
        return put(out, words[2].text, words[2].length);
    }
    return NULL;
}

/* Length of an operand without its value. */
static size_t bare_length(const char *text, size_t length)
{
    const char *value = memmem(text, length, VALUE, strlen(VALUE));

    if (value == NULL) {
        value = memmem(text, length, OTHER_VALUE, strlen(OTHER_VALUE));
    }
    return value == NULL ? length : (size_t) (value - text);
}

char *InstrSourcePut(char *out, const char *name, size_t name_length, const char *detail,
                     size_t detail_length)
{
    char *start = put_flag(out, name, name_length, detail, detail_length);
    const char *end = detail + detail_length;
    bool is_first = true;

    if (start != NULL) {
        return start;
    }
    out = put(out, name, name_length);
    *out++ = ' ';
    while (detail < end) {
        const char *comma = memchr(detail, ',', (size_t) (end - detail));
        const char *after = comma == NULL ? end : comma;
        const size_t length = bare_length(detail, (size_t) (after - detail));

        if (length > 0 && !is_first) {
            *out++ = ',';
        }
        out = put(out, detail, length);
        is_first = false;
        detail = after + (comma != NULL);
    }
    return out;
}
