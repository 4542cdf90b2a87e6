#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The time of the host in calls that wait for the device, by call and operator, with sums computed by hand.
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

python3 - <<'PY' || exit 99
import json
ev = []
def host(name, ts, dur, tid=5, cat="cpu_op", **args):
    ev.append({"ph": "X", "cat": cat, "name": name, "pid": 5, "tid": tid, "ts": ts, "dur": dur, "args": args})
for i in range(10):
    host("aten::item", 1000 * i + 20, 900)
    host("aten::_local_scalar_dense", 1000 * i + 22, 890)
    host("cudaLaunchKernel", 1000 * i, 5, cat="cuda_runtime", correlation=i)
    ev.append({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1000 * i + 10, "dur": 850, "args": {"device": 0, "stream": 7, "correlation": i}})
    # 10 x 840 us in the inner operator; the last one longer
    host("cudaStreamSynchronize", 1000 * i + 30, 840 + (i == 9), cat="cuda_runtime", correlation=100 + i)
    # on another thread, outside of any operator
    host("cudaStreamSynchronize", 1000 * i + 30, 3, tid=6, cat="cuda_runtime", correlation=200 + i)
# after the inner operator, in the outer one
host("cudaDeviceSynchronize", 913, 5, cat="cuda_runtime", correlation=300)
host("cudaMalloc", 400, 5, cat="cuda_runtime", correlation=301)
json.dump({"distributedInfo": {"rank": 3}, "traceEvents": ev}, open("t.json", "w"))
PY
opprof --pipeline kineto --set input=t.json --output out --flat
expect 0
cat >wanted <<'END'
rank,call,operator,count,total(us),max(us)
3,cudaStreamSynchronize,aten::_local_scalar_dense,10,8401.000,841.000
3,cudaStreamSynchronize,NA,10,30.000,3.000
3,cudaDeviceSynchronize,aten::item,1,5.000,5.000
END
holds cmp wanted out/sync_calls.csv
# Without such calls there is no row.
sed -i 's/"cuda[A-Za-z]*Synchronize"/"cudaFree"/g' t.json
opprof --pipeline kineto --set input=t.json --output none --flat
expect 0
holds [ ! -s none/sync_calls.csv ]
finish
