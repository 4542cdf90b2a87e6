#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Described kernels through opprof-run: hit rates that were computed on paper.
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
python3 "$root/tests/plugins/analyse-dbi/kernels.py" "$scratch" "$root/tests/tools"
