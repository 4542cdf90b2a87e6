/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads records of operands while they stream by.
 * Tested by tests/plugins/parse-pmu/test_records.
 */
#include "operand_record.h"

#include <opprof/kit/bytes.h>

#include <stdlib.h>
#include <string.h>

#define MAX_CORES (1u << 16)
#define WORD_BYTES 8u

static uint64_t part_bytes(const OperandLayout *layout)
{
    return (uint64_t) layout->types * layout->entry + layout->gap;
}

static uint64_t record_bytes(const OperandRecord *record)
{
    return part_bytes(record->layout) * (1 + (uint64_t) record->threads) + record->layout->gap;
}

const char *OperandRecordBegin(OperandRecord *record, const OperandLayout *layout, uint32_t threads,
                               uint64_t file_size)
{
    *record = (OperandRecord){ .layout = layout, .threads = threads };
    if (layout->types == 0) {
        record->is_refused = true;
        return "the chip file does not describe it";
    }
    if (file_size < layout->header) {
        record->is_refused = true;
        return "it is shorter than its header";
    }
    const uint64_t payload = file_size - layout->header;
    if (payload % record_bytes(record) != 0) {
        record->is_refused = true;
        return "its size is not a multiple of a record's";
    }
    record->core_count = (size_t) (payload / record_bytes(record));
    if (record->core_count > MAX_CORES) {
        record->is_refused = true;
        record->core_count = 0;
        return "it holds more than 65536 cores";
    }
    return NULL;
}

void OperandRecordFinish(OperandRecord *record)
{
    free(record->cores);
    record->cores = NULL;
    record->core_count = 0;
}

static void add_saturating(uint64_t *sum, uint64_t value)
{
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = UINT64_MAX;
    }
}

/* The whole word of the payload at this offset. */
static void take_word(OperandRecord *record, uint64_t offset, uint64_t word)
{
    const OperandLayout *layout = record->layout;

    if (word == 0) {
        return; /* as most are */
    }
    const uint64_t within = offset % record_bytes(record);
    const uint64_t part = within / part_bytes(layout);
    const uint64_t in_part = within % part_bytes(layout);
    const uint64_t type = in_part / layout->entry;
    if (part > record->threads || type >= layout->types) {
        return;
    }
    OperandCore *core = &record->cores[offset / record_bytes(record)];
    OperandCounts *counts = part == 0 ? &core->simd : &core->simt;
    if (in_part % layout->entry == layout->instructions_at) {
        add_saturating(&counts->instructions[type], word);
    } else if (in_part % layout->entry == layout->operands_at) {
        add_saturating(&counts->operands[type], word);
    }
}

static void take_at(OperandRecord *record, uint64_t position, const unsigned char *bytes)
{
    const bool is_big = record->layout->is_big;

    if (position == 0) {
        record->is_refused =
            (is_big ? OpprofLoadBe(bytes, 4) : OpprofLoadLe(bytes, 4)) != record->layout->magic;
    } else if (!record->is_refused && position >= record->layout->header) {
        take_word(record, position - record->layout->header,
                  is_big ? OpprofLoadBe64(bytes) : OpprofLoadLe64(bytes));
    }
}

/* Everything in the file is aligned to eight bytes. */
bool OperandRecordFeed(OperandRecord *record, const unsigned char *bytes, size_t length)
{
    size_t at = 0;

    if (record->is_refused) {
        return true;
    }
    const uint64_t end = record->layout->header + record->core_count * record_bytes(record);
    if (record->cores == NULL && record->core_count > 0) {
        record->cores = calloc(record->core_count, sizeof *record->cores);
        if (record->cores == NULL) {
            return false;
        }
    }
    while (at < length && record->position < end) {
        const size_t have = record->position % 8;
        if (have == 0 && length - at >= 8) {
            take_at(record, record->position, bytes + at);
            at += 8;
            record->position += 8;
            continue;
        }
        record->word[have] = bytes[at++];
        if (++record->position % 8 == 0) {
            take_at(record, record->position - 8, record->word);
        }
    }
    return true;
}
