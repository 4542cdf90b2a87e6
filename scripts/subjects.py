#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Subjects of the last commits are "area: imperative summary", at most 72 columns.

usage: subjects.py [--last N] [DIR]      the last N (20) that are not merges; a tree without history
                                         passes
       subjects.py --of SUBJECT...       these texts

A program cannot tell every verb from a noun, so it looks for what an imperative does not begin
with.
"""
import os
import re
import subprocess
import sys

# Commits before the rule are not judged. A history without this commit is judged from its
# beginning.
BEFORE = "117bce788c5276bbfce3d611f9024905557971e8"
LONGEST = 72
SHAPE = re.compile(r"([a-z0-9_][\w./*-]*(?:, [\w./*-]+)*): (\S.*)")
# Words that begin a statement, a name or a question, but no order.
NOT_FIRST = set("""
    a an the this that these those its their our your his her it they we you i he she there here
    what which who whose where when why how whether if
    all any both each every few less many more most much no none not one two three several some
    such other
    and or but so then also now still only just even
    is are was were be been has have had does did can could may might must shall should will would
    in on at of for to from by with without under over after before between into as than
    early equal inner large late later long new odd old plain short temporary whole
    advice corpora data memory text work""".split())
# Verbs that end like a third person, a past or a participle.
VERBS = set("""
    access address bypass compress cross discuss dismiss express focus guess miss pass possess
    press process suppress toss
    bleed breed embed exceed feed heed need proceed seed shed speed spread succeed weed
    bring ping ring sing spring string swing""".split())
STATEMENT = re.compile(r"\S+ (?:is|are|was|were|has|have|had|does|can|may|must|will)\b")


def mistake(subject):
    """Why it is not as it should be, or None."""
    shape = SHAPE.fullmatch(subject)
    if len(subject) > LONGEST:
        return f"has {len(subject)} columns, {LONGEST} are the most"
    if not shape:
        return 'has no area: write "area: imperative summary"'
    first = shape[2].split()[0].rstrip(",;:")
    if shape[2].endswith("."):
        return "ends with a full stop"
    if not re.fullmatch(r"[a-z][a-z-]*", first) or first in NOT_FIRST:
        return f"does not begin with a verb after its area, but with '{first}'"
    if first not in VERBS and re.search(r"(?:[^s]s|ed|ing)$", first):
        return f"is not imperative: '{first}'"
    if STATEMENT.match(shape[2]):
        return "is a statement: begin with the verb"
    return None


def history(root, last):
    def git(*words):
        return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True,
                              check=False)

    since = [f"^{BEFORE}"] if git("cat-file", "-e", BEFORE).returncode == 0 else []
    return git("log", "--no-merges", f"-{last}", "--format=%h %s", "HEAD",
               *since).stdout.splitlines()


def main(arguments):
    if arguments[:1] == ["--of"]:
        commits = ["- " + subject for subject in arguments[1:]]
    else:
        last = 20
        if arguments[:1] == ["--last"]:
            last, arguments = int(arguments[1]), arguments[2:]
        root = arguments[0] if arguments else os.path.join(
            os.path.dirname(os.path.abspath(__file__)), "..")
        commits = history(root, last) if os.path.exists(os.path.join(root, ".git")) else []
    wrong = 0
    for commit, subject in (line.split(" ", 1) for line in commits):
        why = mistake(subject)
        if why:
            wrong += 1
            print(f"{commit}: '{subject}' {why}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
