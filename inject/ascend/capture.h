/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_CAPTURE_H
#define INJECT_ASCEND_CAPTURE_H

/* What the program has recorded instead of done: captures of streams, and models that streams are
 * bound to. */

#include "inject/ascend/ascend.h"

/* Why a launch to a stream cannot be repeated or waited for: NULL if it can. Cheap without
 * captures. Whether it is recorded, rather than made now, goes to *ret_is_recorded. */
const char *CaptureHolds(AbiStream stream, bool *ret_is_recorded);
/* The program begins to record a stream, captured or bound to a model; or ends that. */
void CaptureAdd(AbiStream stream, bool is_bound);
void CaptureTakeOut(AbiStream stream, bool is_bound);
bool CaptureHas(AbiStream stream, bool is_bound);

#endif
