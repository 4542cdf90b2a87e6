#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random talk on the collector's socket, on several connections at a time: the run ends as a run
# does, whatever was said. A program of steps that breaks this is printed as short as it can be.
. "${srcdir:-.}/tests/plugins/lib.sh"
export OPPROF_OPENCL_LIBRARY=${OPPROF_INJECT_LIBRARY%/*}/libopprof-opencl.so
seconds=10
[ "${OPPROF_TEST:-}" != full ] || seconds=180
python3 -B "$root/tests/refchip/socket_fuzz.py" "$scratch" "${FUZZ_SECONDS:-$seconds}" \
    "${FUZZ_SEED:-1}" || fail "see above; FUZZ_SECONDS (of CPU time) and FUZZ_SEED say how long and which"
# It finds what breaks, and makes it shorter: here a collector is broken that is asked for the plan
# twice.
sed "s/'broken contract'/'asks for the plan a second time'/" "$root/tests/refchip/socket_fuzz.py" \
    >"$scratch/socket_fuzz.py"
cp "$root"/tests/refchip/{talk,walk}.py "$scratch"
cat >"$scratch/long.py" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import socket_fuzz
steps = [['say', 0, kind, 1, 0] for kind in ('note', 'plan', 'raw', 'launch', 'note', 'other plan', 'note', 'raw')]
program = socket_fuzz.shorten({'way': 0, 'steps': steps}, sys.argv[1] + '/run')
assert len(program['steps']) == 3 and [step[2] for step in program['steps'][1:]] == ['plan', 'other plan'], program
END
python3 -B "$scratch/long.py" "$scratch" || fail "a program is not made as short as it can be"
