/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_chart.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 65536u
#define CORES_A_BLOCK 3u /* vector 0, vector 1, cube */
#define CUBE 2u

/* Where the members of a record are. */
enum { AT_SOURCE_BYTES = 16, AT_SLOT = 48, AT_SUB_BLOCK = 50, AT_SOURCE = 52, AT_TARGET = 53 };

static const char *const memories[MEMORY_CHART_KINDS] = { "L1", "L0A", "L0B", "L0C",    "UB",
                                                          "BT", "GM",  "REG", "PRIVATE" };

static uint32_t memory_of(const char *name, size_t length)
{
    uint32_t i = 0;

    while (i < MEMORY_CHART_KINDS &&
           (strlen(memories[i]) != length || memcmp(memories[i], name, length) != 0)) {
        i++;
    }
    return i;
}

/* "GM>L0A". */
static bool add_route(MemoryChart *chart, const char *route, uint32_t path)
{
    const char *arrow = route != NULL ? strchr(route, '>') : NULL;

    if (arrow == NULL) {
        return false;
    }
    const uint32_t from = memory_of(route, (size_t) (arrow - route));
    const uint32_t to = memory_of(arrow + 1, strlen(arrow + 1));
    if (from == MEMORY_CHART_KINDS || to == MEMORY_CHART_KINDS) {
        return false;
    }
    chart->routes[from][to] |= UINT64_C(1) << path;
    return true;
}

static OpprofStatus add_path(MemoryChart *chart, const OpprofChip *chip, const char *name,
                             const OpprofFact *fact, OpprofError **error)
{
    const OpprofFact *routes = OpprofFactMember(fact, "routes");
    double unit = 0;

    if (chart->path_count == MEMORY_CHART_MAX_PATHS ||
        !OpprofFactNumber(OpprofFactMember(fact, "bytes"), &unit) || unit < 1 || unit > 1 << 20) {
        return OpprofErrorSet(
            error, OPPROF_E_DATA,
            "chip '%s' at 'pmu.moves.%s': there are more than %u paths, or 'bytes' is no size",
            OpprofChipSoc(chip), name, MEMORY_CHART_MAX_PATHS);
    }
    for (size_t i = 0; i < OpprofFactCount(routes); i++) {
        if (!add_route(chart, OpprofFactText(OpprofFactAt(routes, i)), chart->path_count)) {
            return OpprofErrorSet(
                error, OPPROF_E_DATA,
                "chip '%s' at 'pmu.moves.%s': a route is two memories such as \"GM>L1\"",
                OpprofChipSoc(chip), name);
        }
    }
    chart->paths[chart->path_count++] = (MovePath){
        .name = name,
        .unit = (uint32_t) unit,
        .is_credited = OpprofFactBool(OpprofFactMember(fact, "credited_to_vector"), false),
    };
    return OPPROF_OK;
}

OpprofStatus MemoryChartInit(MemoryChart *chart, const OpprofChip *chip, OpprofError **error)
{
    const OpprofFact *moves = OpprofChipFact(chip, "pmu.moves");
    const char *by = OpprofChipText(chip, "pmu.moves_by");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;
    OpprofStatus status = OPPROF_OK;

    *chart = (MemoryChart){ .by_core = by != NULL && strcmp(by, "core") == 0 };
    while (status == OPPROF_OK && OpprofFactGetKind(moves) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(moves, &walk, &name, &fact)) {
        status = add_path(chart, chip, name, fact, error);
    }
    return status;
}

void MemoryChartFinish(MemoryChart *chart)
{
    free(chart->sums);
    free(chart->index);
    chart->sums = NULL;
    chart->index = NULL;
    chart->sum_count = 0;
}

/* NULL without memory. */
static MoveSums *sums_of(MemoryChart *chart, uint32_t slot)
{
    if (chart->index == NULL) {
        chart->index = calloc(SLOTS, sizeof *chart->index);
    }
    if (chart->index == NULL) {
        return NULL;
    }
    if (chart->index[slot] == 0) {
        const uint32_t count = chart->sum_count;
        MoveSums *grown = chart->sums;
        if (count == 0 || (count >= 16 && (count & (count - 1)) == 0)) {
            grown = reallocarray(chart->sums, count == 0 ? 16 : (size_t) count * 2, sizeof *grown);
        }
        if (grown == NULL) {
            return NULL;
        }
        chart->sums = grown;
        chart->sums[count] =
            (MoveSums){ .block = chart->by_core ? slot / CORES_A_BLOCK : slot,
                        .core = chart->by_core ? slot % CORES_A_BLOCK : OPPROF_NA_U32 };
        chart->index[slot] = ++chart->sum_count;
    }
    return &chart->sums[chart->index[slot] - 1];
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX - 1 : sum;
}

static bool add_move(MemoryChart *chart, uint32_t slot, uint32_t path, uint64_t bytes)
{
    const uint32_t unit = chart->paths[path].unit;
    MoveSums *sums = sums_of(chart, slot);

    if (sums == NULL) {
        return false;
    }
    sums->is_there[path] = true;
    sums->bytes[path] = add_saturating(sums->bytes[path], bytes);
    sums->requests[path] = add_saturating(sums->requests[path], bytes / unit + (bytes % unit != 0));
    return true;
}

static uint32_t load_u16(const unsigned char *at)
{
    return (uint32_t) at[0] | (uint32_t) at[1] << 8;
}

static bool take_record(MemoryChart *chart, const unsigned char *record)
{
    const uint32_t slot = load_u16(record + AT_SLOT);
    const uint32_t from = record[AT_SOURCE];
    const uint32_t to = record[AT_TARGET];
    uint64_t bytes;

    if (from >= MEMORY_CHART_KINDS || to >= MEMORY_CHART_KINDS) {
        chart->odd++;
        return true;
    }
    memcpy(&bytes, record + AT_SOURCE_BYTES, sizeof bytes);
    bytes = le64toh(bytes);
    for (uint32_t path = 0; path < chart->path_count; path++) {
        if ((chart->routes[from][to] >> path & 1) == 0) {
            continue;
        }
        if (!add_move(chart, slot, path, bytes)) {
            return false;
        }
        const uint32_t sub_block = load_u16(record + AT_SUB_BLOCK);
        if (chart->paths[path].is_credited && chart->by_core && slot % CORES_A_BLOCK == CUBE &&
            sub_block < CUBE && !add_move(chart, slot - CUBE + sub_block, path, bytes)) {
            return false;
        }
    }
    return true;
}

bool MemoryChartRecords(MemoryChart *chart, const unsigned char *records, size_t count)
{
    chart->records += count;
    for (size_t i = 0; i < count; i++) {
        if (!take_record(chart, records + i * MEMORY_CHART_RECORD)) {
            return false;
        }
    }
    return true;
}

bool MemoryChartBlock(MemoryChart *chart, uint32_t block)
{
    if (chart->by_core || block >= SLOTS) {
        return true;
    }
    MoveSums *sums = sums_of(chart, block);
    for (uint32_t path = 0; sums != NULL && path < chart->path_count; path++) {
        sums->is_there[path] = true;
    }
    return sums != NULL;
}
