/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim-details: what operands say about the instructions of a simulated run, address by address.
 * Descriptor and life; the walk over one core is core_details.c. Tested by
 * tests/plugins/analyse-sim/details/test_random_code.sh.
 */
#include "analyse-sim/common/launches.h"
#include "core_details.h"

#include <inttypes.h>
#include <opprof/log.h>
#include <stdlib.h>

enum { INPUT_ISSUES = 0, INPUT_INSTRUCTIONS = 1, INPUT_ENDS = 2 };

/* An instance: the cores whose partitions it receives. */
typedef struct Details {
    OpprofStage *stage;
    SimCores cores; /* each owns its CoreDetails */
} Details;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "collect details of instructions");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Details), ret_self, error);
}

/* The core of a partition, made at first use; NULL without memory. */
static SimCore *find_core(Details *self, uint32_t partition)
{
    SimCore *core = SimCoresFind(&self->cores, partition);
    CoreDetails *details = core == NULL ? CoreDetailsCreate(self->stage, partition) : NULL;

    if (core == NULL && details != NULL) {
        core = SimCoresAdd(&self->cores, partition, details);
        if (core == NULL) {
            CoreDetailsDestroy(details);
        }
    }
    return core;
}

static bool take(SimCore *core, uint32_t port, const OpprofBatch *batch)
{
    static const unsigned kinds[] = { [INPUT_ISSUES] = SIM_ISSUES,
                                      [INPUT_INSTRUCTIONS] = SIM_INSTRUCTIONS,
                                      [INPUT_ENDS] = SIM_KINDS };

    SimCoreSee(core, kinds[port], batch);
    return port == INPUT_ENDS ||
           (port == INPUT_ISSUES ? CoreDetailsIssues : CoreDetailsInstructions)(core->own, batch);
}

static OpprofStatus flush_core(Details *self, CoreDetails *core)
{
    const uint32_t name = SimCoreName(self->stage, CoreDetailsName(core));
    OpprofStatus status = OPPROF_OK;

    CoreDetailsEnd(core);
    for (uint32_t i = 0; status == OPPROF_OK && i < CoreDetailsCount(core); i++) {
        OpprofSimPcDetails record = CoreDetailsRecord(core, i);

        record.core = name;
        status = OpprofStageAppend(self->stage, 0, CoreDetailsName(core), &record);
    }
    return status;
}

/* The core, if all of it has arrived. */
static OpprofStatus end_core(Details *self, const SimCore *core)
{
    const bool has_issues = OpprofStageHasWriter(self->stage, INPUT_ISSUES);
    OpprofStatus status;

    if (!SimCoreIsWhole(core, 1u << SIM_INSTRUCTIONS | (has_issues ? 1u << SIM_ISSUES : 0))) {
        return OPPROF_OK;
    }
    CoreDetails *details = SimCoresTake(&self->cores, core).own;

    status = flush_core(self, details);
    CoreDetailsDestroy(details);
    return status == OPPROF_OK ? OpprofStagePushOpen(self->stage, 0, UINT64_MAX) : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Details *self = context;
    SimCore *core = find_core(self, batch->partition);
    const OpprofStatus status =
        core != NULL && take(core, port, batch) ? end_core(self, core) : OPPROF_E_MEMORY;

    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Details *self = context;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; i < self->cores.count && status == OPPROF_OK; i++) {
        status = flush_core(self, self->cores.list[i].own);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Explained instructions: cores=%" PRIu32,
              self->cores.count);
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

static void destroy(void *context)
{
    Details *self = context;

    for (uint32_t i = 0; i < self->cores.count; i++) {
        CoreDetailsDestroy(self->cores.list[i].own);
    }
    SimCoresFinish(&self->cores);
    free(self);
}

static const OpprofPort inputs[] = {
    [INPUT_ISSUES] = { .name = "issues",
                       .type = "sim.issue",
                       .record_type = &opprof_sim_issue_type,
                       .flags = OPPROF_PORT_OPTIONAL,
                       .order = OPPROF_ORDER_START,
                       .summary = "Issued instructions, for registers and the vector unit." },
    [INPUT_INSTRUCTIONS] = { .name = "instructions",
                             .type = "sim.instruction",
                             .record_type = &opprof_sim_instruction_type,
                             .order = OPPROF_ORDER_END,
                             .summary = "Executed instructions, for bytes and cycles of fetch and "
                                        "issue." },
    [INPUT_ENDS] = { .name = "core-ends",
                     .type = "sim.core-end",
                     .record_type = &opprof_sim_core_end_type,
                     .flags = OPPROF_PORT_OPTIONAL,
                     .summary = "The end of each core, so that it need not be held." },
};

static const OpprofPort outputs[] = {
    { .name = "pc-details",
      .record_type = &opprof_sim_pc_details_type,
      .summary = "Facts about each address of each core." },
};

/* The meaning of instructions is explained here, where it is used. */
static OpprofStatus explain(const char *name, const char *word, FILE *out, OpprofError **error)
{
    static const char *const parts[][2] = {
        { "moves", "instruction that moves data" },
        { "vector", "instruction of the vector unit" },
        { "state", "instruction that changes the vector unit's state" },
        { "writes", "instruction that writes registers" },
        { "operands.values", "value of operands" },
    };
    OpprofFactList lists[OPPROF_COUNT(parts) + 1];
    char paths[OPPROF_COUNT(parts)][128];
    OpprofChip *chip = NULL;
    OpprofStatus status = OpprofChipLoad(name, &chip, error);

    if (status != OPPROF_OK) {
        return status;
    }
    const char *dialect = OpprofChipText(chip, "simulator.operands");
    for (size_t i = 0; i < OPPROF_COUNT(parts); i++) {
        snprintf(paths[i], sizeof paths[i], "instructions.%s.%s", dialect == NULL ? "" : dialect,
                 parts[i][0]);
        lists[i] = (OpprofFactList){ paths[i], parts[i][1], "form" };
    }
    lists[OPPROF_COUNT(parts)] =
        (OpprofFactList){ "pipes.known", "pipe of simulated instructions", NULL };
    OpprofChipFree(chip);
    return OpprofChipExplain(name, lists, OPPROF_COUNT(lists), word, out, error);
}

static const char *const chip_sections[] = { "instructions", "pipes", "simulator", NULL };

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                     .create = create,
                                     .process = process,
                                     .flush = flush,
                                     .destroy = destroy,
                                     .explain = explain };

OPPROF_PLUGIN_DEFINE(
        .name = "sim-details", .version = "1.0", .license = "Apache-2.0",
        .summary = "Counts live registers, moved bytes, vector utilization and bank conflicts "
                   "of simulated instructions.",
        .help = "Registers and masks are followed in the order of issue, so loops and branches "
                "count as they ran. Results are per core and address: the most live registers, the "
                "sum of bytes, the least utilization, the most conflicts.",
        .kind = OPPROF_ANALYSIS, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
        .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
        .output_count = OPPROF_COUNT(outputs), .ops = &ops, .chip_sections = chip_sections);
