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
--   and more count: shorter ones may be the delay of a launch. What others wait for it alone, or its idle time beyond theirs, can be saved at most.
WITH others AS (SELECT CASE WHEN count(*) < 3 THEN min(idle_us) ELSE median(idle_us) END AS idle_us, count(*) AS ranks FROM trace_temporal_breakdown WHERE rank <> 'all'),
     what AS (
    SELECT rank, coalesce(CASE WHEN kind IN ('annotation', 'frame') THEN what END, around_operator, around_annotation, what, 'no operator') AS name, sum(idle_us) AS us,
           max(longest_us) AS longest, longest_start_us AS start, device
    FROM trace_host_idle WHERE kind NOT IN ('launched before', 'unknown launch') AND (kind <> 'outside of operators' OR longest_us >= 1000)
    GROUP BY rank, name
), usual AS (
    SELECT name, CASE WHEN count(*) <= 0.5 * (SELECT ranks FROM others) THEN 0 WHEN count(*) < 3 THEN min(us) ELSE median(us) END AS us
    FROM what GROUP BY name
), beyond AS (
    SELECT what.rank, what.name, max(what.us - usual.us) AS us, sum(what.us - usual.us) AS total, what.start, what.device
    FROM what JOIN usual ON usual.name = what.name GROUP BY what.rank
)
SELECT 'rank ' || late.rank AS subject,
       'The others wait for this rank in ' || late.late || ' of ' || late.count || ' collectives: its host is late, mostly in '
           || beyond.name AS sentence,
       max(late.cost_us, own.idle_us - others.idle_us) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       late.cost_us AS value, 'us' AS unit, 'trace_collective_ranks' AS from_table, 'cost_us' AS from_column,
       beyond.start AS start_us, beyond.device AS track
FROM trace_collective_ranks AS late JOIN trace_temporal_breakdown AS own ON own.rank = late.rank
     JOIN beyond ON beyond.rank = late.rank JOIN others
WHERE late.cost_us >= 0.02 * (SELECT max(length_us) FROM trace_critical_path) AND own.idle_us - others.idle_us >= 0.5 * late.cost_us
  AND beyond.total >= 0.5 * late.cost_us;
