#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# opprof-run INPUT finds the pipeline by itself; opprof-run NAME INPUT, --add, and documents that
# extend others.
. "$(dirname "$0")/lib.sh"
here_source=$(dirname "$(realpath "$0")")
cd "$WORK" || exit 99
here=${OPPROF_BUILD_DIR:?set by the makefile}
pipelines=$OPPROF_PIPELINE_PATH

# recognised INPUT NAME : the input fits the pipeline, and nothing else is said.
recognised() {
    opprof --validate "$1"
    expect 0 "the input fits pipeline '$2'"
    holds grep -q "Pipeline '$2' is valid" .stdout
}

# Programs are profiled by their command line after two dashes: other ways to say it get that
# command.
mkdir -p bin
printf '#!/bin/sh\necho ran >ran\n' >bin/app
chmod +x bin/app
for words in 'bin/app' 'bin/app traces' 'bin/app one two' \
    'sim-live bin/app' 'sim-live bin/app one two' '--pipeline sim-live bin/app one' \
    'onboard-live bin/app'; do
    read -ra list <<<"$words"
    opprof "${list[@]}"
    expect 2 "A program is profiled by its command line after '--':"
    holds test ! -e ran
done
opprof -- bin/app --steps 'a b'
expect 2 "  opprof-run sim-live -- bin/app --steps 'a b'"
PATH=$PWD/bin:$PATH opprof app
expect 2 "  opprof-run onboard-live -- app "
opprof onboard-live bin/app
expect 2 "  opprof-run onboard-live -- bin/app "
holds sh -c '! grep -q sim-live .stderr'

# After two dashes the pipeline may be missing where a device or a simulator is found.
mkdir -p toolkit/tools/simulator/Ascend910B1/lib
if ! compgen -G '/dev/davinci[0-9]*' >/dev/null; then
    ASCEND_HOME_PATH=$PWD/toolkit opprof --validate -- bin/app --steps 3
    expect 0 \
        "runs on a simulator ('$PWD/toolkit/tools/simulator/Ascend910B1/lib' is there), with pipeline 'sim-live'"
    holds grep -q "Pipeline 'sim-live' is valid" .stdout
    ASCEND_HOME_PATH='' opprof -- bin/app --steps 3
    expect 2 "There is no device here, and no simulator was found; name the pipeline:"
    holds test ! -e ran
fi

# The data of each ready pipeline.
recognised "$DATA/sim/sample_a2" sim-dump
recognised "$DATA/pmu/cases/910b_mix/input" onboard-dump
recognised "$DATA/kineto" kineto
for trace in "$DATA"/kineto/*.gz; do
    recognised "$trace" kineto
done
mkdir -p stamps instrumentation pipes run/0/Add_1/2/dump ascend/x_ascend_pt/ASCEND_PROFILER_OUTPUT \
    bare empty
echo x >stamps/aic_timestamp.bin
echo x >stamps/DeviceProf1.bin
recognised stamps mc2-dump
echo x >instrumentation/DbiArea.bin
recognised instrumentation dbi-dump
echo x >pipes/timeline.bin.3
recognised pipes biu-dump
echo x >run/0/Add_1/2/dump/DeviceProf1.bin
recognised run onboard-dump
echo '[ {"ph": "X", "ts": 1, "dur": 2, "name": "n"} ]' >bare/profile.json
recognised bare kineto
recognised bare/profile.json kineto
echo '{"traceEvents": []}' >ascend/x_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json
recognised ascend kineto
for folder in raw_small raw_aicpu raw_hwts made_b made_gpu made_cluster parsed parsed_run2 \
    pipeline; do
    recognised "$DATA/mindspore/$folder" mindspore-dump
done
# Each form of a trace, alone and the only one in a directory; of an archive the members count, of a
# database its tables.
if command -v python3 >/dev/null 2>&1; then
    mkdir forms strangers
    python3 "$here_source/../plugins/collect-kineto/make_inputs.py" forms || exit 99
    for form in kineto.json rocprof.json jax.json.gz one.zip ranks.zip nsys.zip ascend.zip \
        nsys.sqlite nsys.sqlite.gz; do
        recognised "forms/$form" kineto
        mkdir "only-$form"
        cp "forms/$form" "only-$form/"
        recognised "only-$form" kineto
    done
    cp forms/empty.zip strangers/
    python3 - strangers/other.sqlite strangers/other.zip <<'END' || exit 99
import sqlite3, sys, zipfile
sqlite3.connect(sys.argv[1]).execute("CREATE TABLE t (a)").connection.close()
zipfile.ZipFile(sys.argv[2], "w").writestr("other.json", '{"answer": 42}')
END
    head -c 200 forms/one.zip >strangers/cut.zip
    for stranger in strangers strangers/*; do
        opprof "$stranger"
        expect 2 "Cannot recognise '$stranger'"
    done
fi
# Own results are shown, not read again; what other profilers leave in a folder is not a framework's
# trace beside it.
opprof --pipeline kineto --set "input=$DATA/kineto/event_sync_multi_stream.json.gz" \
    --output 'own results' --flat
expect 0
for own in 'own results' 'own results/' 'own results/results.sqlite'; do
    for pipeline in '' kineto; do
        opprof $pipeline "$own"
        expect 2 "'$own' is the result of a run, not an input" "opprof-run --show 'own results"
    done
    for set in input kineto.input; do
        opprof --pipeline kineto --set "$set=$own"
        expect 2 "'$own' is the result of a run, not an input" "opprof-run --show 'own results"
    done
    opprof --pipeline show --set "input=$own" --output shown --flat
    expect 0
done
# Raw files that a live run has kept are read by the pipeline that is named.
sed -i 's/"vars": {/&"dump": "on",/' 'own results/run.json'
opprof 'own results'
expect 2 "'own results' is the result of a run, not an input"
opprof sim-dump 'own results' --set chip=Ascend910B1
expect 1 "'own results' has no core"
echo '{"traceEvents": [{"ph": "X", "ts": 1, "dur": 1}]}' >framework.json
for folder in OPPROF_1/dump OPPROF_2/simulator PROF_3/mindstudio_profiler_output \
    OPPROF_4/device_0/data; do
    mkdir -p "$folder"
    echo x >"$folder/any"
    cp framework.json "${folder%%/*}/trace.json"
    opprof "${folder%%/*}"
    expect 2 "Cannot recognise '${folder%%/*}'"
done
echo x >OPPROF_1/dump/DeviceProf1.bin
recognised OPPROF_1 onboard-dump
mkdir parsed
cp bare/profile.json parsed/ascend_timeline_display_0.json
opprof parsed
expect 2 "Cannot recognise 'parsed'"
mkdir both
cp framework.json both/trace.json
recognised both kineto
echo x >both/DeviceProf1.bin
recognised both onboard-dump
echo '{"schemaVersion": 2, "profilingType": "op", "traceEvents": []}' >operator.json
opprof operator.json
expect 2 "Cannot recognise 'operator.json'"
# With counters beside them, those who read both take both.
echo x >instrumentation/DeviceProf1.bin
recognised instrumentation onboard-dump

# What two pipelines would take is an error that names both commands, quoted for a shell.
mkdir 'two kinds'
echo x >'two kinds/DeviceProf1.bin'
echo x >'two kinds/timeline.bin.0'
opprof 'two kinds'
expect 2 "'two kinds' fits 2 pipelines; run one of:" "  opprof-run biu-dump 'two kinds'" \
    "  opprof-run onboard-dump 'two kinds'"

# What nothing recognises: what was looked for.
opprof empty
expect 2 "Cannot recognise 'empty'; looked for:" "sim-dump: a simulator's dump directory" \
    "kineto: a trace of a framework" "Name the pipeline: opprof-run NAME INPUT"
echo '{"answer": 42}' >other.json
head -c 200000 /dev/urandom >random.json
printf '\037\213\010broken' >broken.json.gz
mkfifo fifo.json
for file in other.json random.json broken.json.gz; do
    opprof "$file"
    expect 2 "Cannot recognise"
done
opprof fifo.json
expect 2 "neither a file nor a directory" "to a file first"
opprof nothing-there
expect 2 "'nothing-there' is neither a file or directory nor an installed pipeline"
opprof sim-dmp
expect 2 "Did you mean 'sim-dump'?"
OPPROF_PIPELINE_PATH=$WORK/empty opprof --list
# Those that make install put in place are found, too.
if grep -q '^pipelines: none installed' .stdout; then
    OPPROF_PIPELINE_PATH=$WORK/empty opprof empty
    expect 2 "nothing: no installed pipeline recognises inputs"
fi

# A stranger's collector and pipeline take part.
mkdir documents modules
cp "$here/tests/cli/modules/.libs/runes.so" modules/
echo 'RUNES of old' >stone
cat >documents/runes.json <<'END'
{ "opprof_pipeline": "1.0", "vars": { "input": { "required": true, "help": "stone" } },
  "stages": [ { "id": "runes", "use": "runes", "params": { "input": "${input}" } }, { "id": "csv", "use": "csv" } ] }
END
export OPPROF_PIPELINE_PATH=$WORK/documents:$pipelines
opprof --plugin-path modules stone --output out --flat
expect 0 "the input fits pipeline 'runes'"
holds grep -qx 5 out/runes.csv
opprof --plugin-path modules -q stone --output out --flat
expect 0
holds [ ! -s .stderr ]
opprof stone # the collector is not there: said among what was looked for
expect 2 "runes: not usable: Cannot find plugin 'runes'"
sed 's/"vars"/"accepts": [ "ogham" ], "vars"/' documents/runes.json >documents/ogham.json
opprof --plugin-path modules stone --validate
expect 0 "the input fits pipeline 'runes'" # the other one wants another kind
sed 's/"vars"/"accepts": [ "runes" ], "vars"/' documents/runes.json >documents/futhark.json
opprof --plugin-path modules ./stone
expect 2 "opprof-run futhark ./stone" "opprof-run runes ./stone"
echo '{' >documents/broken.json
opprof empty
expect 2 "broken: not usable:"
rm documents/broken.json documents/futhark.json documents/ogham.json

# The short forms.
opprof --plugin-path modules runes stone --output out --flat
expect 0
holds [ "$(grep -c 'fits pipeline' .stderr)" = 0 ]
opprof --plugin-path modules --pipeline runes stone --output out --flat
expect 0
opprof --plugin-path modules ./documents/runes.json stone --output out --flat
expect 0
opprof --plugin-path modules runes --set input=stone --output out --flat
expect 0
opprof runes one two
expect 2 "Unexpected argument 'two'"
opprof --pipeline runes one two
expect 2 "Unexpected argument 'two': a pipeline takes one input"
opprof --pipeline runes one many=2
expect 2 "Unexpected argument 'many=2': variables are set by --set many=2"
opprof --list stone
expect 2 "Unexpected argument 'stone'"
opprof
expect 2 "Neither an input nor --pipeline is given"

# --add: after the stages of its kind, before the exporters; settings know it.
opprof --plugin-path modules runes stone --graph --add more=runes,input=x
expect 0
holds [ "$(grep -n '"more" \[' .stdout | head -n 1 | cut -d: -f1)" -lt "$(grep -n '"csv" \[' .stdout | head -n 1 | cut -d: -f1)" ]
opprof --plugin-path modules runes stone --add 'more=runes,input=${input}/a,b' --set csv.x=1 \
    --validate
expect 2 "setting csv.x: unknown parameter"
opprof --plugin-path modules runes stone --add 'more=runes,input=${input},b,c' --output out --flat
expect 0
holds grep -q '"input": "stone,b,c"' out/run.json
# An added analysis comes before what takes the tables of all, so that rules read its tables.
opprof --pipeline kineto --set input=x --graph --add mine=trace-efficiency
expect 0
holds grep -q '"mine" -> "advise" \[label="trace.efficiency"\]' .stdout
# The command line has nothing but texts, whatever the parameter is.
opprof --plugin-path modules runes stone --add screen=report,width=60 --validate
expect 0
opprof --plugin-path modules runes stone --add screen=report,width=wide --validate
expect 2 \
    "added stage screen/params/width (stage 'screen'): wrong type: expected a whole number, got the text 'wide'"
opprof --plugin-path modules runes stone --add more=runes --set more.input=z --output out --flat
expect 0
opprof --plugin-path modules runes stone --add more=runes --validate
expect 2 "added stage more" "input" "required"
opprof --plugin-path modules runes stone --add csv=csv --validate
expect 2 "added stage csv: stage 'csv' is repeated: see /stages/1."
opprof --plugin-path modules runes stone --add more=ruens --validate
expect 3 "Cannot find plugin 'ruens'" "Did you mean 'runes'?"
for wrong in more =runes more= more=runes,input more=runes,=x '' ,; do
    opprof --plugin-path modules runes stone --add "$wrong" --validate
    expect 2 "--add cannot take '$wrong'" "ID=PLUGIN"
done
opprof --plugin-path modules runes stone --add 'mo re=runes,input=1' --validate
expect 2 "is not an id for a stage"

# Documents that extend others: an added collector is seen by the exporter of the other document.
cat >documents/more.json <<'END'
{ "opprof_pipeline": "1.0", "extends": "runes", "vars": { "input": { "default": "stone" } },
  "stages": [ { "id": "second", "use": "runes", "params": { "input": "twelve_bytes" } } ] }
END
opprof --plugin-path modules --pipeline more --output out --flat
expect 0
holds [ "$(sort out/runes.csv | tr '\n' ' ')" = "12 5 number " ]
opprof --list
holds grep -q '^  more: ' .stdout
echo '{ "opprof_pipeline": "1.0", "extends": "more" }' >documents/runes.json
opprof --pipeline more
expect 2 "'more' extends 'runes', which extends 'more': this is a cycle"
finish
