/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_PACKETS_H
#define PARSE_DBI_PACKETS_H

#include "stream.h"

/* Slots in packets, as they are sent from where the kernel was launched: only what was written. */

#define DBI_PACKET_HEADER 8u /* type, length */
#define DBI_SLOT_HEADER 28u  /* count, length, overflow, slot, end */

typedef struct DbiPacketReader {
    DbiStream stream;
    const DbiTables *tables;
    uint64_t position; /* in the file */
    unsigned char header[DBI_PACKET_HEADER + DBI_SLOT_HEADER];
    uint32_t have;                            /* bytes of the headers */
    uint64_t left;                            /* of the packet */
    unsigned char seen[(UINT16_MAX + 1) / 8]; /* a bit a slot: each has one packet */
    bool is_in_data;                          /* the stream takes what comes */
} DbiPacketReader;

void DbiPacketsBegin(DbiPacketReader *reader, const DbiTables *tables, const DbiHandler *handler);

/* Take the next bytes of the file. False: the handler stopped. */
bool DbiPacketsFeed(DbiPacketReader *reader, const unsigned char *bytes, size_t length);

/* The file ends. */
void DbiPacketsEnd(DbiPacketReader *reader);

#endif
