/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiles the layout of raw records from the chip file. Tested by
 * tests/plugins/parse-pmu/test_records.
 */
#include "layout.h"

#include <opprof/kit/cutter.h>
#include <opprof/map.h>
#include <opprof/record.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WORD_BYTES 8u
#define MAX_PATH 256

/* The first fault of a chip file, with the faulty member. */
typedef struct Loader {
    const OpprofChip *chip;
    OpprofError **error;
    OpprofStatus status;
} Loader;

/* Only the first fault is reported. */
#define REFUSE(loader, path, ...)                                                                  \
    do {                                                                                           \
        if ((loader)->status == OPPROF_OK) {                                                       \
            (loader)->status =                                                                     \
                OpprofChipRefuse((loader)->chip, path, (loader)->error, __VA_ARGS__);              \
        }                                                                                          \
    } while (0)

/* A whole number of at most `most`; `otherwise` if it is missing. */
static uint32_t read_number(Loader *loader, const OpprofFact *object, const char *where,
                            const char *member, uint32_t most, uint32_t otherwise)
{
    const OpprofFact *fact = OpprofFactMember(object, member);
    double value = 0;

    if (OpprofFactGetKind(fact) == OPPROF_FACT_NONE) {
        return otherwise;
    }
    if (!OpprofFactNumber(fact, &value) || value < 0 || value > most ||
        value != (double) (uint32_t) value) {
        REFUSE(loader, where, "a number is not a whole number or too large");
        return otherwise;
    }
    return (uint32_t) value;
}

static OpprofRecordBits read_field(Loader *loader, const OpprofFact *record, const char *where,
                                   const char *name)
{
    OpprofRecordBits bits;
    const char *why = OpprofRecordBitsRead(record, name, &bits);
    char path[MAX_PATH];

    if (why != NULL) {
        snprintf(path, sizeof path, "%s.fields.%s", where, name);
        REFUSE(loader, path, "%s", why);
    }
    return bits;
}

/* The size of `counters`, or of the record itself: whole bytes. */
static CounterWidth read_width(Loader *loader, const OpprofFact *record, const OpprofFact *counters,
                               const char *where)
{
    const uint32_t bits = read_number(loader, counters, where, "bits", 64, 64);

    if (bits == 0 || bits % 8 != 0) {
        REFUSE(loader, where, "counters have 8, 16, 24 … or 64 bits");
    }
    return (CounterWidth){ .bytes = (uint8_t) (bits / 8), .is_big = OpprofRecordIsBig(record) };
}

/* Numbers below 64 as bits. */
static uint64_t read_set(Loader *loader, const OpprofFact *array, const char *where)
{
    uint64_t set = 0;

    for (size_t i = 0; i < OpprofFactCount(array); i++) {
        double value = -1;
        if (!OpprofFactNumber(OpprofFactAt(array, i), &value) || value < 0 || value > 63) {
            REFUSE(loader, where, "expected numbers from 0 to 63");
            return 0;
        }
        set |= UINT64_C(1) << (unsigned) value;
    }
    return set;
}

static uint64_t read_known(Loader *loader, const OpprofFact *object, const char *where)
{
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;
    uint64_t set = 0;

    while (OpprofFactGetKind(object) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(object, &walk, &name, &fact)) {
        char *end = NULL;
        const unsigned long number = strtoul(name, &end, 10);
        if (name[0] < '0' || name[0] > '9' || *end != '\0' || number > 63) {
            REFUSE(loader, where, "expected numbers from 0 to 63");
            return 0;
        }
        set |= UINT64_C(1) << number;
    }
    return set;
}

static uint32_t read_size(Loader *loader, const OpprofFact *record, const char *where)
{
    const uint32_t size = read_number(loader, record, where, "size", OPPROF_CUTTER_MAX, 0);

    if (record == NULL) {
        REFUSE(loader, where, "the record is not described");
    } else if (size < WORD_BYTES) {
        REFUSE(loader, where, "a record has 8 to 4096 bytes");
    }
    return size;
}

static void load_counters(Loader *loader, CounterLayout *layout)
{
    static const char where[] = "pmu.records.counters";
    const OpprofFact *record = OpprofChipFact(loader->chip, where);
    const OpprofFact *slots = OpprofFactMember(record, "counters");
    const uint32_t size = read_size(loader, record, where);

    *layout = (CounterLayout){
        .function = read_field(loader, record, where, "function"),
        .core_type = read_field(loader, record, where, "core_type"),
        .core = read_field(loader, record, where, "core"),
        .block = read_field(loader, record, where, "block"),
        .sub_block = read_field(loader, record, where, "sub_block"),
        .cycles = read_field(loader, record, where, "cycles"),
        .stream = read_field(loader, record, where, "stream"),
        .task = read_field(loader, record, where, "task"),
        .start = read_field(loader, record, where, "start"),
        .accepted = read_set(loader, OpprofFactMember(record, "accept"), where),
        .known = read_known(loader, OpprofFactMember(record, "known"), where),
        .size = size,
        .slots_at = (uint16_t) read_number(loader, slots, where, "at", size, 0),
        .slot_count = (uint16_t) read_number(loader, slots, where, "count", LAYOUT_MAX_SLOTS, 0),
        .width = read_width(loader, record, slots, where),
    };
    if (layout->slot_count == 0) {
        REFUSE(loader, where, "the member 'counters' is missing");
    } else if ((uint32_t) layout->slots_at + (uint32_t) layout->slot_count * layout->width.bytes >
               size) {
        REFUSE(loader, "pmu.records.counters.counters",
               "%u counters of %u bytes from byte %u on reach beyond the %u bytes of a record",
               layout->slot_count, layout->width.bytes, layout->slots_at, size);
    }
    if (layout->block.mask > UINT32_MAX || layout->sub_block.mask > UINT32_MAX ||
        layout->core.mask > UINT32_MAX) {
        REFUSE(loader, where, "block, sub_block and core have at most 32 bits");
    }
}

static void load_task_log(Loader *loader, TaskLogLayout *layout)
{
    static const char where[] = "pmu.records.task_log";
    const OpprofFact *record = OpprofChipFact(loader->chip, where);
    const uint32_t size = read_size(loader, record, where);

    *layout = (TaskLogLayout){
        .function = read_field(loader, record, where, "function"),
        .task_type = read_field(loader, record, where, "task_type"),
        .time = read_field(loader, record, where, "time"),
        .stream = read_field(loader, record, where, "stream"),
        .task = read_field(loader, record, where, "task"),
        .task_types = read_set(loader, OpprofFactMember(record, "task_types"), where),
        .start = read_number(loader, record, where, "start", UINT32_MAX, 0),
        .end = read_number(loader, record, where, "end", UINT32_MAX, 1),
        .size = size,
    };
}

static void load_l2(Loader *loader, PmuLayout *layout)
{
    static const char where[] = "pmu.records.l2_cache";
    const OpprofFact *record = OpprofChipFact(loader->chip, where);
    const OpprofFact *events = OpprofFactMember(record, "events");
    L2Layout *l2 = &layout->l2;

    *l2 = (L2Layout){ .evict_slot = LAYOUT_NO_COLUMN };
    if (record == NULL) {
        return;
    }
    l2->size = read_size(loader, record, where);
    l2->at = (uint16_t) read_number(loader, record, where, "at", l2->size, 0);
    l2->width = read_width(loader, record, record, where);
    l2->evict_slot = (uint16_t) read_number(loader, record, where, "evict_slot", LAYOUT_MAX_SLOTS,
                                            LAYOUT_NO_COLUMN);
    for (size_t i = 0; i < OpprofFactCount(events) && i < LAYOUT_MAX_SLOTS; i++) {
        double id = -1;
        if (!OpprofFactNumber(OpprofFactAt(events, i), &id) || id < 0 || id > LAYOUT_MAX_EVENT ||
            PmuLayoutColumn(layout, (uint32_t) id) == LAYOUT_NO_COLUMN) {
            REFUSE(loader, where, "an event of the list is not among pmu.events");
            return;
        }
        l2->columns[l2->column_count++] = PmuLayoutColumn(layout, (uint32_t) id);
    }
    const size_t slots = l2->evict_slot != LAYOUT_NO_COLUMN && l2->evict_slot >= l2->column_count
                             ? (size_t) l2->evict_slot + 1
                             : l2->column_count;
    if (l2->at + slots * l2->width.bytes > l2->size) {
        REFUSE(loader, where, "the counters reach beyond the record");
    }
}

static void load_kinds(Loader *loader, PmuLayout *layout)
{
    const OpprofFact *kinds = OpprofChipFact(loader->chip, "pmu.kinds");
    const size_t count = OpprofFactCount(kinds);

    if (count == 0 || count > LAYOUT_MAX_KINDS) {
        REFUSE(loader, "pmu.kinds", "expected one to four kinds of cores");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const OpprofFact *fact = OpprofFactAt(kinds, i);
        CoreKind *kind = &layout->kinds[layout->kind_count++];
        *kind = (CoreKind){ .name = OpprofFactText(OpprofFactMember(fact, "name")),
                            .label = OpprofFactText(OpprofFactMember(fact, "label")),
                            .type = OPPROF_NA_U64,
                            .slot = -1 };
        OpprofFactNumber(OpprofFactMember(fact, "slot"), &kind->slot);
        if (kind->name == NULL) {
            REFUSE(loader, "pmu.kinds", "a kind has no name");
        }
        double type = -1;
        if (!OpprofFactNumber(OpprofFactMember(fact, "type"), &type) && count > 1) {
            REFUSE(loader, "pmu.kinds", "with several kinds each needs its 'type'");
        }
        if (type >= 0 && type < 0x1p63 && type == floor(type)) {
            kind->type = (uint64_t) type;
        }
    }
}

/* How many events there are, and one more than their largest id. Returns a name that is not an id, NULL if all are. */
static const char *count_events(const OpprofFact *events, PmuLayout *layout, size_t *ret_count)
{
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;

    *ret_count = 0;
    while (OpprofFactGetKind(events) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(events, &walk, &name, &fact)) {
        char *end = NULL;
        const unsigned long id = strtoul(name, &end, 10);

        if (name[0] < '0' || name[0] > '9' || (name[0] == '0' && name[1] != '\0') || *end != '\0' ||
            id > LAYOUT_MAX_EVENT) {
            return name;
        }
        layout->id_count = id >= layout->id_count ? (uint32_t) id + 1 : layout->id_count;
        ++*ret_count;
    }
    return NULL;
}

/* A formula that names an event by its name means one. */
static void check_event_names(Loader *loader, const OpprofFact *events)
{
    OpprofFactWalk walk = { 0 };
    OpprofTextMap names = { .count = 0 };
    const char *id;
    const OpprofFact *fact;
    uint32_t place = 0;

    while (OpprofFactGetKind(events) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(events, &walk, &id, &fact)) {
        const char *name = OpprofFactText(OpprofFactMember(fact, "name"));

        if (name == NULL) {
            continue;
        }
        if (OpprofTextMapFind(&names, name, strlen(name)) != OPPROF_MAP_NONE) {
            REFUSE(loader, "pmu.events", "event %s has the name '%s' of another event", id, name);
        } else if (!OpprofTextMapPut(&names, name, strlen(name), place++, NULL)) {
            loader->status = OpprofErrorNoMemory(loader->error, "read the events of a chip");
            break;
        }
    }
    OpprofTextMapFinish(&names);
}

static void load_events(Loader *loader, PmuLayout *layout)
{
    const OpprofFact *events = OpprofChipFact(loader->chip, "pmu.events");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;
    size_t count;
    const char *wrong = count_events(events, layout, &count);

    if (wrong != NULL) {
        REFUSE(loader, "pmu.events",
               "'%s' is not an event id, a decimal number from 0 to 65535 without zeros before it",
               wrong);
        return;
    }
    layout->columns = malloc(((size_t) layout->id_count + 1) * sizeof *layout->columns);
    layout->events = malloc((count + 1) * sizeof *layout->events);
    if (layout->columns == NULL || layout->events == NULL) {
        loader->status = OpprofErrorNoMemory(loader->error, "read the events of a chip");
        return;
    }
    memset(layout->columns, 0xff, layout->id_count * sizeof *layout->columns);
    while (OpprofFactGetKind(events) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(events, &walk, &name, &fact)) {
        const unsigned long id = strtoul(name, NULL, 10);

        if (layout->columns[id] == LAYOUT_NO_COLUMN) {
            layout->columns[id] = (uint16_t) layout->event_count;
            layout->events[layout->event_count++] = (uint32_t) id;
        }
    }
    if (layout->event_count >= LAYOUT_NO_COLUMN) {
        REFUSE(loader, "pmu.events", "too many events");
    }
    if (loader->status == OPPROF_OK) {
        check_event_names(loader, events);
    }
}

/* Counters assigned to columns anew. */
typedef struct Order {
    uint32_t *events;
    bool *is_placed; /* by event id */
    uint32_t count;
} Order;

static void place_event(PmuLayout *layout, Order *order, double id)
{
    if (id < 0 || id > LAYOUT_MAX_EVENT ||
        PmuLayoutColumn(layout, (uint32_t) id) == LAYOUT_NO_COLUMN ||
        order->is_placed[(uint32_t) id]) {
        return;
    }
    layout->columns[(uint32_t) id] = (uint16_t) order->count;
    order->events[order->count++] = (uint32_t) id;
    order->is_placed[(uint32_t) id] = true;
}

static void place_rounds(PmuLayout *layout, Order *order, const OpprofFact *rounds)
{
    for (size_t i = 0; i < OpprofFactCount(rounds); i++) {
        const OpprofFact *slots = OpprofFactAt(rounds, i);
        for (size_t slot = 0; slot < OpprofFactCount(slots); slot++) {
            double id = -1;
            OpprofFactNumber(OpprofFactAt(slots, slot), &id);
            place_event(layout, order, id);
        }
    }
}

/*
 * Events that one record counts become neighbours, so that merging a record touches little memory.
 * Events that no replay counts come last. The plan reports faults of the rounds.
 */
static void order_events(Loader *loader, PmuLayout *layout)
{
    const OpprofFact *rounds = OpprofChipFact(loader->chip, "pmu.rounds");
    Order order = { .events = malloc(((size_t) layout->event_count + 1) * sizeof(uint32_t)),
                    .is_placed = calloc((size_t) layout->id_count + 1, sizeof(bool)) };

    if (order.events == NULL || order.is_placed == NULL) {
        loader->status = OpprofErrorNoMemory(loader->error, "read the events of a chip");
    } else {
        for (uint32_t kind = 0; kind < layout->kind_count; kind++) {
            const char *name = layout->kinds[kind].name;
            place_rounds(layout, &order, name == NULL ? NULL : OpprofFactMember(rounds, name));
        }
        for (uint32_t i = 0; i < layout->event_count; i++) {
            place_event(layout, &order, layout->events[i]);
        }
        memcpy(layout->events, order.events, order.count * sizeof *order.events);
    }
    free(order.events);
    free(order.is_placed);
}

/* What an event counts of at most in a cycle, where the chip file does not say it: far more than
 * any does. */
#define MOST_PER_CYCLE 16777216.0

static void load_limits(Loader *loader, PmuLayout *layout)
{
    const OpprofFact *events = OpprofChipFact(loader->chip, "pmu.events");

    layout->most_per_cycle =
        malloc(((size_t) layout->event_count + 1) * sizeof *layout->most_per_cycle);
    if (layout->most_per_cycle == NULL) {
        loader->status = OpprofErrorNoMemory(loader->error, "read the events of a chip");
        return;
    }
    for (uint32_t column = 0; column < layout->event_count; column++) {
        char key[16];
        double most = MOST_PER_CYCLE;

        snprintf(key, sizeof key, "%u", layout->events[column]);
        OpprofFactNumber(OpprofFactMember(OpprofFactMember(events, key), "most_per_cycle"), &most);
        layout->most_per_cycle[column] = most;
    }
}

OpprofStatus PmuLayoutLoad(const OpprofChip *chip, PmuLayout *ret_layout, OpprofError **error)
{
    Loader loader = { .chip = chip, .error = error };

    *ret_layout = (PmuLayout){ .chip = chip };
    if (OpprofChipFact(chip, "pmu") == NULL) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "The chip '%s' (series '%s') states nothing about its PMU",
                       OpprofChipSoc(chip), OpprofChipSeries(chip));
        OpprofErrorHint(error, "A chip file that describes on-board runs has the section 'pmu'");
        return OPPROF_E_DATA;
    }
    load_events(&loader, ret_layout);
    if (loader.status == OPPROF_OK) {
        load_kinds(&loader, ret_layout);
        order_events(&loader, ret_layout);
        load_limits(&loader, ret_layout);
        load_counters(&loader, &ret_layout->counters);
        load_task_log(&loader, &ret_layout->task_log);
        load_l2(&loader, ret_layout);
        ret_layout->one_key = ret_layout->counters.block.mask == 0;
    }
    if (loader.status != OPPROF_OK) {
        PmuLayoutFree(ret_layout);
    }
    return loader.status;
}

void PmuLayoutFree(PmuLayout *layout)
{
    free(layout->events);
    free(layout->columns);
    free(layout->most_per_cycle);
    *layout = (PmuLayout){ .chip = NULL };
}
