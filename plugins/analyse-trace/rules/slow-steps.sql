-- SPDX-License-Identifier: Apache-2.0
-- title: Some iterations take longer than the others
-- topic: iterations
-- todo: Warm up before measuring; save checkpoints, evaluate and log asynchronously or less often
-- instead-of: host-activity, critical-path
-- reason: Iterations that are longer than the median by more than the noise. As short as the shortest, they would take that much
--   less.
WITH least AS (SELECT rank, min(time_us) AS us, count(*) AS count FROM trace_steps GROUP BY rank),
     slow AS (
    SELECT step.rank, count(*) AS count, sum(step.time_us - least.us) AS us, max(step.time_us) AS longest, min(step.step) AS step
    FROM trace_steps AS step JOIN least ON least.rank = step.rank
    WHERE step.differs_in IS NOT NULL AND step.difference_us > 0 GROUP BY step.rank
), cause AS (
    SELECT idle.rank, coalesce(idle.around_annotation, idle.around_operator, idle.what, idle.kind) AS name, max(idle.what_us) AS us
    FROM trace_step_idle AS idle GROUP BY idle.rank
)
SELECT 'rank ' || slow.rank AS subject,
       slow.count || ' of ' || least.count || ' iterations are longer, such as ' || slow.step
           || coalesce('; the host is mostly in ' || cause.name || ' while the device waits', '') AS sentence,
       min(slow.us, (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - device.non_compute_us) AS gain_us, (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       slow.us AS value, 'us' AS unit, 'trace_steps' AS from_table, 'time_us' AS from_column
FROM slow JOIN least ON least.rank = slow.rank JOIN trace_temporal_breakdown AS device ON device.rank = slow.rank
     LEFT JOIN cause ON cause.rank = slow.rank AND cause.us > 0
WHERE least.count > 2 AND slow.count < 0.5 * least.count;
