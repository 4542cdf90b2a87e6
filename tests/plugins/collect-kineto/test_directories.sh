#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Which files of a directory are read, in which forms, and what is said of the others.
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

kineto() {
    input=$1
    rm -rf out
    opprof --pipeline kineto --set "input=$1" --output out --flat
}

# ranks WANTED: the ranks of the breakdown, in their order.
ranks() {
    checks=$((checks + 1))
    local found
    found=$(cut -d, -f1 out/temporal_breakdown.csv | tail -n +2 | grep -vx all | tr '\n' ' ')
    [ "$found" = "$1 " ] || fail "$input: ranks '$found', not '$1'"
}

# trace FILE RANK [DURATION]: one launch, and a kernel of 50 us.
trace() {
    python3 - "$@" <<'PY' || exit 99
import json, os, sys
os.makedirs(os.path.dirname(sys.argv[1]) or ".", exist_ok=True)
ev = [{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5, "ts": 0,
       "dur": 5, "args": {"correlation": 1}},
      {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 100,
       "dur": float(sys.argv[3] if len(sys.argv) > 3 else 50),
       "args": {"device": 0, "stream": 7, "correlation": 1}}]
info = {} if sys.argv[2] == "none" else {"distributedInfo": {"rank": int(sys.argv[2])}}
json.dump({"schemaVersion": 1, **info, "traceEvents": ev}, open(sys.argv[1], "w"))
PY
}

# host FILE: what the front end of an engine has.
host() {
    python3 - "$1" <<'PY' || exit 99
import json, sys
json.dump({"schemaVersion": 1,
           "traceEvents": [{"ph": "X", "cat": "python_function", "name": "generate", "pid": 5,
                            "tid": 5, "ts": 900, "dur": 500}]},
          open(sys.argv[1], "w"))
PY
}

# Names in any case are read, and files of other names are named, up to eight of them.
trace names/rank0.json 0
trace names/rank1.JSON 1
trace names/rank2.pt.trace 2
echo note >names/notes.txt
mkdir names/deeper.txt
kineto names
expect 0 "2 file(s) are not read, since the names of traces end with .json, .gz" \
    "'names/notes.txt', 'names/rank2.pt.trace'"
ranks "0 1"
for n in 1 2 3 4 5 6 7 8; do echo x >"names/x$n.log"; done
kineto names
expect 0 "10 file(s) are not read" "'names/x6.log' …"
# One file is read whatever its name.
kineto names/rank2.pt.trace
expect 0
ranks 2

# Engines' names of ranks, and the trace of their front end, which is not a rank: beside others,
# before and after them.
for front in a_front.json z_front.json; do
    rm -rf vllm && mkdir vllm
    for rank in 0 1; do
        trace "vllm/dp0_pp0_tp${rank}_dcp0_ep${rank}_rank$rank.177.pt.trace.json" none "5$rank"
    done
    host "vllm/$front"
    kineto vllm
    expect 0 \
        "Trace 'vllm/$front' is of a host alone, without device work or launches: it is not a rank"
    ranks "0 1"
done
# Alone it is a rank like any other, and of several such the last one is, though nothing in them can
# be analysed; one that says that it is a rank, or has launches, is one.
host vllm/z_front.json
kineto vllm/z_front.json
expect 4 "has no device work" "Nothing in 'vllm/z_front.json' is device work, an iteration or an operator"
rm -rf hosts && mkdir hosts
host hosts/a.json && host hosts/b.json
kineto hosts
expect 4 "Trace 'hosts/a.json' is of a host alone" "Nothing in 'hosts' is device work"
ranks 0
trace hosts/c.json 3
python3 - <<'PY' || exit 99
import json
trace = json.load(open("hosts/a.json"))
trace["distributedInfo"] = {"rank": 2}
json.dump(trace, open("hosts/b.json", "w"))
PY
kineto hosts
ranks "2 3"
python3 - <<'PY' || exit 99
import json
trace = json.load(open("hosts/c.json"))
trace["traceEvents"].pop()
trace["distributedInfo"] = {}
json.dump(trace, open("hosts/b1.json", "w"))
PY
kineto hosts
ranks "0 2 3"

# Compressed by zstd: alone, of several frames, beside frames that are to be skipped, in a directory
# and an archive; cut and damaged.
if command -v zstd >/dev/null 2>&1 && "$OPPROF_RUN" --inspect collect-kineto 2>/dev/null |
    grep -q zst; then
    mkdir packed
    trace packed/rank0.json 0
    trace packed/rank1.json 1
    zstd -q --rm packed/rank1.json
    kineto packed
    expect 0
    ranks "0 1"
    kineto packed/rank1.json.zst
    expect 0
    ranks 1
    trace text.json 4
    head -c 100 text.json | zstd -q >frames.zst
    printf '\120\052\115\030\004\0\0\0skip' >>frames.zst
    tail -c +101 text.json | zstd -q >>frames.zst
    kineto frames.zst
    expect 0
    ranks 4
    cp packed/rank1.json.zst any.name
    kineto any.name
    expect 0
    python3 -c 'import zipfile; zipfile.ZipFile("zst.zip", "w").write("packed/rank1.json.zst")'
    kineto zst.zip
    expect 0
    ranks 1
    size=$(stat -c %s frames.zst)
    for cut in 3 9 40 $((size / 2)) $((size - 1)); do
        head -c "$cut" frames.zst >cut.zst
        kineto cut.zst
        checks=$((checks + 1))
        [ "$code" = 1 ] || [ "$code" = 4 ] || fail "cut at $cut: exit code $code"
    done
    cp frames.zst more.zst && printf 'more' >>more.zst
    kineto more.zst
    expect 4 "the compressed data is followed by other bytes"
fi

# Profilers that put the traces of a host into a directory of its name: the only one is read,
# several are named.
trace tree/OUT/node1/101_results.json 0
trace tree/OUT/node1/102_results.json 1
mkdir tree/OUT/empty
kineto tree/OUT
expect 0
ranks "0 1"
trace tree/OUT/node2/101_results.json 0
kineto tree/OUT
expect 1 \
    "Directory 'tree/OUT' has no traces, but 2 directories in it have: 'tree/OUT/node1', 'tree/OUT/node2'" "Give one of them"

# Forms that are not read are named, alone and beside a trace.
named() { # FILE TEXT
    kineto "$1"
    expect 1 "$2"
    rm -rf beside && mkdir beside
    trace beside/rank0.json 0
    cp "$1" beside/
    kineto beside
    checks=$((checks + 1))
    case $code in 0 | 4) ;; *) fail "$1 beside a trace: exit code $code" ;; esac
    grep -qF -- "$2" "$WORK/.stderr" || fail "$1 beside a trace is not named"
}
trace inner/rank0.json 0
tar cf tar.json -C inner rank0.json
named tar.json "a tar archive: unpack it"
tar czf traces.tar.gz -C inner rank0.json
named traces.tar.gz "a tar archive: unpack it"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n' >lfs.json
named lfs.json "a pointer of Git LFS instead of the file: run git lfs pull"
printf '/annex/objects/SHA256E-s12--abc.json\n' >annex.json
named annex.json "git annex get"
for form in UTF-16 UTF-16LE UTF-16BE; do
    python3 -c 'import sys; open("wide.json", "wb").write(open("inner/rank0.json").read().encode(sys.argv[1]))' "$form"
    named wide.json "text in UTF-16: convert it to UTF-8"
done
printf '\n\022\010\001\022\005hello\032\0' >xplane.json
named xplane.json "a protocol buffer, such as an xplane.pb of XLA"
printf 'BZh91AY&SY' >bz.json
named bz.json "compressed by bzip2"

# Traces of old profilers are JSON with events: there is nothing in them that is read, and that is
# said.
python3 - <<'PY' || exit 99
import json
old = [{"name": "aten::mm", "ph": "X", "ts": 1.0, "dur": 5.0, "tid": 1, "pid": "CPU functions",
        "args": {}},
       {"name": "gemm", "ph": "X", "ts": 10.0, "dur": 5.0, "tid": 0, "pid": "CUDA functions",
        "args": {}}]
json.dump(old, open("autograd.json", "w"))
rocprof = {"traceEvents": [
    {"args": {"name": "GPU0"}, "ph": "M", "pid": "6", "name": "process_name"},
    {"ph": "X", "name": "gemm", "pid": "6", "tid": "0", "ts": "100", "dur": "50",
     "args": {"BeginNs": "100000", "EndNs": "150000", "dev-id": "0", "queue-id": "0",
              "Name": "gemm"}}]}
json.dump(rocprof, open("rocprof1.json", "w"))
PY
kineto autograd.json
expect 4 \
    "Nothing in 'autograd.json' is device work, an iteration or an operator: 'autograd.json' has 2 events" \
    "it is a trace of PyTorch's old profiler (torch.autograd.profiler): record with torch.profiler"
kineto rocprof1.json
expect 4 \
    "'rocprof1.json' has 2 events, and processes called 'GPU0'; it is a trace of rocprof, version 1"
# What is read but not evaluated is counted: changes of memory, parts of collectives, work of
# graphs; also where threads read.
python3 - <<'PY' || exit 99
import json
trace = json.load(open("inner/rank0.json"))
ev = trace["traceEvents"]
ev += [{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 5, "tid": 5,
        "ts": n, "args": {"Bytes": 512}} for n in range(40)]
ev += [{"ph": "i", "s": "t", "cat": "a_stranger", "name": "mark", "pid": 5, "tid": 5, "ts": 1},
       {"ph": "i", "s": "g", "name": "no category", "pid": 5, "tid": 5, "ts": 1}]
ev.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 5, "tid": 5,
           "ts": 200, "dur": 5, "args": {"correlation": 2}})
for n in range(3):
    ev.append({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_SendRecv", "pid": 0, "tid": 7,
               "ts": 300 + 10 * n, "dur": 5, "args": {
        "device": 0, "stream": 7, "correlation": 2, "Collective name": "all_to_allv",
        "In split size": ["[]", "[3, 5]", ""][n]}})
json.dump(trace, open("more.json", "w"))
PY
for settings in threads=1 "threads=2 --set kineto.piece=512"; do
    # shellcheck disable=SC2086
    opprof --pipeline kineto --set input=more.json --set kineto.$settings --output out --flat
    expect 0 \
        "40 events of category 'cpu_instant_event', such as changes of memory, are not evaluated" \
        "1 collective(s) have parts of different sizes, which are not evaluated" \
        "3 piece(s) of device work are of 1 replay(s) of graphs"
    checks=$((checks + 1))
    ! grep -q a_stranger "$WORK/.stderr" || fail "marks of unknown categories are not worth a word"
done
# So is any file without them; of several it is enough that one has some.
printf '{"traceEvents": []}' >nothing.json
kineto nothing.json
expect 4 \
    "Nothing in 'nothing.json' is device work, an iteration or an operator: 'nothing.json' has 0 events"
printf '[{"ph": "X", "cat": "strange", "name": "n", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]' \
    >strange.json
kineto strange.json
expect 4 "'strange.json' has 1 events, 1 of category 'strange'"
# What the host did beside operators is nothing to analyse alone, and so is what has no duration.
# One operator, or one iteration, is enough.
python3 - <<'PY' || exit 99
import json
def event(ph, name, category, ts, **more):
    return {"ph": ph, "name": name, "cat": category, "pid": 5, "tid": 5, "ts": ts, **more}
operator = event("X", "aten::mm", "cpu_op", 1, dur=5)
step = event("X", "ProfilerStep#1", "user_annotation", 1, dur=5)
kinds = {
    "frames": [event("X", f"train.py({n}): step", "python_function", 10 * n, dur=5)
               for n in range(1, 9)],
    "modules": [event("X", f"nn.Module: Linear_{n}", "python_function", 10 * n, dur=5)
                for n in range(1, 9)],
    "annotations": [event("X", "forward", "user_annotation", 10 * n, dur=5) for n in range(1, 9)],
    "shadows": [event("X", "forward", "gpu_user_annotation", 10 * n, dur=5) for n in range(1, 9)],
    "memory": [event("i", "[memory]", "cpu_instant_event", 10 * n, s="t", args={"Bytes": 512})
               for n in range(1, 9)],
    "counters": [{"ph": "C", "name": "used", "pid": 5, "ts": 10 * n, "args": {"bytes": n}}
                 for n in range(1, 9)],
    "calls": [event("X", "cudaLaunchKernel", "cuda_runtime", 10 * n, dur=5,
                    args={"correlation": n}) for n in range(1, 9)],
    "flows": [event(ph, "ac2g", "ac2g", 10, id=n) for n in range(4) for ph in "sf"],
    "names": [{"ph": "M", "name": "process_name", "pid": n, "args": {"name": "python"}}
              for n in range(8)]}
for kind, events in kinds.items():
    json.dump({"traceEvents": events}, open(f"alone_{kind}.json", "w"))
    for what, more in ("operator", operator), ("step", step):
        json.dump({"traceEvents": events + [more]}, open(f"with_{what}_{kind}.json", "w"))
PY
for file in alone_*.json; do
    kineto "$file"
    expect 4 "Nothing in '$file' is device work, an iteration or an operator: '$file' has 8 events"
    for more in operator step; do
        kineto "with_${more}_${file#alone_}"
        expect 0
    done
done
rm -rf two && mkdir two
cp strange.json two/a.json && cp strange.json two/b.json
kineto two
expect 4 "Nothing in 'two' is device work"
trace two/c.json 7
kineto two
checks=$((checks + 1))
! grep -q "Nothing in" "$WORK/.stderr" || fail "a directory with work is called empty"
finish
