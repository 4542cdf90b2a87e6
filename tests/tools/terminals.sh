# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For tests that look at a terminal, sourced by them: some containers have no pseudo terminals.

has_terminals() { python3 -c 'import os; os.openpty()' 2>/dev/null; }

# Skips a test that is about terminals alone.
need_terminals() {
    has_terminals || { echo "SKIP: there are no pseudo terminals (/dev/pts)" >&2; exit 77; }
}
