/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognises user marks by the words of a chip's file.
 * Tested by tests/plugins/collect-sim/test_line.c.
 */
#include "mark_facts.h"
#include "charset.h"
#include <string.h>

static const OpprofFormField fields[] = {
    { .name = "digit", .kind = OPPROF_FORM_DECIMAL, .use = OPPROF_FORM_REQUIRED, .most = 1 },
};
static const OpprofFormLanguage language = { .fields = fields, .field_count = 1 };

/* ---- a cheap check for registers ---- */

/* The text in the head of every line cannot be watched for: it would always match. */
static bool is_in_head(const char pair[2])
{
    static const char head[] = "[info] [0123456789] (PC: 0x0abcdef0) : (Binary: 0x0abcdef0) ";

    return memmem(head, sizeof head - 1, pair, 2) != NULL;
}

/* The byte after `byte` in the text, if the two do not occur in heads of lines; 0: none. */
static char follower(const char *text, char byte)
{
    for (const char *at = text; at[0] != '\0' && at[1] != '\0'; at++) {
        if (*at == byte && !is_in_head(at)) {
            return at[1];
        }
    }
    return '\0';
}

/* Whether every register contains the byte followed by one of two bytes. */
static bool is_watch(const OpprofFact *registers, char byte, SimLineWatch *watch)
{
    *watch = (SimLineWatch){ .byte = byte };
    for (size_t i = 0; i < OpprofFactCount(registers); i++) {
        const char *text = OpprofFactText(OpprofFactAt(registers, i));
        const char after = text == NULL ? '\0' : follower(text, byte);

        if (after == '\0' || (watch->after[0] != '\0' && watch->after[0] != after &&
                              watch->after[1] != '\0' && watch->after[1] != after)) {
            return false;
        }
        if (watch->after[0] == '\0' || watch->after[0] == after) {
            watch->after[0] = after;
        } else {
            watch->after[1] = after;
        }
    }
    if (watch->after[1] == '\0') {
        watch->after[1] = watch->after[0];
    }
    return watch->after[0] != '\0';
}

/* A byte of the first register that works for all; without one every line is checked. */
static SimLineWatch watch_for(const OpprofFact *registers)
{
    const char *first = OpprofFactText(OpprofFactAt(registers, 0));
    SimLineWatch watch;

    for (const char *at = first; at != NULL && *at != '\0'; at++) {
        if (is_watch(registers, *at, &watch)) {
            return watch;
        }
    }
    return (SimLineWatch){ .is_any = OpprofFactCount(registers) > 0 };
}

/* ---- words ---- */

static OpprofStatus read_value(const OpprofFact *marks, const char *member, OpprofForm **ret_form,
                               OpprofError **error)
{
    const char *text = OpprofFactText(OpprofFactMember(marks, member));

    return text == NULL ? OPPROF_OK : OpprofFormRead(&language, text, ret_form, error);
}

OpprofStatus SimMarkFactsRead(const OpprofChip *chip, SimMarkFacts *ret_words, OpprofError **error)
{
    const OpprofFact *marks = OpprofChipFact(chip, "simulator.marks");
    OpprofStatus status;

    *ret_words = (SimMarkFacts){ .registers = OpprofFactMember(marks, "registers"),
                                 .edge = OpprofFactText(OpprofFactMember(marks, "edge")) };
    ret_words->edge_length = ret_words->edge == NULL ? 0 : strlen(ret_words->edge);
    ret_words->watch = watch_for(ret_words->registers);
    status = read_value(marks, "start", &ret_words->start, error);
    if (status == OPPROF_OK) {
        status = read_value(marks, "stop", &ret_words->stop, error);
    }
    if (status == OPPROF_E_DATA) {
        OpprofErrorSet(error, OPPROF_E_DATA, "Chip file of '%s': simulator.marks is wrong",
                       OpprofChipSoc(chip));
    }
    return status;
}

void SimMarkFactsFinish(SimMarkFacts *words)
{
    OpprofFormFree(words->start);
    OpprofFormFree(words->stop);
    *words = (SimMarkFacts){ .registers = NULL };
}

bool SimMarkFactsFindRegister(const SimMarkFacts *words, const SimLine *line)
{
    for (size_t i = 0; i < OpprofFactCount(words->registers); i++) {
        const char *text = OpprofFactText(OpprofFactAt(words->registers, i));

        if (text != NULL && memmem(line->detail, line->detail_length, text, strlen(text)) != NULL) {
            return true;
        }
    }
    return false;
}

int SimMarkFactsDigit(const SimMarkFacts *words, const SimLine *line, bool *ret_is_start)
{
    OpprofFormValue start, stop;
    const char *starts = words->start == NULL ? NULL
                                              : OpprofFormFind(words->start, line->detail,
                                                               line->detail_length, &start);
    const char *stops = words->stop == NULL
                            ? NULL
                            : OpprofFormFind(words->stop, line->detail, line->detail_length, &stop);

    if (starts == NULL && stops == NULL) {
        return -1;
    }
    *ret_is_start = stops == NULL || (starts != NULL && starts < stops);
    return (int) (*ret_is_start ? start.number : stop.number);
}
