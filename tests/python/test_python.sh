#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Python module: its tests with and without pandas, its types, and its wheel; OPPROF_TEST=full
# also installs it.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"

skip() { printf 'SKIP: %s\n' "$*" >&2; exit 77; }
module=$root/python
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import pytest' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || skip "no python3 has pytest (package python3-pytest)"
export PYTHONPATH=$module PYTHONDONTWRITEBYTECODE=1 OPPROF_TEST_RESULTS=$scratch
export OPPROF_TEST_TRACE=$root/tests/data/kineto/mi250_minitoy.json.gz

for results in plain spans; do
    formats=()
    if [ "$results" = spans ]; then
        formats=(--set formats=spans)
    fi
    "$OPPROF_RUN" -q kineto "$OPPROF_TEST_TRACE" --flat --output "$scratch/$results" \
        "${formats[@]}" >"$scratch/out" 2>&1 ||
        fail "cannot make results: $(cat -- "$scratch/out")"
done

# tests NAME: all of them pass.
tests() {
    "$python" -m pytest -q -p no:cacheprovider "$root/tests/python" >"$scratch/log" 2>&1 ||
        fail "$1: $(cat -- "$scratch/log")"
}

OPPROF_TEST_PANDAS=no tests "without pandas"
if "$python" -c 'import pandas' 2>/dev/null; then
    tests "with pandas"
fi

if command -v mypy >/dev/null; then
    (cd -- "$module" && mypy --cache-dir="$scratch/mypy" opprof) >"$scratch/log" 2>&1 ||
        fail "types: $(cat -- "$scratch/log")"
fi

# The wheel is made without anything but the standard library, and holds the module.
(cd -- "$module" && "$python" \
    -c 'import sys, wheel_backend; wheel_backend.build_wheel(sys.argv[1])' "$scratch") ||
    fail "no wheel"
PYTHONPATH=$(echo "$scratch"/opprof-*.whl) "$python" -c '
import opprof
assert ".whl" in opprof.__file__, opprof.__file__' || fail "the wheel cannot be imported"

# The module has the version of opprof.
version=$("$OPPROF_RUN" --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
"$python" -c 'import sys, opprof; sys.exit(opprof.__version__ != sys.argv[1])' "$version" ||
    fail "the module is not of version $version"

if [ "${OPPROF_TEST-}" = full ]; then
    unset PYTHONPATH
    "$python" -m venv "$scratch/venv" >"$scratch/log" 2>&1 ||
        skip "no virtual environment can be made (package python3-venv)"
    "$scratch/venv/bin/pip" install -q --no-index --no-build-isolation "$module" >"$scratch/log" \
        2>&1 ||
        fail "pip install: $(cat -- "$scratch/log")"
    (cd / && "$scratch/venv/bin/python" -c '
import sys, opprof
print(len(opprof.open(sys.argv[1]).tables))' "$scratch/plain") >"$scratch/out" ||
    fail "the installed module does not read results"
    "$scratch/venv/bin/pip" uninstall -q -y opprof || fail "pip uninstall"
fi
