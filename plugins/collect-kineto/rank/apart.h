/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_APART_H
#define COLLECT_KINETO_RANK_APART_H

#include "collect-kineto/rank/linked_trace.h"

/*
 * Tell devices of one number apart, as files have them that several processes wrote: those whose
 * processes have different origins, each with threads of its own, and those whose work overlaps in
 * a stream of one number. Sets Lane.is_apart. False without memory.
 */
bool ApartFind(RankTrace *trace, const LinkedTrace *linked);

#endif
