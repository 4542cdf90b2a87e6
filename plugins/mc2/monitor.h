/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_MONITOR_H
#define MC2_MONITOR_H

#include "facts.h"

/*
 * Older records of pipe activity: every so many cycles monitor 0 ("flow") writes what moved,
 * monitor 1 ("cycles") how long each pipe was busy, as counters of 12 bits that wrap.
 */

#define MONITOR_BYTES 32u
#define MONITOR_VALUES 20u
#define MONITOR_PIPES 6u /* vector, scalar, cube, MTE1, MTE2, MTE3 */
#define MONITOR_FLOWS 4u

typedef struct MonitorFlow {
    uint32_t read_commands;
    uint32_t write_commands;
    uint32_t read_latency;
    uint32_t write_latency;
    uint32_t read_flux;
    uint32_t write_flux;
    uint32_t read_flux_l2;
    uint32_t write_flux_l2;
    uint64_t timestamp;
    uint32_t l2_hit;
} MonitorFlow;

typedef struct MonitorCycles {
    uint16_t values[MONITOR_VALUES]; /* of 12 bits; the first MONITOR_PIPES are the pipes' */
    uint64_t timestamp;
} MonitorCycles;

/* Assemble the monitors' bytes in a record. False: the record has no such monitor. */
bool MonitorGather(const BiuPieces *pieces, const unsigned char *record,
                   unsigned char bytes[MONITOR_BYTES]);

/* Two values of 12 bits in three bytes, low one first. */
void MonitorPair(const unsigned char bytes[3], uint16_t *ret_low, uint16_t *ret_high);

void MonitorReadFlow(const unsigned char bytes[MONITOR_BYTES], MonitorFlow *ret_flow);
void MonitorReadCycles(const unsigned char bytes[MONITOR_BYTES], MonitorCycles *ret_cycles);

/* The increase of a counter of 12 bits that wrapped at most once. */
uint32_t MonitorDelta(uint32_t before, uint32_t now);

/* Kind of core of a stream of records. */
typedef enum MonitorCore { MONITOR_CUBE, MONITOR_VECTOR_0, MONITOR_VECTOR_1 } MonitorCore;

/* Number of a core as in the name of its unit: aic = group, aiv0 = 2 x
 * group + 25, aiv1 one more. */
uint32_t MonitorCoreId(MonitorCore core, uint32_t group);

/* Number of the viewer's process of a group's flow, and of a core's cycles. */
uint32_t MonitorFlowProcess(uint32_t group);
/* False, and 0, for a core that does not exist. */
bool MonitorCyclesProcess(int64_t core_id, uint32_t group, uint32_t *ret_process);

/* Names of the pipes in the order of MonitorCycles.values, and of the flows. */
extern const char *const monitor_pipes[MONITOR_PIPES];
extern const char *const monitor_flows[MONITOR_FLOWS];
/* Value of a flow by its place in monitor_flows. */
uint32_t MonitorFlowValue(const MonitorFlow *flow, uint32_t index);

#endif
