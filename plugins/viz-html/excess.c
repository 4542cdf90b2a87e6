/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves out rows of tables that are full before they come. Tested by
 * tests/plugins/viz-html/test_html. */
#include "excess.h"

#include <opprof/grow.h>
#include <opprof/intern.h>

#include <stdlib.h>
#include <string.h>

/* The fewest bytes of a row: in each column a sign, and one before it. */
static uint32_t least_of(const OpprofRecordType *type)
{
    uint32_t bytes = 0;

    for (uint32_t i = 0; i < type->field_count; i++) {
        bytes += TablesIsColumn(&type->fields[i]) ? 2 : 0;
    }
    return bytes;
}

/* NULL without memory. */
static ExcessRows *find_rows(Excess *self, const OpprofRecordType *type)
{
    const uint64_t key[2] = { (uintptr_t) type, OpprofStageLink(self->stage) };
    const uint64_t hash = OpprofInternHash(0, key, sizeof key);
    const uint32_t place = OpprofMapFind(&self->places, hash);

    if (place != OPPROF_MAP_NONE) {
        return &self->list[place];
    }
    if (!OpprofGrow32(&self->list, &self->capacity, (size_t) self->count + 1, sizeof *self->list) ||
        !OpprofMapPut(&self->places, hash, self->count)) {
        return NULL;
    }
    self->list[self->count] = (ExcessRows){ .type = type, .row = least_of(type) };
    return &self->list[self->count++];
}

static uint64_t count_rows(const OpprofBatch *batch)
{
    uint64_t rows = 0;

    for (uint32_t i = 0; i < batch->count; i++) {
        rows += TablesIsRow(batch->type, OpprofBatchRecord(batch, i));
    }
    return rows;
}

/* Whether a partition is after another one, as batches that were put aside are handed out. */
static bool is_after(const Excess *self, uint32_t partition, uint32_t other)
{
    return partition != other && strverscmp(OpprofStageString(self->stage, partition),
                                            OpprofStageString(self->stage, other)) > 0;
}

bool ExcessTake(Excess *self, const OpprofBatch *batch, bool *ret_is_wanted)
{
    ExcessRows *rows = find_rows(self, batch->type);

    *ret_is_wanted = true;
    if (rows == NULL || GridFits(batch->type)) {
        return rows != NULL;
    }
    const uint64_t count = count_rows(batch);
    const bool is_last = rows->is_any && is_after(self, batch->partition, rows->last);
    if (is_last && rows->least > PAGE_TABLE_BYTES) {
        rows->left_out += count;
        *ret_is_wanted = false;
        return true;
    }
    rows->least += count * rows->row;
    if (!rows->is_any || is_last) {
        rows->last = batch->partition;
    }
    rows->is_any = true;
    return true;
}

bool ExcessGive(const Excess *self, Tables *tables)
{
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < self->count; i++) {
        is_good = self->list[i].left_out == 0 ||
                  TablesAddTotal(tables, self->list[i].type, self->list[i].left_out);
    }
    return is_good;
}

void ExcessFinish(Excess *self)
{
    OpprofMapFinish(&self->places);
    free(self->list);
}
