#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The manual pages are well-formed, and list exactly the options and exit codes that the command
# has.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

use_opprof_run
pages=("$root/docs/opprof-run.1" "$root/docs/opprof-pipeline.5")

# Long options in a page or help text, one a line.
options_of() {
    sed 's/\.Fl -/--/g; s/ Fl -/ --/g; s/^\.It Fl [a-z] , Fl -/--/' "$1" |
        grep -oE -- '--[a-z][a-z-]+' | sort -u
}

opprof-run --help >"$scratch/help"
options_of "$scratch/help" >"$scratch/in-help"
options_of "${pages[0]}" >"$scratch/in-page"
diff -u "$scratch/in-help" "$scratch/in-page" ||
    fail "--help and opprof-run(1) differ in their options"

for code in 0 1 2 3 4 130; do
    grep -qE "^\\.It $code( |\$)" "${pages[0]}" ||
        fail "opprof-run(1) does not explain exit code $code"
done
for variable in $(cd -- "$root" && grep -rhoE 'getenv\("OPPROF_[A-Z_]+"\)' core plugins |
    grep -oE 'OPPROF_[A-Z_]+' | sort -u); do
    [ "$variable" != OPPROF_LIVE_MINUTE_MS ] || continue # only tests set it
    grep -qF "Ev $variable" "${pages[@]}" ||
        fail "no manual page describes the environment variable $variable"
done

"${OPPROF_PLUGIN_CHECK:-${OPPROF_BUILD_DIR:-.}/harness/check/opprof-plugin-check}" \
    --help >"$scratch/check-help"
options_of "$scratch/check-help" >"$scratch/in-check-help"
options_of "$root/docs/opprof-plugin-check.1" >"$scratch/in-check-page"
diff -u "$scratch/in-check-help" "$scratch/in-check-page" ||
    fail "--help and opprof-plugin-check(1) differ in their options"
pages+=("$root/docs/opprof-plugin-check.1")

if command -v mandoc >/dev/null 2>&1; then
    mandoc -T lint -W warning "${pages[@]}" || fail "mandoc finds mistakes"
elif command -v groff >/dev/null 2>&1; then
    groff -ww -mandoc -Tutf8 "${pages[@]}" 2>"$scratch/groff" >"$scratch/formatted"
    [ ! -s "$scratch/groff" ] || { cat -- "$scratch/groff"; fail "groff finds mistakes"; }
fi
