/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_CHANNEL_FACTS_H
#define COLLECT_ONBOARD_CHANNEL_FACTS_H

#include <opprof/plugin.h>

/* What the chip file may state of devices: `channels` and `perfmon`. */
extern const OpprofChipTable onboard_chip_tables[];

#endif
