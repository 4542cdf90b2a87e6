/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the bytes of requests up to curves of bandwidth. */
#include "bandwidth.h"
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

const char *const bandwidth_curves[BANDWIDTH_CURVES] = { "GM_TO_UB", "GM_TO_L1", "GM_TO_TOTAL",
                                                         "UB_TO_GM", "L1_TO_GM", "TOTAL_TO_GM" };

/* What an instruction or a request is found by: core and instruction, or its instruction's node and
 * id. */
typedef struct Key {
    uint64_t id;
    uint32_t owner;
} Key;

/* Nodes in a hash table: chains through `next`, which also ties free nodes. */
typedef struct Node {
    Key key;
    uint32_t next;
} Node;

typedef struct Instruction {
    Node node;
    uint8_t curve;     /* BandwidthCurve; told by a unit other than B */
    bool is_write;     /* the global memory was written, as its first event tells */
    uint32_t requests; /* first one */
    uint32_t older;    /* instructions by when they were touched last */
    uint32_t newer;
} Instruction;

typedef struct Request {
    Node node;
    uint32_t sibling; /* of the same instruction */
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
    uint32_t *heads; /* of chains; as many as there is capacity */
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
    uint64_t let_go;
};

/* ---- tables ---- */

static Node *node_at(const Table *table, uint32_t number)
{
    return (Node *) (void *) (table->nodes + (size_t) number * table->node_size);
}

static uint32_t chain_of(const Table *table, const Key *key)
{
    uint64_t hash =
        (key->id + (uint64_t) key->owner * UINT64_C(0x632be59bd9b4e019)) ^ key->id >> 29;

    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t) (hash >> 32) & (table->capacity - 1);
}

static uint32_t table_find(const Table *table, const Key *key)
{
    uint32_t number = table->capacity == 0 ? NONE : table->heads[chain_of(table, key)];

    while (number != NONE) {
        const Node *node = node_at(table, number);

        if (node->key.id == key->id && node->key.owner == key->owner) {
            break;
        }
        number = node->next;
    }
    return number;
}

static void link_node(Table *table, uint32_t number)
{
    Node *node = node_at(table, number);
    uint32_t *head = &table->heads[chain_of(table, &node->key)];

    node->next = *head;
    *head = number;
}

/* Only when all nodes are in use, so all are linked anew. */
static bool table_grow(Table *table)
{
    const uint32_t capacity = table->capacity == 0 ? 1024 : table->capacity * 2;
    char *nodes = reallocarray(table->nodes, capacity, table->node_size);
    uint32_t *heads;

    if (nodes == NULL) {
        return false;
    }
    table->nodes = nodes;
    heads = reallocarray(table->heads, capacity, sizeof *heads);
    if (heads == NULL) {
        return false;
    }
    table->heads = heads;
    table->capacity = capacity;
    memset(heads, 0xff, (size_t) capacity * sizeof *heads);
    for (uint32_t i = 0; i < table->made; i++) {
        link_node(table, i);
    }
    return true;
}

/* A new node, zeroed but for its key; NONE without memory. */
static uint32_t table_add(Table *table, const Key *key)
{
    uint32_t number = table->free;

    if (number != NONE) {
        table->free = node_at(table, number)->next;
    } else {
        if (table->made == table->capacity && !table_grow(table)) {
            return NONE;
        }
        number = table->made++;
    }
    memset(node_at(table, number), 0, table->node_size);
    node_at(table, number)->key = *key;
    link_node(table, number);
    table->used++;
    return number;
}

static void table_remove(Table *table, uint32_t number)
{
    Node *node = node_at(table, number);
    uint32_t *link = &table->heads[chain_of(table, &node->key)];

    while (*link != number) {
        link = &node_at(table, *link)->next;
    }
    *link = node->next;
    node->next = table->free;
    table->free = number;
    table->used--;
}

static void table_finish(Table *table)
{
    free(table->nodes);
    free(table->heads);
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

static bool add_bytes(Bandwidth *bandwidth, const Instruction *instruction, const Request *request)
{
    const Key key = { .id = request->time_ns / 1000 };
    BandwidthCurve curve = (BandwidthCurve) instruction->curve;
    uint32_t number;
    Bin *bin;

    if (key.id > BANDWIDTH_LAST_BIN) {
        bandwidth->too_late++;
        return true;
    }
    if (curve == BANDWIDTH_UNKNOWN) {
        curve = instruction->is_write ? TOTAL_TO_GM : GM_TO_TOTAL;
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

/* The requests of an instruction are done. */
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

/* The instruction of an event, made if it is new; NONE without memory. It is the newest then. */
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

/* A request more fits; what is closed first is what was touched longest ago. */
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
    if (instruction->requests == NONE) {
        instruction->is_write = event->is_write;
    }
    request->sibling = instruction->requests;
    request->time_ns = event->time_ns;
    request->size = event->size == OPPROF_NA_U64 ? 0 : event->size;
    instruction->requests = number;
    return true;
}

static bool take_request(Bandwidth *bandwidth, uint32_t owner, const BandwidthEvent *event)
{
    const Key key = { .id = event->request, .owner = owner };
    const uint32_t number = table_find(&bandwidth->requests, &key);
    Request *request;

    if (number == NONE) {
        return add_request(bandwidth, owner, &key, event);
    }
    request = request_at(bandwidth, number);
    if (request->size == 0 && event->size != OPPROF_NA_U64) {
        request->size = event->size;
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

uint64_t BandwidthLetGo(const Bandwidth *bandwidth)
{
    return bandwidth->let_go;
}
