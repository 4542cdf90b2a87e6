#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --tap STAGE.PORT=FILE.hex: all bytes of a record are shown once, in order, and mean what the plain
# tap and the recording say.
. "$(dirname "$0")/lib.sh"
root=$(cd -P -- "$(dirname -- "$0")/../.." && pwd)
cd "$WORK" || exit 99
command -v python3 >/dev/null || exit 77

opprof --pipeline onboard-dump --set "input=$DATA/pmu/cases/910b_mix/input" --flat --output out \
    --tap pmu.launches=l.hex --tap pmu.launches=l.tsv --record pmu.launches=l.oprec \
    --tap dump.chunks=c.hex
expect 0
# A field with its unit, one that is absent, bytes that no field covers, an element, and bytes of a
# text.
holds grep -qxE '  \+0008  00 00 00 00 00 20 9c 40  freq_mhz             1800\.0 MHz' l.hex
holds grep \
    -qxE '  \+0020  00 00 00 00              device               NA \(it has no such part\)' l.hex
holds grep -qxE '  \+006c  00 00 00 00              \(no field\)' l.hex
holds grep -qx '    element 1 at +0030' l.hex
holds grep -qxE '      \+000c  .. .. 00 00              name                 vector0' l.hex
holds grep -qxF '    +0000  4f 70 20 4e 61 6d 65 3d 67 65 6e 5f 6d 69 78 5f  |Op Name=gen_mix_|' \
    c.hex
holds python3 - "$root" <<'PYTHON'
import re, struct, sys
sys.path.insert(0, sys.argv[1] + "/tests/tools")
import recording
batches = [payload for kind, payload in recording.chunks(open("l.oprec", "rb").read()) if kind ==
           b"BATC"]
head, _, _, _, count, blob_size = struct.unpack_from("<6I", batches[0])
record = batches[0][4 + head:4 + head + 152]
shown, at = {}, 0
for line in open("l.hex", encoding="utf-8"):
    found = re.match(r"  \+([0-9a-f]{4})  ((?:[0-9a-f]{2} )+)", line)
    if found and at < 152:
        assert int(found[1], 16) == at, line
        data = bytes.fromhex(found[2])
        if ("(no field)" in line or "_us " in line or "_mhz" in line or "l2_evict" in line
            or "block_count" in line):
            # what holds no number of the run is the same in the file
            assert record[at:at + len(data)] == data, line
        at += len(data)
        shown[line.split()[len(data) + 1]] = line
assert at == 152, at
heading, values = [line.rstrip("\n").split("\t") for line in open("l.tsv", encoding="utf-8")][:2]
for name, value in zip(heading, values):
    if value.isalnum():
        assert value in shown[name], (name, value)
PYTHON
finish
