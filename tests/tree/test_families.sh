#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Without any one family the tree builds. This takes minutes and is part of the full test only; that
# no makefile and no source outside of a family names its files is looked at by test_rules.sh each
# time.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"
[ "${OPPROF_TEST:-}" = full ] || { echo "SKIP: only with OPPROF_TEST=full" >&2; exit 77; }
bash "$root/scripts/without_family.sh" || fail "see above"
