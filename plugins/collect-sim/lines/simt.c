/* SPDX-License-Identifier: Apache-2.0 */
/* Reads warps and thread masks in operands. Tested by tests/plugins/collect-sim/test_tables.c. */
#include "simt.h"

enum { FIELD_WARP, FIELD_SCHEDULER, FIELD_PREDICATE, FIELD_EXECUTED, FIELDS };

#define MASK .kind = OPPROF_FORM_HEX_DIGITS, .least = 1, .most = 8

static const OpprofFormField fields[FIELDS] = {
    [FIELD_WARP] = { .name = "warp", .kind = OPPROF_FORM_DECIMAL, .most = 2 },
    [FIELD_SCHEDULER] = { .name = "scheduler", .kind = OPPROF_FORM_DECIMAL, .most = 1 },
    [FIELD_PREDICATE] = { .name = "predicate", MASK },
    [FIELD_EXECUTED] = { .name = "executed", MASK },
};
static const OpprofFormLanguage language = { .fields = fields, .field_count = FIELDS };

/* ---- forms ---- */

static OpprofStatus read_form(const OpprofFact *threads, const char *member, OpprofForm **ret_form,
                              OpprofError **error)
{
    const char *text = OpprofFactText(OpprofFactMember(threads, member));

    return text == NULL ? OPPROF_OK : OpprofFormRead(&language, text, ret_form, error);
}

OpprofStatus SimtFormsRead(const OpprofChip *chip, SimtForms *ret_forms, OpprofError **error)
{
    const OpprofFact *threads = OpprofChipFact(chip, "simulator.threads");
    double schedulers = 4;
    OpprofStatus status;

    *ret_forms = (SimtForms){ .warp = NULL };
    if (!OpprofChipBool(chip, "simulator.simt", false)) {
        return OPPROF_OK;
    }
    OpprofFactNumber(OpprofFactMember(threads, "schedulers"), &schedulers);
    ret_forms->schedulers = schedulers >= 1 && schedulers <= 10 ? (uint32_t) schedulers : 4;
    status = read_form(threads, "warp", &ret_forms->warp, error);
    if (status == OPPROF_OK) {
        status = read_form(threads, "scheduler", &ret_forms->scheduler, error);
    }
    if (status == OPPROF_OK) {
        status = read_form(threads, "masks", &ret_forms->masks, error);
    }
    if (status == OPPROF_E_DATA) {
        OpprofErrorSet(error, OPPROF_E_DATA, "Chip file of '%s': simulator.threads is wrong",
                       OpprofChipSoc(chip));
    }
    return status;
}

void SimtFormsFinish(SimtForms *forms)
{
    OpprofFormFree(forms->warp);
    OpprofFormFree(forms->scheduler);
    OpprofFormFree(forms->masks);
    *forms = (SimtForms){ .warp = NULL };
}

/* ---- reading ---- */

/* Anywhere in the text; -1: not there. */
static int16_t find_scheduler(const SimtForms *forms, const char *at, const char *end)
{
    OpprofFormValue values[FIELDS];

    while (forms->scheduler != NULL &&
           (at = OpprofFormFind(forms->scheduler, at, (size_t) (end - at), values)) != NULL) {
        if (values[FIELD_SCHEDULER].number < forms->schedulers) {
            return (int16_t) values[FIELD_SCHEDULER].number;
        }
    }
    return -1;
}

void SimtReadWarp(const SimtForms *forms, const char *at, const char *end, int16_t *ret_warp,
                  int16_t *ret_scheduler)
{
    OpprofFormValue values[FIELDS];
    const char *after =
        forms->warp == NULL ? NULL : OpprofFormFind(forms->warp, at, (size_t) (end - at), values);

    *ret_scheduler = after == NULL ? -1 : find_scheduler(forms, after, end);
    *ret_warp = *ret_scheduler < 0 ? -1 : (int16_t) values[FIELD_WARP].number;
}

int32_t SimtReadThreads(const SimtForms *forms, const char *at, const char *end)
{
    OpprofFormValue values[FIELDS];

    if (forms->masks == NULL ||
        OpprofFormFind(forms->masks, at, (size_t) (end - at), values) == NULL) {
        return -1;
    }
    return __builtin_popcountll(values[FIELD_PREDICATE].number & values[FIELD_EXECUTED].number);
}
