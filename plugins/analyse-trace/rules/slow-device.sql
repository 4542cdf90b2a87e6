-- SPDX-License-Identifier: Apache-2.0
-- title: The same work takes longer on one rank
-- topic: collectives
-- todo: Look at that device's clock, power and cooling, and at what else runs on it
-- instead-of: late-host, more-work, moving-imbalance, small-messages, critical-path, overlap, collectives, late-card, path-on-one-rank
-- optional: trace_step_spread(computation_most_rank)
-- reason: The median over all names of work of the time on this rank against that on all ranks (of two, on the faster one): a device with a low clock is
--   slower in all of it. As fast as the others it would need that much less, within 5 %.
-- source: the same work on each rank; inputs with this cause and a known gain in tests/causes
WITH firsts AS (
    SELECT computation_most_rank AS rank, count(*) AS count FROM trace_step_spread GROUP BY computation_most_rank
), suspects AS (
    SELECT own.rank, compute_us FROM trace_temporal_breakdown AS own LEFT JOIN firsts ON firsts.rank = own.rank
    WHERE coalesce(firsts.count, 0) >= 0.6 * (SELECT count(*) FROM trace_step_spread)
), typical AS (
    SELECT name, CASE WHEN count(*) < 3 THEN min(mean_us) ELSE median(mean_us) END AS mean_us, count(*) AS ranks FROM trace_kernel_breakdown
    WHERE type = 'COMPUTATION' AND name <> 'others' AND EXISTS (SELECT 1 FROM suspects) GROUP BY name
), ratio AS (
    SELECT own.rank, median(own.mean_us / typical.mean_us) AS ratio
    FROM trace_kernel_breakdown AS own JOIN typical ON typical.name = own.name
    WHERE own.type = 'COMPUTATION' AND typical.ranks > 1 AND typical.mean_us > 0 AND own.rank IN (SELECT rank FROM suspects) GROUP BY own.rank
)
SELECT 'rank ' || ratio.rank AS subject,
       'The same work takes ' || printf('%.1f', 100 * (ratio - 1)) || ' % longer on this rank than on the others' AS sentence,
       compute_us * (1 - 1 / ratio) * 1.05 AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       compute_us AS value, 'us' AS unit, 'trace_temporal_breakdown' AS from_table, 'compute_us' AS from_column
FROM ratio JOIN suspects ON suspects.rank = ratio.rank
WHERE ratio > 1.04;
