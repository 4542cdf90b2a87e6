/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_MINDSPORE_RECOGNISE_H
#define COLLECT_MINDSPORE_RECOGNISE_H

#include <opprof/plugin.h>

extern const OpprofInputKind recognise_kinds[];

#endif
