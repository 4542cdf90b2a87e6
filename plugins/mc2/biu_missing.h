/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BIU_MISSING_H
#define MC2_BIU_MISSING_H

#include "biu_launch.h"

/* Report what is wrong with a stream that has ended: words or records that could not be used. */
void BiuMissingOfStream(const BiuChannel *channel);

/* Report what the streams of a launch lack together: blocks, cores, codes. */
void BiuMissingOfLaunch(const BiuLaunch *launch);

#endif
