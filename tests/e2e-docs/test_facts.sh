#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages for authors of chip files describe exactly the members that the tables of facts allow:
# those of the tables in docs/chips are equal, and each other member is mentioned there or in the
# README of the family that reads it.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

need python3
use_opprof_run
members() { # PATH: the names that a table allows in the object there
    opprof-run --explain "$1" --set chip=Ascend910B1 | sed -n 's/^  may be: .*an object with //p' |
        sed 's/; or .*//; s/, each .*//' | tr -d ' ' | tr ',' '\n'
}

# The first cells of the N-th table below a heading.
cat >"$scratch/rows.py" <<'PY'
import re
import sys
page, heading, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(page, encoding="utf-8") as file:
    section = re.split(r"^## ", re.split(r"\n## `?" + heading + r"\b", file.read(), maxsplit=1)[1],
                       maxsplit=1, flags=re.M)[0]
table = re.findall(r"(?:^\|.*\n)+", section, re.M)[number - 1]
for row in table.splitlines()[2:]:
    print("\n".join(re.findall(r"`([\w.]+)`", row.split(" | ")[0])))
PY
checks=0
same() { # PATH PAGE HEADING N [PREFIX]: names with the prefix, without it; others have no dot
    checks=$((checks + 1))
    python3 "$scratch/rows.py" "$root/docs/chips/$2" "$3" "$4" >"$scratch/names"
    if [ -n "${5:-}" ]; then sed -n "s/^$5\.//p" "$scratch/names"; else grep -v '\.' \
        "$scratch/names"; fi | sort -u >"$scratch/said"
    members "$1" | sort -u >"$scratch/allowed"
    diff "$scratch/said" "$scratch/allowed" >&2 ||
        fail "docs/chips/$2 and the table of '$1' differ (<: only on the page)"
}
same pmu metrics.md pmu 1
same metrics metrics.md metrics 1
same metrics.storage metrics.md metrics 3
same metrics.storage.map metrics.md metrics 3 map
same metrics.tables.Use.columns metrics.md metrics 2
same instructions.x.operands chip-files.md 'What instructions do' 1 operands
[ $checks -ge 6 ] || fail "few tables are compared"

cat -- "$root"/docs/chips/*.md "$root"/docs/using/*.md "$root"/plugins/*/README.md >"$scratch/pages"
for path in pmu.records instructions.x simulator perfmon biu mc2 channels dbi raw warps flags \
    pipes caches.l2 cores; do
    members "$path" >"$scratch/allowed"
    [ -s "$scratch/allowed" ] || fail "no table describes '$path'"
    while read -r name; do
        [ "$name" = '*' ] || grep -qE "[\`\".]${name}[\`\".]" "$scratch/pages" ||
            fail "no page mentions '$name' of '$path'"
    done <"$scratch/allowed"
done
