-- SPDX-License-Identifier: Apache-2.0
-- title: In each iteration another rank has more to do
-- topic: balance
-- todo: Distribute by sequence length or cost, limit the capacity of experts, sort batches by size
-- instead-of: small-messages, critical-path, overlap, collectives, late-card, path-on-one-rank
-- reason: Work that is launched in an iteration, by rank. Balanced, each would have the mean; the time beyond it of the rank with
--   most is lost. Silent where one rank has most in most iterations: that rank is slow.
WITH parts AS (
    SELECT rank, place, computation_us AS us FROM trace_step_idle
), steps AS (
    SELECT place, max(us) AS most, avg(us) AS mean, count(*) AS ranks FROM parts GROUP BY place HAVING count(*) > 1
), firsts AS (
    SELECT parts.rank, count(*) AS count FROM parts JOIN steps ON steps.place = parts.place AND parts.us = steps.most GROUP BY parts.rank
)
SELECT NULL AS subject,
       'The rank with most work of an iteration has ' || printf('%.1f', 100 * (sum(most) / sum(mean) - 1))
           || ' % more than the mean, and it is another one each time' AS sentence,
       1.02 * (sum(most) - sum(mean)) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       sum(most) AS value, 'us' AS unit, 'trace_step_idle' AS from_table, 'computation_us' AS from_column
FROM steps
HAVING count(*) > 3 AND sum(most) > 1.05 * sum(mean) AND (SELECT max(count) FROM firsts) <= 0.6 * count(*);
