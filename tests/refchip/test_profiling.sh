#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The reference chip's profiling channels: records in the raw forms, equal to the chip's own
# account; faults.
. "${srcdir:-.}/tests/plugins/lib.sh"
cd "$scratch"
export DRIVER_KERNEL=$REFCHIP_KERNELS/vector_add.o

# profile NAME [KEY=VALUE]...: what the driver says and what the chip did, in NAME.said and
# NAME.account
profile() {
    local name=$1
    shift
    OPPROF_REFCHIP="account=$PWD/$name.account $*" "$OPPROF_REFCHIP_COMMAND" "$REFCHIP_DRIVER" \
        profile >"$name.said" ||
        fail "$name: exit code $?"
    [ "$(tail -n 1 "$name.said")" = verified ] || fail "$name: the operator is wrong"
}
says() {
    grep -qxF -- "$2" "$1.said" || { cut -c 1-200 "$1.said" >&2; fail "$1 did not say: $2"; }
}

profile plain
python3 - plain.said plain.account <<'END' || fail "records and account differ"
import json, struct, sys
said = open(sys.argv[1]).read().splitlines()
runs = [json.loads(line) for line in open(sys.argv[2])]
assert [run["channels"] for run in runs] == [[], [47, 50, 53], []]
assert said[0] == "start 0 0 0 again 1" and "stop 0 0 0" in said and "stop 1" in said and said.count("poll 0") == 2
records = {}
for line in said:
    number, _, text = line.partition(" ")
    if number.isdigit():
        records.setdefault(int(number), bytearray()).extend(bytes.fromhex(text))
run = runs[1]
tasks = [struct.unpack_from("<HHHHQ", records[50], at) for at in range(0, len(records[50]), 64)]
assert [(t[0] & 63, t[0] >> 10, t[2], t[3], t[4]) for t in tasks] == \
    [(0, 0, run["stream"], run["task"], run["start"]), (1, 0, run["stream"], run["task"],
                                                        run["end"])]
assert len(records[53]) == 128 * run["blocks"]
seen = set()
for at in range(0, len(records[53]), 128):
    record = records[53][at:at + 128]
    function, stream, task = struct.unpack_from("<HxxHH", record)
    sub_block, block, cycles = struct.unpack_from("<HHQ", record, 28)
    counters = struct.unpack_from("<8Q", record, 48)
    core = run["cores"][block]
    assert (function, stream, task, sub_block, cycles) == (0x29, run["stream"], run["task"], 0,
                                                           core["cycles"])
    assert (record[20] & 1, record[20] >> 1) == (1, core["core"])
    assert counters == (core["vector_busy"], core["mte2_busy"], core["mte3_busy"],
                        core["ub_load_bytes"] // 128, core["ub_store_bytes"] // 128,
                        core["l2_read_misses"], core["vector_repeats"], core["mte2_instr"])
    # What the kernel does, by hand: two loads and a store of 8 KiB, 32 repeats of 64 floats.
    assert core["ub_load_bytes"] == 16384 and core["ub_store_bytes"] == 8192 and core[
        "vector_repeats"] == 32
    assert core["gm_write_words"] == 64 and core["l2_write_hits"] + core["l2_write_misses"] == 16
    assert core["cycles"] >= core["mte2_busy"] + core["mte3_busy"]
    seen.add(block)
assert seen == {0, 1, 2, 3}
assert len(records[47]) == 72
assert struct.unpack_from("<8Q", records[47], 8)[4] == sum(core["l2_evictions"]
                                                           for core in run["cores"])
END

# Equal runs count alike, on one thread as on four.
profile one threads=1
profile four threads=4
same() { sed 's/"process":[0-9]*//' "$1.account"; }
[ "$(same one)" = "$(same four)" ] || fail "the account depends on the threads"

# Faults.
profile start fail_start=50
says start 'start 0 1 0 again 1'
profile read fail_read=53
says read 'read 53 -1'
profile poll fail_poll=53
says poll 'poll -1'
profile poll error_poll=2
says poll 'poll -1'
profile lost lose_stop=53
says lost 'stop 2326 0 0'
profile silent silent=53
grep -q '^50 ' silent.said || fail "silent: channel 50 is silent, too"
if grep -q '^53 ' silent.said; then fail "silent: channel 53 speaks"; fi
profile late late=53
[ "$(grep -n '^53 ' late.said | cut -d : -f 1)" -gt "$(grep -n '^stop' late.said | head -n 1 | cut -d : -f 1)" ] ||
    fail "late: records came before the stop"
profile short short_read=7
[ "$(grep -c '^53 ' short.said)" = 74 ] ||
    fail "short: $(grep -c '^53 ' short.said) reads of 512 bytes"
