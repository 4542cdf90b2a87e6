/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-compute-load: what the compute units of each core did, as a view. The entries for each kind
 * of core and their formulas are in the chip file (`metrics.compute_load`). Tested by
 * tests/plugins/parse-pmu/test_cases.sh.
 */
#include "cells.h"
#include "launches.h"
#include "metric_facts.h"

#include <opprof/grow.h>
#include <opprof/plugin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_VIEW 0u

/* One line of the view. */
typedef struct LoadEntry {
    uint32_t kind;        /* interned kind of core */
    uint32_t name;        /* interned */
    const char *mix_name; /* of mix operators, with {n}; NULL: the same. Borrowed */
    uint32_t unit;        /* interned */
    const OpprofFormula *value;
    const OpprofFormula *share;  /* of the cycles, in percent; NULL: not a share */
    const OpprofFormula *option; /* shown only if this is not zero; NULL: always */
} LoadEntry;

typedef struct Compiled {
    LoadEntry *entries;
    uint32_t count;
    uint32_t capacity;
} Compiled;

/* An entry of the chip file, with what {operand} stands for. */
typedef struct EntrySource {
    const LoadFacts *facts;
    const char *kind;
    const char *operand; /* NULL: no operand */
} EntrySource;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "compute the load");
}

/* ---- compiling ---- */

static void forget(void *compiled)
{
    Compiled *self = compiled;

    free(self->entries);
    free(self);
}

/* The text of an entry for its operand; free with free(). NULL without memory. */
static char *replace_operand(const char *text, const EntrySource *source)
{
    const PmuPlaceholder all[] = { { "{operand}", source->operand == NULL ? "" : source->operand },
                                   { NULL, NULL } };

    return PmuReplace(text, all);
}

/* A formula of the entry: of its own, compiled already, or one with an operand. */
static OpprofStatus add_formula(PmuMetrics *metrics, const EntrySource *source,
                                const OpprofFactFormula *stated, const OpprofFormula **ret_formula,
                                OpprofError **error)
{
    const OpprofMetricScope scope = { .members = source->facts->fact };

    *ret_formula = stated->formula;
    if (stated->formula != NULL || stated->text == NULL) {
        return OPPROF_OK;
    }
    char *text = replace_operand(stated->text, source);
    if (text == NULL) {
        return no_memory(error);
    }
    const OpprofStatus status =
        OpprofMetricsAdd(metrics->metrics, source->facts->name, text, &scope, ret_formula, error);
    free(text);
    return status;
}

static OpprofStatus compile_entry(PmuMetrics *metrics, const EntrySource *source, LoadEntry *entry,
                                  OpprofError **error)
{
    const LoadFacts *facts = source->facts;
    const OpprofFactFormula share = {
        .text = facts->is_share ? OpprofChipText(metrics->chip, "metrics.share.is") : NULL
    };
    char *name = replace_operand(facts->name, source);

    if (name == NULL) {
        return no_memory(error);
    }
    *entry =
        (LoadEntry){ .kind = PmuIntern(metrics->stage, source->kind),
                     .name = PmuIntern(metrics->stage, name),
                     .mix_name = facts->mix_name,
                     .unit = PmuIntern(metrics->stage, facts->is_share ? "percent" : facts->unit) };
    free(name);
    OpprofStatus status = add_formula(metrics, source, &facts->is, &entry->value, error);
    if (status == OPPROF_OK) {
        status = add_formula(metrics, source, &share, &entry->share, error);
    }
    return status == OPPROF_OK
               ? add_formula(metrics, source, &facts->optional, &entry->option, error)
               : status;
}

static OpprofStatus add_entry(PmuMetrics *metrics, const EntrySource *source, OpprofError **error)
{
    Compiled *compiled = metrics->compiled;

    if (!OpprofGrow32(&compiled->entries, &compiled->capacity, (size_t) compiled->count + 1,
                      sizeof *compiled->entries)) {
        return no_memory(error);
    }
    return compile_entry(metrics, source, &compiled->entries[compiled->count++], error);
}

/* "each" names a list of the chip: one entry for each of its elements. */
static OpprofStatus add_each(PmuMetrics *metrics, const EntrySource *source, OpprofError **error)
{
    const OpprofFact *list = OpprofChipFact(metrics->chip, source->facts->each);
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(list); i++) {
        EntrySource one = *source;
        one.operand = OpprofFactText(OpprofFactAt(list, i));
        status = add_entry(metrics, &one, error);
    }
    return status;
}

static OpprofStatus add_kind(PmuMetrics *metrics, const KindLoadsFacts *kind, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < kind->count; i++) {
        const EntrySource source = { .facts = &kind->list[i], .kind = kind->kind };

        status = source.facts->each != NULL ? add_each(metrics, &source, error)
                                            : add_entry(metrics, &source, error);
    }
    return status;
}

static OpprofStatus compile(PmuMetrics *metrics, OpprofError **error)
{
    LoadsFacts facts;

    metrics->compiled = calloc(1, sizeof(Compiled));
    metrics->forget = forget;
    if (metrics->compiled == NULL) {
        return no_memory(error);
    }
    OpprofStatus status = OpprofMetricsBind(metrics->metrics, "metrics.compute_load",
                                            &metric_loads_table, &facts, error);
    for (uint32_t i = 0; status == OPPROF_OK && i < facts.count; i++) {
        status = add_kind(metrics, &facts.kinds[i], error);
    }
    OpprofFactsFree(&metric_loads_table, &facts);
    return status;
}

/* ---- evaluating ---- */

static uint32_t name_of(OpprofStage *stage, const LoadEntry *entry, const LaunchView *view,
                        const OpprofPmuKey *key)
{
    char number[16];

    if (entry->mix_name == NULL || !LaunchIsMix(view)) {
        return entry->name;
    }
    snprintf(number, sizeof number, "%u", key->sub_block);
    const PmuPlaceholder all[] = { { "{n}", number }, { NULL, NULL } };
    char *name = PmuReplace(entry->mix_name, all);
    const uint32_t id = name == NULL ? entry->name : PmuIntern(stage, name);
    free(name);
    return id;
}

/* False: an optional entry without a value. */
static bool is_shown(const LoadEntry *entry, const OpprofInputs *inputs)
{
    if (entry->option == NULL) {
        return true;
    }
    const double value = OpprofFormulaReal(entry->option, inputs);
    return !OpprofIsNaF64(value) && value != 0;
}

static void put_key(const Launches *self, const PmuMetrics *metrics, const LaunchView *view,
                    uint32_t key_index, CellWriter *writer)
{
    const Compiled *compiled = metrics->compiled;
    const OpprofInputs *inputs = OpprofMetricsInputs(metrics->metrics);
    const OpprofPmuKey *key = &view->keys[key_index];
    const bool has_blocks = (view->launch.flags & OPPROF_PMU_LAUNCH_ONE_KEY) == 0;
    char block[16];

    snprintf(block, sizeof block, "%u", key->block);
    for (uint32_t i = 0; i < compiled->count; i++) {
        const LoadEntry *entry = &compiled->entries[i];
        if (entry->kind != key->kind || !is_shown(entry, inputs)) {
            continue;
        }
        const CellPlace place = {
            .group = has_blocks ? PmuIntern(self->stage, block) : OPPROF_NA_STRING,
            .table = LaunchIsMix(view) ? key->name : view->launch.op_type,
            .row = name_of(self->stage, entry, view, key),
        };
        CellFormula(writer, &place, PmuIntern(self->stage, "value"), entry->unit, metrics,
                    entry->share != NULL ? entry->share : entry->value);
        if (entry->share != NULL) {
            CellFormula(writer, &place, PmuIntern(self->stage, "origin_value"), OPPROF_NA_STRING,
                        metrics, entry->value);
        }
    }
}

static OpprofStatus analyse(Launches *self, const LaunchView *view, OpprofError **error)
{
    PmuMetrics *metrics = NULL;
    CellWriter writer;

    const OpprofStatus status =
        PmuMetricsFind(&self->metrics, self->stage, view, compile, &metrics, error);
    if (status != OPPROF_OK) {
        return status;
    }
    CellsBegin(&writer, self->stage, OUTPUT_VIEW, view);
    for (uint32_t key = 0; key < view->key_count; key++) {
        const PmuRow row = RowOfKey(view, key);
        PmuMetricsSetRow(metrics, view, &row);
        put_key(self, metrics, view, key, &writer);
    }
    return CellsEnd(&writer, error);
}

static const OpprofPort outputs[] = {
    { .name = "view",
      .record_type = &opprof_compute_view_type,
      .summary = "Shares of the cycles and counts of instructions of each core." },
};

LAUNCHES_DEFINE(analyse, NULL, outputs, .name = "pmu-compute-load",
                .summary = "Shows how busy the compute units of each core were.",
                .help = "The chip file defines the entries for each kind of core.");
