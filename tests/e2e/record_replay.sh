#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --record and --replay: see record_replay.py.
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
command -v python3 >/dev/null || { echo "SKIP: no python3" >&2; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/opprof-replay-XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT
IFS=: read -ra directories <<<"$OPPROF_PLUGIN_PATH"
KINETO_MODULE=$(find "${directories[@]}" -maxdepth 1 -name collect-kineto.so | head -n 1)
export KINETO_MODULE
python3 "$root/tests/e2e/record_replay.py" "$root" "${TEST_DATA:?set by the makefile}" "$scratch"
