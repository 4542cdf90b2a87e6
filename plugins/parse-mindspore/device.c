/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats share of a device. Tested by tests/plugins/collect-mindspore/test_raw.sh. */
#include "parse-mindspore/device.h"

OpprofMindsporeOperator DeviceOperator(const Device *device)
{
    const double na = OpprofNaF64();

    return (OpprofMindsporeOperator){ .mean_us = na,
                                      .mflops = na,
                                      .gflops = na,
                                      .utilization = na,
                                      .cube_mflops = na,
                                      .cube_gflops = na,
                                      .cube_utilization = na,
                                      .vector_mflops = na,
                                      .vector_gflops = na,
                                      .vector_utilization = na,
                                      .peak = na,
                                      .executions = OPPROF_NA_U64,
                                      .device = device->id,
                                      .stream = OPPROF_NA_U32,
                                      .block_dim = OPPROF_NA_U32,
                                      .info = { OPPROF_NA_U32, 0 } };
}

void DeviceSetClock(Device *device, uint64_t hz)
{
    const OpprofClock clock = { .name = "device", .hz = hz };

    device->ticks_a_us = (double) hz / 1e6;
    device->clock = OpprofStageClock(device->stage, &clock);
    device->executions.clock = device->clock;
    for (uint32_t port = PORT_AICPU; port <= PORT_COLLECTIVES; port++) {
        OpprofStageSetClock(device->stage, port, device->clock);
    }
}

static OpprofStatus emit_operator(Device *device, Operation *operation)
{
    OpprofMindsporeOperator record = DeviceOperator(device);
    OpprofStatus status = OPPROF_OK;

    record.name = operation->name;
    record.type = operation->type;
    record.stream = operation->stream;
    record.block_dim = operation->block_dim;
    if (operation->info.length > 0) {
        OpprofJsonPutRaw(&operation->info, "}");
        if (operation->info.is_short) {
            return OPPROF_E_MEMORY;
        }
        status = OpprofStageText(device->stage, PORT_OPERATORS, device->id, operation->info.text,
                                 operation->info.length, &record.info);
    }
    OpprofJsonOutFinish(&operation->info);
    return status == OPPROF_OK
               ? OpprofStageAppend(device->stage, PORT_OPERATORS, device->id, &record)
               : status;
}

OpprofStatus DeviceEmitOperators(Device *device)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < device->tasks.operation_count && status == OPPROF_OK; i++) {
        status = emit_operator(device, &device->tasks.operations[i]);
    }
    device->has_tables = true;
    return status;
}
