-- SPDX-License-Identifier: Apache-2.0
-- title: The host waits for the device within iterations
-- topic: synchronisation
-- todo: Remove the call, do it once for many iterations, or read the value later by an asynchronous copy
-- instead-of: host-bound, critical-path, host-activity
-- reason: A call that waits lets the device run dry: the next work comes only after the call. Without it the host is earlier by
--   the time of the calls, and no more can be saved than the device is without work. Silent where most of that time passes in an
--   operator, annotation, a function or an allocation of a millisecond or more, or in a single pause: then that keeps the device waiting.
-- source: PyTorch performance tuning guide: avoid needless synchronisation; inputs with this cause and a known gain in tests/causes
WITH calls AS (
    SELECT rank, coalesce(inner_operator || CASE WHEN around_operator <> inner_operator THEN ' in ' || around_operator ELSE '' END,
                          around_annotation, name) AS place, max(name) AS name, sum(count) AS count,
           sum(after_us) AS after
    FROM trace_host_call_sites WHERE kind = 'synchronise' GROUP BY rank, place
), sums AS (
    SELECT rank, place, name, count, sum(after) OVER (PARTITION BY rank) AS after,
           row_number() OVER (PARTITION BY rank ORDER BY after DESC) AS number
    FROM calls
), host AS (
    SELECT rank, sum(total_us) AS total FROM trace_host_calls WHERE kind = 'synchronise' GROUP BY rank
), long AS (
    SELECT rank, sum(idle_us) AS us FROM trace_host_activities
    WHERE longest_us >= 1000 AND (kind IN ('operator', 'annotation', 'frame', 'allocate') OR (kind = 'outside of operators' AND longest_us >= 0.5 * idle_us))
    GROUP BY rank
), idle AS (
    SELECT rank, max(longest_us) AS longest, longest_start_us AS start, device
    FROM trace_host_activities WHERE kind = 'synchronise' OR activity IN (SELECT around_operator FROM trace_host_call_sites WHERE kind = 'synchronise')
    GROUP BY rank
)
SELECT 'rank ' || sums.rank AS subject,
       place || ' waits for the device ' || count || ' times' || CASE WHEN name <> place THEN ' (' || name || ')' ELSE '' END || ', which then has nothing to do for '
           || printf('%.1f', 100 * after / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time' AS sentence,
       min(max(total, after), (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - device.non_compute_us) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       after AS value, 'us' AS unit, 'trace_host_call_sites' AS from_table, 'after_us' AS from_column,
       idle.start AS start_us, idle.device AS track
FROM sums JOIN host ON host.rank = sums.rank JOIN trace_temporal_breakdown AS device ON device.rank = sums.rank LEFT JOIN idle ON idle.rank = sums.rank
     LEFT JOIN long ON long.rank = sums.rank
WHERE number = 1 AND count > 1 AND coalesce(long.us, 0) < 0.5 * after AND after >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
