-- SPDX-License-Identifier: Apache-2.0
-- title: The device waits for Python, which likely collects garbage
-- topic: host
-- todo: Try gc.freeze after the start, or gc.disable and gc.collect between iterations; if nothing changes, look at what this function computes itself
-- instead-of: slow-steps, host-activity, critical-path
-- optional: trace_step_ranks(rank, count)
-- reason: Python collects garbage when it has made many objects, in whatever function it is in then, and no event names that. It shows as a function
--   that sometimes takes milliseconds without calling another one, and mostly does not. Speaks of two pauses of 5 ms and more, if pauses differ in
--   length, or are fewer than the function's calls and the iterations. Without them the host is earlier by the function's own time at most, and no more can be saved than the device does not compute.
-- source: Python, module gc; inputs with this cause and a known gain in tests/causes
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path), quiet AS (
    SELECT idle.rank, idle.activity AS name, idle.idle_us AS us, idle.longest_start_us AS start, idle.device, max(idle.longest_us) AS longest,
           frame.self_us
    FROM trace_host_activities AS idle JOIN trace_frames AS frame ON frame.rank = idle.rank AND frame.name = idle.activity
         LEFT JOIN trace_step_ranks AS steps ON steps.rank = idle.rank
    WHERE idle.kind = 'frame' AND idle.activity NOT LIKE '<built-in%' AND idle.longest_us >= 5000 AND idle.idle_us >= 1.5 * idle.longest_us
      AND (idle.idle_us < 0.7 * idle.count * idle.longest_us OR idle.count < 0.7 * max(frame.count, coalesce(steps.count, 0)))
      AND frame.self_us >= 0.9 * idle.idle_us
    GROUP BY idle.rank
)
SELECT 'rank ' || quiet.rank AS subject,
       'The device is idle for ' || printf('%.1f', 100 * quiet.us / run.us) || ' % of the time while ' || quiet.name || ' takes up to '
           || printf('%.0f', longest / 1000) || ' ms without calling a function: likely Python collects garbage' AS sentence,
       min(max(quiet.us, quiet.self_us), run.us - own.compute_us - (SELECT CASE count(*) WHEN 1 THEN max(non_compute_us) ELSE 0 END FROM trace_temporal_breakdown WHERE rank <> 'all')) AS gain_us, run.us AS whole_us,
       quiet.us AS value, 'us' AS unit, 'trace_host_activities' AS from_table, 'idle_us' AS from_column,
       quiet.start AS start_us, quiet.device AS track
FROM quiet JOIN trace_temporal_breakdown AS own ON own.rank = quiet.rank JOIN run
WHERE quiet.us >= 0.02 * run.us;
