#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Files of instrumented kernels that are cut, doubled, dropped or exchanged between launches: the
# run has the same numbers, or is incomplete, or the change is of a kind that cannot be known. With
# OPPROF_TEST=full twice as many changes.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
count=165
[ "${OPPROF_TEST:-}" != full ] || count=330

python3 "$root/tests/tools/make_dbi_run.py" "$scratch/run" || fail "no sample"
python3 "$root/tests/tools/mutate_files.py" --count "$count" \
    "$root/tests/tools/mutations/dbi-dump.json" "$scratch/run" ||
    fail "a change was not seen"
