/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of both collectors of the simulator. Tested by tests/refchip/test_live.sh. */
#include "choices.h"

#include <opprof/kit/chip_choice.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CORE_ID 49u

const char *const choices_metrics[] = { "PipeUtilization", CHOICES_CONFLICTS, CHOICES_SAMPLING,
                                        CHOICES_OVERHEAD, NULL };
const char *const choices_chip_sections[] = { "clocks", "simulator", NULL };

/* What instructions say and do: forms of values and registers, and formulas over those. */
#define VALUE_FORM "form<hex, decimal, number, word, digits, letter, letters, digit>"
#define VALUE_FORMS VALUE_FORM " | [ " VALUE_FORM " ]"
#define REGISTER_FORM "form<register, register16, small, digits, letter, letters, digit>"
#define WHOLE "whole<.operands.values,.operands.values.*.means,.let>"
#define NEEDS "needs: [ <.operands.values> ]"
#define RULE "names!: [ text ], " NEEDS ", let: { *: " WHOLE " }, "
#define BLOCKS "address!: " WHOLE ", stride!: " WHOLE

#define LINE "form<tick!, pc!, id, pipe!, name!, operands, any*>"
#define REQUEST "form<tick!, interface, pairs, unit, way, instruction, request, size, any*>"
#define REQUESTS                                                                                   \
    "{ line!: " REQUEST " | [ " REQUEST " ], interface: { end!: text, inside: text, "              \
    "separator: text }, reads!: [ text ], writes!: [ text ], "                                     \
    "keys: { <'instruction','request','size'>: [ text ] }, units!: { *: text }, moves: [ text ] }"
#define EVENT "form<tick!, pc!>"
#define MISS "form<tick!, pc!, hex8*, digits*, detail!^>"
#define FILE_NAME "form<core!, sub>"

const OpprofChipSchema choices_chip_schemas[] = {
    { "simulator", .schema =
      "{ pair_by: 'pc' | 'id', logical_cores: bool, simt: bool, folder: text, icache_file: text, "
      "icache_miss: " MISS " | [ " MISS " ], ccu_file: text, mte_file: text, "
      "fetches: " EVENT " | [ " EVENT " ], issues: " EVENT " | [ " EVENT " ], requests: " REQUESTS
      ", flags: text, "
      "operands: <instructions>, metrics: [ "
      "<'PipeUtilization','ResourceConflictRatio','PMSampling','Overhead'> ], cores: int(1..), "
      "vector_cores: "
      "int(0..), logs: { popped!: " FILE_NAME ", instr!: " FILE_NAME ", icache: " FILE_NAME
      ", ccu: " FILE_NAME ", mte: form<core!>, requests: " REQUESTS ", line: " LINE " | [ " LINE
      " ] }, "
      "marks: { registers!: [ text ], start!: form<digit!>, stop!: form<digit!>, edge: text }, "
      "kernel: { file: text, start: text }, "
      "threads: { warp!: form<warp!>, scheduler!: form<scheduler!>, schedulers: int(1..10), "
      "masks: form<predicate!, executed!> }, "
      "logical_core: { name!: text, block!: text, sub_block: text, single: text }, "
      "guess: { candidate: bool, sub_cores: bool, ids: bool, icache_log_suffix: bool } } " },
    { "pipes", .schema =
      "{ other: <pipes.known>, other_colour: text, other_rank: int(0..), other_lane: int(0..), "
      "scalar: <pipes.known>, cache_miss: <pipes.known>, user_mark: <pipes.known>, "
      "load_store: { pipe!: <pipes.known>, holds!: text }, of_names: { *: <pipes.known> }, known: "
      "{ *: { "
      "printed: [ text ], "
      "in_flags: [ text ], colour: text, rank: int(0..), lane: int(0..) } } }" },
    { "flags", .schema =
      "{ set: [ text ], wait: [ text ], barrier: [ text ], set_colour: text, wait_colour: text, "
      "between_cores: { set!: text, wait!: text, set_i: text, wait_i: text, "
      "hub!: text, spoke!: text, spokes!: int(1..64), ids!: int(1..65536), pipe!: text, id!: text "
      "}, waits: [ text ], "
      "no_work: [ text ] }" },
    { "warps", .schema = "{ prefix: text, other_colour: text, rank: int(0..), lane: int(0..), colours: { *: "
               "text } }" },
    { "instructions", .schema =
      "{ *: { operands: { values: { *: " VALUE_FORMS " | { form!: " VALUE_FORMS
      ", means!: { *: int(0..) } } }, registers: [ " REGISTER_FORM " ], written: [ " REGISTER_FORM
      " ], register_count: int(1..256) }, moves: [ { " RULE "bytes!: " WHOLE " } ], "
      "vector_unit: { blocks: int(1..64), block_bytes: int(1.. bytes), repeats: int(1..), "
      "bank_groups: int(1..256) }, "
      "vector: [ { " RULE "repeats: " WHOLE ", element_bytes: " WHOLE ", blocks: { " NEEDS
      ", destination!: { " BLOCKS " }, sources!: [ { " NEEDS ", " BLOCKS " } ] } } ], "
      "state: [ { " RULE "mask: " WHOLE ", half: " WHOLE ", counts_elements: " WHOLE " } ], "
      "writes: [ { names!: [ text ], places!: [ int(0..31) ], following: int(0..31) } ] } }" },
    { .section = NULL },
};

static OpprofStatus wrong_core_id(const char *text, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter core_id: '%s' is not a number from 0 to %u",
                   text, MOST_CORE_ID);
    OpprofErrorHint(error, "For example core_id=0,2 or core_id=0|2");
    return OPPROF_E_ARGUMENT;
}

/* One element of the list may contain several ids with '|' between them. */
static OpprofStatus read_core_ids(uint64_t *ids, const char *text, OpprofError **error)
{
    const char *at = text;

    for (;;) {
        char *end;
        const unsigned long id = strtoul(at, &end, 10);

        if (!isdigit((unsigned char) *at) || id > MOST_CORE_ID || (*end != '\0' && *end != '|')) {
            return wrong_core_id(text, error);
        }
        *ids |= UINT64_C(1) << id;
        if (*end == '\0') {
            return OPPROF_OK;
        }
        at = end + 1;
    }
}

const char *ChoicesChip(const OpprofParams *params)
{
    const char *chip = OpprofParamsString(params, "chip");

    return OpprofChipIsAuto(chip) ? NULL : chip;
}

/* All have PipeUtilization. */
OpprofStatus ChoicesCheckMetrics(const OpprofParams *params, const SimFacts *facts,
                                 OpprofError **error)
{
    const OpprofFact *known = OpprofChipFact(facts->chip, "simulator.metrics");

    for (size_t i = 0; i < OpprofParamsCount(params, "metrics"); i++) {
        const char *metric = OpprofParamsElement(params, "metrics", i);
        bool is_known = strcasecmp(metric, "PipeUtilization") == 0;

        for (size_t k = 0; k < OpprofFactCount(known) && !is_known; k++) {
            const char *name = OpprofFactText(OpprofFactAt(known, k));

            is_known = name != NULL && strcasecmp(metric, name) == 0;
        }
        if (!is_known) {
            OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                           "Parameter metrics: the simulator of %s (%s) has no '%s'",
                           OpprofChipSoc(facts->chip), OpprofChipSeries(facts->chip), metric);
            OpprofErrorHint(error, "Leave it out, or say which chip it is: chip=NAME");
            return OPPROF_E_ARGUMENT;
        }
    }
    return OPPROF_OK;
}

bool ChoicesHasMetric(const OpprofParams *params, const char *metric)
{
    for (size_t i = 0; i < OpprofParamsCount(params, "metrics"); i++) {
        if (strcasecmp(OpprofParamsElement(params, "metrics", i), metric) == 0) {
            return true;
        }
    }
    return !OpprofParamsIsSet(params, "metrics") && strcmp(metric, CHOICES_CONFLICTS) == 0;
}

OpprofStatus ChoicesCheck(const OpprofParams *params, uint64_t *ret_core_ids, OpprofError **error)
{
    const char *chip = ChoicesChip(params);
    OpprofStatus status = OPPROF_OK;
    SimFacts facts = { .chip = NULL };

    *ret_core_ids = 0;
    for (size_t i = 0; i < OpprofParamsCount(params, "core_id") && status == OPPROF_OK; i++) {
        status = read_core_ids(ret_core_ids, OpprofParamsElement(params, "core_id", i), error);
    }
    if (status == OPPROF_OK && chip != NULL) {
        status = SimFactsLoad(chip, &facts, error);
        if (status == OPPROF_OK) {
            status = ChoicesCheckMetrics(params, &facts, error);
        }
        SimFactsFinish(&facts);
    }
    if (status == OPPROF_E_NOT_FOUND) {
        status = OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                "Parameter chip: '%s' is not a known chip", chip);
    }
    return status;
}
