#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutates single files of a complete sample, and demands that no run ends complete with other
numbers.

    mutate_files.py [--count N] [--every N] [--seed N] [--only TEXT] [--records JSON]
                    [--keep FOLDER] TABLE INPUT [OTHER]

INPUT is a complete sample, a directory or a file; OTHER is a second one, of another launch. The
unharmed INPUT must end with exit code 0. Each mutation leaves a readable file: it is cut after
whole records, records are dropped, doubled or exchanged with their neighbours, the file is doubled,
removed, replaced by the one of another launch, or changes places with that. A mutated run must be
incomplete (exit code 4), be refused (1 or 2), or have the numbers of the unharmed one. MUTATION_SEED
stands for --seed in tests that run this.

TABLE (tests/tools/mutations/PIPELINE.json) says what the files of a pipeline are:

    pipeline    its name
    arguments   further arguments of opprof-run
    results     patterns of the results that are compared (["*.csv"])
    most        how many records a mutation may drop, double or repeat (any number)
    files       objects, the first whose `match` fits counts; files that none fits are not mutated
        match       a pattern of the path below INPUT; "." where INPUT is a file
        records     "lines"; a number: bytes of a record; {"bytes": N, "header": M}; {"json": NAME}:
                    elements of that array ("": of the file); {"sqlite": TABLE}: rows of that table
                    of a database; {"separated": HEX}: each ends with these bytes; {"length": N}: N
                    bytes, 4 bytes with the length of the rest, little-endian, and the rest; without
                    it, the file is only mutated as a whole
        swaps       a pattern of files of another launch within INPUT, for which the file is
                    exchanged; those of OTHER have the same path
        weight      how many mutations this file gets, compared with others (1)
    unknowable  kinds that may end complete with other numbers, each with the reason (`why`) why it
                cannot be known: `what` (a regular expression that fits the whole mutation, such as
                "dropped .*"), `files` (a pattern, else all), `record` (a regular expression that
                must be found in each record that is gone or more, else all). A kind that no
                mutation is of fails the test, unless it is `rare` (true).
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile


SEED = 44  # with which each listed kind must show


# ---- records of a file ----


def split_json(data, name):
    """Text before the array's elements, the elements, and the text after them."""
    text = data.decode()
    at = re.search('"%s"\\s*:\\s*\\[' % re.escape(name) if name else "\\[", text).end()
    decoder, elements = json.JSONDecoder(), []
    start = at
    while True:
        at += len(text[at:]) - len(text[at:].lstrip(" \n,"))
        if text[at] == "]":
            return text[:start].encode(), elements, text[at:].encode()
        end = decoder.raw_decode(text, at)[1]
        elements.append(text[at:end].encode())
        at = end


def split_sqlite(data, table):
    """The database without the table's rows, and these as JSON."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        db = sqlite3.connect(file.name)
        rows = [json.dumps(row).encode() for row in db.execute(f"SELECT * FROM {table}")]
        db.execute(f"DELETE FROM {table}")
        db.commit()
        db.close()
        with open(file.name, "rb") as rest:
            return rest.read(), rows


def join_sqlite(data, table, rows):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        db = sqlite3.connect(file.name)
        for row in map(json.loads, rows):
            db.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(row))})", row)
        db.commit()
        db.close()
        with open(file.name, "rb") as whole:
            return whole.read()


class Records:
    """A file as a header, records and a trailer, and how to put them together again."""

    def __init__(self, data, how):
        self.header, self.list, self.trailer, self.glue = b"", [], b"", b""
        self.table = how["sqlite"] if isinstance(how, dict) and "sqlite" in how else None
        if how == "lines":
            self.list = data.splitlines(keepends=True)
        elif isinstance(how, dict) and "json" in how:
            self.header, self.list, self.trailer = split_json(data, how["json"])
            self.glue = b","
        elif self.table is not None:
            self.header, self.list = split_sqlite(data, self.table)
        elif isinstance(how, dict) and "length" in how:
            at = 0
            while at < len(data):
                place = at + how["length"]
                end = place + 4 + int.from_bytes(data[place : place + 4], "little")
                self.list.append(data[at:end])
                at = end
        elif isinstance(how, dict) and "separated" in how:
            mark = bytes.fromhex(how["separated"])
            self.list = [part + mark for part in data.split(mark)[:-1]]
            self.trailer = data[sum(map(len, self.list)) :]
        elif how is not None:
            size, first = (how["bytes"], how.get("header", 0)) if isinstance(how, dict) else (
                how, 0)
            whole = first + (len(data) - first) // size * size
            self.header, self.trailer = data[:first], data[whole:]
            self.list = [data[at : at + size] for at in range(first, whole, size)]

    def join(self, records):
        if self.table is not None:
            return join_sqlite(self.header, self.table, records)
        return self.header + self.glue.join(records) + self.trailer


# ---- mutations ----


class Mutation:
    """What is done to a file: `data` are its new bytes (None: it is gone), `swap` the path of the
    file that gets the old ones."""

    def __init__(self, path, what, data, changed=(), swap=None):
        self.path, self.what, self.data, self.changed, self.swap = path, what, data, list(
            changed), swap


def of_records(path, records, most, rng):
    """A mutation of some records: mostly few of them, for those are the hard ones."""
    count = len(records.list)
    some = min(count, most, rng.choice((1, 1, 1, 2, 3, 5, 10, 30, 64, max(1, count // 3))))
    at = rng.randrange(count - some + 1)
    part = records.list[at : at + some]
    kind = rng.choice(("cut", "cut", "dropped", "dropped", "doubled", "doubled", "repeated",
                       "exchanged", "thinned"))
    if kind == "cut":
        part, rest = records.list[count - some :], records.list[: count - some]
        what = f"cut before the last {some}"
    elif kind == "dropped":
        what, rest = f"dropped {some} at {at}", records.list[:at] + records.list[at + some :]
    elif kind == "doubled":
        what, rest = f"doubled {some} at {at}", records.list[: at + some] + records.list[at:]
    elif kind == "repeated":
        what, rest = f"repeated {some} of {at} at the end", records.list + part
    elif kind == "thinned":
        gone = set(rng.sample(range(count), min(count, most, rng.choice((2, 3, 5, 10)))))
        what, part = f"thinned by {len(gone)}", [records.list[i] for i in sorted(gone)]
        rest = [record for i, record in enumerate(records.list) if i not in gone]
    else:
        at = min(at, max(0, count - 2))
        part = records.list[at : at + 2]
        what, rest = f"exchanged {at} with the next", records.list[:at] + part[::-1] + records.list[
            at + 2 :]
    return Mutation(path, what, records.join(rest), part)


class Sample:
    """The files of a pipeline's input that are mutated."""

    def __init__(self, table, given, other):
        self.given, self.other, self.most = given, other, table.get("most", sys.maxsize)
        self.rules = {}
        for path in self.paths():
            rule = next((rule for rule in table["files"] if fnmatch.fnmatch(path, rule["match"])),
                        None)
            if rule is not None:
                self.rules[path] = rule

    def paths(self):
        if os.path.isfile(self.given):
            return ["."]
        found = glob.glob(os.path.join(self.given, "**"), recursive=True)
        return sorted(os.path.relpath(path, self.given) for path in found if os.path.isfile(path))

    def read(self, path, folder=None):
        where = folder or self.given
        with open(where if path == "." else os.path.join(where, path), "rb") as file:
            return file.read()

    def whole(self, path, rng):
        """A mutation of the file as a whole; None: this kind leaves it as it is."""
        data = self.read(path)
        kind = rng.choice(("removed", "doubled", "replaced", "swapped"))
        if kind == "removed":
            return None if path == "." else Mutation(path, "removed", None)
        if kind == "doubled":
            return Mutation(path, "doubled as a whole", data + data)
        others = [(None, name) for name in self.rules if name != path
                  and fnmatch.fnmatch(name, self.rules[path].get("swaps", ""))]
        if kind == "replaced" and self.other is not None and os.path.exists(os.path.join(self.other,
                                                                                         path)):
            others.append((self.other, path))
        if not others:
            return None
        folder, name = rng.choice(others)
        mutation = Mutation(path, f"{kind} by {name}" + (" of the other" if folder else ""),
                            self.read(name, folder))
        if kind == "swapped":
            mutation.what, mutation.swap = f"changed places with {name}", name
        return None if mutation.data == data else mutation

    def mutations(self, count, seed):
        rng = random.Random(seed)
        paths = [path for path, rule in self.rules.items() for _ in range(rule.get("weight", 1))]
        records = {path: Records(self.read(path), rule.get("records")) for path,
                   rule in self.rules.items()}
        seen, made, tries, most = set(), [], 0, self.most
        while len(made) < count and tries < 100 * count:
            path = paths[tries % len(paths)]
            tries += 1
            few = not records[path].list
            mutation = self.whole(path, rng) if few or rng.random() < 0.15 else of_records(
                path, records[path], most, rng)
            if mutation is None or (path, mutation.what) in seen or mutation.data == self.read(
                path):
                continue
            seen.add((path, mutation.what))
            made.append(mutation)
        return made

    def write(self, mutation, target):
        """A copy of the sample with the mutation."""
        if os.path.isfile(self.given):
            with open(target, "wb") as file:
                file.write(mutation.data)
            return
        shutil.copytree(self.given, target)
        changes = [(mutation.path, mutation.data)]
        if mutation.swap is not None:
            changes.append((mutation.swap, self.read(mutation.path)))
        for path, data in changes:
            os.remove(os.path.join(target, path))
            if data is not None:
                with open(os.path.join(target, path), "wb") as file:
                    file.write(data)


# ---- runs ----


def tables_of(folder, patterns):
    """The numbers of a run: contents of each result that is compared, by its path."""
    tables = {}
    for pattern in patterns:
        for path in glob.glob(os.path.join(folder, "**", pattern), recursive=True):
            with open(path, "rb") as file:
                tables[os.path.relpath(path, folder)] = file.read()
    return tables


def run(table, given, out):
    """Exit code and tables."""
    command = [os.environ["OPPROF_RUN"], "-q", "--pipeline", table["pipeline"], "--set", "input=" +
               given, "--output", out, "--flat"]
    done = subprocess.run(command + table.get("arguments", []), stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False, timeout=300)
    return done.returncode, tables_of(out, table.get("results", ["*.csv"])), done.stderr.decode(
        errors="replace")


def kind_of(table, mutation):
    """The listed kind of a mutation that cannot be known; None: it is of none."""
    for number, kind in enumerate(table.get("unknowable", [])):
        if (
            fnmatch.fnmatch(mutation.path, kind.get("files", "*"))
            and re.fullmatch(kind["what"], mutation.what)
            and all(re.search(kind.get("record", ""), record.decode(errors="replace"))
                    for record in mutation.changed)
        ):
            return number
    return None


def judge(table, sample, wanted, number, mutation, keep):
    """(number, what is wrong or None, the kind it is of or None)"""
    with tempfile.TemporaryDirectory() as scratch:
        # The name of the sample stays, for some tables show it.
        given = os.path.join(scratch, os.path.basename(os.path.normpath(sample.given)))
        sample.write(mutation, given)
        code, tables, said = run(table, given, os.path.join(scratch, "out"))
        if code in (1, 2, 4) or (code == 0 and tables == wanted):
            return number, None, None
        if code != 0:
            return number, f"exit code {code}: {said}", None
        kind = kind_of(table, mutation)
        if kind is not None:
            return number, None, kind
        if keep is not None:
            kept = os.path.join(keep, str(number))
            shutil.copytree(scratch, kept, dirs_exist_ok=True)
        names = sorted(name for name in tables.keys() | wanted.keys()
                       if tables.get(name) != wanted.get(name))
        return number, "complete with other numbers in " + ", ".join(names), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=330)
    parser.add_argument("--every", type=int, default=1, help="make only every Nth of them")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("MUTATION_SEED", SEED)))
    parser.add_argument("--only", default="", help="mutations whose file and name contain this")
    parser.add_argument("--records", type=json.loads, help="how the files are split, instead of "
                                                           "what the table says")
    parser.add_argument("--keep", help="a folder for inputs and results of mutations that fail")
    parser.add_argument("table")
    parser.add_argument("input")
    parser.add_argument("other", nargs="?")
    options = parser.parse_args()
    with open(options.table, encoding="utf-8") as file:
        table = json.load(file)
    for rule in table["files"] if options.records is not None else []:
        rule["records"] = options.records
    sample = Sample(table, options.input, options.other)
    with tempfile.TemporaryDirectory() as scratch:
        code, wanted, said = run(table, options.input, os.path.join(scratch, "out"))
    if code != 0 or not wanted:
        sys.exit(f"FAIL: {table['pipeline']}: the sample is not complete: exit code {code}, "
                 f"{len(wanted)} tables\n{said}")
    mutations = [one for one in sample.mutations(options.count, options.seed)[:: options.every]
                 if options.only in one.path + ": " + one.what]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda pair: judge(table, sample, wanted, *pair, options.keep),
                                enumerate(mutations)))
    failed = 0
    for number, wrong, _ in results:
        if wrong is not None:
            failed += 1
            print(f"FAIL: {number}: {mutations[number].path}: {mutations[number].what}: {wrong}",
                  file=sys.stderr)
    for number, kind in enumerate(table.get("unknowable", [])):
        times = sum(result[2] == number for result in results)
        print(f"{times} of kind '{kind['what']}' of {kind.get('files', '*')}: {kind['why']}")
        if (times == 0 and not kind.get("rare") and not options.only and options.every == 1
                and options.seed == SEED):
            failed += 1
            print(f"FAIL: no mutation ended so: kind '{kind['what']}' of {kind.get('files', '*')} "
                  "need not be listed", file=sys.stderr)
    print(f"{table['pipeline']}: {len(mutations)} mutations, {failed} wrong")
    sys.exit(failed > 0 or not mutations)


if __name__ == "__main__":
    main()
