#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Whatever files, documents and modules are called: no control sequence reaches the terminal, and
# neither these nor formulas of spreadsheets reach the results. Also standard descriptors that are
# closed, and modes.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/tools/terminals.sh
. "$here/../tools/terminals.sh"
need_terminals
cd "$WORK" || exit 99
esc=$'\033'
names=("${esc}[31mred" $'bell\a' $'c1\302\23331m' $'bare\23331m' $'line\n  because: lie' \
    $'cr\rgone')

# The last command wrote no control character but line breaks and tabs: C0, DEL, C1 as UTF-8 or
# bare.
plain() {
    checks=$((checks + 1))
    cat "$WORK/.stderr" "$WORK/.stdout" | python3 -c '
import sys
text = sys.stdin.buffer.read().decode("utf-8")
sys.exit(any((c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" for c in text))' ||
        fail "a control character in the output: $*"
}

# quoted TEXT: as a JSON string.
quoted() {
    python3 -c 'import json, os, sys; print(json.dumps(os.fsencode(sys.argv[1]).decode("utf-8", "replace")))' "$1"
}

mkdir modules
for name in "${names[@]}"; do
    json=$(quoted "$name")

    opprof --pipeline "$name"
    plain "unknown pipeline"
    opprof --pipeline sim-dump --set "input=$name"
    plain "unknown input"
    opprof --pipeline sim-dump --set "$name=1" --set input=x
    plain "unknown variable"
    opprof --pipeline sim-dump --set input=x --set "chip=$name"
    plain "unknown chip"
    opprof --pipeline sim-dump --set input=x --plugin-path "$name" --set "dump.$name=1"
    plain "unknown parameter"
    opprof "--$name"
    plain "unknown option"
    opprof --timeout "$name"
    plain "bad number"
    opprof --inspect "$name"
    plain "unknown plugin"
    opprof --pipeline sim-dump --set input=x --tap "dump.$name"
    plain "unknown port"
    opprof --pipeline sim-dump --set "input=$DATA/sim/sample_a2" --set chip=Ascend910B1 \
        --validate --output "$name"
    plain "valid"

    mkdir -p "documents"
    printf '{"opprof_pipeline": "1.0", "description": %s, "vars": {"v": {"help": %s}}, "stages": [{"id": %s, "use": %s, %s: 1}]}' \
        "$json" "$json" "$json" "$json" "$json" >documents/odd.json
    opprof --pipeline documents/odd.json
    plain "document"
    OPPROF_PIPELINE_PATH=documents opprof --list
    plain "list of documents"
    printf '{"opprof_pipeline": %s' "$json" >"documents/$name.json"
    opprof --pipeline "documents/$name.json"
    plain "broken document"
    OPPROF_PIPELINE_PATH=documents opprof --list
    plain "list of broken documents"
    rm -r documents

    printf 'no module' >"modules/$name.so"
    opprof --plugin-path modules --list
    plain "list of modules"
    rm "modules/$name.so"

    # A core whose log has a bad end makes the run incomplete, and the reason names the file.
    mkdir -p "dump$name"
    printf '[info] [%08d] (PC: 0x%x) SCALAR   : (Binary: 0x003bd781) ADD  XD:X1=0x1,\n' 100 4096 \
        >"dump$name/core0.veccore0.instr_popped_log.dump"
    { cat "dump$name/core0.veccore0.instr_popped_log.dump"
      head -c 70000 /dev/zero | tr '\0' x; } >"dump$name/core0.veccore0.instr_log.dump"
    opprof --pipeline sim-dump --set "input=dump$name" --set chip=Ascend910B1 --output out --flat -v
    plain "incomplete"
    if iconv -f UTF-8 -t UTF-8 <<<"$name" >/dev/null 2>&1; then
        expect 4
        holds is_json out/run.json
    else
        expect 2 "not UTF-8" # variables are JSON
    fi
done

# A line break in a name begins no line of its own, wherever the name is printed.
no_line() {
    checks=$((checks + 1))
    ! grep -q '^lie' "$WORK/.stdout" "$WORK/.stderr" || fail "a name begins a line: $*"
}
name=$'line\nlie: x'
mkdir documents
printf '{"opprof_pipeline": "1.0", "description": "a\\nlie", "vars": {"v\\nlie": {"help": "h\\nlie"}},
    "stages": [{"id": "dump", "use": "collect-sim", "params": {"dump": "/"}}, {"id": "t", "use": "sim-timeline"},
        {"id": "x", "use": "trace"}], "links": []}' >"documents/$name.json"
opprof --inspect "documents/$name.json"
expect 0
no_line "a document that is shown"
OPPROF_PIPELINE_PATH=documents opprof --list
expect 0
no_line "a document of the list"
sed -i 's/"v.nlie": {"help": "h.nlie"}//; s/"links": \[\]/"links": [{"from": "dump.instructions", "to": "t.instructions"}]/' "documents/$name.json"
opprof --validate --pipeline "documents/$name.json"
expect 0
no_line "a document that is valid"
sed -i 's/"from": "dump/"from": "\\nlie/' "documents/$name.json"
opprof --inspect "documents/$name.json"
expect 0
no_line "a link that is shown"
rm -r documents
mkdir modules
printf 'no module' >"modules/$name.so"
opprof --plugin-path modules --list
no_line "a module of the list"
opprof --pipeline sim-dump --set "input=$DATA/sim/gpr_bytes" --set chip=Ascend910B1 \
    --output "$name" --flat
expect 0
holds [ "$(cat "$WORK/.stdout")" = "$WORK/$name" ] # exact for scripts
opprof --diff "$name" "$name"
expect 0
no_line "results that are compared"
run python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$OPPROF_RUN" \
    -q --pipeline sim-dump --set "input=$DATA/sim/gpr_bytes" --set chip=Ascend910B1 \
    --output "$name" --flat
expect 0
holds grep -qF '/line?lie: x' "$WORK/.stdout"
no_line "the path of results on a terminal"

# A tap shows odd bytes as escapes, also on a terminal.
opprof --pipeline sim-dump --set "input=dump${names[0]}" --set chip=Ascend910B1 --output out \
    --flat --tap dump.instructions
plain "tap"

# Progress on a terminal of 40 columns: the percentage is there, never 100, and no line is too long.
for columns in 20 40 200; do
    run python3 "$here/on_terminal.py" "$columns" "$OPPROF_RUN" sim-dump "$DATA/sim/sample_a2" \
        --set chip=Ascend910B1 --output out --flat
    expect 4
    holds python3 - "$columns" <<'END'
import re, sys
with open(".stdout", encoding="utf-8", newline="") as file:
    lines = re.findall("\r\033\\[K([^\r\n]+)(?=\r\033)", file.read())
sys.exit(not lines or any(len(line) >= int(sys.argv[1]) or not re.match("[ 1-9][0-9] %", line)
                          for line in lines))
END
done

# Statistics of a run are for the group at most, like its results.
(umask 0 && "$OPPROF_RUN" -q --pipeline sim-dump --set "input=$DATA/sim/sample_a2" \
    --set chip=Ascend910B1 --output out --flat --stats stats.json >/dev/null 2>&1)
holds [ "$(stat -c %a stats.json)" = 640 ]

# With standard descriptors closed, no file of the results becomes standard error.
rm -rf out
code=0
"$OPPROF_RUN" --pipeline sim-dump --set "input=$DATA/sim/sample_a2" --set chip=Ascend910B1 \
    --output out --flat --tap dump.instructions=tap.tsv <&- >&- 2>&- || code=$?
: >"$WORK/.stderr"
holds [ "$code" != 0 ] # the path of the results could not be written
for file in out/run.json out/trace.json; do
    holds is_json "$file"
done
holds [ "$(grep -c opprof-run tap.tsv)" = 0 ]
finish
