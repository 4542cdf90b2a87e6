-- SPDX-License-Identifier: Apache-2.0
-- title: Some iterations take longer than the others
-- topic: iterations
-- todo: Warm up before measuring; save checkpoints, evaluate and log asynchronously or less often
-- instead-of: host-activity, critical-path
-- optional: trace_host_activities(rank, activity, longest_us, device), trace_critical_path_names(rank, part, name, time_us, count), trace_annotations(rank, name, self_us, count)
-- reason: Iterations that are longer than the median by more than the noise. As short as the shortest, they would take that much
--   less. What the host did is named if one piece of it takes at least a quarter of what a slow iteration takes more: while the
--   device waited, else on the critical path, which also has what came before the first work and after the last, else in an annotation
--   that is there no more often than slow iterations are.
-- source: the iterations of the run; inputs with this cause and a known gain in tests/causes
WITH waits AS (
    SELECT rank, activity AS name, max(longest_us) AS us, device FROM trace_host_activities GROUP BY rank
), pieces AS (
    SELECT rank, name, max(time_us / count) AS us FROM trace_critical_path_names WHERE part IN ('host', 'data_loading') GROUP BY rank
), slow AS (
    SELECT *, 0.25 * slow_us / slow AS part_us FROM trace_step_ranks WHERE slow > 0 AND count > 2 AND slow < 0.5 * count
), marks AS (
    SELECT slow.rank, name, max(self_us / marked.count) AS us
    FROM slow JOIN trace_annotations AS marked ON marked.rank = slow.rank AND marked.count <= slow.slow GROUP BY slow.rank
)
SELECT 'rank ' || slow.rank AS subject,
       slow.slow || ' of ' || slow.count || ' iterations ' || CASE slow.slow WHEN 1 THEN 'is' ELSE 'are' END || ' longer, such as ' || slow.slowest
           || CASE WHEN waits.us >= part_us THEN '; the host is mostly in ' || waits.name || ' while the device waits'
                   WHEN pieces.us >= part_us THEN '; the host is mostly in ' || pieces.name || ' then'
                   WHEN marks.us >= part_us THEN '; the host is mostly in ' || marks.name || ' then'
                   ELSE '' END AS sentence,
       min(slow.slow_us, (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - (SELECT CASE count(*) WHEN 1 THEN max(non_compute_us) ELSE 0 END FROM trace_temporal_breakdown WHERE rank <> 'all')) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       slow.slow_us AS value, 'us' AS unit, 'trace_step_ranks' AS from_table, 'slow_us' AS from_column,
       slow.slowest_start_us AS start_us, waits.device AS track
FROM slow JOIN trace_temporal_breakdown AS device ON device.rank = slow.rank LEFT JOIN waits ON waits.rank = slow.rank
     LEFT JOIN pieces ON pieces.rank = slow.rank LEFT JOIN marks ON marks.rank = slow.rank;
