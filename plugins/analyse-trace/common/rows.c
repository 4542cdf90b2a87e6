/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a table on their way to a port. Tested by tests/plugins/analyse-trace/test_kineto. */
#include "analyse-trace/common/rows.h"

#include "analyse-trace/common/short_name.h"

#include <stdlib.h>
#include <string.h>

#define SHORT_NAME_MAX 512u

void *RowsNext(Rows *rows)
{
    void *row = NULL;

    if (rows->status == OPPROF_OK) {
        OpprofStageSetClock(rows->stage, rows->port, rows->clock);
        rows->status = OpprofStageRoom(rows->stage, rows->port, rows->partition, &row);
    }
    return row;
}

OpprofStatus RowsEnd(Rows *rows)
{
    if (rows->status == OPPROF_OK && rows->stage != NULL) {
        rows->status = OpprofStagePushOpen(rows->stage, rows->port, rows->watermark);
    }
    return rows->status;
}

uint32_t RowsText(const Rows *rows, const char *text)
{
    return text == NULL ? OPPROF_NA_STRING : OpprofStageIntern(rows->stage, text, strlen(text));
}

uint32_t RowsShortName(OpprofStage *stage, uint32_t name)
{
    char text[SHORT_NAME_MAX];
    const char *full = name == OPPROF_NA_STRING ? NULL : OpprofStageString(stage, name);

    return full == NULL ? name : OpprofStageIntern(stage, text, ShortName(full, text, sizeof text));
}

uint32_t RowsDemangledName(OpprofStage *stage, uint32_t name)
{
    const char *full = name == OPPROF_NA_STRING ? NULL : OpprofStageString(stage, name);
    char *plain = full == NULL ? NULL : DemangledName(full);
    const uint32_t id =
        plain == NULL ? OPPROF_NA_STRING : OpprofStageIntern(stage, plain, strlen(plain));

    free(plain);
    return id;
}

uint32_t RowsDevice(const Rows *rows, uint32_t track)
{
    const OpprofTrack *info = OpprofStageTrackInfo(rows->stage, track);

    return RowsText(rows, info == NULL ? NULL : info->process);
}

uint32_t RowsStream(const Rows *rows, uint32_t track)
{
    const OpprofTrack *info = OpprofStageTrackInfo(rows->stage, track);

    return RowsText(rows, info == NULL ? NULL : info->thread);
}

static int compare_texts(const char *a, const char *b)
{
    return strverscmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

int RowsCompareTracks(const OpprofStage *stage, uint32_t a, uint32_t b)
{
    const OpprofTrack *left = OpprofStageTrackInfo(stage, a);
    const OpprofTrack *right = OpprofStageTrackInfo(stage, b);
    int order;

    if (left == NULL || right == NULL) {
        return (a > b) - (a < b);
    }
    order = compare_texts(left->process, right->process);
    return order != 0 ? order : compare_texts(left->thread, right->thread);
}
