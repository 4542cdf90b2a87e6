/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arranges what the chip file says of raw records and events for reading records. Tested by
 * tests/plugins/parse-pmu/test_records.
 */
#include "layout.h"

#include <stdlib.h>

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read the events of a chip");
}

/* ---- columns ---- */

/* Columns being assigned. */
typedef struct Order {
    bool *is_placed; /* by event id */
    uint32_t count;
} Order;

static void place_event(PmuLayout *layout, Order *order, uint32_t id)
{
    if (PmuLayoutColumn(layout, id) == LAYOUT_NO_COLUMN || order->is_placed[id]) {
        return;
    }
    layout->columns[id] = (uint16_t) order->count;
    layout->events[order->count++] = id;
    order->is_placed[id] = true;
}

/*
 * Events that one record counts become neighbours, so that merging a record touches little memory.
 * Events that no replay counts come last.
 */
static void place_events(PmuLayout *layout, Order *order)
{
    for (uint32_t kind = 0; kind < layout->kind_count; kind++) {
        const RoundFacts *rounds = PmuRoundsOf(&layout->facts, layout->kinds[kind].name);

        for (uint32_t i = 0; rounds != NULL && i < rounds->count; i++) {
            for (uint32_t slot = 0; slot < rounds->rounds[i].count; slot++) {
                place_event(layout, order, rounds->rounds[i].ids[slot]);
            }
        }
    }
    for (uint32_t i = 0; i < layout->facts.event_count; i++) {
        place_event(layout, order, layout->facts.events[i].id);
    }
    layout->event_count = order->count;
}

static OpprofStatus load_events(PmuLayout *layout, OpprofError **error)
{
    const PmuFacts *facts = &layout->facts;
    Order order = { .count = 0 };

    for (uint32_t i = 0; i < facts->event_count; i++) {
        const uint32_t id = facts->events[i].id;
        layout->id_count = id >= layout->id_count ? id + 1 : layout->id_count;
    }
    layout->columns = malloc(((size_t) layout->id_count + 1) * sizeof *layout->columns);
    layout->events = malloc(((size_t) facts->event_count + 1) * sizeof *layout->events);
    layout->event_facts = malloc(((size_t) facts->event_count + 1) * sizeof *layout->event_facts);
    order.is_placed = calloc((size_t) layout->id_count + 1, sizeof(bool));
    if (layout->columns == NULL || layout->events == NULL || layout->event_facts == NULL ||
        order.is_placed == NULL) {
        free(order.is_placed);
        return no_memory(error);
    }
    memset(layout->columns, 0xff, layout->id_count * sizeof *layout->columns);
    for (uint32_t i = 0; i < facts->event_count; i++) {
        layout->columns[facts->events[i].id] = 0; /* until it is placed */
    }
    place_events(layout, &order);
    for (uint32_t i = 0; i < facts->event_count; i++) {
        layout->event_facts[layout->columns[facts->events[i].id]] = &facts->events[i];
    }
    free(order.is_placed);
    return layout->event_count < LAYOUT_NO_COLUMN
               ? OPPROF_OK
               : OpprofChipRefuse(layout->chip, "pmu.events", error, "too many events");
}

/* ---- records ---- */

static void load_l2(PmuLayout *layout)
{
    const L2Facts *l2 = &layout->facts.l2;

    layout->l2 = (L2Layout){ .size = l2->size,
                             .at = l2->at,
                             .width = { .bytes = l2->bits / 8, .is_big = l2->is_big },
                             .evict_slot = l2->evict_slot };
    for (uint32_t i = 0; i < l2->events.count; i++) {
        layout->l2.columns[layout->l2.column_count++] = PmuLayoutColumn(layout, l2->events.ids[i]);
    }
}

static OpprofStatus load_records(PmuLayout *layout, OpprofError **error)
{
    OpprofPmuFacts pmu;
    OpprofStatus status = OpprofPmuFactsRead(layout->chip, &pmu, error);

    if (status != OPPROF_OK) {
        return status;
    }
    layout->counters = pmu.counters;
    layout->task_log = pmu.task_log;
    layout->width =
        (CounterWidth){ .bytes = pmu.counters.slot_bits / 8, .is_big = pmu.counters.is_big };
    memcpy(layout->kinds, pmu.kinds, sizeof layout->kinds);
    layout->kind_count = pmu.kind_count;
    layout->one_key = layout->counters.block.mask == 0;
    return OPPROF_OK;
}

OpprofStatus PmuLayoutLoad(const OpprofChip *chip, PmuLayout *ret_layout, OpprofError **error)
{
    *ret_layout = (PmuLayout){ .chip = chip };
    if (OpprofChipFact(chip, "pmu") == NULL) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "The chip '%s' (series '%s') states nothing about its PMU",
                       OpprofChipSoc(chip), OpprofChipSeries(chip));
        OpprofErrorHint(error, "A chip file that describes on-board runs has the section 'pmu'");
        return OPPROF_E_DATA;
    }
    OpprofStatus status = OpprofFactsBind(chip, "pmu", &pmu_table, &ret_layout->facts, error);
    if (status == OPPROF_OK) {
        status = load_records(ret_layout, error);
    }
    if (status == OPPROF_OK) {
        status = load_events(ret_layout, error);
    }
    if (status == OPPROF_OK) {
        load_l2(ret_layout);
    } else {
        PmuLayoutFree(ret_layout);
    }
    return status;
}

void PmuLayoutFree(PmuLayout *layout)
{
    OpprofFactsFree(&pmu_table, &layout->facts);
    free(layout->events);
    free(layout->columns);
    free(layout->event_facts);
    *layout = (PmuLayout){ .chip = NULL };
}
