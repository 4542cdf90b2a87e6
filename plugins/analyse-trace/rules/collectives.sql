-- SPDX-License-Identifier: Apache-2.0
-- title: Others wait for one rank in collectives
-- topic: collectives
-- todo: Look at this rank: its share of the work, what its host does before collectives, its machine
-- reason: Where all ranks come late in turn, none is the cause: a rank is named if it costs at least twice the mean of
--   the others. Its cost is the time from the arrival of the second last rank to its own, beyond the noise; collectives wait in a stream
--   of their own, so that some of it may be hidden: what the others compute takes as long without this rank.
-- source: ranks leave a collective together, so the wait of each is known without a common clock; inputs with this cause and a known gain in tests/causes
WITH ranks AS (
  SELECT CASE WHEN instr(rank, '-cycle') > 0 THEN substr(rank, 1, instr(rank, '-cycle') - 1) ELSE rank END AS name,
         sum(cost_us) AS cost, sum(late) AS late, sum("count") AS calls, sum(span_us) AS span
  FROM trace_collective_ranks
  GROUP BY name),
busy AS (
  SELECT CASE WHEN instr(rank, '-cycle') > 0 THEN substr(rank, 1, instr(rank, '-cycle') - 1) ELSE rank END AS name, sum(compute_us) AS us
  FROM trace_temporal_breakdown WHERE rank <> 'all' GROUP BY name),
whole AS (SELECT count(*) AS ranks, sum(cost) AS cost FROM ranks),
-- With a LIMIT SQLite computes each only once, and not anew for each use.
named AS (SELECT ranks.* FROM ranks, whole
  WHERE late > 0 AND whole.ranks > 1 AND ranks.cost >= 2 * (whole.cost - ranks.cost) / (whole.ranks - 1)
  LIMIT -1),
gains AS (SELECT *, min(cost, span - coalesce((SELECT max(us) FROM busy WHERE busy.name <> named.name), 0)) AS gain FROM named LIMIT -1)
SELECT 'rank ' || name AS subject,
       printf('This rank is last in %d of %d collectives; for %.1f %% of the time others wait for it alone', late, calls, 100 * gain / span) AS sentence,
       gain AS gain_us,
       span AS whole_us,
       cost AS value, 'us' AS unit, 'trace_collective_ranks' AS from_table, 'cost_us' AS from_column,
       printf('cost=%.3f us, late=%d, collectives=%d', cost, late, calls) AS numbers
FROM gains
WHERE gain > 0;
