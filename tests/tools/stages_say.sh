# SPDX-License-Identifier: Apache-2.0
# Sourced by tests: what a run said with -v. The caller has fail().

# stages_say NAME FILE: every stage that started has another line in FILE, of level info, beside its
# start and end.
stages_say() {
    local stage missing=
    while read -r stage; do
        # (not -q: it would end the pipe while the first still writes, which is an error with
        # pipefail)
        grep "^opprof-run: info $stage: " "$2" |
            grep -v "^[^:]*: [^:]*: \(Started [a-z]\|Ended: \)" >/dev/null ||
            missing+=" $stage"
    done < <(sed -n 's/^opprof-run: info \([^ :]*\): Started .*: threads=.*/\1/p' "$2")
    grep -q "info [^ :]*: Started .*: threads=" "$2" || missing=" all"
    [ -z "$missing" ] || fail "$1: with -v these stages say nothing of their work:$missing"
}
