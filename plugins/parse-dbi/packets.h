/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_PACKETS_H
#define PARSE_DBI_PACKETS_H

#include "stream.h"

/* Slots in packets, as sent from where the kernel was launched: only what was written. */

#define DBI_PACKET_HEADER 8u /* type, length */
#define DBI_SLOT_HEADER 28u  /* count, length, overflow, slot, end */

typedef struct DbiPacketReader {
    DbiStream stream;
    const DbiTables *tables;
    uint64_t position; /* in the file */
    unsigned char header[DBI_PACKET_HEADER + DBI_SLOT_HEADER];
    uint32_t have;                            /* bytes of the headers so far */
    uint64_t left;                            /* of the packet */
    unsigned char seen[(UINT16_MAX + 1) / 8]; /* a bit for each slot that had its packet */
    bool is_in_data;                          /* the stream takes the next bytes */
    bool is_closed;                           /* the packet that follows the last slot came */
} DbiPacketReader;

void DbiPacketsBegin(DbiPacketReader *reader, const DbiTables *tables, const DbiHandler *handler);

/* Take the next bytes of the file. False: the handler stopped. */
bool DbiPacketsFeed(DbiPacketReader *reader, const unsigned char *bytes, size_t length);

/* Call at the end of the file. */
void DbiPacketsEnd(DbiPacketReader *reader);

#endif
