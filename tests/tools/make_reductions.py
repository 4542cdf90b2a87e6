#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write small traces of the shapes that real systems write: make_reductions.py FOLDER.

Each keeps what matters of a kind of trace (names, categories, arguments, what is missing) and
nothing else; all numbers are made up so that results can be computed by hand, as
tests/plugins/analyse-trace/test_reductions.sh does. Python 3 standard library only.
"""
import gzip
import json
import os
import sys


def us(nanoseconds):
    """Microseconds as profilers print them."""
    return "%d.%03d" % divmod(nanoseconds, 1000)


def event(cat, name, ts, duration, pid=1, tid=1, **args):
    """Times are nanoseconds."""
    return '{"ph":"X","cat":%s,"name":%s,"pid":%s,"tid":%s,"ts":%s,"dur":%s,"args":%s}' % (
        json.dumps(cat), json.dumps(name, ensure_ascii=False), json.dumps(pid), json.dumps(tid),
        us(ts), us(duration), json.dumps({key.replace("_", " "): value for key,
                                          value in args.items()}, ensure_ascii=False))


def work(cat, name, ts, duration, stream, correlation=None, **args):
    if correlation is not None:
        args["correlation"] = correlation
    return event(cat, name, ts, duration, 0, stream, device=0, stream=stream, **args)


def save(path, events, rank=0, more=""):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "wt", encoding="utf-8") as file:
        file.write('{"schemaVersion":1,%s"distributedInfo":{"rank":%d},"traceEvents":[\n%s\n]}\n' %
                   (more, rank, ",\n".join(events)))


def decoding_on_b200():
    """120 layers of a product and an all-reduce through multicast memory, and two all-gathers of
    NCCL, in one graph."""
    events, at = [event("cuda_runtime", "cudaGraphLaunch", 0, 30_000, correlation=1)], 100_000
    for layer in range(120):
        events.append(work("kernel", "nvjet_tst_64x8_64x16_4x1_v_bz_TNT", at, 20_000, 7, 1))
        events.append(work("kernel",
                           "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, "
                           "16>(c10::BFloat16*, unsigned long)",
                           at + 20_000, 17_650 if layer == 0 else 17_663, 7, 1))
        at += 40_000
    for duration in (10_453, 11_500):
        events.append(work("kernel",
                           "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", at,
                           duration, 7, 1))
        at += 20_000
    return events


def serving_on_mi300():
    """Launches of hipExtLaunchKernel, copies by kernels, an all-reduce of the engine's own, a
    transfer without bandwidth."""
    return [event("cuda_runtime", "hipExtLaunchKernel", 0, 5_000, correlation=1, stream="0x0"),
            work("kernel", "__amd_rocclr_copyBuffer", 10_000, 8_000, 0, 1),
            event("cuda_runtime", "hipExtLaunchKernel", 20_000, 5_000, correlation=2, stream="0x0"),
            work("kernel", "Cijk_Ailk_Bljk_BBS_BH_MT128x128x32", 30_000, 50_000, 0, 2),
            event("cuda_runtime", "hipExtLaunchKernel", 40_000, 5_000, correlation=3, stream="0x0"),
            work("kernel", "void vllm::cross_device_reduce_2stage<__hip_bfloat16, "
                           "8>(vllm::RankData*)", 80_000, 12_000, 0, 3),
            event("cuda_runtime", "hipMemcpyWithStream", 95_000, 9_000, correlation=4, size="1024"),
            work("gpu_memcpy", "Memcpy DtoH (Device -> Host)", 100_000, 4_000, 0, 4, bytes=1024)]


def training_on_xpu():
    """20 kernels of 10 us, each launched 60 us after the one before it ended and begun 11 us
    later."""
    events, at = [], 0
    for number in range(20):
        events.append(event("xpu_runtime", "urEnqueueKernelLaunch", at - 11_000 if number else 0,
                            4_000, correlation=number))
        if number == 0:
            at = 5_000
        events.append(work("kernel", "gemm_kernel", at, 10_000, 7, number))
        at += 10_000 + 71_000
    return events


def half_linked():
    """100 kernels; of the launches of 28 the trace has none."""
    events = []
    for number in range(100):
        events.append(work("kernel", "k", number * 20_000 + 10_000, 5_000, 7, number))
        if number % 25 < 18:
            events.append(event("cuda_runtime", "cudaLaunchKernel", number * 20_000, 3_000,
                                correlation=number))
    return events


def graph():
    """A graph of 421 kernels and 13 launches of one, all of which wait over 100 us in their
    queue."""
    events = [event("cuda_runtime", "cudaGraphLaunch", 0, 20_000, correlation=1)]
    events += [work("kernel", "node", 200_000 + number * 3_000, 2_000, 7, 1)
               for number in range(421)]
    for number in range(13):
        events.append(event("cuda_runtime", "cudaLaunchKernel", 30_000 + number * 10_000, 5_000,
                            correlation=number + 2))
        events.append(work("kernel", "single", 2_000_000 + number * 50_000, 4_000, 7, number + 2))
    return events


def crashed():
    """A profiler that was killed: an event of time 0 among those of 2024, a name with quotes that
    were not escaped."""
    base = 1_712_195_495_519_689_047
    return [work("kernel", "late", 0, 5_000, 7), work("kernel", "a", base, 5_000, 7),
            work("kernel", "b", base + 20_000, 7_000, 7).replace('"b"', '"wrapper "b" of c"'),
            work("kernel", "c", base + 40_000, 9_000, 7)]


def mtia():
    return [event("mtia_runtime", "runFunction - job_prep_and_submit_for_execution", 0, 10_000,
                  correlation=5),
            work("mtia_ccp_events", "fc_tile", 30_000, 25_000, 2, 5),
            work("mtia_ccp_events", "fc_tile", 60_000, 15_000, 2, 5),
            event("mtia_ccp_events", "event_wait", 0, 60_000, 17, 3, stream=3, wait_on_stream=2,
                  seq_num=5),
            event("mtia_ccp_events", "event_record", 75_000, 9_000, 17, 3, stream=3, seq_num=6)]


def names():
    """Names beyond ASCII, and collectives that only arguments tell."""
    more = {"Collective_name": "allreduce", "Process_Group_Name": "张量并行", "Seq": 3,
            "In_msg_nelems": 1000, "Out_msg_nelems": 1000, "dtype": "Half", "Group_size": 8}
    return [event("cpu_op", "aten::矩阵", 0, 40_000), event("user_annotation", "étape", 0, 40_000),
            event("user_annotation", "ProfilerStep#1", 0, 90_000),
            event("cuda_runtime", "cudaLaunchKernel", 5_000, 2_000, correlation=1),
            work("kernel", "融合_gemm", 10_000, 20_000, 7, 1),
            event("cuda_runtime", "cudaLaunchKernel", 20_000, 2_000, correlation=2),
            work("kernel", "交换", 50_000, 10_000, 9, 2, **more)]


def flow(phase, number, ts, tid, cat="fwdbwd", pid=1, quote=""):
    return '{"ph":"%s","id":%s,"pid":%d,"tid":%d,"ts":%s,"cat":"%s","name":"%s"%s}' % (
        phase, json.dumps(number), pid, tid, quote + us(ts) + quote, cat, cat, ',"bp":"e"'
        if phase == "f" else "")


def flows():
    """Work that names no call, but flows tie it: to a call, to a place without one, to nothing; and
    a number that is a correlation."""
    def tied(number, name, ts, duration):
        return [work("kernel", name, ts, duration, 7), flow("f", number, ts, 7, "ac2g", 0)]

    return [event("cpu_op", "aten::mm", 10_000, 40_000), event("cuda_runtime", "cudaLaunchKernel",
                                                               20_000, 5_000),
            flow("s", 1, 20_000, 1, "ac2g"), *tied(1, "gemm", 40_000, 10_000),
            event("cpu_op", "aten::add", 60_000, 20_000), flow("s", 2, 70_000, 1, "ac2g"),
            *tied(2, "add", 90_000, 5_000), flow("s", 3, 71_000, 1, "ac2g"),
            *tied(4, "lost", 100_000, 3_000), event("cpu_op", "aten::relu", 110_000, 20_000),
            event("cuda_runtime", "cudaLaunchKernel", 115_000, 2_000, correlation=77),
            flow("s", 77, 115_000, 1, "ac2g"), *tied(77, "relu", 130_000, 2_000)]


def npu_flows():
    """The calls that launch work are in a process without operators; flows tie the work to the
    operators of another one."""
    base = 1_730_000_000_000_000_000
    lines = ['{"ph":"M","name":"process_name","pid":%d,"tid":0,"args":{"name":"%s"}}' % named
             for named in ((43456, "Ascend Hardware"), (300, "CANN"), (1, "python"))]

    def put(name, pid, tid, ts, duration, args, cat=""):
        lines.append('{"name":"%s","pid":%d,"tid":%d,"ts":"%s","dur":%s,"ph":"X"%s,"args":%s}' % (
            name, pid, tid, us(base + ts), us(duration), cat and ',"cat":"%s"' % cat,
            json.dumps(args)))

    put("aten::linear", 1, 5, 0, 100_000, {}, "cpu_op")
    for number, (name, ts, kernels) in enumerate((("aten::mm", 10_000, ("MatMul",)),
                                                  ("aten::add", 40_000, ("Cast", "Add")))):
        put(name, 1, 5, ts, 20_000, {}, "cpu_op")
        put("Node@launch", 300, 9, ts + 30_000, 4_000, {"connection_id": 500 + number})
        for place, kernel in enumerate(kernels):
            start = ts + 50_000 + place * 10_000
            put(kernel, 43456, 3, start, 6_000, {"Task Type": "AI_CORE", "Stream Id": 3,
                                                 "connection_id": 500 + number})
            lines.append(flow("s", "%d%d" % (number, place), base + ts, 5, "async_npu", 1, '"'))
            lines.append(flow("f", "%d%d" % (number, place), base + start, 3, "async_npu", 43456,
                              '"'))
    return lines


def backward():
    """A module's forward pass, and its backward pass on another thread, tied by a flow; one
    operator that no flow reaches."""
    def launch(ts, correlation, tid):
        return event("cuda_runtime", "cudaLaunchKernel", ts, 2_000, 1, tid, correlation=correlation)

    return [event("python_function", "nn.Module: Linear_0", 0, 100_000),
            event("user_annotation", "forward", 0, 100_000),
            event("cpu_op", "aten::linear", 10_000, 30_000), event("cpu_op", "aten::addmm", 12_000,
                                                                   20_000),
            flow("s", 5, 12_000, 1), flow("s", 5, 40_000, 1, "ac2g"), launch(15_000, 1, 1),
            work("kernel", "gemm", 20_000, 10_000, 7, 1), event("cpu_op", "AddmmBackward0", 200_000,
                                                                60_000, 1, 2),
            flow("f", 5, 200_000, 2), event("cpu_op", "aten::mm", 205_000, 40_000, 1, 2),
            launch(210_000, 2, 2), launch(220_000, 3, 2),
            work("kernel", "gemm", 230_000, 20_000, 7, 2), work("kernel", "gemm", 250_000, 5_000, 7,
                                                                3),
            event("cpu_op", "AccumulateGrad", 300_000, 40_000, 1, 2), launch(310_000, 4, 2),
            work("kernel", "add", 330_000, 7_000, 7, 4),
            flow("f", 9, 300_000, 2), flow("s", "x", 1_000, 1)]


def ascend(folder, rank):
    """Two devices' work in processes of large numbers, steps in cpu_op, times in quotes, group and
    number in names of collectives."""
    base = 1_730_000_000_000_000_000
    lines = ['{"ph":"M","name":"process_name","pid":%d,"tid":0,"args":{"name":"%s"}}' % named
             for named in ((43456, "Ascend Hardware"), (43520, "Ascend Hardware"), (1, "python"))]

    def put(name, pid, tid, ts, duration, args, cat=None):
        lines.append('{"name":"%s","pid":%d,"tid":%d,"ts":"%s","dur":%s,"ph":"X"%s,"args":%s}' % (
            name, pid, tid, us(base + ts), us(duration), "" if cat is None else ',"cat":"%s"' % cat,
            json.dumps(args)))

    for step in range(2):
        at = step * 1_000_000
        put("ProfilerStep#%d" % (step + 3), 1, 1, at, 1_000_000, {}, "cpu_op")
        put("MatMul", 43456, 3, at + 100_000, 300_000, {"Task Type": "AI_CORE", "Stream Id": 3})
        put("Add", 43520, 3, at + 350_000, 100_000, {"Task Type": "AI_VECTOR_CORE", "Stream Id": 3})
        for part in range(2):
            put("hcom_allReduce__586_%d_%d" % (2 * step + part, part), 43456, 11, at + 400_000 +
                part * 200_000, 150_000 - rank * 10_000,
                {"connection_id": 15000 + 2 * step + part})
    where = os.path.join(folder, "host_%d_2024_ascend_pt" % (77 + rank))
    os.makedirs(os.path.join(where, "ASCEND_PROFILER_OUTPUT"))
    with open(os.path.join(where, "profiler_info_%d.json" % rank), "w", encoding="utf-8") as file:
        file.write("{}")
    with open(os.path.join(where, "ASCEND_PROFILER_OUTPUT", "trace_view.json"), "w",
              encoding="utf-8") as file:
        file.write("[" + ",\n".join(lines) + "]")
    with open(os.path.join(where, "ASCEND_PROFILER_OUTPUT", "communication.json"), "w",
              encoding="utf-8") as file:
        file.write('{"step":{"collective":{}}}')


def main(folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    for name, events in (("b200", decoding_on_b200()), ("mi300", serving_on_mi300()),
                         ("xpu", training_on_xpu()), ("half_linked", half_linked()),
                         ("graph", graph()), ("crashed", crashed()), ("mtia", mtia()),
                         ("names", names()), ("backward", backward()), ("flows", flows()),
                         ("npu_flows", npu_flows())):
        save(name + ".json", events)
    # The same launches in a category that nobody has heard of.
    save("other_runtime.json", [line.replace("xpu_runtime", "zpu_runtime")
                                for line in training_on_xpu()])
    save("unheard.json", [line.replace("xpu_runtime", "zpu_calls") for line in training_on_xpu()])
    # Iterations and annotations on the lanes of a device only, each on two streams; in the second
    # file beside those of the host.
    lanes = [work("kernel", "k", 1_000 + 100_000 * n, 50_000, 7) for n in range(2)]
    for n in range(2):
        for stream, late in ((7, 0), (20, 5_000)):
            lanes.append(event("gpu_user_annotation", "ProfilerStep#%d" % n, 1_000 + late +
                               100_000 * n, 90_000, 0, stream))
        lanes.append(event("gpu_user_annotation", "forward", 1_000 + 100_000 * n, 30_000, 0, 7))
    save("lanes.json", lanes)
    save("both_lanes.json", lanes + [event("user_annotation", "ProfilerStep#0", 0, 70_000),
                                     event("user_annotation", "load", 0, 20_000)])
    # Collectives in the stream of the computation; in another file in one of their own.
    for name, stream in (("same_stream", 7), ("own_stream", 20)):
        save(name + ".json", [piece for n in range(10) for piece in (
            work("kernel", "gemm", 1_000_000 * n, 400_000, 7),
            work("kernel", "ncclDevKernel_AllReduce", 1_000_000 * n + 400_000, 400_000, stream))])
    # Nested work: the inner piece ends first.
    save("nested.json", [work("kernel", "outer", 0, 100_000, 7),
                         work("kernel", "inner", 10_000, 20_000, 7),
                         work("kernel", "next", 110_000, 5_000, 7)])
    one = work("kernel", "k", 1_000, 5_000, 7)
    save("bases/rank-0.json", [one], 0, '"baseTimeNanoseconds":1735632360000000000,')
    save("bases/rank-1.json", [one], 1)
    save("bases/rank-2.json", [one], 2, '"baseTimeNanoseconds":1735632360000000000,')
    # Two cycles of one profiler, its memory timeline, and a trace of nothing.
    save("cycles/worker.1.pt.trace.json.gz", [work("kernel", "k", 0, 10_000, 7)], 3)
    save("cycles/worker.2.pt.trace.json.gz", [work("kernel", "k", 500_000, 20_000, 7)], 3)
    with gzip.open("cycles/worker.raw.json.gz", "wt") as file:
        json.dump([[1, 2, 3], [4, 5, 6]], file)
    save("cycles/worker.3.pt.trace.json", [])
    for rank in (0, 1):
        ascend("ascend", rank)


if __name__ == "__main__":
    main(sys.argv[1])
