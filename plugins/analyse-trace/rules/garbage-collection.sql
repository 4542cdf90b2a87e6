-- SPDX-License-Identifier: Apache-2.0
-- title: The device waits while Python collects garbage
-- topic: host
-- todo: Collect at fixed moments (gc.freeze after the start, gc.disable and gc.collect between iterations)
-- instead-of: slow-steps, host-activity, critical-path
-- reason: Without it the host is earlier by the time in which the device waits for it, and no more can be saved than the device is without work, but for waiting for other ranks.
-- source: Python, module gc; inputs with this cause and a known gain in tests/causes
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path),
idle AS (
    SELECT rank, activity AS name, max(count) AS count, sum(idle_us) AS us, max(longest_us) AS longest,
           longest_start_us AS start, device
    FROM trace_host_activities
    WHERE cause = 'garbage collection'
    GROUP BY rank
)
SELECT 'rank ' || idle.rank AS subject,
       'The device is idle for ' || printf('%.1f', 100 * idle.us / run.us) || ' % of the time while Python collects garbage ('
           || idle.name || ', ' || idle.count || ' times)' AS sentence,
       min(1.05 * idle.us + run.us - own.kernel_us, run.us - own.compute_us - (SELECT CASE count(*) WHEN 1 THEN max(non_compute_us) ELSE 0 END FROM trace_temporal_breakdown WHERE rank <> 'all')) AS gain_us, run.us AS whole_us,
       idle.us AS value, 'us' AS unit, 'trace_host_activities' AS from_table, 'idle_us' AS from_column,
       idle.start AS start_us, idle.device AS track
FROM idle JOIN trace_temporal_breakdown AS own ON own.rank = idle.rank JOIN run
WHERE idle.us >= 0.02 * run.us;
