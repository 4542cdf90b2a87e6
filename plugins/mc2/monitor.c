/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the records of the two monitors. */
#include "monitor.h"

#include <opprof/kit/bytes.h>

#include <string.h>

#define PIECE_BYTES 8u
#define FIRST_VECTOR 25u /* number of the first vector core */
#define COUNTER_END 4096u
#define PAIRS 10u

const char *const monitor_pipes[MONITOR_PIPES] = { "Vector", "Scalar", "Cube",
                                                   "Mte1",   "Mte2",   "Mte3" };
const char *const monitor_flows[MONITOR_FLOWS] = { "Latency Read", "Latency Write",
                                                   "Bandwidth Read", "Bandwidth Write" };

bool MonitorGather(const BiuPieces *pieces, const unsigned char *record,
                   unsigned char bytes[MONITOR_BYTES])
{
    for (uint32_t i = 0; i < pieces->count; i++) {
        memcpy(bytes + (size_t) i * PIECE_BYTES, record + pieces->at[i], PIECE_BYTES);
    }
    return pieces->count * PIECE_BYTES == MONITOR_BYTES;
}

void MonitorPair(const unsigned char bytes[3], uint16_t *ret_low, uint16_t *ret_high)
{
    *ret_low = (uint16_t) (bytes[0] | (bytes[1] & 0x0f) << 8);
    *ret_high = (uint16_t) (bytes[1] >> 4 | bytes[2] << 4);
}

void MonitorReadFlow(const unsigned char bytes[MONITOR_BYTES], MonitorFlow *ret_flow)
{
    OpprofByteReader reader = OpprofByteReaderInit(bytes, MONITOR_BYTES);

    ret_flow->read_commands = OpprofByteReaderU16(&reader);
    ret_flow->write_commands = OpprofByteReaderU16(&reader);
    ret_flow->read_latency = (uint32_t) OpprofByteReaderLe(&reader, 3);
    ret_flow->write_latency = (uint32_t) OpprofByteReaderLe(&reader, 3);
    ret_flow->read_flux = (uint32_t) OpprofByteReaderLe(&reader, 3);
    ret_flow->write_flux = (uint32_t) OpprofByteReaderLe(&reader, 3);
    ret_flow->read_flux_l2 = (uint32_t) OpprofByteReaderLe(&reader, 3);
    ret_flow->write_flux_l2 = (uint32_t) OpprofByteReaderLe(&reader, 3);
    ret_flow->timestamp = OpprofByteReaderU64(&reader);
    ret_flow->l2_hit = OpprofByteReaderU16(&reader);
}

void MonitorReadCycles(const unsigned char bytes[MONITOR_BYTES], MonitorCycles *ret_cycles)
{
    uint16_t *values = ret_cycles->values;

    for (uint32_t i = 0; i < PAIRS; i++) {
        MonitorPair(bytes + (size_t) 3 * i, &values[2 * i], &values[2 * i + 1]);
    }
    ret_cycles->timestamp = (uint64_t) values[7] | (uint64_t) values[8] << 12 |
                            (uint64_t) values[14] << 24 | (uint64_t) values[15] << 36 |
                            (uint64_t) (bytes[30] | bytes[31] << 8) << 48;
}

uint32_t MonitorDelta(uint32_t before, uint32_t now)
{
    return (now - before) & (COUNTER_END - 1);
}

uint32_t MonitorCoreId(MonitorCore core, uint32_t group)
{
    return core == MONITOR_CUBE ? group : 2 * group + FIRST_VECTOR + (core == MONITOR_VECTOR_1);
}

uint32_t MonitorFlowProcess(uint32_t group)
{
    return 4 * group + 4;
}

bool MonitorCyclesProcess(int64_t core_id, uint32_t group, uint32_t *ret_process)
{
    *ret_process = 0;
    if (core_id < 0) {
        return false;
    }
    const uint32_t kind = core_id < FIRST_VECTOR ? 1 : core_id % 2 == 1 ? 2 : 3;
    *ret_process = 4 * group + kind;
    return true;
}

uint32_t MonitorFlowValue(const MonitorFlow *flow, uint32_t index)
{
    const uint32_t values[MONITOR_FLOWS] = { flow->read_latency, flow->write_latency,
                                             flow->read_flux, flow->write_flux };

    return values[index % MONITOR_FLOWS];
}
