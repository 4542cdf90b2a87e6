#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The manual page of every plugin, opprof-plugin-NAME(7), is well-formed, and names all its ports,
# fields and parameters.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

use_opprof_run
need python3
mkdir "$scratch/pages"
opprof-run --list --json >"$scratch/list"
python3 -c 'import json, sys; print("\n".join(plugin["name"] for plugin in json.load(sys.stdin)["plugins"]))' \
    <"$scratch/list" >"$scratch/names"
[ "$(wc -l <"$scratch/names")" -ge 20 ] || fail "only a few plugins"
while read -r name; do
    page=$scratch/pages/opprof-plugin-$name.7
    opprof-run --inspect "$name" --format man >"$page" || fail "no page of $name"
    opprof-run --inspect "$name" --json >"$scratch/json"
    python3 - "$page" "$scratch/json" <<'PYTHON' || fail "the page of $name lacks something"
import json, sys
page, plugin = open(sys.argv[1], encoding="utf-8").read(), json.load(open(sys.argv[2],
                                                                          encoding="utf-8"))[
    "plugin"]
assert f".Nm opprof-plugin-{plugin['name']}\n" in page
for port in plugin["inputs"] + plugin["outputs"]:
    assert f'.It Sy "\\&{port["name"]}"\n' in page, port["name"]
    for field in port.get("fields") or []:
        assert f'.It Li "\\&{field["name"]}"\n' in page, field["name"]
for param in plugin["parameters"]:
    assert f'.It Cm "\\&{param["name"]}"\n' in page, param["name"]
PYTHON
done <"$scratch/names"
if command -v mandoc >/dev/null 2>&1; then
    mandoc -T lint -W warning "$scratch"/pages/*.7 || fail "mandoc finds mistakes"
elif command -v groff >/dev/null 2>&1; then
    groff -ww -mandoc -Tutf8 "$scratch"/pages/*.7 2>"$scratch/groff" >"$scratch/formatted"
    [ ! -s "$scratch/groff" ] || { head -n 20 -- "$scratch/groff"; fail "groff finds mistakes"; }
fi
code=0
opprof-run --inspect sim-dump --format man >"$scratch/out" 2>"$scratch/err" || code=$?
[ "$code" = 2 ] || fail "a manual page of a pipeline: exit code $code, not 2"
