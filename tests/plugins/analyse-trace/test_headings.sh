#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every column has its unit in its heading, but for those that the README names, with the units that
# it says.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

python3 "$root/tests/tools/make_ranks.py" "$scratch/ranks" 3 4
for input in "$scratch/ranks" "$root/tests/data/kineto/sampled_rank-0.json.gz"; do
    "$OPPROF_RUN" -q --pipeline kineto --set "input=$input" --set idle.stats=true \
        --set launches.rows=true \
        --output "$scratch/out-$(basename -- "$input")" --flat >/dev/null 2>"$scratch/err" || {
            cat -- "$scratch/err" >&2; fail "$input"
        }
done

python3 - "$root/plugins/analyse-trace/README.md" "$scratch"/out-*/results.sqlite <<'PY' || fail \
    "the unit of a column is missing, or not the one documented"
import re, sqlite3, sys
said = {}
for line in open(sys.argv[1], encoding="utf-8"):
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) == 3 and cells[0].endswith(".csv`"):
        for file in re.findall(r"`([^`]*)\.csv`", cells[0]):
            for column in re.findall(r"`([^`]*)`", cells[1]):
                said[file, column] = cells[2]
columns = set()
for path in sys.argv[2:]:
    columns.update(sqlite3.connect(path).execute(
        "SELECT t.file, c.name, c.heading, c.unit FROM opprof_columns c JOIN opprof_tables t ON "
        "t.name = c.table_name"
        " WHERE c.unit IS NOT NULL AND c.unit NOT IN ('', '1') AND t.file <> ''"))
used = set()
for file, name, heading, unit in columns:
    heading = heading or name
    if (file, heading) in said:
        assert said[file, heading] == unit, (file, heading, unit)
        used.add((file, heading))
    else:
        assert unit in heading or (unit == "us"
                                   and heading.endswith("_us")) or heading == "bytes", (
            file, heading, unit)
assert len(columns) > 60, len(columns)
assert used == set(said), set(said) - used
PY
