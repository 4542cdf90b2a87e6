/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches files with the names that a chip's file gives its simulator's logs.
 * Tested by tests/plugins/collect-sim/test_form.c.
 */
#include "log_names.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_CORE, NAME_SUB, NAME_FIELDS };

static const OpprofFormField fields[NAME_FIELDS] = {
    [NAME_CORE] = { .name = "core",
                    .kind = OPPROF_FORM_DECIMAL,
                    .use = OPPROF_FORM_REQUIRED,
                    .most = 9 },
    [NAME_SUB] = { .name = "sub", .kind = OPPROF_FORM_WORD, .is_name = true },
};
static const OpprofFormLanguage language = { .fields = fields, .field_count = NAME_FIELDS };

static const char *const members[SIM_LOG_KINDS] = { "popped", "instr", "icache", "ccu", "mte" };

static OpprofStatus read_name(SimLogNames *names, unsigned kind, const char *text,
                              OpprofError **error)
{
    OpprofStatus status;

    if (text == NULL) {
        return kind > SIM_LOG_INSTR ? OPPROF_OK
                                    : OpprofErrorSet(error, OPPROF_E_DATA, "It is missing");
    }
    if (strchr(text, '/') != NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' is not a file's name", text);
    }
    status = OpprofFormRead(&language, text, &names->forms[kind], error);
    if (status != OPPROF_OK) {
        return status;
    }
    const bool has_sub = OpprofFormHas(names->forms[kind], NAME_SUB);
    const bool wants_sub =
        kind != SIM_LOG_MTE && OpprofFormHas(names->forms[SIM_LOG_POPPED], NAME_SUB);
    if (has_sub == wants_sub) {
        return OPPROF_OK;
    }
    return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' %s", text,
                          kind == SIM_LOG_MTE ? "has <sub>, but there is one for all of a number"
                          : has_sub           ? "has <sub>, and popped has not"
                                              : "has no <sub>, but popped has");
}

OpprofStatus SimLogNamesOf(const OpprofChip *chip, SimLogNames *ret_names, OpprofError **error)
{
    const OpprofFact *logs = OpprofChipFact(chip, "simulator.logs");
    OpprofStatus status = OPPROF_OK;

    *ret_names = (SimLogNames){ .forms = { NULL } };
    for (unsigned kind = 0; kind < SIM_LOG_KINDS && status == OPPROF_OK; kind++) {
        status = read_name(ret_names, kind, OpprofFactText(OpprofFactMember(logs, members[kind])),
                           error);
        if (status == OPPROF_E_DATA) {
            OpprofErrorSet(error, OPPROF_E_DATA, "Chip file of '%s': simulator.logs.%s is wrong",
                           OpprofChipSoc(chip), members[kind]);
            OpprofErrorHint(error, "For example \"popped\": \"issued-<core>.log\"");
        }
    }
    if (status != OPPROF_OK) {
        SimLogNamesFinish(ret_names);
    }
    return status;
}

void SimLogNamesFinish(SimLogNames *names)
{
    for (unsigned kind = 0; kind < SIM_LOG_KINDS; kind++) {
        OpprofFormFree(names->forms[kind]);
        names->forms[kind] = NULL;
    }
}

bool SimLogNamesMatch(const SimLogNames *names, SimLogKind kind, const char *file,
                      SimLogName *ret_name)
{
    OpprofFormValue values[NAME_FIELDS];
    const bool is_it = names->forms[kind] != NULL &&
                       OpprofFormMatch(names->forms[kind], file, strlen(file), values);

    *ret_name = (SimLogName){ .sub = "" };
    if (is_it) {
        ret_name->core = (uint32_t) values[NAME_CORE].number;
    }
    if (is_it && values[NAME_SUB].text != NULL) {
        ret_name->sub = values[NAME_SUB].text;
        ret_name->sub_length = values[NAME_SUB].length;
    }
    return is_it;
}

char *SimLogNamesFile(const SimLogNames *names, SimLogKind kind, const SimLogName *name)
{
    char core[16];
    char *sub = strndup(name->sub, name->sub_length);
    const char *const texts[NAME_FIELDS] = { [NAME_CORE] = core, [NAME_SUB] = sub };
    char *file = NULL;

    snprintf(core, sizeof core, "%u", (unsigned) name->core);
    if (names->forms[kind] != NULL && sub != NULL) {
        file = OpprofFormPrint(names->forms[kind], texts);
    }
    free(sub);
    return file;
}

char *SimLogNamesGlob(const SimLogNames *names, SimLogKind kind)
{
    return names->forms[kind] == NULL ? NULL : OpprofFormPrint(names->forms[kind], NULL);
}
