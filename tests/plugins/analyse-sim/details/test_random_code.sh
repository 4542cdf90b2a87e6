#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Registers, masks and bank conflicts of random programs are those of a slow model, which holds all
# rows.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../lib.sh"
tools=$root/tests/tools

# check SERIES CHIP SEED
check() {
    local here=$scratch/$1-$3 status=0

    python3 "$tools/make_random_code.py" "$3" $(($3 * 300)) "$1" "$here/dump"
    "$OPPROF_RUN" --pipeline sim-dump --set "input=$here/dump" --set "chip=$2" -q \
        --output "$here/results" --flat --tap "dump.issues=$here/issues.tsv" \
        --tap "dump.instructions=$here/rows.tsv" --tap "details.pc-details=$here/details.tsv" \
        >"$here/out" 2>"$here/err" || status=$?
    # Some of the instructions end before they start.
    if [ "$status" -ne 4 ] || ! grep -q 'an end before the start in' "$here/err"; then
        cat -- "$here/err" >&2
        fail "$1, seed $3: exit code $status"
    fi
    python3 "$tools/details_model.py" "$here/issues.tsv" "$here/rows.tsv" "$here/details.tsv" ||
        fail "$1, seed $3: details are not those of the model"
}

for seed in 1 2 3 4; do
    check a2 Ascend910B1 "$seed"
    check 310p Ascend310P1 "$seed"
done
check 950 Ascend950PR_9599 5

# An address ran twice: 8 and 9 cycles from fetch to issue, 2 and 3 from there to start. If the log
# has only one of the issues, the sums of both are unknown, not those of one.
mkdir -- "$scratch/twice"
cd -- "$scratch/twice" || fail "there is no scratch"
line='[info] [%08d] (PC: 0x1000) SCALAR   : (Binary: 0x40a01000) ADD  XD:X1=0x1,\n'
# shellcheck disable=SC2059
printf "$line" 100 200 >core0.veccore0.instr_popped_log.dump
# shellcheck disable=SC2059
printf "$line" 110 210 >core0.veccore0.instr_log.dump
printf '[info] %d: lookup_tag is fetch req addr:0x1000\n' 90 188 >core0.veccore0.ifu.icache_log.dump
for issues in '98 197:17,5' '98:NA,NA'; do
    # shellcheck disable=SC2086
    printf '[info] %d: is_single_issue instr, pc:0x1000\n' ${issues%:*} >core0.veccore0.ccu_log.dump
    "$OPPROF_RUN" --pipeline sim-dump --set "input=$scratch/twice" --set chip=Ascend910B1 -q \
        --flat --output "$scratch/out" --set metrics=PipeUtilization,Overhead \
        --tap "details.pc-details=$scratch/twice.tsv" >"$scratch/said" 2>&1 ||
        { cat -- "$scratch/said" >&2; fail "issues $issues: exit code $?"; }
    python3 - "$scratch/twice.tsv" "${issues#*:}" <<'PYTHON' || fail \
        "issues $issues: sums are not those of both executions"
import csv, sys
with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader((line for line in file if not line.startswith("# ")),
                               delimiter="\t"))
found = [",".join(row[name] for row in rows for name in row if name.startswith(kind))
         for kind in ("icache_cycles", "ccu_cycles")]
print(found)
sys.exit(",".join(found) != sys.argv[2])
PYTHON
done
