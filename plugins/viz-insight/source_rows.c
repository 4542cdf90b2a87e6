/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the hot spots of all cores in the order that the viewer's source page needs.
 * Tested by tests/plugins/viz-insight/test_source_blocks.
 */
#include "source_rows.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

/* ---- order ---- */

/* Digits aligned to the top: texts compare as these numbers do, except for trailing zeros. */
static uint64_t left_aligned_hex(uint64_t value)
{
    while (value != 0 && value >> 60 == 0) {
        value <<= 4;
    }
    return value;
}

static uint64_t left_aligned_decimal(uint64_t value)
{
    while (value != 0 && value < UINT64_C(1000000000)) {
        value *= 10;
    }
    return value;
}

static int compare_numbers(uint64_t x, uint64_t y)
{
    return (x > y) - (x < y);
}

/* By the texts of the addresses, then by core. */
static int compare_places(uint64_t x_pc, uint32_t x_rank, uint64_t y_pc, uint32_t y_rank)
{
    int order = compare_numbers(left_aligned_hex(x_pc), left_aligned_hex(y_pc));

    order = order != 0 ? order : compare_numbers(x_pc, y_pc);
    return order != 0 ? order : compare_numbers(x_rank, y_rank);
}

static int compare_addresses(const void *a, const void *b)
{
    const AddressRow *x = a;
    const AddressRow *y = b;

    return compare_places(x->facts.pc, x->rank, y->facts.pc, y->rank);
}

/* By file, then by the number of the line as a text, then by address and core. */
static int compare_lines(const void *a, const void *b, void *stage)
{
    const LineRow *x = a;
    const LineRow *y = b;
    int order = 0;

    if (x->facts.file != y->facts.file) {
        order = strcmp(OpprofStageString(stage, x->facts.file),
                       OpprofStageString(stage, y->facts.file));
    }
    if (order == 0 && x->facts.line != y->facts.line) {
        order = compare_numbers(left_aligned_decimal(x->facts.line),
                                left_aligned_decimal(y->facts.line));
        order = order != 0 ? order : compare_numbers(x->facts.line, y->facts.line);
    }
    order = order != 0 ? order : compare_numbers(x->facts.pc, y->facts.pc);
    return order != 0 ? order : compare_numbers(x->rank, y->rank);
}

static int compare_names(const void *a, const void *b, void *stage)
{
    const uint32_t *x = a;
    const uint32_t *y = b;

    return strcmp(OpprofStageString(stage, *x), OpprofStageString(stage, *y));
}

/* ---- coming in ---- */

static bool add_core(SourceRows *rows, uint32_t name)
{
    if (OpprofMapFind(&rows->ranks, name) != OPPROF_MAP_NONE) {
        return true;
    }
    if (!OpprofGrow32(&rows->cores, &rows->core_capacity, rows->core_count + 1u,
                      sizeof *rows->cores) ||
        !OpprofMapPut(&rows->ranks, name, rows->core_count)) {
        return false;
    }
    rows->cores[rows->core_count++] = name;
    return true;
}

static bool add_text(SourceRows *rows, const char *text, size_t length)
{
    if (!OpprofGrow(&rows->texts, &rows->text_capacity, rows->text_bytes + length + 1, 1)) {
        return false;
    }
    if (text != NULL) {
        memcpy(rows->texts + rows->text_bytes, text, length);
    }
    rows->text_bytes += length;
    return true;
}

bool SourceRowsAddAddresses(SourceRows *rows, const OpprofBatch *batch)
{
    if (!OpprofGrow(&rows->addresses, &rows->address_capacity, rows->address_count + batch->count,
                    sizeof *rows->addresses)) {
        return false;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofHotAddress *facts = OpprofBatchRecord(batch, i);
        const char *text = OpprofBatchText(batch, facts->detail);
        AddressRow *row = &rows->addresses[rows->address_count++];

        *row = (AddressRow){ .facts = *facts, .text = rows->text_bytes };
        row->facts.detail.length = text == NULL ? 0 : facts->detail.length;
        rows->has_head_cycles |=
            facts->icache_cycles != OPPROF_NA_I64 || facts->ccu_cycles != OPPROF_NA_I64;
        rows->has_cycles |= facts->cycles != OPPROF_NA_U64;
        rows->has_gpr |= facts->gpr_count != OPPROF_NA_I32;
        rows->has_bytes |= facts->process_bytes != OPPROF_NA_I64;
        rows->has_l2 |= facts->l2_hits != OPPROF_NA_U64 && facts->l2_misses != OPPROF_NA_U64;
        if (!add_text(rows, text, row->facts.detail.length) || !add_core(rows, facts->core)) {
            return false;
        }
    }
    return true;
}

bool SourceRowsAddLines(SourceRows *rows, const OpprofBatch *batch)
{
    if (!OpprofGrow(&rows->lines, &rows->line_capacity, rows->line_count + batch->count,
                    sizeof *rows->lines)) {
        return false;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofHotLine *facts = OpprofBatchRecord(batch, i);

        rows->lines[rows->line_count++] = (LineRow){ .facts = *facts };
        if (!add_core(rows, facts->core)) {
            return false;
        }
    }
    return true;
}

/* The sums of a reason, NULL without memory. */
static SampleReason *add_reason(SourceRows *rows, const OpprofHotSample *sample)
{
    const uint32_t place = OpprofMapFind(&rows->reason_places, sample->reason);

    if (place != OPPROF_MAP_NONE) {
        return &rows->reasons[place];
    }
    if (!OpprofGrow32(&rows->reasons, &rows->reason_capacity, rows->reason_count + 1u,
                      sizeof *rows->reasons) ||
        !OpprofMapPut(&rows->reason_places, sample->reason, rows->reason_count)) {
        return NULL;
    }
    rows->reasons[rows->reason_count] =
        (SampleReason){ .name = sample->reason, .is_issued = sample->is_issued };
    return &rows->reasons[rows->reason_count++];
}

bool SourceRowsAddSamples(SourceRows *rows, const OpprofBatch *batch)
{
    if (!OpprofGrow(&rows->samples, &rows->sample_capacity, rows->sample_count + batch->count,
                    sizeof *rows->samples)) {
        return false;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofHotSample *sample = OpprofBatchRecord(batch, i);
        SampleReason *reason = add_reason(rows, sample);

        if (reason == NULL) {
            return false;
        }
        reason->samples += sample->samples;
        rows->all_samples += sample->samples;
        rows->all_waits += sample->is_issued != 0 ? 0 : sample->samples;
        rows->samples[rows->sample_count++] = *sample;
    }
    return true;
}

bool SourceRowsAddRegisters(SourceRows *rows, const OpprofBatch *batch)
{
    if (!OpprofGrow(&rows->registers, &rows->register_capacity, rows->register_count + batch->count,
                    sizeof *rows->registers)) {
        return false;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        rows->registers[rows->register_count++] =
            *(const OpprofHotRegister *) OpprofBatchRecord(batch, i);
    }
    return true;
}

/* ---- all are there ---- */

static int compare_samples(const void *a, const void *b)
{
    const OpprofHotSample *x = a;
    const OpprofHotSample *y = b;
    const int order = compare_numbers(x->pc, y->pc);

    return order != 0 ? order : compare_numbers(x->reason, y->reason);
}

/* X2 before X10: by length, then by text. */
static int compare_registers(const void *a, const void *b, void *stage)
{
    const OpprofHotRegister *x = a;
    const OpprofHotRegister *y = b;
    size_t x_length;
    size_t y_length;
    const char *x_name = OpprofStageStringLength(stage, x->name, &x_length);
    const char *y_name = OpprofStageStringLength(stage, y->name, &y_length);
    int order = compare_numbers(x->pc, y->pc);

    order = order != 0 ? order : x_name[0] - y_name[0];
    order = order != 0 ? order : compare_numbers(x_length, y_length);
    return order != 0 ? order : strcmp(x_name, y_name);
}

static int compare_reasons(const void *a, const void *b, void *stage)
{
    const SampleReason *x = a;
    const SampleReason *y = b;

    return strcmp(OpprofStageString(stage, x->name), OpprofStageString(stage, y->name));
}

/* Orders that do not depend on the arrival of samples; false without memory. */
static bool sort_samples(SourceRows *rows)
{
    if (rows->sample_count > 0) {
        qsort(rows->samples, rows->sample_count, sizeof *rows->samples, compare_samples);
        qsort_r(rows->reasons, rows->reason_count, sizeof *rows->reasons, compare_reasons,
                rows->stage);
    }
    for (uint32_t i = 0; i < rows->reason_count; i++) {
        if (!OpprofMapPut(&rows->reason_places, rows->reasons[i].name, i)) {
            return false;
        }
    }
    if (rows->register_count > 0) {
        qsort_r(rows->registers, rows->register_count, sizeof *rows->registers, compare_registers,
                rows->stage);
    }
    return true;
}

bool SourceRowsSort(SourceRows *rows)
{
    qsort_r(rows->cores, rows->core_count, sizeof *rows->cores, compare_names, rows->stage);
    for (uint32_t i = 0; i < rows->core_count; i++) {
        if (!OpprofMapPut(&rows->ranks, rows->cores[i], i)) {
            return false;
        }
    }
    for (size_t i = 0; i < rows->address_count; i++) {
        rows->addresses[i].rank = OpprofMapFind(&rows->ranks, rows->addresses[i].facts.core);
    }
    for (size_t i = 0; i < rows->line_count; i++) {
        rows->lines[i].rank = OpprofMapFind(&rows->ranks, rows->lines[i].facts.core);
    }
    if (rows->address_count > 0) {
        qsort(rows->addresses, rows->address_count, sizeof *rows->addresses, compare_addresses);
    }
    if (rows->line_count > 0) {
        qsort_r(rows->lines, rows->line_count, sizeof *rows->lines, compare_lines, rows->stage);
    }
    return sort_samples(rows);
}

const AddressRow *SourceRowsFind(const SourceRows *rows, uint64_t pc, uint32_t rank)
{
    const AddressRow key = { .facts.pc = pc, .rank = rank };

    return rows->address_count == 0
               ? NULL
               : bsearch(&key, rows->addresses, rows->address_count, sizeof key, compare_addresses);
}

size_t SourceRowsAddressEnd(const SourceRows *rows, size_t first)
{
    size_t end = first + 1;

    while (end < rows->address_count &&
           rows->addresses[end].facts.pc == rows->addresses[first].facts.pc) {
        end++;
    }
    return end;
}

size_t SourceRowsLineEnd(const SourceRows *rows, size_t first)
{
    const OpprofHotLine *line = &rows->lines[first].facts;
    size_t end = first + 1;

    while (end < rows->line_count && rows->lines[end].facts.file == line->file &&
           rows->lines[end].facts.line == line->line) {
        end++;
    }
    return end;
}

size_t SourceRowsFileEnd(const SourceRows *rows, size_t first)
{
    size_t end = first + 1;

    while (end < rows->line_count && rows->lines[end].facts.file == rows->lines[first].facts.file) {
        end++;
    }
    return end;
}

/* Places of addresses in arrays that begin with them, sorted. */
static size_t first_of(const void *list, size_t count, size_t size, uint64_t pc)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (OpprofLoadU64((const char *) list + middle * size) < pc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t SourceRowsSamples(const SourceRows *rows, uint64_t pc)
{
    return first_of(rows->samples, rows->sample_count, sizeof *rows->samples, pc);
}

size_t SourceRowsRegisters(const SourceRows *rows, uint64_t pc)
{
    return first_of(rows->registers, rows->register_count, sizeof *rows->registers, pc);
}

uint32_t SourceRowsReason(const SourceRows *rows, uint32_t name)
{
    return OpprofMapFind(&rows->reason_places, name);
}

void SourceRowsFinish(SourceRows *rows)
{
    free(rows->samples);
    free(rows->reasons);
    OpprofMapFinish(&rows->reason_places);
    free(rows->registers);
    free(rows->addresses);
    free(rows->lines);
    free(rows->texts);
    free(rows->cores);
    OpprofMapFinish(&rows->ranks);
    *rows = (SourceRows){ .stage = rows->stage };
}
