/* SPDX-License-Identifier: Apache-2.0 */
/* How long a run took. Tested by tests/plugins/report/test_report. */
#include "run_time.h"

#include "row_names.h"

#include <opprof/print.h>
#include <string.h>

RunTime RunTimeOf(const OpprofRecordType *type)
{
    return (RunTime){ .field = NameFieldWith(type, OPPROF_FIELD_RUN_TIME) };
}

OpprofStatus RunTimeTake(RunTime *time, const OpprofStage *stage, const OpprofBatch *batch,
                         const char *record, OpprofError **error)
{
    Label key, member;
    double value;
    OpprofStatus status;
    Group *group;

    if (time->field >= batch->type->field_count ||
        !OpprofFieldNumber(&batch->type->fields[time->field], record, &value) ||
        !NameMembers(&member, stage, batch, record, true)) {
        return OPPROF_OK;
    }
    time->groups.combine = OPPROF_COMBINE_LONGEST;
    time->groups.directory = OpprofStageOutput(stage);
    key.length = 0;
    NamePutHiddenKeys(&key, stage, batch, record);
    const uint32_t row = (uint32_t) key.length;
    NamePutText(&key, member.text, member.length);
    status = GroupsFind(&time->groups,
                        (GroupKey){ .text = key.text, .row = row, .length = (uint32_t) key.length },
                        &group, error);
    if (status != OPPROF_OK) {
        return status;
    }
    GroupAdd(&time->groups, group, value);
    return GroupName(group, "") && NameNoteMembers(&time->members, &member)
               ? OPPROF_OK
               : OpprofErrorNoMemory(error, "make a report");
}

OpprofStatus RunTimeSettle(RunTime *time, const OpprofRecordType *type, OpprofError **error)
{
    OpprofStatus status;

    if (time->field == UINT32_MAX) {
        return OPPROF_OK;
    }
    status = GroupsSettle(&time->groups, 1, error);
    time->us = (double) time->groups.whole * OpprofUnitTime(type->fields[time->field].unit);
    time->launches = time->groups.row_keys;
    return status;
}

void RunTimeFinish(RunTime *time)
{
    GroupsFinish(&time->groups);
    OpprofTextMapFinish(&time->members);
}
