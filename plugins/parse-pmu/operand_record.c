/* SPDX-License-Identifier: Apache-2.0 */
/* Reads OperandRecord.bin as it streams by. Tested by tests/plugins/parse-pmu/test_records. */
#include "operand_record.h"

#include <opprof/kit/bytes.h>

#include <stdlib.h>
#include <string.h>

#define MAGIC UINT32_C(0x5a5a5a5a)
#define HEADER_BYTES 8u
#define ENTRY_BYTES 24u /* instructions, operands, function */
#define GAP_BYTES 64u   /* behind each part, and behind the record */
#define PART_BYTES (OPERAND_TYPES * ENTRY_BYTES + GAP_BYTES)
#define MAX_CORES (1u << 16)

static uint64_t record_bytes(uint32_t threads)
{
    return (uint64_t) PART_BYTES * (1 + (uint64_t) threads) + GAP_BYTES;
}

const char *OperandRecordBegin(OperandRecord *record, uint32_t threads, uint64_t file_size)
{
    *record = (OperandRecord){ .threads = threads };
    if (file_size < HEADER_BYTES) {
        record->is_refused = true;
        return "it is shorter than its header";
    }
    const uint64_t payload = file_size - HEADER_BYTES;
    if (payload % record_bytes(threads) != 0) {
        record->is_refused = true;
        return "its size is no multiple of a record's";
    }
    record->core_count = (size_t) (payload / record_bytes(threads));
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

/* A whole word of the payload at this offset of it. */
static void take_word(OperandRecord *record, uint64_t offset, uint64_t word)
{
    if (word == 0) {
        return; /* most are */
    }
    const uint64_t within = offset % record_bytes(record->threads);
    const uint64_t part = within / PART_BYTES;
    const uint64_t in_part = within % PART_BYTES;
    if (part > record->threads || in_part >= OPERAND_TYPES * ENTRY_BYTES) {
        return;
    }
    OperandCore *core = &record->cores[offset / record_bytes(record->threads)];
    OperandCounts *counts = part == 0 ? &core->simd : &core->simt;
    const uint64_t type = in_part / ENTRY_BYTES;
    switch (in_part % ENTRY_BYTES / sizeof word) {
    case 0:
        add_saturating(&counts->instructions[type], word);
        break;
    case 1:
        add_saturating(&counts->operands[type], word);
        break;
    default:
        break;
    }
}

static void take_at(OperandRecord *record, uint64_t position, uint64_t word)
{
    if (position == 0) {
        record->is_refused = (uint32_t) word != MAGIC;
    } else if (!record->is_refused) {
        take_word(record, position - HEADER_BYTES, word);
    }
}

/* Everything in the file lies on multiples of eight bytes. */
bool OperandRecordFeed(OperandRecord *record, const unsigned char *bytes, size_t length)
{
    const uint64_t end = HEADER_BYTES + record->core_count * record_bytes(record->threads);
    size_t at = 0;

    if (record->is_refused) {
        return true;
    }
    if (record->cores == NULL && record->core_count > 0) {
        record->cores = calloc(record->core_count, sizeof *record->cores);
        if (record->cores == NULL) {
            return false;
        }
    }
    while (at < length && record->position < end) {
        const size_t have = record->position % 8;
        if (have == 0 && length - at >= 8) {
            take_at(record, record->position, OpprofLoadLe64(bytes + at));
            at += 8;
            record->position += 8;
            continue;
        }
        record->word[have] = bytes[at++];
        if (++record->position % 8 == 0) {
            take_at(record, record->position - 8, OpprofLoadLe64(record->word));
        }
    }
    return true;
}
