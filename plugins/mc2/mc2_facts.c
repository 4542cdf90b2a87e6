/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiles the chip file's description of records into loads, shifts and masks.
 * Tests: tests/plugins/mc2/test_marks.c.
 */
#include "mc2_facts.h"

#include <opprof/kit/cutter.h>

#define DEFAULT_KHZ 50000.0

static bool read_number(const OpprofFact *object, const char *name, double most, double *ret_value)
{
    return OpprofFactNumber(OpprofFactMember(object, name), ret_value) && *ret_value >= 0 &&
           *ret_value <= most;
}

/* False if the field is there and does not fit the record. */
static bool read_field(const OpprofFact *fields, const char *name, uint32_t size, FactField *field)
{
    const OpprofFact *fact = OpprofFactMember(fields, name);
    double at = 0;
    double bits = 0;
    double shift = 0;

    *field = (FactField){ .mask = 0 };
    if (fact == NULL) {
        return true;
    }
    OpprofFactNumber(OpprofFactMember(fact, "shift"), &shift);
    if (!read_number(fact, "at", size, &at) || !read_number(fact, "bits", 64, &bits) || shift < 0 ||
        shift + bits > 64 || size < sizeof(uint64_t)) {
        return false;
    }
    /* The load of eight bytes must stay inside of the record. */
    const uint32_t room = size - (uint32_t) sizeof(uint64_t);
    const uint32_t back = (uint32_t) at > room ? (uint32_t) at - room : 0;
    if (shift + bits + 8 * back > 64) {
        return false;
    }
    field->offset = (uint16_t) ((uint32_t) at - back);
    field->shift = (uint8_t) ((uint32_t) shift + 8 * back);
    field->mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << (unsigned) bits) - 1;
    return true;
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
    const OpprofFact *fields = OpprofFactMember(record, "fields");

    layout->size = 0;
    if (OpprofFactMember(fields, "start") == NULL) {
        return true; /* of such chips blocks have no times */
    }
    layout->accepted = read_set(OpprofFactMember(record, "accept"));
    layout->cube = cube_type(OpprofChipFact(chip, "pmu.kinds"));
    return read_size(record, &layout->size) &&
           read_field(fields, "function", layout->size, &layout->function) &&
           read_field(fields, "core_type", layout->size, &layout->core_type) &&
           read_field(fields, "block", layout->size, &layout->block) &&
           read_field(fields, "sub_block", layout->size, &layout->sub_block) &&
           read_field(fields, "stream", layout->size, &layout->stream) &&
           read_field(fields, "task", layout->size, &layout->task) &&
           read_field(fields, "start", layout->size, &layout->start) &&
           read_field(fields, "end", layout->size, &layout->end);
}

static bool read_log(const OpprofChip *chip, LogLayout *layout)
{
    const OpprofFact *record = OpprofChipFact(chip, "pmu.records.task_log");
    const OpprofFact *fields = OpprofFactMember(record, "fields");
    double start = 0;
    double end = 1;

    OpprofFactNumber(OpprofFactMember(record, "start"), &start);
    OpprofFactNumber(OpprofFactMember(record, "end"), &end);
    layout->start = (uint64_t) start;
    layout->end = (uint64_t) end;
    layout->core_types = read_set(OpprofFactMember(record, "task_types"));
    return read_size(record, &layout->size) &&
           read_field(fields, "function", layout->size, &layout->function) &&
           read_field(fields, "task_type", layout->size, &layout->type) &&
           read_field(fields, "stream", layout->size, &layout->stream) &&
           read_field(fields, "task", layout->size, &layout->task) &&
           read_field(fields, "time", layout->size, &layout->time);
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
        OpprofErrorHint(error, "--set chip= names a chip that ran, such as Ascend910B1");
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
