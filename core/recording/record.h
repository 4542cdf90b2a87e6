/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RECORDING_RECORD_H
#define RECORDING_RECORD_H

#include <opprof/plugin.h>

/* The stage that writes what a port gives into a recording. */
extern const OpprofPlugin record_plugin;

#endif
