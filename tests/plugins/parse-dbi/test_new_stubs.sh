#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stubs of another architecture, and files of every length, through opprof-run.
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
python3 "$root/tests/plugins/parse-dbi/new_stubs.py" "$scratch" "$root/tests/tools"
