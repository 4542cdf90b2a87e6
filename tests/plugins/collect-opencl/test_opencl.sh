#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs of OpenCL on a driver that others wrote: their output, exit code and answers are those
# without opprof, each command is recorded once, and its times are the driver's.
. "${srcdir:-.}/tests/plugins/lib.sh"
build=${TEST_TOOLS%/tests/tools}
program=$build/tests/plugins/collect-opencl/program
layer=$build/tests/plugins/collect-opencl/.libs/counting_layer.so
export OPPROF_OPENCL_LIBRARY=$build/inject/.libs/libopprof-opencl.so
account=$root/tests/plugins/collect-opencl/account.py
[ -x "$program" ] || { echo "built without OpenCL"; exit 77; }
# shellcheck source=tests/tools/stages_say.sh
. "$root/tests/tools/stages_say.sh"
cd "$scratch"
"$program" late >said 2>&1 || { cat said; echo "there is no device of OpenCL"; exit 77; }

# live NAME CODE [OPTION]... -- COMMAND...: runs opencl-live into ./NAME; what the program says is
# in ./said, what the run says in ./why
live() {
    local name=$1 wanted=$2 code=0 options=()
    shift 2
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    "$OPPROF_RUN" --output "$name" --flat "${options[@]}" opencl-live "$@" >printed 2>why \
        </dev/null || code=$?
    [ "$code" = "$wanted" ] || { cat printed why >&2; fail "$name: exit code $code, not $wanted"; }
    [ "$(tail -n 1 printed)" = "$PWD/$name" ] || fail "$name: the last line is not the path"
    sed '$d' printed >said
}
says() { grep -qF -- "$1" why || { cat why >&2; fail "not reported: $1"; }; }
# same NAME COMMAND...: its output is the same without opprof, and each command is recorded once
same() {
    local name=$1 code=0
    shift
    "$@" >plain 2>plain_errors || code=$?
    [ "$code" = 0 ] || fail "$name: ends with $code without opprof"
    OPENCL_LAYERS=$layer COUNTS=$PWD/counts live "$name" 0 -- "$@"
    if [ "$name" = clpeak ]; then # it prints what it measures
        sed -i 's/: [0-9.]* us/: N us/' plain said
    fi
    diff plain said >&2 || fail "$name: its output differs"
    python3 "$account" counts "$name" counts >number || fail "$name: not every command once"
}

# ---- programs of our own

"$program" asks >plain
live asks 0 -- "$program" asks
diff plain said >&2 || fail "a program gets other answers with opprof"

OPENCL_LAYERS=$layer COUNTS=$PWD/counts live all 0 -- "$program" all
python3 "$account" counts all counts >number || fail "not every command is recorded once"
python3 "$account" times all said >number || fail "times are not those of the driver"
python3 - all <<'END' || fail "the tables of a program are wrong"
import csv, sys
def rows(name):
    with open(sys.argv[1] + "/" + name, encoding="utf-8") as file:
        return list(csv.DictReader(file))
kernels = {row["kernel"]: row for row in rows("opencl_kernels.csv")}
assert set(kernels) == {"add_one", "twice"}, kernels
assert kernels["add_one"]["global_size"] == "1024x1x1", kernels
assert kernels["add_one"]["local_size"] == "64x1x1", kernels
assert kernels["add_one"]["arguments"] == "3", kernels
# a buffer and an int; local memory is not counted here
assert kernels["add_one"]["argument_bytes"] == "12", kernels
assert kernels["add_one"]["origin"] == "source", kernels
device, = rows("opencl_devices.csv")
assert device["untimed"] == "0" and int(device["commands"]) >= 14, device
assert device["clock"] in ("host", "own"), device
copies = {row["direction"]: int(row["bytes"]) for row in rows("copies.csv")}
# read 1024 + 256 of a rectangle + an image of 8 x 8 x 16 + map 512; write 4096 + shared 2048 + unmap
# 512 + unmap of shared 256 + migration 4096; fill 2 x 4096
assert copies["DtoH"] == 1024 + 256 + 1024 + 512, copies
assert copies["HtoD"] == 4096 + 2048 + 512 + 256 + 4096, copies
assert copies["DtoD"] == 2048 and copies["fill"] == 8192, copies
END

OPENCL_LAYERS=$layer COUNTS=$PWD/counts live many 0 -v -- "$program" many 3000
stages_say opencl-live why
python3 "$account" counts many counts >number || fail "not every launch is recorded once"
[ "$(cat number)" = 6000 ] || fail "$(cat number) launches of two threads are recorded"

live late 0 -- "$program" late
grep -qx late said || fail "an exit handler does not run"
grep -q '^0,twice,1,1024x1x1,.*' late/opencl_kernels.csv ||
    fail "a launch in an exit handler is not recorded"

live unfinished 4 -- "$program" unfinished
says "3 commands of process"
says "were not finished when the process ended: 'add_one' (2), 'clEnqueueCopyBuffer' (1)"
grep -q '^0,twice,' unfinished/opencl_kernels.csv || fail "a finished command is missing"

live silent 4 -- "$program" silent
says "ended without its exit handlers"
says "ended with exit code 3"

live fails 0 -- "$program" fails
grep -q '^0,clEnqueueCopyBuffer,' fails/host_calls.csv || fail "a call that fails is not recorded"

live forks 0 -- "$program" forks
[ "$(cut -d , -f 1 forks/opencl_kernels.csv | sort | tr '\n' ' ')" = "0 1 rank " ] ||
    fail "two processes are not two ranks"

code=0
"$program" buffers >plain || code=$?
if [ "$code" != 77 ]; then
    live buffers 0 -- "$program" buffers
    diff plain said >&2 || fail "a program with command buffers does something else"
    grep -q '^"command buffer of 2 kernels: add_one, twice",.*,COMPUTATION,0,3,' \
        buffers/kernel_breakdown.csv || fail "command buffers are not recorded"
fi

# ---- what is given out

live chosen 0 --set kernel_name=tw --set launch_skip=2 --set launch_count=3 -- "$program" many 4
says "3 of 8 launches were profiled; left out: 2 by launch_skip=2, 3 by launch_count=3"
grep -q ',twice,1,1x1x1,1x1x1,3,' chosen/opencl_kernels.csv || fail "the filter is not followed"

# ---- a driver of our own, of OpenCL 1.2

ours() { # NAME CODE WORDS COMMAND...: live, with a driver that does what the words say
    local name=$1 code=$2 words=$3
    shift 3
    OCL_ICD_VENDORS=$PWD/ours.icd DRIVER_DOES=$words DRIVER_TRUTH=$PWD/truth \
        live "$name" "$code" -- "$@"
}
echo "$build/tests/plugins/collect-opencl/.libs/driver.so" >ours.icd
ours drifts 0 drifts "$program" many 500
python3 "$account" drift drifts truth >number || fail "a clock that drifts is not followed"
ours refuses 4 refuses "$program" many 4
says "was refused profiling (error -35): its commands have no times"
grep -q '^0,1,test device,4,0,8,unknown,' refuses/opencl_devices.csv ||
    fail "commands without times are not counted"
ours reorders 0 reorders "$program" many 300
grep -q '^0,twice,1,1x1x1,1x1x1,600,900300' reorders/opencl_kernels.csv ||
    fail "commands that overtake each other are not all recorded"
ours fails-late 4 fails "$program" many 3
says "2 commands of process"
says "were ended by an error: 'twice' (2)"
grep -q ',twice,1,1x1x1,1x1x1,4,' fails-late/opencl_kernels.csv ||
    fail "commands beside those that fail are not recorded"

# In a process with more rights than its user the layer passes everything on.
if [ "$(id -u)" = 0 ] && install -m 4755 -o 65534 "$program" secure; then
    code=0
    OCL_ICD_VENDORS=$PWD/ours.icd ./secure many 2 >plain || code=$?
    if [ "$code" = 0 ]; then
        ours more-rights 4 '' ./secure many 2
        diff plain said >&2 || fail "a program with more rights does something else"
        says "No command was recorded"
    fi
fi

OPPROF_LIVE_MINUTE_MS=300 live stopped 4 --set timeout=1 -- "$program" many 2000000000
says "was stopped after 1 minutes (timeout)"

# ---- programs of others

same clpeak clpeak --kernel-latency
same pyopencl "$(command -v /usr/bin/python3)" "$root/tests/plugins/collect-opencl/script.py"
clinfo >plain
live clinfo 4 -- clinfo
diff plain said >&2 || fail "the output of clinfo differs"
says "No command was recorded: 'clinfo' used OpenCL, and enqueued none"

# ---- no OpenCL

live without 4 -- true
says "No command was recorded: 'true' did not use OpenCL through a loader that knows layers"
mkdir none
OCL_ICD_VENDORS=$PWD/none live no-platform 4 -- "$program" all
says "its OpenCL loader has called no layer: it found no platform"
# A loader that does not look for layers: this one, with another name for their variable.
loader=$(ldd "$program" | sed -n 's/.*libOpenCL.so.1 => \([^ ]*\) .*/\1/p')
mkdir old
sed 's/OPENCL_LAYERS/OPENCL_LAYERZ/g' "$loader" >old/libOpenCL.so.1
live old-loader 4 -- env LD_LIBRARY_PATH="$PWD/old" "$program" asks
says "its OpenCL loader knows no layers, so none of its commands is recorded"
mkdir -p 'a:b'
cp "$OPPROF_OPENCL_LIBRARY" 'a:b/'
code=0
OPPROF_OPENCL_LIBRARY="$PWD/a:b/libopprof-opencl.so" "$OPPROF_RUN" --output colon --flat \
    opencl-live -- true >said 2>why || code=$?
[ "$code" = 1 ] || [ "$code" = 2 ] || fail "a path with a colon: exit code $code"
says "its path has a blank, a ':' or a '\$'"
