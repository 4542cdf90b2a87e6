#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Double buffering makes the sample operators faster, and timeline, hot spots and advice show why,
# with the numbers of the chip's own account.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"
cd "$scratch"

for operator in vector-add matmul; do
    for buffers in single double; do
        name=$operator-$buffers
        options=()
        [ "$buffers" = single ] || options=(--double-buffer)
        OPPROF_REFCHIP="account=$PWD/$name.account" "$OPPROF_RUN" -q --output "$name" --flat \
            --set dump=on sim-live -- "$OPPROF_REFCHIP_COMMAND" "$operator" "${options[@]}" >said \
            </dev/null || fail "$name: exit code $?"
        "$OPPROF_RUN" -q --pipeline sim-dump --set input="$name/dump" --set chip=Ascend910B1 \
            --output "$name-offline" --flat >said || fail "$name-offline: exit code $?"
        cmp "$name/advice.csv" "$name-offline/advice.csv" || fail "$name: other advice of the dump"
    done
    python3 "$root/tests/refchip/advice.py" "$operator" "$PWD" || fail "$operator"
done
