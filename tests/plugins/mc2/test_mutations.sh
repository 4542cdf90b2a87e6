#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Files of operators that communicate, cut, doubled, dropped or exchanged between cards: the run has
# the same numbers, or is incomplete, or the change is of a kind that cannot be known.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

python3 "$root/tests/tools/mc2_raw.py" --cards 2 --blocks 2 --steps 4 "$scratch/run"
rm -- "$scratch/run/truth.json"
python3 "$root/tests/tools/mutate_files.py" --count 330 \
    "$root/tests/tools/mutations/mc2-dump.json" "$scratch/run" ||
    fail "a change was not seen"
