/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_TABLES_H
#define HOTSPOT_TABLES_H

#include "core_stats.h"

#include <opprof/stage.h>

/* "<core>/<core>_code_exe": one row per source line, most cycles first. */
extern const OpprofRecordType hotspot_code_type;
/* "<core>/<core>_instr_exe": one row per address, most cycles first. */
extern const OpprofRecordType hotspot_instr_type;
/* "sim.flag-waits", of an address at which a pipe waits for a flag. */
extern const OpprofRecordType hotspot_wait_type;

/* Push the rows of a core. */
OpprofStatus TablesPushCode(OpprofStage *stage, uint32_t port, const CoreStats *core);
OpprofStatus TablesPushInstructions(OpprofStage *stage, uint32_t port, const CoreStats *core);
/* Where pipes waited for flags; cores without such waits have no rows. */
OpprofStatus TablesPushWaits(OpprofStage *stage, uint32_t port, const CoreStats *core);

#endif
