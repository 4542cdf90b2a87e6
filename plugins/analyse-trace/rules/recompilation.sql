-- SPDX-License-Identifier: Apache-2.0
-- title: A compiler works in later iterations
-- topic: compilation
-- todo: Keep shapes static or mark them as dynamic, and look for what makes the compiler start again
-- instead-of: slow-steps, host-activity, critical-path
-- reason: The first two iterations compile; a compiler that works in more than one after them does so again for each new shape.
--   Without it the host is earlier by its time, and no more can be saved than the device does not compute.
-- source: PyTorch, torch.compile: recompilation; inputs with this cause and a known gain in tests/causes
WITH later AS (
    SELECT rank, place, max(annotation) AS name, max(host_us) AS us FROM trace_annotation_steps
    WHERE cause = 'compilation' AND place > 1 GROUP BY rank, place
), sums AS (
    SELECT rank, max(name) AS name, count(*) AS count, sum(us) AS total FROM later GROUP BY rank HAVING count(*) > 1
), idle AS (
    SELECT rank, sum(idle_us) AS us, max(longest_us) AS longest, longest_start_us AS start, device FROM trace_host_activities
    WHERE cause = 'compilation' GROUP BY rank
)
SELECT 'rank ' || sums.rank AS subject,
       'A compiler works in ' || sums.count || ' iterations after the first two (' || sums.name || '), for '
           || printf('%.1f', 100 * sums.total / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time' AS sentence,
       min(sums.total, (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - (SELECT CASE count(*) WHEN 1 THEN max(non_compute_us) ELSE 0 END FROM trace_temporal_breakdown WHERE rank <> 'all')) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       sums.total AS value, 'us' AS unit, 'trace_annotation_steps' AS from_table, 'host_us' AS from_column,
       idle.start AS start_us, idle.device AS track
FROM sums JOIN idle ON idle.rank = sums.rank JOIN trace_temporal_breakdown AS device ON device.rank = sums.rank
WHERE idle.us >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
