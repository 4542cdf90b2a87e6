/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_UNEVEN_H
#define COLLECT_ONBOARD_UNEVEN_H

#include "discovery.h"

#include <opprof/stage.h>

/*
 * Launches of a kernel leave files of the same roles. What one of them lacks while others have it
 * is reported: no file of its own shows that it is missing. Bits are of Launch.roles.
 */

/* The bit of a file's role; 0: its parser reports it, or it is of no use alone. */
uint32_t UnevenRole(const char *file);

/* Report roles that some launches of a kernel lack. */
void UnevenReport(const Launches *launches, OpprofStage *stage);

#endif
