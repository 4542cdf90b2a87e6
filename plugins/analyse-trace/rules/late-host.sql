-- SPDX-License-Identifier: Apache-2.0
-- title: A rank's host makes the others wait
-- topic: collectives
-- todo: Look at what the host of that rank does then, at its data, and at other programs of its machine
-- instead-of: moving-imbalance, small-messages, slow-steps, critical-path, overlap, host-activity, late-card, collectives,
--   path-on-one-rank
-- reason: Ranks leave a collective together. A rank that comes last in most and whose device is idle more than that of the others
--   is held up by its host. What others wait for it alone, or its idle time beyond theirs, can be saved at most.
WITH others AS (SELECT median(idle_us) AS idle_us FROM trace_temporal_breakdown WHERE rank <> 'all'),
     what AS (
    SELECT rank, coalesce(around_annotation, around_operator, what) AS name, sum(idle_us) AS us,
           max(longest_us) AS longest, longest_start_us AS start, device
    FROM trace_host_idle WHERE kind NOT IN ('launched before', 'unknown launch', 'outside of operators') GROUP BY rank, name
), most AS (
    SELECT rank, name, max(us) AS us, start, device FROM what GROUP BY rank
)
SELECT 'rank ' || late.rank AS subject,
       'The others wait for this rank in ' || late.late || ' of ' || late.count || ' collectives: its host is late, mostly in '
           || most.name AS sentence,
       max(late.cost_us, own.idle_us - others.idle_us) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       late.cost_us AS value, 'us' AS unit, 'trace_collective_ranks' AS from_table, 'cost_us' AS from_column,
       most.start AS start_us, most.device AS track
FROM trace_collective_ranks AS late JOIN trace_temporal_breakdown AS own ON own.rank = late.rank
     JOIN most ON most.rank = late.rank JOIN others
WHERE late.cost_us >= 0.02 * (SELECT max(length_us) FROM trace_critical_path) AND own.idle_us - others.idle_us >= 0.5 * late.cost_us AND most.us >= 0.5 * late.cost_us;
