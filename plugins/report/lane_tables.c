/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the tables of timeline-lanes. Tested by tests/plugins/report/test_report. */
#include "lane_tables.h"

#include <opprof/grow.h>
#include <opprof/present.h>
#include <opprof/print.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool LaneTablesHave(const OpprofRecordType *type)
{
    return strcmp(type->name, LANE_TABLE) == 0 || strcmp(type->name, CURVE_TABLE) == 0;
}

/* The number of a field by its name; 0 if it is absent, or the table of an old run lacks it. */
static double number_of(const OpprofRecordType *type, const void *record, const char *name)
{
    const OpprofField *field = OpprofFieldFind(type, name, strlen(name));
    double number = 0;

    return field != NULL && OpprofFieldNumber(field, record, &number) ? number : 0;
}

/* The key's texts with two blanks between them, for free(); NULL without memory. */
static char *name_of(const OpprofStage *stage, const OpprofBatch *batch, const void *record)
{
    char *name = strdup("");

    for (uint32_t f = 0; f < batch->type->field_count && name != NULL; f++) {
        const OpprofField *field = &batch->type->fields[f];
        char number[OPPROF_TEXT_NUMBER];
        char *longer = NULL;
        size_t size = 0;
        const char *text = (field->flags & OPPROF_FIELD_KEY) != 0
                               ? OpprofFieldPrint(stage, batch, field, record, number, &size)
                               : NULL;

        if (text == NULL) {
            continue;
        }
        if (asprintf(&longer, "%s%s%.*s", name, *name == '\0' ? "" : "  ", (int) size, text) < 0) {
            longer = NULL;
        }
        free(name);
        name = longer;
    }
    if (name != NULL) {
        OpprofTextTame(name, false);
    }
    return name;
}

static bool take_row(LaneLines *lines, const OpprofStage *stage, const OpprofBatch *batch,
                     const void *record)
{
    const bool is_lane = strcmp(batch->type->name, LANE_TABLE) == 0;
    LaneLine line = { .first = number_of(batch->type, record, is_lane ? "share" : "mean"),
                      .most = number_of(batch->type, record, "most"),
                      .is_rough = number_of(batch->type, record, "is_rough") > 0 };

    if (number_of(batch->type, record, "is_label") > 0) {
        return true; /* no lane with work */
    }
    if (!OpprofGrow32(&lines->list, &lines->capacity, lines->count + 1u, sizeof *lines->list)) {
        return false;
    }
    line.name = name_of(stage, batch, record);
    if (line.name == NULL) {
        return false;
    }
    lines->list[lines->count++] = line;
    return true;
}

bool LaneTablesTake(LaneTables *tables, const OpprofStage *stage, const OpprofBatch *batch)
{
    LaneLines *lines =
        strcmp(batch->type->name, LANE_TABLE) == 0 ? &tables->lanes : &tables->curves;

    for (uint32_t i = 0; i < batch->count; i++) {
        if (!take_row(lines, stage, batch, OpprofBatchRecord(batch, i))) {
            return false;
        }
    }
    return true;
}

static void free_lines(LaneLines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++) {
        free(lines->list[i].name);
    }
    free(lines->list);
}

void LaneTablesFree(LaneTables *tables)
{
    free_lines(&tables->lanes);
    free_lines(&tables->curves);
    *tables = (LaneTables){ .lanes = { .count = 0 } };
}
