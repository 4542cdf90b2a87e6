/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the registers that are live at each address. */
#include "live_registers.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

#define NOT_ISSUED INT16_MIN

/* ---- segments ---- */

/* A new segment after the last one, LIVE_NONE without memory. Free ones are empty, with their
 * memory. */
static uint16_t add_segment(LiveRegisters *live)
{
    uint16_t number = live->free;

    if (number != LIVE_NONE) {
        live->free = live->segments[number].next;
    } else {
        if (!OpprofGrow32(&live->segments, &live->segment_capacity,
                          (size_t) live->segment_count + 1, sizeof *live->segments)) {
            return LIVE_NONE;
        }
        number = (uint16_t) live->segment_count++;
        live->segments[number] = (LiveSegment){ .counts = NULL };
    }
    live->segments[number].delta = 0;
    live->segments[number].borders = 0;
    live->segments[number].next = LIVE_NONE;
    live->segments[number].previous = live->last;
    if (live->last != LIVE_NONE) {
        live->segments[live->last].next = number;
    }
    live->last = number;
    return number;
}

static bool grow_counts(LiveSegment *segment, uint32_t address)
{
    const uint32_t before = segment->capacity;

    if (!OpprofGrow32(&segment->counts, &segment->capacity, (size_t) address + 1,
                      sizeof *segment->counts)) {
        return false;
    }
    for (uint32_t i = before; i < segment->capacity; i++) {
        segment->counts[i] = NOT_ISSUED;
    }
    return true;
}

static bool grow_addresses(LiveSegment *segment)
{
    return OpprofGrow32(&segment->addresses, &segment->address_capacity,
                        (size_t) segment->address_capacity + 1, sizeof *segment->addresses);
}

/* Keep the larger count of an address. */
static bool keep(LiveSegment *segment, uint32_t address, int32_t count)
{
    if (address >= segment->capacity && !grow_counts(segment, address)) {
        return false;
    }
    if (segment->counts[address] == NOT_ISSUED) {
        if (segment->address_count == segment->address_capacity && !grow_addresses(segment)) {
            return false;
        }
        segment->addresses[segment->address_count++] = address;
        segment->counts[address] = (int16_t) count;
    } else if (segment->counts[address] < count) {
        segment->counts[address] = (int16_t) count;
    }
    return true;
}

/* Move all counts, which are lower by `offset` there. */
static bool move(LiveSegment *from, LiveSegment *to, int32_t offset)
{
    while (from->address_count > 0) {
        const uint32_t address = from->addresses[from->address_count - 1];

        if (!keep(to, address, from->counts[address] + offset)) {
            return false;
        }
        from->counts[address] = NOT_ISSUED;
        from->address_count--;
    }
    return true;
}

/* Swaps the contents of two segments. */
static void exchange(LiveSegment *a, LiveSegment *b)
{
    const LiveSegment kept = *a;

    a->counts = b->counts;
    a->addresses = b->addresses;
    a->address_count = b->address_count;
    a->address_capacity = b->address_capacity;
    a->capacity = b->capacity;
    b->counts = kept.counts;
    b->addresses = kept.addresses;
    b->address_count = kept.address_count;
    b->address_capacity = kept.address_capacity;
    b->capacity = kept.capacity;
}

/* No register's last access is at the beginning of the segment any more: it is merged with the one
 * before. */
static bool merge(LiveRegisters *live, uint16_t number)
{
    LiveSegment *segment = &live->segments[number];
    LiveSegment *before = &live->segments[segment->previous];
    const int32_t delta = segment->delta;

    if (before->address_count < segment->address_count) {
        exchange(before, segment);
        before->delta += delta;
        if (!move(segment, before, -delta)) {
            return false;
        }
    } else {
        if (!move(segment, before, delta)) {
            return false;
        }
        if (segment->next != LIVE_NONE) {
            live->segments[segment->next].delta += delta;
        } else {
            live->offset -= delta;
        }
    }
    before->next = segment->next;
    if (segment->next != LIVE_NONE) {
        live->segments[segment->next].previous = segment->previous;
    } else {
        live->last = segment->previous;
    }
    segment->next = live->free;
    live->free = number;
    return true;
}

/* ---- instructions ---- */

bool LiveRegistersInit(LiveRegisters *live)
{
    *live = (LiveRegisters){ .free = LIVE_NONE, .last = LIVE_NONE };
    memset(live->border, 0xff, sizeof live->border);
    live->first = add_segment(live);
    return live->first != LIVE_NONE;
}

void LiveRegistersFinish(LiveRegisters *live)
{
    for (uint32_t i = 0; i < live->segment_count; i++) {
        free(live->segments[i].counts);
        free(live->segments[i].addresses);
    }
    free(live->segments);
    *live = (LiveRegisters){ .segments = NULL };
}

static bool close_border(LiveRegisters *live, uint16_t border)
{
    return --live->segments[border].borders > 0 || merge(live, border);
}

static bool is_marked(const uint64_t *marks, uint8_t number)
{
    return (marks[number / 64] >> (number % 64) & 1) != 0;
}

/* The first access of a register by this instruction. */
static bool meet(LiveRegisters *live, uint8_t number, bool is_write)
{
    const uint16_t border = live->border[number];

    if (border == LIVE_NONE) {
        live->seen++;
        return true;
    }
    if (is_write) {
        live->segments[border].delta--;
        live->offset--;
    }
    return close_border(live, border);
}

bool LiveRegistersIssue(LiveRegisters *live, uint32_t address, const LiveAccess *access)
{
    uint64_t marks[OPERAND_REGISTERS / 64] = { 0 };
    uint8_t met[2 * OPERAND_MOST_REGISTERS];
    uint32_t met_count = 0;
    uint16_t after;

    for (uint32_t i = 0; i < access->read_count + access->written_count; i++) {
        const bool is_write = i >= access->read_count;
        const uint8_t number = is_write ? access->written[i - access->read_count] : access->read[i];

        if (is_marked(marks, number)) {
            continue;
        }
        marks[number / 64] |= UINT64_C(1) << (number % 64);
        met[met_count++] = number;
        if (!meet(live, number, is_write)) {
            return false;
        }
    }
    if (!keep(&live->segments[live->last], address, (int32_t) live->seen - live->offset)) {
        return false;
    }
    if (met_count == 0) {
        return true;
    }
    after = add_segment(live);
    if (after == LIVE_NONE) {
        return false;
    }
    live->segments[after].delta = -live->offset; /* the part found dead comes after it */
    live->offset = 0;
    live->segments[after].borders = met_count;
    for (uint32_t i = 0; i < met_count; i++) {
        live->border[met[i]] = after;
    }
    return true;
}

void LiveRegistersEnd(LiveRegisters *live)
{
    for (uint32_t i = 0; i < OPERAND_REGISTERS; i++) {
        if (live->border[i] != LIVE_NONE) {
            live->segments[live->border[i]].delta--;
            live->border[i] = LIVE_NONE;
        }
    }
}

int32_t LiveRegistersMost(const LiveRegisters *live, uint32_t address)
{
    int32_t offset = 0;
    int32_t most = -1;

    for (uint16_t i = live->first; i != LIVE_NONE; i = live->segments[i].next) {
        const LiveSegment *segment = &live->segments[i];

        offset += segment->delta;
        if (address < segment->capacity && segment->counts[address] != NOT_ISSUED &&
            segment->counts[address] + offset > most) {
            most = segment->counts[address] + offset;
        }
    }
    return most;
}
