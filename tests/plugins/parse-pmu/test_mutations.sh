#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Raw files of launches that are cut, doubled, dropped or exchanged between launches: the run has
# the same numbers, or is incomplete, or the change is of a kind that cannot be known. With
# OPPROF_TEST=full twice as many changes.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
count=165
[ "${OPPROF_TEST:-}" != full ] || count=330

# mutate CHIP TABLE [COUNT]: of a run of two launches
mutate() {
    local table=$root/tests/tools/mutations/$2.json
    rm -rf -- "$scratch/run"
    "${TEST_TOOLS:?}/gen_onboard" --chip "$1" --launches 2 --moves "$scratch/run" >"$scratch/out"
    python3 "$root/tests/tools/mutate_files.py" --count "${3:-$count}" "$table" "$scratch/run" ||
        fail "$1"
}
mutate 910b onboard-dump
mutate 310p onboard-dump-310p 330
if [ "${OPPROF_TEST:-}" = full ]; then
    mutate 950 onboard-dump # in pieces of two records of its log
    mutate 910_93 onboard-dump
fi
