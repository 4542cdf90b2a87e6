/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast collectives move their data, by size. Tested by
 * tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/collectives/collective_sizes.h"

#include <math.h>
#include <opprof/present.h>
#include <string.h>

static const struct {
    uint64_t most; /* bytes */
    const char *name;
} classes[COLLECTIVE_SIZES] = { { UINT64_C(64) << 10, "up to 64 KiB" },
                                { UINT64_C(1) << 20, "up to 1 MiB" },
                                { UINT64_C(16) << 20, "up to 16 MiB" },
                                { UINT64_C(256) << 20, "up to 256 MiB" },
                                { UINT64_MAX, "larger" } };

typedef struct SizeRow {
    uint32_t group;
    uint32_t name;
    uint32_t size;
    uint32_t reserved;
    uint64_t count;
    uint64_t alone;
    uint64_t ranks;
    double bytes;
    double total_us;
    double transfer_us;
    double bandwidth;
    double bus_bandwidth;
} SizeRow;

#define SIZE_KEY(member, head, text, why)                                                          \
    OPPROF_FIELD(SizeRow, member, OPPROF_FIELD_STRING, .heading = (head),                          \
                 .flags = OPPROF_FIELD_KEY, .meaning = (text), .absent = (why))
#define SIZE_COUNT(member, head, text)                                                             \
    OPPROF_FIELD(SizeRow, member, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",    \
                 .heading = (head), .meaning = (text))
#define SIZE_MEAN(member, unit_text, head, text, why)                                              \
    OPPROF_FIELD(SizeRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,                \
                 .unit = (unit_text), .heading = (head), .decimals = 4,                            \
                 .flags = OPPROF_FIELD_ALONE, .meaning = (text), .absent = (why))

static const OpprofField fields[] = {
    SIZE_KEY(group, "group", "Process group.", "the trace does not say"),
    SIZE_KEY(name, "collective", "Kind of the collective, or the kernel's name.", NULL),
    SIZE_KEY(size, "size", "Class of its bytes, above the one before.", NULL),
    SIZE_COUNT(count, "count", "Collectives that at least two ranks have."),
    SIZE_COUNT(alone, "unmatched",
               "Collectives that only one rank has, and all sends and receives."),
    OPPROF_FIELD(SizeRow, ranks, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .meaning = "Ranks of the group; where the trace does not say, all of the input."),
    SIZE_MEAN(bytes, "byte", "bytes_mean", "Mean of their bytes.", NULL),
    OPPROF_FIELD(SizeRow, total_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE, .unit = "us",
                 .heading = "transfer(us)", .decimals = 4, .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "Time of the ranks that came last, which wait for nobody, added up; "
                            "where none is matched, of all calls, with their waiting."),
    SIZE_MEAN(transfer_us, "us", "transfer_mean(us)", "Mean of these times.", NULL),
    SIZE_MEAN(bandwidth, "GB/s", "algorithm_bandwidth(GB/s)",
              "Bytes of the operation over the transfer time.", "they took no time"),
    SIZE_MEAN(bus_bandwidth, "GB/s", "bus_bandwidth(GB/s)",
              "The same times the share that passes each link, as in collectives.csv.",
              "they took no time, or the operation is unknown"),
};

const OpprofRecordType collective_size_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.collective-sizes",
    .summary = "How fast collectives move their data, by size.",
    .size = sizeof(SizeRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Collectives by size",
    .file_hint = "collective_sizes",
};

void CollectiveSizesAdd(CollectiveSizes *sizes, uint64_t bytes, uint64_t ns, bool is_matched)
{
    SizeSum *sum = sizes->classes;

    if (bytes == UINT64_MAX) {
        return;
    }
    while (bytes > classes[sum - sizes->classes].most) {
        sum++;
    }
    if (is_matched) {
        sum->count++;
        sum->bytes += bytes;
        sum->ns += ns;
    } else {
        sum->alone++;
        sum->alone_bytes += bytes;
        sum->alone_ns += ns;
    }
}

static void put_row(Rows *rows, const SizedKind *kind, const char *size, const SizeSum *sum)
{
    const bool is_alone = sum->count == 0;
    const double count = (double) (is_alone ? sum->alone : sum->count);
    const double bytes = (double) (is_alone ? sum->alone_bytes : sum->bytes);
    const uint64_t ns = is_alone ? sum->alone_ns : sum->ns;
    SizeRow *row = RowsNext(rows);

    if (row == NULL) {
        return;
    }
    *row = (SizeRow){ .group = kind->group,
                      .name = kind->name,
                      .size = RowsText(rows, size),
                      .count = sum->count,
                      .alone = sum->alone,
                      .ranks = kind->ranks,
                      .bytes = bytes / count,
                      .total_us = Microseconds(ns),
                      .transfer_us = Microseconds(ns) / count,
                      .bandwidth = ns == 0 ? OpprofNaF64() : bytes / (double) ns,
                      .bus_bandwidth = OpprofNaF64() };
    if (ns > 0 && !isnan(kind->bus_factor)) {
        row->bus_bandwidth = row->bandwidth * kind->bus_factor;
    }
}

void CollectiveSizesPut(const CollectiveSizes *sizes, const SizedKind *kind, Rows *rows)
{
    for (size_t i = 0; i < COLLECTIVE_SIZES; i++) {
        const SizeSum *sum = &sizes->classes[i];

        if (sum->count + sum->alone > 0) {
            put_row(rows, kind, classes[i].name, sum);
        }
    }
}
