#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A pipeline for running programs is replayed without a program: what a recording of its first link
# holds becomes what it would have become live. A recording of a link that it does not have is
# refused with the links that it has.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$WORK" || exit 99

input=$DATA/pmu/cases/910b_mix/input
cat >collect.json <<'JSON'
{
  "opprof_pipeline": "1.0",
  "vars": { "input": { "required": true } },
  "stages": [
    { "id": "live", "use": "collect-onboard", "params": { "input": "${input}" } },
    { "id": "pmu", "use": "parse-pmu" },
    { "id": "metrics", "use": "pmu-tables" },
    { "id": "csv", "use": "csv" }
  ]
}
JSON
opprof --pipeline ./collect.json --set "input=$input" --flat --output collected \
    --record live.chunks=live.oprec
expect 0
opprof --pipeline onboard-live --flat --output replayed --replay live.oprec
expect 0
opprof --pipeline onboard-dump --set "input=$input" --flat --output offline
expect 0
for table in offline/*.csv; do # a live run asks for more metrics, which advise as well
    [ "${table##*/}" = advice.csv ] || holds cmp "$table" "replayed/${table##*/}"
done
holds test "$(find offline -name '*.csv' | wc -l)" -ge 8
holds test -s replayed/report.html

opprof --pipeline onboard-dump --set "input=$input" --flat --output again \
    --record dump.chunks=dump.oprec
expect 0
opprof --pipeline onboard-live --flat --output refused --replay dump.oprec
expect 2 \
    "recording 'dump.oprec': no stage of the pipeline reads a link 'dump.chunks'. Links: live.chunks"
holds test ! -e refused/report.html
finish
