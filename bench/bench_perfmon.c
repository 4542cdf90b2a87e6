/* SPDX-License-Identifier: Apache-2.0 */
/* Draining the monitors of many cores, against copying the same bytes. */
#include "bench/bench.h"
#include "tests/inject/ascend/window_emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARKS UINT64_C(5000000)
#define CORES 36u
#define UNITS (CORES * PERFMON_SUB_CORES)
#define BUFFER (64u << 10)
#define MARKS_A_SECOND 1e6 /* of each core, for the share of a host core that draining takes */

typedef struct Drain {
    Emulator emulator;
    Perfmon perfmon;
    uint64_t tasks;
    unsigned char *room;
    double seconds; /* of one word, last */
} Drain;

static bool take_bytes(void *context, const PerfmonUnit *unit, const void *bytes, size_t length,
                       uint64_t lost)
{
    Drain *drain = context;

    (void) unit;
    memcpy(drain->room, bytes, length);
    return lost == 0;
}

/* As if each unit had written half a buffer since the last drain. */
static void move_pointers(Drain *drain)
{
    for (uint32_t i = 0; i < UNITS; i++) {
        EmulatorUnit *unit = &drain->emulator.units[i];
        const OpprofLiveMonitors *facts = &drain->emulator.facts;
        unit->emitted += BUFFER / 8;
        unit->position = (unit->position + BUFFER / 2) % BUFFER;
        unit->registers[(facts->offsets[OPPROF_LIVE_MONITOR_COUNT] - EMULATOR_PAGE) / 4] =
            (uint32_t) unit->emitted;
        unit->registers[(facts->offsets[OPPROF_LIVE_MONITOR_POINTER] - EMULATOR_PAGE) / 4] =
            (uint32_t) (unit->position / facts->pointer_unit);
    }
}

static bool drain_units(void *context, BenchSample *sample)
{
    Drain *drain = context;
    uint64_t spent = 0;
    bool is_good = true;

    for (uint64_t task = 0; is_good && task < drain->tasks; task++) {
        move_pointers(drain);
        const uint64_t begin = BenchThreadCpu();
        for (uint32_t i = 0; is_good && i < UNITS; i++) {
            is_good = PerfmonDrain(&drain->perfmon, &drain->perfmon.units[i], take_bytes, drain);
        }
        spent += BenchThreadCpu() - begin;
    }
    sample->amount = (double) drain->tasks * UNITS * (BUFFER / 8);
    sample->seconds = (double) spent / 1e9;
    drain->seconds = sample->seconds / sample->amount;
    return is_good;
}

static bool copy_units(void *context, BenchSample *sample)
{
    Drain *drain = context;
    const uint64_t begin = BenchThreadCpu();

    for (uint64_t task = 0; task < drain->tasks; task++) {
        for (uint32_t i = 0; i < UNITS; i++) {
            memcpy(drain->room, drain->perfmon.units[i].buffer.memory, BUFFER / 2);
            BenchKeep(drain->room);
        }
    }
    sample->seconds = (double) (BenchThreadCpu() - begin) / 1e9;
    sample->amount = (double) drain->tasks * UNITS * (BUFFER / 8);
    return true;
}

static void run_drain(Bench *bench)
{
    const OpprofLiveMonitors facts = EmulatorFacts(CORES, BUFFER);
    char why[WINDOW_WHY];
    Drain drain = { .tasks = BenchAmount(bench, 2 * MARKS) / (UNITS * (BUFFER / 8)) + 1,
                    .room = malloc(BUFFER) };
    const BenchCase one = { .name = "monitors drained",
                            .unit = "Mmarks/s",
                            .scale = 1e6,
                            .goal = 0.1,
                            .subject = { "read, fetch, check", drain_units, &drain },
                            .peer = { "memcpy", copy_units, &drain } };

    if (drain.room == NULL || !EmulatorInit(&drain.emulator, &facts, CORES)) {
        exit(1);
    }
    const RegisterWindow window = EmulatorWindow(&drain.emulator);
    if (!PerfmonOpen(&facts, &window, &drain.perfmon, why)) {
        exit(1);
    }
    PerfmonStart(&drain.perfmon);
    BenchRun(bench, &one);
    if (drain.seconds > 0) {
        BenchReport(bench, "share of a core for 36 cores with 1 million marks a second each",
                    drain.seconds * MARKS_A_SECOND * CORES * 100, "%");
    }
    PerfmonClose(&drain.perfmon);
    EmulatorFinish(&drain.emulator);
    free(drain.room);
}

int main(int argc, char **argv)
{
    int status = 0;
    Bench *bench = BenchOpen("perfmon", argc, argv, &status);

    if (bench == NULL) {
        return status;
    }
    run_drain(bench);
    return BenchClose(bench);
}
