#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The core builds and passes its tests alone; and a core that needs the kit does not.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"
for tool in autoreconf libtoolize; do
    command -v "$tool" >/dev/null || { echo "SKIP: there is no $tool" >&2; exit 77; }
done

bash "$root/scripts/core_alone.sh" "$scratch/alone" || fail "see above"
cd -- "$scratch/alone"
printf '#include <opprof/kit/chip.h>\n' >>source/core/base/error.c
! make -C build -j2 all >log 2>&1 || fail "a core that includes the kit builds without it"
grep -q 'opprof/kit/chip.h' log || fail "the build fails for another reason"
