#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write traces of many ranks that train together: make_ranks.py FOLDER RANKS [STEPS [LATE_RANK]].

Each iteration has operators, launches, kernels and two all-reduces that all ranks leave together;
LATE_RANK (default: the last but two) comes 400 us late to the first of each. Numbers follow from
rank and iteration alone. Python 3 standard library only.
"""
import os
import sys

KERNELS = 12


def complete(category, name, ts, duration, tid, args, pid=1):
    return ('{"ph":"X","cat":"%s","name":"%s","pid":%d,"tid":%d,"ts":%d.%03d,"dur":%d.%03d,'
            '"args":{%s}}' % (
         category, name, pid, tid, ts // 1000, ts % 1000, duration // 1000, duration % 1000, args))


def collective(ts, end, correlation, sequence, ranks):
    return complete("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", ts, end - ts, 20,
                    '"device":0,"stream":20,"correlation":%d,"Collective name":"allreduce",'
                    '"Process Group Name":"0","Seq":%d,'
                    '"In msg nelems":1048576,"Out msg nelems":1048576,"dtype":"Float",'
                    '"Group size":%d' % (correlation, sequence, ranks), 0)


def iteration(rank, step, ranks, late):
    """Times are nanoseconds."""
    begin = 1_700_000_000_000_000_000 // 1000 * 1000 + step * 10_000_000
    late_by = 400_000 if rank == late else 0
    events, correlation, at = [complete("user_annotation", "ProfilerStep#%d" % step, begin,
                                        9_000_000, 1, "")], step * 100, begin + 100_000
    for kernel in range(KERNELS):
        correlation += 1
        events.append(complete("cpu_op", "aten::mm" if kernel % 2 else "aten::add", at, 200_000, 1,
                               ""))
        events.append(complete("cuda_runtime", "cudaLaunchKernel", at + 50_000, 8_000, 1,
                               '"correlation":%d' % correlation))
        events.append(complete("kernel", "sm90_gemm_%d" % (kernel % 3), at + 70_000, 250_000 +
                               kernel * 1000, 7,
                               '"device":0,"stream":7,"correlation":%d' % correlation, 0))
        at += 300_000
    for which in range(2):
        correlation += 1
        end = begin + 5_000_000 + which * 2_000_000
        start = end - 900_000 + (late_by if which == 0 else 0) + (rank % 7) * 1000
        events.append(complete("cuda_runtime", "cudaLaunchKernel", begin + 4_000_000 +
                               which * 100_000, 8_000, 1,
                               '"correlation":%d' % correlation))
        events.append(collective(start, end, correlation, step * 2 + which, ranks))
    return events


def main(folder, ranks, steps=20, late=None):
    os.makedirs(folder, exist_ok=True)
    late = ranks - 3 if late is None else late
    for rank in range(ranks):
        events = [event for step in range(steps) for event in iteration(rank, step, ranks, late)]
        with open(os.path.join(folder, "rank%d.json" % rank), "w", encoding="utf-8") as file:
            file.write('{"distributedInfo":{"rank":%d,"world_size":%d},"traceEvents":[\n%s]}\n' %
                       (rank, ranks, ",\n".join(events)))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
