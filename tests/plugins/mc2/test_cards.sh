#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Made-up runs of one card and of several: all spans, and the alignment of the cards' clocks.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

MC2_SCRATCH=$scratch python3 "$root/tests/plugins/mc2/cards.py"
