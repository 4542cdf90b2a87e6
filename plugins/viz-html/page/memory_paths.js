/* SPDX-License-Identifier: Apache-2.0 */
/* Which memories and units there are, where they are drawn, and between which of them each path of a map leads. */
opprof.memoryPaths = (function () {
  /* Column and row of each box. */
  const PLACES = {
    GM: [0, 2], L2: [1, 2], L1: [2, 0.5], 'L0A': [3, 0], 'L0B': [3, 1], 'L0C': [3, 2], FIXP: [2, 1.75], Cube: [4, 1],
    UB: [2, 3], Vector: [4, 3], 'Data cache': [3, 3.6], 'UB 1': [2, 4.6], 'Vector 1': [4, 4.6], 'Data cache 1': [3, 5.2],
  };
  const PATHS = {
    0: ['GM', 'L2'], 1: ['L2', 'GM'], 2: ['L2', 'L1'], 3: ['L1', 'L2'], 4: ['L1', 'L0A'], 5: ['L1', 'L0B'], 6: ['L0A', 'Cube'], 7: ['L0B', 'Cube'],
    8: ['Cube', 'L0C'], 9: ['L0C', 'L1'], 10: ['L0C', 'L2'], 11: ['L0C', 'Cube'], 12: ['L2', 'UB'], 13: ['UB', 'L2'], 14: ['UB', 'Vector'],
    15: ['Vector', 'UB'], 16: ['L2', 'UB 1'], 17: ['UB 1', 'L2'], 18: ['UB 1', 'Vector 1'], 19: ['Vector 1', 'UB 1'],
    20: ['L2', 'L1'], 21: ['L1', 'L0A'], 22: ['L1', 'L0B'], 23: ['Vector', 'L0C'], 24: ['L0C', 'Vector'], 25: ['L2', 'UB'],
    35: ['L2', 'L0A'], 36: ['L2', 'L0B'], 37: ['L1', 'L0A'], 38: ['L1', 'L0B'], 39: ['L0C', 'FIXP'], 40: ['FIXP', 'L2'], 41: ['FIXP', 'L1'],
    42: ['FIXP', 'UB'], 43: ['FIXP', 'UB 1'], 44: ['L1', 'UB'], 45: ['L1', 'UB 1'], 46: ['UB', 'L1'], 47: ['UB 1', 'L1'],
    48: ['L2', 'Data cache'], 49: ['L2', 'Data cache 1'], 50: ['Data cache', 'L2'], 51: ['Data cache 1', 'L2'], 52: ['Vector', 'Data cache'],
    53: ['Vector 1', 'Data cache 1'], 54: ['Data cache', 'Vector'], 55: ['Data cache 1', 'Vector 1'],
  };
  /* Where a number stands for several ways. */
  const NOTES = { 4: 'GM or L1 to L0A', 5: 'GM or L1 to L0B', 20: 'L2 or UB to L1', 22: 'L2 or L1 to L0B', 25: 'L2 or L1 to UB', 35: 'GM to L0A', 36: 'GM to L0B' };

  /* Path with these replaces the general one. */
  const SPECIAL = { 4: [35, 37], 5: [36, 38] };

  return { PLACES, PATHS, NOTES, SPECIAL };
}());
