-- SPDX-License-Identifier: Apache-2.0
-- title: A compiler works in later iterations
-- topic: compilation
-- todo: Keep shapes static or mark them as dynamic, and look for what makes the compiler start again
-- instead-of: late-host, slow-steps, host-activity, critical-path
-- reason: The first two iterations compile; a compiler that works in more than one after them does so again for each new shape.
--   Without it the host is earlier by its time, and no more can be saved than the device is without work.
WITH words(word) AS (
    VALUES ('%compile_inner%'), ('%compile_fx%'), ('%_compile%'), ('%torchdynamo%'), ('%torchinductor%'), ('%xlacompile%'), ('%backend_compile%')
), compilers AS (
    SELECT rank, place, annotation AS name, host_us AS us FROM trace_annotation_steps
    UNION ALL
    SELECT rank, place, coalesce(around_annotation, inner_operator, what), what_us FROM trace_step_idle
    UNION ALL
    SELECT rank, place, what, what_us FROM trace_step_idle
), later AS (
    SELECT rank, place, max(name) AS name, max(us) AS us FROM compilers
    WHERE place > 1 AND EXISTS (SELECT 1 FROM words WHERE lower(name) LIKE word) GROUP BY rank, place
), sums AS (
    SELECT later.rank, max(later.name) AS name, count(*) AS count, sum(later.us) AS total, sum(min(later.us, steps.idle_us)) AS idle
    FROM later JOIN trace_step_idle AS steps ON steps.rank = later.rank AND steps.place = later.place GROUP BY later.rank
)
SELECT 'rank ' || sums.rank AS subject,
       'A compiler works in ' || sums.count || ' iterations after the first two (' || sums.name || ') while the device is idle for '
           || printf('%.1f', 100 * sums.idle / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time' AS sentence,
       min(sums.total, (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - device.non_compute_us) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       sums.idle AS value, 'us' AS unit, 'trace_step_idle' AS from_table, 'idle_us' AS from_column
FROM sums JOIN trace_temporal_breakdown AS device ON device.rank = sums.rank
WHERE sums.count > 1 AND sums.idle >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
