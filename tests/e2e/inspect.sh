#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --inspect of a pipeline, and JSON of what is there: the keys are a contract (opprof-run(1)).
. "$(dirname "$0")/lib.sh"
cd "$WORK" || exit 99

# says TEXT... : the last command printed these lines.
says() {
    local text
    for text; do
        checks=$((checks + 1))
        grep -qF -- "$text" .stdout || fail "not printed: $text"
    done
}

# json EXPRESSION... : each is true of the object `d` that the last command printed.
json() {
    checks=$((checks + $#))
    python3 - "$@" <<'END' || fail "JSON: $*"
import json, sys
with open(".stdout", encoding="utf-8") as file:
    d = json.load(file)
wrong = [text for text in sys.argv[1:] if not eval(text)]
print(*wrong, sep="\n")
sys.exit(bool(wrong))
END
}

opprof --inspect sim-dump
expect 0
says "sim-dump: pipeline" "Accepts: camodel-dump" "  input    path; required" \
    "camodel dump directory" "  chip     string; default auto" \
    "list, of: PipeUtilization, ResourceConflictRatio" "Stages:" \
    "collect-sim     Reads the dump directory of a camodel simulation."
opprof --inspect mc2-dump
expect 0
says "Links, in addition to those that follow from types:" "  timeline.spans -> overlap.spans"
opprof --inspect collect-sim
expect 0
says "Reads from chip files: clocks, simulator" "Recognises:" \
    "  camodel-dump  a simulator's dump directory"
cp "${TEST_MODULES:?set by the makefile}/good.so" .
opprof --inspect ./good.so
expect 0
says "good 1" "File:    $WORK/good.so"
opprof --json --inspect "$WORK/good.so"
expect 0
json 'd["plugin"]["name"] == "good"'
opprof --inspect ./none.so
expect 3 "Cannot find plugin 'none'"
opprof --inspect no-such
expect 3 "no-such"
opprof --inspect ./no-such.json
expect 2 "no-such.json"
# A document with more stages than a pipeline may have is not shown, which would take a search for
# each; its name is said.
{
    printf '{"opprof_pipeline": "1.0", "stages": [{"id": "s0", "use": "no-such-plugin"}'
    for i in {1..256}; do printf ',{"id": "s%d", "use": "no-such-plugin"}' "$i"; done
    printf ']}'
} >flood.json
opprof --inspect ./flood.json
expect 2 "Pipeline './flood.json' has 1 mistake" "/stages: 257 are too many: at most 256"
cat >mine.json <<'END'
{ "opprof_pipeline": "1.0", "extends": "sim-dump", "vars": { "core_id": { "default": ["0", "1"] }, "new": { "choices": ["a", "b"] } },
  "stages": [ { "id": "late", "use": "no-such-plugin" } ] }
END
opprof --inspect ./mine.json
expect 0
says "  core_id  list; default 0,1" "  new      text, of: a, b" "  late" "not usable"

opprof --list --json
expect 0
json 'set(d) == {"version", "pipelines", "plugins", "rules", "queries", "unusable", "shadowed"}' \
    'all({"name", "title", "path"} <= set(q) for q in d["rules"] + d["queries"])' \
    '{"data-loading", "healthy"} <= {q["name"] for q in d["rules"]} and "advice" in {q["name"] for q in d["queries"]}' \
    'set(d["plugins"][0]) == {"name", "kind", "version", "license", "summary", "path"}' \
    'set(d["pipelines"][0]) == {"name", "path", "error", "description", "accepts", "vars"}' \
    '{"sim-dump", "kineto"} <= {p["name"] for p in d["pipelines"]}' \
    'any(p["name"] == "csv" and p["kind"] == "exporter" for p in d["plugins"])'
cp "$WORK/.stdout" "$WORK/list.json"
opprof --list --format json
expect 0
holds cmp -s "$WORK/.stdout" "$WORK/list.json"
opprof --list --format html
expect 2 "--format must be text or json here, not 'html'"
opprof --diff a b --format yaml
expect 2 "--format must be text, json, markdown or html, not 'yaml'"
opprof --inspect collect-sim --format json
expect 0
json 'set(d) == {"plugin"}' \
    'set(d["plugin"]) == {"name", "kind", "version", "license", "summary", "path", "help", "instances", "chip_sections", "recognises", "inputs", "outputs", "parameters"}' \
    'd["plugin"]["instances"] == "cores"' \
    'd["plugin"]["chip_sections"] == ["clocks", "simulator"]' \
    'd["plugin"]["recognises"][0]["name"] == "camodel-dump"' \
    'set(d["plugin"]["outputs"][0]) == {"name", "type", "version", "table", "order", "many", "optional", "partial", "summary", "fields"}' \
    'set(d["plugin"]["outputs"][0]["fields"][0]) == {"name", "heading", "kind", "unit", "meaning", "absent", "key", "hidden"}' \
    'set(d["plugin"]["parameters"][0]) == {"name", "type", "required", "default", "min", "max", "unit", "choices", "summary"}' \
    '[p["choices"][0] for p in d["plugin"]["parameters"] if p["name"] == "metrics"] == ["PipeUtilization"]'
opprof --inspect ./mine.json --json
expect 0
json 'set(d["pipeline"]) == {"name", "path", "error", "description", "accepts", "vars", "stages", "links"}' \
    'set(d["pipeline"]["vars"][0]) == {"name", "help", "required", "default", "choices", "type"}' \
    '[v["default"] for v in d["pipeline"]["vars"] if v["name"] == "core_id"] == [["0", "1"]]' \
    'd["pipeline"]["stages"][0]["use"] == "collect-sim" and set(d["pipeline"]["stages"][0]) == {"id", "use", "params", "critical"}'
opprof --explain data-loading --json
expect 0
json 'set(d) == {"rule"}' '{"name", "title", "todo", "path", "reads", "sql"} <= set(d["rule"])' \
    'd["rule"]["sql"].startswith("-- SPDX")' \
    '[t["columns"] for t in d["rule"]["reads"] if t["name"] == "trace_host_activities"][0][0] == {"name": "rank", "unit": None, "meaning": "Rank."}'
opprof --explain aic_cube_ratio --set chip=Ascend910B1 --json
expect 0
json 'set(d) == {"chip", "metric", "explanation"}' \
    'd["explanation"][0]["text"] == "aic_cube_ratio"' \
    '"unit: ratio" in [line["text"] for line in d["explanation"][0]["lines"]]' \
    'any(line["text"] == "inputs:" and line["lines"] for line in d["explanation"][0]["lines"])'

# A module and a document that cannot be used, and names that are odd.
mkdir modules documents
printf 'no module' >modules/bad.so
printf '{' >$'documents/odd\033.json'
OPPROF_PIPELINE_PATH=documents opprof --plugin-path modules --list --json
expect 0
json '[u["path"].endswith("bad.so") and bool(u["error"]) for u in d["unusable"]] == [True]' \
    '[bool(p["error"]) for p in d["pipelines"] if p["name"].startswith("odd")] == [True]'
finish
