# SPDX-License-Identifier: Apache-2.0
"""What holds for every screen: shares say of what, sentences are whole, addresses are hexadecimal,
parts add up, and each heading is explained."""
import functools
import os
import re
import subprocess

BASES = ("share of ", "% of the ", "mean of the rows", "from the median", "not added up", "mean ")
# Headings that end in a number or a name of the run.
WORDS = re.compile(r" of the longest of \d+| of all \d+|, % of the (run|path|sum)|from the median, |"
                   r"largest row, not added up, |mean of samples, most|^mean (?!of )")


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
        for word in headings(section):
            if not is_explained(word, chip):
                yield f"no entry for {word!r} of {section.title!r}"
