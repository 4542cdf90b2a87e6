-- SPDX-License-Identifier: Apache-2.0
-- title: A rank waits longer before its steps
-- topic: slow rank
-- todo: Look at this machine and its data: its data pipeline, its host
-- subjects: all
-- reason: The time before the forward pass is more than 20 % above the mean of all ranks.
-- source: the thresholds of MindInsight's proposals
WITH everyone AS (
    SELECT avg(iteration_interval_us) AS mean FROM mindspore_ranks
)
SELECT 'rank ' || rank AS subject,
       printf('%.3f ms pass before a step, %.2f %% more than in the mean of the ranks', iteration_interval_us / 1000,
              100 * (iteration_interval_us - mean) / mean) AS sentence,
       100 * (iteration_interval_us - mean) / mean AS value, '%' AS unit, 'mindspore_ranks' AS from_table,
       'iteration_interval(us)' AS from_column
FROM mindspore_ranks JOIN everyone
WHERE mean > 0 AND iteration_interval_us > 1.2 * mean
  AND (SELECT count(*) FROM mindspore_ranks WHERE iteration_interval_us IS NULL) = 0 AND (SELECT count(*) FROM mindspore_ranks) > 1
ORDER BY iteration_interval_us DESC, rank;
