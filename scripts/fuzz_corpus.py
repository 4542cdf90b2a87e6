#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reduces the corpora of fuzz targets: the inputs with a name stay, and of those that a fuzzer
found the fewest that reach the same edges, 40 a target at most with the named ones.

usage: fuzz_corpus.py BUILD [TARGET...]     BUILD: a build with --enable-fuzz, such as fuzz-build of
                                            `make fuzz`

New inputs, which a fuzzer leaves in fuzz-build/work/TARGET, are copied into fuzz/corpus/TARGET
before. A target whose corpus is a link shares the inputs of another, which decides what stays.
"""
import os
import re
import subprocess
import sys
import tempfile

MOST = 40
CORPORA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fuzz",
                       "corpus")
FOUND = re.compile(r"[0-9a-f]{40}")  # the name that a fuzzer gives


def edges_of(build, target, folder):
    """The edges that each input reaches, from the control file of libFuzzer's merge."""
    with tempfile.TemporaryDirectory() as scratch:
        control = os.path.join(scratch, "control")
        merged = os.path.join(scratch, "merged")
        os.mkdir(merged)
        subprocess.run([os.path.join(build, "fuzz", "fuzz_" + target), "-merge=1",
                        "-use_counters=0", "-timeout=300", "-rss_limit_mb=4096",
                        "-merge_control_file=" + control, merged, folder],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
                       env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"))
        with open(control, encoding="utf-8") as file:
            lines = file.read().split("\n")
    names = [os.path.basename(line) for line in lines[2:2 + int(lines[0])]]
    edges = {name: set() for name in names}
    for words in (line.split() for line in lines[2 + len(names):]):
        if words and words[0] == "COV":
            edges[names[int(words[1])]].update(words[2:])
    return edges


def chosen(edges, folder):
    """The named inputs, then always the one with most new edges, of equals the smallest."""
    kept = [name for name in sorted(edges) if not FOUND.fullmatch(name)]
    rest = set(edges) - set(kept)
    reached = set().union(*(edges[name] for name in kept))
    while rest and len(kept) < MOST:
        best = max(sorted(rest), key=lambda name: (len(edges[name] - reached),
                                                   -os.path.getsize(os.path.join(folder, name))))
        if edges[best] <= reached:
            break
        rest.remove(best)
        kept.append(best)
        reached |= edges[best]
    return kept, len(reached)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for target in sys.argv[2:] or sorted(os.listdir(CORPORA)):
        folder = os.path.join(CORPORA, target)
        if os.path.islink(folder):
            print(f"{target}: shares the inputs of {os.readlink(folder)}", flush=True)
            continue
        edges = edges_of(sys.argv[1], target, folder)
        kept, reached = chosen(edges, folder)
        for name in set(edges) - set(kept):
            os.remove(os.path.join(folder, name))
        print(f"{target}: {len(edges)} -> {len(kept)} inputs, {len(set().union(*edges.values()))} "
              f"-> {reached} edges", flush=True)


if __name__ == "__main__":
    main()
