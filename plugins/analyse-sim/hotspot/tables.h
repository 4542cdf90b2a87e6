/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_TABLES_H
#define HOTSPOT_TABLES_H

#include "core_stats.h"

#include <opprof/stage.h>

/* Microseconds of ticks of a clock, with two decimals, rounded half up. */
double TablesMicroseconds(const OpprofStage *stage, uint32_t clock, uint64_t ticks);

/* Types of rows of launches without a folder, and of those with one. */
enum { TABLE_PLAIN, TABLE_WITH_PLACE, TABLE_TYPES };

/* "<core>/<core>_code_exe": one row per source line, most cycles first. */
extern const OpprofRecordType hotspot_code_types[TABLE_TYPES];
/* "<core>/<core>_instr_exe": one row per address, most cycles first. */
extern const OpprofRecordType hotspot_instr_types[TABLE_TYPES];
/* "sim.flag-waits", of an address at which a pipe waits for a flag. */
extern const OpprofRecordType hotspot_wait_types[TABLE_TYPES];

/* Output ports of the two types. */
typedef struct TablePorts {
    uint32_t plain;
    uint32_t with_place;
} TablePorts;

/* Push the rows of a core. */
OpprofStatus TablesPushCode(OpprofStage *stage, const TablePorts *ports, const CoreStats *core);
OpprofStatus TablesPushInstructions(OpprofStage *stage, const TablePorts *ports,
                                    const CoreStats *core);
/* Where pipes waited for flags; cores without such waits have no rows. */
OpprofStatus TablesPushWaits(OpprofStage *stage, const TablePorts *ports, const CoreStats *core);

#endif
