#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Instrumented volumes agree wherever onboard-dump shows them.
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
python3 "$root/tests/plugins/parse-dbi/one_truth.py"
