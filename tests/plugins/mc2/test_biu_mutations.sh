#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Streams of pipe activity that are cut, doubled, lack words or are those of other cores: the run
# has the same numbers, or is incomplete, or the change is of a kind that cannot be known.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

python3 "$root/tests/tools/make_biu_run.py" "$scratch/run" || fail "no sample"
python3 "$root/tests/tools/mutate_files.py" --count 330 \
    "$root/tests/tools/mutations/biu-dump.json" "$scratch/run" ||
    fail "a change was not seen"
