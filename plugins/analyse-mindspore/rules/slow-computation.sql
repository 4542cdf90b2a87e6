-- SPDX-License-Identifier: Apache-2.0
-- title: A rank computes more slowly
-- topic: slow computation
-- todo: Look at this device: its clock, its temperature, other work on it; or at how the work is shared out
-- subjects: all
-- reason: The operations a second are more than 20 % below the mean of all ranks.
-- source: the thresholds of MindInsight's proposals
WITH everyone AS (
    SELECT avg(gflops) AS mean FROM mindspore_ranks
)
SELECT 'rank ' || rank AS subject,
       printf('%.1f GFLOPS, %.2f %% less than the mean of the ranks', gflops, 100 * (mean - gflops) / mean) AS sentence,
       100 * (mean - gflops) / mean AS value, '%' AS unit, 'mindspore_ranks' AS from_table, 'gflops' AS from_column
FROM mindspore_ranks JOIN everyone
WHERE gflops < 0.8 * mean
  AND (SELECT count(*) FROM mindspore_ranks WHERE gflops IS NULL) = 0 AND (SELECT count(*) FROM mindspore_ranks) > 1
ORDER BY gflops, rank;
