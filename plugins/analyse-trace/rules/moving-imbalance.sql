-- SPDX-License-Identifier: Apache-2.0
-- title: In each iteration another rank has more to do
-- topic: balance
-- todo: Distribute by sequence length or cost, limit the capacity of experts, sort batches by size
-- instead-of: small-messages, critical-path, overlap, collectives, late-card, path-on-one-rank
-- reason: Work that is launched in an iteration, by rank. Balanced, each would have the mean, and without what makes one of them longer the
--   least: the time beyond that of the rank with most is lost at most. Silent where one rank has most in most iterations: that rank is slow.
-- source: the work of each rank in each iteration; inputs with this cause and a known gain in tests/causes
WITH firsts AS (
    SELECT computation_most_rank AS rank, count(*) AS count FROM trace_step_spread GROUP BY computation_most_rank
)
SELECT NULL AS subject,
       'The rank with most work of an iteration has '
           || printf('%.1f', 100 * (sum(computation_most_us) / sum(computation_mean_us) - 1))
           || ' % more than the mean, and it is another one each time' AS sentence,
       1.02 * (sum(computation_most_us) - sum(computation_least_us)) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       sum(computation_most_us) AS value, 'us' AS unit, 'trace_step_spread' AS from_table, 'computation_most_us' AS from_column
FROM trace_step_spread
HAVING count(*) > 3 AND sum(computation_most_us) > 1.05 * sum(computation_mean_us)
   AND (SELECT max(count) FROM firsts) <= 0.6 * count(*);
