/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads which tables a question can do without: "optional: cores(core, busy_us), launches(name)".
 * Tested by tests/plugins/advise/test_advise.
 */
#include "optional.h"

#include <stdlib.h>
#include <string.h>

OpprofStatus OptionalEach(const char *head, OptionalTake *take, void *context, OpprofError **error)
{
    char *copy = strdup(head == NULL ? "" : head);
    char *rest = copy;
    OpprofStatus status =
        copy == NULL ? OpprofErrorNoMemory(error, "read optional tables") : OPPROF_OK;
    char *columns;

    while (status == OPPROF_OK && (columns = strsep(&rest, ")")) != NULL) {
        const char *name;

        columns += strspn(columns, OPTIONAL_BETWEEN);
        if (*columns != '\0') {
            name = strsep(&columns, "(");
            status = take(context, name, columns, error);
        }
    }
    free(copy);
    return status;
}

static OpprofStatus check(void *context, const char *name, char *columns, OpprofError **error)
{
    const char *path = context;

    return columns != NULL && columns[strspn(columns, OPTIONAL_BETWEEN)] != '\0'
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_DATA,
                                "The rule '%s' has the optional table '%s%s', which is not a name "
                                "with columns in brackets",
                                path, name, columns == NULL ? "" : "(");
}

OpprofStatus OptionalCheck(const char *head, char *path, OpprofError **error)
{
    return OptionalEach(head, check, path, error);
}
