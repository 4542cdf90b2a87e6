#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# onboard-dump makes the same bytes in each run, of several devices and launches.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tests/tools/ten_runs.sh
. "$root/tests/tools/ten_runs.sh"
gen_onboard=${GEN_ONBOARD:-${TEST_TOOLS:-tests/tools}/gen_onboard}
[ -x "$gen_onboard" ] || fail "there is no $gen_onboard"

"$gen_onboard" --chip 910b --launches 3 --devices 2 --moves "$scratch/run"
ten_runs 0 --pipeline onboard-dump --set "input=$scratch/run"

# The page counts as many rows of a table as its files have, of all launches together.
python3 - "$scratch/same/1" <<'PYTHON'
import collections, csv, glob, json, os, re, sys
folder = sys.argv[1]
with open(os.path.join(folder, "report.html"), encoding="utf-8") as page:
    tables = json.loads(re.search(r'id="data-tables">(.*?)</script>', page.read(), re.S)[1])
rows = collections.Counter()
for path in glob.glob(os.path.join(folder, "device*", "**", "*.csv"), recursive=True):
    with open(path, newline="", encoding="utf-8") as file:
        rows[os.path.basename(path)[:-4]] += sum(1 for _ in csv.reader(file)) - 1
known = {table["type"]: table["total"] for table in tables if table["type"] in rows}
assert len(known) > 5 and known == {name: rows[name] for name in known}, (known, rows)
PYTHON
