#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# onboard-dump makes the same bytes in each run, of several devices and launches.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tests/tools/ten_runs.sh
. "$root/tests/tools/ten_runs.sh"
gen_onboard=${GEN_ONBOARD:-tests/tools/gen_onboard}
[ -x "$gen_onboard" ] || fail "there is no $gen_onboard"

"$gen_onboard" --chip 910b --launches 3 --devices 2 --moves "$scratch/run"
ten_runs_but=report.html # tables of several launches come in the order of chance
ten_runs 0 --pipeline onboard-dump --set "input=$scratch/run"
