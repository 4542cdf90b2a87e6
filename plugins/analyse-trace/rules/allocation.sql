-- SPDX-License-Identifier: Apache-2.0
-- title: Memory is allocated within iterations
-- topic: memory
-- todo: Reserve memory before, use a caching allocator (expandable segments), and keep shapes the same
-- instead-of: slow-steps, host-activity, critical-path
-- optional: trace_host_activities(rank, kind, count, longest_us, longest_start_us, device)
-- reason: Allocating calls of the device's library take long and often wait for the device. Without them the host is earlier by
--   their time, and no more can be saved than the device does not compute.
-- source: PyTorch, memory management: why there is a caching allocator; inputs with this cause and a known gain in tests/causes
WITH calls AS (
    SELECT rank, max(name) AS name, sum(count) AS count, sum(total_us) AS total, sum(idle_us) AS idle
    FROM trace_host_calls WHERE kind = 'allocate' GROUP BY rank
), place AS (
    SELECT rank, sum(count) AS count, max(longest_us) AS longest, longest_start_us AS start, device FROM trace_host_activities WHERE kind = 'allocate' GROUP BY rank
)
SELECT 'rank ' || calls.rank AS subject,
       calls.name || ' and the like are called ' || calls.count || ' times; the device is idle meanwhile for '
           || printf('%.1f', 100 * calls.idle / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time' AS sentence,
       min(calls.total, (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - (SELECT CASE count(*) WHEN 1 THEN max(non_compute_us) ELSE 0 END FROM trace_temporal_breakdown WHERE rank <> 'all')) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       calls.total AS value, 'us' AS unit, 'trace_host_calls' AS from_table, 'total_us' AS from_column,
       place.start AS start_us, place.device AS track
FROM calls JOIN trace_temporal_breakdown AS device ON device.rank = calls.rank LEFT JOIN place ON place.rank = calls.rank
WHERE (calls.count > 5 OR place.count > 2) AND calls.idle >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
