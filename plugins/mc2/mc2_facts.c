/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiles the chip file's description of records into loads, shifts and masks.
 * Tested by tests/plugins/mc2/test_marks.c.
 */
#include "mc2_facts.h"

#include <opprof/kit/cutter.h>

#define DEFAULT_KHZ 50000.0

static bool read_number(const OpprofFact *object, const char *name, double most, double *ret_value)
{
    return OpprofFactNumber(OpprofFactMember(object, name), ret_value) && *ret_value >= 0 &&
           *ret_value <= most;
}

static uint64_t read_set(const OpprofFact *list)
{
    uint64_t set = 0;

    for (size_t i = 0; i < OpprofFactCount(list); i++) {
        double value = 64;
        if (OpprofFactNumber(OpprofFactAt(list, i), &value) && value >= 0 && value < 64) {
            set |= UINT64_C(1) << (unsigned) value;
        }
    }
    return set;
}

static bool read_size(const OpprofFact *record, uint32_t *ret_size)
{
    double size = 0;

    if (!read_number(record, "size", OPPROF_CUTTER_MAX, &size) || size < 1) {
        return false;
    }
    *ret_size = (uint32_t) size;
    return true;
}

static uint64_t cube_type(const OpprofFact *kinds)
{
    for (size_t i = 0; i < OpprofFactCount(kinds); i++) {
        const OpprofFact *kind = OpprofFactAt(kinds, i);
        const char *name = OpprofFactText(OpprofFactMember(kind, "name"));
        double type = 0;
        if (name != NULL && strcmp(name, "cube") == 0 && read_number(kind, "type", 63, &type)) {
            return (uint64_t) type;
        }
    }
    return 0;
}

static bool read_blocks(const OpprofChip *chip, BlockLayout *layout)
{
    const OpprofFact *record = OpprofChipFact(chip, "pmu.records.counters");

    layout->size = 0;
    if (OpprofFactMember(OpprofFactMember(record, "fields"), "start") == NULL) {
        return true; /* blocks of such chips have no times */
    }
    layout->accepted = read_set(OpprofFactMember(record, "accept"));
    layout->cube = cube_type(OpprofChipFact(chip, "pmu.kinds"));
    return read_size(record, &layout->size) &&
           OpprofRecordBitsRead(record, "function", &layout->function) == NULL &&
           OpprofRecordBitsRead(record, "core_type", &layout->core_type) == NULL &&
           OpprofRecordBitsRead(record, "block", &layout->block) == NULL &&
           OpprofRecordBitsRead(record, "sub_block", &layout->sub_block) == NULL &&
           OpprofRecordBitsRead(record, "stream", &layout->stream) == NULL &&
           OpprofRecordBitsRead(record, "task", &layout->task) == NULL &&
           OpprofRecordBitsRead(record, "start", &layout->start) == NULL &&
           OpprofRecordBitsRead(record, "end", &layout->end) == NULL;
}

static bool read_log(const OpprofChip *chip, LogLayout *layout)
{
    const OpprofFact *record = OpprofChipFact(chip, "pmu.records.task_log");
    double start = 0;
    double end = 1;

    OpprofFactNumber(OpprofFactMember(record, "start"), &start);
    OpprofFactNumber(OpprofFactMember(record, "end"), &end);
    layout->start = (uint64_t) start;
    layout->end = (uint64_t) end;
    layout->core_types = read_set(OpprofFactMember(record, "task_types"));
    return read_size(record, &layout->size) &&
           OpprofRecordBitsRead(record, "function", &layout->function) == NULL &&
           OpprofRecordBitsRead(record, "task_type", &layout->type) == NULL &&
           OpprofRecordBitsRead(record, "stream", &layout->stream) == NULL &&
           OpprofRecordBitsRead(record, "task", &layout->task) == NULL &&
           OpprofRecordBitsRead(record, "time", &layout->time) == NULL;
}

static bool read_cubes(const OpprofFact *list, Mc2Facts *facts)
{
    const size_t count = OpprofFactCount(list);

    facts->cube_count = 0;
    for (size_t i = 0; i < count && i < FACTS_MAX_RANGES; i++) {
        const OpprofFact *range = OpprofFactAt(list, i);
        double first = 0;
        double last = 0;
        if (!OpprofFactNumber(OpprofFactAt(range, 0), &first) ||
            !OpprofFactNumber(OpprofFactAt(range, 1), &last) || first < 0 || last < first ||
            last > UINT16_MAX) {
            return false;
        }
        facts->cubes[facts->cube_count++] = (CoreRange){ (uint32_t) first, (uint32_t) last };
    }
    return count > 0 && count <= FACTS_MAX_RANGES;
}

OpprofStatus Mc2FactsLoad(const OpprofChip *chip, Mc2Facts *ret_facts, OpprofError **error)
{
    const char *wrong = NULL;
    double khz = DEFAULT_KHZ;

    *ret_facts = (Mc2Facts){ .cube_count = 0 };
    OpprofChipNumber(chip, "pmu.defaults.scheduler_khz", &khz);
    if (!read_blocks(chip, &ret_facts->blocks)) {
        wrong = "pmu.records.counters";
    } else if (!read_log(chip, &ret_facts->log)) {
        wrong = "pmu.records.task_log";
    } else if (!read_cubes(OpprofChipFact(chip, "mc2.cube_cores"), ret_facts)) {
        wrong = "mc2.cube_cores";
    } else if (!(khz >= 1 && khz <= 1e9)) {
        wrong = "pmu.defaults.scheduler_khz";
    }
    ret_facts->counter_khz = (uint64_t) khz;
    ret_facts->uncertain_types = OpprofChipBool(chip, "mc2.uncertain_task_types", false);
    if (wrong != NULL) {
        OpprofErrorSet(
            error, OPPROF_E_DATA,
            "The chip file of '%s' does not describe timelines: '%s' is missing or wrong",
            OpprofChipSoc(chip), wrong);
        OpprofErrorHint(error, "Name the chip with --set chip=, such as --set chip=Ascend910B1");
        return OPPROF_E_DATA;
    }
    return OPPROF_OK;
}

bool Mc2FactsIsCube(const Mc2Facts *facts, uint32_t core)
{
    for (uint32_t i = 0; i < facts->cube_count; i++) {
        if (core >= facts->cubes[i].first && core <= facts->cubes[i].last) {
            return true;
        }
    }
    return false;
}
