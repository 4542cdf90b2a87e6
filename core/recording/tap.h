/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RECORDING_TAP_H
#define RECORDING_TAP_H

#include <opprof/plugin.h>

/* The stage after a tap: writes every record as a line of text. */
extern const OpprofPlugin tap_plugin;

#endif
