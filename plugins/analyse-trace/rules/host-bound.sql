-- SPDX-License-Identifier: Apache-2.0
-- title: Kernels are too short for the host that launches them
-- topic: launches
-- todo: Graphs (CUDA graphs), a compiler, fused operators, larger batches; fewer operators
-- instead-of: critical-path, host-activity
-- reason: The device waits for launches again and again: at least one stretch of idle time for ten pieces of work, and the host is
--   in operators and launches meanwhile. At most all idle time can be saved.
-- source: the idle time before launches that came late; inputs with this cause and a known gain in tests/causes
WITH host AS (
    SELECT rank, sum(idle_us) AS us, max(count) AS count FROM trace_host_activities
    WHERE longest_us < 1000 GROUP BY rank
), launches AS (
    SELECT rank, kernels, gpu_mean_us, count FROM trace_launch_stats
)
SELECT 'rank ' || host.rank AS subject,
       'The device waits for launches for ' || printf('%.1f', 100 * host.us / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time; its work takes '
           || printf('%.1f', launches.gpu_mean_us) || ' us on average' AS sentence,
       (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - device.non_compute_us AS gain_us, (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       host.us AS value, 'us' AS unit, 'trace_host_activities' AS from_table, 'idle_us' AS from_column
FROM host JOIN launches ON launches.rank = host.rank JOIN trace_temporal_breakdown AS device ON device.rank = host.rank
WHERE host.us >= 0.05 * (SELECT max(length_us) FROM trace_critical_path) AND host.us >= 0.5 * device.idle_us AND host.count > 0.02 * launches.kernels;
