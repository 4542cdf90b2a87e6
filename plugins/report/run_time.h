/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_RUN_TIME_H
#define REPORT_RUN_TIME_H

#include "groups.h"

#include <opprof/stage.h>

/*
 * How long the run took, of the field of a table that says so (OPPROF_FIELD_RUN_TIME): the longest
 * member of each launch, and the launches added up. RunTimeOf makes one.
 */
typedef struct RunTime {
    uint32_t field;        /* that says so; UINT32_MAX: none does */
    Groups groups;         /* of all rows one; until settled, one for each launch and member */
    OpprofTextMap members; /* those seen */
    double us;             /* once settled; 0: no row, or no time */
    uint64_t launches;
} RunTime;

/* Begin with a type's table: rows are many, and its field is found once. */
RunTime RunTimeOf(const OpprofRecordType *type);
/* Take a row, if its type has such a field. */
OpprofStatus RunTimeTake(RunTime *time, const OpprofStage *stage, const OpprofBatch *batch,
                         const char *record, OpprofError **error);
/* All rows were taken; `type` is that of the table. */
OpprofStatus RunTimeSettle(RunTime *time, const OpprofRecordType *type, OpprofError **error);
void RunTimeFinish(RunTime *time);

#endif
