#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A trace with one event dropped, doubled or moved: it has the same numbers, or is incomplete, or the change is of a kind that cannot be known.
tools=$(cd "$(dirname "$0")/../../tools" && pwd)
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

python3 "$tools/make_plain_trace.py" trace.json || exit 99
run python3 "$tools/mutate_files.py" --count 400 "$tools/mutations/kineto.json" trace.json
expect 0
cat .stdout
finish
