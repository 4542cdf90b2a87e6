/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BIU_CHANNEL_H
#define MC2_BIU_CHANNEL_H

#include "biu_launch.h"

/* The channel of a core, made when it is new. `type` is a number of biu_core_types. NULL without
 * memory. */
BiuChannel *BiuChannelFind(BiuLaunch *launch, BiuSource source, uint32_t group, uint32_t type,
                           uint32_t device);

/* The following return false when launch->status or the lack of memory ends the stage. */

/* Take bytes of a stream of words. */
bool BiuChannelWords(BiuChannel *channel, const unsigned char *bytes, size_t length);

/* Take whole records of an older monitor; `channel` is a BiuChannel. */
bool BiuChannelMonitor(void *channel, const unsigned char *records, size_t count);

/* Nothing more comes of the stream. */
bool BiuChannelEnd(BiuChannel *channel);

/* Push an event. */
bool BiuEmit(BiuLaunch *launch, const BiuEvent *event);

#endif
