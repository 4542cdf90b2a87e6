# SPDX-License-Identifier: Apache-2.0
"""Lists of allowed differences, for compare_csv.py and compare_blocks.py.

A line is `where | reference | opprof | why`; empty lines and lines that begin with # do not count.
`where` and the two values are patterns (* matches anything). Instead of a pattern, opprof's value
may be a relation: `= reference * 118 / 118.06` stands for the reference's number times that, within
the tolerance of comparisons. `<missing>` is a value that is not there at all.
"""
import re

MISSING = "<missing>"
RELATION = re.compile(r"^= reference \* ([\d.]+) / ([\d.]+)$")


def matches(pattern, text):
    parts = (re.escape(part) for part in pattern.split("*"))
    return re.fullmatch(".*".join(parts), text, re.S) is not None


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


class Rule:
    def __init__(self, line):
        self.line = line
        fields = [field.strip() for field in line.split(" | ")]
        if len(fields) != 4:
            raise ValueError("not 'where | reference | opprof | why': %s" % line)
        self.where, self.reference, self.ours, self.why = fields
        self.used = 0

    def allows(self, where, reference, ours):
        if not matches(self.where, where) or not matches(self.reference, reference):
            return False
        relation = RELATION.match(self.ours)
        if relation is None:
            return matches(self.ours, ours)
        a, b = number(ours), number(reference)
        if a is None or b is None:
            return False
        wanted = b * float(relation.group(1)) / float(relation.group(2))
        return abs(a - wanted) <= 2e-6 + 2e-6 * abs(wanted)


class Differences:
    def __init__(self, path):
        self.rules = []
        if path is not None:
            with open(path, encoding="utf-8") as file:
                lines = (line.strip() for line in file)
                self.rules = [Rule(line) for line in lines if line and not line.startswith("#")]

    def allow(self, where, reference, ours):
        for rule in self.rules:
            if rule.allows(where, reference, ours):
                rule.used += 1
                return True
        return False

    def unused(self, prefix):
        """Rules that nothing needed, of those whose place begins like that."""
        return [rule.line for rule in self.rules if not rule.used and rule.where.startswith(prefix)]
