/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RECORDING_READERS_H
#define RECORDING_READERS_H

#include <opprof/plugin.h>

/* What the descriptors of all plugins of the core's own say. */
#define OWN_PLUGIN                                                                                 \
    .struct_size = sizeof(OpprofPlugin), .abi_major = OPPROF_ABI_MAJOR,                            \
    .abi_minor = OPPROF_ABI_MINOR, .version = OPPROF_VERSION, .license = "Apache-2.0"

/* Stages of the core's own that read a port: one writes every record as a line of text, one writes
 * a recording. */
extern const OpprofPlugin tap_plugin;
extern const OpprofPlugin record_plugin;

#endif
