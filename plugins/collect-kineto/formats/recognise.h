/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_RECOGNISE_H
#define COLLECT_KINETO_FORMATS_RECOGNISE_H

#include <opprof/probe.h>

extern const OpprofInputKind recognise_kinds[];

#endif
