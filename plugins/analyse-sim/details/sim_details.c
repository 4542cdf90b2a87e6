/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim-details: what operands say about the instructions of a simulated run, address by address.
 * Descriptor and life; the walk over one core is core_details.c. Tested by
 * tests/plugins/analyse-sim/details/test_random_code.sh.
 */
#include "core_details.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <stdlib.h>

enum { INPUT_ISSUES = 0, INPUT_INSTRUCTIONS = 1 };

/* An instance: the cores whose partitions it receives. */
typedef struct Details {
    OpprofStage *stage;
    CoreDetails **cores;
    uint32_t core_count;
    uint32_t core_capacity;
    CoreDetails *latest;
} Details;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "collect details of instructions");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Details *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static bool add_core(Details *self, uint32_t name)
{
    if (!OpprofGrow32(&self->cores, &self->core_capacity, (size_t) self->core_count + 1,
                      sizeof(CoreDetails *))) {
        return false;
    }
    self->latest = CoreDetailsCreate(self->stage, name);
    if (self->latest == NULL) {
        return false;
    }
    self->cores[self->core_count++] = self->latest;
    return true;
}

/* Makes the core of a partition the latest one. */
static bool find_core(Details *self, uint32_t name)
{
    if (self->latest != NULL && CoreDetailsName(self->latest) == name) {
        return true;
    }
    for (uint32_t i = 0; i < self->core_count; i++) {
        if (CoreDetailsName(self->cores[i]) == name) {
            self->latest = self->cores[i];
            return true;
        }
    }
    return add_core(self, name);
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Details *self = context;
    bool is_done = find_core(self, batch->partition);

    if (is_done) {
        is_done = port == INPUT_ISSUES ? CoreDetailsIssues(self->latest, batch)
                                       : CoreDetailsInstructions(self->latest, batch);
    }
    return is_done ? OPPROF_OK : no_memory(error);
}

static OpprofStatus flush_core(Details *self, CoreDetails *core)
{
    OpprofStatus status = OPPROF_OK;

    CoreDetailsEnd(core);
    for (uint32_t i = 0; status == OPPROF_OK && i < CoreDetailsCount(core); i++) {
        const OpprofSimPcDetails record = CoreDetailsRecord(core, i);

        status = OpprofStageAppend(self->stage, 0, CoreDetailsName(core), &record);
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Details *self = context;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; i < self->core_count && status == OPPROF_OK; i++) {
        status = flush_core(self, self->cores[i]);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Explained instructions: cores=%" PRIu32,
              self->core_count);
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

static void destroy(void *context)
{
    Details *self = context;

    for (uint32_t i = 0; i < self->core_count; i++) {
        CoreDetailsDestroy(self->cores[i]);
    }
    free(self->cores);
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
