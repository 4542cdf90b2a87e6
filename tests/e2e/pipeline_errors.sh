#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every mistake in a pipeline document or on the command line is reported, with exit code 2.
. "$(dirname "$0")/lib.sh"
cd "$WORK" || exit 99

# check NAME TEXT... : validate the document on standard input and expect exit code 2 and the texts.
check() {
    cat >"$1.json"
    opprof --pipeline "$1.json" --validate
    shift
    expect 2 "$@"
}

stages='"stages": [ { "id": "dump", "use": "collect-sim", "params": { "dump": "d" } } ]'

check syntax "'syntax.json' line 3, column 5: not valid JSON" <<EOF1
{ "opprof_pipeline": "1.0",
  $stages
  "x": 1 }
EOF1
check duplicate-key "line 1, column" "duplicate object key" <<EOF1
{ "opprof_pipeline": "1.0", "opprof_pipeline": "1.0", $stages }
EOF1
check unknown-top "/stagez: unknown member. Did you mean 'stages'?" <<EOF1
{ "opprof_pipeline": "1.0", "stagez": [], $stages }
EOF1
check unknown-stage-key "/stages/0/parms: unknown member. Did you mean 'params'?" <<EOF1
{ "opprof_pipeline": "1.0", "stages": [ { "id": "dump", "use": "collect-sim", "parms": {} } ] }
EOF1
check unknown-var-key "/vars/input/requird: unknown member. Did you mean 'required'?" <<EOF1
{ "opprof_pipeline": "1.0", "vars": { "input": { "requird": true } }, $stages }
EOF1
check unknown-queue-key "/queue/item: unknown parameter. Did you mean 'items'?" <<EOF1
{ "opprof_pipeline": "1.0", "queue": { "item": 3 }, $stages }
EOF1
check unknown-link-key "/links/0/form: unknown member. Did you mean 'from'?" <<EOF1
{ "opprof_pipeline": "1.0", "links": [ { "form": "dump", "to": "dump" } ], $stages }
EOF1
check unknown-param "/stages/0/params/dmup (stage 'dump')" "Did you mean 'dump'?" <<EOF1
{ "opprof_pipeline": "1.0",
  "stages": [ { "id": "dump", "use": "collect-sim", "params": { "dmup": "d" } } ] }
EOF1
check wrong-type "/stages/0/params/dump (stage 'dump')" "wrong type" <<EOF1
{ "opprof_pipeline": "1.0",
  "stages": [ { "id": "dump", "use": "collect-sim", "params": { "dump": [ 1, 2 ] } } ] }
EOF1
check out-of-range "/queue/items" <<EOF1
{ "opprof_pipeline": "1.0", "queue": { "items": 0 }, $stages }
EOF1
check missing-variables "/vars/a: required, but not given (first). Set a=VALUE." \
    "/vars/b: required, but not given (second). Set b=VALUE." <<EOF1
{ "opprof_pipeline": "1.0", "vars": { "a": { "required": true, "help": "first" },
  "b": { "required": true, "help": "second" } }, $stages }
EOF1
check unknown-variable "no variable 'inptu'. Did you mean 'input'?" <<EOF1
{ "opprof_pipeline": "1.0", "vars": { "input": { "default": "x" } },
  "stages": [ { "id": "dump", "use": "collect-sim", "params": { "dump": "\${inptu}" } } ] }
EOF1
check no-producer "/stages/0 (stage 'timeline')" "instructions" "sim.instruction" <<EOF1
{ "opprof_pipeline": "1.0", "stages": [ { "id": "timeline", "use": "sim-timeline" } ] }
EOF1
check duplicate-id "stage 'dump' is repeated: see /stages/0" <<EOF1
{ "opprof_pipeline": "1.0", "stages": [ { "id": "dump", "use": "collect-sim", "params": { "dump": "d" } },
  { "id": "dump", "use": "collect-sim", "params": { "dump": "d" } } ] }
EOF1
mkdir loop
cp "${TEST_MODULES:?set by the makefile}/loop.so" loop/
check cycle "the links form a cycle: a -> b -> a" <<EOF1
{ "opprof_pipeline": "1.0", "plugin_path": [ "loop" ],
  "stages": [ { "id": "a", "use": "loop" }, { "id": "b", "use": "loop" } ],
  "links": [ { "from": "a", "to": "b" }, { "from": "b", "to": "a" } ] }
EOF1
check version "opprof_pipeline" <<EOF1
{ "opprof_pipeline": "7.0", $stages }
EOF1
check empty-stages "/stages" <<EOF1
{ "opprof_pipeline": "1.0", "stages": [] }
EOF1

: >empty.json
opprof --pipeline empty.json --validate
expect 2 "'empty.json' is empty"
mkdir directory.json
opprof --pipeline directory.json --validate
expect 2 "it is a directory"
truncate -s 100M big.json
opprof --pipeline big.json --validate
expect 2 "'big.json' is too large" "104857600 bytes"
opprof --pipeline absent.json --validate
expect 2 "Cannot open 'absent.json': No such file or directory"
opprof --pipeline sim-dmup --validate
expect 2 "Cannot find pipeline 'sim-dmup'" "Did you mean 'sim-dump'?"
printf 'not json' >text.json
chmod 000 text.json
if [ "$(id -u)" != 0 ]; then
    opprof --pipeline text.json --validate
    expect 2 "Permission denied"
fi

opprof --pipeline sim-dump --validate
expect 2 "required, but not given" "Set input=VALUE"
opprof --pipeline sim-dump --set inptu=x --set input=y --validate
expect 2 "Did you mean 'input'?"
opprof --pipeline sim-dump --set input=y --set dump.chp=z --validate
expect 2 "Did you mean 'chip'?"
opprof --pipeline sim-dump --set input=y --set core_id=77 --validate
expect 2 "core_id"
opprof --pipeline sim-dump --set input=y --set metrics=PipeUtilisation --validate
expect 2 "Did you mean 'PipeUtilization'?"

opprof
expect 2 "Neither an input nor --pipeline is given"
opprof --piepline x
expect 2 "Unknown option '--piepline' (did you mean '--pipeline'?)"
opprof --inpsect=x
expect 2 "did you mean '--inspect'?"
opprof --nothing-like-it
expect 2 "Unknown option '--nothing-like-it'; see"
opprof --json sim-dump
expect 2 "--json is only for --list, --inspect, --explain, --query and --diff"
opprof --pipeline
expect 2 "Option '--pipeline' needs a value"
opprof -o
expect 2 "Option '-o' needs a value"
opprof --pipeline x --set novalue
expect 2 "--set needs NAME=VALUE, not 'novalue'"
opprof --pipeline x --timeout soon
expect 2 "--timeout needs seconds above 0, not 'soon'"
opprof --pipeline x y z
expect 2 "Unexpected argument 'z'"
opprof --pipeline x --list --graph
expect 2 "exclude each other"
opprof --pipeline sim-dump --set input=y --tap dump.nothing --validate
expect 2 "nothing"
opprof --pipeline sim-dump --set input=y --validate
expect 0
holds grep -qx "Pipeline 'sim-dump' is valid." "$WORK/.stdout"
finish
