#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each ready pipeline that has sample data ends with its report: at 40, 80 and 200 columns, on a terminal and in a pipe.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
"${TEST_TOOLS:?}/gen_onboard" --describe "$root/examples/onboard/matmul.txt" --name matmul_bias --blocks 4 "$scratch/raw"
python3 "$root/tests/plugins/report/screens.py" "$root/tests/data" "$scratch" || fail "screens"
for file in "$root"/pipelines/*.json; do
    grep -q '"use": "report"' "$file" || fail "$file does not end with a report"
done
