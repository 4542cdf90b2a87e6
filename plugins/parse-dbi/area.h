/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_AREA_H
#define PARSE_DBI_AREA_H

#include "stream.h"

/* Slots at fixed distances, as they lie in the device's memory: each has a header, its records and
 * a gap. */

#define DBI_MAX_HEADER 4096u

typedef struct DbiAreaReader {
    DbiStream stream;
    const DbiTables *tables;
    uint64_t position; /* in the file */
    bool is_in_data;   /* the stream takes the next bytes */
    bool is_beyond;    /* data after the last slot were reported */
    unsigned char header[DBI_MAX_HEADER];
    uint32_t have; /* bytes of the header so far */
} DbiAreaReader;

void DbiAreaBegin(DbiAreaReader *reader, const DbiTables *tables, const DbiHandler *handler);

/* Take the next bytes of the file. False: the handler stopped. */
bool DbiAreaFeed(DbiAreaReader *reader, const unsigned char *bytes, size_t length);

/* Call at the end of the file. */
void DbiAreaEnd(DbiAreaReader *reader);

#endif
