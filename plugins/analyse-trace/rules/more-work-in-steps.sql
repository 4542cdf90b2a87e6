-- SPDX-License-Identifier: Apache-2.0
-- title: Some iterations have more to compute than the others
-- topic: iterations
-- todo: Evaluate, log and collect statistics less often, or on another device; leave such iterations out of what you measure
-- instead-of: critical-path
-- optional: trace_annotations(rank, name, count, device_total_us)
-- reason: Work that is launched in an iteration, on the mean of all ranks. Iterations with over 1.1 times the median are others if they
--   are fewer than half; with the median they would need that much less. An annotation that is there no more often than they are, and
--   launches a quarter of what they have more at least, is what they do.
-- source: the work of each iteration; inputs with this cause and a known gain in tests/causes
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path),
steps AS (
    SELECT step, avg(computation_us) AS us FROM trace_step_idle GROUP BY step
), usual AS (SELECT median(us) AS us, count(*) AS count FROM steps),
more AS (
    SELECT count(*) AS count, sum(steps.us - usual.us) AS us, max(steps.us) AS most_us, step AS heaviest
    FROM steps JOIN usual WHERE steps.us > 1.1 * usual.us
), marks AS (
    SELECT name, max(device_total_us / marked.count) AS us
    FROM more JOIN trace_annotations AS marked ON marked.count <= more.count AND device_total_us > 0 AND name <> heaviest
)
SELECT NULL AS subject,
       printf('%d of %d iterations %s more than the others, such as %s, for %.1f %% of the time', more.count, usual.count,
              CASE more.count WHEN 1 THEN 'computes' ELSE 'compute' END, heaviest, 100 * more.us / run.us)
           || CASE WHEN marks.us >= 0.25 * more.us / more.count THEN ', in ' || marks.name ELSE '' END AS sentence,
       1.02 * more.us AS gain_us, run.us AS whole_us,
       more.most_us AS value, 'us' AS unit, 'trace_step_idle' AS from_table, 'computation_us' AS from_column
FROM more JOIN usual JOIN run LEFT JOIN marks
WHERE more.count > 0 AND usual.count > 2 AND more.count < 0.5 * usual.count;
