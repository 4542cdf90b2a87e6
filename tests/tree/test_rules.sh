#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tree keeps the rules that scripts/rules.py knows, and that finds what breaks them: each kind
# of violation is put into a copy of the tree.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"

rules=$root/scripts/rules.py
export PYTHONDONTWRITEBYTECODE=1
python3 "$rules" || fail "the tree breaks rules"

copy=$scratch/tree
mkdir "$copy"
tar -C "$root" --exclude='*.gz' --exclude=./tests/data --exclude=./fuzz/corpus \
    --exclude='./build*' --exclude=./.git \
    -cf - core cli kit results print compare harness inject sdk records plugins bench fuzz tests \
    refchip examples scripts chips pipelines docs python \
    Makefile.am configure.ac |
    tar -C "$copy" -xf -
chmod -R u+w -- "$copy"

# finds RULE TEXT FILE LINE...: the lines, added to the file, break the rule; the text is said of
# it, and nothing else is said. Without the lines no rule is broken.
finds() {
    local rule=$1 text=$2 file=$copy/$3 kept
    shift 3
    kept=$scratch/kept
    mkdir -p -- "${file%/*}"
    if [ -f "$file" ]; then cp -p -- "$file" "$kept"; else rm -f -- "$kept"; fi
    printf '%s\n' "$@" >>"$file"
    ! python3 "$rules" --root "$copy" "$rule" >"$scratch/said" || fail "$rule does not see: $*"
    grep -qF -- "$text" "$scratch/said" || {
        cat -- "$scratch/said" >&2; fail "$rule does not say '$text'"
    }
    grep -qx '1 broken' "$scratch/said" || {
        cat -- "$scratch/said" >&2; fail "$rule says more than '$text'"
    }
    if [ -f "$kept" ]; then mv -- "$kept" "$file"; else rm -- "$file"; fi
}

python3 "$rules" --root "$copy" includes calls words families spdx purpose copies arity guards \
    headers params depth contracts design prose columns heads || fail "the copy breaks rules"
finds heads "its head does not have 'source'" plugins/export/rules/new.sql "" "-- title: A" \
    "-- topic: b" "-- reason: c" "SELECT 1;"
finds includes "base lies below or beside run" core/base/error.c '#include "run/graph.h"'
finds includes "stream lies below or beside run" core/stream/batch.c '#include <opprof/stage.h>'
finds includes "the core includes only itself" core/run/graph.c '#include <opprof/kit/chip.h>'
finds includes "the kit sees the core's public headers" kit/io/large_array.c \
    '#include "core/base/problems.h"'
finds includes "the kit sees the core's public headers, and record types" kit/facts/chip.c \
    '#include "collect-sim/lines/line.h"'
finds includes "comparisons see what prints, and the public headers" compare/load.c \
    '#include "results/schema.h"'
finds includes "what prints sees the public headers of core and results" print/rows.c \
    '#include "compare/compare.h"'
finds includes "the library of results sees the core's public headers" results/results.c \
    '#include <opprof/kit/chip.h>'
finds includes "a family sees public headers and itself" plugins/export/csv.c \
    '#include "collect-sim/lines/line.h"'
finds includes "a family sees public headers and itself" plugins/export/csv.c \
    '#include "core/base/problems.h"'
finds includes "the command sees comparisons, what prints" cli/options.c \
    '#include "core/document/config.h"'
finds includes "record types see the core's public headers" records/include/opprof/records/sim.h \
    '#include <opprof/kit/chip.h>'
finds includes "tests of the core need nothing else" tests/core/base/test_error.c \
    '#include <opprof/kit/chip.h>'
finds includes "the injection library sees itself" inject/link/notes.c '#include <opprof/stage.h>'
finds includes "what the injection library shares knows no runtime" inject/link/notes.c \
    '#include "refchip/abi.h"'
finds includes "it sees what an installed opprof has" examples/plugin/busy_time.c \
    '#include "core/base/problems.h"'
finds includes "includes form a cycle" plugins/export/text_arena.h '#include "table_file.h"' \
    '#include "text_arena.h"'
finds includes "no header 'opprof/nowhere.h'" cli/screen.c '#include <opprof/nowhere.h>'
finds calls "core/base/text.c: uses MessagesSort, but base lies below or beside run" \
    core/base/text.c 'static void f(StageMessages *messages) { MessagesSort(messages); }'
finds calls "core/guard/crash.c: uses ReplayFinish, but guard lies below or beside recording" \
    core/guard/crash.c 'static void f(OpprofPipeline *pipeline) { ReplayFinish(pipeline); }'
finds calls \
    "calls form a circle: core/run/stage.c uses AppendPushAll of core/run/append.c, core/run/append.c uses" \
    core/run/stage.c 'static void f(OpprofStage *stage) { AppendPushAll(stage); }'
finds calls "kit/facts/chip_line.c uses ChipMake of kit/facts/chip.c" kit/facts/chip_line.c \
    'static void f(ChipFiles *files, OpprofChip **chip) { ChipMake(files, NULL, "a", chip, NULL); }'
finds calls "plugins/mc2/names.c uses BiuEmit of plugins/mc2/biu_channel.c" plugins/mc2/names.c \
    'static void f(BiuLaunch *launch) { BiuEmit(launch, NULL); }'
finds depth "files deep: sim_timeline > core_timeline" plugins/analyse-sim/timeline/row_kind.h \
    '#include "flags.h"'
finds words "the core says 'veccore'" core/run/graph.c '/* core0.veccore0 */'
finds words "the core says 'MTE2'" core/base/text.c '/* of MTE2 */'
finds words "the core says '910B'" core/include/opprof/stage.h '/* of 910B */'
finds words "names the option '--set'" core/run/graph.c \
    'static const char text[] = "Use --set x=1";'
finds words "names the option '--output'" kit/facts/chip.c \
    'static const char text[] = "see --output";'
finds words "the core says 'insight'" core/include/opprof/present.h '/* Goes to insight. */'
finds words "names the option '--plugin-path'" harness/harness.c \
    'static const char text[] = "see --plugin-path";'
finds params "OpprofNewCall does not describe 'size'" core/include/opprof/text.h \
    '/** True for something. [any thread] */' \
    'bool OpprofNewCall(const char *text, int size, OpprofError **error);'
finds headers "OpprofNewCall does not say what comes back" core/include/opprof/text.h \
    '/** Do something. [any thread] */' 'int OpprofNewCall(int size);'
finds contracts "docs/plugins/contracts.md lacks | \`new-given\` | It is given |" core/base/text.c \
    'static void f(int a) { OPPROF_REQUIRE("new-given", a != 0, "It is given"); }'
finds contracts "'map-given' has two sentences" core/base/text.c \
    'static void f(int a) { OPPROF_REQUIRE("map-given", a != 0, "Another sentence"); }'
finds contracts "nothing in core and kit requires 'old-given'" docs/plugins/contracts.md \
    "| \`old-given\` | It was given |"
finds columns "'operator' is a word of C++" plugins/export/new.c 'static int operator;'
finds columns "has 101 columns" scripts/new.sh "$(printf 'true %096d' 0)"
finds columns "has 112 columns" tests/new.sh "$(printf 'true %096d "%08d"' 0 0)"
finds columns "which it tears" plugins/export/new.h 'struct New {' '    uint64_t' \
    '        bytes; /* of all */' '};'
finds prose "'Likewise': write it as" plugins/export/new.c '/* Likewise for tables. */'
finds prose "'what is no kernel'" docs/using/data.md 'It refuses what is no kernel.'
finds design "does not name the folder 'kit/new'" kit/new/new.c 'int x;'
# shellcheck disable=SC2016 # a line of Markdown
finds design "names the folder 'core/old', which is not there" docs/design.md \
    '| `core/old` | it was there | |'
finds guards "its guard 'EXPORT_OLD_H' is not its path" plugins/export/new.h \
    '#ifndef EXPORT_OLD_H' '#define EXPORT_OLD_H' '#endif'
finds headers "new.h:1: says neither" kit/include/opprof/kit/new.h '/**' ' * @file' ' * New.' ' */'
finds headers "OpprofGrowTwice is not described" core/include/opprof/clock.h \
    'void OpprofGrowTwice(void *array);'
finds headers "OpprofGrowTwice does not say who may call it" core/include/opprof/clock.h \
    '/** Grow it. */' 'void OpprofGrowTwice(void *array);'
finds headers "does not say what it returns" core/include/opprof/clock.h '/** Grow it. [owner] */' \
    'OpprofStatus OpprofGrowTwice(void *array);'
finds headers "does not say who owns it" core/include/opprof/clock.h '/** Grow it. [owner] */' \
    'void *OpprofGrowTwice(void *array);'
finds families "refers to plugins/collect-sim/" plugins/export/module.mk \
    'x_SOURCES = plugins/collect-sim/lines/line.c'
finds families "refers to tests/plugins/export/" bench/module.mk \
    'x_SOURCES = tests/plugins/export/test_csv.c'
# shellcheck disable=SC2016 # a variable of the makefile
finds families 'uses $(export_trace_parts), which only plugins/export/ sets' bench/module.mk \
    'x_SOURCES = $(export_trace_parts)'
finds families "of the family collect-sim" bench/bench_stream.c \
    '#include "plugins/collect-sim/lines/line.h"'
finds spdx "new.c:1: no SPDX line" plugins/export/new.c 'int x;'
finds copies "grows an array by itself" plugins/export/new.c 'a = reallocarray(a, n, 8);'
finds copies "words its own lack of memory" kit/facts/chip.c \
    'return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory");'
finds copies "hashes by itself" plugins/export/new.c 'hash *= UINT64_C(0x100000001b3);'
finds arity "put_all has 7 parameters" plugins/export/new.c \
    'static int put_all(int a, int b, int c, const char *d,' \
    '                   int (*e)(int, int), int f, int g)' '{'
finds arity "PutAll has 7 parameters" kit/include/opprof/kit/map_of.h \
    'int PutAll(int a, int b, int c, int d, int e, int f, int g);'
finds copies "runs another program by itself" plugins/export/new.c \
    'posix_spawnp(&pid, words[0], NULL, NULL, words, environ);'
finds copies "gives advice by itself" plugins/export/new.c \
    'OpprofAdviceText advice = { .topic = "a" };'
finds copies "has the name of plugins/advise/rules/healthy.sql" plugins/advise/rules/healthy.sql \
    '-- SPDX-License-Identifier: Apache-2.0'
finds copies "leaves out why" plugins/export/new.c \
    'OpprofStageIncomplete(stage, "%s", OpprofErrorMessage(error));'
finds sections "new.c:3: a heading is" plugins/export/new.c \
    '/* SPDX-License-Identifier: Apache-2.0 */' '/* New. */' '/* -------- rows */' 'int x;'
finds sections "new.c:4: a heading is" plugins/export/new.c \
    '/* SPDX-License-Identifier: Apache-2.0 */' '/* New. */' '' '/* Rows */' '' 'int x;'
finds tests "names 'tests/core/base/test_old', which is not there" plugins/export/new.c \
    '/* SPDX-License-Identifier: Apache-2.0 */' \
    '/* Tested by tests/core/base/test_map and tests/core/base/test_old. */'
finds purpose "new.c:2: no sentence" plugins/export/new.c \
    '/* SPDX-License-Identifier: Apache-2.0 */' 'int x;'
finds purpose "test_new.c:2: no sentence" tests/core/base/test_new.c \
    '/* SPDX-License-Identifier: Apache-2.0 */' 'int x;'
finds tests "no makefile names it" tests/core/base/test_new.c \
    '/* SPDX-License-Identifier: Apache-2.0 */' 'int x;'
finds tests "test_new.c" plugins/export/new.c '/* SPDX-License-Identifier: Apache-2.0 */' \
    '/* Tested by hand. */'
