/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BIU_ZERO_H
#define MC2_BIU_ZERO_H

#include "biu_launch.h"

/*
 * Once all streams have ended: those without start stamps are aligned with the others at the first
 * mark that all have, or, without one, keep their own zero; and their held events are pushed. False
 * when launch->status or the lack of memory ends the stage.
 */
bool BiuZeroAlign(BiuLaunch *launch);

#endif
