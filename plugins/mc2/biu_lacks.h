/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BIU_LACKS_H
#define MC2_BIU_LACKS_H

#include "biu_launch.h"

/* Report what is wrong with a stream that has ended: words or records that could not be used. */
void BiuLacksOfStream(const BiuChannel *channel);

/* Report what the streams of a launch lack together: blocks, cores, codes. */
void BiuLacksOfLaunch(const BiuLaunch *launch);

#endif
