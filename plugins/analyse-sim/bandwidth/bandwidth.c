/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the bytes of requests up to curves of bandwidth. Tested by
 * tests/plugins/analyse-sim/bandwidth/test_bandwidth.c. */
#include "bandwidth.h"
#include <opprof/grow.h>
#include <opprof/map.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define NONE OPPROF_MAP_NONE

const char *const bandwidth_curves[BANDWIDTH_CURVES] = { "GM_TO_UB", "GM_TO_L1", "GM_TO_TOTAL",
                                                         "UB_TO_GM", "L1_TO_GM", "TOTAL_TO_GM" };

/* Key of an instruction or a request: core and instruction, or the instruction's node with the kind
 * of the request, and request id. */
typedef struct Key {
    uint64_t id;
    uint32_t owner;
} Key;

/* Nodes with the same hash are chained through `next`, which also ties free nodes. */
typedef struct Node {
    Key key;
    uint32_t next;
} Node;

typedef struct Instruction {
    Node node;
    uint8_t curve;     /* BandwidthCurve; known from a unit other than B */
    bool has_kind[2];  /* the global memory was read, and written, by requests */
    uint32_t requests; /* first one */
    uint32_t older;    /* instructions, least recently touched first */
    uint32_t newer;
} Instruction;

typedef struct Request {
    Node node;
    uint32_t sibling; /* of the same instruction */
    bool has_size;
    bool is_write; /* of the global memory, according to its first event */
    uint64_t time_ns;
    uint64_t size;
} Request;

typedef struct Bin {
    Node node;
    uint64_t bytes[BANDWIDTH_CURVES];
} Bin;

/* Nodes of one kind, which all begin with a Node. */
typedef struct Table {
    char *nodes;
    size_t node_size;
    uint32_t made;
    uint32_t used;
    uint32_t capacity;
    uint32_t free;
    OpprofMap heads; /* hash of a key to the first node of its chain */
} Table;

struct Bandwidth {
    Table instructions;
    Table requests;
    Table bins;
    uint32_t oldest;
    uint32_t newest;
    uint32_t open_max;
    BandwidthBin *sorted;
    uint64_t too_late;
    uint64_t unsized;
    uint64_t let_go;
};

/* ---- tables ---- */

static Node *node_at(const Table *table, uint32_t number)
{
    return (Node *) (void *) (table->nodes + (size_t) number * table->node_size);
}

static uint64_t hash_of(const Key *key)
{
    return key->id + (uint64_t) key->owner * UINT64_C(0x632be59bd9b4e019);
}

static uint32_t table_find(const Table *table, const Key *key)
{
    uint32_t number = OpprofMapFind(&table->heads, hash_of(key));

    while (number != NONE) {
        const Node *node = node_at(table, number);

        if (node->key.id == key->id && node->key.owner == key->owner) {
            break;
        }
        number = node->next;
    }
    return number;
}

/* An unused node; NONE without memory. */
static uint32_t take_node(Table *table)
{
    const uint32_t number = table->free;

    if (number != NONE) {
        table->free = node_at(table, number)->next;
        return number;
    }
    if (!OpprofGrow32(&table->nodes, &table->capacity, (size_t) table->made + 1,
                      table->node_size)) {
        return NONE;
    }
    return table->made++;
}

/* A new node, zeroed except for its key; NONE without memory. */
static uint32_t table_add(Table *table, const Key *key)
{
    const uint64_t hash = hash_of(key);
    const uint32_t head = OpprofMapFind(&table->heads, hash);
    const uint32_t number = take_node(table);

    if (number == NONE || !OpprofMapPut(&table->heads, hash, number)) {
        return NONE;
    }
    memset(node_at(table, number), 0, table->node_size);
    node_at(table, number)->key = *key;
    node_at(table, number)->next = head;
    table->used++;
    return number;
}

static void unlink_node(Table *table, uint32_t number)
{
    const Node *node = node_at(table, number);
    const uint64_t hash = hash_of(&node->key);
    uint32_t at = OpprofMapFind(&table->heads, hash);

    if (at != number) {
        while (node_at(table, at)->next != number) {
            at = node_at(table, at)->next;
        }
        node_at(table, at)->next = node->next;
    } else if (node->next == NONE) {
        OpprofMapRemove(&table->heads, hash);
    } else {
        OpprofMapPut(&table->heads, hash, node->next); /* has its place already */
    }
}

static void table_remove(Table *table, uint32_t number)
{
    unlink_node(table, number);
    node_at(table, number)->next = table->free;
    table->free = number;
    table->used--;
}

static void table_finish(Table *table)
{
    free(table->nodes);
    OpprofMapFinish(&table->heads);
}

static Instruction *instruction_at(const Bandwidth *bandwidth, uint32_t number)
{
    return (Instruction *) (void *) node_at(&bandwidth->instructions, number);
}

static Request *request_at(const Bandwidth *bandwidth, uint32_t number)
{
    return (Request *) (void *) node_at(&bandwidth->requests, number);
}

/* ---- bins ---- */

uint64_t BandwidthNanoseconds(uint64_t tick, uint64_t hz)
{
    const unsigned __int128 ns = ((unsigned __int128) tick * 1000000000u + hz / 2) / hz;

    return ns > UINT64_MAX ? UINT64_MAX : (uint64_t) ns;
}

double BandwidthRate(uint64_t bytes)
{
    return (double) bytes * (1e6 / 1048576);
}

/* The other unit shows where an instruction's bytes go; if it has requests of both kinds, each goes
 * its own way. */
static BandwidthCurve curve_of_request(const Instruction *instruction, const Request *request)
{
    static const BandwidthCurve curves[][2] = { [GM_TO_UB] = { GM_TO_UB, UB_TO_GM },
                                                [GM_TO_L1] = { GM_TO_L1, L1_TO_GM },
                                                [GM_TO_TOTAL] = { GM_TO_TOTAL, TOTAL_TO_GM },
                                                [UB_TO_GM] = { GM_TO_UB, UB_TO_GM },
                                                [L1_TO_GM] = { GM_TO_L1, L1_TO_GM },
                                                [TOTAL_TO_GM] = { GM_TO_TOTAL, TOTAL_TO_GM },
                                                [BANDWIDTH_UNKNOWN] = { GM_TO_TOTAL,
                                                                        TOTAL_TO_GM } };
    const bool is_known = instruction->curve != BANDWIDTH_UNKNOWN;
    const bool has_both = instruction->has_kind[false] && instruction->has_kind[true];

    return is_known && !has_both ? (BandwidthCurve) instruction->curve
                                 : curves[instruction->curve][request->is_write];
}

static bool add_bytes(Bandwidth *bandwidth, const Instruction *instruction, const Request *request)
{
    const Key key = { .id = request->time_ns / 1000 };
    const BandwidthCurve curve = curve_of_request(instruction, request);
    uint32_t number;
    Bin *bin;

    bandwidth->unsized += !request->has_size;
    if (key.id > BANDWIDTH_LAST_BIN) {
        bandwidth->too_late++;
        return true;
    }
    number = table_find(&bandwidth->bins, &key);
    if (number == NONE) {
        number = table_add(&bandwidth->bins, &key);
    }
    if (number == NONE) {
        return false;
    }
    bin = (Bin *) (void *) node_at(&bandwidth->bins, number);
    bin->bytes[curve] += request->size;
    if (curve == GM_TO_UB || curve == GM_TO_L1) {
        bin->bytes[GM_TO_TOTAL] += request->size;
    } else if (curve == UB_TO_GM || curve == L1_TO_GM) {
        bin->bytes[TOTAL_TO_GM] += request->size;
    }
    return true;
}

/* ---- instructions and requests ---- */

static void unlink_age(Bandwidth *bandwidth, const Instruction *instruction)
{
    if (instruction->older != NONE) {
        instruction_at(bandwidth, instruction->older)->newer = instruction->newer;
    } else {
        bandwidth->oldest = instruction->newer;
    }
    if (instruction->newer != NONE) {
        instruction_at(bandwidth, instruction->newer)->older = instruction->older;
    } else {
        bandwidth->newest = instruction->older;
    }
}

static void link_newest(Bandwidth *bandwidth, uint32_t number)
{
    Instruction *instruction = instruction_at(bandwidth, number);

    instruction->older = bandwidth->newest;
    instruction->newer = NONE;
    if (bandwidth->newest != NONE) {
        instruction_at(bandwidth, bandwidth->newest)->newer = number;
    } else {
        bandwidth->oldest = number;
    }
    bandwidth->newest = number;
}

/* All requests of an instruction are done. */
static bool close_requests(Bandwidth *bandwidth, Instruction *instruction)
{
    while (instruction->requests != NONE) {
        const uint32_t number = instruction->requests;
        Request *request = request_at(bandwidth, number);

        if (!add_bytes(bandwidth, instruction, request)) {
            return false;
        }
        instruction->requests = request->sibling;
        table_remove(&bandwidth->requests, number);
    }
    return true;
}

static bool close_oldest(Bandwidth *bandwidth)
{
    const uint32_t number = bandwidth->oldest;
    Instruction *instruction = instruction_at(bandwidth, number);

    if (!close_requests(bandwidth, instruction)) {
        return false;
    }
    unlink_age(bandwidth, instruction);
    table_remove(&bandwidth->instructions, number);
    return true;
}

/* The instruction of an event, made if it is new; NONE without memory. It becomes the most recent
 * one. */
static uint32_t touch_instruction(Bandwidth *bandwidth, const BandwidthEvent *event)
{
    const Key key = { .id = event->instruction, .owner = event->core };
    uint32_t number = table_find(&bandwidth->instructions, &key);
    Instruction *instruction;

    if (number != NONE) {
        unlink_age(bandwidth, instruction_at(bandwidth, number));
        link_newest(bandwidth, number);
        return number;
    }
    if (bandwidth->instructions.used >= bandwidth->open_max) {
        bandwidth->let_go++;
        if (!close_oldest(bandwidth)) {
            return NONE;
        }
    }
    number = table_add(&bandwidth->instructions, &key);
    if (number == NONE) {
        return NONE;
    }
    instruction = instruction_at(bandwidth, number);
    instruction->curve = BANDWIDTH_UNKNOWN;
    instruction->requests = NONE;
    link_newest(bandwidth, number);
    return number;
}

/* Makes room for one more request; the instruction touched longest ago is closed first. */
static bool make_room(Bandwidth *bandwidth, uint32_t instruction)
{
    while (bandwidth->requests.used >= bandwidth->open_max) {
        bandwidth->let_go++;
        if (!(bandwidth->oldest == instruction
                  ? close_requests(bandwidth, instruction_at(bandwidth, instruction))
                  : close_oldest(bandwidth))) {
            return false;
        }
    }
    return true;
}

static bool add_request(Bandwidth *bandwidth, uint32_t owner, const Key *key,
                        const BandwidthEvent *event)
{
    Instruction *instruction;
    Request *request;
    uint32_t number;

    if (!make_room(bandwidth, owner)) {
        return false;
    }
    number = table_add(&bandwidth->requests, key);
    if (number == NONE) {
        return false;
    }
    instruction = instruction_at(bandwidth, owner);
    request = request_at(bandwidth, number);
    instruction->has_kind[event->is_write] = true;
    request->is_write = event->is_write;
    request->sibling = instruction->requests;
    request->time_ns = event->time_ns;
    request->has_size = event->size != OPPROF_NA_U64;
    request->size = request->has_size ? event->size : 0;
    instruction->requests = number;
    return true;
}

static bool take_request(Bandwidth *bandwidth, uint32_t owner, const BandwidthEvent *event)
{
    const Key key = { .id = event->request, .owner = owner << 1 | event->is_write };
    const uint32_t number = table_find(&bandwidth->requests, &key);
    Request *request;

    if (number == NONE) {
        return add_request(bandwidth, owner, &key, event);
    }
    request = request_at(bandwidth, number);
    if (request->size == 0 && event->size != OPPROF_NA_U64) {
        request->size = event->size;
        request->has_size = true;
    }
    if (event->time_ns > request->time_ns) {
        request->time_ns = event->time_ns;
    }
    return true;
}

static BandwidthCurve curve_of(const BandwidthEvent *event)
{
    if (strcmp(event->unit, "L1") == 0) {
        return event->is_write ? GM_TO_L1 : L1_TO_GM;
    }
    if (strncmp(event->unit, "UB", 2) == 0) {
        return event->is_write ? GM_TO_UB : UB_TO_GM;
    }
    return event->is_write ? GM_TO_TOTAL : TOTAL_TO_GM;
}

bool BandwidthAdd(Bandwidth *bandwidth, const BandwidthEvent *event)
{
    const bool is_memory = strcmp(event->unit, "B") == 0;
    Instruction *instruction;
    uint32_t number;

    if (is_memory && event->request == OPPROF_NA_U64) {
        return true;
    }
    number = touch_instruction(bandwidth, event);
    if (number == NONE) {
        return false;
    }
    if (is_memory) {
        return take_request(bandwidth, number, event);
    }
    instruction = instruction_at(bandwidth, number);
    if (instruction->curve == BANDWIDTH_UNKNOWN) {
        instruction->curve = (uint8_t) curve_of(event);
    }
    return true;
}

/* ---- life and results ---- */

Bandwidth *BandwidthCreate(uint32_t open_max)
{
    Bandwidth *bandwidth = calloc(1, sizeof *bandwidth);

    if (bandwidth == NULL) {
        return NULL;
    }
    bandwidth->open_max = open_max == 0 ? BANDWIDTH_OPEN_MAX : open_max;
    bandwidth->instructions = (Table){ .node_size = sizeof(Instruction), .free = NONE };
    bandwidth->requests = (Table){ .node_size = sizeof(Request), .free = NONE };
    bandwidth->bins = (Table){ .node_size = sizeof(Bin), .free = NONE };
    bandwidth->oldest = bandwidth->newest = NONE;
    return bandwidth;
}

void BandwidthDestroy(Bandwidth *bandwidth)
{
    if (bandwidth == NULL) {
        return;
    }
    table_finish(&bandwidth->instructions);
    table_finish(&bandwidth->requests);
    table_finish(&bandwidth->bins);
    free(bandwidth->sorted);
    free(bandwidth);
}

static int compare_bins(const void *left, const void *right)
{
    const BandwidthBin *a = left;
    const BandwidthBin *b = right;

    return a->bin < b->bin ? -1 : a->bin > b->bin;
}

bool BandwidthEnd(Bandwidth *bandwidth)
{
    while (bandwidth->oldest != NONE) {
        if (!close_oldest(bandwidth)) {
            return false;
        }
    }
    bandwidth->sorted = calloc((size_t) bandwidth->bins.made + 1, sizeof *bandwidth->sorted);
    if (bandwidth->sorted == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < bandwidth->bins.made; i++) {
        const Bin *bin = (const Bin *) (const void *) node_at(&bandwidth->bins, i);

        bandwidth->sorted[i].bin = bin->node.key.id;
        memcpy(bandwidth->sorted[i].bytes, bin->bytes, sizeof bin->bytes);
    }
    qsort(bandwidth->sorted, bandwidth->bins.made, sizeof *bandwidth->sorted, compare_bins);
    return true;
}

const BandwidthBin *BandwidthBins(const Bandwidth *bandwidth, size_t *ret_count)
{
    *ret_count = bandwidth->bins.made;
    return bandwidth->sorted;
}

uint64_t BandwidthTooLate(const Bandwidth *bandwidth)
{
    return bandwidth->too_late;
}

uint64_t BandwidthUnsized(const Bandwidth *bandwidth)
{
    return bandwidth->unsized;
}

uint64_t BandwidthLetGo(const Bandwidth *bandwidth)
{
    return bandwidth->let_go;
}
