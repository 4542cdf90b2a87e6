# SPDX-License-Identifier: Apache-2.0
# What tests of modules begin with, sourced by them: the source tree, a folder of their own, the
# program.
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/opprof-test.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT

fail() { printf 'FAIL: %s\n' "$*" >&2; exit 1; }
command -v python3 >/dev/null 2>&1 || { echo "SKIP: there is no python3" >&2; exit 77; }
[ -x "${OPPROF_RUN:-}" ] || fail "OPPROF_RUN names no program"
