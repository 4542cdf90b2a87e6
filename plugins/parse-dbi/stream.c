/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts the data of slots into records, as far as the data can be trusted.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "stream.h"

#include <opprof/kit/bytes.h>

#include <string.h>

void DbiStreamBegin(DbiStream *stream, uint32_t slot, uint64_t count, uint64_t bytes,
                    uint64_t offset, bool is_full)
{
    stream->slot = slot;
    stream->records_left = count;
    stream->bytes_left = bytes;
    stream->offset = offset;
    stream->is_full = is_full;
    stream->have = 0;
    stream->raw_wanted = 0;
}

static void report(DbiStream *stream, DbiProblem problem, uint64_t lost, uint32_t value)
{
    const DbiFinding finding = { .problem = problem,
                                 .slot = stream->slot,
                                 .offset = stream->offset,
                                 .lost = lost,
                                 .value = value };

    stream->handler->finding(stream->handler->context, &finding);
}

/* The rest of the slot cannot be read. */
static void give_up(DbiStream *stream, DbiProblem problem, uint32_t value)
{
    report(stream, problem, stream->records_left, value);
    stream->records_left = 0;
    stream->is_full = true;
    stream->have = 0;
}

/* More bytes from where the slot was given up. */
static void gather_raw(DbiStream *stream, const unsigned char *bytes, size_t length)
{
    const uint32_t missing = stream->raw_wanted - stream->raw_have;
    const uint32_t taken = length < missing ? (uint32_t) length : missing;

    if (stream->raw_wanted == 0) {
        return;
    }
    memcpy(stream->raw + stream->raw_have, bytes, taken);
    stream->raw_have += taken;
    if (stream->raw_have == stream->raw_wanted) {
        stream->handler->raw(stream->handler->context, stream->raw_offset, stream->raw,
                             stream->raw_have, stream->raw_reason);
        stream->raw_wanted = 0;
    }
}

/* The bytes at `bytes` are not a record: gather as many as one may have; `length` bytes are
 * available. */
static void begin_raw(DbiStream *stream, const unsigned char *bytes, size_t length, uint64_t left,
                      DbiProblem problem)
{
    if (stream->handler->raw == NULL) {
        return;
    }
    stream->raw_wanted = left < sizeof stream->raw ? (uint32_t) left : sizeof stream->raw;
    stream->raw_have = 0;
    stream->raw_offset = stream->offset;
    stream->raw_reason = DbiProblemText(problem);
    gather_raw(stream, bytes, length);
}

/* Layout of the record whose header is complete; NULL: it is not one, and the slot is given up. */
static const DbiLayout *open_record(DbiStream *stream, const unsigned char *header, size_t length,
                                    uint64_t left)
{
    const uint32_t type = OpprofLoadLe32(header);
    const uint32_t magic = OpprofLoadLe32(header + 4);
    const DbiLayout *layout = DbiLayoutOf(stream->tables, type);

    if (magic != stream->tables->area.magic) {
        begin_raw(stream, header, length, left, DBI_BAD_MAGIC);
        give_up(stream, DBI_BAD_MAGIC, magic);
        return NULL;
    }
    if (layout == NULL) {
        begin_raw(stream, header, length, left, DBI_UNKNOWN_TYPE);
        give_up(stream, DBI_UNKNOWN_TYPE, type);
    }
    return layout;
}

/*
 * A record at `bytes`, with `length` bytes available and `left` bytes left in the slot. Returns its
 * size; 0: more bytes are needed; SIZE_MAX: the handler stopped. After a slot is given up it has no
 * records left.
 */
static size_t take_record(DbiStream *stream, const unsigned char *bytes, size_t length,
                          uint64_t left)
{
    DbiRecord record;

    if (length < DBI_RECORD_HEADER) {
        if (left < DBI_RECORD_HEADER) {
            give_up(stream, DBI_CUT_RECORD, 0);
        }
        return 0;
    }
    const DbiLayout *layout = open_record(stream, bytes, length, left);
    if (layout == NULL) {
        return 0;
    }
    const size_t size = DBI_RECORD_HEADER + layout->size;
    if (size > left) {
        give_up(stream, DBI_CUT_RECORD, OpprofLoadLe32(bytes));
        return 0;
    }
    if (size > length) {
        return 0;
    }
    DbiRecordRead(stream->tables, layout, bytes + DBI_RECORD_HEADER, &record);
    if (!stream->handler->record(stream->handler->context, stream->slot, stream->offset, &record)) {
        return SIZE_MAX;
    }
    if (record.refusal != NULL && stream->handler->raw != NULL) {
        stream->handler->raw(stream->handler->context, stream->offset, bytes, size, record.refusal);
    }
    stream->records_left--;
    stream->offset += size;
    return size;
}

/* Whole records straight from the piece; the rest goes to the carry. False: the handler stopped. */
static bool take_piece(DbiStream *stream, const unsigned char *bytes, size_t length)
{
    size_t at = 0;

    while (stream->records_left > 0) {
        const size_t size =
            take_record(stream, bytes + at, length - at, stream->bytes_left + (length - at));
        if (size == SIZE_MAX) {
            return false;
        }
        if (size == 0) {
            break;
        }
        at += size;
    }
    if (stream->records_left > 0) {
        stream->have = (uint32_t) (length - at);
        memcpy(stream->carry, bytes + at, length - at);
    } else if (!stream->is_full && stream->bytes_left + (length - at) > 0) {
        report(stream, DBI_UNCOUNTED, stream->bytes_left + (length - at), 0);
        stream->is_full = true;
    }
    return true;
}

/* Completes the record that was begun. Returns how many bytes of the piece it took; SIZE_MAX:
 * stopped. */
static size_t fill_carry(DbiStream *stream, const unsigned char *bytes, size_t length)
{
    size_t used = 0;

    while (stream->have > 0 && stream->records_left > 0 && used < length) {
        /* Byte by byte: at most one record per piece is incomplete, and its size becomes known on
         * the way. */
        stream->carry[stream->have++] = bytes[used++];
        const size_t size = take_record(stream, stream->carry, stream->have,
                                        stream->bytes_left + (length - used) + stream->have);
        if (size == SIZE_MAX) {
            return SIZE_MAX;
        }
        if (size > 0) {
            stream->have = 0;
        }
    }
    return used;
}

size_t DbiStreamFeed(DbiStream *stream, const unsigned char *bytes, size_t length)
{
    const size_t mine = length < stream->bytes_left ? length : (size_t) stream->bytes_left;

    stream->bytes_left -= mine;
    gather_raw(stream, bytes, mine);
    if (stream->records_left == 0 && stream->have == 0 && stream->is_full) {
        return mine;
    }
    const size_t used = fill_carry(stream, bytes, mine);
    if (used == SIZE_MAX) {
        return SIZE_MAX;
    }
    if (used > 0) { /* the slot may have been given up on the way */
        gather_raw(stream, bytes + used, mine - used);
    }
    if (stream->have == 0 && !take_piece(stream, bytes + used, mine - used)) {
        return SIZE_MAX;
    }
    return mine;
}

void DbiStreamEnd(DbiStream *stream)
{
    stream->raw_wanted = stream->raw_wanted > 0 ? stream->raw_have : 0; /* nothing more will come */
    gather_raw(stream, stream->raw, 0);
    if (stream->records_left > 0) {
        give_up(stream, stream->bytes_left > 0 ? DBI_CUT_FILE : DBI_CUT_RECORD, 0);
    }
    stream->bytes_left = 0;
}

const char *DbiProblemText(DbiProblem problem)
{
    static const char *const texts[DBI_PROBLEMS] = {
        [DBI_NOTHING] = "nothing is wrong",
        [DBI_BAD_MAGIC] = "a record does not begin with its magic number",
        [DBI_UNKNOWN_TYPE] = "a record has a type that the chip file does not know",
        [DBI_CUT_RECORD] = "the slot ends in the middle of its records",
        [DBI_CUT_FILE] = "the file ends in the middle of the slot",
        [DBI_UNCOUNTED] = "the slot holds more data than the records that it counts",
        [DBI_TOO_LONG] = "the slot claims to be longer than it can be",
        [DBI_OVERFLOWED] = "the slot was full",
        [DBI_CONTRADICTION] = "the slot's counts contradict each other",
        [DBI_AGAIN] = "the slot already had its packet",
        [DBI_BEYOND] = "there is data for a slot that does not exist",
        [DBI_BAD_PACKET] = "the packet's lengths contradict each other",
        [DBI_OTHER_PACKET] = "the packet's type is not that of records",
    };

    return texts[problem < DBI_PROBLEMS ? problem : DBI_NOTHING];
}
