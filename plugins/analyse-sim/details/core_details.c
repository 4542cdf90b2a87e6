/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks over one core's instructions: registers and masks as they are issued, bytes and conflicts
 * as they end. Tested by tests/plugins/analyse-sim/details/test_random_code.sh.
 */
#include "core_details.h"

#include "analyse-sim/common/process_bytes.h"

#include <stdlib.h>

#define NAME_SLOTS 256u /* a power of two */

/* Facts about a name, in a slot selected by its id. */
typedef struct NameSlot {
    uint32_t name; /* OPPROF_NA_STRING: free */
    uint32_t chip;
    NameFacts facts;
} NameSlot;

struct CoreDetails {
    OpprofStage *stage;
    uint32_t core;
    uint32_t last; /* place of the walk over issued instructions */
    PcTable table;
    LiveRegisters live;
    VectorUnit unit;
    bool has_reported; /* faulty rules were reported */
    NameSlot names[NAME_SLOTS];
};

CoreDetails *CoreDetailsCreate(OpprofStage *stage, uint32_t name)
{
    CoreDetails *core = calloc(1, sizeof *core);

    if (core == NULL || !LiveRegistersInit(&core->live)) {
        free(core);
        return NULL;
    }
    core->stage = stage;
    core->core = name;
    core->last = PC_TABLE_NONE;
    return core;
}

void CoreDetailsDestroy(CoreDetails *core)
{
    if (core == NULL) {
        return;
    }
    PcTableFinish(&core->table);
    LiveRegistersFinish(&core->live);
    free(core);
}

uint32_t CoreDetailsName(const CoreDetails *core)
{
    return core->core;
}

/* Faulty rules are left out, and reported once. */
static void report_problem(CoreDetails *core, const InstructionFacts *words, const char *soc)
{
    const char *problem = core->has_reported ? NULL : NamesProblem(words);

    if (problem != NULL) {
        core->has_reported = true;
        OpprofStageIncomplete(core->stage,
                              "Effects of instructions are unknown: 'instructions' in the chip "
                              "file of '%s' is wrong: %s",
                              soc, problem);
    }
}

static NameFacts facts_of(CoreDetails *core, uint32_t name, uint32_t chip)
{
    NameSlot *slot = &core->names[name & (NAME_SLOTS - 1)];

    if (slot->name != name || slot->chip != chip || name == OPPROF_NA_STRING) {
        const char *soc = chip == OPPROF_NA_STRING ? NULL : OpprofStageString(core->stage, chip);

        slot->name = name;
        slot->chip = chip;
        report_problem(core, InstructionFactsOf(soc), soc);
        slot->facts = NameFactsOf(InstructionFactsOf(soc), OpprofStageString(core->stage, name));
    }
    return slot->facts;
}

/* ---- in order of issue: registers and the vector unit ---- */

static bool issue(CoreDetails *core, uint32_t address, const NameFacts *facts,
                  const OperandRegisters *registers)
{
    const uint32_t written = facts->written | registers->written;
    LiveAccess access;

    access.read_count = 0;
    access.written_count = 0;
    for (uint32_t i = 0; i < registers->count; i++) {
        if ((written >> i & 1) != 0) {
            access.written[access.written_count++] = registers->number[i];
        } else {
            access.read[access.read_count++] = registers->number[i];
        }
    }
    if (facts->following > 0 && access.written_count == 1) {
        const uint32_t count = OperandFormsRegisters(DialectOperands(facts->dialect));
        for (uint32_t i = 1; i <= facts->following; i++) {
            access.written[i] = (uint8_t) ((access.written[0] + i) % count);
        }
        access.written[0] = (uint8_t) (access.written[0] % count);
        access.written_count = (uint8_t) (facts->following + 1);
    }
    return LiveRegistersIssue(&core->live, address, &access);
}

static void use_vector(CoreDetails *core, PcState *state, const char *detail, size_t length)
{
    float use;

    VectorUnitUpdate(&core->unit, &state->facts, detail, length);
    if (!VectorUnitUse(&core->unit, &state->facts, detail, length, &use)) {
        return;
    }
    if (!state->has_use || use < state->utilization) {
        state->utilization = use;
    }
    state->has_use = true;
}

static bool take_issue(CoreDetails *core, const OpprofBatch *batch, const OpprofSimIssue *row)
{
    const uint32_t address = PcTableFind(&core->table, row->pc, &core->last);
    const char *detail = OpprofBatchText(batch, row->detail);
    const size_t length = detail == NULL ? 0 : row->detail.length;
    OperandRegisters registers;
    PcState *state;

    if (address == PC_TABLE_NONE) {
        return false;
    }
    state = &core->table.states[address];
    if (!state->is_issued || state->name != row->name) {
        state->is_issued = true;
        state->name = row->name;
        state->facts = facts_of(core, row->name, row->chip);
    }
    if (state->facts.state != NULL || state->facts.vector != NULL) {
        use_vector(core, state, detail, length);
    }
    if (state->facts.dialect == NULL) {
        return true;
    }
    OperandRegistersRead(DialectOperands(state->facts.dialect), detail, length, &registers);
    return issue(core, address, &state->facts, &registers);
}

bool CoreDetailsIssues(CoreDetails *core, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!take_issue(core, batch, OpprofBatchRecord(batch, i))) {
            return false;
        }
    }
    return true;
}

/* ---- in order of end: bytes, and cycles before the start ---- */

static void add_bytes(PcState *state, int64_t bytes)
{
    if (!state->has_row) {
        state->has_row = true;
        state->counts_bytes = bytes > 0;
    }
    state->bytes += bytes;
}

/* Counts accesses of an execution with an end; issued instructions without
 * one take no time either. */
static void add_conflicts(PcState *state, const NameFacts *facts, const char *detail, size_t length)
{
    VectorAccess access;

    if (!VectorAccessRead(facts, detail, length, &access)) {
        return;
    }
    if (access.read_conflict > state->read_conflict) {
        state->read_conflict = access.read_conflict;
    }
    if (access.write_conflict > state->write_conflict) {
        state->write_conflict = access.write_conflict;
    }
}

static bool has_cycles(const OpprofSimInstruction *row)
{
    return row->cache_cycles != 0 && row->cache_cycles != OPPROF_NA_U32;
}

static bool take_row(CoreDetails *core, const OpprofBatch *batch, const OpprofSimInstruction *row)
{
    const NameFacts facts = facts_of(core, row->name, row->chip);
    const char *detail = OpprofBatchText(batch, row->detail);
    uint32_t address = PC_TABLE_NONE; /* not the walk over issues: rows come by end */
    PcState *state;

    address = PcTableFind(&core->table, row->pc, &address);
    if (address == PC_TABLE_NONE) {
        return false;
    }
    state = &core->table.states[address];
    if (facts.move != NULL) {
        add_bytes(state, ProcessBytes(&facts, detail, detail == NULL ? 0 : row->detail.length));
    }
    if (facts.vector != NULL) {
        add_conflicts(state, &facts, detail, detail == NULL ? 0 : row->detail.length);
    }
    if (has_cycles(row)) {
        state->has_cycles = true;
        state->icache_cycles += row->cache_cycles;
        state->ccu_cycles += row->ccu_cycles;
    } else {
        state->lacks_cycles = true;
    }
    return true;
}

bool CoreDetailsInstructions(CoreDetails *core, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!take_row(core, batch, OpprofBatchRecord(batch, i))) {
            return false;
        }
    }
    return true;
}

/* ---- results ---- */

void CoreDetailsEnd(CoreDetails *core)
{
    LiveRegistersEnd(&core->live);
}

uint32_t CoreDetailsCount(const CoreDetails *core)
{
    return core->table.count;
}

static int32_t or_absent(int32_t value)
{
    return value < 0 ? OPPROF_NA_I32 : value;
}

OpprofSimPcDetails CoreDetailsRecord(const CoreDetails *core, uint32_t i)
{
    const PcState *state = &core->table.states[i];
    const bool is_whole = state->has_cycles && !state->lacks_cycles;

    return (OpprofSimPcDetails){ .pc = state->pc,
                                 .core = core->core,
                                 .gpr_count = or_absent(LiveRegistersMost(&core->live, i)),
                                 .process_bytes =
                                     state->counts_bytes ? state->bytes : OPPROF_NA_I64,
                                 .vector_utilization = state->has_use && state->utilization >= 0
                                                           ? (double) state->utilization
                                                           : OpprofNaF64(),
                                 .ub_read_conflict = or_absent(state->read_conflict),
                                 .ub_write_conflict = or_absent(state->write_conflict),
                                 .icache_cycles = is_whole ? state->icache_cycles : OPPROF_NA_I64,
                                 .ccu_cycles = is_whole ? state->ccu_cycles : OPPROF_NA_I64 };
}
