/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats share of a device. Tested by tests/plugins/collect-mindspore/test_raw.sh. */
#include "parse-mindspore/device.h"

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
    OpprofMindsporeOperator record = OpprofMindsporeOperatorOf(device->id, operation->name);
    OpprofStatus status = OPPROF_OK;

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
