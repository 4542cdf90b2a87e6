-- SPDX-License-Identifier: Apache-2.0
-- title: The critical path stays on one rank
-- topic: critical path
-- todo: Look at this rank: its share of the work, what its host does, its machine
-- reason: The path through all ranks passes through each as long as the others wait for it. A rank with at least twice
--   its equal share is named, where there are three ranks or more, and the others wait for this one
--   in collectives for 2 % of the time: where all have as much to do, the path may be on any of them.
-- source: the longest path through all ranks; inputs with this cause and a known gain in tests/causes
WITH whole AS (SELECT count(*) AS ranks FROM trace_collective_ranks)
SELECT 'rank ' || rank AS subject,
       printf('%.1f %% of the critical path through all %d ranks is on this one: the others wait for it', percent, ranks) AS sentence,
       path.time_us AS value, 'us' AS unit, 'trace_critical_path_ranks' AS from_table, 'time_us' AS from_column,
       printf('rank=%.3f us', path.time_us) AS numbers
FROM trace_critical_path_ranks AS path, whole
WHERE ranks >= 3 AND percent >= 200.0 / ranks
  AND path.time_us = (SELECT max(time_us) FROM trace_critical_path_ranks)
  AND EXISTS (SELECT 1 FROM trace_collective_ranks AS late WHERE late.rank = path.rank AND late.cost_us >= 0.02 * late.span_us);
