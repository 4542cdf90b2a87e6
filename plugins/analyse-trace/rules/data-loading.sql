-- SPDX-License-Identifier: Apache-2.0
-- title: The device waits for the data loader
-- topic: data pipeline
-- todo: More workers, prefetch and pinned memory; or do the work on the device
-- instead-of: slow-steps, critical-path, host-activity
-- reason: Without the loader the host is earlier by the time in which the device waits for it, and by what is before the first work and after the
--   last; no more can be saved than the device does not compute (of several ranks also waiting for others may vanish,
--   each waits for the loaders of the others, too). Speaks where the device is idle in the loader itself.
-- source: PyTorch performance tuning guide: asynchronous loading of data; inputs with this cause and a known gain in tests/causes
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path),
idle AS (
    SELECT rank, activity AS name, sum(idle_us) AS us, max(longest_us) AS longest,
           longest_start_us AS start, device
    FROM trace_host_activities WHERE cause = 'data loading' GROUP BY rank
)
SELECT 'rank ' || idle.rank AS subject,
       'The device is idle for ' || printf('%.1f', 100 * idle.us / run.us) || ' % of the time while the host is in ' || idle.name AS sentence,
       min(1.05 * (SELECT max(us) FROM idle) + run.us - device.kernel_us, run.us - device.compute_us - (SELECT CASE count(*) WHEN 1 THEN max(non_compute_us) ELSE 0 END FROM trace_temporal_breakdown WHERE rank <> 'all')) AS gain_us, run.us AS whole_us,
       idle.us AS value, 'us' AS unit, 'trace_host_activities' AS from_table, 'idle_us' AS from_column,
       idle.start AS start_us, idle.device AS track
FROM idle JOIN trace_temporal_breakdown AS device ON device.rank = idle.rank JOIN run
WHERE idle.us >= 0.02 * run.us;
