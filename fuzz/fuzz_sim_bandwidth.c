/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of memory transfer engines. The first byte limits what may be open, then eight bytes an
 * event. With nothing let go each bin holds what looking through all events finds.
 */
#include "fuzz/fuzz.h"
#include "plugins/analyse-sim/bandwidth/bandwidth.h"
#include <opprof/record.h>
#include <string.h>

#define EVENT_BYTES 8u
#define MOST_EVENTS 256u

static const char *const units[] = { "B", "B", "L1", "UB0", "UB", "L0A", "", "B1" };

static BandwidthEvent read_event(const uint8_t *bytes)
{
    const uint16_t size = (uint16_t) (bytes[3] | bytes[4] << 8);

    return (BandwidthEvent){
        .unit = units[bytes[0] & 7],
        .is_write = (bytes[0] & 8) != 0,
        .core = bytes[0] >> 4 & 3,
        .instruction = bytes[1] == UINT8_MAX ? UINT64_MAX - 1 : bytes[1],
        .request = bytes[2] == UINT8_MAX ? OPPROF_NA_U64 : bytes[2],
        .size = size == UINT16_MAX ? OPPROF_NA_U64 : size,
        .time_ns = (bytes[0] & 0xc0) == 0xc0 ? UINT64_MAX - bytes[5]
                                             : (uint64_t) (bytes[5] | bytes[6] << 8) * bytes[7],
    };
}

static bool is_memory(const BandwidthEvent *event)
{
    return strcmp(event->unit, "B") == 0;
}

static bool are_of_one_instruction(const BandwidthEvent *a, const BandwidthEvent *b)
{
    return a->core == b->core && a->instruction == b->instruction;
}

static bool are_of_one_request(const BandwidthEvent *a, const BandwidthEvent *b)
{
    return is_memory(a) && is_memory(b) && are_of_one_instruction(a, b) &&
           a->request == b->request && a->is_write == b->is_write;
}

/* The unit that an instruction's first event of another unit names, and its direction. */
static BandwidthCurve curve_of_unit(const BandwidthEvent *event, bool from_memory)
{
    if (strcmp(event->unit, "L1") == 0) {
        return from_memory ? GM_TO_L1 : L1_TO_GM;
    }
    if (strncmp(event->unit, "UB", 2) == 0) {
        return from_memory ? GM_TO_UB : UB_TO_GM;
    }
    return from_memory ? GM_TO_TOTAL : TOTAL_TO_GM;
}

/* Where the bytes of a request go: with requests of both kinds its own way, else that of the other
 * unit. */
static BandwidthCurve curve_of(const BandwidthEvent *events, size_t count,
                               const BandwidthEvent *request)
{
    const BandwidthEvent *other = NULL;
    bool has_both = false;

    for (size_t i = 0; i < count; i++) {
        const BandwidthEvent *event = &events[i];

        if (!are_of_one_instruction(event, request)) {
            continue;
        }
        if (is_memory(event)) {
            has_both |= event->request != OPPROF_NA_U64 && event->is_write != request->is_write;
        } else if (other == NULL) {
            other = event;
        }
    }
    if (other == NULL) {
        return request->is_write ? TOTAL_TO_GM : GM_TO_TOTAL;
    }
    return curve_of_unit(other, has_both ? !request->is_write : other->is_write);
}

/* Add a request to the bin if it is of that: events[first] is its first event. */
static void add_request(const BandwidthEvent *events, size_t count, size_t first, BandwidthBin *bin)
{
    uint64_t time = 0, size = 0;
    BandwidthCurve curve;

    for (size_t i = first; i < count; i++) {
        if (are_of_one_request(&events[i], &events[first])) {
            time = events[i].time_ns > time ? events[i].time_ns : time;
            size = size == 0 && events[i].size != OPPROF_NA_U64 ? events[i].size : size;
        }
    }
    if (time / 1000 != bin->bin) {
        return;
    }
    curve = curve_of(events, count, &events[first]);
    bin->bytes[curve] += size;
    if (curve != GM_TO_TOTAL && curve != TOTAL_TO_GM) {
        bin->bytes[curve < GM_TO_TOTAL ? GM_TO_TOTAL : TOTAL_TO_GM] += size;
    }
}

static void check_bin(const BandwidthEvent *events, size_t count, const BandwidthBin *found)
{
    BandwidthBin wanted = { .bin = found->bin };

    for (size_t i = 0; i < count; i++) {
        bool is_first = is_memory(&events[i]) && events[i].request != OPPROF_NA_U64;

        for (size_t j = 0; j < i && is_first; j++) {
            is_first = !are_of_one_request(&events[i], &events[j]);
        }
        if (is_first) {
            add_request(events, count, i, &wanted);
        }
    }
    FUZZ_REQUIRE(memcmp(&wanted, found, sizeof wanted) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint32_t open_max = size > 0 ? data[0] % 8 : 0;
    BandwidthEvent events[MOST_EVENTS];
    Bandwidth *bandwidth = BandwidthCreate(open_max);
    const BandwidthBin *bins;
    size_t count = 0, bin_count;

    FUZZ_REQUIRE(bandwidth != NULL);
    for (size_t at = 1; at + EVENT_BYTES <= size && count < MOST_EVENTS; at += EVENT_BYTES) {
        events[count] = read_event(data + at);
        FUZZ_REQUIRE(BandwidthAdd(bandwidth, &events[count++]));
    }
    FUZZ_REQUIRE(BandwidthEnd(bandwidth));
    bins = BandwidthBins(bandwidth, &bin_count);
    for (size_t i = 0; i < bin_count; i++) {
        FUZZ_REQUIRE(bins[i].bin <= BANDWIDTH_LAST_BIN);
        FUZZ_REQUIRE(i == 0 || bins[i].bin > bins[i - 1].bin);
        FUZZ_REQUIRE(bins[i].bytes[GM_TO_TOTAL] >=
                     bins[i].bytes[GM_TO_UB] + bins[i].bytes[GM_TO_L1]);
        if (BandwidthLetGo(bandwidth) == 0) {
            check_bin(events, count, &bins[i]);
        }
    }
    BandwidthDestroy(bandwidth);
    return 0;
}
