#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Both halves of stages that need all ranks, apart: see halves.py.
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.." && pwd)
command -v python3 >/dev/null || { echo "SKIP: no python3" >&2; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/opprof-halves-XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT
python3 "$root/tests/tools/make_ranks.py" "$scratch/ranks" 12
python3 "$root/tests/plugins/analyse-trace/halves.py" "$scratch" "$scratch/ranks" \
    "$root"/tests/data/kineto "$root"/tests/data/kineto/{event_sync,mi250,sampled}*.json.gz \
    "$root/tests/data/ascend/db"
