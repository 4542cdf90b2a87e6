#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Blocks and threads of kernels, from traces of PyTorch and from databases of Nsight Systems, with
# sums computed by hand.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

cat >make.py <<'PY'
import json, sqlite3
# name, stream, duration in us, grid, block, occupancy
WORK = [("large", 7, 100, [108, 10, 2], [32, 8, 1], 60), ("large", 7, 50, [216, 1, 1], [128, 1, 1],
                                                          30),
        ("few", 7, 40, [27, 1, 1], [64, 1, 1], 0), ("few", 9, 60, [54, 2, 1], [64, 1, 1], None),
        ("odd", 7, 10, "none", [1], None), ("bare", 7, 10, None, None, None),
        ("ncclDevKernel_AllReduce", 20, 500, [24, 1, 1], [512, 1, 1], 9)]
ev = []
for i, (name, stream, duration, grid, block, occupancy) in enumerate(WORK):
    args = {"device": 0, "stream": stream, "correlation": i}
    for key, value in (("grid", grid), ("block", block), ("est. achieved occupancy %", occupancy)):
        if value is not None:
            args[key] = value
    ev.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5,
               "ts": 1000 * i, "dur": 5, "args": {"correlation": i}})
    ev.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": 1000 * i +
               10, "dur": duration, "args": args})
def write(file, **more):
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"distributedInfo": {"rank": 3}, "traceEvents": ev, **more}, out)
write("t.json", deviceProperties=[{"id": 0, "name": "NVIDIA A100-SXM4-80GB", "numSms": 108}])
write("bare.json")
db = sqlite3.connect("t.sqlite")
pid = 10 << 24
db.executescript("""
    CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE TARGET_INFO_GPU (id INT, name TEXT, smCount INT);
    INSERT INTO TARGET_INFO_GPU VALUES (0, 'A100', 108);
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, correlationId INT, globalPid INT,
        demangledName INT, gridX INT, gridY INT, gridZ INT, blockX INT, blockY INT, blockZ INT);
""")
for i, (name, stream, duration, grid, block, occupancy) in enumerate(WORK[:4]):
    db.execute("INSERT INTO StringIds VALUES (?, ?)", (i, name))
    db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,0,?,?,?,?,?,?,?,?,?,?)",
               (1000000 * i, 1000000 * i + 1000 * duration, stream, i, pid, i, *grid, *block))
db.commit()
PY
python3 make.py || exit 99

# 27 of 108 units have a block for 40 us: three quarters of that are unused. 60 us with as many
# blocks as units are not few. Occupancy: (100 * 60 + 50 * 30) / 150; 0 says nothing.
cat >wanted <<'END'
rank,name,count,total(us),blocks_least,blocks_most,threads,units,few_blocks(us),unused(us),occupancy(%),short_name,demangled
3,large,2,150.000,216,2160,256,108,0.000,0.000,50.0,large,NA
3,few,2,100.000,27,108,64,108,40.000,30.000,NA,few,NA
END
opprof --pipeline kineto --set input=t.json --output out --flat
expect 0
holds cmp wanted out/kernel_grids.csv

# The same of a database, which has no occupancy.
sed -e 's/^3,/0,/' -e 's/,50\.0,/,NA,/' wanted >wanted.nsys
opprof --pipeline kineto --set input=t.sqlite --output nsys --flat
holds cmp wanted.nsys nsys/kernel_grids.csv

# Units that are not known.
opprof --pipeline kineto --set input=bare.json --output bare --flat
expect 0
holds grep -qx '3,few,2,100.000,27,108,64,NA,NA,NA,NA,few,NA' bare/kernel_grids.csv
finish
