/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_SUBJECTS_H
#define REPORT_SUBJECTS_H

#include <opprof/stage.h>
#include <stdbool.h>
#include <stdio.h>

#define SUBJECT_NAMES 3u /* different operators that are named; the others are counted */

/* What ran, by the table "run.subject" of a run or of a database. Zeroed memory holds nothing. */
typedef struct Subjects {
    char *names[SUBJECT_NAMES]; /* of different operators, the first by the alphabet */
    uint32_t name_count;
    bool has_more_names;
    char *chip; /* NULL: unknown */
    char *way;
    bool has_chips; /* launches ran on different chips */
    uint64_t launches;
    double blocks; /* of the first launch; 0: unknown, or others had another number */
    double cores;  /* as `blocks` */
    double cycles; /* of all launches, one after another; 0: unknown */
    bool lacks_cycles;
} Subjects;

/* Is it the type of the table? */
bool SubjectsHave(const OpprofRecordType *type);
/* Take the rows of a batch of that type. False without memory. */
bool SubjectsTake(Subjects *subjects, const OpprofStage *stage, const OpprofBatch *batch);
/* Print what ran: "matmul on Ascend910B1, 4 blocks, simulated". `otherwise` stands for an operator
 * without a name. */
void SubjectsPut(FILE *out, const Subjects *subjects, const char *otherwise);
void SubjectsFree(Subjects *subjects);

#endif
