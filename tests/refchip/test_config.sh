#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A document of a kernel instead of a program: it is launched once, on a simulator and on a device,
# and is checked first.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
cd "$scratch"
"$REFCHIP_AS" "$root/tests/refchip/double.s" double.s double.o
python3 - <<'END'
import json, struct
open("x.bin", "wb").write(struct.pack("<5q", 1, 2, 3, -4, 1 << 40))
open("tiling.bin", "wb").write(struct.pack("<q", 5))
document = {"kernel_name": "double", "kernel_path": "./double.o", "blockdim": 1, "mode": "ca",
            "device_id": 0, "magic": "RT_DEV_BINARY_MAGIC_ELF_AIVEC",
            "test_cases": [{"case_name": "five", "param_desc": [
                {"param_type": "input", "type": "int64", "shape": [5], "data_path": "./x.bin",
                 "name": "x"},
                {"param_type": "output", "type": "int64", "shape": [5], "name": "y"},
                {"param_type": "tiling", "tiling_data_size": 8, "tiling_data_path": "./tiling.bin"},
                {"param_type": "workspace", "user_workspace_size": 4096}]}]}
json.dump(document, open("ca.json", "w"))
json.dump(dict(document, mode="onboard"), open("board.json", "w"))
json.dump(dict(document, blockdim=0), open("wrong.json", "w"))
END

# Alone, it is right.
"$chip" "$OPPROF_LAUNCHER" outputs=. ca.json || fail "the launcher: exit code $?"
python3 -c 'import struct
assert struct.unpack("<5q", open("1.bin", "rb").read()) == (2, 4, 6, -8, 1 << 41)' ||
    fail "the kernel's output is wrong"

# run NAME CODE PIPELINE [OPTION]...
run() {
    local code=0
    "$chip" "$OPPROF_RUN" --output "$1" --flat "${@:4}" --pipeline "$3" >said 2>why </dev/null ||
        code=$?
    [ "$code" = "$2" ] || { cat said why >&2; fail "$1: exit code $code, not $2"; }
}
says() { grep -qF -- "$1" why || { cat why >&2; fail "not reported: $1"; }; }
run sim 0 sim-live --set config=ca.json
[ -e sim/core0.veccore0/trace.json ] || fail "sim-live has no timeline"
run board 0 onboard-live --set config=board.json
[ -e board/OpBasicInfo.csv ] || fail "onboard-live has no tables"
grep -q double board/OpBasicInfo.csv || fail "onboard-live has another kernel"

# What is wrong is said before anything runs.
run refused 2 sim-live --set config=wrong.json
says "'blockdim' is not a number from 1"
run refused 2 sim-live --set config=board.json
says 'its mode is onboard, not ca'
run refused 2 onboard-live --set config=ca.json
says 'its mode is ca, not onboard'
run refused 2 sim-live --set config=none.json
says 'No such file'
run refused 2 sim-live --set config=ca.json --set kernel_name=double
says 'kernel_name cannot be used with config'
run refused 2 sim-live --set config=ca.json --set chip=Ascend910B1
says 'chip cannot be used with config'
run refused 2 sim-live --set config=ca.json --set app=true
says 'exclude each other'
run refused 2 sim-live
says 'There is no program to run'

# Where others may write, nothing is run; neither where a link leads.
mkdir open
chmod 0777 open
run open/refused 1 onboard-live --set config=board.json
says "open': everyone may write to it"
run open/allowed 0 onboard-live --set config=board.json --set unsafe_paths=on
mkdir real
ln -s real link
for pipeline in sim-live onboard-live; do
    config=$([ "$pipeline" = sim-live ] && echo ca.json || echo board.json)
    run link/refused 1 "$pipeline" --set config="$config"
    says "link' is a symbolic link"
    run link/"$pipeline" 0 "$pipeline" --set config="$config" --set unsafe_paths=on
done
chmod 0666 board.json
run writable 1 onboard-live --set config=board.json
says "board.json': everyone may write to it"
chmod 0644 board.json
run "$(printf 'a\nb')" 1 onboard-live --set config=board.json --set unsafe_paths=on
says 'the character 0x0a'
