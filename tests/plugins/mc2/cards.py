# SPDX-License-Identifier: Apache-2.0
"""Described workloads of several cards: every span is there, and clocks are aligned within the
stated error."""

import csv
import os

from run import check, equal, finish, run, scratch

import mc2_raw as raw


def wanted_spans(card, chip):
    khz = raw.KHZ[chip]
    zero = card.zero
    return sorted((p, t, n, round((s - zero) / khz * 1000, 3), round((e - s) / khz * 1000, 3))
                  for p, t, n, s, e in card.spans)


def got_spans(events, prefix=""):
    return sorted((e["pid"][len(prefix):], e["tid"], e["name"], round(e["ts"], 3),
                   round(e["dur"], 3)) for e in events
                  if e["pid"].startswith(prefix) and e["ph"] == "X")


def merged(intervals):
    """Ticks in which one of the intervals runs."""
    return {tick for start, end in intervals for tick in range(start, end)}


def check_overlap(result, made, khz):
    """Tick by tick, from what the cards really did."""
    with open(result.path("overlap.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    equal(len(rows), len(made), "rows of overlap.csv")
    for row, card in zip(rows, made):
        compute = merged((s, e) for p, _, n, s, e in card.spans
                         if n in ("cube time", "vector time"))
        talk = merged((s, e) for p, _, n, s, e in card.spans if p == "HCCL" and n !=
                      "NOTIFY_WAIT_SQE")
        wait = merged((s, e) for p, _, n, s, e in card.spans if n == "NOTIFY_WAIT_SQE")
        first, last = min(compute | talk), max(compute | talk) + 1
        wanted = {"span_us": last - first, "compute_only_us": len(compute - talk),
                  "communication_only_us": len(talk - compute),
                  "overlapped_us": len(talk & compute), "idle_us": last - first -
                  len(talk | compute), "waiting_us": len(wait)}
        for name, ticks in wanted.items():
            check(abs(float(row[name]) - ticks * 1000 / khz) < 0.0005, name, row, ticks * 1000 /
                  khz)
    with open(result.path("longest_waits.csv"), encoding="utf-8") as file:
        waits = list(csv.DictReader(file))
    for row in waits:
        check(row["waited_for_rank"] != "NA" and row["name"] == "Notify_Wait",
              "a wait knows its rank", row)
    longest = max(e - s for card in made for _, _, n, s, e in card.spans if n == "Notify_Wait")
    check(abs(max(float(row["duration_us"]) for row in waits) - longest * 1000 / khz) < 0.0005,
          "longest wait")


def one_card(chip, seed):
    made = raw.workload(1, 3, 20, seed, chip)
    directory = scratch()
    raw.write_run(directory, made, chip)
    result = run("mc2-dump", directory)
    equal(result.code, 0, "one card: " + result.messages)
    equal(got_spans(result.events()[0]), wanted_spans(made[0], chip), "spans of one card, "
                                                                      f"seed {seed}")
    check_overlap(result, made, raw.KHZ[chip])
    check(not os.path.exists(result.path("clock_alignment.csv")), "nothing to align")


def check_clocks(result, made, how, notices, collectives, most_us):
    with open(result.path("clock_alignment.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    equal([row["rank"] for row in rows], [f"device{card.rank}" for card in made],
          "cards of the table")
    for row, card in zip(rows, made):
        # Each card counts from its own zero; in true time that is zero - ahead.
        true_us = ((card.zero - card.ahead) - (made[0].zero - made[0].ahead)) / 50
        equal(int(row["notices"]), notices, "notices")
        equal(int(row["collectives"]), collectives, "collectives")
        if card.rank == 0:
            equal(row["how"], "reference", "the first card")
            continue
        equal(row["how"], how, row["rank"])
        error = float(row["error_us"])
        check(abs(float(row["offset_us"]) - true_us) <= error + 0.001, row, "true offset", true_us)
        check(error < most_us, "the error is small:", error)


def several_cards(cards, seed):
    made = raw.workload(cards, 2, 12, seed)
    directory = scratch()
    raw.write_run(directory, made)
    result = run("mc2-dump", directory)
    equal(result.code, 0, f"{cards} cards: {result.messages}")
    for card in made:
        document = f"device{card.rank}/made_up/0/trace"
        equal(got_spans(result.events(document)[0]), wanted_spans(card, "910b"), document)
        check(os.path.exists(result.path(f"device{card.rank}/made_up/0/visualize_data.bin")),
              "its viewer's file")
    check_overlap(result, made, 50000)
    together, _ = result.events("trace")
    equal(len(together), sum(len(card.spans) for card in made), "spans of all cards")
    check_clocks(result, made, "notices in both directions", 24, 1, 20)
    first = min(e["ts"] for e in together)
    check(first >= 0, "times do not begin before zero:", first)


def collectives_only():
    """Without notices the turn that all cards took part in bounds the clocks."""
    made = raw.workload(3, 2, 12, 7)
    for card in made:
        card.files["aicpu.bin"] = card.files["aicpu.bin"][-256:]
    directory = scratch()
    raw.write_run(directory, made)
    result = run("mc2-dump", directory)
    longest = max(card.last - card.first for card in made) / 50
    check_clocks(result, made, "collectives of all ranks", 0, 1, longest + 1)
    check("error is not known" not in result.messages, result.messages)


def uneven_collectives():
    made = raw.workload(2, 1, 4, 5)
    made[1].files["aicpu.bin"] = made[1].files["aicpu.bin"][:-256]
    directory = scratch()
    raw.write_run(directory, made)
    result = run("mc2-dump", directory)
    check("1 collective is ignored for the clocks" in result.messages, result.messages)
    check_clocks(result, made, "notices in both directions", 8, 0, 20)


def collective_kernels():
    """A collective kernel does not end on a card before it began on all."""
    made = []
    for rank, (ahead, begin) in enumerate(((0, 1000), (70000000, 1400), (-900, 1100))):
        card = raw.Card(rank, ahead)
        start, end = 536000000000 + begin + ahead, 536000000000 + 2000 + 10 * rank + ahead
        card.add("duration.bin", raw.task_pair("910b", raw.AI_CORE, 3, 2, start, end))
        card.add("DeviceProf1.bin", raw.block("910b", True, 0, 0, start, end))
        card.add("aic_timestamp.bin", raw.lccl_mark(1, 0, start + 5) + raw.lccl_mark(1, 0, start +
                                                                                     50))
        card.zero = start
        made.append(card)
    directory = scratch()
    raw.write_run(directory, made, kind="lccl")
    result = run("mc2-dump", directory)
    check_clocks(result, made, "collectives of all ranks", 0, 1, 20)


def lost_cards():
    made = raw.workload(2, 1, 4, 5)
    made[1].files["aicpu.bin"] = b""
    directory = scratch()
    raw.write_run(directory, made)
    result = run("mc2-dump", directory)
    check("aligned with that of 'device0' by starts of the launches: the error is not known"
          in result.messages,
          result.messages)


def limited():
    made = raw.workload(2, 1, 4, 5)
    directory = scratch()
    raw.write_run(directory, made)
    result = run("mc2-dump", directory, "timeline.cards_limit=10")
    equal(result.code, 4, "events beyond the limit")
    check("the limit is 10" in result.messages, result.messages)


for seed in (1, 2):
    one_card("910b", seed)
for cards, seed in ((2, 1), (3, 2), (8, 3)):
    several_cards(cards, seed)
collectives_only()
uneven_collectives()
collective_kernels()
lost_cards()
limited()
finish()
