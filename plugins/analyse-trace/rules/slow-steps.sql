-- SPDX-License-Identifier: Apache-2.0
-- title: Some iterations take longer than the others
-- topic: iterations
-- todo: Warm up before measuring; save checkpoints, evaluate and log asynchronously or less often
-- instead-of: host-activity, critical-path
-- optional: trace_host_activities(rank, activity, longest_us, device)
-- reason: Iterations that are longer than the median by more than the noise. As short as the shortest, they would take that much
--   less.
WITH cause AS (
    SELECT rank, activity AS name, max(longest_us) AS us, device FROM trace_host_activities GROUP BY rank
)
SELECT 'rank ' || slow.rank AS subject,
       slow.slow || ' of ' || slow.count || ' iterations are longer, such as ' || slow.slowest
           || coalesce('; the host is mostly in ' || cause.name || ' while the device waits', '') AS sentence,
       min(slow.slow_us, (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - (SELECT CASE count(*) WHEN 1 THEN max(non_compute_us) ELSE 0 END FROM trace_temporal_breakdown WHERE rank <> 'all')) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       slow.slow_us AS value, 'us' AS unit, 'trace_step_ranks' AS from_table, 'slow_us' AS from_column,
       slow.slowest_start_us AS start_us, cause.device AS track
FROM trace_step_ranks AS slow JOIN trace_temporal_breakdown AS device ON device.rank = slow.rank LEFT JOIN cause ON cause.rank = slow.rank
WHERE slow.slow > 0 AND slow.count > 2 AND slow.slow < 0.5 * slow.count;
