-- SPDX-License-Identifier: Apache-2.0
-- title: The device waits for the host
-- topic: host
-- todo: Do that work on another thread, ahead of time, or less often; look at the timeline for what surrounds it
-- instead-of: critical-path
-- reason: Work was launched only after the device had become idle, so the host is the cause. Where no rule knows what the host does
--   then, its name has to do. Speaks from 5 % on; at most that time can be saved, and what
--   is before the first work and after the last.
WITH what AS (
    SELECT rank, kind, coalesce(CASE WHEN kind IN ('annotation', 'frame') THEN what END, around_operator, around_annotation, what,
               CASE kind WHEN 'outside of operators' THEN 'no operator' ELSE kind END) AS name,
           sum(idle_us) AS us, max(longest_us) AS longest,
           longest_start_us AS start, device
    FROM trace_host_idle WHERE kind NOT IN ('launched before', 'unknown launch') GROUP BY rank, name
), sums AS (
    SELECT rank, name, max(us) AS us, start, device, sum(us) AS total FROM what GROUP BY rank
)
SELECT 'rank ' || sums.rank AS subject,
       'The device waits for the host for ' || printf('%.1f', 100 * total / (SELECT max(length_us) FROM trace_critical_path))
           || ' % of the time; the host is mostly in ' || name || ' (' || printf('%.1f', 100 * us / (SELECT max(length_us) FROM trace_critical_path)) || ' %)' AS sentence,
       total + (SELECT max(length_us) FROM trace_critical_path) - own.kernel_us AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       us AS value, 'us' AS unit, 'trace_host_idle' AS from_table, 'idle_us' AS from_column,
       start AS start_us, device AS track
FROM sums JOIN trace_temporal_breakdown AS own ON own.rank = sums.rank
WHERE total >= 0.05 * (SELECT max(length_us) FROM trace_critical_path);
