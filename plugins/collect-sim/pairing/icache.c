/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds cache misses in the instruction-cache log and puts them into order. Tested by
 * tests/plugins/collect-sim/test_log.c.
 */
#include "icache.h"
#include "collect-sim/lines/charset.h"
#include "horizon.h"
#include "order.h"
#include <opprof/record.h>
#include <stdlib.h>

#define MOST_ROWS ((size_t) 1 << 20)

/* ---- the form of a line ---- */

typedef struct FormState {
    const char *at;
    const char *end;
    IcacheLine *line;
} FormState;

/* Each field moves past what it takes; false: it is not there. */
typedef bool FormField(FormState *state);

static bool take_tick(FormState *state)
{
    uint64_t tick = 0;
    const char *from = state->at;

    for (; state->at < state->end && CharsetHas(*state->at, CHARSET_DIGIT); state->at++) {
        if (__builtin_mul_overflow(tick, 10, &tick) ||
            __builtin_add_overflow(tick, (uint64_t) (*state->at - '0'), &tick)) {
            return false;
        }
    }
    state->line->tick = tick;
    return state->at > from && tick != OPPROF_NA_U64;
}

static bool take_pc(FormState *state)
{
    const char *from = state->at;
    uint64_t pc = 0;

    if (state->end - from < 3 || from[0] != '0' || from[1] != 'x') {
        return false;
    }
    for (state->at += 2; state->at < state->end && CharsetHas(*state->at, CHARSET_HEX);
         state->at++) {
        pc = pc << 4 | (uint64_t) (*state->at <= '9' ? *state->at - '0' : *state->at - 'a' + 10);
    }
    state->line->pc = pc;
    state->line->address = from;
    state->line->address_length = (uint32_t) (state->at - from);
    return state->line->address_length > 2 && state->line->address_length <= 18;
}

static bool take_hex8(FormState *state)
{
    for (unsigned i = 0; i < 8; i++, state->at++) {
        if (state->at == state->end ||
            !(CharsetHas(*state->at, CHARSET_HEX) || (*state->at >= 'A' && *state->at <= 'F'))) {
            return false;
        }
    }
    return true;
}

static bool take_digits(FormState *state)
{
    for (unsigned i = 0; i < 3 && state->at < state->end && CharsetHas(*state->at, CHARSET_DIGIT);
         i++) {
        state->at++;
    }
    return true;
}

static bool take_detail(FormState *state)
{
    state->line->detail = state->at;
    state->line->detail_length = (uint32_t) (state->end - state->at);
    return true;
}

typedef struct FormName {
    const char *text;
    FormField *take;
} FormName;

static const FormName form_names[] = {
    { "<tick>", take_tick },     { "<pc>", take_pc },         { "<hex8>", take_hex8 },
    { "<digits>", take_digits }, { "<detail>", take_detail },
};

static const FormName *find_field(const char *at)
{
    for (size_t i = 0; i < sizeof form_names / sizeof form_names[0]; i++) {
        if (strncmp(at, form_names[i].text, strlen(form_names[i].text)) == 0) {
            return &form_names[i];
        }
    }
    return NULL;
}

static bool has_once(const char *form, const char *field)
{
    const char *first = strstr(form, field);

    return first != NULL && strstr(first + 1, field) == NULL;
}

bool IcacheFormIsGood(const char *form)
{
    for (const char *at = strchr(form, '<'); at != NULL; at = strchr(at + 1, '<')) {
        if (find_field(at) == NULL) {
            return false;
        }
    }
    return has_once(form, "<tick>") && has_once(form, "<pc>") && has_once(form, "<detail>");
}

bool IcacheLineParse(const char *form, const char *line, size_t length, IcacheLine *ret_line)
{
    FormState state = { .at = line, .end = line + length, .line = ret_line };

    if (length >= 7 && memcmp(line, "[info] ", 7) == 0) {
        state.at += 7;
    }
    while (*form != '\0') {
        const FormName *field = *form == '<' ? find_field(form) : NULL;

        if (field != NULL) {
            if (!field->take(&state)) {
                return false;
            }
            form += strlen(field->text);
        } else if (state.at < state.end && *state.at == *form) {
            state.at++;
            form++;
        } else {
            return false;
        }
    }
    return state.at == state.end;
}

/* ---- putting misses into order ---- */

struct Icache {
    const char *form;
    size_t most_rows;
    Horizon horizon;
    bool is_counted;
    uint64_t read;
    bool is_out_of_order;
    SlotPool pool; /* text: detail; name: length of the address */
    RowOrder order;
};

Icache *IcacheCreate(const char *form, size_t most_rows)
{
    Icache *icache = calloc(1, sizeof *icache);

    if (icache != NULL) {
        icache->form = form;
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
    IcacheLine miss;

    return !IcacheLineParse(icache->form, line, length, &miss) ||
           HorizonAdd(&icache->horizon, miss.tick);
}

static uint32_t keep(Icache *icache, const IcacheLine *line)
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

/* The address as it was printed: its digits are lower-case, its leading zeros show in its length.
 */
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

/* Emit what no later miss can come before, and half of the rest if it is too much to hold. */
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
    IcacheLine line;
    uint32_t slot;

    if (!icache->is_counted) {
        HorizonClose(&icache->horizon);
        icache->is_counted = true;
    }
    if (!IcacheLineParse(icache->form, text, length, &line)) {
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
