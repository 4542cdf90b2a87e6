/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_HOT_ROWS_H
#define HOTSPOT_HOT_ROWS_H

#include "core_stats.h"

#include <opprof/stage.h>

/* Push the addresses of a core as hot.address, its lines as hot.line. */
OpprofStatus HotRowsPushAddresses(OpprofStage *stage, uint32_t port, const CoreStats *core);
OpprofStatus HotRowsPushLines(OpprofStage *stage, uint32_t port, const CoreStats *core);

#endif
