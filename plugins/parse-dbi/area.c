/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the record area of a device's memory, slot after slot.
 * Tested by tests/plugins/parse-dbi/test_slots.
 */
#include "area.h"

#include <opprof/kit/bytes.h>

#include <string.h>

#define OVERFLOW_BIT (UINT64_C(1) << 63)

static void report(DbiStream *stream, DbiProblem problem, uint32_t slot, uint64_t offset,
                   uint64_t lost)
{
    const DbiFinding finding = { .problem = problem, .slot = slot, .offset = offset, .lost = lost };

    stream->handler->finding(stream->handler->context, &finding);
}

/* After an overflow the length includes the lost requests. */
static bool open_full_slot(DbiStream *stream, uint32_t slot, uint64_t count, uint64_t requests,
                           uint64_t offset)
{
    const DbiArea *area = &stream->tables->area;

    if (requests <= count) {
        report(stream, DBI_CONTRADICTION, slot, offset, count);
        return false;
    }
    report(stream, DBI_OVERFLOWED, slot, offset, requests - count);
    DbiStreamBegin(stream, slot, count, area->bytes - area->header, offset, true);
    return true;
}

/*
 * Begin the records of a slot by the counts in its header. False: it has none, or is left out.
 * `length` is the word in the header: its top bit says that the slot overflowed.
 */
static bool open_slot(DbiStream *stream, uint32_t slot, uint64_t count, uint64_t length,
                      uint64_t offset)
{
    const uint64_t most = stream->tables->area.bytes - stream->tables->area.header;

    if ((length & OVERFLOW_BIT) != 0) {
        return open_full_slot(stream, slot, count, length & ~OVERFLOW_BIT, offset);
    }
    if (length == 0) {
        if (count > 0) {
            report(stream, DBI_CONTRADICTION, slot, offset, count);
        }
        return false;
    }
    if (length > most) {
        report(stream, DBI_TOO_LONG, slot, offset, 0);
    }
    DbiStreamBegin(stream, slot, count, length > most ? most : length, offset, length > most);
    return true;
}

void DbiAreaBegin(DbiAreaReader *reader, const DbiTables *tables, const DbiHandler *handler)
{
    *reader =
        (DbiAreaReader){ .tables = tables, .stream = { .tables = tables, .handler = handler } };
}

/* Takes bytes of the current header; opens the slot when the header is complete. */
static size_t take_header(DbiAreaReader *reader, const unsigned char *bytes, size_t length)
{
    const DbiArea *area = &reader->tables->area;
    const size_t wanted = area->header - reader->have;
    const size_t taken = wanted < length ? wanted : length;

    memcpy(reader->header + reader->have, bytes, taken);
    reader->have += (uint32_t) taken;
    if (reader->have == area->header) {
        const uint64_t slot = reader->position / (area->bytes + area->gap);
        reader->is_in_data =
            open_slot(&reader->stream, (uint32_t) slot, OpprofLoadLe64(reader->header),
                      OpprofLoadLe64(reader->header + 8), reader->position + taken);
    }
    return taken;
}

static size_t skip(uint64_t left, size_t length)
{
    return left < length ? (size_t) left : length;
}

/* Takes bytes of the slot's data, or of what follows them. SIZE_MAX: stopped. */
static size_t take_data(DbiAreaReader *reader, const unsigned char *bytes, size_t length,
                        uint64_t left)
{
    if (!reader->is_in_data) {
        return skip(left, length);
    }
    const size_t taken = DbiStreamFeed(&reader->stream, bytes, length);
    if (taken != SIZE_MAX && reader->stream.bytes_left == 0) {
        DbiStreamEnd(&reader->stream);
        reader->is_in_data = false;
    }
    return taken;
}

bool DbiAreaFeed(DbiAreaReader *reader, const unsigned char *bytes, size_t length)
{
    const DbiArea *area = &reader->tables->area;
    const uint64_t stride = area->bytes + area->gap;

    while (length > 0) {
        const uint64_t within = reader->position % stride;
        size_t taken;
        if (reader->position / stride >= area->slots) {
            if (!reader->is_beyond) {
                report(&reader->stream, DBI_BEYOND, area->slots, reader->position, 0);
                reader->is_beyond = true;
            }
            return true;
        }
        if (within < area->header) {
            reader->have = within == 0 ? 0 : reader->have;
            taken = take_header(reader, bytes, length);
        } else {
            taken = take_data(reader, bytes, length, stride - within);
        }
        if (taken == SIZE_MAX) {
            return false;
        }
        reader->position += taken;
        bytes += taken;
        length -= taken;
    }
    return true;
}

void DbiAreaEnd(DbiAreaReader *reader)
{
    const DbiArea *area = &reader->tables->area;
    const uint64_t within = reader->position % (area->bytes + area->gap);

    if (reader->is_in_data) {
        DbiStreamEnd(&reader->stream);
        reader->is_in_data = false;
    } else if (within > 0 && within < area->header) {
        report(&reader->stream, DBI_CUT_FILE,
               (uint32_t) (reader->position / (area->bytes + area->gap)), reader->position, 0);
    }
}
