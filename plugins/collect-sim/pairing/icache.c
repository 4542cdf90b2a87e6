/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds cache misses in the instruction-cache log and sorts them.
 * Tested by tests/plugins/collect-sim/test_log.c.
 */
#include "icache.h"
#include "horizon.h"
#include "order.h"
#include <opprof/record.h>
#include <stdlib.h>

#define MOST_ROWS ((size_t) 1 << 20)

/* ---- sorting misses ---- */

struct Icache {
    const SimForms *forms;
    size_t most_rows;
    Horizon horizon;
    bool is_counted;
    uint64_t read;
    bool is_out_of_order;
    SlotPool pool; /* text: detail; name: length of the address */
    RowOrder order;
};

Icache *IcacheCreate(const SimForms *forms, size_t most_rows)
{
    Icache *icache = calloc(1, sizeof *icache);

    if (icache != NULL) {
        icache->forms = forms;
        icache->most_rows = most_rows == 0 ? MOST_ROWS : most_rows;
        SlotPoolInit(&icache->pool);
        icache->order.pool = &icache->pool;
    }
    return icache;
}

void IcacheDestroy(Icache *icache)
{
    if (icache != NULL) {
        HorizonFinish(&icache->horizon);
        SlotPoolFinish(&icache->pool);
        RowOrderFinish(&icache->order);
        free(icache);
    }
}

bool IcacheCount(Icache *icache, const char *line, size_t length)
{
    SimMiss miss;

    return !SimFormsParseMiss(icache->forms, line, length, &miss) ||
           HorizonAdd(&icache->horizon, miss.tick);
}

static uint32_t keep(Icache *icache, const SimMiss *line)
{
    const uint32_t slot =
        SlotPoolTake(&icache->pool, line->detail, line->detail + line->detail_length);

    if (slot != SLOT_NONE) {
        Slot *made = &icache->pool.slots[slot];

        made->pc = line->pc;
        made->id = OPPROF_NA_U64;
        made->start = line->tick;
        made->sequence = icache->read;
        made->name = line->address_length;
    }
    return slot;
}

/* The address as it was printed: in lower case, with leading zeros up to its length. */
static void print_address(const Slot *slot, char *address)
{
    memcpy(address, "0x", 2);
    for (uint32_t i = 2; i < slot->name; i++) {
        address[i] = "0123456789abcdef"[slot->pc >> (4 * (slot->name - 1 - i)) & 15];
    }
}

static OpprofStatus emit_one(Icache *icache, uint32_t number, const IcacheSink *sink,
                             OpprofError **error)
{
    const Slot *slot = &icache->pool.slots[number];
    char address[18];
    const IcacheMiss miss = { .tick = slot->start,
                              .pc = slot->pc,
                              .floor = icache->is_out_of_order ? 0 : slot->start,
                              .address = address,
                              .address_length = slot->name,
                              .detail = icache->pool.texts + slot->text,
                              .detail_length = slot->length };
    OpprofStatus status;

    print_address(slot, address);
    status = sink->miss(sink->context, &miss, error);
    if (status == OPPROF_OK) {
        SlotPoolGive(&icache->pool, number);
    }
    return status;
}

static OpprofStatus emit(Icache *icache, size_t count, const IcacheSink *sink, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    size_t done = 0;

    while (done < count && status == OPPROF_OK) {
        status = emit_one(icache, icache->order.rows[done].slot, sink, error);
        done += status == OPPROF_OK;
    }
    RowOrderDrop(&icache->order, done);
    return status;
}

/* Emits what no later miss can precede, and half of the rest if it is too much to hold. */
static OpprofStatus end_block(Icache *icache, const IcacheSink *sink, OpprofError **error)
{
    const uint64_t floor = HorizonFloor(&icache->horizon, icache->read);
    OpprofStatus status;
    size_t count = 0;

    RowOrderSort(&icache->order);
    while (count < icache->order.count && icache->order.rows[count].end < floor) {
        count++;
    }
    status = emit(icache, count, sink, error);
    if (status == OPPROF_OK && icache->order.count > icache->most_rows) {
        icache->is_out_of_order = true;
        status = emit(icache, icache->order.count / 2, sink, error);
    }
    return status;
}

OpprofStatus IcacheTake(Icache *icache, const char *text, size_t length, const IcacheSink *sink,
                        OpprofError **error)
{
    SimMiss line;
    uint32_t slot;

    if (!icache->is_counted) {
        HorizonClose(&icache->horizon);
        icache->is_counted = true;
    }
    if (!SimFormsParseMiss(icache->forms, text, length, &line)) {
        return OPPROF_OK;
    }
    slot = keep(icache, &line);
    icache->read++;
    if (slot == SLOT_NONE || !RowOrderAdd(&icache->order, line.tick, slot)) {
        return OpprofErrorNoMemory(error, "put cache misses into order");
    }
    return icache->read % HORIZON_BLOCK == 0 ? end_block(icache, sink, error) : OPPROF_OK;
}

OpprofStatus IcacheFlush(Icache *icache, const IcacheSink *sink, OpprofError **error)
{
    RowOrderSort(&icache->order);
    return emit(icache, icache->order.count, sink, error);
}
