#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Raw files of launches that are cut, doubled, dropped or exchanged between launches: the run has the same numbers, or is incomplete, or the change
# is of a kind that cannot be known. With OPPROF_TEST=full twice as many changes.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
count=165
[ "${OPPROF_TEST:-}" != full ] || count=330
mutate() { python3 "$root/tests/tools/mutate_files.py" --count "$count" "$@" || fail "$*"; }

"${TEST_TOOLS:?}/gen_onboard" --chip 910b --launches 2 --moves "$scratch/run" >"$scratch/out"
mutate "$root/tests/tools/mutations/onboard-dump.json" "$scratch/run"
