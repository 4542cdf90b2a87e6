#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the shells offer for a command line of opprof-run.
. "$(dirname "$0")/lib.sh"
completion=$(cd "$(dirname "$0")/../../cli/completion" && pwd)
zsh_test=$(cd "$(dirname "$0")" && pwd)/zsh_completion.py
cd "$WORK" || exit 99
mkdir results files
"$OPPROF_RUN" "$completion/../../tests/data/ascend/pt_tables" --output made --flat >/dev/null 2>&1
echo '{}' >files/mine.json
cat >opprof-run <<END
#!/bin/sh
exec '$OPPROF_RUN' "\$@"
END
chmod +x opprof-run
PATH=$WORK:$PATH
. "$completion/opprof-run"

# offers LINE WORD... : with the cursor after the line, these words are among those that bash
# offers.
offers() {
    local word line=$1
    shift
    COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
    _opprof_run opprof-run 2>/dev/null
    printf '%s\n' "${COMPREPLY[@]}" >"$WORK/.stdout"
    for word; do
        checks=$((checks + 1))
        grep -qxF -- "$word" "$WORK/.stdout" || fail "not offered for '$line': $word"
    done
}

# only LINE WORD... : these and no others.
only() {
    offers "$@"
    shift
    checks=$((checks + 1))
    [ "${#COMPREPLY[@]}" = $# ] || fail "offered: ${COMPREPLY[*]}"
}

for COMP_WORDBREAKS in $' \t\n"\'><=;|&(:' $' \t\n'; do
    equals=
    [[ $COMP_WORDBREAKS == *=* ]] || equals=yes
    # The part of a word after a '=' stands alone where the shell parts words there.
    part() {
        echo "${equals:+$1=}$2"
    }
    only 'opprof-run --pip' --pipeline
    offers 'opprof-run --' --pipeline --set --add --verbose --quiet --help --json --plugin-path
    offers 'opprof-run --pipeline ' sim-dump kineto onboard-dump
    only 'opprof-run --pipeline sim-d' sim-dump
    only 'opprof-run kin' kineto
    only 'opprof-run mind' mindspore-dump
    only 'opprof-run --pipeline files/m' files/mine.json
    only 'opprof-run kineto res' results
    only 'opprof-run --output re' results
    only 'opprof-run -o re' results
    offers 'opprof-run sim-dump --set ' input= chip= metrics= dump.chip=
    only 'opprof-run --pipeline sim-dump --set cor' core_id=
    only 'opprof-run sim-dump --set metrics=PM' "$(part metrics PMSampling)"
    only 'opprof-run sim-dump --set metrics=PMSampling,Ov' "$(part metrics PMSampling,Overhead)"
    offers 'opprof-run sim-dump --set chip=Ascend910B' "$(part chip Ascend910B1)" \
        "$(part chip Ascend910B4)"
    offers 'opprof-run sim-dump --set dump.chip=Ascend31' "$(part dump.chip Ascend310)"
    only 'opprof-run sim-dump --add mine=sim-h' "$(part mine sim-hotspot)"
    only 'opprof-run --inspect sim-d' sim-details sim-dump
    only 'opprof-run --set chip=Ascend910B1 --explain aic_cube_rat' aic_cube_ratio
    only 'opprof-run --explain al' all
    only 'opprof-run --timeout '
    only 'opprof-run --query idle results --where '
    # The tables of results that stand before, and the columns of a table.
    only 'opprof-run made --query ascend_st' ascend_steps
    offers 'opprof-run --query ascend_steps made --where ' step computing_us
    only 'opprof-run --query ascend_steps made --where exposed_comm' exposed_communication_us
    only 'opprof-run --query ascend_steps made/results.sqlite --sort ste' step
    offers 'opprof-run --' --show --query --where --sort --columns --limit --page --diff --fail-if
    only 'opprof-run --format mar' markdown
    only 'opprof-run --show res' results
    only 'opprof-run --complete pl' plugins
    offers 'opprof-run sim-live -- pyth' python3
    offers 'opprof-run --output results -- ba' bash basename
    only 'opprof-run sim-live -- python3 files/m' files/mine.json
    only 'opprof-run -- ./opprof-r' ./opprof-run
done

# The other commands.
. "$completion/opprof-refchip"
. "$completion/opprof-plugin-new"
. "$completion/opprof-plugin-check"

# other FUNCTION LINE WORD... : exactly these are offered
other() {
    local function=$1
    read -ra COMP_WORDS <<<"$2"
    [[ $2 != *[[:blank:]] ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    shift 2
    "$function" 2>/dev/null
    checks=$((checks + 1))
    [ "${COMPREPLY[*]}" = "$*" ] || fail "$function offered: ${COMPREPLY[*]}"
}
other _opprof_refchip 'opprof-refchip matm' matmul
other _opprof_refchip 'opprof-refchip --chip Ascend910B1 matmul --d' --double-buffer
other _opprof_refchip 'opprof-refchip --chip Ascend3' Ascend310P3
other _opprof_plugin_new 'opprof-plugin-new mine --kind ' collect parse launches analyse export rule
other _opprof_plugin_new 'opprof-plugin-new mine --lang c+' c++
other _opprof_plugin_check 'opprof-plugin-check --al' --allocations

# A stranger's chip, pipeline and plugin are offered.
mkdir chips pipelines modules
echo '{ "opprof_chip": "1.0", "series": "Acme", "socs": { "Acme1": {} } }' >chips/acme.json
echo '{ "opprof_pipeline": "1.0", "vars": { "speed": { "choices": ["slow", "fast"] } }, "stages": [] }' >pipelines/acme-dump.json
cp "${OPPROF_BUILD_DIR:?set by the makefile}/tests/cli/modules/.libs/runes.so" modules/
export OPPROF_CHIP_PATH=$WORK/chips OPPROF_PIPELINE_PATH=$WORK/pipelines
COMP_WORDBREAKS=$' \t\n='
only 'opprof-run --set chip=Ac' Acme1
only 'opprof-run --pipeline acme-dump --set speed=' slow fast
only 'opprof-run --plugin-path modules --inspect ru' runes

# Lists that do not exist, and documents that cannot be read.
opprof --complete everything
expect 2 "--complete has no list 'everything'"
opprof --complete settings --pipeline no-such
expect 2 "no-such"
echo '{ "vars": 3, "stages": [ 1, { "id": 2, "use": "csv", "params": [] } ] }' >pipelines/odd.json
opprof --complete settings --pipeline ./pipelines/odd.json
holds [ "$code" -lt 128 ]
opprof --complete values=x --pipeline ./pipelines/odd.json
holds [ "$code" -lt 128 ]

# zsh, where it is.
if command -v zsh >/dev/null 2>&1; then
    unset OPPROF_CHIP_PATH OPPROF_PIPELINE_PATH
    OPPROF_PIPELINE_PATH=$WORK/pipelines run python3 "$zsh_test" "$completion" "$WORK"
    expect 0
fi
finish
