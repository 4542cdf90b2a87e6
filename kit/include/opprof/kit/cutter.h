/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_CUTTER_H
#define OPPROF_KIT_CUTTER_H

/**
 * @file
 * Records of one size, cut out of a file that comes in pieces. Experimental.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of the largest record. */
#define OPPROF_CUTTER_MAX 4096u

/** A file being cut. */
typedef struct OpprofCutter {
    uint32_t size;                          /**< Bytes of a record. */
    uint32_t have;                          /**< Bytes of a record that is not whole yet. */
    unsigned char carry[OPPROF_CUTTER_MAX]; /**< These bytes. */
} OpprofCutter;

/** Takes `count` whole records; false: stop. */
typedef bool OpprofCutterTake(void *context, const unsigned char *records, size_t count);

/** Begin a file. @param size  Of a record, 1 to OPPROF_CUTTER_MAX. [owner] */
void OpprofCutterBegin(OpprofCutter *cutter, uint32_t size);

/**
 * Pass on all records that are whole now.
 *
 * @param bytes    The next `length` bytes of the file. Borrowed for the call.
 * @param context  First argument of `take`.
 * @return False if `take` returned false. [owner]
 */
bool OpprofCutterFeed(OpprofCutter *cutter, const unsigned char *bytes, size_t length,
                      OpprofCutterTake *take, void *context);

#ifdef __cplusplus
}
#endif

#endif
