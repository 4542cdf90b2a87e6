#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shellcheck finds nothing in the shell scripts, and no errors in those of other tests.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

need shellcheck
cd -- "$root"
scripts=(scripts/*.sh tests/e2e-docs/*.sh examples/*/*.sh)
[ ! -f .ci/run ] || scripts+=(.ci/run)
shellcheck -x --source-path=SCRIPTDIR "${scripts[@]}" || fail "see above"
shellcheck -s bash -S error tests/*/*.sh || fail "see above"
