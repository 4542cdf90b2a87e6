/* SPDX-License-Identifier: Apache-2.0 */
/* The memories and units, where they are drawn, and which of them each path of a map connects. */
opprof.memoryPaths = (function () {
  /* Column and row of each box. */
  const PLACES = {
    GM: [0, 2], L2: [1, 2], L1: [2, 0.5], 'L0A': [3, 0], 'L0B': [3, 1], 'L0C': [3, 2], FIXP: [2, 1.75], Cube: [4, 1],
    UB: [2, 3], Vector: [4, 3], 'Data cache': [3, 3.6], 'UB 1': [2, 4.6], 'Vector 1': [4, 4.6], 'Data cache 1': [3, 5.2],
  };
  const PATHS = {
    GM_TO_L2: ['GM', 'L2'], L2_TO_GM: ['L2', 'GM'], L2_TO_L1: ['L2', 'L1'], L1_TO_L2: ['L1', 'L2'], ANY_TO_L0A: ['L1', 'L0A'], ANY_TO_L0B: ['L1', 'L0B'], L0A_TO_CUBE: ['L0A', 'Cube'], L0B_TO_CUBE: ['L0B', 'Cube'],
    CUBE_TO_L0C: ['Cube', 'L0C'], L0C_TO_L1: ['L0C', 'L1'], L0C_TO_L2: ['L0C', 'L2'], L0C_TO_CUBE: ['L0C', 'Cube'], L2_TO_UB: ['L2', 'UB'], UB_TO_L2: ['UB', 'L2'], UB_TO_VECTOR: ['UB', 'Vector'],
    VECTOR_TO_UB: ['Vector', 'UB'], L2_TO_UB1: ['L2', 'UB 1'], UB1_TO_L2: ['UB 1', 'L2'], UB1_TO_VECTOR1: ['UB 1', 'Vector 1'], VECTOR1_TO_UB1: ['Vector 1', 'UB 1'],
    ANY_TO_L1: ['L2', 'L1'], MTE_TO_L0A: ['L1', 'L0A'], MTE_TO_L0B: ['L1', 'L0B'], VECTOR_TO_L0C: ['Vector', 'L0C'], L0C_TO_VECTOR: ['L0C', 'Vector'], ANY_TO_UB: ['L2', 'UB'],
    GM_TO_L0A: ['L2', 'L0A'], GM_TO_L0B: ['L2', 'L0B'], L1_TO_L0A: ['L1', 'L0A'], L1_TO_L0B: ['L1', 'L0B'], L0C_TO_FIXP: ['L0C', 'FIXP'], FIXP_TO_L2: ['FIXP', 'L2'], FIXP_TO_L1: ['FIXP', 'L1'],
    FIXP_TO_UB: ['FIXP', 'UB'], FIXP_TO_UB1: ['FIXP', 'UB 1'], L1_TO_UB: ['L1', 'UB'], L1_TO_UB1: ['L1', 'UB 1'], UB_TO_L1: ['UB', 'L1'], UB1_TO_L1: ['UB 1', 'L1'],
    L2_TO_DCACHE: ['L2', 'Data cache'], L2_TO_DCACHE1: ['L2', 'Data cache 1'], DCACHE_TO_L2: ['Data cache', 'L2'], DCACHE1_TO_L2: ['Data cache 1', 'L2'], VECTOR_TO_DCACHE: ['Vector', 'Data cache'],
    VECTOR1_TO_DCACHE1: ['Vector 1', 'Data cache 1'], DCACHE_TO_VECTOR: ['Data cache', 'Vector'], DCACHE1_TO_VECTOR1: ['Data cache 1', 'Vector 1'],
  };
  /* Names that stand for several paths. */
  const NOTES = { ANY_TO_L0A: 'GM or L1 to L0A', ANY_TO_L0B: 'GM or L1 to L0B', ANY_TO_L1: 'L2 or UB to L1', MTE_TO_L0B: 'L2 or L1 to L0B', ANY_TO_UB: 'L2 or L1 to UB', GM_TO_L0A: 'GM to L0A', GM_TO_L0B: 'GM to L0B' };

  /* If these paths exist, they replace the general one. */
  const SPECIAL = { ANY_TO_L0A: ['GM_TO_L0A', 'L1_TO_L0A'], ANY_TO_L0B: ['GM_TO_L0B', 'L1_TO_L0B'] };

  return { PLACES, PATHS, NOTES, SPECIAL };
}());
