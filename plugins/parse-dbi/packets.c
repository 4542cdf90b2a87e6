/* SPDX-License-Identifier: Apache-2.0 */
/* Reads slots that arrive in packets. Tested by tests/plugins/parse-dbi/test_slots. */
#include "packets.h"

#include <opprof/kit/bytes.h>

#include <limits.h>
#include <string.h>

#define PACKET_OF_SLOT 3u /* the packet type that carries records */

enum { AT_COUNT = 8, AT_LENGTH = 16, AT_OVERFLOW = 24, AT_SLOT = 32, AT_END = 34 };

static void report(DbiPacketReader *reader, DbiProblem problem, uint32_t slot, uint64_t lost)
{
    const DbiFinding finding = {
        .problem = problem,
        .slot = slot,
        .offset = reader->position,
        .lost = lost,
        .value = (uint32_t) OpprofLoadLe(reader->header, 4),
    };

    reader->stream.handler->finding(reader->stream.handler->context, &finding);
}

void DbiPacketsBegin(DbiPacketReader *reader, const DbiTables *tables, const DbiHandler *handler)
{
    *reader =
        (DbiPacketReader){ .tables = tables, .stream = { .tables = tables, .handler = handler } };
}

/* Whether the slot already had its packet; marks it. */
static bool is_known(DbiPacketReader *reader, uint32_t slot)
{
    const unsigned char bit = (unsigned char) (1u << slot % 8);
    unsigned char *seen = &reader->seen[slot / 8];
    const bool is_seen = (*seen & bit) != 0;

    *seen |= bit;
    return is_seen;
}

/* Both headers are complete: the packet belongs to a slot, unless it closes the kernel. */
static void open_slot(DbiPacketReader *reader)
{
    const unsigned char *header = reader->header;
    const uint64_t most = reader->tables->area.bytes - reader->tables->area.header;
    const uint64_t limit = most > PATH_MAX ? most : PATH_MAX;
    const uint64_t count = OpprofLoadLe(header + AT_COUNT, 8);
    const uint64_t length = OpprofLoadLe(header + AT_LENGTH, 8);
    const uint64_t overflow = OpprofLoadLe(header + AT_OVERFLOW, 8);
    const uint32_t slot = (uint32_t) OpprofLoadLe(header + AT_SLOT, 2);

    if (length == 0 || length > limit || length != reader->left) {
        report(reader, DBI_BAD_PACKET, slot, count);
        return;
    }
    if (header[AT_END] != 0) {
        reader->is_closed = true;
        return; /* its data is the name of a directory */
    }
    if (slot >= reader->tables->area.slots) {
        report(reader, DBI_BEYOND, slot, length);
        return;
    }
    if (is_known(reader, slot)) {
        report(reader, DBI_AGAIN, slot, count);
        return;
    }
    if (overflow > 0) {
        report(reader, DBI_OVERFLOWED, slot, overflow);
    }
    DbiStreamBegin(&reader->stream, slot, count, length, reader->position, overflow > 0);
    reader->is_in_data = true;
}

/* The size of the current packet's headers. */
static uint32_t header_bytes(const DbiPacketReader *reader)
{
    return reader->have >= DBI_PACKET_HEADER && OpprofLoadLe(reader->header, 4) == PACKET_OF_SLOT &&
                   OpprofLoadLe(reader->header + 4, 4) >= DBI_SLOT_HEADER
               ? DBI_PACKET_HEADER + DBI_SLOT_HEADER
               : DBI_PACKET_HEADER;
}

/* Takes one byte of the headers: they are few. */
static void take_header(DbiPacketReader *reader, unsigned char byte)
{
    reader->header[reader->have++] = byte;
    reader->position++;
    if (reader->have < DBI_PACKET_HEADER || reader->have < header_bytes(reader)) {
        return;
    }
    reader->left = OpprofLoadLe(reader->header + 4, 4);
    if (reader->have > DBI_PACKET_HEADER) {
        reader->left -= DBI_SLOT_HEADER;
        open_slot(reader);
    } else {
        const bool is_of_slot = OpprofLoadLe(reader->header, 4) == PACKET_OF_SLOT;
        report(reader, is_of_slot ? DBI_BAD_PACKET : DBI_OTHER_PACKET, UINT32_MAX, 0);
    }
    reader->have = reader->left > 0 ? reader->have : 0;
}

static bool take_data(DbiPacketReader *reader, const unsigned char *bytes, size_t length)
{
    if (reader->is_in_data && DbiStreamFeed(&reader->stream, bytes, length) == SIZE_MAX) {
        return false;
    }
    reader->position += length;
    reader->left -= length;
    if (reader->left == 0) {
        reader->have = 0;
        if (reader->is_in_data) {
            DbiStreamEnd(&reader->stream);
            reader->is_in_data = false;
        }
    }
    return true;
}

bool DbiPacketsFeed(DbiPacketReader *reader, const unsigned char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        if (reader->left == 0) {
            take_header(reader, bytes[at++]);
            continue;
        }
        const size_t mine = reader->left < length - at ? (size_t) reader->left : length - at;
        if (!take_data(reader, bytes + at, mine)) {
            return false;
        }
        at += mine;
    }
    return true;
}

void DbiPacketsEnd(DbiPacketReader *reader)
{
    if (reader->is_in_data) {
        DbiStreamEnd(&reader->stream);
        reader->is_in_data = false;
    } else if (reader->have > 0) {
        report(reader, DBI_CUT_FILE, UINT32_MAX, 0);
    }
    reader->have = 0;
    reader->left = 0;
}
