#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Worked examples of stamps, turns and tasks, from raw records to the timeline.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

MC2_SCRATCH=$scratch python3 "$root/tests/plugins/mc2/vectors.py"
