/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of SIMT threads. Tested by tests/plugins/parse-dbi/test_runs.sh. */
#include "rules.h"

/* As the stubs number them. */
enum { SIMT_LD = 1, SIMT_LDG = 3, SIMT_LDS = 5, SIMT_LDK = 7, SIMT_ATOM = 9 };

static bool is_load(uint64_t simt)
{
    return simt == SIMT_LD || simt == SIMT_LDG || simt == SIMT_LDS || simt == SIMT_LDK;
}

/* The memory that a thread accesses; DBI_NO_MEMORY: none that there is. */
static uint8_t memory_of(const DbiEmit *emit)
{
    const uint64_t number = emit->record->values[DBI_MEMORY];

    return number < DBI_MAX_MEMORIES ? emit->record->layout->as[number] : DBI_NO_MEMORY;
}

static DbiRun run_between(const DbiEmit *emit, bool is_reading)
{
    const uint64_t *v = emit->record->values;
    const uint8_t memory = memory_of(emit);
    const uint8_t registers = emit->record->tables->registers;

    return (DbiRun){ .src = is_reading ? v[DBI_ADDRESS] : v[DBI_REGISTER],
                     .dst = is_reading ? v[DBI_REGISTER] : v[DBI_ADDRESS],
                     .src_bytes = v[DBI_BYTES],
                     .dst_bytes = v[DBI_BYTES],
                     .count = 1,
                     .from = is_reading ? memory : registers,
                     .to = is_reading ? registers : memory };
}

DbiOutcome DbiThreadAccess(DbiEmit *emit)
{
    const DbiRun run = run_between(emit, is_load(emit->record->values[DBI_SIMT]));

    if (memory_of(emit) == DBI_NO_MEMORY) {
        return DBI_INVALID;
    }
    DbiEmitPlain(emit, &run);
    return DBI_GOOD;
}

/* Reads, and writes back unless it is a mere reduction. The record has no register. */
DbiOutcome DbiThreadAtomic(DbiEmit *emit)
{
    DbiRun read = run_between(emit, true);
    DbiRun write = run_between(emit, false);

    if (memory_of(emit) == DBI_NO_MEMORY) {
        return DBI_INVALID;
    }
    read.dst = DBI_NO_ADDRESS;
    write.src = DBI_NO_ADDRESS;
    DbiEmitPlain(emit, &read);
    if (emit->record->values[DBI_SIMT] == SIMT_ATOM) {
        DbiEmitPlain(emit, &write);
    }
    return DBI_GOOD;
}
