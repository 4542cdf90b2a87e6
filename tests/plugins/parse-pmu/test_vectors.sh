#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Launches with known counters: known numbers, maps of memory and other views, what differs from the
# reference on purpose, and damaged files and parts of them.
set -euo pipefail

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
command -v python3 >/dev/null 2>&1 || { echo "SKIP: there is no python3" >&2; exit 77; }
[ -x "${OPPROF_RUN:-}" ] || { echo "FAIL: OPPROF_RUN names no program" >&2; exit 1; }
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
for tests in vectors maps views differences damage trust partial advice; do
    python3 "$here/$tests.py" "$@"
done
