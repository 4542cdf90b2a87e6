/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_DESCRIPTOR_H
#define PLUGIN_DESCRIPTOR_H

#include "base/problems.h"

#include <opprof/plugin.h>

#define DESCRIPTOR_MAX_PORTS 32
#define DESCRIPTOR_MAX_PARAMS 256
#define DESCRIPTOR_MAX_FIELDS 4096

/*
 * Check that a descriptor was built for this opprof and makes sense. `name`: what it is to be
 * called; NULL: any name. OPPROF_E_ABI, or OPPROF_E_LOAD with all that is wrong.
 */
OpprofStatus DescriptorCheck(const OpprofPlugin *plugin, const char *name, OpprofError **error);

/* Check a record type, static or made at Configure. `location` is such as "output 'spans'". */
void DescriptorCheckRecord(const OpprofRecordType *type, const char *location, Problems *problems);

/*
 * Lower-case words of letters and digits joined by '-', at most 64 bytes, beginning with a letter.
 */
bool DescriptorIsName(const char *text);

/* "any", "start", "end"; NULL for no order. */
const char *DescriptorOrderName(uint32_t order);
#endif
