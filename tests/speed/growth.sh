#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The work of each ready pipeline, and of --show, grows in proportion to its input: one dimension of
# each in continuous integration, all of them in the full test.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"
skip() {
    echo "SKIP: $1" >&2
    exit 77
}

case ${OPPROF_TEST:-} in
ci) export GROWTH=first ;;
full) ;;
*) skip "only with OPPROF_TEST=full or ci" ;;
esac
command -v valgrind >/dev/null || skip "there is no valgrind"
TMPDIR=$scratch python3 -B "$root/tests/speed/growth.py"
