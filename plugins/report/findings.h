/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "groups.h"
#include "run_time.h"

#include <opprof/stage.h>
#include <stdbool.h>

#define ROWS_KEPT 64u /* of a table that is shown unchanged */

/* How a table is shown. */
typedef enum FindingShape {
    FINDING_NAMED,  /* only that it exists */
    FINDING_ROWS,   /* the rows unchanged */
    FINDING_PARTS,  /* its parts as shares of the weight */
    FINDING_SHARES, /* the mean of each column that is a share */
    FINDING_TOP     /* the heaviest rows with their shares */
} FindingShape;

/* Facts about the values of a column. */
typedef struct FindingColumn {
    long double sum; /* the same */
    double most;
    uint64_t count; /* number of present values */
} FindingColumn;

/* A table, all its rows together. */
typedef struct Finding {
    const OpprofRecordType *type;
    uint32_t link;  /* the first of those that it came by */
    uint32_t order; /* of its first rows among those of all tables */
    FindingShape shape;
    uint32_t weight; /* field, or field_count */
    uint32_t label;  /* field that says of a row whether it is a label; UINT32_MAX: none does */
    uint64_t rows;
    FindingColumn *columns; /* type->field_count of them */
    char **kept; /* rows: the launch, and texts of visible fields, with a NUL after each */
    uint32_t kept_count;
    bool has_launches; /* one of them is of a launch with a folder */
    Groups groups;
    /* rows of the member "all"; once settled, they are the groups if there are any */
    Groups of_all;
    OpprofTextMap members; /* those seen; none: the type has no members, or its rows are of all */
    double *weights;       /* of peers, each row's */
    uint32_t weight_count;
    uint32_t weight_capacity;
    double median;    /* of these, once settled */
    RunTime run_time; /* what the table says of it */
} Finding;

/* All tables. Zeroed memory holds none. */
typedef struct Findings {
    Finding *list;
    uint32_t count;
    uint32_t capacity;
    /* Once settled: how long the run took; 0: no table says so. */
    double run_us;
    uint64_t launches;                /* that took it, one after another */
    uint32_t run_members;             /* that ran side by side, such as cores */
    const OpprofRecordType *run_type; /* of the table that says so */
    const OpprofField *run_field;     /* which does; ALONE: it is the time of one of several */
} Findings;

/* Add the rows of a batch. */
OpprofStatus FindingsTake(Findings *findings, const OpprofStage *stage, const OpprofBatch *batch,
                          OpprofError **error);
/* All rows were added, and at most so many groups of a table are shown. */
OpprofStatus FindingsSettle(Findings *findings, uint32_t most, OpprofError **error);
void FindingsFree(Findings *findings);

/* Is the field a share of a whole, and is 1 or 100 the whole? 0: it is not a share. */
double FindingShareUnit(const OpprofField *field);
/* A single row, with no others to compare it with. */
bool FindingIsAlone(const Finding *finding);
/* The table's, for people. */
const char *FindingTitle(const OpprofRecordType *type);
/* Do the weights of rows add up, as far as is known? */
bool FindingAddsUp(const Finding *finding);

#endif
