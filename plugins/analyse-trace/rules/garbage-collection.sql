-- SPDX-License-Identifier: Apache-2.0
-- title: The device waits while Python collects garbage
-- topic: host
-- todo: Collect at fixed moments (gc.freeze after the start, gc.disable and gc.collect between iterations)
-- instead-of: late-host, slow-steps, host-activity, critical-path
-- reason: Without it the host is earlier by its time, and no more can be saved than the device is without work.
WITH named AS (
    SELECT rank, name, count, total_us FROM trace_annotations UNION ALL SELECT rank, name, count, total_us FROM trace_operators
), calls AS (
    SELECT rank, max(name) AS name, max(count) AS count, max(total_us) AS total FROM named WHERE lower(name) LIKE 'gc.collect%' OR lower(name) LIKE '%garbage collect%' OR lower(name) LIKE '%gc_collect%' GROUP BY rank
), idle AS (
    SELECT rank, sum(idle_us) AS us, max(longest_us) AS longest, longest_start_us AS start, device
    FROM (SELECT rank, coalesce(around_annotation, '') || ' ' || coalesce(what, '') AS name, idle_us, longest_us, longest_start_us, device FROM trace_host_idle)
    WHERE lower(name) LIKE '%gc.collect%' OR lower(name) LIKE '%garbage collect%' OR lower(name) LIKE '%gc_collect%' GROUP BY rank
)
SELECT 'rank ' || calls.rank AS subject,
       'The device is idle for ' || printf('%.1f', 100 * idle.us / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time while Python collects garbage ('
           || calls.name || ', ' || calls.count || ' times)' AS sentence,
       min(max(calls.total, idle.us), (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - device.non_compute_us) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       idle.us AS value, 'us' AS unit, 'trace_host_idle' AS from_table, 'idle_us' AS from_column,
       idle.start AS start_us, idle.device AS track
FROM calls JOIN idle ON idle.rank = calls.rank JOIN trace_temporal_breakdown AS device ON device.rank = calls.rank
WHERE idle.us >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
