/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the fields of any record type. Tested by tests/core/plugin/test_descriptor and
 * tests/core/recording/test_recording. */
#include "stream/fields.h"

#include <string.h>

uint32_t FieldKindBytes(uint32_t kind)
{
    switch (kind) {
    case OPPROF_FIELD_I16:
        return 2;
    case OPPROF_FIELD_U32:
    case OPPROF_FIELD_I32:
    case OPPROF_FIELD_STRING:
    case OPPROF_FIELD_TRACK:
        return 4;
    case OPPROF_FIELD_U64:
    case OPPROF_FIELD_I64:
    case OPPROF_FIELD_F64:
    case OPPROF_FIELD_HEX:
    case OPPROF_FIELD_TICK:
    case OPPROF_FIELD_TEXT:
        return 8;
    default:
        return 0;
    }
}

const OpprofField *FieldOfElements(const OpprofRecordType *type, const char *name)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind == OPPROF_FIELD_TEXT && type->fields[i].name != NULL &&
            strcmp(type->fields[i].name, name) == 0) {
            return &type->fields[i];
        }
    }
    return NULL;
}
