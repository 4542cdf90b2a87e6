#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The report comes as soon as its tables are done, while an exporter still writes; the outcome and
# the path of the results follow at the end.
. "$(dirname "$0")/lib.sh"
cd "$WORK" || exit 99
answer="The device waits for the"

start_into_pipe --pipeline kineto --set input="$DATA/kineto/sampled_rank-0.json.gz" --output out \
    --flat --tap kineto.spans=pipe
wait_for "$answer"
holds kill -0 "$runner"
holds test ! -s .stdout
go_on
expect 0 "$answer"
# Once, although the run asks at its end as well.
holds test "$(grep -cF -- "$answer" .stderr)" -eq "$(grep -cF -- "$answer" out/report.txt)"
holds grep -q '/out$' .stdout
# What to open comes last, and not where scripts read the path of the results.
holds test "$(tail -n 1 .stderr)" = "Page: $WORK/out/report.html"
holds test "$(wc -l <.stdout)" -eq 1

# A shown report goes to standard output.
run "$OPPROF_RUN" --show out
expect 0
holds grep -qF -- "$answer" .stdout
finish
