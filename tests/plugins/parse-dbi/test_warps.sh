#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Warps of SIMT code through opprof-run.
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
python3 "$root/tests/plugins/parse-dbi/warps.py" "$scratch"
