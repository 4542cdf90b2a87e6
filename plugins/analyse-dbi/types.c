/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the L2 model. Tested by tests/plugins/analyse-dbi/test_kernels.sh. */
#include "rows.h"

#define FATES(record)                                                                              \
    OPPROF_RECORD_NUMBER(record, hits, U64, SUM, 0, "1", "Lines found in the cache.", NULL),       \
        OPPROF_RECORD_NUMBER(record, misses, U64, SUM, OPPROF_FIELD_WEIGHT, "1",                   \
                             "Lines not found.", NULL),                                            \
        OPPROF_RECORD_NUMBER(record, hit_rate, F64, MEAN, 0, "%", "Share of lines found.",         \
                             "there was no access"),                                               \
        OPPROF_RECORD_NUMBER(record, compulsory, U64, SUM, 0, "1",                                 \
                             "Misses of lines that were not accessed before.", NULL),              \
        OPPROF_RECORD_NUMBER(record, capacity, U64, SUM, 0, "1",                                   \
                             "Misses of lines after more other lines than the cache holds.",       \
                             NULL),                                                                \
        OPPROF_RECORD_NUMBER(record, conflict, U64, SUM, 0, "1", "All other misses.", NULL)

static const OpprofField summary_fields[] = {
    OPPROF_RECORD_FIELD(SummaryRow, policy, STRING, 0, NULL,
                        "Which line leaves a full set. lru: the one that was not used for longest; "
                        "fifo: the one that came first; plru: about the same as lru, by a tree of "
                        "bits; random: any of them",
                        NULL),
    OPPROF_RECORD_FIELD(SummaryRow, access_order, STRING, 0, NULL,
                        "Order of the accesses of different cores. slot after slot: all of a core "
                        "before those of the next, since records have no times",
                        NULL),
    OPPROF_RECORD_NUMBER(SummaryRow, seed, U64, NONE, 0, NULL, "Seed of the policy random.",
                         "the policy is another one"),
    OPPROF_RECORD_NUMBER(SummaryRow, line, U64, NONE, 0, "byte", "Size of a line.", NULL),
    OPPROF_RECORD_NUMBER(SummaryRow, ways, U64, NONE, 0, "1", "Lines of a set.", NULL),
    OPPROF_RECORD_NUMBER(SummaryRow, sets, U64, NONE, 0, "1", "Sets.", NULL),
    OPPROF_RECORD_NUMBER(SummaryRow, slices, U64, NONE, 0, "1", "Slices.", NULL),
    OPPROF_RECORD_NUMBER(SummaryRow, loads, U64, SUM, 0, "1", "Lines read.", NULL),
    OPPROF_RECORD_NUMBER(SummaryRow, stores, U64, SUM, 0, "1", "Lines written.", NULL),
    FATES(SummaryRow),
    OPPROF_RECORD_NUMBER(SummaryRow, evictions, U64, SUM, 0, "1", "Lines that left the cache.",
                         NULL),
    OPPROF_RECORD_NUMBER(SummaryRow, write_backs, U64, SUM, 0, "1",
                         "Of these, lines that were written back.", NULL),
    FOLDER(SummaryRow),
};
static const OpprofField core_fields[] = {
    OPPROF_RECORD_FIELD(CoreRow, block, U32, OPPROF_FIELD_KEY, NULL, "Block.", NULL),
    OPPROF_RECORD_FIELD(CoreRow, core, STRING, OPPROF_FIELD_KEY, NULL,
                        "Core of the block. cube0: its cube core; vector0: its first "
                        "vector core; vector1: its second one",
                        NULL),
    FATES(CoreRow),
    FOLDER(CoreRow),
};
static const OpprofField buffer_fields[] = {
    OPPROF_RECORD_FIELD(BufferRow, name, STRING, OPPROF_FIELD_KEY, NULL,
                        "Name that was given, or number by address.", NULL),
    OPPROF_RECORD_FIELD(BufferRow, first, HEX, 0, NULL, "Lowest address.", NULL),
    OPPROF_RECORD_FIELD(BufferRow, last, HEX, 0, NULL, "Highest address.", NULL),
    OPPROF_RECORD_NUMBER(BufferRow, bytes, U64, SUM, 0, "byte",
                         "Bytes from the lowest to the highest address.", NULL),
    FATES(BufferRow),
    OPPROF_RECORD_NUMBER(BufferRow, stride, I64, NONE, 0, "byte",
                         "Distance of most of its conflict misses.",
                         "they have no common distance"),
    OPPROF_RECORD_NUMBER(BufferRow, sets_used, U64, NONE, 0, "1",
                         "Sets that lines at this distance use.",
                         "there is no distance, or upper bits of the address affect the set"),
    FOLDER(BufferRow),
};
static const OpprofField distance_fields[] = {
    OPPROF_RECORD_FIELD(DistanceRow, from, U64, OPPROF_FIELD_KEY, "1",
                        "Distinct other lines since the last access, at least this number.", NULL),
    OPPROF_RECORD_NUMBER(DistanceRow, to, U64, NONE, 0, "1", "At most.", "all above"),
    OPPROF_RECORD_NUMBER(DistanceRow, accesses, U64, SUM, 0, "1", "Accesses of lines.", NULL),
    FOLDER(DistanceRow),
};

const OpprofRecordType dbi_summary_type =
    OPPROF_RECORD_TYPE(SummaryRow, 1, "dbi.cache", "How a launch's accesses fared in the L2 cache.",
                       OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY, summary_fields,
                       "L2 cache model", "<device>/<kernel>/<order>/L2CacheModel");
const OpprofRecordType dbi_core_type = OPPROF_RECORD_TYPE(
    CoreRow, 1, "dbi.cache-core", "How a core's accesses fared in the L2 cache.",
    OPPROF_RECORD_TABLE, core_fields, "L2 cache by core", "<device>/<kernel>/<order>/L2CacheCore");
const OpprofRecordType dbi_buffer_type = OPPROF_RECORD_TYPE(
    BufferRow, 1, "dbi.cache-buffer", "How accesses of a buffer fared in the L2 cache.",
    OPPROF_RECORD_TABLE, buffer_fields, "L2 cache by buffer",
    "<device>/<kernel>/<order>/L2CacheBuffer");
const OpprofRecordType dbi_distance_type = OPPROF_RECORD_TYPE(
    DistanceRow, 1, "dbi.reuse",
    "How many other lines are accessed before a line is accessed again.", OPPROF_RECORD_TABLE,
    distance_fields, "Reuse distances", "<device>/<kernel>/<order>/ReuseDistance");
