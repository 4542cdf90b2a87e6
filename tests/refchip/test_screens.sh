#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The ready pipelines that run a program end with their report: at 40, 80 and 200 columns, on a
# terminal and in a pipe.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"
# shellcheck source=tests/tools/terminals.sh
. "$root/tests/tools/terminals.sh"
need_terminals
cd "$scratch"
python3 "$root/tests/plugins/report/screens.py" "$root/tests/data" "$scratch" sim-live \
    onboard-live || fail "screens"
