/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_BLOCKS_H
#define HOTSPOT_BLOCKS_H

#include "core_stats.h"

#include <opprof/stage.h>

/*
 * Push what the viewer's source page shows of all cores, which are sorted by name here: a block for
 * the text of each source file, one for all their lines, one for all instructions.
 */
OpprofStatus BlocksPush(OpprofStage *stage, uint32_t port, CoreStats **cores, uint32_t core_count);

#endif
