#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What opprof-plugin-new writes, in each kind and language: it compiles without a warning with each
# compiler and standard that is there, its test passes, and so does the checker. The examples build
# by make and by autotools, and run. For an installed opprof: PKG_CONFIG_PATH finds it, OPPROF_SDK
# and OPPROF_PLUGIN_NEW name its parts.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

need pkg-config
[ -z "${SANITIZE_FLAGS:-}" ] || {
    echo "SKIP: modules for a sanitizer need its flags" >&2; exit 77
}
new=${OPPROF_PLUGIN_NEW:-$root/sdk/opprof-plugin-new}
export OPPROF_SDK=${OPPROF_SDK:-$root/sdk}
cd -- "$scratch"
unset MAKEFLAGS MFLAGS # of the make that runs this, whose jobs these are not
if [ -n "${DESTDIR:-}" ]; then # pkg-config puts its sysroot before flags, not before variables
    export MAKEFLAGS="checker=$BINDIR/opprof-plugin-check libdir=$LIBDIR"
fi

build() { # DIRECTORY WHAT VARIABLE=VALUE...
    local directory=$1 what=$2
    shift 2
    make -s -C "$directory" clean
    make -s -C "$directory" "$what" "$@" >"$scratch/log" 2>&1 || {
        cat -- "$scratch/log"; fail "$directory: $what $*"
    }
    ! grep -q 'warning' "$scratch/log" || { cat -- "$scratch/log"; fail "$directory warns: $*"; }
}

# shows NAME KIND: `make run` prints the table of what came along.
shows() {
    local wanted
    case $2 in
    collect) wanted='multiply,1,250\.0 add,2,80\.0' ;;
    analyse) wanted='multiply,30\.0,250\.0 add,300\.0,80\.0' ;;
    export) wanted='multiply.*250 add.*80' ;;
    parse) wanted='unit7,250\.0 unit3,80\.0' ;;
    launches) wanted='numbers\.bin,2,330' ;;
    esac
    [ -x "${OPPROF_RUN:-}" ] || return 0
    make -s -C "$1" run >"$scratch/said" 2>"$scratch/log" ||
        { cat -- "$scratch/log"; fail "$1: make run"; }
    for line in $wanted; do
        grep -q "$line" "$scratch/said" || { cat -- "$scratch/said"; fail "$1 shows no $line"; }
    done
}

# An analysis that adds a column: what its author writes, blank lines aside, are the lines after the
# comment "yours" and the summary; all else is the same for each.
few_own_lines() { # FILE
    local lines
    lines=$(awk '
        /^\/\* ---- yours/ { own = 1; next } /^\/\* ---- / { own = 0 }
        own && NF || /"Says in one/' "$1" | wc -l)
    [ "$lines" -ge 20 ] || fail "$1 does not say which lines are its author's"
    [ "$lines" -le 40 ] || fail "$1: $lines lines are its author's, more than 40"
}

# The numbers in opprof.rs are those of the headers.
headers=$(pkg-config --variable=includedir opprof)/opprof
[ -d "$headers" ] || headers=$root/core/include/opprof
numbers=0
while read -r name value; do
    grep -Eqr "OPPROF_([A-Z]+_)*$name( =)? $value(u|,| |\$)" "$headers" ||
        fail "opprof.rs: the headers do not have $name = $value"
    numbers=$((numbers + 1))
done < <(sed -En 's/^pub const ([A-Z0-9_]+): [iu]32 = ([0-9]+);.*/\1 \2/p' "$OPPROF_SDK/opprof.rs")
[ "$numbers" -ge 40 ] || fail "opprof.rs has only $numbers numbers"

written=0
for lang in c c++ rust; do
    if [ $lang = rust ] && ! command -v rustc >/dev/null 2>&1; then
        echo "there is no rustc: Rust is left out"
        continue
    fi
    for kind in collect parse launches analyse export; do
        [ $lang-$kind != rust-launches ] || continue
        name=my-$kind-${lang/++/pp}
        "$new" "$name" --kind $kind --lang $lang >"$scratch/said" || fail "opprof-plugin-new $name"
        [ $lang = rust ] || [ $kind != analyse ] || few_own_lines "$name"/plugin.*
        most=$([ $kind = launches ] && echo 150 || echo 80)
        [ "$(wc -l <"$(ls "$name"/plugin.*)")" -le "$most" ] ||
            fail "$name has more than $most lines"
        build "$name" check
        shows "$name" "$kind"
        written=$((written + 1))
    done
done

# A rule is listed, explained and refused like those that come with opprof.
"$new" my-rule --kind rule >"$scratch/said" || fail "opprof-plugin-new my-rule"
if [ -n "${OPPROF_RUN:-}" ]; then
    mkdir "$scratch/rules"
    OPPROF_RULES_PATH=$scratch/rules make -s -C my-rule install || fail "the rule is not installed"
    OPPROF_RULES_PATH=$scratch/rules "$OPPROF_RUN" --explain my-rule >"$scratch/said" ||
        fail "the rule is not explained"
    grep -q 'idle_percent' "$scratch/said" || fail "the rule's SELECT is not shown"
fi
for kind in collect parse launches analyse export; do
    for cc in gcc clang; do
        command -v $cc >/dev/null 2>&1 || continue
        build my-$kind-c my-$kind-c.so CC=$cc CFLAGS='-O2 -Wpedantic -Werror' STD=c11
        for std in c++17 c++20; do
            build my-$kind-cpp my-$kind-cpp.so CXX=${cc/gcc/g}++ CXXFLAGS='-O2 -Wpedantic -Werror' \
                STD=$std
        done
    done
done
for wrong in "Bad --kind parse" "good --kind pars" "good --kind parse --lang go" \
    "good --kind launches --lang rust" "my-parse-c --kind parse" "" "good --kind" \
    "good --kind parse --lang"; do
    code=0
    # shellcheck disable=SC2086 # several arguments
    "$new" $wrong 2>"$scratch/said" || code=$?
    [ $code = 2 ] || fail "opprof-plugin-new $wrong: exit code $code"
    [ -s "$scratch/said" ] || fail "opprof-plugin-new $wrong: no reason is given"
done

# The examples, together in a run: lines of a file become a table with one more column.
cp -r "$root/examples/plugins" examples
for kind in collect parse analyse export; do
    [ "$(wc -l <"examples/sample-$kind/plugin.c")" -le 150 ] ||
        fail "the example sample-$kind has more than 150 lines"
    build "examples/sample-$kind" check
done
few_own_lines examples/sample-analyse/plugin.c
if command -v autoreconf >/dev/null 2>&1 && command -v libtoolize >/dev/null 2>&1; then
    (cd examples && autoreconf -fi && ./configure && make) >"$scratch/log" 2>&1 || {
        tail -n 20 "$scratch/log"; fail "autotools"
    }
    for kind in collect parse analyse export; do
        [ -f "examples/.libs/sample-$kind.so" ] || fail "autotools made no sample-$kind.so"
    done
fi
use_opprof_run
printf 'alpha 1500\nbeta 20\n' >lines.txt
opprof-run --allow-writable-plugins --plugin-path examples/sample-collect \
    --plugin-path examples/sample-analyse \
    --plugin-path examples/sample-export --pipeline examples/samples.json --set input=lines.txt \
    --output results --flat >"$scratch/log" 2>&1 ||
    { cat -- "$scratch/log"; fail "the examples do not run"; }
printf 'alpha\t1500.0\t1.5\nbeta\t20.0\t0.02\n' | diff - results/sample-export.txt ||
    fail "the examples' result"

# What a new collector cannot read makes the run incomplete.
printf 'alpha 1.5\nbeta\ngamma 2\n' >lines.txt
for collector in my-collect-*; do
    printf '{ "opprof_pipeline": "1.0", "stages": [ { "id": "lines", "use": "%s", "params": { "input": "lines.txt" } }, { "id": "csv", "use": "csv" } ] }\n' \
        "$collector" >own.json
    code=0
    opprof-run --allow-writable-plugins --plugin-path "$collector" --pipeline ./own.json \
        --output own --flat >"$scratch/log" 2>&1 || code=$?
    [ $code = 4 ] || { cat -- "$scratch/log"; fail "$collector: a line is lost, exit code $code"; }
done
echo "$written plugins written and checked"
