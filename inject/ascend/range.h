/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_RANGE_H
#define INJECT_ASCEND_RANGE_H

/* Ranges of launches that are repeated together: recorded by the runtime instead of made, until
 * their mstx range ends. */

#include "inject/ascend/ascend.h"

/* Whether a launch of the calling thread can be part of the range that is open, or of a new one.
 * With the lock of launches. */
bool RangeTakes(const Launch *launch);
/* Repeat what was recorded so far of a stream, which must not go on. With the lock of launches. */
void RangeCut(AbiStream stream);
/* It is asked for and will be made now, into the recording; collected or not. A wanted one begins a
 * range. With the lock of launches. */
void RangeAdd(Launch *launch, uint64_t mstx_id);
/* It was added last, and the runtime has refused it: the recording is without it. With the lock of
 * launches. */
void RangeTakeBack(void);
/* The thread does what must not happen during a recording: wait for a stream (NULL: any), copy,
 * free. Repeats what was recorded so far. Without the lock of launches. */
void RangeTouch(AbiStream stream);
/* Tell the collector of launches that are repeated together: their numbers, 0 for one that is not
 * wanted; all data have the number of the first. */
void RangeSend(uint32_t first, const uint32_t *ids, uint32_t count);
/* An mstx range of the thread has ended. */
void RangeEnd(uint64_t mstx_id);

/* ---- kept.c: what was recorded, if the recording is lost ---- */

/* Keep a launch. False: it cannot be, and *ret_why says why. */
bool KeptAdd(const Launch *launch, const char **ret_why);
/* Make all of them, in their order; the first error of one. */
AbiError KeptLaunch(void);
void KeptForget(void);
/* Forget the last. */
void KeptTakeBack(void);

#endif
