/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up what each core moved. Tested by tests/plugins/parse-dbi/test_slots. */
#include "moves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_UNIT (1u << 20)
#define MAX_PLACE 256

/* Number of the memory whose name has this length. */
static uint8_t memory_of(const DbiTables *tables, const char *name, size_t length)
{
    for (uint32_t i = 0; i < tables->memory_count; i++) {
        if (strlen(tables->memories[i]) == length &&
            memcmp(tables->memories[i], name, length) == 0) {
            return (uint8_t) i;
        }
    }
    return DBI_NO_MEMORY;
}

/* "GM>L0A". */
static bool add_route(const DbiTables *tables, MovePaths *paths, const char *route)
{
    const char *arrow = route != NULL ? strchr(route, '>') : NULL;

    if (arrow == NULL) {
        return false;
    }
    const uint8_t from = memory_of(tables, route, (size_t) (arrow - route));
    const uint8_t to = memory_of(tables, arrow + 1, strlen(arrow + 1));
    if (from == DBI_NO_MEMORY || to == DBI_NO_MEMORY) {
        return false;
    }
    paths->routes[from][to] |= UINT64_C(1) << paths->count;
    return true;
}

/* NULL, or the fault. */
static const char *add_path(const DbiTables *tables, MovePaths *paths, const char *name,
                            const OpprofFact *fact)
{
    const OpprofFact *routes = OpprofFactMember(fact, "routes");
    double unit = 0;

    if (paths->count == MOVES_MAX_PATHS) {
        return "there are more than 32 paths";
    }
    if (!OpprofFactNumber(OpprofFactMember(fact, "bytes"), &unit) || !(unit >= 1) ||
        unit > MAX_UNIT) {
        return "'bytes' is not the size of a request";
    }
    for (size_t i = 0; i < OpprofFactCount(routes); i++) {
        if (!add_route(tables, paths, OpprofFactText(OpprofFactAt(routes, i)))) {
            return "a route is two memories such as \"GM>L1\"";
        }
    }
    paths->list[paths->count++] = (MovePath){
        .name = name,
        .unit = (uint32_t) unit,
        .is_credited = OpprofFactBool(OpprofFactMember(fact, "credited_to_vector"), false),
    };
    return NULL;
}

OpprofStatus MovePathsLoad(const OpprofChip *chip, const DbiTables *tables, MovePaths *paths,
                           OpprofError **error)
{
    const OpprofFact *moves = OpprofChipFact(chip, "pmu.moves");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;

    *paths = (MovePaths){ .memories = tables->memory_count, .cores = tables->cores };
    while (OpprofFactGetKind(moves) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(moves, &walk, &name, &fact)) {
        const char *why = add_path(tables, paths, name, fact);
        if (why != NULL) {
            char place[MAX_PLACE];

            snprintf(place, sizeof place, "pmu.moves.%s", name);
            return OpprofChipRefuse(chip, place, error, "%s", why);
        }
    }
    return OPPROF_OK;
}

bool MovesInit(Moves *moves, const MovePaths *paths, uint32_t slots)
{
    *moves = (Moves){ .paths = paths, .slots = slots, .memories = paths->memories };
    moves->sums = calloc(slots, sizeof *moves->sums);
    moves->totals =
        calloc((size_t) slots * paths->memories * paths->memories + 1, sizeof *moves->totals);
    return moves->sums != NULL && moves->totals != NULL;
}

void MovesFinish(Moves *moves)
{
    free(moves->sums);
    free(moves->totals);
    moves->sums = NULL;
    moves->totals = NULL;
}

MoveTotal *MovesTotal(const Moves *moves, uint32_t slot, uint32_t from, uint32_t to)
{
    return &moves->totals[((size_t) slot * moves->memories + from) * moves->memories + to];
}

/* UINT64_MAX would mean "absent". */
static void add(uint64_t *sum, uint64_t value, uint64_t times)
{
    uint64_t product;
    uint64_t total;

    if (__builtin_mul_overflow(value, times, &product) ||
        __builtin_add_overflow(*sum, product, &total) || total == UINT64_MAX) {
        total = UINT64_MAX - 1;
    }
    *sum = total;
}

static void add_path_run(Moves *moves, uint32_t slot, uint32_t path, const DbiRun *run)
{
    MoveSums *sums = &moves->sums[slot];
    const uint32_t unit = moves->paths->list[path].unit;

    sums->is_there |= UINT64_C(1) << path;
    add(&sums->bytes[path], run->src_bytes, run->count);
    add(&sums->requests[path], run->src_bytes / unit + (run->src_bytes % unit != 0), run->count);
}

void MovesAdd(Moves *moves, uint32_t slot, uint64_t sub_block, const DbiRun *run)
{
    MoveTotal *total = MovesTotal(moves, slot, run->from, run->to);
    uint64_t paths = moves->paths->routes[run->from][run->to];
    const OpprofBlockCores *cores = &moves->paths->cores;

    add(&total->accesses, 1, run->count);
    add(&total->src_bytes, run->src_bytes, run->count);
    add(&total->dst_bytes, run->dst_bytes, run->count);
    for (; paths != 0; paths &= paths - 1) {
        const uint32_t path = (uint32_t) __builtin_ctzll(paths);
        add_path_run(moves, slot, path, run);
        if (moves->paths->list[path].is_credited && OpprofBlockCoresIsCube(cores, slot) &&
            sub_block < cores->vectors) {
            add_path_run(moves, slot - slot % OpprofBlockCoresCount(cores) + (uint32_t) sub_block,
                         path, run);
        }
    }
}
