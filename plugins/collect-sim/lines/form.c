/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses lines by forms that a chip's file states.
 * Tested by tests/plugins/collect-sim/test_form.c.
 */
#include "form.h"
#include <opprof/record.h>
#include <string.h>

enum { LINE_TICK, LINE_PC, LINE_ID, LINE_PIPE, LINE_NAME, LINE_OPERANDS, LINE_ANY, LINE_FIELDS };
enum { MISS_TICK, MISS_PC, MISS_HEX8, MISS_DIGITS, MISS_DETAIL, MISS_FIELDS };
enum { EVENT_TICK, EVENT_PC, EVENT_FIELDS };

static const OpprofFormField line_fields[LINE_FIELDS] = {
    [LINE_TICK] = { .name = "tick", .kind = OPPROF_FORM_DECIMAL, .use = OPPROF_FORM_REQUIRED },
    [LINE_PC] = { .name = "pc", .kind = OPPROF_FORM_HEX, .use = OPPROF_FORM_REQUIRED },
    [LINE_ID] = { .name = "id", .kind = OPPROF_FORM_DECIMAL },
    [LINE_PIPE] = { .name = "pipe",
                    .kind = OPPROF_FORM_WORD,
                    .use = OPPROF_FORM_REQUIRED,
                    .also = "_" },
    [LINE_NAME] = { .name = "name",
                    .kind = OPPROF_FORM_WORD,
                    .use = OPPROF_FORM_REQUIRED,
                    .also = "_.-" },
    [LINE_OPERANDS] = { .name = "operands", .kind = OPPROF_FORM_REST },
    [LINE_ANY] = { .name = "any", .kind = OPPROF_FORM_REST, .use = OPPROF_FORM_REPEATED },
};

static const OpprofFormField miss_fields[MISS_FIELDS] = {
    [MISS_TICK] = { .name = "tick", .kind = OPPROF_FORM_DECIMAL, .use = OPPROF_FORM_REQUIRED },
    [MISS_PC] = { .name = "pc", .kind = OPPROF_FORM_ADDRESS, .use = OPPROF_FORM_REQUIRED },
    [MISS_HEX8] = { .name = "hex8",
                    .kind = OPPROF_FORM_HEX_DIGITS,
                    .use = OPPROF_FORM_REPEATED,
                    .least = 8,
                    .most = 8 },
    [MISS_DIGITS] = { .name = "digits",
                      .kind = OPPROF_FORM_DIGITS,
                      .use = OPPROF_FORM_REPEATED,
                      .most = 3 },
    [MISS_DETAIL] = { .name = "detail", .kind = OPPROF_FORM_HERE, .use = OPPROF_FORM_REQUIRED },
};

static const OpprofFormField event_fields[EVENT_FIELDS] = {
    [EVENT_TICK] = { .name = "tick", .kind = OPPROF_FORM_DECIMAL, .use = OPPROF_FORM_REQUIRED },
    [EVENT_PC] = { .name = "pc",
                   .kind = OPPROF_FORM_ADDRESS,
                   .use = OPPROF_FORM_REQUIRED,
                   .most = 16 },
};

const OpprofFormLanguage sim_form_lines = { .fields = line_fields,
                                            .field_count = LINE_FIELDS,
                                            .has_blanks = true };
const OpprofFormLanguage sim_form_misses = { .fields = miss_fields, .field_count = MISS_FIELDS };
const OpprofFormLanguage sim_form_events = { .fields = event_fields, .field_count = EVENT_FIELDS };

/* ---- reading forms ---- */

OpprofStatus SimFormsAdd(SimForms *forms, const OpprofFormLanguage *language, const char *text,
                         OpprofError **error)
{
    OpprofStatus status;

    if (text == NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "A form is not a text");
    }
    if (forms->count == SIM_FORMS) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' is one form too many, %u are allowed",
                              text, SIM_FORMS);
    }
    status = OpprofFormRead(language, text, &forms->forms[forms->count], error);
    forms->count += status == OPPROF_OK;
    return status;
}

OpprofStatus SimFormsRead(SimForms *forms, const OpprofFormLanguage *language,
                          const OpprofChip *chip, const char *path, OpprofError **error)
{
    const OpprofFact *fact = OpprofChipFact(chip, path);
    OpprofStatus status = OPPROF_OK;

    if (OpprofFactText(fact) != NULL) {
        status = SimFormsAdd(forms, language, OpprofFactText(fact), error);
    }
    for (size_t i = 0; i < OpprofFactCount(fact) && status == OPPROF_OK; i++) {
        status = SimFormsAdd(forms, language, OpprofFactText(OpprofFactAt(fact, i)), error);
    }
    return status == OPPROF_E_DATA
               ? OpprofErrorSet(error, OPPROF_E_DATA, "Chip file of '%s': member '%s' is wrong",
                                OpprofChipSoc(chip), path)
               : status;
}

void SimFormsFinish(SimForms *forms)
{
    for (uint32_t i = 0; i < forms->count; i++) {
        OpprofFormFree(forms->forms[i]);
    }
    *forms = (SimForms){ .count = 0 };
}

/* ---- reading lines ---- */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

bool SimFormsParse(const SimForms *forms, const char *line, size_t length, SimLine *ret_line)
{
    OpprofFormValue values[LINE_FIELDS];

    while (length > 0 && is_blank(line[length - 1])) {
        length--;
    }
    for (uint32_t i = 0; i < forms->count; i++) {
        if (OpprofFormMatch(forms->forms[i], line, length, values)) {
            const OpprofFormValue *operands = &values[LINE_OPERANDS];
            *ret_line =
                (SimLine){ .tick = values[LINE_TICK].number,
                           .pc = values[LINE_PC].number,
                           .id = values[LINE_ID].text == NULL ? OPPROF_NA_U64
                                                              : values[LINE_ID].number,
                           .pipe = values[LINE_PIPE].text,
                           .name = values[LINE_NAME].text,
                           .detail = operands->text == NULL ? line + length : operands->text,
                           .pipe_length = values[LINE_PIPE].length,
                           .name_length = values[LINE_NAME].length,
                           .detail_length = operands->length,
                           .may_have_register = operands->text != NULL };
            return true;
        }
    }
    return false;
}

bool SimFormsFindEvent(const SimForms *forms, const char *line, size_t length, uint64_t *ret_tick,
                       uint64_t *ret_pc)
{
    const char *first = NULL;

    for (uint32_t i = 0; i < forms->count; i++) {
        OpprofFormValue values[EVENT_FIELDS];
        const char *after = OpprofFormFind(forms->forms[i], line, length, values);
        if (after != NULL && (first == NULL || after < first)) {
            first = after;
            *ret_tick = values[EVENT_TICK].number;
            *ret_pc = values[EVENT_PC].number;
        }
    }
    return first != NULL;
}

bool SimFormsParseMiss(const SimForms *forms, const char *line, size_t length, SimMiss *ret_miss)
{
    OpprofFormValue values[MISS_FIELDS];

    for (uint32_t i = 0; i < forms->count; i++) {
        if (OpprofFormMatch(forms->forms[i], line, length, values)) {
            const char *detail = values[MISS_DETAIL].text;
            *ret_miss = (SimMiss){ .tick = values[MISS_TICK].number,
                                   .pc = values[MISS_PC].number,
                                   .address = values[MISS_PC].text,
                                   .detail = detail,
                                   .address_length = values[MISS_PC].length,
                                   .detail_length = (uint32_t) (line + length - detail) };
            return true;
        }
    }
    return false;
}

/* ---- damaged lines ---- */

#define LEAST_LIKE 4u /* bytes of its texts that a line which ends early has to have of a form */

static bool is_of_field(const OpprofFormField *field, char byte)
{
    switch (field->kind) {
    case OPPROF_FORM_DECIMAL:
    case OPPROF_FORM_DIGITS:
        return byte >= '0' && byte <= '9';
    case OPPROF_FORM_HEX:
    case OPPROF_FORM_HEX_DIGITS:
    case OPPROF_FORM_ADDRESS:
        return byte != '\0' && strchr("0123456789abcdefABCDEFx", byte) != NULL;
    case OPPROF_FORM_WORD:
    case OPPROF_FORM_REST:
    case OPPROF_FORM_HERE:
        break;
    }
    return false; /* takes what comes, so the end of a line shows nothing */
}

/* All that is left of a line is a field's, if there is one, and then the beginning of the text
 * after it. */
static bool ends_within(const OpprofFormField *field, const OpprofFormPart *text, const char *at,
                        const char *end, uint32_t like)
{
    while (field != NULL && at < end && is_of_field(field, *at)) {
        at++;
    }
    const size_t left = (size_t) (end - at);
    return left < text->length && memcmp(at, text->text, left) == 0 && like + left >= LEAST_LIKE;
}

static bool is_like(const OpprofForm *form, const char *at, const char *end)
{
    OpprofFormPart parts[OPPROF_FORM_PARTS];
    const uint32_t count = OpprofFormTakeApart(form, parts);
    const OpprofFormField *field = NULL;
    uint32_t like = 0;

    for (uint32_t i = 0; i < count; i++) {
        const OpprofFormPart *part = &parts[i];
        const char *found;

        if (part->field != NULL) {
            field = part->field->kind == OPPROF_FORM_HERE ? field : part->field;
            continue;
        }
        if (part->is_optional) {
            const size_t left = (size_t) (end - at);
            at += left >= part->length && memcmp(at, part->text, part->length) == 0 ? part->length
                                                                                    : 0;
            continue;
        }
        found = memmem(at, (size_t) (end - at), part->text, part->length);
        if (found == NULL) {
            return ends_within(field, part, at, end, like);
        }
        at = found + part->length;
        like += part->length;
        field = NULL;
    }
    return true;
}

static bool resembles(const SimForms *forms, const char *line, size_t length)
{
    for (uint32_t i = 0; i < forms->count; i++) {
        if (is_like(forms->forms[i], line, line + length)) {
            return true;
        }
    }
    return false;
}

bool SimFormsIsSpoiltMiss(const SimForms *forms, const char *line, size_t length)
{
    SimMiss unused;

    return resembles(forms, line, length) && !SimFormsParseMiss(forms, line, length, &unused);
}

bool SimFormsIsSpoiltEvent(const SimForms *forms, const char *line, size_t length)
{
    uint64_t tick, pc;

    return resembles(forms, line, length) && !SimFormsFindEvent(forms, line, length, &tick, &pc);
}
