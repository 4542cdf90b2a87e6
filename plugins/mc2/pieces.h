/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_PIECES_H
#define MC2_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PIECES_MAX_RECORD 4096u /* bytes of a record */

/* Cuts a stream of bytes that comes in pieces into records of one size. */
typedef struct Pieces {
    uint32_t size; /* of a record, 1 to PIECES_MAX_RECORD */
    uint32_t have; /* bytes of a record that is not whole yet */
    unsigned char carry[PIECES_MAX_RECORD];
} Pieces;

/* Takes whole records; false: stop (without memory). */
typedef bool PiecesTake(void *context, const unsigned char *records, size_t count);

void PiecesBegin(Pieces *pieces, uint32_t size);

/* Pass on all records that are whole now. False if `take` returned false. */
bool PiecesFeed(Pieces *pieces, const unsigned char *bytes, size_t length, PiecesTake *take,
                void *context);

#endif
