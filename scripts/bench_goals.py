#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_goals.py FILE: the goals of all benches in FILE (bench.json) and what was reached, missed
ones first."""
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = [case for case in json.load(file)["cases"] if "goal" in case]
    # How far it is from its goal: below 1 it is missed.
    cases.sort(key=lambda case: case["ratio"] / case["goal"])
    missed = sum(case["ratio"] < case["goal"] for case in cases)
    print(f"\n# {len(cases)} goals, {missed} missed")
    print(f"{'':6}  {'case':46}  {'reached':>9}  {'goal':>9}  beside")
    for case in cases:
        word = "MISSED" if case["ratio"] < case["goal"] else "met"
        print(f"{word:6}  {case['program'] + ': ' + case['name']:46}  {case['ratio']:8.3g}×  "
              f"{case['goal']:8.3g}×  {case['peer']}")


if __name__ == "__main__":
    main()
