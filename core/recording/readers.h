/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RECORDING_READERS_H
#define RECORDING_READERS_H

#include <opprof/plugin.h>

/* Stages of the core's own that read a port: one writes every record as a line of text, one writes
 * a recording. */
extern const OpprofPlugin tap_plugin;
extern const OpprofPlugin record_plugin;

#endif
