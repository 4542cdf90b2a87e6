/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_LANE_TABLES_H
#define REPORT_LANE_TABLES_H

#include <opprof/stage.h>
#include <stdbool.h>

/* Types of the tables that timeline-lanes gives and the report shows in sections of their own. */
#define LANE_TABLE "timeline.lane"
#define CURVE_TABLE "timeline.curve"

/* A row of either table, of this run or of a database. */
typedef struct LaneLine {
    char *name;
    double first; /* a lane's share; a curve's mean */
    double most;  /* of a curve */
    bool is_rough;
} LaneLine;

/* The rows of a table, in their order. Zeroed memory holds none. */
typedef struct LaneLines {
    LaneLine *list;
    uint32_t count;
    uint32_t capacity;
} LaneLines;

/* Rows of both tables. Zeroed memory holds none. */
typedef struct LaneTables {
    LaneLines lanes;
    LaneLines curves;
} LaneTables;

/* Whether the type is of one of the tables. */
bool LaneTablesHave(const OpprofRecordType *type);
/* Keep the rows of a batch of such a type. False without memory. */
bool LaneTablesTake(LaneTables *tables, const OpprofStage *stage, const OpprofBatch *batch);
void LaneTablesFree(LaneTables *tables);

#endif
