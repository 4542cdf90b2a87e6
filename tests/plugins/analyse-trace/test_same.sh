#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Some runs over the same traces, on a machine that is busy with other things: all results are the
# same bytes. They are ten with OPPROF_TEST=full.
. "$(dirname "$0")/../../e2e/lib.sh"
cd "$WORK" || exit 99

# Eight ranks of one trace.
mkdir ranks
gzip -dc "$DATA/kineto/sampled_rank-0.json.gz" >one.json
for rank in 0 1 2 3 4 5 6 7; do
    sed "s/\"rank\": *0/\"rank\": $rank/" one.json | gzip -1 >"ranks/rank-$rank.json.gz"
done

rounds=3 others=1
if [ "${OPPROF_TEST:-}" = full ]; then
    rounds=10 others=3
fi
# What makes threads wait for one another in ever new orders.
for ((i = 0; i < others; i++)); do
    while :; do :; done &
    busy="${busy:-} $!"
done

for ((round = 0; round < rounds; round++)); do
    rm -rf out
    opprof --pipeline kineto --set input=ranks --set idle.stats=true --set launches.rows=true \
        --output out --flat
    expect 0
    (cd out && find . -type f ! -name run.json -print0 | sort -z | xargs -0 cksum) >"sums.$round"
    holds [ "$(wc -l <"sums.$round")" -gt 15 ]
    holds cmp sums.0 "sums.$round"
done

# More lanes and curves than the page has room for.
python3 "$DATA/../tools/make_ranks.py" "$WORK/beyond" 1400 1 || exit 99
for round in 0 1; do
    rm -rf out
    opprof --pipeline kineto --set input=beyond --set timelines=all \
        --set idle.stats=true --output out --flat
    expect 0
    mv out/report.html "page.$round"
    holds cmp page.0 "page.$round"
done
holds grep -q '"lanes_left_out":[1-9]' page.0
holds grep -q '"samples_left_out":[1-9]' page.0
kill $busy

# More ranks than files may be open at first.
mkdir many
for ((i = 0; i < 150; i++)); do
    gzip -dc "$DATA/kineto/trace_compare_base.json.gz" | sed "s/\"rank\": *[0-9]*/\"rank\": $i/" |
        gzip -1 >"many/rank-$i.json.gz"
done
ulimit -S -n 100
rm -rf out
opprof --pipeline kineto --set input=many --set timelines=all --output out --flat
expect 0
holds [ "$(find out -path "*rank*" -name trace.json | wc -l)" = 150 ]
finish
