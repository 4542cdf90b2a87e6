/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What rows of a CSV file say of each other, so that missing and repeated ones are seen.
 * Tested by tests/plugins/collect-mindspore/test_mutations.sh.
 */
#include "parse-mindspore/sheet.h"

#include <math.h>
#include <opprof/intern.h>
#include <stdlib.h>

#define IS_NAMED 0u /* an operation, by others */
#define HAS_ROW 1u

bool SheetCheckRow(Log *log)
{
    Sheet *sheet = log->sheet;
    uint64_t hash = 1;

    for (size_t i = 0; i < sheet->csv.count; i++) {
        hash = OpprofInternHash(hash, sheet->csv.cells[i].text, sheet->csv.cells[i].length + 1);
    }
    if (OpprofMapFind(&sheet->rows, hash) != OPPROF_MAP_NONE) {
        LogNote(log, &log->again, 1);
        return true;
    }
    return OpprofMapPut(&sheet->rows, hash, 0);
}

void SheetNumber(Log *log, uint64_t number)
{
    Sheet *sheet = log->sheet;

    if (number == OPPROF_NA_U64) {
        return; /* it was noted */
    }
    LogNote(log, &log->again, number <= sheet->number || sheet->has_mean);
    LogNote(log, &log->missing, number > sheet->number + 1 ? number - sheet->number - 1 : 0);
    sheet->number = number;
    sheet->counted++;
}

void SheetMean(Log *log)
{
    LogNote(log, &log->again, log->sheet->has_mean);
    log->sheet->has_mean = true;
}

void SheetCheckStep(const Device *device, Log *log, uint64_t step, double total_us, bool is_mean)
{
    Sheet *sheet = log->sheet;
    const double steps = (double) sheet->counted;

    if (!is_mean) {
        SheetNumber(log, step);
        sheet->total += total_us;
        sheet->first = sheet->counted == 1 ? total_us : sheet->first;
        return;
    }
    SheetMean(log);
    /* It is that of all steps or of all but the first, and rounded. */
    if (sheet->counted > 1 && fabs(sheet->total / steps - total_us) * device->ticks_a_us > 1 &&
        fabs((sheet->total - sheet->first) / (steps - 1) - total_us) * device->ticks_a_us > 1) {
        LogNote(log, &log->missing, 1);
    }
}

/* Keeps an operation that has a row, or one that others name. False without memory. */
static bool keep_operation(Sheet *sheet, uint32_t id, bool has_row)
{
    const uint32_t place = OpprofMapFind(&sheet->ids, id);

    if (place != OPPROF_MAP_NONE && (place == HAS_ROW || !has_row)) {
        return true;
    }
    sheet->without_row += has_row ? -(place != OPPROF_MAP_NONE) : 1;
    return OpprofMapPut(&sheet->ids, id, has_row ? HAS_ROW : IS_NAMED);
}

bool SheetCheckOperation(Sheet *sheet, uint32_t id, uint32_t parent, const OpprofCsvCell *children)
{
    bool is_kept = keep_operation(sheet, id, true) &&
                   (parent == OPPROF_NA_U32 || keep_operation(sheet, parent, false));

    for (const char *at = children == NULL ? "" : children->text; *at != '\0' && is_kept;) {
        char *end;
        const unsigned long child = strtoul(at, &end, 10);

        is_kept = end == at || keep_operation(sheet, (uint32_t) child, false);
        at = end > at ? end : at + 1;
    }
    return is_kept;
}
