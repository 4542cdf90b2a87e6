#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Instrumentation records through opprof-run.
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
python3 "$root/tests/plugins/parse-dbi/runs.py" "$scratch" "$root/tests/tools"
