#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model of launches on a device, and the causes that can make them slow.

Each block goes over tiles: load, computation, store, each on its pipe, with two buffers. A pipe
begins when the work was issued, what it works on is ready and its buffer is free; what it waits for
then is counted as the device counts it. The same launch without a cause gives the true gain. Times
are in cycles. Python 3 standard library only."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from onboard_raw import Launch  # noqa: E402  (needs the path)

# Of a kind of core: events of busy and wait cycles of load, computation and store; cores of the
# device.
KINDS = {"cube": ((12, 91), (10, 88), (771, None), 24), "vector": ((12, 91), (8, 89), (13, 92), 48)}
PEAK = {"cube": (50, 256, 340.1), "vector": (62, 128, 220.06)}  # event and bytes of loads, GiB/s
CLOCK = 1850
HEAD, OVERHEAD = 300, 1.0  # cycles before the first tile; us of the launch


class Block:
    """The cycles and counters of one block."""

    def __init__(self, model, tiles, noise):
        self.busy, self.wait = [0, 0, 0], [0, 0, 0]
        self.scalar = self.scalar_wait = self.fetch = self.conflicts = 0
        ends = [[], [], []]  # of load, computation, store by tile
        issue = HEAD
        for tile in range(tiles):
            times = [round(time * (1 + 0.02 * (2 * noise.random() - 1))) for time in model.times()]
            issue = self.issue(model, issue)
            for stage in range(3):
                if model.has("barriers") and stage + tile > 0:
                    before = ends[stage - 1][tile] if stage > 0 else ends[2][tile - 1]
                    self.scalar_wait += max(before - issue, 0)
                    issue = max(issue, before)
                free = max(issue, ends[stage][tile - 1] if tile > 0 else 0)
                ready = ends[stage - 1][tile] if stage > 0 else 0
                room = ends[min(stage + 1,
                                2)][
                    tile - model.buffers] if tile >= model.buffers and stage < 2 else 0
                start = max(free, ready, room)
                self.wait[stage] += start - free
                self.busy[stage] += times[stage]
                ends[stage].append(start + times[stage])
            self.conflicts += model.conflicts()
        self.cycles = ends[2][-1] + 50

    def issue(self, model, now):
        """Scalar code and fetching come before a tile's instructions."""
        scalar = 900 if model.has("scalar code") else 40
        fetch = 700 if model.has("large code") else 2
        self.scalar += scalar
        self.fetch += fetch
        return now + scalar + fetch


class Operator:
    """One launch. `causes`: what is wrong, by name."""

    def __init__(self, causes=(), kind="vector", seed=0, tiles=60):
        self.causes, self.kind, self.tiles = set(causes), kind, tiles
        self.buffers = 1 if self.has("single buffer") else 2
        noise = random.Random(seed)
        cores = KINDS[kind][3]
        used = cores // 2 if self.has("few blocks") else cores
        self.blocks = [Block(self, self.share(block, cores // used), noise)
                       for block in range(used)]
        self.cycles = max(block.cycles for block in self.blocks)
        self.clock = 1500 if self.has("low clock") else CLOCK
        self.us = self.cycles / self.clock + OVERHEAD + (20 if self.has("launch overhead") else 0)

    def has(self, cause):
        return cause in self.causes

    def share(self, block, times):
        """Tiles of a block; all blocks together have the same number in any case."""
        cores = KINDS[self.kind][3]
        if self.has("unequal blocks"):
            rest = self.tiles * cores - self.tiles * 2
            return self.tiles * 2 if block == 0 else rest // (cores - 1) + (block <= rest %
                                                                            (cores - 1))
        return self.tiles * times

    def times(self):
        load = 4200 if self.has("slow moves") else 600
        compute = 450 if self.kind == "cube" else 500
        return load, compute + self.conflicts(), 900 if self.has("feeding") else 300

    def conflicts(self):
        return 400 if self.has("bank conflicts") else 0

    def launch(self):
        made = Launch("910b", freq=self.clock, rated=CLOCK, block_dim=len(self.blocks))
        event, size, peak = PEAK[self.kind]
        for number, block in enumerate(self.blocks):
            # Loads of 600 cycles reach 70 % of the peak.
            moved = 0.7 * peak * 2**30 * 600 * (block.busy[0] / self.times()[0]) / (CLOCK * 1e6)
            counters = {9: block.scalar, 87: block.scalar_wait, 114: block.fetch,
                        100: block.conflicts * (self.kind == "vector"), event: round(moved / size)}
            for (busy, wait), worked, waited in zip(KINDS[self.kind], block.busy, block.wait):
                counters[busy] = worked
                if wait is not None:
                    counters[wait] = waited
            if self.kind == "cube":
                counters.update({33: 100, 73: 100})
            made.core(self.kind, block.cycles, counters, block=number)
        return made.took(self.us)
