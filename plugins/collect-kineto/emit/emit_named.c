/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emits the operators and modules that only their work names (XLA): nothing of theirs ran on the
 * host. Tested by tests/plugins/collect-kineto/test_inputs.sh.
 */
#include "collect-kineto/emit/emitter.h"

#include <opprof/records/host.h>
#include <opprof/stage.h>

/* Delay from the call to the first work that it launched; 0 for other work. Counts the call. */
static uint64_t delay_of(const Emitter *emitter, const WorkEvent *work, uint32_t number,
                         uint32_t *ret_launches)
{
    HostWork sum = { 0 };

    if ((work->flags & WORK_IS_LINKED) != 0 &&
        emitter->linked->calls[work->correlation].first == number) {
        LinkAddWork(emitter->trace, emitter->linked, (uint32_t) work->correlation, &sum);
    }
    *ret_launches = sum.launches;
    return sum.delay_ns;
}

/* One piece of work of an operator or a module; the host has none around it. */
static OpprofStatus put_piece(const Emitter *emitter, uint32_t number, HostKind kind, uint32_t name)
{
    const WorkEvent *work = RankTraceWork(emitter->trace, number);
    OpprofHostCall call = { .start = EmitterTick(emitter, work->start_ns),
                            .device_self = work->duration_ns,
                            .device_total = work->duration_ns,
                            .kind = emitter->target->words->host[kind],
                            .thread = OPPROF_NA_U32,
                            .kernels_self = 1,
                            .kernels_total = 1 };

    if (name == NAME_NONE || EmitterOwner(emitter, work, kind) != NAME_NONE) {
        return OPPROF_OK;
    }
    call.name = EmitterName(emitter, name);
    call.delay = delay_of(emitter, work, number, &call.launches);
    return OpprofStageAppend(emitter->target->stage, emitter->target->host_port, emitter->partition,
                             &call);
}

OpprofStatus EmitNamed(const Emitter *emitter)
{
    const LinkedTrace *linked = emitter->linked;
    OpprofStatus status = OPPROF_OK;

    if (emitter->trace->named.count == 0) {
        return OPPROF_OK;
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < linked->work_count; i++) {
        const NamedWork *named = RankTraceNamed(emitter->trace, linked->work[i]);

        if (named == NULL || !EmitterHasWork(emitter, linked->work[i])) {
            continue;
        }
        status = put_piece(emitter, linked->work[i], HOST_OPERATOR, named->operator_name);
        if (status == OPPROF_OK) {
            status = put_piece(emitter, linked->work[i], HOST_MODULE, named->module_name);
        }
    }
    return status;
}
