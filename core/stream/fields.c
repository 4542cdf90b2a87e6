/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the fields of any record type. Tested by tests/core/plugin/test_descriptor and
 * tests/core/recording/test_recording. */
#include "stream/fields.h"

#include <string.h>

uint32_t FieldKindBytes(uint32_t kind)
{
    static const uint8_t bytes[] = {
        [OPPROF_FIELD_I16] = 2,    [OPPROF_FIELD_U32] = 4,   [OPPROF_FIELD_I32] = 4,
        [OPPROF_FIELD_STRING] = 4, [OPPROF_FIELD_TRACK] = 4, [OPPROF_FIELD_U64] = 8,
        [OPPROF_FIELD_I64] = 8,    [OPPROF_FIELD_F64] = 8,   [OPPROF_FIELD_HEX] = 8,
        [OPPROF_FIELD_TICK] = 8,   [OPPROF_FIELD_TEXT] = 8,
    };

    return kind < sizeof bytes ? bytes[kind] : 0;
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
