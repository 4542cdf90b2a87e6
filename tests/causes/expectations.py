# SPDX-License-Identifier: Apache-2.0
"""What the checks of planted causes have in common."""
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAIL: " + what)


def said(rows):
    """The first pieces of advice, for a sentence about a failure."""
    return [(row["rule"], row["gain_us"], row["sentence"]) for row in rows[:3]]


def finish():
    """The exit code."""
    print("%d failures" % len(failures))
    return 1 if failures else 0
