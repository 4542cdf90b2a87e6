# SPDX-License-Identifier: Apache-2.0
"""Makes a symbols file of the .map files of libraries. usage: symbols_of_maps.py FILE MAP..."""

import pathlib
import re
import sys

NODE = re.compile(r"^([\w.]+) \{(.*?)^\}", re.DOTALL | re.MULTILINE)
SYMBOL = re.compile(r"^\s+(\w+);", re.MULTILINE)


def lines_of(path: pathlib.Path):
    """A library's heading, its versions and its symbols; the first release had all of them."""
    yield f"{path.stem}.so.0 libopprof0 #MINVER#"
    for node, body in NODE.findall(path.read_text(encoding="utf-8")):
        yield f" {node}@{node} 0.1.0"
        for symbol in sorted(SYMBOL.findall(body.partition("local:")[0])):
            yield f" {symbol}@{node} 0.1.0"


def main(out: str, *maps: str) -> None:
    lines = [line for path in maps for line in lines_of(pathlib.Path(path))]
    pathlib.Path(out).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
