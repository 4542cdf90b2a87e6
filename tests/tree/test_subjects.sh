#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/subjects.py accepts imperative subjects, and says what is wrong with others; a tree
# without history passes.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"

subjects=$root/scripts/subjects.py
export PYTHONDONTWRITEBYTECODE=1

for good in 'kit: choose the chip of raw data by one rule' 'parse-pmu, mc2: pass records on' \
    'tool.h: embed the list' 'core/run: need no lock' \
    'collect-sim: process several cores at a time'; do
    python3 "$subjects" --of "$good" || fail "refused: $good"
done
# bad TEXT SUBJECT
bad() {
    ! python3 "$subjects" --of "$2" >"$scratch/said" || fail "accepted: $2"
    grep -qF -- "$1" "$scratch/said" || {
        cat -- "$scratch/said" >&2; fail "'$2' is refused without '$1'"
    }
}
bad 'has no area' 'Choose the chip by one rule'
bad "but with 'a'" 'l2-cache: a stopped run does not wait'
bad "but with 'what'" 'parse-dbi: what a stopped run did not read is not damage'
bad "but with 'ABI'" 'loader: ABI numbers in the message'
bad 'not imperative' 'fuzz: removes the corpus'
bad 'not imperative' 'fuzz: removed the corpus'
bad 'not imperative' 'fuzz: removing the corpus'
bad 'is a statement' 'parser: end is the last record'
bad 'full stop' 'cli: print the path.'
bad 'has 73 columns' 'core: refuse a document whose stages have the same id in any of the links'

mkdir "$scratch/tree"
python3 "$subjects" "$scratch/tree" || fail "a tree without history does not pass"
command -v git >/dev/null || exit 0
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org \
    GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
git -C "$scratch/tree" init -q
for subject in 'a: the first' 'b: add the second' 'c: add the third'; do
    git -C "$scratch/tree" commit -q --allow-empty -m "$subject"
done
python3 "$subjects" --last 2 "$scratch/tree" || fail "commits before the last are judged"
! python3 "$subjects" "$scratch/tree" >"$scratch/said" || fail "the first commit is accepted"
[ "$(grep -c . "$scratch/said")" = 1 ] || {
    cat -- "$scratch/said" >&2; fail "more than the first commit is refused"
}
