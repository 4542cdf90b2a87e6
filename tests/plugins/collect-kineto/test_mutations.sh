#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A trace with one event dropped, doubled or moved, in each form that profilers write: it has the
# same numbers, or is incomplete, or the change is of a kind that cannot be known.
tools=$(cd "$(dirname "$0")/../../tools" && pwd)
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

python3 "$tools/make_plain_trace.py" trace.json || exit 99
run python3 "$tools/mutate_files.py" --count 330 "$tools/mutations/kineto.json" trace.json
expect 0
cat .stdout

# mutate TABLE FORM FILE RECORDS COUNT: of the same trace in another form
mutate() {
    python3 "$tools/make_form_trace.py" "$2" "$3" || exit 99
    run python3 "$tools/mutate_files.py" --count "$5" --records "$4" "$tools/mutations/$1.json" "$3"
    expect 0
    cat .stdout
    rm -- "$3"
}
few=25 many=110 more=330 tasks=110
[ "${OPPROF_TEST:-}" = full ] || { few=10; many=15; more=110; tasks=20; }
mutate kineto-work nsys nsys.sqlite '{"sqlite": "CUPTI_ACTIVITY_KIND_KERNEL"}' $many
mutate kineto-work nsys nsys.sqlite '{"sqlite": "CUPTI_ACTIVITY_KIND_MEMCPY"}' $few
mutate kineto-host nsys nsys.sqlite '{"sqlite": "CUPTI_ACTIVITY_KIND_RUNTIME"}' $many
mutate kineto-host nsys nsys.sqlite '{"sqlite": "NVTX_EVENTS"}' $many
mutate kineto-work rocprof rocprof.json '{"json": "kernel_dispatch"}' $many
mutate kineto-work rocprof rocprof.json '{"json": "memory_copy"}' $few
mutate kineto-host rocprof rocprof.json '{"json": "hip_api"}' $many
mutate kineto-both jax jax.json '{"json": "traceEvents"}' $more
mutate kineto-ascend ascend trace_view.json '{"json": ""}' $more
mutate kineto-ascend-db ascend-db ascend_pytorch_profiler.db '{"sqlite": "TASK"}' $tasks
for table in COMPUTE_TASK_INFO COMMUNICATION_OP COMMUNICATION_TASK_INFO STRING_IDS; do
    mutate kineto-work ascend-db ascend_pytorch_profiler.db "{\"sqlite\": \"$table\"}" $few
done
for table in CANN_API PYTORCH_API STEP_TIME; do
    [ "${OPPROF_TEST:-}" != full ] ||
        mutate kineto-host ascend-db ascend_pytorch_profiler.db "{\"sqlite\": \"$table\"}" $few
done
finish
