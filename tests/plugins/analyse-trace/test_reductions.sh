#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Traces of the shapes that real systems write, without a parameter: each figure is computed by hand
# beside it.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

python3 "$root/tests/tools/make_reductions.py" "$scratch/in"

# take NAME CODE [SETTING]: the results of NAME are in NAME, the run ends with CODE
take() {
    local input=$scratch/in/$1 status=0
    [ -d "$input" ] || input=$input.json
    "$OPPROF_RUN" -q --pipeline kineto --set "input=$input" --set "${3:-top=10}" \
        --output "$scratch/$1" --flat >/dev/null 2>"$scratch/err" || status=$?
    [ "$status" = "$2" ] || { cat -- "$scratch/err" >&2; fail "$1: exit code $status"; }
}

for name in b200 mi300 xpu other_runtime lanes both_lanes same_stream own_stream unheard \
    half_linked graph mtia names backward flows npu_flows ascend; do
    take "$name" 0
done
take crashed 4
take nested 4
take cycles 4
take bases 4

cat >"$scratch/check.py" <<'PY'
import csv, glob, json, os, sys

os.chdir(sys.argv[1])


def cell(file, column, **where):
    """The cell of the only row in which each column has its value."""
    with open(file, encoding="utf-8") as text:
        rows = [row for row in csv.DictReader(text) if all(row[key] == value for key,
                                                           value in where.items())]
    assert len(rows) == 1, "%s has %d rows where %s" % (file, len(rows), where)
    return rows[0][column]


def check(file, wanted, **where):
    for column, value in wanted.items():
        found = cell(file, column, **where)
        assert abs(float(found) - value) < 5e-4, "%s where %s: %s is %s, not %s" % (file, where,
                                                                                    column, found,
                                                                                    value)


def says(name, text):
    with open(name + "/run.json", encoding="utf-8") as file:
        assert text in file.read(), "%s/run.json does not say '%s'" % (name, text)


def rows(file):
    with open(file, encoding="utf-8") as text:
        return len(list(csv.DictReader(text)))


def breakdown(compute, other, idle):
    """The three parts, and the kernel time that they add up to."""
    return {"compute_time(us)": compute, "non_compute_time(us)": other, "idle_time(us)": idle,
            "kernel_time(us)": compute + other + idle}


# B200: 120 products of 20 us are 2400. Communication is 10.453 + 11.500 = 21.953 us of NCCL and
# 17.650 + 119 x 17.663 = 2119.547 us through multicast memory: 2141.5. A layer takes 40 us, so 119
# layers leave 40 - 37.663 = 2.337 us and the first 2.350, which is 280.453; the first gather leaves
# 20 - 10.453 = 9.547: 290 idle.
check("b200/temporal_breakdown.csv", breakdown(2400, 2141.5, 290), rank="0")
check("b200/comm_comp_overlap.csv", {"comm_us": 2141.5, "overlap_us": 0}, rank="0")
# All of it is one launch, whose first kernel begins 70 us after the call's end; 2400 + 2141.5 of
# work.
check("b200/launch_stats.csv", {"count": 1, "kernels": 242, "launch_delay_mean(us)": 70,
                                "gpu_duration_mean(us)": 4541.5}, rank="0")

# MI300: 8 us copied by a kernel, 50 us of a product, 12 us of the engine's all-reduce, 4 us of a
# transfer of 1024 bytes: 0.256 GB/s. Idle are 18..30 and 92..100, both launched after the end of
# what was before: at 20 and at 95.
check("mi300/temporal_breakdown.csv", breakdown(50, 24, 20), rank="0")
check("mi300/comm_comp_overlap.csv", {"comm_us": 12}, rank="0")
assert cell("mi300/kernel_breakdown.csv", "kernel_type", name="__amd_rocclr_copyBuffer") == "MEMORY"
check("mi300/memory_bandwidth.csv", {"mean": 0.256, "bytes": 1024}, name="Memcpy DtoH")
check("mi300/idle_breakdown.csv", {"idle_time": 20, "count": 2}, idle_category="host_wait")
check("mi300/launch_stats.csv", {"count": 4, "kernels": 4}, rank="0")

# Intel: 19 gaps of 71 us, each of work that was launched 60 us after the end of what was before:
# 1349 us of waiting for the host.
check("xpu/idle_breakdown.csv", {"idle_time": 1349, "count": 19}, idle_category="host_wait")
# Two iterations of 95 us, from the first lane to the last, and an annotation of 30 us twice; those
# of the host count instead.
assert rows("lanes/steps.csv") == 2
check("lanes/steps.csv", {"time(us)": 95}, step="ProfilerStep#0")
check("lanes/annotations.csv", {"count": 2, "total(us)": 60}, name="forward")
assert rows("both_lanes/steps.csv") == 1
check("both_lanes/steps.csv", {"time(us)": 70}, step="ProfilerStep#0")
check("both_lanes/annotations.csv", {"count": 1, "total(us)": 20}, name="load")
assert rows("both_lanes/annotations.csv") == 1
# Ten collectives of 400 us after as much computation: in its stream they cannot be hidden, and that
# is the advice.
check("same_stream/comm_comp_overlap.csv", {"shared_us": 4000, "comm_us": 4000}, shared_stream="7")
check("own_stream/comm_comp_overlap.csv", {"shared_us": 0, "comm_us": 4000}, shared_stream="NA")
says("same_stream", "cannot be hidden: it is in the same stream as computation, stream 7")
says("own_stream", "Only communication runs for 40.8 % of the time")
assert "same stream" not in open("own_stream/run.json").read()
# So is the runtime of another vendor, by the end of its category.
check("other_runtime/idle_breakdown.csv", {"idle_time": 1349, "count": 19},
      idle_category="host_wait")
# The same launches in an unknown category: it is said, and no cause is made up.
check("unheard/idle_breakdown.csv", {"idle_time": 0, "count": 0}, idle_category="host_wait")
check("unheard/idle_breakdown.csv", {"idle_time": 1349, "count": 19}, idle_category="other")
says("unheard", "the calls that launched 20 of 20 pieces of device work (100 %) are not in it")
says("unheard", "20 events of category 'zpu_calls'")

# Of each 25 kernels the last 7 have no call: 28 of 100.
says("half_linked", "the calls that launched 28 of 100 pieces of device work (28 %) are not in it")
check("half_linked/launch_stats.csv", {"count": 72, "kernels": 72}, rank="0")

# A graph of 421 kernels and 13 single ones were 434 launches that came late; they are 14. The
# graph's 421 x 2 us and 13 x 4 us of work are 894, a mean of 63.857; the first node begins 180 us
# after the call's end.
check("graph/launch_stats.csv", {"count": 14, "kernels": 434, "launch_delay_outliers": 14,
                                 "gpu_duration_mean(us)": 894 / 14, "gpu_duration_max(us)": 842},
      rank="0")

# Of a profiler that was killed 5 + 9 us are left, 49 from first to last; what is missing is named.
check("crashed/temporal_breakdown.csv", breakdown(14, 0, 35), rank="0")
where = open("in/crashed.json", "rb").read().index(b'{"ph":"X","cat":"kernel","name":"wrapper ')
says("crashed", "not JSON; the first is at byte %d" % where)
says("crashed", "'late' at 0 ns")

# MTIA: one call of two pieces of work, 30..55 and 60..75.
check("mtia/temporal_breakdown.csv", breakdown(40, 0, 5), rank="0")
check("mtia/launch_stats.csv", {"count": 1, "kernels": 2, "launch_delay_mean(us)": 20}, rank="0")

# Work in work: the stream is idle from the outer one's end, 100, to 110.
check("nested/idle_breakdown.csv", {"idle_time": 10}, idle_category="kernel_wait")
check("nested/temporal_breakdown.csv", breakdown(105, 0, 10), rank="0")

# The module's 10 us of the forward pass and 20 + 5 of the backward one; the 7 us of no flow are of
# no module. The backward operators keep their own work. Work began after its call's end: 20 - 17,
# 230 - 212 and 250 - 222, a mean of 49 / 3.
for table, name in (("modules", "nn.Module: Linear_0"), ("annotations", "forward")):
    check("backward/%s.csv" % table, {"device_total(us)": 35, "device_self(us)": 35,
                                      "kernels_total": 3, "kernels_self": 3,
                                      "launch_delay_mean(us)": 49 / 3}, name=name)
check("backward/operators.csv", {"device_total(us)": 25, "kernels_total": 2}, name="AddmmBackward0")
check("backward/operators.csv", {"device_total(us)": 10, "kernels_total": 1}, name="aten::addmm")
for start, module, annotation in (("30.000", "nn.Module: Linear_0", "forward"),
                                  ("255.000", "NA", "NA")):
    assert cell("backward/gaps.csv", "module", **{"start(us)": start}) == module
    assert cell("backward/gaps.csv", "annotation", **{"start(us)": start}) == annotation

# Flows where no correlation says what launched the work. gemm begins 40 - 25 after its call; of add
# only the flow's begin is known, 90 - 70; relu's flow has the number of its call's correlation, 130
# - 117. One piece has a flow without begin.
for name, duration, delay in (("aten::mm", 10, 15), ("aten::add", 5, 20), ("aten::relu", 2, 13)):
    check("flows/operators.csv", {"device_self(us)": duration, "kernels_self": 1,
                                  "launch_delay_mean(us)": delay}, name=name)
check("flows/launch_stats.csv", {"count": 3, "kernels": 3, "cpu_duration_mean(us)": 7 / 3},
      rank="0")
# The critical path waits for the launch of relu, 130 - 115, and goes through that of add, which
# only a flow ties to the host.
check("flows/critical_path.csv", {"time(us)": 15, "pieces": 1}, part="launch_delay")
check("flows/critical_path_names.csv", {"pieces": 1}, part="host", name="(launch)")
says("flows", "launched 1 of 4 pieces of device work (25 %)")
says("flows", '"work without known call": 1')

# Node@launch is in a process of its own: MatMul 6 us, 60 - 44 after its call; Cast and Add 12 us,
# 90 - 74 after theirs. Both calls are in the operators of the other process, and so in the one
# around them.
check("npu_flows/operators.csv", {"device_self(us)": 6, "kernels_self": 1, "launch_delay_mean(us)":
                                  16}, name="aten::mm")
check("npu_flows/operators.csv", {"device_self(us)": 12, "kernels_self": 2, "launch_delay_mean(us)":
                                  16}, name="aten::add")
check("npu_flows/operators.csv", {"device_self(us)": 0, "device_total(us)": 18, "kernels_total": 3},
      name="aten::linear")
check("npu_flows/launch_stats.csv", {"count": 2, "kernels": 3, "cpu_duration_mean(us)": 4},
      rank="0")

# Names of any alphabet come out as they went in, and a collective is one by its arguments.
assert cell("names/operators.csv", "kernels_total", name="aten::矩阵") == "2"
assert cell("names/annotations.csv", "kernels_total", name="étape") == "2"
assert cell("names/kernel_breakdown.csv", "kernel_type", name="交换") == "COMMUNICATION"
assert cell("names/kernel_breakdown.csv", "kernel_type", name="融合_gemm") == "COMPUTATION"
drawn = json.load(open("names/trace.json", encoding="utf-8"))["traceEvents"]
assert [e["args"]["group"] for e in drawn if "group" in e.get("args", {})] == ["张量并行"]

# Ranks with a base time and without: the one without is named; each has its 5 us.
for rank in "012":
    check("bases/temporal_breakdown.csv", breakdown(5, 0, 0), rank=rank)
says("bases", "rank-1.json': its times are over seven days away")
assert "rank-2.json': its times" not in open("bases/run.json", encoding="utf-8").read()

# Two cycles of one rank; a memory timeline and a trace of nothing are not ranks, and what the
# latter lost is unknown.
assert rows("cycles/temporal_breakdown.csv") == 3
check("cycles/temporal_breakdown.csv", breakdown(10, 0, 0), rank="3")
check("cycles/temporal_breakdown.csv", breakdown(20, 0, 0), rank="3-cycle2")
says("cycles", "worker.raw.json.gz")
says("cycles", "It has no events")

# Ascend, a step of rank 0: computing 100..450 (300 and 100 us, 50 of them at once) is 350,
# communication 400..550 and 600..750 is 300, of which 50 are hidden; 1000 - 600 = 400 are free.
# Rank 1's collectives are 10 us shorter: it comes last.
for rank, communication in (("0", 300), ("1", 280)):
    for step in ("ProfilerStep#3", "ProfilerStep#4"):
        check("ascend/steps.csv", {"time(us)": 1000, "compute(us)": 350, "communication(us)":
                                   communication,
                                   "exposed_communication(us)": communication - 50,
                                   "idle_other(us)": 700 - communication},
              rank=rank, step=step)
    check("ascend/kernel_breakdown.csv", {"count": 4, "sum (us)": 2 * communication}, rank=rank,
          name="hcom_allReduce")
    check("ascend/temporal_breakdown_by_device.csv", {"compute_time(us)": 600}, rank=rank,
          device="rank %s device 0" % rank)
    check("ascend/temporal_breakdown_by_device.csv", {"compute_time(us)": 200}, rank=rank,
          device="rank %s device 1" % rank)
check("ascend/collectives.csv", {"count": 4, "transfer_mean(us)": 140, "wait_mean(us)": 5,
                                 "skew_max(us)": 10}, group="586",
      collective="hcom_allReduce")

# Every table of every run is UTF-8, and the breakdown has one shape whether of one rank or of
# several.
for path in glob.glob("*/*.csv"):
    open(path, encoding="utf-8").read()
for name in ("b200", "bases", "ascend"):
    document = json.load(open(name + "/temporal_breakdown.json", encoding="utf-8"))
    assert sorted(document) == ["ranks", "temporal_breakdown"], (name, sorted(document))
    assert len(document["ranks"]) == {"b200": 1, "bases": 3, "ascend": 2}[name]
PY
python3 "$scratch/check.py" "$scratch" || fail "a figure is not what it is by hand"

# The lists are data: another vocabulary knows the category, and the 1349 us are there.
sed 's/"xpu_runtime"/"xpu_runtime", "zpu_calls"/' "$root/plugins/collect-kineto/vocabulary.json" \
    >"$scratch/words.json"
rm -rf -- "$scratch/unheard"
take unheard 0 "kineto.vocabulary=$scratch/words.json"
grep -qx '0,7,host_wait,1349.000,1.00,19,rank 0 device 0' "$scratch/unheard/idle_breakdown.csv" ||
    fail "a vocabulary of one's own is not used"
grep -q ',COMMUNICATION,' "$scratch/names/kernel_breakdown.csv" ||
    fail "a collective is not known by its arguments"
printf '{"opprof_vocabulary": "1.0", "arguments": {"collective": ["other"], "group": [], "sequence": [], "communicator": []}}\n' >"$scratch/words.json"
rm -rf -- "$scratch/names"
take names 0 "kineto.vocabulary=$scratch/words.json"
grep -q ',COMMUNICATION,' "$scratch/names/kernel_breakdown.csv" &&
    fail "keys of arguments are not data"
exit 0
