/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_SPOTS_H
#define HOTSPOT_SPOTS_H

#include "core_stats.h"

#include <opprof/stage.h>

/* Push the addresses of a core as hot.address, its lines as hot.line. */
OpprofStatus SpotsPushAddresses(OpprofStage *stage, uint32_t port, const CoreStats *core);
OpprofStatus SpotsPushLines(OpprofStage *stage, uint32_t port, const CoreStats *core);

#endif
