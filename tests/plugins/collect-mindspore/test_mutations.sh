#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files of MindSpore's profiler and of MindInsight's parsers, cut, doubled, dropped or exchanged: a
# run has the same numbers, or is incomplete, or the change is of a kind that cannot be known.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

every=16
[ "${OPPROF_TEST:-}" != full ] || every=1
python3 "$here/make_sample.py" "$here/../../data/mindspore" sample || exit 99
run python3 "$here/../../tools/mutate_files.py" --count 400 --every "$every" \
    "$here/../../tools/mutations/mindspore-dump.json" sample
expect 0
cat .stdout
finish
