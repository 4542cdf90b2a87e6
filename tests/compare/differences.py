# SPDX-License-Identifier: Apache-2.0
"""Compares results in DIRECTORY/single and DIRECTORY/double: differences.py DIRECTORY."""
import csv
import fcntl
import html.parser
import json
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import termios

directory = sys.argv[1]
failures = 0


def check(claim, what):
    global failures
    if not claim:
        failures += 1
        print("FAIL:", what)


def diff(a, b, *more, code=0):
    done = subprocess.run([os.environ["OPPROF_RUN"], "--diff", f"{directory}/{a}",
                           f"{directory}/{b}", *more],
                          capture_output=True, text=True)
    check(done.returncode == code, f"{a}, {b}, {more}: exit code {done.returncode}, not {code}: "
                                   f"{done.stderr}")
    return done.stdout if done.returncode in (0, 4, 5) else done.stderr


def longest(variant):
    with open(f"{directory}/{variant}/core_summary.csv", newline="") as file:
        return max(float(row["duration_time(us)"]) for row in csv.DictReader(file))


def waits(variant):
    """Of the pipe that waited longest: pipes of a core wait side by side."""
    pipes = {}
    for folder in os.listdir(f"{directory}/{variant}"):
        path = f"{directory}/{variant}/{folder}/{folder}_instr_exe.csv"
        if os.path.exists(path):
            with open(path, newline="") as file:
                for row in csv.DictReader(file):
                    if row["instr"] == "WAIT_FLAG":
                        pipes[row["pipe"]] = pipes.get(row["pipe"],
                                                       0) + float(row["running_time(us)"])
    return max(pipes.values())


# The slow and the fast variant: the cause comes first, with the right numbers.
text = diff("single", "double")
lines = text.split("\n")
check(lines[1] == "Causes" and "Hot instructions, name " in lines[2] and "faster" in lines[2],
      f"cause: {lines[:3]}")
found = json.loads(diff("single", "double", "--format", "json"))
before, after = longest("single"), longest("double")
cause = next(cause for cause in found["causes"] if cause["key"] == "WAIT_FLAG")
check(cause["by"] == "name" and cause["better"], f"cause: {cause}")
check(all(cause["before"] <= before + 0.01 for cause in found["causes"]), "a cause is longer "
      "than the run")
check(abs(cause["before"] - waits("single")) < 1e-6
      and abs(cause["after"] - waits("double")) < 1e-6, f"waits: {cause}")
check(lines[0] == f"The run: faster, duration_time(us) {before:.5g} -> {after:.5g} us "
                  f"{100 * (after - before) / before:+.1f} %", lines[0])
check(found["run_time"] == found["whole"][0], f"{found['run_time']}")
whole = found["whole"][0]
check(abs(whole["before"] - before) < 1e-9 and abs(whole["after"] - after) < 1e-9
      and whole["kind"] == "faster", f"{whole}")
check(abs(whole["percent"] - 100 * (after - before) / before) < 1e-9, f"percent: {whole}")
check(not found["equal"] and not found["regression"] and found["opprof_diff"] == "1.0",
      "head of the JSON")
check(json.loads(diff("double", "single", "--format", "json"))["causes"][0]["kind"] == "slower",
      "the other way round")

# Results of the same data differ in nothing, whatever way they are named.
same = json.loads(diff("single", "single/results.sqlite", "--format", "json"))
check(same["equal"] and not same["causes"] and not any(table["changes"]
                                                       for table in same["tables"]),
      "equal results")
check("No differences." in diff("single", "single"), "equal results as text")

# What ran comes before the causes where it differs: a copy of the run with more cores, and of
# another chip.
shutil.copy(f"{directory}/single/results.sqlite", f"{directory}/wide.sqlite")
database = sqlite3.connect(f"{directory}/wide.sqlite")
database.execute("UPDATE run_subject SET cores = cores + 7, chip = 'Slate1'")
(cores, ), = database.execute("SELECT cores - 7 FROM run_subject")
database.commit()
database.close()
lines = diff("single", "wide.sqlite").split("\n")
check(lines[1] == f"What ran: chip Ascend910B1 -> Slate1, cores {cores} -> {cores + 7}",
      f"what ran: {lines[:3]}")

# A user mark is a label around work of other rows, and no cause.
for variant, us in ("marked", 1), ("longer", 1000):
    shutil.copy(f"{directory}/single/results.sqlite", f"{directory}/{variant}.sqlite")
    with sqlite3.connect(f"{directory}/{variant}.sqlite") as database:
        database.execute("UPDATE sim_instr_exe SET is_mark = 1, name = 'MY_MARK', running_us = ? "
                         "WHERE rowid = (SELECT min(rowid) FROM sim_instr_exe)", (us, ))
found = json.loads(diff("marked.sqlite", "longer.sqlite", "--format", "json"))
check(not found["causes"], f"a mark is a cause: {found['causes']}")

# Thresholds.
rule = "duration_time(us) > +5%"
check("holds" in diff("single", "double", "--fail-if", rule), "faster is not a regression")
text = diff("double", "single", "--fail-if", rule, code=5)
check("REGRESSION" in text, text)
diff("double", "single", "--fail-if", "sim_core_summary.duration_us > +50%")
diff("double", "single", "--fail-if", "duration_us > +1", code=5)
diff("double", "single", "--fail-if", f"duration_us > {before + 0.1}")
diff("single", "double", "--fail-if", "duration_us < -5%", code=5)
check("duration" in diff("single", "double", "--fail-if", "durations_us > +5%", code=2),
      "unknown column")
for odd in ("duration_us", "> 5", "duration_us > x", "duration_us > 5%", "duration_us > +5% y", ""):
    diff("single", "double", "--fail-if", odd, code=2)
markdown = diff("double", "single", "--fail-if", rule, "--format", "markdown", code=5)
check(markdown.startswith("### Performance: regression\n") and "| slower |" in markdown
      and "WAIT\\_FLAG" in markdown, markdown[:400])

# Repetitions: folders of runs. Noise alone is not a regression; a tenth slower beyond noise of 3 %
# is one.
random.seed(7)


def repeat(name, factor, runs):
    for run in range(runs):
        os.makedirs(f"{directory}/{name}/OPPROF_{run}")
        path = f"{directory}/{name}/OPPROF_{run}/results.sqlite"
        shutil.copy(f"{directory}/single/results.sqlite", path)
        with sqlite3.connect(path) as database:
            database.execute("UPDATE sim_core_summary SET duration_us = duration_us * ?",
                             (factor * random.gauss(1, 0.03),))


repeat("base", 1, 20)
repeat("noise", 1, 20)
repeat("slower", 1.12, 20)
repeat("few", 1, 3)
repeat("part", 1.12, 20)
with sqlite3.connect(f"{directory}/part/OPPROF_7/results.sqlite") as database:
    database.execute("UPDATE sim_core_summary SET duration_us = NULL")
repeat("three", 1.5, 3)
found = json.loads(diff("base", "noise", "--format", "json", "--fail-if", rule))
check(found["whole"][0]["kind"] == "same" and found["before"]["runs"] == 20,
      f"noise: {found['whole']}")
check(found["equal"], "noise is not a difference")
found = json.loads(diff("base", "slower", "--format", "json", "--fail-if", rule, code=5))
check(found["whole"][0]["kind"] == "slower" and found["whole"][0]["before_spread"] > 0,
      f"slower: {found['whole']}")
diff("base", "slower", "--fail-if", "duration_us > +20%")
found = json.loads(diff("base", "part", "--format", "json", "--fail-if", rule, code=5))
check(found["whole"][0]["kind"] == "slower" and (found["whole"][0]["before_runs"],
                                                 found["whole"][0]["after_runs"]) == (20, 19),
      f"one run lacks it: {found['whole']}")
found = json.loads(diff("few", "three", "--format", "json", "--fail-if", rule, code=4))
check(found["rules"][0]["unsure"] and not found["equal"], "three repetitions are too few for "
                                                          "a verdict")
text = diff("few", "three")
check("No certain differences: there are too few repetitions" in text
      and "No differences." not in text, text)
check("No difference in Core operator" not in diff("few", "base")
      and next(table for table in found["tables"] if table["table"] == "sim_core_summary")[
          "unsure"] == 1, "unsure tables")
check(diff("few", "three", "--format", "markdown").startswith("### Performance: no certain "
                                                              "differences\n"),
      "too few repetitions in Markdown")

text = diff("few", "three", "--fail-if", rule, code=4)
check(f"NO VERDICT  {rule}" in text and "holds" not in text, f"no verdict: {text}")
check(diff("few", "base", "--fail-if", "duration_us > +50%").count("holds") == 1,
      "medians within the threshold hold")
markdown = diff("few", "three", "--fail-if", "sim_core_summary.duration_us > +5%", "--format",
                "markdown", code=4)
check("No verdict on the threshold sim\\_core\\_summary.duration\\_us" in markdown, markdown)

# Results that lack something: scripts see it, unless a threshold is broken; people see what.
shutil.copytree(f"{directory}/single", f"{directory}/lacking")
with sqlite3.connect(f"{directory}/lacking/results.sqlite") as database:
    database.execute("UPDATE opprof_run SET value = '0' WHERE name = 'complete'")
check("lacking (1 run), incomplete\n" in diff("double", "lacking", code=4), "incomplete results "
      "that do not say why")
with sqlite3.connect(f"{directory}/lacking/results.sqlite") as database:
    database.execute("UPDATE opprof_run SET value = 'first thing\nsecond thing' WHERE name = "
                     "'missing'")
check("lacking (1 run), incomplete\n        first thing …\n" in diff("lacking", "lacking", code=4),
      "what incomplete results lack")
check("lacking (1 run), incomplete" in diff("double", "lacking", "--fail-if", rule, code=5),
      "incomplete, and beyond a threshold")
check([json.loads(diff("lacking", "double", "--json", code=4))[side]["missing"]
       for side in ("before", "after")] == ["first thing", None], "what is missing, in JSON")
check("The results before are incomplete: first thing\n"
      in diff("lacking", "double", "--format", "markdown", code=4), "what is missing, in Markdown")

# A signal ends a comparison at once: here it waits for a reader of its output.
for name, time in (("many", 1), ("many-slow", 2)):
    shutil.copytree(f"{directory}/single", f"{directory}/{name}")
    with sqlite3.connect(f"{directory}/{name}/results.sqlite") as database:
        database.executemany("INSERT INTO sim_flag_waits(core, pipe, detail, calls, waited_us) "
                             "VALUES('core0', 'MTE2', ?, 1, ?)",
                             [(f"flag {number}", time) for number in range(999)])
with subprocess.Popen([os.environ["OPPROF_RUN"], "--diff", f"{directory}/many",
                       f"{directory}/many-slow", "--json"], stdout=subprocess.PIPE) as process:
    waiting = 0
    while waiting < 65536 and process.poll() is None:
        waiting, = struct.unpack("i", fcntl.ioctl(process.stdout, termios.FIONREAD, b"\0" * 4))
    process.terminate()
    try:
        check(process.wait(timeout=60) == 143, "a signal while results are compared: exit code "
                                               f"{process.returncode}")
    except subprocess.TimeoutExpired:
        check(False, "a signal does not end a comparison")
        process.kill()

# What is not a result.
os.makedirs(f"{directory}/empty")
check("There are no results" in diff("single", "empty", code=2), "an empty folder")
with open(f"{directory}/text.sqlite", "w", encoding="utf-8") as file:
    file.write("no database " * 100)
check("Cannot read" in diff("single", "text.sqlite", code=2), "no database")
shutil.copy(f"{directory}/single/results.sqlite", f"{directory}/cut.sqlite")
os.truncate(f"{directory}/cut.sqlite", os.path.getsize(f"{directory}/cut.sqlite") // 2)
diff("single", "cut.sqlite", code=2)
with sqlite3.connect(f"{directory}/other.sqlite") as database:
    database.execute("CREATE TABLE x(y)")
diff("single", "other.sqlite", code=2)
# A table whose type names no weight is compared in all its columns. Blocks run side by side: they
# are one row.
found = json.loads(diff("board", "board-slow", "--format", "json"))
pipes = next(table for table in found["tables"] if table["table"] == "PipeUtilization")
check(pipes["rows"] == 1 and pipes["differ"] > 0, f"pipes: {pipes['rows']} rows, "
                                                  f"{pipes['differ']} differ")
check({change["key"] for change in pipes["changes"]} == {""}, "blocks are one row")
check({change["column"] for change in pipes["changes"]
       if change["unit"] == "us"} == {"aic_mte2_time(us)"}, f"times: {pipes['changes'][:3]}")
check(pipes["changes"][0]["column"] == "aic_mte2_time(us)"
      and pipes["changes"][0]["kind"] == "slower", "times come first")
check(found["causes"][0]["table"] == "PipeUtilization"
      and found["causes"][0]["column"] == "aic_mte2_time(us)", f"{found['causes'][:2]}")
check(next(table for table in found["tables"] if table["table"] == "L2Cache")["differ"] == 0,
      "equal tables")
check(json.loads(diff("board", "board-slow", "--json")) == found, "--json is --format json")

# The text names all tables: those that differ with the largest change first, and those that do not;
# equal changes are one line.
text = diff("board", "board-slow")
titles = {table["title"]: table["differ"] for table in found["tables"]}
heads = [line for line in text.split("\n") if line.endswith((" differ", " differs"))]
check({head.rsplit(": ", 1)[0] for head in heads} == {title for title, differ in titles.items()
                                                      if differ}, f"tables: {heads}")
check(all(head == f"{head.rsplit(': ', 1)[0]}: {titles[head.rsplit(': ', 1)[0]]} " +
          head.rsplit(" ", 1)[1] for head in heads), f"{heads}")
times = {table["title"]: max([abs(one["after"] - one["before"]) for one in table["changes"]
                              if one["unit"] == "us"], default=0) for table in found["tables"]}
order = [times[head.rsplit(": ", 1)[0]] for head in heads]
check(order == sorted(order, reverse=True) and order[0] > 0, f"order of tables: {heads}")
alike = text[text.index("No difference in "):text.index("\nAll rows: ")].replace(",\n  ", ", ")
check(set(alike[len("No difference in "):].split(", ")) == {title for title, differ
                                                            in titles.items() if not differ}, alike)
check("--format json" in text.split("\n")[-2] and "--format html" in text.split("\n")[-2],
      "how to see all rows")
check(any("aic_mte2_time(us)" in line and "more alike" not in line for line in text.split("\n")),
      "four blocks, one line")
check("No difference: " in diff("board", "board-slow", "--format", "markdown"),
      "equal tables in Markdown")


def on_terminal(columns, a, b):
    """Lines of a comparison on a terminal of so many columns."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([os.environ["OPPROF_RUN"], "--diff", f"{directory}/{a}",
                           f"{directory}/{b}"], stdout=theirs) as process:
        os.close(theirs)
        text = b""
        try:
            while piece := os.read(ours, 65536):
                text += piece
        except OSError:  # the end
            pass
    os.close(ours)
    check(process.returncode == 0, f"on a terminal: exit code {process.returncode}")
    return text.decode().replace("\r", "").split("\n")


def has_terminals():
    """Some containers have no pseudo terminals."""
    try:
        for end in os.openpty():
            os.close(end)
        return True
    except OSError:
        print("without pseudo terminals (/dev/pts): no terminal was tried", file=sys.stderr)
        return False


# A line fits into the terminal; in a narrow one a change has two.
if has_terminals():
    for columns in (120, 80, 60, 40):
        wide = [line for line in on_terminal(columns, "board", "board-slow") if len(line) > columns
                and not line.startswith(("before", "after", "All rows", "OpBasicInfo: slower"))]
        check(not wide, f"{columns} columns: {wide}")
    check("  slower  matmul_bias\n          265 -> 300 us +13.2 %\n"
          in "\n".join(on_terminal(40, "board", "board-slow")), "a change in a narrow terminal")


def altered(name, *statements):
    """A copy of the results of a board, with other values."""
    shutil.copytree(f"{directory}/board", f"{directory}/{name}")
    with sqlite3.connect(f"{directory}/{name}/results.sqlite") as database:
        for statement in statements:
            database.execute(statement)


# Several tables have the time of a core: that is one cause, and leaves room for the others.
tables = ("ArithmeticUtilization", "L2Cache", "Memory", "MemoryL0", "MemoryUB", "PipeUtilization",
          "ResourceConflictRatio")
altered("longer", *(f'UPDATE {table} SET "aic_time(us)" = 1.2 * "aic_time(us)"'
                    for table in tables),
        'UPDATE OpBasicInfo SET "Task Duration(us)" = 1.2 * "Task Duration(us)"',
        'UPDATE PipeUtilization SET "aic_mte2_time(us)" = 1.1 * "aic_mte2_time(us)"')
causes = json.loads(diff("board", "longer", "--format", "json"))["causes"]
check([(cause["key"], cause["column"]) for cause in causes] == [(None, "aic_time(us)"),
                                                                (None, "aic_mte2_time(us)")],
      f"causes: {causes}")
# The only row of a column is compared although its key changed, and the text says with which.
altered("renamed", 'UPDATE OpBasicInfo SET "Op Name" = "matmul_v2", kernel = "matmul_v2", '
                   '"Task Duration(us)" = 1.1 * "Task Duration(us)"')
rule = "Task Duration(us) > +5%"
text = diff("board", "renamed", "--fail-if", rule, code=5)
check(f"REGRESSION  {rule} (1 of 1 rows)\n" in text and "is compared with 'matmul_v2" in text
      and "265 -> 291.5" in text, f"a renamed operator: {text}")
found = json.loads(diff("board", "renamed", "--fail-if", rule, "--format", "json", code=5))
check(found["rules"][0]["pair_after"].startswith("matmul_v2") and found["rules"][0]["tested"] == 1,
      f"a renamed operator: {found['rules']}")
diff("board", "renamed", "--fail-if", "Task Duration(us) > +20%")
# What was not measured is no change of the whole, and no cause.
altered("uncounted", 'UPDATE PipeUtilization SET "aic_mte2_time(us)" = NULL')
found = json.loads(diff("board", "uncounted", "--format", "json"))
check(found["whole"][0]["kind"] == "same" and found["causes"] == [] and not found["equal"],
      f"a counter is missing: {found['causes']}")
altered("untimed", 'UPDATE OpBasicInfo SET "Task Duration(us)" = NULL')
for one, other in (("board", "untimed"), ("untimed", "board"), ("untimed", "untimed")):
    whole = json.loads(diff(one, other, "--format", "json"))["whole"][0]
    check((whole["kind"], whole["before"], whole["after"]) == ("unsure", None, None),
          f"no duration: {whole}")
    check("Task Duration(us) - -> - us" in diff(one, other), f"no duration: {one}, {other}")
altered("two", 'INSERT INTO OpBasicInfo SELECT device, kernel, 1, "other", "Op Type", 100, "Block '
               'Dim", "Mix Block Dim", "Device Id", Pid, '
        '"Current Freq", "Rated Freq" FROM OpBasicInfo')
shutil.copytree(f"{directory}/two", f"{directory}/half")
with sqlite3.connect(f"{directory}/half/results.sqlite") as database:
    database.execute('UPDATE OpBasicInfo SET "Task Duration(us)" = NULL WHERE "Op Name" = "other"')
found = json.loads(diff("two", "half", "--format", "json"))
check((found["whole"][0]["kind"], found["whole"][0]["percent"]) == ("same", 0),
      f"one of two launches has no duration: {found['whole']}")

# Which rows and columns are the same: an absent key is not an empty one, two texts are not one,
# numbers of other units or kinds do not compare.
HIDDEN, KEY, WEIGHT, PLACE, MEMBER, ALONE, RUN_TIME, STALL, ADDRESS = (1, 2, 8, 128, 512, 1024,
                                                                       2048, 4096, 8192)


def made(name, columns, rows):
    """A copy of the results of a board with a table 'made' of columns (name, kind, unit, flags[,
    how rows combine])."""
    altered(name, "CREATE TABLE made(" + ", ".join(f'"{column[0]}"' for column in columns) + ")",
            "INSERT INTO opprof_tables VALUES('made', 'made', 1, 'Made', '', '', 1, 0)")
    with sqlite3.connect(f"{directory}/{name}/results.sqlite") as database:
        for at, (column, kind, unit, flags, *rule) in enumerate(columns):
            rule = rule or [None if kind in ("string", "text", "hex") or flags & KEY else "mean"
                            if flags & ALONE else "sum"]
            database.execute("INSERT INTO opprof_columns VALUES('made', ?, ?, ?, ?, ?, '', '', "
                             "0, ?, ?, ?)", (at, column, column, kind, unit, bool(flags & KEY),
                                             flags, rule[0]))
        database.executemany(f"INSERT INTO made VALUES({', '.join('?' * len(columns))})", rows)


def changes_made(one, other):
    table = next(table for table in json.loads(diff(one, other, "--format", "json"))["tables"]
                 if table["table"] == "made")
    return table["rows"], sorted((change["key"], change["unit"], change["kind"], change["before"],
                                  change["after"]) for change in table["changes"])


keys = [("k", "string", "", KEY), ("l", "string", "", KEY)]
names = [(None, "x"), ("x", None), ("", "x"), ("x", ""), ("a  b", ""), ("a", "b"), ("c\x01", ""),
         ("c\x02", "")]
made("keys", keys + [("v", "f64", "us", WEIGHT)], [(*name, 1 + at) for at,
                                                   name in enumerate(names)])
made("keys2", keys + [("v", "f64", "us", WEIGHT)], [(*name, 2 * (1 + at)) for at,
                                                    name in enumerate(names)])
rows, changes = changes_made("keys", "keys2")
check(rows == len(names) and sorted(change[3:]
                                    for change in changes) == [(1 + at, 2 + 2 * at) for at
                                                               in range(len(names))],
      f"keys: {changes}")
made("in-us", keys + [("v", "f64", "us", WEIGHT)], [("x", None, 5000)])
made("in-ms", keys + [("v", "f64", "ms", WEIGHT)], [("x", None, 5)])
made("in-words", keys + [("v", "string", "", 0)], [("x", None, "5000")])
check(changes_made("in-us", "in-ms") == (1, [("x", "ms", "new", None, 5),
                                             ("x", "us", "gone", 5000, None)]),
      f"units: {changes_made('in-us', 'in-ms')}")
check(changes_made("in-us", "in-words") == (1, [("x", "us", "gone", 5000, None)]),
      f"a text: {changes_made('in-us', 'in-words')}")
# Rows of one key are added up, but means are not; integers may be large, and a table may be empty.
made("sums", [("k", "string", "", KEY), ("v", "u64", "us", WEIGHT), ("mean", "f64", "us", ALONE)],
     [("x", 9 * 10**18, 10), ("x", 9 * 10**18, 20)])
made("sums2", [("k", "string", "", KEY), ("v", "u64", "us", WEIGHT), ("mean", "f64", "us", ALONE)],
     [("x", 9 * 10**18, 20), ("x", 9 * 10**18, 40)])
check(changes_made("sums", "sums2") == (1, [("x", "us", "slower", 15, 30)]),
      f"sums: {changes_made('sums', 'sums2')}")
made("none", [("v", "f64", "us", 0)], [])
check(changes_made("none", "none") == (0, []), f"no rows: {changes_made('none', 'none')}")

# Texts that are no keys: named if they differ, unless repetitions differ among themselves or one
# side lacks them.
texts = [("k", "string", "", KEY), ("clock", "string", "", 0), ("cause", "text", "", 0),
         ("pid", "string", "", ALONE), ("v", "f64", "us", WEIGHT)]
made("texts", texts, [("x", "1850", "a", "1", 1), ("y", "1850", "b", "1", 1),
                      ("z", "1850", "c", "1", 1), ("z", "1850", "d", "1", 1)])
made("texts2", texts, [("x", "1500", None, "2", 1), ("y", "1500", "\x1b[31mé", "2", 1),
                       ("z", "1850", "e", "2", 2)])
found = json.loads(diff("texts", "texts2", "--format", "json"))
check([(one["key"], one["column"], one["before"], one["after"]) for one in found["texts"]] ==
      [("x", "clock", "1850", "1500"), ("y", "clock", "1850", "1500"),
       ("y", "cause", "b", "?[31mé")], f"texts: {found['texts']}")
made_table = next(table for table in found["tables"] if table["table"] == "made")
check(not found["equal"] and (made_table["differ"], made_table["texts"]) == (0, 3),
      f"texts: {made_table}")
text = diff("texts", "texts2")
check("Texts of Made: 3 differ\n" in text and "1850 -> 1500  (1 more alike)\n" in text
      and ", Made" not in text.split("No difference in")[1], f"texts: {text}")
check("| x, clock | 1850 | 1500 |" in diff("texts", "texts2", "--format", "markdown"),
      "texts in Markdown")
for name, clock in (("one", "1850"), ("another", "1500")):
    made(f"{name}-1", texts, [("x", clock, "a", "1", 1)])
    made(f"{name}-2", texts, [("x", clock, clock, "1", 1)])
    os.makedirs(f"{directory}/{name}")
    for run in "12":
        os.rename(f"{directory}/{name}-{run}", f"{directory}/{name}/{run}")
check([one["column"] for one in json.loads(diff("one", "another", "--format",
                                                "json"))["texts"]] == ["clock"],
      "texts of repetitions")

# Advice that all runs of one side give and none of the other.
def advised(name, *advice):
    altered(name, "CREATE TABLE IF NOT EXISTS advice(severity, topic, subject, sentence, numbers, "
                  "value, unit, \"column\", file, gain)", "DELETE FROM advice")
    with sqlite3.connect(f"{directory}/{name}/results.sqlite") as database:
        database.execute("INSERT OR REPLACE INTO opprof_tables VALUES('advice', 'advice', 1, "
                         "'Advice', '', '', 1, 0)")
        database.executemany("INSERT INTO advice(severity, topic, subject, sentence, numbers) "
                             "VALUES(?, ?, ?, ?, ?)", advice)


advised("advice", ("hint", "pipes", "core0", "MTE2 waits", "a=1"),
        ("hint", "pipes", None, "The clock is low", ""), ("note", "pipes", "core1", "Same", "b=1"))
advised("advice2", ("note", "pipes", "core0", "MTE2 works | much", "a=2"),
        ("note", "pipes", "core1", "Same", "b=2"), ("note", "pipes", "core1", "Same", "b=3"))
found = json.loads(diff("advice", "advice2", "--format", "json"))
check([(one["kind"], one["severity"], one["subject"], one["sentence"])
       for one in found["advice"]] ==
      [("gone", "hint", "core0", "MTE2 waits"), ("gone", "hint", "", "The clock is low"),
       ("new", "note", "core0", "MTE2 works | much")], f"advice: {found['advice']}")
check(not found["equal"] and json.loads(diff("advice", "advice", "--format", "json"))["equal"],
      "advice differs")
text = diff("advice", "advice2")
check("Advice: 1 new, 2 gone\n  new     core0: MTE2 works | much\n  gone    core0: MTE2 waits\n  "
      "gone    The clock is low\n" in text and "No differences" not in text, f"advice: {text}")
check("- new: core0: MTE2 works \\| much\n- gone: core0: MTE2 waits\n"
      in diff("advice", "advice2", "--format", "markdown"), "advice in Markdown")
os.makedirs(f"{directory}/advised")
for run, name in enumerate(("advice", "advice2")):
    shutil.copytree(f"{directory}/{name}", f"{directory}/advised/{run}")
check(json.loads(diff("advised", "advice2", "--format", "json"))["advice"] == [],
      "advice of some repetitions")

# Of very many tables the text remains readable.
for name, clock in (("crowd", "1850"), ("crowd2", "1500")):
    shutil.copytree(f"{directory}/texts", f"{directory}/{name}")
    with sqlite3.connect(f"{directory}/{name}/results.sqlite") as database:
        database.execute("DELETE FROM opprof_tables")
        for table in range(40):
            database.execute(f"CREATE TABLE crowd{table}(k, clock, v)")
            database.execute(f"INSERT INTO crowd{table} VALUES('x', ?, ?)",
                             (clock, int(clock) * (table + 1)))
            database.execute("INSERT INTO opprof_tables VALUES(?, 'crowd', 1, ?, '', '', 1, 1)",
                             (f"crowd{table}", f"Crowd {table}"))
            for at, (column, kind, unit,
                     flags) in enumerate((("k", "string", "", KEY), ("clock", "string", "", 0),
                                          ("v", "f64", "us", WEIGHT))):
                database.execute("INSERT INTO opprof_columns VALUES(?, ?, ?, ?, ?, ?, '', '', "
                                 "0, ?, ?, ?)",
                                 (f"crowd{table}", at, column, column, kind, unit,
                                  bool(flags & KEY), flags, "sum" if column == "v" else None))
text = diff("crowd", "crowd2")
check("The sums of 30 more tables changed less\n" in text and "Texts of 34 more tables differ\n"
      in text and text.count(": 1 differs\n") == 40 + 6, f"many tables: {text}")

# A sum that lacks values on one side explains nothing.
made("known", [("k", "string", "", KEY), ("name", "string", "", 0), ("v", "f64", "us", WEIGHT)],
     [("1", "WAIT", 100), ("2", "WAIT", 50), ("3", "MOVE", 20)])
made("unknown", [("k", "string", "", KEY), ("name", "string", "", 0), ("v", "f64", "us", WEIGHT)],
     [("1", "WAIT", None), ("2", "WAIT", 50), ("3", "MOVE", 10)])
causes = [(cause["by"], cause["key"]) for cause in json.loads(diff("known", "unknown", "--format",
                                                                   "json"))["causes"]]
check(causes == [("k", "3"), ("name", "MOVE")], f"sums that lack a value: {causes}")

# A weight that is the same everywhere hides no other column; addresses are named as such.
with sqlite3.connect(f"{directory}/single/results.sqlite") as database:
    database.execute("UPDATE opprof_columns SET kind = 'hex' WHERE name = 'pc'")
shutil.copytree(f"{directory}/single", f"{directory}/counted")
with sqlite3.connect(f"{directory}/counted/results.sqlite") as database:
    calls = sum(abs(row[0] or 0) for row in database.execute("SELECT calls FROM sim_instr_exe"))
    database.execute("UPDATE sim_instr_exe SET calls = calls * 2")
hot = next(table for table in json.loads(diff("single", "counted", "--format", "json"))["tables"]
           if table["table"] == "sim_instr_exe")
check(sum(change["before"] for change in hot["changes"]) == calls > 0
      and {change["percent"] for change in hot["changes"]} == {100}, f"{hot['changes'][:2]}")
check(all("/matmul.s:" in change["key"] for change in hot["changes"]), "lines instead of "
      f"addresses: {hot['changes'][:2]}")
for name in ("single", "counted"):
    with sqlite3.connect(f"{directory}/{name}/results.sqlite") as database:
        database.execute("UPDATE sim_instr_exe SET code = NULL")
hot = next(table for table in json.loads(diff("single", "counted", "--format", "json"))["tables"]
           if table["table"] == "sim_instr_exe")
check(hot["changes"] and all("  0x" in change["key"] for change in hot["changes"]),
      f"addresses: {hot['changes'][:2]}")

# Of a threshold, how many rows are beyond it is said however many are listed.
rules = json.loads(diff("single", "double", "--format", "json", "--fail-if", "duration_us > -90%",
                        code=5))["rules"]
check(rules[0]["broken_rows"] == len(rules[0]["rows"]) == 1, f"{rules}")

# How rows combine. Cores run side by side, launches do not; a row that exists for each core is one.
cores = [("launch", "string", "", KEY | HIDDEN), ("core", "string", "", KEY | MEMBER),
         ("v", "f64", "us", WEIGHT | RUN_TIME, "longest"), ("bytes", "u64", "byte", 0, "sum"),
         ("busy", "f64", "%", 0, "mean"), ("peak", "f64", "%", 0, "none")]
made("core1", cores, [("0", "a", 100, 64, 50, 1), ("1", "a", 40, 64, 60, 1)])
made("core2", cores, [("0", "a", 30, 32, 40, 1), ("0", "b", 50, 48, 60, 3),
                      ("1", "a", 20, 16, 10, 2), ("1", "b", 10, 16, 20, 2)])
with sqlite3.connect(f"{directory}/core1/results.sqlite") as database:
    database.execute("UPDATE opprof_columns SET flags = flags & ~2048 WHERE table_name <> 'made'")
for name in ("core1", "core2"):
    with sqlite3.connect(f"{directory}/{name}/results.sqlite") as database:
        database.execute("DELETE FROM opprof_tables WHERE name <> 'made'")
        database.execute("DELETE FROM opprof_columns WHERE table_name <> 'made'")
found = json.loads(diff("core1", "core2", "--format", "json"))
check((found["run_time"]["before"], found["run_time"]["after"],
       found["run_time"]["kind"]) == (140, 50 + 20, "faster"), f"longest core: {found['run_time']}")
made_table = next(table for table in found["tables"] if table["table"] == "made")
check(made_table["rows"] == 2 and [(one["key"], one["before"], one["after"])
                                   for one in made_table["changes"]] == [("0", 100, 50),
                                                                         ("1", 40, 20)],
      f"{made_table}")
with sqlite3.connect(f"{directory}/core2/results.sqlite") as database:
    database.execute("UPDATE made SET v = 100 WHERE launch = '0'")
    database.execute("UPDATE made SET v = 40 WHERE launch = '1'")
made_table = next(table for table in json.loads(diff("core1", "core2", "--format",
                                                     "json"))["tables"] if table["table"] == "made")
check(sorted((one["column"], one["key"], one["before"], one["after"])
             for one in made_table["changes"]) ==
      [("busy", "1", 60, 15), ("bytes", "0", 64, 80), ("bytes", "1", 64, 32), ("peak", "1", 1, 2)],
      f"rules of columns: {made_table}")
# Of every number of our own tables it is known.
for name in ("double", "board-slow"):
    with sqlite3.connect(f"{directory}/{name}/results.sqlite") as database:
        silent = database.execute("SELECT table_name, name FROM opprof_columns WHERE combine IS "
                                  "NULL AND kind IN ('u32', 'i32', 'u64', 'i64', 'i16', 'f64')"
                                  " AND NOT flags & ? AND table_name <> 'advice'",
                                  (KEY | 256,)).fetchall()
    check(silent == [], f"numbers that do not say how they combine: {silent}")
# What does not say so is not added up, and that is said.
with sqlite3.connect(f"{directory}/core1/results.sqlite") as database:
    database.execute("ALTER TABLE opprof_columns DROP COLUMN combine")
found = json.loads(diff("core1", "core2", "--format", "json"))
check(found["run_time"] is None and found["whole"] == [] and found["causes"] == []
      and not found["before"]["combines"] and found["after"]["combines"], f"{found}")
text = diff("core1", "core2")
check(text.startswith("The run: no verdict, the results before do not say how rows combine\n")
      and "nothing is added up" in text, text)
check("nothing is added up" in diff("core1", "core2", "--format", "markdown"), "an older database "
      "in Markdown")

# Waiting that moved to another pipe is no cause, however much it is; what became longer is one.
pipes = [("core", "string", "", KEY | MEMBER), ("pc", "u64", "", KEY | ADDRESS),
         ("name", "string", "", KEY), ("pipe", "string", "", 0),
         ("code", "text", "", PLACE | HIDDEN), ("v", "f64", "us", WEIGHT, "longest"),
         ("waited", "f64", "us", HIDDEN | STALL, "longest")]


def program(load, waits, at):
    return [(core, at + 4 * place, name, pipe, line, us, us if name == "WAIT" else 0)
            for core in "ab" for place, (name, pipe, line, us) in
            enumerate((("LOAD", "MTE2", "k.c:1", load), ("WAIT", "VECTOR", "k.c:2", waits[0]),
                       ("WAIT", "MTE2", "k.c:3", waits[1]), ("ADD", "VECTOR", "k.c:2", 7)))]


made("waits1", pipes, program(20, (1, 31), 4096))
made("waits2", pipes, program(35, (30, 2), 8192))
for name, duration in (("waits1", 100), ("waits2", 115)):
    with sqlite3.connect(f"{directory}/{name}/results.sqlite") as database:
        database.execute('UPDATE OpBasicInfo SET "Task Duration(us)" = ?', (duration,))
found = json.loads(diff("waits1", "waits2", "--format", "json"))
check((found["run_time"]["column"], found["run_time"]["kind"]) == ("Task Duration(us)", "slower"),
      f"{found['run_time']}")
causes = [(cause["by"], cause["key"], cause["before"], cause["after"]) for cause in found["causes"]
          if cause["table"] == "made"]
check(causes == [("name", "LOAD", 20, 35)], f"waits that moved: {causes}")
made_table = next(table for table in found["tables"] if table["table"] == "made")
check(made_table["rows"] == 4 and sorted((one["key"], one["before"], one["after"])
                                         for one in made_table["changes"]) ==
      [("k.c:1  LOAD", 20, 35), ("k.c:2  WAIT", 1, 30), ("k.c:3  WAIT", 31, 2)],
      f"moved code: {made_table}")
made("waits3", pipes, program(20, (31, 31), 8192))
causes = [(cause["by"], cause["key"], cause["before"], cause["after"])
          for cause in json.loads(diff("waits1", "waits3", "--format", "json"))["causes"]
          if cause["table"] == "made"]
check(causes == [("pipe", "VECTOR", 8, 38), ("name", "WAIT", 32, 62)], "waits that became "
      f"longer: {causes}")

# The page: the report page of the second results with the comparison in it, in one file that loads
# nothing.
class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.data, self.element, self.addresses, self.policy = {}, None, [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.element = attributes.get("id") if tag == "script" else None
        self.addresses += [attributes[name] for name in ("src", "href")
                           if not attributes.get(name, "#").startswith("#")]
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]

    def handle_endtag(self, tag):
        self.element = None

    def handle_data(self, data):
        if self.element:
            self.data[self.element] = self.data.get(self.element, "") + data


plugins = subprocess.run([os.environ["OPPROF_RUN"], "--list"], capture_output=True, text=True,
                         check=True).stdout
if "\nhtml " in plugins:
    rule = ("--fail-if", "duration_us > -90%")
    os.makedirs(f"{directory}/tmp")
    os.environ["TMPDIR"] = f"{directory}/tmp"
    page = Page(diff("single", "double", "--format", "html", *rule, code=5))
    check(not page.addresses and "default-src 'none'" in page.policy, f"{page.addresses} "
                                                                      f"{page.policy}")
    check(json.loads(page.data["data-comparison"]) == json.loads(
              diff("single", "double", "--format", "json", *rule, code=5)), "the same comparison")
    with open(f"{directory}/double/report.html", encoding="utf-8") as file:
        own = Page(file.read())
    lanes = [sorted((lane["process"], lane.get("thread", ""))
                    for lane in json.loads(one.data["data-timeline"])["lanes"]
                    if lane["document"] == document)
             for one, document in ((page, "before"), (page, "after"), (own, "trace"))]
    check(lanes[0] == lanes[1] == lanes[2] != [], f"both timelines are there: {lanes}")
    check("data-comparison" not in own.data, "a run alone is not compared")
    shutil.copytree(f"{directory}/single", f"{directory}/<b title='x'>&")
    text = diff("<b title='x'>&", "single", "--format", "html")
    check("<b title" not in text and json.loads(Page(text).data["data-comparison"])["before"][
              "path"].endswith("<b title='x'>&"), "a name is text")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([os.environ["OPPROF_RUN"], "--diff", f"{directory}/single",
                               f"{directory}/double", "--format", "html"],
                              stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    check(done.returncode == 1 and "No space left" in done.stderr,
          f"a full disk: {done.returncode} {done.stderr}")
    check(not os.listdir(os.environ["TMPDIR"]), "nothing is left behind")
else:
    check("html" in diff("single", "double", "--format", "html", code=3), "without the module")

sys.exit(failures > 0)
