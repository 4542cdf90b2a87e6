#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Parameters that match nothing are told; those that match something, and defaults, are not.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../e2e/lib.sh"
root=$(cd "$(dirname "$0")/../../.." && pwd) || exit 99
cd "$WORK" || exit 99
input=$root/tests/data/kineto/event_sync_multi_stream.json.gz

kineto() {
    rm -rf out
    opprof --pipeline kineto --set "input=$input" "$@" --output out --flat
}

silent() {
    expect 0
    holds [ "$(grep -c 'Parameter\|No timeline' .stderr)" = 0 ]
}

kineto
silent
kineto --set 'breakdown.memory=name:Mem*,name:no such' --set 'html.documents=tr*'
silent
kineto --set steps.steps=no-such
expect 0 "warning steps: Parameter 'steps': no slice matches 'no-such'"
kineto --set 'breakdown.computation=name:this,name:that'
expect 0 \
    "warning breakdown: Parameter 'computation': no slice matches 'name:this' or another of its patterns"
kineto --set html.documents=no-such
expect 0 "warning html: No timeline is on the page: parameter 'documents' ('no-such') matches none"
kineto --set path.window=no-such
expect 4 \
    "Ranks without a critical path: 1 of 1. In rank '0' the host begins nothing in annotations or iterations that have 'no-such'"
finish
