-- SPDX-License-Identifier: Apache-2.0
-- title: A rank's host makes the others wait
-- topic: collectives
-- todo: Look at what the host of that rank does then, at its data, and at other programs of its machine
-- instead-of: moving-imbalance, small-messages, slow-steps, critical-path, overlap, host-activity, late-card, collectives,
--   path-on-one-rank, data-loading, allocation, garbage-collection, quiet-python, recompilation, synchronisation, unfused-optimizer,
--   unfused-optimizer-function
-- reason: Ranks leave a collective together. A rank that comes last in most is held up by its host if its device waits for the host
--   longer than the others' devices do, by half of what it costs at least; what the host is in longest beyond the others is the
--   cause. Outside of operators only pauses of a millisecond
--   and more count: shorter ones may be the delay of a launch. What others wait for it alone (but not what they compute meanwhile), or its idle time beyond theirs, can be saved at most.
-- source: ranks leave a collective together, so the one that waits least came last; inputs with this cause and a known gain in tests/causes
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path),
others AS (
    SELECT CASE WHEN count(*) < 3 THEN min(idle_us) ELSE median(idle_us) END AS idle_us, count(*) AS ranks
    FROM trace_temporal_breakdown WHERE rank <> 'all'
), late AS (
    SELECT late.rank, late.late, late.count, late.cost, own.idle_us - others.idle_us AS beyond_us
    FROM (SELECT rank, late, count, min(cost_us, run.us - (SELECT max(compute_us) FROM trace_temporal_breakdown AS other
                                                         WHERE other.rank NOT IN ('all', ranks.rank))) AS cost
          FROM trace_collective_ranks AS ranks JOIN run WHERE cost_us >= 0.02 * run.us) AS late
         JOIN trace_temporal_breakdown AS own ON own.rank = late.rank JOIN others JOIN run
    WHERE late.cost >= 0.02 * run.us AND own.idle_us - others.idle_us >= 0.5 * late.cost
), what AS (
    SELECT rank, activity AS name, idle_us AS us, longest_start_us AS start, device
    FROM trace_host_activities WHERE rank IN (SELECT rank FROM late) AND (activity <> 'no operator' OR longest_us >= 1000)
), usual AS (
    SELECT activity AS name, CASE WHEN count(*) <= 0.5 * max(others.ranks) THEN 0 WHEN count(*) < 3 THEN min(own.idle_us) ELSE median(own.idle_us) END AS us
    FROM trace_host_activities AS own JOIN others
    WHERE EXISTS (SELECT 1 FROM late) AND (activity <> 'no operator' OR longest_us >= 1000) GROUP BY activity
), beyond AS (
    SELECT what.rank, what.name, max(what.us - usual.us) AS us, sum(what.us - usual.us) AS total, what.start, what.device
    FROM what CROSS JOIN usual ON usual.name = what.name GROUP BY what.rank
)
SELECT 'rank ' || late.rank AS subject,
       'The others wait for this rank in ' || late.late || ' of ' || late.count || ' collectives: its host is late, mostly in '
           || beyond.name AS sentence,
       max(late.cost, late.beyond_us) AS gain_us, run.us AS whole_us,
       late.cost AS value, 'us' AS unit, 'trace_collective_ranks' AS from_table, 'cost_us' AS from_column,
       beyond.start AS start_us, beyond.device AS track
FROM late JOIN beyond ON beyond.rank = late.rank JOIN run
WHERE beyond.total >= 0.5 * late.cost;
