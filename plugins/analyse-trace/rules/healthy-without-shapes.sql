-- SPDX-License-Identifier: Apache-2.0
-- title: Nothing is wrong
-- topic: summary
-- severity: note
-- when: silent
-- instead-of: healthy-communication
-- todo: Less work: a smaller network or cheaper operators; or a faster device
-- reason: Speaks only where no other rule does, and says what bounds the run and how close that is to the device's peak.
-- source: the times of computation of the run
WITH run AS (SELECT sum(kernel_us) AS span, sum(compute_us) AS compute FROM trace_temporal_breakdown WHERE rank <> 'all'),
     family AS (
    SELECT "group" AS name, sum(sum_us) AS us, sum(sum_us) / (SELECT sum(sum_us) FROM trace_kernel_groups) AS share
    FROM trace_kernel_groups GROUP BY "group" ORDER BY us DESC LIMIT 1
)
SELECT NULL AS subject,
       'No cause above 2 % was found: computation takes ' || printf('%.1f', 100 * run.compute / run.span) || ' % of the time, most of it '
           || family.name || ' (' || printf('%.0f', 100 * family.share) || ' %)' AS sentence,
       NULL AS gain_us, NULL AS whole_us,
       100 * run.compute / run.span AS value, '%' AS unit, 'trace_temporal_breakdown' AS from_table, 'compute_percent' AS from_column
FROM run, family WHERE run.compute >= 0.5 * run.span;
