-- SPDX-License-Identifier: Apache-2.0
-- title: A compiler works in later iterations
-- topic: compilation
-- todo: Keep shapes static or mark them as dynamic, and look for what makes the compiler start again
-- instead-of: late-host, slow-steps, host-activity, critical-path
-- reason: The first iterations compile; a compiler that works more often than twice does so again for each new shape. Without it
--   the host is earlier by its time, and no more can be saved than the device is without work.
WITH named AS (
    SELECT rank, name, count, total_us FROM trace_annotations UNION ALL SELECT rank, name, count, total_us FROM trace_operators
), calls AS (
    SELECT rank, max(name) AS name, max(count) AS count, max(total_us) AS total FROM named WHERE lower(name) LIKE '%compile_inner%' OR lower(name) LIKE '%compile_fx%' OR lower(name) LIKE '%_compile%' OR lower(name) LIKE '%torchdynamo%' OR lower(name) LIKE '%torchinductor%' OR lower(name) LIKE '%xlacompile%' OR lower(name) LIKE '%backend_compile%' GROUP BY rank
), idle AS (
    SELECT rank, sum(idle_us) AS us FROM (SELECT rank, coalesce(around_annotation, '') || ' ' || coalesce(what, '') AS name, idle_us FROM trace_host_idle)
    WHERE lower(name) LIKE '%compile_inner%' OR lower(name) LIKE '%compile_fx%' OR lower(name) LIKE '%_compile%' OR lower(name) LIKE '%torchdynamo%' OR lower(name) LIKE '%torchinductor%' OR lower(name) LIKE '%xlacompile%' OR lower(name) LIKE '%backend_compile%' GROUP BY rank
)
SELECT 'rank ' || calls.rank AS subject,
       'The device is idle for ' || printf('%.1f', 100 * idle.us / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time while a compiler works ('
           || calls.name || ', ' || calls.count || ' times)' AS sentence,
       min(max(calls.total, idle.us), (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - device.non_compute_us) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       idle.us AS value, 'us' AS unit, 'trace_host_idle' AS from_table, 'idle_us' AS from_column
FROM calls JOIN idle ON idle.rank = calls.rank JOIN trace_temporal_breakdown AS device ON device.rank = calls.rank
WHERE idle.us >= 0.02 * (SELECT max(length_us) FROM trace_critical_path) AND calls.count > 2;
