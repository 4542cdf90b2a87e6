#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Streams of pipe activity in each kind of file, damaged ones too.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

MC2_SCRATCH=$scratch python3 "$root/tests/plugins/mc2/streams.py"
