# SPDX-License-Identifier: Apache-2.0
"""What holds for every screen: shares say of what, sentences are whole, addresses are hexadecimal,
parts add up, and each heading and each value of ours is explained."""
import functools
import os
import re
import subprocess

BASES = ("share of ", "% of the ", "mean of the rows", "from the median", "not added up", "mean ")
# Headings that end in a number or a name of the run.
WORDS = re.compile(r" of the longest of \d+| of all \d+|, % of the (run|path|sum)|from the median, |"
                   r"largest row, not added up, |mean of samples, most|^mean (?!of )")


# Sections and columns with names of what ran: kernels, instructions, lines, lanes, cores, ranks.
NAMED_BY_INPUT = {"Rows of the timeline", "Operators", "Operators by type", "Longest waits", "Curves",
                  "Hot instructions", "Hot source lines", "Time of each core"}
NAME_COLUMNS = {"kernel", "rank", "reference", "Op Name"}
FIRST = {"Kernel groups": 1}  # after so many cells of a row


class Section:
    def __init__(self, title, base):
        self.title, self.base, self.lines = title, base, []


def sections(lines):
    """The sections below the first lines, without advice and what had no room."""
    found = []
    for line in lines:
        if line.startswith(("Advice", "Also:")):
            break
        match = re.match(r"(\S.*?)(?: {2,}(\S.*))?$", line)
        if match:
            found.append(Section(match[1], match[2] or ""))
        elif found:
            found[-1].lines.append(line)
    return [section for section in found if section.lines]


def sentences(lines):
    """The first lines, the advice, and the list of what had no room."""
    head = []
    for line in lines:
        if re.search(r" {3,}", line):
            break
        head.append(line)
    rest = [number for number, line in enumerate(lines) if line.startswith(("Advice", "Also:"))]
    return head + (lines[rest[0]:] if rest else [])


@functools.cache
def is_explained(word, chip):
    more = ["--set", f"chip={chip}"] if chip else []
    return subprocess.run([os.environ["OPPROF_RUN"], "--explain", word, *more], capture_output=True,
                          check=False).returncode == 0


def headings(section):
    """The words of a section that a reader may look up."""
    yield section.title
    for word in WORDS.sub("|", section.base).split("|"):
        word = word.strip(" ,")
        # "share of the time" is explained by its column, "share of the peak" by the report
        whole = re.fullmatch(r"share of the (.+)", word)
        if word:
            yield whole[1] if whole and whole[1] not in ("peak", ) else word


def cells_of(line):
    return [cell for cell in re.split(r" {2,}", re.split("[█░]", line)[0].strip()) if cell]


def columns_and_values(section):
    """Words of a section's rows: names of columns, and values that tables have words for."""
    rows = [cells_of(line) for line in section.lines if not line.startswith("  and ")]
    if section.base:
        yield from (cell for cells in rows for cell in cells[:FIRST.get(section.title)])
    elif all(len(cells) == 2 for cells in rows):  # upright: a column in each line
        yield from (cells[0] for cells in rows)
        yield from (cells[1] for cells in rows if cells[0] not in NAME_COLUMNS)
    elif rows:
        yield from rows[0]
        for cells in rows[1:]:
            yield from (cell for heading, cell in zip(rows[0], cells) if heading not in
                        NAME_COLUMNS)


def words(section):
    """Those of them that a reader may look up: no numbers, no places, nothing that was cut."""
    for cell in columns_and_values(section):
        cell = re.sub(r" \d+$", "", cell)  # "block 0"
        if (section.title not in NAMED_BY_INPUT and re.match(r"[^\W\d]", cell)
                and not re.search(r"…|~|\w\(|:\d+$|,$|=|/|<|__|^PID$", cell)):
            yield from cell.split(" overlapping ")


def problems(lines, columns, chip):
    for line in sentences(lines):
        if line.endswith(("~", "…")):
            yield f"a cut sentence: {line!r}"
    for line in lines:
        if re.search(r"(?<![\w.])[0-9]{9,}(?![\w.])", line):
            yield f"a decimal address: {line!r}"
    for section in sections(lines):
        shares = [float(share) for line in section.lines
                  for share in re.findall(r"(?<![\w.+-])([0-9.]+) %", line)[:1]]
        if columns < 80:  # headings are cut
            continue
        if shares and not section.base.startswith(BASES) and not any(base in section.base
                                                                     for base in BASES):
            yield f"a share of what? {section.title!r}, {section.base!r}"
        if section.title == "Iterations" and not any(line.startswith("  and ") for line
                                                     in section.lines) and not 99.4 <= sum(
            shares) <= 100.6:
            yield f"parts add up to {sum(shares)} %: {section.lines}"
        for word in [*headings(section), *words(section)]:
            if not is_explained(word, chip):
                yield f"no entry for {word!r} of {section.title!r}"
